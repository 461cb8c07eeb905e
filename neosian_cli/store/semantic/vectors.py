"""The vector files: rows of float32, one for every version of every record, in files of 4,096.

Row r is in file r // 4096 + 1. A row of zeros was erased. Rows are only ever added at the end; what is erased or
compacted is written into new files, so that a reader who has a file mapped goes on seeing what it saw.
"""

from __future__ import annotations

from neosian_cli.disk.tree import Unsafe
from neosian_cli.store.damage import damaged
from neosian_cli.store.semantic import places
from neosian_cli.store.semantic.places import ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.store.transaction import Transaction

WIDTH = 4
NOTHING = memoryview(b"")


class Vectors:
    """All rows of a namespace, mapped. To be opened under the root lock; usable after it, until `close`."""

    def __init__(self, tree: Tree, namespace: str, dimensions: int, rows: int) -> None:
        self.dimensions = dimensions
        self.rows = rows
        self._size = dimensions * WIDTH
        self._maps: list[Any] = []
        for number in range(1, -(-rows // ROWS) + 1):
            self._maps.append(_mapped(tree, places.vector_file(namespace, number)))

    def row(self, number: int) -> bytes | None:
        """One row's bytes; None where its file does not hold it."""
        index, row = divmod(number, ROWS)
        if not 0 <= index < len(self._maps):
            return None
        data = bytes(self._maps[index][row * self._size : (row + 1) * self._size])
        return data if len(data) == self._size else None

    def missing(self) -> Iterator[tuple[int, int]]:
        """First and last number of the rows that their file does not hold."""
        for index, mapped in enumerate(self._maps):
            held, wanted = len(mapped) // self._size, min(ROWS, self.rows - index * ROWS)
            if held < wanted:
                yield index * ROWS + held, index * ROWS + wanted - 1

    def blocks(self) -> Iterator[tuple[int, int, Any]]:
        """The number of a file's first row, how many rows it holds, and its bytes."""
        for index, mapped in enumerate(self._maps):
            held = min(len(mapped) // self._size, self.rows - index * ROWS)
            if held:
                yield index * ROWS, held, mapped

    def close(self) -> None:
        self._maps = []


def _mapped(tree: Tree, path: str) -> Any:
    """A file's bytes; nothing where it cannot be read, which makes its records unreadable and no others."""
    import mmap

    try:
        file = tree.open_file(path)
    except Unsafe:
        return NOTHING
    if file is None:
        return NOTHING
    with file:
        return mmap.mmap(file.descriptor, file.size, prot=mmap.PROT_READ) if file.size else NOTHING


def count_rows(tree: Tree, namespace: str, dimensions: int) -> int:
    """Rows that the files hold, told by the last one. Raises `record_corrupt` where that is no whole number."""
    directory = places.vectors_directory(namespace)
    last = max((name for name, _ in tree.entries(directory) if name.endswith(places.VECTORS_SUFFIX)), default=None)
    if last is None:
        return 0
    path = f"{directory}/{last}"
    status = tree.status(path)
    rows, rest = divmod(status.st_size if status else 0, dimensions * WIDTH)
    if rest or rows > ROWS or not last.split(".")[0].isdigit():
        raise damaged(path, f"has {status.st_size if status else 0} bytes, which are no rows")
    return (int(last.split(".")[0]) - 1) * ROWS + rows


class VectorWriter:
    """Rows to be added in one transaction, after those that are there."""

    def __init__(self, transaction: Transaction, namespace: str, dimensions: int) -> None:
        self._transaction = transaction
        self._namespace = namespace
        self._pieces: dict[int, list[bytes]] = {}
        self.next_row = count_rows(transaction.tree, namespace, dimensions)

    def add(self, vector: bytes) -> int:
        """The number of the new row."""
        row = self.next_row
        self._pieces.setdefault(row // ROWS + 1, []).append(vector)
        self.next_row += 1
        return row

    def flush(self) -> None:
        """Put the rows into the transaction."""
        for number, pieces in self._pieces.items():
            self._transaction.append(places.vector_file(self._namespace, number), b"".join(pieces))
