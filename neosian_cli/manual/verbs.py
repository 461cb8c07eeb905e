"""The manual page of each verb, from its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli.commands.declare import Argument, Flag, Option, Rest
from neosian_cli.commands.help import remarks
from neosian_cli.errors import CODES, OTHER_STATUSES
from neosian_cli.manual import roff

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neosian_cli.commands.declare import Param, Verb

ALWAYS = {0: "done", 2: "called wrongly; nothing was changed"}
SECTION = 1
# Pages about what a group of verbs is for.
ABOUT = {
    "changes": ("neosian-changes", 7),
    "config": ("neosian-config", 5),
    "memory": ("neosian-memory", 7),
    "messages": ("neosian-messaging", 7),
    "semantic": ("neosian-semantic", 7),
    **dict.fromkeys(("export", "import", "lock", "status", "verify"), ("neosian-store", 5)),
}


def name_of(verb: Verb) -> str:
    """The page's name: `neosian-memory-view`."""
    return f"neosian-{verb.title.replace(' ', '-')}"


def page(verb: Verb, others: Iterable[Verb], topics: Iterable[str]) -> str:
    """The page; `others` are the verbs of its group, `topics` the names of pages that are no verbs."""
    lines = [*roff.title(name_of(verb), SECTION, verb.summary), *_synopsis(verb), *_description(verb)]
    places = [param for param in verb.params if isinstance(param, Argument | Rest)]
    own = [param for param in verb.params if isinstance(param, Option | Flag)]
    for heading, params in (("Arguments", places), ("Options", own), ("Usual options", verb.usual)):
        if params:
            lines += [roff.section(heading), *(line for param in params for line in parameter(param))]
    if verb.aliases:
        told = ", ".join(roff.bold(f"{verb.group} {alias}" if verb.group else alias) for alias in verb.aliases)
        lines += [roff.section("Other names"), f"{told}."]
    if verb.examples:
        lines += [roff.section("Examples"), *roff.example(verb.examples)[1:]]
    lines += [roff.section("Exit status"), *_statuses(verb)]
    about, number = ABOUT.get(verb.group or verb.name, ("", 0))
    known = [(about, number)] if about in topics else []
    near = [(name_of(other), SECTION) for other in others if other is not verb]
    always = [("neosian", 1), ("neosian-exit-status", 7), ("neosian-environment", 7)]
    return roff.page([*lines, *roff.see_also([*always, *known, *near])])


def _synopsis(verb: Verb) -> list[str]:
    places = [roff.unbroken(_usage(param)) for param in verb.params if isinstance(param, Argument)]
    own = [param for param in verb.params if isinstance(param, Option | Flag)]
    named = [roff.unbroken(_usage(param)) for param in sorted(own, key=lambda param: not param.required)]
    rest = [_usage(verb.rest)] if verb.rest else []
    command = roff.unbroken(roff.literal(f"neosian {verb.title}"))
    return [roff.section("Synopsis"), f".SY {command}", *places, *named, "[\\fIOPTIONS\\fR]", *rest, ".YS"]


def _usage(param: Param) -> str:
    """A parameter in a synopsis: what is typed bold, what stands for a value italic."""
    if isinstance(param, Rest):
        return f"\\fB\\-\\-\\fR {roff.italic(param.name)}…"
    if isinstance(param, Argument):
        shown = roff.italic(param.name) + ("…" if param.repeat else "")
        return shown if param.required else f"[{shown}]"
    shown = roff.bold(param.flags[0])
    if isinstance(param, Option):
        shown = f"{shown} {_value(param)}"
    shown = shown if param.required else f"[{shown}]"
    return f"{shown}…" if param.repeat else shown


def _value(option: Option) -> str:
    return roff.literal(option.metavar) if option.choices else roff.italic(option.metavar)


def _description(verb: Verb) -> list[str]:
    text = verb.description or f"{verb.summary[:1].upper()}{verb.summary[1:]}."
    lines = [roff.section("Description"), roff.plain(text)]
    if verb.preview:
        lines += roff.paragraph("Without \\fB\\-\\-write\\fR nothing is changed: the result tells what would be done.")
    for group in verb.exclusive:
        labels = [param.label for param in verb.everything if param.key in group]
        if labels != ["--json", "--jsonl"]:
            told = [roff.bold(label) for label in labels]
            lines += roff.paragraph(f"{', '.join(told[:-1])} and {told[-1]} exclude each other.")
    return lines


def parameter(param: Param) -> list[str]:
    """A parameter with its help and remarks."""
    if isinstance(param, Argument | Rest):
        tag = roff.italic(param.name) + ("…" if param.repeat else "")
    else:
        tag = ", ".join(roff.bold(flag) for flag in sorted(param.flags, key=len))
        if isinstance(param, Option):
            tag = f"{tag} {_value(param)}"
    notes = "; ".join(remarks(param))
    return roff.tagged(tag, [roff.plain(f"{param.help} [{notes}]" if notes else param.help)])


def _statuses(verb: Verb) -> list[str]:
    lines: list[str] = []
    for status in sorted({*ALWAYS, *verb.exits}):
        lines += roff.tagged(roff.bold(str(status)), [roff.plain(meaning(status))])
    told = "Other statuses, and the error codes behind each, stand in"
    return [*lines, *roff.paragraph(told), ".BR neosian\\-exit\\-status (7)."]


def meaning(status: int) -> str:
    """One line on a status: what stands behind it."""
    if status in ALWAYS:
        return ALWAYS[status]
    told = [text.partition(";")[0] for number, text in CODES.values() if number == status]
    other = OTHER_STATUSES.get(status, "").partition(" (")[0].replace("`", "")
    return "; or ".join([*told, *([other] if other else [])])
