"""Storing records: all of one transaction or nothing."""

from __future__ import annotations

from functools import partial

from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.services.instalments import Instalments
from neosian_cli.store.semantic import binding, places
from neosian_cli.store.semantic.writing import NamespaceWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from neosian_cli.model.advance import Advance
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.model.record import Draft
    from neosian_cli.services.semantic.access import Access
    from neosian_cli.services.semantic.embedding import Embedding
    from neosian_cli.store.semantic.writing import Upserted


def dimensions_of(access: Access) -> int:
    """The dimensions that vectors must have; raises `not_found` for an unknown namespace."""
    with access.store.reading() as tree:
        return access.find(tree)[0].binding.dimensions


def upsert(
    access: Access,
    drafts: Iterable[Draft],
    *,
    batch: int | None = None,
    advance: Advance = ignored,
    embedded: Advance = ignored,
    done: Instalments | None = None,
) -> dict[str, Any]:
    """Store drafts in order: in one transaction, or in transactions of `batch`; `done` counts those that are stored.

    `advance` hears of records, before them `embedded` of texts. A failure, of a draft that is read too, tells in its
    details what was stored before it.
    """
    done = Instalments() if done is None else done
    result: dict[str, Any] = {"namespace": access.name, "ids": [], "versions": [], "superseded": []}
    cache = {"hits": 0, "misses": 0}
    try:
        for part in _parts(drafts, batch, access.settings.caps.batch):
            if batch is None:
                advance(0, len(part))
            stored, counts = access.mended(partial(_one_transaction, access, part, advance, embedded, done))
            done.settle(access.store.commits)
            result["ids"] += [item.id for item in stored]
            result["versions"] += [item.version for item in stored]
            result["superseded"] += [item.superseded for item in stored]
            cache = {key: cache[key] + counts[key] for key in cache}
    except Failure as failure:
        done.settle(access.store.commits)
        if batch is not None:
            failure.details.update(transactions=done.transactions, stored=done.count)
        raise
    result["cache"] = cache
    if batch is not None:
        result["transactions"] = done.transactions
    return result


def _parts(drafts: Iterable[Draft], batch: int | None, cap: int) -> Iterator[list[Draft]]:
    """The drafts of each transaction; without `batch` more than the cap are refused. An empty input is one of none."""
    part: list[Draft] = []
    given = False
    for draft in drafts:
        given = True
        part.append(draft)
        if batch is not None and len(part) == batch:
            yield part
            part = []
        elif len(part) > cap:
            raise Failure(
                "invalid_argument",
                f"more than {cap} records for one transaction",
                hint=f"--batch {cap} cuts the load into transactions",
                cap=cap,
            )
    if part or not given:
        yield part


def _one_transaction(
    access: Access, drafts: list[Draft], advance: Advance, embedded: Advance, done: Instalments
) -> tuple[list[Upserted], dict[str, int]]:
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
    if not drafts:
        return [], {"hits": 0, "misses": 0}
    texts = [draft.content for draft in drafts if draft.vector is None]
    if not is_stored and texts and access.cache_size >= 0:
        # What is embedded from here on is kept in the namespace, so that a load that is broken off is not lost.
        namespace = _bind(access)
    embedding = _embedding(access, namespace) if texts else None
    vectors = embedding.of(texts, for_load=True, advance=embedded) if embedding else {}
    with access.store.writing("semantic upsert") as transaction:
        namespace, is_stored = access.find(transaction.tree)
        writer = NamespaceWriter(transaction, access.store.root, namespace, store_binding=not is_stored)
        try:
            stored = _store(writer, drafts, vectors, access, advance, before=done.count)
            done.begin(len(drafts), access.store.commits)
            writer.commit()
        finally:
            writer.close()
        if embedding:
            embedding.settle(transaction.tree)
    access.store.notes.extend(writer.derived.notes)
    return stored, embedding.counts if embedding else {"hits": 0, "misses": 0}


def _embedding(access: Access, namespace: Namespace) -> Embedding:
    from neosian_cli.services.semantic.embedding import Embedding

    return Embedding(access, namespace)


def _store(
    writer: NamespaceWriter,
    drafts: Sequence[Draft],
    vectors: Mapping[str, bytes],
    access: Access,
    advance: Advance,
    *,
    before: int,
) -> list[Upserted]:
    named = [(draft.id or access.store.new_id(), draft) for draft in drafts]
    writer.look_up([name for name, _ in named])
    writer.look_up([other for draft in drafts for other in draft.supersedes])
    stored = []
    for index, (name, draft) in enumerate(named, before):
        vector = draft.vector if draft.vector is not None else vectors[draft.content]
        stored.append(writer.upsert(name, draft, vector, index))
        advance()
    return stored


def _bind(access: Access) -> Namespace:
    """Store the binding of a configured namespace on its first use."""
    with access.store.writing("semantic upsert") as transaction:
        namespace, is_stored = access.find(transaction.tree)
        if not is_stored:
            transaction.put(places.binding_file(namespace.name), binding.encode(namespace))
            transaction.commit()
    return namespace
