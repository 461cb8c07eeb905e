"""The completion script for zsh: a function a verb, built on `_arguments`."""

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
    return shells.fill(
        "neosian.zsh",
        {
            "SELECTION": _quoted(_options(SELECTION)),
            "OUTPUT": _quoted(_options(OUTPUT)),
            "LINES": _quoted(_options([JSON_LINES])),
            "GENERAL": _quoted(_options([shells.VERSION])),
            "COMMANDS": [_described(entry.name, entry.help) for entry in groups.ENTRIES],
            "GROUPS": [line for entry in groups.ENTRIES if entry.group for line in _group(entry)],
            "VERBS": [line for verb in shells.all_verbs() for line in _verb(verb)],
        },
    )


def _quoted(specs: Iterable[str]) -> list[str]:
    return [shells.quoted(spec) for spec in specs]


def _described(name: str, text: str) -> str:
    return shells.quoted(f"{name}:{text}")


def _told(text: str, marks: str) -> str:
    """A text inside a specification, where these marks mean something."""
    return "".join(f"\\{letter}" if letter in marks else letter for letter in text)


def _action(param: Param) -> str:
    """How `_arguments` finds values: a function of the script, choices, or nothing to offer."""
    source = shells.source_of(param)
    if source == shells.FREE:
        return " "
    if source in (shells.FILE, shells.SOURCE):
        return "_files"
    if source == shells.DIRECTORY:
        return "_files -/"
    if source == shells.TEXT:
        return "_neosian_text"
    if "|" in source:
        return f"({source.replace('|', ' ')})"
    return f"_neosian_ask {source}"


def _options(params: Iterable[Option | Flag]) -> list[str]:
    specs = []
    for param in params:
        others = f"({' '.join(param.flags)})" if len(param.flags) > 1 and not param.repeat else ""
        for flag in param.flags:
            told = f"[{_told(param.help, '[]:')}]"
            if isinstance(param, Option):
                value = f":{_told(param.metavar, ':')}:{_action(param)}"
                flag_spec = f"{flag}={told}{value}" if flag.startswith("--") else f"{flag}+{told}{value}"
            else:
                flag_spec = f"{flag}{told}"
            specs.append(f"{'*' if param.repeat else others}{flag_spec}")
    return specs


def _group(entry: groups.Entry) -> list[str]:
    return [
        f"{entry.name})",
        "    verbs=(",
        *(f"        {_described(verb.name, verb.summary)}" for verb in entry.verbs),
        "    )",
        "    ;;",
    ]


def _verb(verb: Verb) -> list[str]:
    specs = [
        *_options([param for param in shells.named(verb) if param not in shells.USUAL and param is not shells.HELP])
    ]
    for index, place in enumerate(verb.arguments, 1):
        where = "*" if place.repeat else str(index)
        colons = ":" if place.required or place.repeat else "::"
        specs.append(f"{where}{colons}{_told(place.name, ':')}:{_action(place)}")
    if verb.rest is not None:
        specs.append(f"*::{_told(verb.rest.name, ':')}:_normal")
    names = [shells.quoted(name) for name in ([verb.title, *(f"{verb.group} {alias}" for alias in verb.aliases)])]
    shared = [
        *(['"${selection[@]}"'] if verb.selection else []),
        '"${output[@]}"',
        *(['"${lines[@]}"'] if verb.jsonl else []),
    ]
    return [
        f"{'|'.join(names)})",
        "    specs=(",
        *(f"        {spec}" for spec in _quoted(specs)),
        f"        {shells.joined(shared)}",
        "    )",
        "    ;;",
    ]
