"""From the arguments of the process to a verb and its values."""

from __future__ import annotations

from neosian_cli.commands import groups
from neosian_cli.commands.declare import JSON_LINES, OUTPUT, SELECTION
from neosian_cli.commands.parse import parse, split_rest
from neosian_cli.commands.values import settle
from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.commands.declare import Flag, Option, Verb
    from neosian_cli.commands.groups import Entry

_HELP = ("-h", "--help")


class HelpWanted(Exception):
    """Someone asked for help; `text` is it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def machine_reads(argv: Sequence[str]) -> bool:
    """Whether errors are for a program, told before anything is understood."""
    words = list(argv)
    own = words[: words.index("--")] if "--" in words else words
    return "--json" in own or "--jsonl" in own


def _hoist(argv: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """The usual options that stand before the verb's name, put after it."""
    shared: tuple[Option | Flag, ...] = (*SELECTION, *OUTPUT, JSON_LINES)
    usual = {flag: param for param in shared for flag in param.flags}
    names: list[str] = []
    early: list[str] = []
    wanted = 1
    index = 0
    while index < len(argv) and len(names) < wanted:
        word = argv[index]
        name, equals, _ = word.partition("=")
        param = usual.get(name)
        if word in _HELP:
            return [*names, "--help"]
        if param is not None:
            width = 1 if equals or param.kind == "flag" else 2
            early.extend(argv[index : index + width])
            index += width
            continue
        if word[:1] == "-":
            break
        known = groups.entry(word, entries)
        if not names and known is not None and known.group:
            wanted = 2
        names.append(word)
        index += 1
    complete = len(names) == wanted
    return [*names, *(early if complete else ()), *argv[index:]]


def _normal(argv: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """One order of words for the ways that there are to say the same."""
    if argv and argv[0] in ("--version", "-V"):
        return ["version", *argv[1:]]
    if argv and argv[0] == "help":
        return [*argv[1:], "--help"]
    return _hoist(argv, entries)


def read(argv: Sequence[str], entries: Sequence[Entry] = groups.ENTRIES) -> tuple[Verb, dict[str, object]]:
    """The verb that is called and its values; raises HelpWanted, `usage` or `invalid_argument`."""
    words = _normal(argv, entries)
    found = groups.find(words, entries)
    if found is None:
        from neosian_cli.commands import typer_door

        verb, raw = typer_door.read(words, entries)
        return verb, settle(verb, raw)
    verb, own = found
    own, rest = split_rest(verb, own)
    fast = parse(verb, own)
    if fast is None:
        from neosian_cli.commands import typer_door

        names = (verb.group, verb.name) if verb.group else (verb.name,)
        try:
            verb, fast = typer_door.read([*names, *own], entries)
        except Failure as failure:
            from neosian_cli.commands import retyped

            retyped.improve(failure, verb, own)
            raise
    if verb.rest is not None:
        fast[verb.rest.key] = rest
    return verb, settle(verb, fast)
