"""A namespace as it stood at one moment, file by file: its binding, its vectors, its log, all checked as they are read.

Log and vector files only grow, so what they held at the first hold of the lock is read at any later time, in short
holds. What rewrites them (a hard delete, a compaction) raises the generation: who sees another one than at first has
to begin again, so that no text outlives its removal in a copy. What is derived is left behind and made anew.
"""

from __future__ import annotations

import zlib
from contextlib import ExitStack

from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.store import log as logs
from neosian_cli.store.damage import damaged
from neosian_cli.store.scopes import files_below
from neosian_cli.store.seal import NewerFormat
from neosian_cli.store.semantic import binding, entries, places
from neosian_cli.store.semantic.vectors import WIDTH, count_rows
from neosian_cli.store.snapshot import Moved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from contextlib import AbstractContextManager

    from neosian_cli.disk.tree import File
    from neosian_cli.model.advance import Advance
    from neosian_cli.store.log import Entry, Head

STEP = 256
"""How many lines are read at once."""


class Duplicate:
    """One namespace at one moment; `hold` gives its tree under a lock, again and again.

    `versions` and `changes` count what `files` has given out so far. Raises `not_found` or `record_corrupt`.
    """

    def __init__(self, hold: Callable[[], AbstractContextManager[Tree]], name: str) -> None:
        self.name = name
        self.versions = self.changes = 0
        self._hold = hold
        self._log = places.log_of(name)
        with hold() as tree:
            found = binding.read(tree, name)
            if found is None:
                raise binding.unknown(name, binding.names(tree))
            self._generation = found.generation
            self._row = found.binding.dimensions * WIDTH
            self._binding = tree.read(places.binding_file(name)) or b""
            self._head = logs.read_head(tree, self._log)
            self._head_file = tree.read(self._log.head_file) or b""
            self._rows = count_rows(tree, name, found.binding.dimensions)

    @property
    def lines(self) -> int:
        """How many lines the log has."""
        return 0 if self._head is None else self._head.head

    def files(self, advance: Advance = ignored) -> Generator[tuple[str, Iterable[bytes]], None, None]:
        """Every file with its content in pieces, to be used up before the next one is asked for.

        Raises `Moved`, and Failure for what is damaged. `advance` is told of lines that were read.
        """
        self.versions = self.changes = 0
        for first in range(0, self._rows, places.ROWS):
            path = places.vector_file(self.name, first // places.ROWS + 1)
            with self._open(path) as file:
                yield path, self._vectors(file, min(places.ROWS, self._rows - first))
        if self._head is not None:
            chain = self._head.floor_chain
            for first, last, path in logs.segment_paths(self._log, self._head.floor, self._head.head):
                segment = _Segment(self, self._head, chain, (first, last))
                with self._open(path) as file:
                    yield path, segment.pieces(file, advance)
                chain = segment.chain
            yield self._log.head_file, [self._head_file]
        yield places.binding_file(self.name), [self._binding]
        with self._hold() as tree:
            self._require_unmoved(tree)

    def check(self) -> None:
        """Read everything; raises as `files`."""
        for _, pieces in self.files():
            for _ in pieces:
                pass

    def _vectors(self, file: File, rows: int) -> Iterator[bytes]:
        size = rows * self._row
        if file.size < size:
            raise damaged(file.path, f"has {file.size} bytes, not {size}")
        yield from file.chunks(0, size)

    def _open(self, path: str) -> File:
        with self._hold() as tree:
            self._require_unmoved(tree)
            try:
                file = tree.open_file(path)
            except Unsafe as unsafe:
                raise damaged(unsafe.path, unsafe.reason) from None
        if file is None:
            raise damaged(path, "is missing")
        return file

    def _require_unmoved(self, tree: Tree) -> None:
        now = binding.read(tree, self.name)
        if now is None or now.generation != self._generation:
            raise Moved

    def take(self, entry: Entry, path: str, vectors: _Rows) -> None:
        """Count one line; raises `record_corrupt` where it is none, or where its vector is not the one it names."""
        try:
            line = entries.decode(entry.data)
        except NewerFormat as newer:
            raise damaged(path, f"at line {entry.number} {newer}", code="format_unsupported") from None
        except ValueError as error:
            raise damaged(path, f"at line {entry.number} {error}") from None
        if line.record is None:
            self.changes += 1
            return
        self.versions += 1
        if zlib.crc32(vectors.read(line.record.vector)) != line.crc32:
            raise damaged(vectors.path, f"has another row {line.record.vector} than line {entry.number} says")

    def rows(self, files: ExitStack) -> _Rows:
        return _Rows(self._open, self.name, self._row, self._rows, files)


class _Segment:
    """The lines of one segment, joined to the chain before it."""

    def __init__(self, of: Duplicate, head: Head, chain: str, numbers: tuple[int, int]) -> None:
        self._of = of
        self._head = head
        self._numbers = numbers
        self.chain = chain

    def pieces(self, file: File, advance: Advance) -> Iterator[bytes]:
        first, last = self._numbers
        number = first - 1
        reader = logs.Reader(Tree(None), places.log_of(self._of.name), self._head)
        with ExitStack() as files:
            vectors = self._of.rows(files)
            while number < last:
                found = reader.in_segment(file, number, min(STEP, last - number), self.chain)
                for entry in found:
                    self._of.take(entry, file.path, vectors)
                number, self.chain = found[-1].number, found[-1].chain
                yield b"".join(logs.line_of(entry.chain, entry.data) for entry in found)
                advance(len(found))
        if last == self._head.head and self.chain != self._head.head_chain:
            raise damaged(file.path, "does not end as its head says", sequence=last)


class _Rows:
    """Rows of the vector files, the last file kept open."""

    def __init__(self, open_file: Callable[[str], File], name: str, size: int, count: int, files: ExitStack) -> None:
        self._open = open_file
        self._name = name
        self._size = size
        self._count = count
        self._files = files
        self._kept: File | None = None
        self.path = places.vectors_directory(name)

    def read(self, row: int) -> bytes:
        """The bytes of a row; raises `record_corrupt` where there is no such row."""
        if not isinstance(row, int) or not 0 <= row < self._count:
            raise damaged(self.path, f"lacks row {row}")
        path = places.vector_file(self._name, row // places.ROWS + 1)
        if self._kept is None or self._kept.path != path:
            self._files.close()
            self._kept = self._files.enter_context(self._open(path))
            self.path = path
        return self._kept.read_at(row % places.ROWS * self._size, self._size)


def refuse_used(tree: Tree, name: str) -> None:
    """Raise `target_occupied` unless a namespace of this name was never used, `case_collision` for another spelling."""
    binding.refuse_other_case(tree, name)
    derived = f"{places.derived(name).rpartition('/')[2]}/"
    for file in files_below(tree, places.directory(name)):
        if not file.startswith(derived):
            raise Failure.conflict(
                "target_occupied",
                f"the namespace {name} has been used already: there is {places.directory(name)}/{file}",
                hint="import into a fresh root with --root DIR",
                namespace=name,
                file=f"{places.directory(name)}/{file}",
            )
