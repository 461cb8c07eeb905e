"""Taking lines of the log into the catalogue's tables, many at once.

A statement costs more than what it stores. New versions, their pairs and their words wait until the end of a batch, or
until a line comes that is about one of them; what a version follows on is asked once for the whole batch.
"""

from __future__ import annotations

from neosian_cli.store.semantic import entries
from neosian_cli.store.semantic.selection import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.store.semantic.entries import Entry
    from neosian_cli.store.semantic.recordlog import Placed
    from neosian_cli.store.semantic.words import Splitter

INSERT_VERSION = f"INSERT INTO version VALUES ({', '.join('?' * 16)})"
REPLACED_AT = 4
"""The place of that column in a row."""


class Batch:
    """Some lines, to be given to `take` in their order and then flushed. `meta` holds the counts that they change."""

    def __init__(
        self, connection: sqlite3.Connection, meta: dict[str, Any], splitter: Splitter, lines: Sequence[Placed]
    ) -> None:
        self._connection = connection
        self._meta = meta
        self._splitter = splitter
        self._versions: dict[int, list[Any]] = {}
        self._pairs: list[tuple[str, str, int]] = []
        self._words: list[tuple[int, str]] = []
        ids = {line.entry.id for line in lines if line.entry is not None and line.entry.what == entries.UPSERT}
        sql = (
            "SELECT id, sequence, words FROM version WHERE replaced_at IS NULL "
            "AND id IN (SELECT value FROM json_each(?))"
        )
        found = connection.execute(sql, (listed(sorted(ids)),)) if ids else ()
        self._newest: dict[str, tuple[int, int]] = {name: (sequence, words) for name, sequence, words in found}

    def take(self, placed: Placed) -> None:
        entry = placed.entry
        if entry is None:
            row = (placed.sequence, placed.id, placed.code, placed.message)
            self._connection.execute("INSERT INTO unreadable VALUES (?, ?, ?, ?)", row)
        elif entry.what == entries.UPSERT:
            self._take_version(entry, placed)
        elif entry.what == entries.ERASED:
            self._connection.execute(
                "INSERT INTO erased VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET number = max(number, excluded.number)",
                (entry.id, entry.version),
            )
        else:
            self._take_change(entry)

    def flush(self) -> None:
        """Store what waits."""
        run = self._connection.executemany
        run(INSERT_VERSION, self._versions.values())
        self._pairs.sort()
        run("INSERT INTO pair VALUES (?, ?, ?)", self._pairs)
        run("INSERT INTO word (rowid, words) VALUES (?, ?)", self._words)
        self._versions, self._pairs, self._words = {}, [], []

    def _take_version(self, entry: Entry, placed: Placed) -> None:
        record, sequence = entry.record, entry.sequence
        assert record is not None  # an upsert has one
        before = self._newest.get(record.id)
        if before is None:
            self._meta["records"] += 1
        else:
            self._replace(before[0], entry.written_at)
            self._meta["words"] -= before[1]
        words = self._splitter.words(record.content)
        self._versions[sequence] = [
            sequence,
            record.id,
            record.version,
            entry.written_at,
            None,
            record.created_at,
            record.valid_from,
            record.valid_to,
            record.deleted_at,
            record.valid_to,
            record.deleted_at,
            record.vector,
            entry.crc32,
            len(words),
            placed.offset,
            placed.size,
        ]
        self._newest[record.id] = (sequence, len(words))
        self._pairs += [(key, value, sequence) for key, value in record.metadata.items()]
        if words:
            self._words.append((sequence, " ".join(words)))
        self._meta["words"] += len(words)
        self._meta["vectors"] = max(self._meta["vectors"], record.vector + 1)

    def _replace(self, sequence: int, written_at: int) -> None:
        waiting = self._versions.get(sequence)
        if waiting is not None:
            waiting[REPLACED_AT] = written_at
        else:
            sql = "UPDATE version SET replaced_at = ? WHERE sequence = ?"
            self._connection.execute(sql, (written_at, sequence))

    def _take_change(self, entry: Entry) -> None:
        if self._versions:
            self.flush()
        run = self._connection.execute
        found = run("SELECT sequence FROM version WHERE id = ? AND number = ?", (entry.id, entry.version)).fetchone()
        if found is None:
            # The version that it changed is unreadable, and named as such.
            return
        row = (entry.sequence, found[0], entry.what, entry.written_at, entry.valid_to, entry.deleted_at, entry.by)
        run("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        if entry.what == entries.DELETED:
            run("UPDATE version SET deleted_at = ? WHERE sequence = ?", (entry.deleted_at, found[0]))
        else:
            run("UPDATE version SET valid_to = ? WHERE sequence = ?", (entry.valid_to, found[0]))
