"""What a reader of a namespace holds: its files as they stood at one moment, usable after the lock is gone."""

from __future__ import annotations

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.store import log as logs
from neosian_cli.store.semantic import binding, places
from neosian_cli.store.semantic.catalogue import CatalogueBroken
from neosian_cli.store.semantic.recordlog import Lines
from neosian_cli.store.semantic.refresh import Derived
from neosian_cli.store.semantic.selection import listed
from neosian_cli.store.semantic.vectors import WIDTH, Vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.model.record import Record
    from neosian_cli.model.times import Instant
    from neosian_cli.store.log import Head
    from neosian_cli.store.semantic.selection import Rows


class View:
    """A namespace at one moment. Made under the root lock; the catalogue's snapshot and the maps outlive it."""

    def __init__(
        self, root: str, tree: Tree, namespace: Namespace, new_id: Callable[[], str], *, with_vectors: bool = True
    ) -> None:
        self.namespace = namespace
        self.log = places.log_of(namespace.name)
        head = logs.read_head(tree, self.log)
        self.head: Head = head or logs.new_head(new_id())
        derived = Derived(root, tree, namespace, self.head, new_id)
        self.catalogue = derived.catalogue()
        self.notes = derived.notes
        connection = self.catalogue.connection
        if not connection.in_transaction:
            connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM meta").fetchone()
        rows = self.catalogue.vectors if with_vectors else 0
        self.vectors = Vectors(tree, namespace.name, namespace.binding.dimensions, rows)

    def rows_at(self, sequences: Sequence[int], rows: Rows) -> list[sqlite3.Row]:
        """The catalogue's rows of these lines, as they stood in a selection."""
        sql = f"SELECT * FROM ({rows.source}) WHERE sequence IN (SELECT value FROM json_each(:numbers))"
        known = {name: value for name, value in rows.values.items() if name == "known_at"}
        return self.catalogue.connection.execute(sql, {**known, "numbers": listed(sequences)}).fetchall()

    def vector_of(self, tree: Tree, row: int) -> bytes | None:
        """One row of the vector files."""
        size = self.namespace.binding.dimensions * WIDTH
        path = places.vector_file(self.namespace.name, row // places.ROWS + 1)
        try:
            file = tree.open_file(path)
        except Unsafe:
            return None
        if file is None:
            return None
        with file:
            data = file.read_at(row % places.ROWS * size, size)
        return data if len(data) == size else None

    def records(self, tree: Tree, rows: Iterable[sqlite3.Row]) -> list[Record]:
        """The records of catalogue rows as the log has them, with the rows' states.

        Under the root lock, in the generation of this view. Raises `CatalogueBroken` where a line is another one than
        the catalogue says, or has been damaged since.
        """
        lines = Lines(tree, self.log, self.head)
        records = []
        try:
            for row in rows:
                entry = lines.read(row["sequence"], row["offset"], row["size"])
                if entry is None or entry.record is None or entry.record.id != row["id"]:
                    raise CatalogueBroken(f"line {row['sequence']} is not that of {row['id']!a}")
                records.append(entry.record._replace(valid_to=row["valid_to"], deleted_at=row["deleted_at"]))
        finally:
            lines.close()
        return records

    def is_current(self, tree: Tree) -> bool:
        """Whether what was read before the lock was given up may still be completed from the files."""
        found = binding.read(tree, self.namespace.name)
        return found is not None and found.generation == self.namespace.generation

    def close(self) -> None:
        self.catalogue.close()
        self.vectors.close()


def check_floor(namespace: Namespace, known_at: Instant | None) -> None:
    """Refuse a knowledge time whose history is gone; raises `not_found`."""
    floor = namespace.history_floor
    if floor is not None and known_at is not None and known_at < floor:
        raise Failure(
            "not_found",
            f"what {namespace.name} knew before {times.spell(floor)} was dropped",
            hint=f"--known-at {times.spell(floor)} or later",
            history_floor=times.spell(floor),
        )
