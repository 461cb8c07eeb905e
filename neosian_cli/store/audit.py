"""Auditing one scope: its feed against itself, its histories against its feed, its documents against its histories.

The lock is held for short stretches only, so that writers go on. The feed's segments are opened in one hold and read
after it: they only grow, and what replaces them is another file. What is written meanwhile has a number above the head
that was read, and is left to the next audit.
"""

from __future__ import annotations

from array import array

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.model.document import RESTORED
from neosian_cli.store import documents, feed, layout, log, mailbox
from neosian_cli.store.erasure import row_of
from neosian_cli.store.finding import Finding, fault, of_error, of_failure, warning
from neosian_cli.store.history import History
from neosian_cli.store.scopes import files_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.model.document import Version
    from neosian_cli.store.root import Store

BATCH = 200
"""How many documents are looked at in one hold of the lock."""

EVENT_OF = {"created": feed.CREATED, "modified": feed.MODIFIED, "renamed": feed.RENAMED, "deleted": feed.DELETED}


class Events:
    """What the retained events say, a number each: enough to compare with versions, small enough for millions."""

    def __init__(self, floor: int) -> None:
        self.floor = floor
        self.restored = floor > 0
        """Whether the stream began, or may have begun, with what came from an archive."""
        self._marks = array("q")
        self._previous: dict[int, int] = {}
        self._met = bytearray()
        self.erasures: set[int] = set()

    @property
    def head(self) -> int:
        return self.floor + len(self._marks)

    def add(self, event: dict[str, object]) -> None:
        kind = event.get("kind")
        if kind in (feed.ERASED, feed.SCOPE_ERASED):
            self.erasures.add(self.head + 1)
        versioned = "version" in event
        if self.head == 0:
            self.restored = kind == feed.SCOPE_RESET and event.get("reason") == feed.RESTORED
        self._marks.append(hash((kind, event.get("path"), event.get("version"))) if versioned else 0)
        self._met.append(0 if versioned else 3)
        if kind == feed.RENAMED:
            self._previous[self.head] = hash((kind, event.get("previous_path"), event.get("previous_version")))
        else:
            self._met[-1] |= 2

    def meet(self, row: Version) -> bool:
        """Whether the row's event says what the row says; true too where the event is pruned or newer.

        A row without an event must have come with an archive.
        """
        if row.sequence == RESTORED:
            return self.restored
        if not self.floor < row.sequence <= self.head:
            return True
        index = row.sequence - self.floor - 1
        kind = EVENT_OF[row.action]
        if self._marks[index] == hash((kind, row.path, row.version)):
            self._met[index] |= 1
            return True
        if kind == feed.DELETED and self._previous.get(row.sequence) == hash((feed.RENAMED, row.path, row.version)):
            self._met[index] |= 2
            return True
        return False

    def unmet(self) -> Iterator[int]:
        """Sequences of events whose version no history holds."""
        return (self.floor + 1 + index for index, met in enumerate(self._met) if met != 3)


def audit(store: Store, scope: str, checked: dict[str, int], *, advance: Advance = ignored) -> Iterator[Finding]:
    """Every fault of one scope; counts what was read in `checked`."""
    checked["scopes"] += 1
    events = None
    try:
        events = _read_feed(store, scope, checked, advance)
    except Failure as failure:
        yield of_failure(failure, layout.changes_directory(scope))
    else:
        if events is None:
            yield from _audit_untracked(store, scope)
    yield from _audit_erasures(store, scope, events)
    yield from mailbox.check(store, scope, checked, advance=advance)
    yield from _audit_paths(store, scope, events, checked, advance)
    for sequence in events.unmet() if events else ():
        yield fault(
            "document_corrupt",
            layout.changes_directory(scope),
            f"event {sequence} names a version that is in no history",
        )


def _read_feed(store: Store, scope: str, checked: dict[str, int], advance: Advance) -> Events | None:
    where = feed.log_of(scope)
    events = chain = None
    while True:
        with store.reading() as tree:
            head = feed.read_head(tree, scope)
            if head is None:
                return events
            log.check_tail(tree, where, head)
            if events is None:
                events = Events(head.floor)
            if events.head < head.floor or events.head == head.head:
                return events
            segments = log.OpenSegments(tree, where, head, events.head, chain)
        with segments:
            for entry in segments:
                events.add(feed.event_of(scope, head, entry))
                checked["events"] += 1
                advance()
            chain = segments.chain


