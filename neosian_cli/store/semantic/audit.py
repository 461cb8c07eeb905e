"""Reading a namespace whole: binding, every line and its chain, every vector, and whether the catalogue agrees."""

from __future__ import annotations

import zlib

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.store import log as logs
from neosian_cli.store.finding import Finding, fault, of_failure, warning
from neosian_cli.store.semantic import binding, places, recordlog
from neosian_cli.store.semantic.recordlog import Position
from neosian_cli.store.semantic.refresh import Derived
from neosian_cli.store.semantic.vectors import Vectors, count_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.store.log import Head
    from neosian_cli.store.root import Store
    from neosian_cli.store.semantic.recordlog import Placed

Row = tuple[int, str, int, int, int, int, int]


def audit(store: Store, name: str, checked: dict[str, int]) -> Iterator[Finding]:
    """All findings of one namespace; counts it and its record versions in `checked`. Takes the shared lock."""
    checked["namespaces"] += 1
    with store.reading() as tree:
        try:
            yield from list(_audit(store, tree, name, checked))
        except Failure as failure:
            yield of_failure(failure, places.directory(name))
        except Unsafe as unsafe:
            yield fault("record_corrupt", unsafe.path, unsafe.reason)


def _audit(store: Store, tree: Tree, name: str, checked: dict[str, int]) -> Iterator[Finding]:
    namespace = binding.read(tree, name)
    log = places.log_of(name)
    head = logs.read_head(tree, log)
    if namespace is None or head is None:
        return
    try:
        logs.open_for_append(tree, log, head)
    except Failure as failure:
        yield of_failure(failure, log.head_file)
    rows: list[Row] = []
    dimensions = namespace.binding.dimensions
    vectors = Vectors(tree, name, dimensions, count_rows(tree, name, dimensions))
    try:
        for placed in recordlog.scan(tree, log, head, Position(0, 0, logs.genesis(head.stream))):
            if placed.entry is None:
                path = logs.segment_path(log, placed.sequence, head.floor)
                yield fault(str(placed.code), path, str(placed.message))
            elif placed.entry.record is not None:
                checked["records"] += 1
                rows.append(_row(placed))
                yield from _vector(vectors, name, placed)
    finally:
        vectors.close()
    yield from _catalogue(store, tree, namespace, head, rows)


def _row(placed: Placed) -> Row:
    """What the catalogue has to say of a version."""
    entry = placed.entry
    assert entry is not None  # asked by the caller, as the next
    assert entry.record is not None
    return (
        placed.sequence,
        entry.id,
        entry.version,
        entry.record.vector,
        entry.crc32,
        placed.offset,
        placed.size,
    )


def _vector(vectors: Vectors, name: str, placed: Placed) -> Iterator[Finding]:
    _, record, version, number, crc32, _, _ = _row(placed)
    packed = vectors.row(number)
    if packed is None or zlib.crc32(packed) != crc32:
        what = "is missing" if packed is None else "is damaged"
        path = places.vector_file(name, number // places.ROWS + 1)
        yield fault("record_corrupt", path, f"the vector of {record!a}, version {version}, {what}")


def _catalogue(store: Store, tree: Tree, namespace: Namespace, head: Head, rows: list[Row]) -> Iterator[Finding]:
    derived = Derived(store.root, tree, namespace, head, store.new_id)
    held = derived.rows_of_current()
    if held is not None and held != rows:
        path = f"{derived.directory}/catalogue.json"
        message = f"names a catalogue that is not what the log says; neosian semantic reindex {namespace.name}"
        yield warning("record_corrupt", path, message)
