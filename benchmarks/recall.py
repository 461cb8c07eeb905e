"""recall@10 through the index against the exact answer, without and under filters.

    [NEOSIAN_BENCH_FULL=1] [NEOSIAN_BENCH_VECTORS=uniform] python benchmarks/run.py recall

Clustered and uniform vectors of 384 numbers, or those that NEOSIAN_BENCH_VECTORS names: 20,000, with NEOSIAN_BENCH_FULL
100,000. The index is asked at its defaults, whatever the planner would rather do; where it is unfit, or cannot answer
in full, the search scans, as it does in earnest.
"""

from __future__ import annotations

import os
import tempfile
import time
from typing import Any

import vectors
from measure import table
from samples import Unsynced

COUNT = 100_000 if os.environ.get("NEOSIAN_BENCH_FULL") else 20_000
DIMENSIONS = 384
QUERIES = 100
TOP = 10
BATCH = 10_000


def main() -> None:
    header = ("vectors", "filter", "recall@10", "through the index", "ms/query", "exact ms/query")
    wanted = os.environ.get("NEOSIAN_BENCH_VECTORS", "clustered,uniform").split(",")
    for name in wanted:
        data = (vectors.uniform if name == "uniform" else vectors.clustered)(COUNT, DIMENSIONS)
        with tempfile.TemporaryDirectory(dir=os.environ.get("NEOSIAN_BENCH_DIR")) as directory:
            rows = measured(directory, name, data)
        table(f"recall@10 among {COUNT:,} × {DIMENSIONS}, {QUERIES} queries", header, rows)


def measured(directory: str, name: str, data: Any) -> list[tuple[object, ...]]:
    from neosian_cli.model.query import Planner
    from neosian_cli.store.semantic import index, search

    access = filled(directory, data)
    queries = vectors.near(data, QUERIES) if name == "clustered" else vectors.uniform(QUERIES, DIMENSIONS, seed=9)
    with access.store.reading() as tree:
        view = access.view(tree, access.find(tree)[0], with_vectors=True)
        graph = index.load(tree, view, TOP, Planner().index_ef)
    planner = Planner(fetch_up_to=0)
    rows = []
    for key, share in {"": 1, **vectors.SHARES}.items():
        through = found = 0
        seconds = {True: 0.0, False: 0.0}
        for vector in queries:
            query = asked(vector.tobytes(), key)
            answers = {}
            for exact in (False, True):
                began = time.perf_counter()
                part = {} if exact else {"graph": graph}
                now = access.store.now()
                answers[exact] = search.search(view, query, query.vector, now, planner=planner, **part)
                seconds[exact] += time.perf_counter() - began
            through += not answers[False].exact
            wanted = {hit.id for hit in answers[True].found}
            found += sum(hit.id in wanted for hit in answers[False].found)
        each = [f"{seconds[exact] / QUERIES * 1000:.1f}" for exact in (False, True)]
        rows.append((name, f"1 of {share}" if key else "none", f"{found / QUERIES / TOP:.4f}", through, *each))
    view.close()
    return rows


def asked(vector: bytes, key: str) -> Any:
    from neosian_cli.model.predicate import parse_filter
    from neosian_cli.model.query import Selection, make_query

    selection = Selection((parse_filter(f"{key}=1"),) if key else ())
    return make_query(
        mode="dense",
        text=None,
        vector=vector,
        selection=selection,
        top_k=TOP,
        rerank_candidate_k=0,
        top_k_cap=TOP,
        candidates_cap=50,
    )


def filled(directory: str, data: Any) -> Any:
    from types import SimpleNamespace

    from samples import open_store

    from neosian_cli.config.namespace import Caps
    from neosian_cli.model.record import Draft
    from neosian_cli.services.semantic import namespaces, upkeep, upsert
    from neosian_cli.services.semantic.access import Access
    from neosian_cli.store.semantic import index

    store = open_store(directory, Unsynced())
    settings: Any = SimpleNamespace(caps=Caps(), namespaces=(), config_file="", namespace=lambda _: None)
    namespaces.create(store, settings, "n", namespaces.Wish("fake", None, DIMENSIONS, None), options={})
    access = Access(store, settings, "n", environment={}, sleep=time.sleep, monotonic=time.monotonic)
    for start in range(0, len(data), BATCH):
        drafts = [
            Draft(
                id=f"r{number:08d}",
                vector=data[number].tobytes(),
                metadata={key: str(number % share) for key, share in vectors.SHARES.items()},
            )
            for number in range(start, min(start + BATCH, len(data)))
        ]
        upsert.upsert(access, drafts)
    began = time.perf_counter()
    made = upkeep.reindex(access, with_graph=True)["index"]
    with access.store.reading() as tree:
        manifest = index.read_manifest(tree, "n")
    reaches = manifest.reaches if manifest else []
    print(f"\nindex: {made}, neighbours and widths {reaches}, {time.perf_counter() - began:.0f} s", flush=True)
    return access


if __name__ == "__main__":
    main()
