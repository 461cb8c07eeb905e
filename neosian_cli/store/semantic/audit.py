"""Reading a namespace whole: binding, every line and its chain, every vector, and whether what is derived agrees."""

from __future__ import annotations

import zlib

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.store import log as logs
from neosian_cli.store.finding import Finding, fault, of_failure
from neosian_cli.store.semantic import binding, places, recordlog, soundness
from neosian_cli.store.semantic.recordlog import Position
from neosian_cli.store.semantic.vectors import Vectors, count_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.store.root import Store
    from neosian_cli.store.semantic.recordlog import Placed


def audit(
    store: Store, name: str, checked: dict[str, int], *, eager: bool = False, advance: Advance = ignored
) -> Iterator[Finding]:
    """All findings of one namespace; counts it and its record versions in `checked`. Takes the shared lock.

    `eager` as in `soundness.check`.
    """
    checked["namespaces"] += 1
    with store.reading() as tree:
        try:
            yield from list(_audit(tree, name, checked, advance))
        except Failure as failure:
            yield of_failure(failure, places.directory(name))
        except Unsafe as unsafe:
            yield fault("record_corrupt", unsafe.path, unsafe.reason)
    yield from soundness.check(store, name, eager=eager, advance=advance)


def _audit(tree: Tree, name: str, checked: dict[str, int], advance: Advance) -> Iterator[Finding]:
    namespace = binding.read(tree, name)
    log = places.log_of(name)
    head = logs.read_head(tree, log)
    if namespace is None or head is None:
        return
    try:
        logs.open_for_append(tree, log, head)
    except Failure as failure:
        yield of_failure(failure, log.head_file)
    dimensions = namespace.binding.dimensions
    vectors = Vectors(tree, name, dimensions, count_rows(tree, name, dimensions))
    try:
        for placed in recordlog.scan(tree, log, head, Position(0, 0, logs.genesis(head.stream))):
            if placed.entry is None:
                path = logs.segment_path(log, placed.sequence, head.floor)
                yield fault(str(placed.code), path, str(placed.message))
            elif placed.entry.record is not None:
                checked["records"] += 1
                advance(1)
                yield from _vector(vectors, name, placed)
    finally:
        vectors.close()


def _vector(vectors: Vectors, name: str, placed: Placed) -> Iterator[Finding]:
    entry = placed.entry
    assert entry is not None  # asked by the caller, as the next
    assert entry.record is not None
    packed = vectors.row(entry.record.vector)
    if packed is None or zlib.crc32(packed) != entry.crc32:
        what = "is missing" if packed is None else "is damaged"
        path = places.vector_file(name, entry.record.vector // places.ROWS + 1)
        yield fault("record_corrupt", path, f"the vector of {entry.id!a}, version {entry.version}, {what}")
