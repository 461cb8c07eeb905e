"""The catalogue: what the record log says, in a SQLite file that answers by id, time, metadata and word.

Derived: it carries the position of the log that it stands for, and everything in it follows from the lines up to there.
It is never asked for what a record says; that is read from the log, so a flipped byte here cannot become an answer.
"""

from __future__ import annotations

from neosian_cli.store.semantic import entries, schema
from neosian_cli.store.semantic.recordlog import Position
from neosian_cli.store.semantic.selection import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Any

    from neosian_cli.store.semantic.entries import Entry
    from neosian_cli.store.semantic.recordlog import Placed
    from neosian_cli.store.semantic.words import Splitter

INSERT_VERSION = f"INSERT INTO version VALUES ({', '.join('?' * 16)})"


class CatalogueBroken(Exception):  # the finding, not the accident
    """The catalogue says something that the log does not."""


def speaks_of_damage(error: Exception) -> bool:
    """Whether an error can come from a catalogue whose bytes have changed: then it is to be built anew."""
    import sqlite3

    return isinstance(error, CatalogueBroken | sqlite3.Error | TypeError | ValueError | OverflowError | IndexError)


class Catalogue:
    """One open catalogue. `position` is what it stands for; `generation` that of the namespace it was made from."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._meta = dict(connection.execute("SELECT name, value FROM meta"))

    @classmethod
    def new(cls, connection: sqlite3.Connection, *, stream: str, generation: int, chain: str) -> Catalogue:
        """An empty catalogue in an empty database, at the beginning of a log."""
        connection.executescript(schema.TABLES)
        meta = {
            "format": schema.FORMAT,
            "stream": stream,
            "generation": generation,
            "sequence": 0,
            "offset": 0,
            "chain": chain,
            "records": 0,
            "words": 0,
            "vectors": 0,
        }
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        return cls(connection)

    @property
    def position(self) -> Position:
        return Position(self._meta["sequence"], self._meta["offset"], self._meta["chain"])

    @property
    def stream(self) -> str:
        return str(self._meta["stream"])

    @property
    def generation(self) -> int:
        return int(self._meta["generation"])

    @property
    def format(self) -> int:
        return int(self._meta["format"])

    @property
    def records(self) -> int:
        """Ids with a newest version, whatever its state."""
        return int(self._meta["records"])

    @property
    def words(self) -> int:
        """Words in all newest versions."""
        return int(self._meta["words"])

    @property
    def vectors(self) -> int:
        """Rows of the vector files that the log speaks of."""
        return int(self._meta["vectors"])

    def close(self) -> None:
        self.connection.close()

    # Taking in lines

    def take_in(self, lines: Iterable[Placed], splitter: Splitter) -> None:
        """Apply lines in the order of the log; the caller commits, after `stand_at`."""
        for placed in lines:
            entry = placed.entry
            if entry is None:
                row = (placed.sequence, placed.id, placed.code, placed.message)
                self.connection.execute("INSERT INTO unreadable VALUES (?, ?, ?, ?)", row)
            elif entry.what == entries.UPSERT:
                self._take_version(entry, placed, splitter)
            elif entry.what == entries.ERASED:
                self._take_erasure(entry)
            else:
                self._take_change(entry)

    def stand_at(self, position: Position) -> None:
        """Note the position, chain and counts that the lines taken in have led to."""
        self._meta.update(sequence=position.number, offset=position.offset, chain=position.chain)
        names = ("sequence", "offset", "chain", "records", "words", "vectors")
        self.connection.executemany(
            "UPDATE meta SET value = ? WHERE name = ?", [(self._meta[name], name) for name in names]
        )

    def _take_version(self, entry: Entry, placed: Placed, splitter: Splitter) -> None:
        record, run = entry.record, self.connection.execute
        assert record is not None  # an upsert has one
        before = run(
            "SELECT sequence, words FROM version WHERE id = ? AND replaced_at IS NULL", (record.id,)
        ).fetchone()
        if before is None:
            self._meta["records"] += 1
        else:
            run("UPDATE version SET replaced_at = ? WHERE sequence = ?", (entry.written_at, before[0]))
            self._meta["words"] -= before[1]
        words = splitter.words(record.content)
        row = (
            entry.sequence,
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
        )
        run(INSERT_VERSION, row)
        for key, value in record.metadata.items():
            run("INSERT INTO pair VALUES (?, ?, ?)", (key, value, entry.sequence))
        if words:
            run("INSERT INTO word (rowid, words) VALUES (?, ?)", (entry.sequence, " ".join(words)))
        self._meta["words"] += len(words)
        self._meta["vectors"] = max(self._meta["vectors"], record.vector + 1)

    def _take_change(self, entry: Entry) -> None:
        run = self.connection.execute
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

    def _take_erasure(self, entry: Entry) -> None:
        self.connection.execute(
            "INSERT INTO erased VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET number = max(number, excluded.number)",
            (entry.id, entry.version),
        )

    # Answering

    def newest_of(self, ids: Sequence[str]) -> dict[str, sqlite3.Row]:
        """The newest versions' rows by id, for those of the ids that have one."""
        sql = f"{schema.NEWEST} AND id IN (SELECT value FROM json_each(?))"
        return {row["id"]: row for row in self.connection.execute(sql, (listed(ids),))}

    def last_numbers(self, ids: Sequence[str]) -> dict[str, int]:
        """The highest version that each id ever had, erased ones included."""
        found: dict[str, int] = {}
        for table in ("version", "erased"):
            sql = f"SELECT id, max(number) FROM {table} WHERE id IN (SELECT value FROM json_each(?)) GROUP BY id"
            for name, number in self.connection.execute(sql, (listed(ids),)):
                found[name] = max(number, found.get(name, 0))
        return found

    def unreadable(self) -> list[dict[str, Any]]:
        """A finding a line that could not be read, as lists carry them."""
        rows = self.connection.execute("SELECT id, code, message FROM unreadable ORDER BY sequence")
        return [{"id": row[0], "code": row[1], "message": row[2]} for row in rows]
