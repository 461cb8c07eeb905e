"""The catalogue: what the record log says, in a SQLite file that answers by id, time, metadata and word.

Derived: it carries the position of the log that it stands for, and everything in it follows from the lines up to there.
It is never asked for what a record says; that is read from the log, so a flipped byte here cannot become an answer.
"""

from __future__ import annotations

from neosian_cli.store.semantic import schema
from neosian_cli.store.semantic.intake import Batch
from neosian_cli.store.semantic.recordlog import Position
from neosian_cli.store.semantic.selection import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Any

    from neosian_cli.store.semantic.recordlog import Placed
    from neosian_cli.store.semantic.words import Splitter

AT_ONCE = 2000
"""Lines that are taken in with one statement a table."""


class CatalogueBroken(Exception):  # the finding, not the accident
    """The catalogue says something that the log does not."""


def speaks_of_damage(error: Exception) -> bool:
    """Whether an error can come from a catalogue whose bytes have changed: then it is to be built anew."""
    from neosian_cli.store.semantic.database import sqlite3

    return isinstance(error, CatalogueBroken | sqlite3.Error | TypeError | ValueError | OverflowError | IndexError)


def comes_from_sqlite(error: Exception) -> bool:
    import sqlite3

    return isinstance(error, sqlite3.Error)


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
        from itertools import islice

        source = iter(lines)
        while some := list(islice(source, AT_ONCE)):
            batch = Batch(self.connection, self._meta, splitter, some)
            for placed in some:
                batch.take(placed)
            batch.flush()

    def stand_at(self, position: Position) -> None:
        """Note the position, chain and counts that the lines taken in have led to."""
        self._meta.update(sequence=position.number, offset=position.offset, chain=position.chain)
        names = ("sequence", "offset", "chain", "records", "words", "vectors")
        self.connection.executemany(
            "UPDATE meta SET value = ? WHERE name = ?", [(self._meta[name], name) for name in names]
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