def _audit_untracked(store: Store, scope: str) -> Iterator[Finding]:
    """A feed that is gone, which every scope has that was ever written to; how much went with it nobody can tell."""
    base = layout.scope_directory(scope)
    try:
        with store.reading() as tree:
            held = any(tree.entries(f"{base}/{name}") for name in (layout.DOCUMENTS, layout.VERSIONS))
    except (Failure, Unsafe):
        return  # found with the documents
    if held:
        where = layout.changes_directory(scope)
        yield warning(
            "feed_corrupt", where, "is missing, though there are documents: the next write begins a new stream"
        )


def _audit_erasures(store: Store, scope: str, events: Events | None) -> Iterator[Finding]:
    """The trail against the feed: a row for every erasure that the feed retains, an event for every row."""
    path = layout.erasures_file(scope)
    try:
        with store.reading() as tree:
            data = tree.read(path) or b""
        rows = [row_of(line + b"\n") for line in data.split(b"\n")[:-1]]
        if data and not data.endswith(b"\n"):
            raise ValueError("is not whole")
        sequences = {row["sequence"] for row in rows}
    except (ValueError, KeyError) as error:
        yield fault("document_corrupt", path, f"a row {error}")
    except Failure as failure:
        yield of_failure(failure, path)
    else:
        if events:
            known = {sequence for sequence in sequences if events.floor < sequence <= events.head}
            for sequence in sorted(events.erasures ^ known):
                yield fault("document_corrupt", path, f"and event {sequence} do not agree on an erasure")
            if RESTORED in sequences and not events.restored:
                yield fault("document_corrupt", path, "names no event, though it did not come with an archive")


def _audit_paths(
    store: Store, scope: str, events: Events | None, checked: dict[str, int], advance: Advance
) -> Iterator[Finding]:
    """Histories and documents, a batch of paths in each hold of the lock."""
    base = layout.scope_directory(scope)
    with store.reading() as tree:
        names = {
            directory: _names(tree, f"{base}/{directory}", suffix)
            for directory, suffix in (
                (layout.VERSIONS, layout.VERSIONS_SUFFIX),
                (layout.DOCUMENTS, layout.DOCUMENT_SUFFIX),
            )
        }
    paths: set[str] = set()
    for found in names.values():
        for path, finding in found:
            if finding:
                yield finding
            else:
                paths.add(path)
    ordered = sorted(paths)
    for start in range(0, len(ordered), BATCH):
        with store.reading() as tree:
            findings = [
                finding
                for path in ordered[start : start + BATCH]
                for finding in _audit_path(tree, scope, path, events, checked)
            ]
        advance(len(ordered[start : start + BATCH]))
        yield from findings


def _names(tree: Tree, directory: str, suffix: str) -> list[tuple[str, Finding | None]]:
    found: list[tuple[str, Finding | None]] = []
    try:
        for name in files_below(tree, directory):
            path = layout.document_path(name, suffix)
            where = f"{directory}/{name}"
            alien = None if path else fault("document_corrupt", where, "is no file of a store")
            found.append((path or "", alien))
    except (Unsafe, OSError) as error:
        found.append(("", of_error(error, directory)))
    return found


def _audit_path(
    tree: Tree,
    scope: str,
    path: str,
    events: Events | None,
    checked: dict[str, int],
) -> Iterator[Finding]:
    where = layout.versions_file(scope, path)
    try:
        document, _ = documents.read(tree, scope, path)
        checked["documents"] += document is not None
    except (Failure, Unsafe, OSError) as error:
        yield of_error(error, layout.document_file(scope, path))
    try:
        history = History.open(tree, scope, path)
        if history is None:
            return
        with history:
            numbered = False
            for row in history.oldest_first():
                checked["versions"] += 1
                if (events and not events.meet(row)) or (numbered and row.sequence == RESTORED):
                    yield fault("document_corrupt", where, _mismatch(row))
                numbered = numbered or row.sequence != RESTORED
    except (Failure, Unsafe, OSError) as error:
        yield of_error(error, where)


def _mismatch(row: Version) -> str:
    if row.sequence == RESTORED:
        return f"version {row.version} names no event, though it did not come with an archive"
    return f"version {row.version} names event {row.sequence}, which says something else"
