"""A snapshot of the vectors as an hnswlib graph: read only, over the rows below a number, never patched.

It holds the newest versions without a tombstone as they were when it was built (`construction`), each distinct vector
once (equal ones make a graph fall apart); its label is the first of their rows, and `twins` names the others. Rows that
came later are scanned. hnswlib checks nothing, so we do: size, CRC-32, the namespace's generation, and every number in
the file that it would follow (`graphfile`). How widely a search has to look around in a graph was measured when it was
built, and stands in `reaches`.

Failure model. A graph is written as any derived file, under a name of its own, and then named by `index.json`. Missing,
damaged or of another generation it is no index, and the search scans. A file that nothing names goes with the next one.
"""

from __future__ import annotations

import os
import zlib

from neosian_cli.disk import derived
from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.model.kinds import COUNT, LIST, OBJECT, TEXT, require
from neosian_cli.store.seal import seal, unseal
from neosian_cli.store.semantic import binding, graphfile, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple

    from neosian_cli.disk.tree import File
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.store.semantic.view import View
else:
    from neosian_cli.model.value import NamedTuple

FORMAT = 1
MANIFEST = "index.json"
PREFIX = "index-"
SUFFIX = ".hnsw"
CHUNK = 1 << 20
LINKS = 16
LINKS_OF_LONG = 24
LONG = 1024
"""From this many dimensions on a node gets more links."""
WIDEST = 100_000
"""More is kept by no search: the largest `index_ef`."""
KINDS = {
    **dict.fromkeys(("file", "stream"), TEXT),
    **dict.fromkeys(("size", "crc32", "generation", "dimensions", "rows", "newest", "vectors", "ef"), COUNT),
    "twins": OBJECT,
    "reaches": LIST,
}
"""What a manifest holds, and of what kind."""


def links_of(dimensions: int) -> int:
    """How many neighbours a node has on the upper levels, at the most; on the lowest one twice as many."""
    return LINKS if dimensions < LONG else LINKS_OF_LONG


class Manifest(NamedTuple):
    """A graph that was built: `rows` is the number of rows that it stands for, `vectors` how many it holds.

    `newest` of those rows were of newest versions without a tombstone. `reaches` has pairs, ascending: so many
    neighbours are found with the recall that is wanted if so many candidates are kept; `ef` is the most that were
    tried. Without a pair the graph is of no use, and there is no file: the name is empty.
    """

    file: str
    size: int
    crc32: int
    stream: str
    generation: int
    dimensions: int
    rows: int
    newest: int
    vectors: int
    twins: dict[str, list[int]]
    reaches: list[list[int]]
    ef: int


class Built(NamedTuple):
    """A graph that has no name yet. `descriptor` is a file in memory, to be closed; -1 for a graph of no use."""

    descriptor: int
    manifest: Manifest

    def pieces(self) -> Iterator[bytes]:
        for offset in range(0, self.manifest.size, CHUNK):
            yield os.pread(self.descriptor, min(CHUNK, self.manifest.size - offset), offset)

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)


class Graph:
    """A loaded graph."""

    def __init__(self, index: Any, manifest: Manifest) -> None:
        self._index = index
        self.manifest = manifest

    def nearest(self, query: Any, count: int, kept: int) -> list[int]:
        """Rows near a float32 vector of the right dimensions, best first, those of equal vectors together.

        `count` and `kept` are a pair of `reaches`. Empty where the search has not got to as many.
        """
        self._index.set_ef(kept)
        try:
            labels, _ = self._index.knn_query(query, k=min(count, self.manifest.vectors), num_threads=1)
        except RuntimeError:  # the only way it tells
            return []
        rows: list[int] = []
        for label in labels[0].tolist():
            rows += (label, *self.manifest.twins.get(str(label), ()))
        return rows


def usable(manifest: Manifest, least: int, ef: int) -> list[tuple[int, int]]:
    """The pairs of `reaches` for `least` neighbours and more, within `ef`."""
    return [(count, kept) for count, kept in manifest.reaches if count >= least and kept <= ef]


def read_manifest(tree: Tree, namespace: str) -> Manifest | None:
    """The manifest of the published graph, if one can be read."""
    try:
        data = tree.read(f"{places.derived(namespace)}/{MANIFEST}")
        if data is None:
            return None
        value = unseal(data)
        require(value, KINDS)
        if not (_are_reaches(value["reaches"]) and _are_twins(value["twins"]) and places.is_plain(value["file"])):
            return None
        return Manifest(*(value[name] for name in Manifest._fields))
    except (ValueError, KeyError, Unsafe):
        return None


