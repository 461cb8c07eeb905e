"""What the completion scripts of all shells are told: verbs, and for each parameter where its values come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli.commands import groups
from neosian_cli.commands.declare import JSON_LINES, OUTPUT, SELECTION, Argument, Flag, Option, Rest
from neosian_cli.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from neosian_cli.commands.declare import Param, Verb

HELP = Flag("--help", "-h", help="show help")
VERSION = Flag("--version", "-V", help="print the version")
USUAL: tuple[Option | Flag, ...] = (*SELECTION, *OUTPUT, JSON_LINES)
"""What may stand before a verb's name."""

# Kinds of values that a shell completes by itself, beside those that it asks the program for.
FILE, DIRECTORY, TEXT, SOURCE, FREE, COMMAND = "file", "dir", "text", "source", "", "command"


def source_of(param: Param) -> str:
    """Where values come from: one of the kinds above, a kind of `__complete`, or choices joined by `|`."""
    if isinstance(param, Rest):
        return COMMAND
    if not isinstance(param, Argument | Option):
        return FREE
    if param.choices:
        return "|".join(param.choices)
    if param.complete:
        return param.complete
    return {"file": FILE, "dir": DIRECTORY, "text": TEXT, "bytes": TEXT, "source": SOURCE}.get(param.kind, FREE)


def named(verb: Verb) -> list[Option | Flag]:
    """The options and switches of a verb, its own first, help last."""
    return [*(param for param in verb.everything if isinstance(param, Option | Flag)), HELP]


def long_name(param: Option | Flag) -> str:
    """The name that is offered."""
    return max(param.flags, key=len)


def all_verbs() -> list[Verb]:
    """Every verb that people are told of."""
    return list(groups.everything())


def fill(template: str, parts: Mapping[str, Sequence[str]]) -> str:
    """A template of this package with each line `# @@NAME@@` replaced by the lines of that name, indented as it is."""
    from importlib.resources import files

    lines = []
    left = set(parts)
    for line in (files("neosian_cli.manual") / "templates" / template).read_text(encoding="utf-8").splitlines():
        mark = line.strip()
        if mark.startswith("# @@"):
            name = mark.removeprefix("# @@").removesuffix("@@")
            indent = line[: len(line) - len(line.lstrip())]
            lines += [f"{indent}{made}" if made else "" for made in parts[name]]
            left.discard(name)
        else:
            lines.append(line)
    if left:
        raise Failure("internal", f"{template} has no place for {', '.join(sorted(left))}")
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """`text` as one word in single quotes, for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def joined(words: Iterable[str]) -> str:
    return " ".join(words)
