"""The manual pages that are about no verb: the whole program, statuses, variables, and the pages of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli.commands import groups
from neosian_cli.commands.declare import OUTPUT, SELECTION
from neosian_cli.config import sections
from neosian_cli.config.shape import Boolean, Integer, Listing, Section, Table, Text
from neosian_cli.errors import CODES, CONFLICT_REASONS, OTHER_STATUSES
from neosian_cli.manual import environment, markdown, roff, shells, verbs
from neosian_cli.services.pages import EXIT_STATUS, next_step, page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from neosian_cli.config.shape import Field, Shape

FORMATS = ("store", "config")
"""Topics that are about files: section 5; the others are section 7."""
ABOUT = "durable state for agents and shell scripts, on a plain directory"


def section_of(topic: str) -> int:
    return 5 if topic in FORMATS else 7


def name_of(topic: str) -> str:
    return f"neosian-{topic}"


def pages(topics: Mapping[str, str]) -> Iterator[tuple[str, int, str]]:
    """Name, section and text of each; `topics` maps the topics of `neosian docs` to a line on each."""
    references = [(name_of(topic), section_of(topic)) for topic in topics]
    references += [("neosian", 1), ("neosian-environment", 7)]
    yield "neosian", 1, _program([known for known in references if known[0] != "neosian"])
    yield "neosian-environment", 7, _environment(references)
    for topic, about in topics.items():
        name, number = name_of(topic), section_of(topic)
        body = _statuses() if topic == EXIT_STATUS else markdown.man(page(topic))
        if topic == "config":
            body += _keys()
        near = roff.see_also(known for known in references if known[0] != name)
        yield name, number, roff.page([*roff.title(name, number, about), *body, *near])


def _program(references: Iterable[tuple[str, int]]) -> str:
    lines = roff.title("neosian", 1, ABOUT)
    lines += [roff.section("Synopsis"), ".SY neosian", "\\fICOMMAND\\fR", "[\\fIOPTIONS\\fR]", "[\\fIARGUMENTS\\fR]"]
    lines += [".YS", ".SY neosian", "\\fB\\-\\-version\\fR", ".YS"]
    lines += [
        roff.section("Description"),
        roff.plain(
            "neosian keeps documents with versions, a feed of their changes, messages and semantic records in one "
            "directory of plain files. A verb that succeeds has made its change durable; one that fails with 2 to 9 "
            "has changed nothing.",
        ),
        *roff.paragraph(
            f"{roff.bold('neosian')} \\fICOMMAND\\fR {roff.bold('--help')} shows the help of a command, "
            f"{roff.bold('neosian docs')} the pages that ship with the program.",
        ),
    ]
    grouped = {entry.name: entry.verbs for entry in groups.ENTRIES if entry.group}
    grouped["Other commands"] = tuple(verb for entry in groups.ENTRIES if not entry.group for verb in entry.verbs)
    for name, members in grouped.items():
        lines.append(roff.subsection(name))
        for verb in members:
            lines += roff.tagged(f".BR {roff.literal(verbs.name_of(verb))} (1)", [roff.plain(verb.summary)])
    lines += [roff.section("Usual options"), roff.plain("Verbs that work on a store take all of these.")]
    lines += [line for option in SELECTION for line in verbs.parameter(option)]
    lines += [line for option in (*OUTPUT, *shells.USUAL[-1:]) for line in verbs.parameter(option)]
    lines += [
        roff.section("Files"),
        *roff.tagged(
            roff.bold("~/.neosian/config.yaml"), ["profiles, mounts and namespaces; see", ".BR neosian\\-config (5)"]
        ),
        *roff.tagged(
            roff.bold("~/.neosian/store"), ["the store where nothing else is chosen; see", ".BR neosian\\-store (5)"]
        ),
    ]
    return roff.page([*lines, *roff.see_also(references)])


def _environment(references: Iterable[tuple[str, int]]) -> str:
    lines = [
        *roff.title("neosian-environment", 7, "the variables that neosian looks at"),
        roff.section("Description"),
        roff.plain(environment.REMARK),
        roff.section("In place of an option"),
    ]
    for name, told in environment.twins().items():
        lines += roff.tagged(roff.bold(name), [roff.plain(told)])
    lines.append(roff.section("Others"))
    for name, told in environment.OTHERS.items():
        lines += roff.tagged(roff.bold(name), [roff.plain(told)])
    near = roff.see_also(known for known in references if known[0] != "neosian-environment")
    return roff.page([*lines, *near])


def _statuses() -> list[str]:
    lines = [
        roff.section("Description"),
        roff.plain(
            "With 2 to 9 the failing transaction changed nothing. With 1, 74 and above 128 the error says in "
            "details.committed whether the change is made. A number that is not listed is a failure.",
        ),
        *roff.paragraph(
            "With \\fB\\-\\-json\\fR or \\fB\\-\\-jsonl\\fR an error is one line on the standard error output:",
        ),
        *roff.example(['{"error":{"code":"…","exit_status":N,"message":"…","details":{…},"hint":…}}']),
        roff.section("Statuses and codes"),
    ]
    numbers = sorted({*OTHER_STATUSES, *(status for status, _ in CODES.values())})
    for number in numbers:
        codes = [(code, told) for code, (status, told) in CODES.items() if status == number]
        body = [markdown.inline(OTHER_STATUSES[number])] if number in OTHER_STATUSES else []
        for code, told in codes:
            body += [".br", f"{roff.bold(code)}: {roff.plain(told)}"]
            if step := next_step(code):
                body += [".br", roff.plain(f"Next: {step}")]
        lines += roff.tagged(roff.bold(str(number)), body[1:] if body[0] == ".br" else body)
    lines += [roff.section("Reasons of a conflict"), "Status 4 tells in details.reason which condition failed:"]
    reasons = [roff.bold(reason) for reason in CONFLICT_REASONS]
    return [*lines, *(f"{reason}," for reason in reasons[:-1]), f"{reasons[-1]}."]


def _keys() -> list[str]:
    """Every key of config.yaml with what it takes, as the strict reader holds it."""
    lines = [
        roff.section("Every key"),
        roff.plain("What the reader takes, key by key. All keys may be left out but those that are marked."),
    ]
    for key, field in _fields(sections.CONFIG, ""):
        notes = [_kind(field.shape)]
        if field.required:
            notes.append("required")
        if field.default is not None:
            notes.append(f"default {field.default}")
        lines += roff.tagged(roff.bold(key), [roff.plain(f"{field.help} [{'; '.join(notes)}]")])
    return lines


def _fields(section: Section, above: str) -> Iterator[tuple[str, Field]]:
    for name, field in section.fields.items():
        key = f"{above}{name}"
        yield key, field
        shape, dots = field.shape, "."
        if isinstance(shape, Listing):
            shape, dots = shape.item, "[]."
        elif isinstance(shape, Table):
            shape, dots = shape.value, ".NAME."
        if isinstance(shape, Section):
            yield from _fields(shape, f"{key}{dots}")


def _kind(shape: Shape) -> str:
    if isinstance(shape, Text):
        return ", ".join(shape.choices) or "text"
    if isinstance(shape, Integer):
        return f"whole number from {shape.least} to {shape.most}"
    if isinstance(shape, Boolean):
        return "true or false"
    return "list" if isinstance(shape, Listing) else "names with a value each" if isinstance(shape, Table) else "keys"
