"""A log and its vectors written anew: without what was erased, or without what nothing can read any more.

Failure model. Derived files that hold what is to go are removed before the plan is committed: if it never is, they are
built again. The plan replaces segments, vector files and head, removes what is left over, and raises the namespace's
generation, so that nothing read before is completed or stored after. Staged files hold only what stays.
"""

from __future__ import annotations

import zlib

from neosian_cli.model.value import replace
from neosian_cli.store import log as logs
from neosian_cli.store.semantic import binding, places, refresh
from neosian_cli.store.semantic.places import ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neosian_cli.model.namespace import Namespace
    from neosian_cli.model.times import Instant
    from neosian_cli.store.log import Head, Log
    from neosian_cli.store.transaction import Transaction

BATCH = 256


class LogRewriter:
    """Segments written anew from the entry `first` on, which begins one; what stands before it stays."""

    def __init__(self, transaction: Transaction, log: Log, stream: str, *, first: int, chain: str, size: int) -> None:
        self._transaction = transaction
        self._log = log
        self._lines: list[bytes] = []
        self._path = logs.segment_path(log, first, 0)
        self._segment_bytes = 0
        self.number = first - 1
        self.chain = chain
        self.bytes = size
        self.stream = stream

    def add(self, data: bytes) -> None:
        """One entry's JSON, which bears the next number."""
        self.chain = logs.link(self.chain, data)
        body = b"%s %s" % (self.chain.encode(), data)
        self._put(b"%08x %s\n" % (zlib.crc32(body), body))

    def keep(self, line: bytes) -> None:
        """A damaged line as it is: it is still somebody's, and nobody's to throw away."""
        self._put(line)

    def skip(self) -> None:
        """A line that is lost; its number stays so."""
        self.number += 1

    def _put(self, line: bytes) -> None:
        self.number += 1
        path = logs.segment_path(self._log, self.number, 0)
        if path != self._path:
            self._end_segment()
            self._path = path
        self._lines.append(line)
        self._segment_bytes += len(line)
        self.bytes += len(line)

    def _end_segment(self) -> None:
        if self._lines:
            self._transaction.put_staged(self._path, self._lines)
        self._lines = []
        self._segment_bytes = 0

    def finish(self, last_created_at: str | None) -> Head:
        """The new head, put into the transaction with the last segment."""
        size = self._segment_bytes
        self._end_segment()
        genesis = logs.genesis(self.stream)
        head = logs.Head(self.stream, 0, genesis, self.number, self.chain, size, self.bytes, last_created_at)
        logs.put_head(self._transaction, self._log, head)
        return head


def store_generation(transaction: Transaction, namespace: Namespace, floor: Instant | None = None) -> Namespace:
    """The namespace in its next generation, put into the transaction; `floor` where history before it is dropped."""
    floor = namespace.history_floor if floor is None else floor
    following = replace(namespace, generation=namespace.generation + 1, history_floor=floor)
    transaction.put(places.binding_file(namespace.name), binding.encode(following))
    return following


def blank_vectors(transaction: Transaction, namespace: Namespace, rows: Iterable[int]) -> None:
    """The vector files with zeros in these rows, put into the transaction."""
    size = namespace.binding.dimensions * 4
    by_file: dict[int, list[int]] = {}
    for row in rows:
        by_file.setdefault(row // ROWS + 1, []).append(row % ROWS)
    for number, inside in by_file.items():
        path = places.vector_file(namespace.name, number)
        data = transaction.tree.read(path)
        if data is not None:
            content = bytearray(data)
            for row in inside:
                content[row * size : (row + 1) * size] = bytes(max(0, min(size, len(content) - row * size)))
            transaction.put_staged(path, [bytes(content)])


def write_vectors(transaction: Transaction, namespace: str, vectors: Iterator[bytes], files: int) -> None:
    """All vector files anew, of these rows in this order; of `files` old ones, those that are too many go."""
    number, rows = 0, [next(vectors, b"")]
    while rows != [b""]:
        number += 1
        rows += [row for _, row in zip(range(ROWS - 1), vectors, strict=False)]
        transaction.put_staged(places.vector_file(namespace, number), rows)
        rows = [next(vectors, b"")]
    for surplus in range(number + 1, files + 1):
        transaction.remove(places.vector_file(namespace, surplus))


def discard_derived(transaction: Transaction, namespace: str) -> None:
    """Remove, before anything is committed, the derived files that hold what is to go."""
    refresh.discard(transaction.tree, namespace)
