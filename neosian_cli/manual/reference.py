"""`docs/cli.md`: all verbs on one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli.commands import groups
from neosian_cli.commands.declare import JSON_LINES, OUTPUT, SELECTION, Argument, Rest
from neosian_cli.commands.help import broken, explain, spell, synopsis_of
from neosian_cli.manual import environment
from neosian_cli.manual.verbs import meaning
from neosian_cli.services.pages import EXIT_STATUS, page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neosian_cli.commands.declare import Param, Verb

HEAD = """\
<!-- Made by `python -m neosian_cli.manual`: change what it is made from, not this file. -->

# The command line

`neosian COMMAND --help` shows the same for one command, `man neosian-COMMAND` as a page.
Results go to stdout and nothing else does; `--json` prints a result as one object, whose shape `neosian schema cli`
tells.
"""


def text() -> str:
    """The whole page."""
    lines = [HEAD, *_contents(), "", "## Usual options", "", "Verbs that work on a store take all of these.", ""]
    lines += [*_table("option", (*SELECTION, *OUTPUT, JSON_LINES)), "", "`--jsonl` is for verbs that list.", ""]
    for entry in groups.ENTRIES:
        if entry.group:
            lines += [f"## {entry.name}", "", f"{_sentence(entry.help)}", ""]
        for verb in entry.verbs:
            lines += [*_verb(verb, "###" if entry.group else "##"), ""]
    lines += ["## Environment", "", environment.REMARK, "", "| variable | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {_cell(told)} |" for name, told in (environment.twins() | environment.OTHERS).items()]
    return "\n".join([*lines, "", page(EXIT_STATUS).replace("# Exit status", "## Exit status", 1)])


def _contents() -> Iterator[str]:
    for entry in groups.ENTRIES:
        if entry.group:
            names = [f"[{verb.name}](#{verb.title.replace(' ', '-')})" for verb in entry.verbs]
            yield f"* [{entry.name}](#{entry.name}): {', '.join(names)}"
        else:
            yield f"* [{entry.name}](#{entry.name}): {entry.help}"
    yield "* [usual options](#usual-options), [environment](#environment), [exit status](#exit-status)"


def _sentence(told: str) -> str:
    return f"{told[:1].upper()}{told[1:]}."


def _cell(told: str) -> str:
    return told.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _table(title: str, params: Iterable[Param]) -> Iterator[str]:
    rows = [f"| `{_cell(spell(param)).replace('&lt;', '<')}` | {_cell(explain(param))} |" for param in params]
    if rows:
        yield from (f"| {title} | meaning |", "|---|---|", *rows)


def _verb(verb: Verb, level: str) -> Iterator[str]:
    yield from (f"{level} {verb.title}", "")
    yield from ("```", f"neosian {verb.title} {broken(synopsis_of(verb))}", "```", "")
    yield _sentence(verb.summary) + (f" {verb.description}" if verb.description else "")
    if verb.aliases:
        yield f"Also called {', '.join(f'`{alias}`' for alias in verb.aliases)}."
    if not verb.selection:
        yield "It takes no options that choose a store."
    places = list(_table("argument", (param for param in verb.params if isinstance(param, Argument | Rest))))
    options = list(_table("option", (param for param in verb.params if not isinstance(param, Argument | Rest))))
    for table in (places, options):
        if table:
            yield from ("", *table)
    if verb.jsonl:
        yield from ("", "It takes `--jsonl`.")
    if verb.examples:
        yield from ("", "```", *verb.examples, "```")
    if verb.exits:
        yield from ("", *(f"* exit {status}: {meaning(status)}" for status in verb.exits))
