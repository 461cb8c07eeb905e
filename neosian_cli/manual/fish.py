"""The completion script for fish: a line an option, under the condition that its verb is on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli.commands import groups
from neosian_cli.commands.declare import JSON_LINES, OUTPUT, SELECTION, Option
from neosian_cli.manual import shells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neosian_cli.commands.declare import Flag, Param, Verb


def script() -> str:
    """The whole script."""
    verbs = shells.all_verbs()
    selecting = [name for verb in verbs if verb.selection for name in _names(verb)]
    lined = [name for verb in verbs if verb.jsonl for name in _names(verb)]
    return shells.fill(
        "neosian.fish",
        {
            "GROUPS": [f"set -l groups {shells.joined(entry.name for entry in groups.ENTRIES if entry.group)}"],
            "VALUED": [line for verb in verbs for line in _valued(verb)],
            "SHARED_VALUED": [f"set -l valued {shells.joined(_flags_with_values(SELECTION))}"],
            "SHARED": [
                *_options(SELECTION, _at("", *_groups(), *selecting)),
                *_options([JSON_LINES], _at("", *_groups(), *lined)),
                *_options(OUTPUT, ""),
                *_options([shells.VERSION], _at("")),
                *_options([shells.HELP], ""),
            ],
            "COMMANDS": [_word(entry.name, entry.help, _at("")) for entry in groups.ENTRIES],
            "VERBS": [
                *(_word(verb.name, verb.summary, _at(verb.group)) for verb in verbs if verb.group),
                *(line for verb in verbs for line in _verb(verb)),
            ],
        },
    )


def _quoted(text: str) -> str:
    """`text` as one word of fish: in its single quotes only the quote and the backslash mean something."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _groups() -> list[str]:
    return [entry.name for entry in groups.ENTRIES if entry.group]


def _names(verb: Verb) -> list[str]:
    return [f"{verb.group} {name}" if verb.group else name for name in (verb.name, *verb.aliases)]


def _at(*names: str) -> str:
    return f"__neosian_at {shells.joined(_inner(name) for name in names)}"


def _inner(text: str) -> str:
    """A word inside a condition, which is itself quoted."""
    return f'"{text}"' if " " in text or not text else text


def _flags_with_values(params: Iterable[Param]) -> list[str]:
    return [flag for param in params if isinstance(param, Option) for flag in param.flags]


def _valued(verb: Verb) -> list[str]:
    flags = _flags_with_values(verb.params)
    names = shells.joined(_quoted(name) for name in _names(verb))
    return [f"case {names}", f"    set -a valued {shells.joined(flags)}"] if flags else []


def _word(name: str, text: str, condition: str) -> str:
    return f"complete -c neosian -n {_quoted(condition)} -a {name} -d {_quoted(text)}"


def _values(param: Param) -> str:
    """The part of a `complete` line that tells where values come from; nothing else than these is offered."""
    source = shells.source_of(param)
    if source == shells.FREE:
        return "-x"
    if source in (shells.FILE, shells.SOURCE):
        return "-r -F"
    if source == shells.DIRECTORY:
        return "-x -a '(__neosian_directories)'"
    if source == shells.TEXT:
        return "-x -a '(__neosian_text)'"
    if "|" in source:
        return f"-x -a {_quoted(source.replace('|', ' '))}"
    return f"-x -a '(__neosian_ask {source})'"


def _options(params: Iterable[Option | Flag], condition: str) -> list[str]:
    lines = []
    for param in params:
        names = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in param.flags]
        given = f" -n {_quoted(condition)}" if condition else ""
        values = f" {_values(param)}" if isinstance(param, Option) else ""
        lines.append(f"complete -c neosian{given} {shells.joined(names)}{values} -d {_quoted(param.help)}")
    return lines


def _verb(verb: Verb) -> list[str]:
    own = [param for param in shells.named(verb) if param not in shells.USUAL and param is not shells.HELP]
    lines = _options(own, _at(*_names(verb)))
    for index, place in enumerate(verb.arguments):
        values = _values(place)
        if values == "-x":
            continue
        most = "" if place.repeat else f" {index}"
        condition = f"{_at(*_names(verb))}; and __neosian_place {index}{most}"
        lines.append(
            f"complete -c neosian -n {_quoted(condition)} {values.replace('-r -F', '-F').replace('-x ', '-f ')}"
        )
    if verb.rest is not None:
        lines.append(f"complete -c neosian -n {_quoted(_at(*_names(verb)))} -x -a '(__neosian_rest)'")
    return lines
