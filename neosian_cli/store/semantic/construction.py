"""Building a graph over the vectors of a namespace, and measuring what it finds before anybody relies on it.

Some of the vectors are held out while it grows. They are then asked for as queries, as they are and moved a little, and
what the graph finds is set against the exact answer: for each of some numbers of neighbours, the least width of the
search that finds enough of them is noted. So data that a graph is bad at (without any structure, of many dimensions)
is told at once, and searches scan it. Then the held-out vectors are added.
"""

from __future__ import annotations

import os
import zlib

from neosian_cli.store.semantic.index import CHUNK, Built, Manifest, links_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from neosian_cli.model.advance import Advance
    from neosian_cli.store.semantic.view import View

CARE = 200
"""`ef_construction`."""
SEED = 7
AT_ONCE = 1024
"""Vectors that are added in one call, in which no signal is heard."""
SAMPLE = 128
SHARE = 5
"""At most one in so many vectors is held out."""
SHIFT = 0.4
"""How far a query is moved, against its length of 1."""
NEIGHBOURS = (10, 50, 200, 1000)
FIRST_EF = 50
WANTED = 0.995
"""Recall among the sample: half as many misses as are allowed to a search, as a sample may be lucky."""
ROUNDING = 2e-6
"""By which cosines of float32 differ that were summed in different orders."""

NEWEST = "SELECT vector FROM version WHERE replaced_at IS NULL AND deleted_at IS NULL ORDER BY vector"


def build(view: View, most: int, advance: Advance) -> Built | None:
    """A graph over what the view shows, searched `most` wide at the widest; None where none can be made.

    `advance` is told how many vectors have been added, and of how many. Long work, to be done without the lock.
    """
    import hnswlib
    import numpy as np

    newest = [row[0] for row in view.catalogue.connection.execute(NEWEST)]
    labels, twins = _distinct(view, newest)
    if not hasattr(os, "memfd_create") or not labels:
        return None
    dimensions = view.namespace.binding.dimensions
    names = np.random.default_rng(SEED).permutation(np.array(labels, "i8"))
    graph = hnswlib.Index("cosine", dimensions)
    graph.init_index(len(names), M=links_of(dimensions), ef_construction=CARE, random_seed=SEED)

    def add(some: Any) -> None:
        for rows, data in _normalised(view, some):
            graph.add_items(data, rows)
            advance(len(rows), len(names))

    held = min(SAMPLE, len(names) // SHARE)
    add(names[held:])
    reaches = _reaches(graph, view, names, held, most) if held else []
    add(names[:held])
    count = graph.get_current_count()
    if 0 < count < len(names):
        graph.resize_index(count)  # the file is to have room for what is in it
    manifest = Manifest(
        file="",
        size=0,
        crc32=0,
        stream=view.head.stream,
        generation=view.namespace.generation,
        dimensions=dimensions,
        rows=view.vectors.rows,
        newest=len(newest),
        vectors=count,
        twins=twins if reaches else {},
        reaches=reaches,
        ef=most,
    )
    return _saved(graph, manifest) if reaches else Built(-1, manifest)


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


def _normalised(view: View, names: Any) -> Iterator[tuple[Any, Any]]:
    """Rows and their vectors at length 1, some at a time; without those that damage has made no vectors of."""
    import numpy as np

    size = view.vectors.dimensions
    for start in range(0, len(names), AT_ONCE):
        rows = names[start : start + AT_ONCE]
        packed = b"".join(view.vectors.row(row) or bytes(4 * size) for row in rows.tolist())
        data = np.frombuffer(packed, "<f4").reshape(-1, size).astype("f8")
        with np.errstate(all="ignore"):
            data /= np.abs(data).max(axis=1, keepdims=True)
            data /= np.sqrt((data * data).sum(axis=1, keepdims=True))
        good = np.isfinite(data).all(axis=1)
        if good.any():
            yield rows[good], data[good].astype("f4")


def _reaches(graph: Any, view: View, names: Any, held: int, most: int) -> list[list[int]]:
    """For each number of neighbours that is found well enough, the least width that does it."""
    import numpy as np

    sample = np.concatenate([data for _, data in _normalised(view, names[:held])] or [np.empty((0, 1), "f4")])
    if not len(sample) or not graph.get_current_count():
        return []
    noise = np.random.default_rng(SEED).normal(size=sample.shape) * SHIFT / np.sqrt(sample.shape[1])
    moved = sample + noise.astype("f4")
    moved /= np.sqrt((moved * moved).sum(axis=1, keepdims=True))
    queries = np.concatenate([sample, moved])
    nearest = _nearest(view, names[held:], queries)
    found: dict[int, int] = {}
    for ef in _widths(most):
        asked = [count for count in NEIGHBOURS if count <= ef and count not in found]
        found.update(dict.fromkeys(_found(graph, ef, asked, queries, nearest), ef))
    return [[count, found[count]] for count in NEIGHBOURS if count in found]


def _found(graph: Any, ef: int, asked: list[int], queries: Any, nearest: Any) -> list[int]:
    """Which of these numbers of neighbours are found well enough, `ef` wide, by both halves of the queries."""
    if not asked:
        return []
    there = nearest.shape[1]
    graph.set_ef(ef)
    try:
        _, distances = graph.knn_query(queries, k=min(asked[-1], there))
    except RuntimeError:  # it has not got to as many
        return []
    good = []
    for count in asked:
        bound = min(count, there)
        hits = distances[:, :bound] <= 1 - nearest[:, bound - 1 : bound] + ROUNDING
        if hits.reshape(2, -1).mean(axis=1).min() >= WANTED:
            good.append(count)
    return good


def _nearest(view: View, names: Any, queries: Any) -> Any:
    """The cosines of each query's nearest vectors, descending."""
    import numpy as np

    best = np.empty((len(queries), 0), "f4")
    for _, data in _normalised(view, names):
        best = np.concatenate([best, queries @ data.T], axis=1)
        if best.shape[1] > NEIGHBOURS[-1]:
            best = -np.partition(-best, NEIGHBOURS[-1] - 1, axis=1)[:, : NEIGHBOURS[-1]]
    return -np.sort(-best, axis=1)


def _widths(most: int) -> list[int]:
    """Widths to try, ascending, each twice the one before, the last of them `most`."""
    widths = [FIRST_EF]
    while widths[-1] * 2 < most:
        widths.append(widths[-1] * 2)
    return [*(width for width in widths if width < most), most]


def _saved(graph: Any, manifest: Manifest) -> Built | None:
    """The graph in a file in memory: hnswlib saves to a path and tells of no error, and the disk gets checked bytes."""
    descriptor = os.memfd_create("index")
    built = Built(descriptor, manifest)
    try:
        graph.save_index(f"/proc/self/fd/{descriptor}")
        size = os.fstat(descriptor).st_size
        crc32 = 0
        for offset in range(0, size, CHUNK):
            crc32 = zlib.crc32(os.pread(descriptor, CHUNK, offset), crc32)
    except BaseException:
        built.close()
        raise
    if size <= 96 + 4 * manifest.vectors * manifest.dimensions:
        built.close()
        return None
    return Built(descriptor, manifest._replace(size=size, crc32=crc32))
