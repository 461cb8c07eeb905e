"""A command line that was not understood, typed again the way it was probably meant.

What was typed stays as it is, the options that choose the store too, so that the hint can be typed where it stands.
"""

from __future__ import annotations

from shlex import quote

from neosian_cli.commands.declare import Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from neosian_cli.commands.declare import Verb
    from neosian_cli.errors import Failure

LONGEST = 250
"""Characters of a word that a hint repeats; of what is longer or not one line, a body mostly, the place is shown."""


def command(words: Iterable[str]) -> str:
    """The command line of these words, quoted for a shell."""
    return " ".join(["neosian", *(quote(word) if _is_short(word) else "…" for word in words)])


def _is_short(word: str) -> bool:
    return len(word) <= LONGEST and word.isprintable()


def hint(argv: Sequence[str], typed: str, better: str) -> str:
    """The command with `better` in the place of the word `typed`, or at its end where nothing was typed for it."""
    words = list(argv)
    if not typed:
        return f"{command(words)} {better}"
    at = [number for number, word in enumerate(words) if word == typed or word.endswith(f"={typed}")]
    for number in at[:1]:
        words[number] = words[number].removesuffix(typed) + better
    return f"did you mean: {command(words)}"


def improve(failure: Failure, verb: Verb, words: Sequence[str]) -> None:
    """Give a failure of usage the hint that its words (without the verb's name) ask for, where they do."""
    if failure.code != "usage" or "--help" in words:
        return
    if "--write" in words and "--write" not in verb.lookup and verb.mutates:
        failure.message = f"{verb.title}: there is no option '--write': this verb acts at once"
        failure.details.pop("nearest", None)
        failure.hint = command([*verb.title.split(), *(word for word in words if word != "--write")])
        return
    better = _with_rest(verb, words) if verb.rest is not None else _with_options(verb, words)
    if better is not None:
        failure.hint = command([*verb.title.split(), *better])


def _steps(verb: Verb, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Beginning and length of each option with its value, and of each other word."""
    at = 0
    while at < len(words):
        param = verb.lookup.get(words[at].partition("=")[0])
        width = 2 if isinstance(param, Option) and "=" not in words[at] else 1
        yield at, width
        at += width


def _with_rest(verb: Verb, words: Sequence[str]) -> list[str] | None:
    """The words with the `--` that was left out before the first one that is no option."""
    for at, _ in _steps(verb, words):
        if words[at][:1] != "-":
            return None if "--" in words else [*words[:at], "--", *words[at:]]
    return None


def _with_options(verb: Verb, words: Sequence[str]) -> list[str] | None:
    """The words with those that are too many as the values of options that are wanted; None where that is not clear."""
    arguments = verb.arguments
    if any(argument.repeat for argument in arguments) or "--" in words:
        return None
    places = [at for at, _ in _steps(verb, words) if words[at][:1] != "-" or words[at] == "-"]
    surplus = places[len(arguments) :]
    given = {verb.lookup.get(words[at].partition("=")[0]) for at, _ in _steps(verb, words)}
    own = [param for param in verb.params if isinstance(param, Option) and param not in given]
    wanted = [param for param in own if param.required]
    if len(wanted) < len(surplus) and all(words[at].isdigit() for at in surplus):
        wanted = [param for param in own if param.kind == "int" and param.key not in ("limit", "if_version")]
    if not surplus or len(wanted) < len(surplus):
        return None
    kept = [word for at, word in enumerate(words) if at not in surplus]
    for param, at in zip(wanted, surplus, strict=False):
        kept += (param.flags[0], words[at])
    return kept
