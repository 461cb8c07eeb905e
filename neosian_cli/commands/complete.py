"""`neosian __complete`: what completion scripts ask for and no script else should; see `services.candidates`.

It is on no list of commands. Whatever is wrong with a store or a setting, it prints what it can and exits with 0: a
press of TAB is no place for errors.
"""

from __future__ import annotations

from neosian_cli.commands.declare import SELECTION, Argument, Rest, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.commands.call import Call

# The kinds of `complete` in the table that are asked for here; a shell knows files and directories itself.
KINDS = ("mount", "path", "document", "namespace", "message", "scope", "profile")


def chosen(words: Sequence[str]) -> dict[str, str | list[str]]:
    """The options among `words` that choose a store; the last one of a name counts, as it does for the parser."""
    by_flag = {option.label: option for option in SELECTION}
    found: dict[str, str | list[str]] = {}
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            break
        flag, equals, text = word.partition("=")
        option = by_flag.get(flag)
        if option is None:
            continue
        value = text if equals else next(waiting, "")
        if not value:
            continue
        held = found.get(option.key, [])
        found[option.key] = [*held, value] if option.repeat and isinstance(held, list) else value
    return found


def run(call: Call) -> int:
    from neosian_cli.services.candidates import offered

    current, *words = call.strings("words")
    try:
        found = offered(call.string("kind"), current, chosen(words), call.surroundings.env, call.now)
    except Exception:  # noqa: BLE001  # see above
        found = []
    call.output.result({"candidates": found}, lambda out: out.raw("".join(f"{name}\n" for name in found).encode()))
    return 0


VERBS = (
    Verb(
        None,
        "__complete",
        "print candidates for a shell",
        run=run,
        params=(
            Argument("KIND", "what is asked for", choices=KINDS),
            Rest("WORDS", "the word at the cursor, then the words before it"),
        ),
        selection=False,
    ),
)
