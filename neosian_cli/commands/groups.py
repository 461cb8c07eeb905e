"""The groups and the verbs of the first level, each with its help line beside the module that declares it.

A module is imported when one of its verbs is called, so help of the first level imports none.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neosian_cli.commands.declare import Verb


class Entry:
    """A name of the first level: a group of verbs, or a verb itself."""

    __slots__ = ("group", "help", "module", "name")

    def __init__(self, name: str, module: str, help: str, *, group: bool = False) -> None:  # noqa: A002
        self.name = name
        self.module = module
        self.help = help
        self.group = group

    @property
    def verbs(self) -> tuple[Verb, ...]:
        """The verbs of the group, or the one verb; imports the module."""
        declared: Sequence[Verb] = __import__(self.module, fromlist=["VERBS"]).VERBS
        if self.group:
            return tuple(verb for verb in declared if verb.group == self.name)
        return tuple(verb for verb in declared if verb.group is None and verb.name == self.name)


ENTRIES = (
    Entry("changes", "neosian_cli.commands.changes", "what happens in a mount: read, keep a place, prune", group=True),
    Entry("completion", "neosian_cli.commands.completion", "print the completion script of a shell"),
    Entry("config", "neosian_cli.commands.config", "the settings in force, and whether their file is good", group=True),
    Entry("docs", "neosian_cli.commands.docs", "the pages that ship with the program"),
    Entry("export", "neosian_cli.commands.archives", "write an archive, which is itself a store"),
    Entry("import", "neosian_cli.commands.archives", "take scopes and namespaces out of an archive"),
    Entry("lock", "neosian_cli.commands.lock", "hold the store's lock while a command runs: a backup, a copy"),
    Entry("memory", "neosian_cli.commands.memory", "documents with versions", group=True),
    Entry("messages", "neosian_cli.commands.messages", "durable inboxes for scripts and agents", group=True),
    Entry("schema", "neosian_cli.commands.schema", "JSON Schema of what the tool prints and reads"),
    Entry("semantic", "neosian_cli.commands.semantic", "records that are found by meaning, words and time", group=True),
    Entry("status", "neosian_cli.commands.status", "what is here, who holds the lock, what needs attention"),
    Entry("verify", "neosian_cli.commands.verify", "read everything and name all that is wrong"),
    Entry("version", "neosian_cli.commands.version", "the version of the program"),
)

# Understood, and shown nowhere: no help, no manual, no page, no hint names them.
HIDDEN = (Entry("__complete", "neosian_cli.commands.complete", "print candidates for a shell"),)


def entry(name: str, entries: Sequence[Entry] = ENTRIES) -> Entry | None:
    """The entry of that name."""
    return next((known for known in (*entries, *HIDDEN) if known.name == name), None)


def find(words: Sequence[str], entries: Sequence[Entry] = ENTRIES) -> tuple[Verb, list[str]] | None:
    """The verb that the first words name, and the words after them; None where they name none."""
    known = entry(words[0], entries) if words else None
    if known is None:
        return None
    if not known.group:
        return known.verbs[0], list(words[1:])
    if len(words) < 2:
        return None
    for verb in known.verbs:
        if words[1] == verb.name or words[1] in verb.aliases:
            return verb, list(words[2:])
    return None


def everything(entries: Sequence[Entry] = ENTRIES) -> Iterator[Verb]:
    """Every verb there is, in the order of the table; imports every module of commands."""
    for known in entries:
        yield from known.verbs