def _are_reaches(pairs: list[Any]) -> bool:
    known = [pair for pair in pairs if type(pair) is list and [type(item) for item in pair] == [int, int]]
    return len(known) == len(pairs) and all(0 < count <= kept <= WIDEST for count, kept in known)


def _are_twins(twins: dict[str, Any]) -> bool:
    return all(type(rows) is list and all(type(row) is int for row in rows) for rows in twins.values())


def find(tree: Tree, namespace: Namespace, stream: str, rows: int) -> Manifest | None:
    """The manifest of a graph of this history, whose file, if it has one, is there."""
    manifest = read_manifest(tree, namespace.name)
    if manifest is None or not belongs(manifest, namespace, stream) or manifest.rows > rows:
        return None
    if manifest.file:
        try:
            status = tree.status(f"{places.derived(namespace.name)}/{manifest.file}")
        except (OSError, Unsafe):
            return None
        if status is None or status.st_size != manifest.size:
            return None
    return manifest


def belongs(manifest: Manifest, namespace: Namespace, stream: str) -> bool:
    """Whether a graph was built over this history of a namespace."""
    known = (manifest.stream, manifest.generation, manifest.dimensions)
    return known == (stream, namespace.generation, namespace.binding.dimensions)


def load(tree: Tree, view: View, least: int, ef: int) -> Graph | None:
    """The graph of a view's namespace, checked whole; None where there is none that gives `least` neighbours."""
    manifest = find(tree, view.namespace, view.head.stream, view.vectors.rows)
    if manifest is None or not usable(manifest, least, ef):
        return None
    try:
        file = tree.open_file(f"{places.derived(view.namespace.name)}/{manifest.file}")
    except Unsafe:
        return None
    if file is None:
        return None
    with file:
        try:
            import hnswlib
        except ImportError:
            return None
        if fault_of(file, manifest) is not None:
            return None
        index = hnswlib.Index("cosine", manifest.dimensions)
        # By its descriptor: these are the bytes that were checked, whatever has the name by now.
        index.load_index(f"/proc/self/fd/{file.descriptor}", max_elements=manifest.vectors)
    return Graph(index, manifest)


def fault_of(file: File, manifest: Manifest) -> str | None:
    """Why a graph's file is not to be loaded; None where it is good. It is read whole."""
    import mmap

    crc32 = 0
    for chunk in file.chunks():
        crc32 = zlib.crc32(chunk, crc32)
    if not file.size or (file.size, crc32) != (manifest.size, manifest.crc32):
        return "is damaged"
    with mmap.mmap(file.descriptor, file.size, prot=mmap.PROT_READ) as mapped:
        if not graphfile.is_sound(mapped, manifest.vectors, manifest.dimensions, links_of(manifest.dimensions)):
            return "leads astray"
    return None


def place(root: str, tree: Tree, namespace: str, built: Built, new_id: str) -> Manifest:
    """Write a graph into a file that nothing names yet. Under the root lock, in the generation it was built in.

    Raises OSError or `Unsafe`.
    """
    if built.descriptor < 0:
        return built.manifest
    manifest = built.manifest._replace(file=f"{PREFIX}{new_id.replace('-', '')}{SUFFIX}")
    own = Tree.open(root, tree.calls)
    try:
        derived.publish(own, manifest.file, built.pieces(), f"{places.derived(namespace)}/{manifest.file}")
    finally:
        own.close()
    return manifest


def publish(tree: Tree, namespace: str, manifest: Manifest, new_id: str) -> Manifest | None:
    """Name a placed graph, and drop the ones before. Under the exclusive lock.

    None where it has no use any more: history was rewritten, or another process has thrown it away or named one that
    stands for more rows. That one stays, whatever process is the slower. Raises OSError or `Unsafe`.
    """
    directory = places.derived(namespace)
    found = binding.read(tree, namespace)
    current = found is not None and belongs(manifest, found, manifest.stream)
    other = find(tree, found, manifest.stream, 1 << 62) if found is not None else None
    lost = bool(manifest.file) and tree.status(f"{directory}/{manifest.file}") is None
    if not current or lost or (other is not None and other.rows > manifest.rows):
        derived.discard(tree, directory, [manifest.file] if manifest.file else [])
        return None
    line = seal({"format": FORMAT, **manifest._asdict()})
    derived.publish(tree, f"manifest-{new_id}", [line], f"{directory}/{MANIFEST}")
    old = [name for name, _ in tree.entries(directory) if name.startswith(PREFIX) and name != manifest.file]
    derived.discard(tree, directory, old)
    return manifest
