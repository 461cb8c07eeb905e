"""A snapshot of the vectors as an hnswlib graph: read only, over the rows below a number, never patched.

It holds the newest versions without a tombstone as they were when it was built, each distinct vector once (equal ones
make a graph fall apart); its label is the first of their rows, and `twins` names the others. Rows that came later are
scanned. hnswlib checks nothing, so we do: dimensions and finiteness before it sees a vector; size, CRC-32 and the
namespace's generation before it sees a file; and before a graph is published, that it finds a sample of itself.

Failure model. A graph is written as any derived file and then named by `index.json`. Missing, damaged or of another
generation it is no index, and the search scans.
"""

from __future__ import annotations

import os
import zlib

from neosian_cli.disk import derived
from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.store.seal import seal, unseal
from neosian_cli.store.semantic import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple

    from neosian_cli.model.namespace import Namespace
    from neosian_cli.store.semantic.view import View
else:
    from neosian_cli.model.value import NamedTuple

FORMAT = 1
MANIFEST = "index.json"
PREFIX = "index-"
SUFFIX = ".hnsw"
LINKS = 16
LINKS_OF_LONG = 24
LONG = 1024
"""From this many dimensions on a node gets more links."""
CARE = 200
"""`ef_construction`."""
SEED = 7
SAMPLE = 256
EF_OF_SAMPLE = 400
LEAST_RECALL = 0.98
NO_DISTANCE = 1e-5
CHUNK = 1 << 20


class Manifest(NamedTuple):
    """A published graph: `rows` is the number of rows that it stands for, `vectors` how many it holds."""

    file: str
    size: int
    crc32: int
    stream: str
    generation: int
    dimensions: int
    rows: int
    vectors: int
    twins: dict[str, list[int]]


class Graph:
    """A loaded graph."""

    def __init__(self, index: Any, manifest: Manifest) -> None:
        self._index = index
        self.manifest = manifest

    def nearest(self, query: Any, count: int, ef: int) -> list[int]:
        """Rows near a float32 vector of the right dimensions, best first, those of equal vectors together."""
        wanted = min(count, self.manifest.vectors)
        self._index.set_ef(max(ef, 2 * wanted))
        labels, _ = self._index.knn_query(query, k=wanted, num_threads=1)
        rows: list[int] = []
        for label in labels[0].tolist():
            rows += (label, *self.manifest.twins.get(str(label), ()))
        return rows


def read_manifest(tree: Tree, namespace: str) -> Manifest | None:
    """The manifest of the published graph, if one can be read."""
    try:
        data = tree.read(f"{places.derived(namespace)}/{MANIFEST}")
        if data is None:
            return None
        value = unseal(data)
        return Manifest(*(value[name] for name in Manifest._fields))
    except (ValueError, KeyError, Unsafe):
        return None


def load(tree: Tree, view: View) -> Graph | None:
    """The graph of a view's namespace, checked whole; None where there is none that fits."""
    manifest = read_manifest(tree, view.namespace.name)
    if manifest is None or not _fits(manifest, view):
        return None
    try:
        file = tree.open_file(f"{places.derived(view.namespace.name)}/{manifest.file}")
    except Unsafe:
        return None
    if file is None:
        return None
    with file:
        crc32 = 0
        for chunk in file.chunks():
            crc32 = zlib.crc32(chunk, crc32)
        if file.size != manifest.size or crc32 != manifest.crc32:
            return None
        import hnswlib

        index = hnswlib.Index("cosine", manifest.dimensions)
        # By its descriptor: these are the bytes that were checked, whatever has the name by now.
        index.load_index(f"/proc/self/fd/{file.descriptor}", max_elements=manifest.vectors)
    return Graph(index, manifest)


def _fits(manifest: Manifest, view: View) -> bool:
    namespace = view.namespace
    same = (manifest.stream, manifest.generation, manifest.dimensions) == (
        view.head.stream,
        namespace.generation,
        namespace.binding.dimensions,
    )
    return same and manifest.rows <= view.vectors.rows and 0 < manifest.vectors <= manifest.rows


