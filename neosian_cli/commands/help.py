"""Help from the table: the rows and lines that `--help` shows and the manual repeats."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Option, Rest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.commands.declare import Param, Verb

_READ = "- reads stdin, @FILE a file"


def remarks(param: Param) -> list[str]:
    """What stands in brackets after a parameter's help: how a value is read, bounds, default, variable."""
    notes = []
    if isinstance(param, Argument | Option):
        if param.kind in ("text", "bytes"):
            notes.append(_READ)
        if param.kind == "source":
            notes.append("- reads stdin")
        if param.low is not None and param.high is not None and param.high <= 100_000:
            notes.append(f"{param.low:g} to {param.high:g}")
        if param.default is not None:
            notes.append(f"default {param.default}")
        if isinstance(param, Option) and param.env:
            notes.append(f"${param.env}")
        if isinstance(param, Argument) and param.choices:
            notes.append(", ".join(param.choices))
    if isinstance(param, Option):
        if param.required:
            notes.append("required")
        if param.repeat:
            notes.append("repeatable")
    return notes


def explain(param: Param) -> str:
    """The help of a parameter with its remarks."""
    notes = "; ".join(remarks(param))
    return f"{param.help} [{notes}]" if notes else param.help


def spell(param: Param) -> str:
    """The names of a parameter, and of its value."""
    if isinstance(param, Argument | Rest):
        return param.usage
    names = ", ".join(sorted(param.flags, key=len))
    return f"{names} {param.metavar}" if isinstance(param, Option) else names


def argument_rows(verb: Verb) -> list[tuple[str, str]]:
    """What is told by its place, and its help."""
    return [(spell(param), explain(param)) for param in verb.params if isinstance(param, Argument | Rest)]


def option_rows(params: Sequence[Param]) -> list[tuple[str, str]]:
    """Options and switches, and their help."""
    return [(spell(param), explain(param)) for param in params if not isinstance(param, Argument | Rest)]


def unbroken(text: str) -> str:
    """`text` as one word: with other marks for what a line may be broken at."""
    return text.replace(" ", "\N{NO-BREAK SPACE}").replace("-", "\N{NON-BREAKING HYPHEN}")


def broken(text: str) -> str:
    """`text` of `unbroken` words as it is to be read."""
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NON-BREAKING HYPHEN}", "-")


def synopsis_of(verb: Verb) -> str:
    """Arguments and own options of a verb, required ones first; each an `unbroken` word."""
    places = [unbroken(param.usage) for param in verb.params if isinstance(param, Argument)]
    own = [param for param in verb.params if not isinstance(param, Argument | Rest)]
    named = [unbroken(param.usage) for param in sorted(own, key=lambda param: not param.required)]
    rest = [unbroken(verb.rest.usage)] if verb.rest else []
    return " ".join((*places, *named, "[OPTIONS]", *rest))


def epilog_of(verb: Verb) -> str:
    """Examples and other names of a verb, as lines."""
    text = ""
    if verb.examples:
        text += "\nExamples:\n" + "".join(f"  {example}\n" for example in verb.examples)
    if verb.aliases:
        text += f"\nAlso called: {', '.join(verb.aliases)}\n"
    return text
