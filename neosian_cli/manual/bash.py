"""The completion script for bash. It needs no bash-completion, and works beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli.commands import groups
from neosian_cli.commands.declare import OUTPUT, SELECTION
from neosian_cli.manual import shells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neosian_cli.commands.declare import Flag, Option, Verb


def script() -> str:
    """The whole script."""
    return shells.fill(
        "neosian.bash",
        {
            "COMMANDS": [f"commands={shells.quoted(shells.joined(entry.name for entry in groups.ENTRIES))}"],
            "SHARED": [f"selection=({_options(SELECTION)})", f"output=({_options(OUTPUT)})"],
            "GROUPS": [line for entry in groups.ENTRIES if entry.group for line in _group(entry)],
            "VERBS": [line for verb in shells.all_verbs() for line in _verb(verb)],
        },
    )


def _option(param: Option | Flag) -> str:
    """`--name`, or `--name=SOURCE` where a value follows; `*` before what may be repeated."""
    name = shells.long_name(param)
    value = "" if param.kind == "flag" else f"={shells.source_of(param)}"
    return shells.quoted(f"{'*' if param.repeat else ''}{name}{value}")


def _options(params: Iterable[Option | Flag]) -> str:
    return shells.joined(_option(param) for param in params)


def _group(entry: groups.Entry) -> list[str]:
    return [f"{entry.name}) verbs={shells.quoted(shells.joined(verb.name for verb in entry.verbs))} ;;"]


def _verb(verb: Verb) -> list[str]:
    names = [f"{verb.group} {name}" if verb.group else name for name in (verb.name, *verb.aliases)]
    places = [f"{'*' if place.repeat else ''}{shells.source_of(place)}" for place in verb.arguments]
    own = [param for param in shells.named(verb) if param not in shells.USUAL and param is not shells.HELP]
    marks = {"selection": verb.selection, "lines": verb.jsonl, "rest": verb.rest is not None}
    options = _options(own)
    lines = [f"{'|'.join(shells.quoted(name) for name in names)})"]
    lines.append(f"    places=({shells.joined(shells.quoted(place) for place in places)})")
    if options:
        lines.append(f"    options=({options})")
    lines.append(f"    shared={shells.quoted(shells.joined(mark for mark, there in marks.items() if there))}")
    lines.append("    ;;")
    return lines
