"""Searching a namespace.

Failure model. The lock is held three times, shortly: to look in the embedding cache, to open what the search works on,
and to read the hits' lines. Between them history may be rewritten (a hard delete, a compaction); then the search
begins again on what there is now, so nothing that was erased comes back.
"""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import numbers
from neosian_cli.model.query import SPARSE
from neosian_cli.services.semantic.embedding import Embedding
from neosian_cli.store.semantic import index
from neosian_cli.store.semantic import search as searching
from neosian_cli.store.semantic.shape import shown
from neosian_cli.store.semantic.view import check_floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.model.query import Query
    from neosian_cli.services.semantic.access import Access
    from neosian_cli.store.semantic.index import Graph
    from neosian_cli.store.semantic.search import Answer
    from neosian_cli.store.semantic.view import View

TRIES = 5


def search(
    access: Access,
    query: Query,
    *,
    ids_only: bool = False,
    include_payload: bool = False,
    include_vector: bool = False,
    explain: bool = False,
) -> dict[str, Any]:
    """What `search --json` prints. Raises `not_found` for the namespace and below its history floor."""
    store = access.store
    with store.reading() as tree:
        namespace, is_stored = access.find(tree)
        check_floor(namespace, query.selection.known_at)
    embedding = Embedding(access, namespace)
    vector = query.vector
    if vector is None and query.mode != SPARSE and query.text is not None:
        vector = embedding.of([query.text], for_load=False)[query.text]
    if not is_stored:
        return _result(access, query, [], exact=True, cache=embedding.counts)
    options = {"payload": include_payload, "vector": include_vector}
    answer, hits = access.mended(lambda: _answer(access, query, vector, None if ids_only else options))
    value = _result(access, query, hits, exact=answer.exact, cache=embedding.counts)
    value["unreadable"] = answer.unreadable
    if explain:
        value["explain"] = {**answer.explain, **access.mended(lambda: _explained_index(access, query))}
    return value


def _answer(
    access: Access, query: Query, vector: bytes | None, options: dict[str, bool] | None
) -> tuple[Answer, list[dict[str, Any]]]:
    """The answer and its hits; without options their ids and scores alone."""
    for _ in range(TRIES):
        view, graph = _view(access, query)
        try:
            answer = searching.search(view, query, vector, access.store.now(), planner=access.planner, graph=graph)
            if options is None:
                return answer, [{"id": hit.id, "score": numbers.shortest(hit.score)} for hit in answer.found]
            with access.store.reading() as tree:
                if view.is_current(tree):
                    return answer, _hits(view, tree, answer, **options)
        finally:
            view.close()
    raise Failure("unavailable", f"the history of {access.name} is being rewritten", hint="try again")


def _view(access: Access, query: Query) -> tuple[View, Graph | None]:
    with access.store.reading() as tree:
        namespace: Namespace = access.find(tree)[0]
        check_floor(namespace, query.selection.known_at)
        view = access.view(tree, namespace, with_vectors=query.mode != SPARSE)
        if not searching.wants_graph(view, query, access.planner):
            return view, None
        return view, index.load(tree, view, searching.depth_of(query), access.planner.index_ef)


def _explained_index(access: Access, query: Query) -> dict[str, Any]:
    """Where a search like this goes through an index: the state of it, and what would make it anew if it is time."""
    from neosian_cli.store.semantic.condition import condition_of

    with access.store.reading() as tree:
        view = access.view(tree, access.find(tree)[0], with_vectors=query.mode != SPARSE)
        try:
            if not searching.wants_graph(view, query, access.planner):
                return {}
            condition = condition_of(tree, view, access.planner)
        finally:
            view.close()
    told = condition._asdict()
    return {"index": {**told, "command": f"neosian semantic reindex {access.name}"} if condition.stale else told}


def _hits(view: View, tree: Tree, answer: Answer, *, payload: bool, vector: bool) -> list[dict[str, Any]]:
    """The hits with their records."""
    rows = view.rows_at([hit.sequence for hit in answer.found], answer.rows)
    by_id = {record.id: record for record in view.records(tree, rows)}
    hits = []
    for hit in answer.found:
        record = by_id[hit.id]
        packed = view.vector_of(tree, record.vector) if vector else None
        hits.append(
            {"id": hit.id, "score": numbers.shortest(hit.score), **shown(record, payload=payload, vector=packed)}
        )
    return hits


def _result(
    access: Access, query: Query, hits: list[dict[str, Any]], *, exact: bool, cache: dict[str, int]
) -> dict[str, Any]:
    return {
        "namespace": access.name,
        "mode": query.mode,
        "hits": hits,
        "exact": exact,
        "cache": cache,
        "unreadable": [],
    }
