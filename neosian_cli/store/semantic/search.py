"""One search: the lanes that its mode asks for, and their fusion."""

from __future__ import annotations

import time

from neosian_cli.model.query import DENSE, SPARSE
from neosian_cli.store.semantic.condition import is_wanted
from neosian_cli.store.semantic.dense import Found, Lane, ranked
from neosian_cli.store.semantic.scores import fused
from neosian_cli.store.semantic.selection import rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from neosian_cli.model.query import Planner, Query
    from neosian_cli.model.times import Instant
    from neosian_cli.store.semantic.index import Graph
    from neosian_cli.store.semantic.selection import Rows
    from neosian_cli.store.semantic.view import View
else:
    from neosian_cli.model.value import NamedTuple


class Answer(NamedTuple):
    """The best records, best first, and the selection's rows. `exact` says that no index had a part in it."""

    found: list[Found]
    rows: Rows
    exact: bool
    unreadable: list[dict[str, Any]]
    explain: dict[str, Any]


def search(
    view: View, query: Query, vector: bytes | None, now: Instant, *, planner: Planner, graph: Graph | None = None
) -> Answer:
    """The answer to a query whose text, where a lane needs it, has been embedded into `vector`."""
    rows = rows_of(query.selection, now)
    explain: dict[str, Any] = {"records": view.catalogue.records}
    unreadable = view.catalogue.unreadable()
    dense: list[Found] = []
    sparse: list[Found] = []
    exact = True
    if query.mode != SPARSE:
        assert vector is not None  # every mode but sparse has one by now
        began = time.perf_counter()
        lane = Lane(view, vector, rows, depth_of(query))
        dense = lane.search(planner, is_selective=_is_selective(query, rows), graph=graph)
        exact = lane.report["lane"] != "index"
        unreadable += lane.unreadable
        explain["dense"] = {**lane.report, "found": len(dense), "ms": _since(began)}
    if query.mode != DENSE:
        from neosian_cli.store.semantic import lexical
        from neosian_cli.store.semantic.words import Splitter

        began = time.perf_counter()
        units = Splitter(view.namespace.binding.text_search).units(query.text or "")
        sparse = lexical.search(view.catalogue, units, rows, query.depth)
        explain["sparse"] = {"units": len(units), "found": len(sparse), "ms": _since(began)}
    found = dense or sparse if query.mode in (DENSE, SPARSE) else fuse(dense, sparse)
    return Answer(found[: query.top_k], rows, exact, unreadable, explain)


def wants_graph(view: View, query: Query, planner: Planner) -> bool:
    """Whether a graph may answer this query, and is worth being loaded for it.

    It holds newest versions without a tombstone: who asks for others, or for the exact answer, gets a scan. Loading a
    graph reads more bytes than one scan of the vectors, so a single query has to be over very many to gain by it.
    """
    selection = query.selection
    fits = not (query.exact or selection.include_invalidated or selection.known_at is not None or query.mode == SPARSE)
    return fits and is_wanted(view.vectors.rows, view.vectors.dimensions, planner)


def depth_of(query: Query) -> int:
    """How many records the dense lane is to find."""
    return query.top_k if query.mode == DENSE else query.depth


def fuse(*lanes: list[Found]) -> list[Found]:
    """Reciprocal rank fusion; a record that a lane did not find gets nothing from it."""
    ranks: dict[int, tuple[int, ...]] = {}
    names: dict[int, str] = {}
    for lane in lanes:
        for rank, hit in enumerate(lane, 1):
            ranks[hit.sequence] = (*ranks.get(hit.sequence, ()), rank)
            names[hit.sequence] = hit.id
    return ranked([Found(fused(held), names[sequence], sequence) for sequence, held in ranks.items()])


def _is_selective(query: Query, rows: Rows) -> bool:
    """Whether the selection may leave few of many records: then it is worth asking before scanning."""
    selection = query.selection
    bounded = selection.created_after is not None or selection.created_before is not None
    return bool(selection.predicates) or bounded or "known_at" in rows.values


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