def build(view: View) -> tuple[bytes, Manifest] | None:
    """A graph over what the view shows and its manifest, without a file's name; None where nothing good came of it.

    Long work, to be done without the lock.
    """
    import numpy as np

    sql = "SELECT vector FROM version WHERE replaced_at IS NULL AND deleted_at IS NULL ORDER BY vector"
    labels, twins = _distinct(view, [row[0] for row in view.catalogue.connection.execute(sql)])
    if not hasattr(os, "memfd_create") or not labels:
        return None
    dimensions = view.namespace.binding.dimensions
    data = np.empty((len(labels), dimensions), "f4")
    order = np.random.default_rng(SEED).permutation(len(labels))
    names = np.array(labels, "i8")[order]
    for place, label in enumerate(names.tolist()):
        vector = np.frombuffer(view.vectors.row(label) or b"", "<f4").astype("f8")
        vector /= np.abs(vector).max()
        data[place] = vector / np.sqrt(vector @ vector)
    if not np.isfinite(data).all():
        return None
    content = _grown(data, names)
    if content is None:
        return None
    manifest = Manifest(
        file="",
        size=len(content),
        crc32=zlib.crc32(content),
        stream=view.head.stream,
        generation=view.namespace.generation,
        dimensions=dimensions,
        rows=view.vectors.rows,
        vectors=len(labels),
        twins=twins,
    )
    return content, manifest


def _distinct(view: View, rows: list[int]) -> tuple[list[int], dict[str, list[int]]]:
    """The first row of each distinct vector, and the other rows of those that stand more than once."""
    import hashlib

    first: dict[bytes, int] = {}
    twins: dict[str, list[int]] = {}
    for row in rows:
        packed = view.vectors.row(row)
        if packed is None or not any(packed):
            continue
        digest = hashlib.blake2b(packed, digest_size=16).digest()
        label = first.setdefault(digest, row)
        if label != row:
            twins.setdefault(str(label), []).append(row)
    return list(first.values()), twins


def _grown(data: Any, labels: Any) -> bytes | None:
    """The bytes of a graph over normalised vectors; None if it does not find a sample of itself."""
    import hnswlib
    import numpy as np

    dimensions = data.shape[1]
    links = LINKS if dimensions < LONG else LINKS_OF_LONG
    index = hnswlib.Index("cosine", dimensions)
    index.init_index(len(data), M=links, ef_construction=CARE, random_seed=SEED)
    index.add_items(data, labels)
    index.set_ef(EF_OF_SAMPLE)
    sample = np.random.default_rng(SEED).permutation(len(data))[:SAMPLE]
    # Among vectors that float32 cannot tell apart, another one found at no distance is as good as the one itself.
    _, distances = index.knn_query(data[sample], k=1)
    if (distances[:, 0] <= NO_DISTANCE).sum() < LEAST_RECALL * len(sample):
        return None
    # hnswlib saves to a path and tells of no error: it gets a file in memory, and the disk gets checked bytes.
    descriptor = os.memfd_create("index")
    try:
        index.save_index(f"/proc/self/fd/{descriptor}")
        size = os.fstat(descriptor).st_size
        content = b"".join(_chunks(descriptor, size))
    finally:
        os.close(descriptor)
    return content if len(content) == size and size > 96 + 4 * data.size else None


def _chunks(descriptor: int, size: int) -> Iterator[bytes]:
    for offset in range(0, size, CHUNK):
        yield os.pread(descriptor, CHUNK, offset)


def publish(root: str, tree: Tree, namespace: Namespace, built: tuple[bytes, Manifest], new_id: str) -> Manifest:
    """Give a graph its name, and drop the ones before. Under the root lock, in the generation it was built in."""
    content, manifest = built
    directory = places.derived(namespace.name)
    manifest = manifest._replace(file=f"{PREFIX}{new_id.replace('-', '')}{SUFFIX}")
    own = Tree.open(root, tree.calls)
    try:
        pieces = (content[start : start + CHUNK] for start in range(0, len(content), CHUNK))
        derived.publish(own, manifest.file, pieces, f"{directory}/{manifest.file}")
        line = seal({"format": FORMAT, **manifest._asdict()})
        derived.publish(own, f"manifest-{new_id}", [line], f"{directory}/{MANIFEST}")
        old = [name for name, _ in own.entries(directory) if name.startswith(PREFIX) and name != manifest.file]
        derived.discard(own, directory, old)
    finally:
        own.close()
    return manifest
