"""Dropping what nothing can read any more, and on demand the history before a time.

Without a time that is: marks of erasures but the last of each id, vector rows that were erased, and lines that changed
a version that is gone. With one, also every version that was replaced by then: what was known before cannot be asked
for afterwards. Lines get new numbers in a new stream; a namespace with unreadable lines is not compacted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.store import log as logs
from neosian_cli.store.damage import damaged
from neosian_cli.store.semantic import entries, places, recordlog, rewriting
from neosian_cli.store.semantic.recordlog import Position
from neosian_cli.store.semantic.vectors import Vectors, count_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.model.times import Instant
    from neosian_cli.store.log import Head, Log
    from neosian_cli.store.semantic.catalogue import Catalogue
    from neosian_cli.store.semantic.entries import Entry
    from neosian_cli.store.semantic.writing import NamespaceWriter


class Dropped(NamedTuple):
    """What a compaction would drop or has dropped."""

    versions: int
    changes: int
    marks: int
    vectors: int


class Keeping:
    """Which lines stay: every newest version, older ones that were replaced after `before`, and what changed those."""

    def __init__(self, catalogue: Catalogue, before: Instant | None) -> None:
        floor = -1 if before is None else before
        run = catalogue.connection.execute
        sql = "SELECT sequence FROM version WHERE replaced_at IS NULL OR replaced_at > ?"
        self._versions = {row[0] for row in run(sql, (floor,))}
        self._changes = {row[0]: row[1] for row in run("SELECT sequence, version FROM change")}
        self._marks = dict(run("SELECT id, number FROM erased").fetchall())
        newer = run("SELECT id FROM erased WHERE id IN (SELECT id FROM version)")
        self._counted = {row[0] for row in newer}
        self._marked: set[str] = set()

    def keeps(self, entry: Entry) -> bool:
        """To be asked once a line, in the order of the log."""
        if entry.what == entries.UPSERT:
            return entry.sequence in self._versions
        if entry.what != entries.ERASED:
            return self._changes.get(entry.sequence) in self._versions
        last = self._marks.get(entry.id) == entry.version and entry.id not in self._marked | self._counted
        if last:
            self._marked.add(entry.id)
        return last


def measure(tree: Tree, namespace: Namespace, head: Head, catalogue: Catalogue, before: Instant | None) -> Dropped:
    """What would be dropped. Raises `record_corrupt` where a line cannot be read."""
    keeping = Keeping(catalogue, before)
    counts = dict.fromkeys(("versions", "changes", "marks"), 0)
    rows = 0
    for entry in _entries(tree, places.log_of(namespace.name), head):
        if keeping.keeps(entry):
            rows += entry.record is not None
            continue
        kind = "versions" if entry.record else "marks" if entry.what == entries.ERASED else "changes"
        counts[kind] += 1
    return Dropped(**counts, vectors=count_rows(tree, namespace.name, namespace.binding.dimensions) - rows)


def compact(writer: NamespaceWriter, before: Instant | None) -> None:
    """Write log and vectors anew without what is dropped, and commit. The writer has no other changes, and is done."""
    transaction, namespace, head = writer.transaction, writer.namespace, writer.head
    keeping = Keeping(writer.catalogue, before)
    rows = count_rows(transaction.tree, namespace.name, namespace.binding.dimensions)
    vectors = Vectors(transaction.tree, namespace.name, namespace.binding.dimensions, rows)
    old_files = -(-rows // places.ROWS)
    writer.close()
    rewriting.discard_derived(transaction, namespace.name)
    stream = transaction.new_id()
    rewriter = rewriting.LogRewriter(transaction, writer.log, stream, first=1, chain=logs.genesis(stream), size=0)
    rewriting.write_vectors(
        transaction, namespace.name, _rewritten(transaction.tree, writer, keeping, vectors, rewriter), old_files
    )
    vectors.close()
    rewriter.finish(head.last_created_at)
    kept = {path for _, _, path in logs.segment_paths(writer.log, 0, rewriter.number)}
    for _, _, path in logs.segment_paths(writer.log, 0, head.head):
        if path not in kept:
            transaction.remove(path)
    rewriting.store_generation(transaction, namespace, before)
    transaction.commit()


def _rewritten(
    tree: Tree, writer: NamespaceWriter, keeping: Keeping, vectors: Vectors, rewriter: rewriting.LogRewriter
) -> Iterator[bytes]:
    """Add every line that stays to the new log; yields the vectors of those that have one, in their new order."""
    row = 0
    for entry in _entries(tree, writer.log, writer.head):
        if not keeping.keeps(entry):
            continue
        number = rewriter.number + 1
        if entry.record is None:
            rewriter.add(entries.encode(entry._replace(sequence=number)))
            continue
        vector = vectors.row(entry.record.vector)
        if vector is None:
            raise damaged(places.vectors_directory(writer.namespace.name), f"lacks row {entry.record.vector}")
        record = entry.record._replace(vector=row)
        rewriter.add(entries.encode(entry._replace(sequence=number, record=record)))
        row += 1
        yield vector


def _entries(tree: Tree, log: Log, head: Head) -> Iterator[Entry]:
    start = Position(0, 0, logs.genesis(head.stream))
    for placed in recordlog.scan(tree, log, head, start):
        if placed.entry is None:
            raise Failure(
                str(placed.code),
                f"{placed.message}; a namespace with unreadable lines is not compacted",
                hint="neosian verify lists all that is damaged",
            )
        yield placed.entry


def check_before(namespace: Namespace, head: Head | None, before: Instant | None, now: Instant) -> Instant | None:
    """The time in force: one in the future is now. Raises `invalid_argument` below the floor, where nothing is left.

    Where the clock has gone back, now is what was written last, or the floor: that never comes down again.
    """
    if before is None:
        return None
    floor = namespace.history_floor
    if floor is not None and before < floor:
        raise Failure(
            "invalid_argument",
            f"history before {times.spell(floor)} has been dropped already",
            history_floor=times.spell(floor),
        )
    last = now if head is None or head.last_created_at is None else times.parse(head.last_created_at)
    return min(before, max(now, last, now if floor is None else floor))
