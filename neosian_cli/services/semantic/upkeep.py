"""Looking after a namespace: what it holds and takes, dropping history, derived files anew, dropping it whole."""

from __future__ import annotations

from neosian_cli.model import times
from neosian_cli.model.advance import ignored
from neosian_cli.model.value import fields
from neosian_cli.services.semantic import indexing
from neosian_cli.store import log as logs
from neosian_cli.store.semantic import binding, cache, compaction, places, refresh
from neosian_cli.store.semantic.condition import condition_of, is_wanted
from neosian_cli.store.semantic.counting import count_states
from neosian_cli.store.semantic.writing import NamespaceWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.model.times import Instant
    from neosian_cli.services.semantic.access import Access


def stats(access: Access) -> dict[str, Any]:
    """Counts by state, versions, bytes by kind, and the state of what is derived."""
    return access.mended(lambda: _stats(access))


def _stats(access: Access) -> dict[str, Any]:
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
        bound = namespace.binding
        value: dict[str, Any] = {
            "namespace": namespace.name,
            "binding": {name: getattr(bound, name) for name in fields(type(bound))},
        }
        if not is_stored:
            return {**value, "stored": False, "counts": {}, "versions": 0, "bytes": {}}
        view = access.view(tree, namespace)
        try:
            run = view.catalogue.connection.execute
            floor = namespace.history_floor
            value["stored"] = True
            value["counts"] = count_states(view.catalogue, access.store.now())
            value["versions"] = run("SELECT count(*) FROM version").fetchone()[0]
            value["erased"] = run("SELECT count(*) FROM erased").fetchone()[0]
            value["unreadable"] = run("SELECT count(*) FROM unreadable").fetchone()[0]
            value["last_written_at"] = view.head.last_created_at
            value["history_floor"] = None if floor is None else times.spell(floor)
            condition = condition_of(tree, view, access.planner)._asdict()
        finally:
            view.close()
        value["bytes"] = _bytes(tree, namespace.name)
        value["index"] = condition
        kept = cache.Cache(access.store.root, tree, namespace.name)
        try:
            value["cache"] = {"entries": kept.count(), "size": access.cache_size}
        finally:
            kept.close()
    return value


def _bytes(tree: Tree, name: str) -> dict[str, int]:
    """Sizes of the namespace's files by kind."""
    log = places.log_of(name)
    kinds = {"log": log.directory, "vectors": places.vectors_directory(name)}
    sizes = {kind: sum(_size(tree, f"{path}/{file}") for file, _ in tree.entries(path)) for kind, path in kinds.items()}
    sizes.update(catalogue=0, cache=0, index=0)
    derived = places.derived(name)
    for file, _ in tree.entries(derived):
        kind = next((kind for kind in ("cache", "index") if file.startswith(kind)), "catalogue")
        sizes[kind] += _size(tree, f"{derived}/{file}")
    return sizes


def _size(tree: Tree, path: str) -> int:
    status = tree.status(path)
    return status.st_size if status else 0


def compact(access: Access, before: Instant | None, *, write: bool) -> dict[str, Any]:
    """Drop what nothing can read, and with a time the history before it; a preview unless `write`."""
    return access.mended(lambda: _compact(access, before, write=write))


def _compact(access: Access, before: Instant | None, *, write: bool) -> dict[str, Any]:
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
        head = logs.read_head(tree, places.log_of(namespace.name))
        asked, before = before, compaction.check_before(namespace, head, before, access.store.now())
        if not is_stored or head is None:
            return {**_compacted(access, compaction.Dropped(0, 0, 0, 0), before), "applied": write}
        if not write:
            view = access.view(tree, namespace)
            try:
                dropped = compaction.measure(tree, namespace, head, view.catalogue, before)
            finally:
                view.close()
            return {**_compacted(access, dropped, before), "applied": False}
    with access.store.writing("semantic compact") as transaction:
        namespace, _ = access.find(transaction.tree)
        writer = NamespaceWriter(transaction, access.store.root, namespace, store_binding=False)
        try:
            # Another process may have raised the floor meanwhile.
            before = compaction.check_before(namespace, writer.head, asked, writer.now)
            dropped = compaction.measure(transaction.tree, namespace, writer.head, writer.catalogue, before)
            if any(dropped) or before is not None:
                compaction.compact(writer, before)
        finally:
            writer.close()
    return {**_compacted(access, dropped, before), "applied": True}


def _compacted(access: Access, dropped: compaction.Dropped, before: Instant | None) -> dict[str, Any]:
    floor = None if before is None else times.spell(before)
    return {"namespace": access.name, **dropped._asdict(), "history_floor": floor}


def reindex(access: Access, *, with_graph: bool = False, advance: Advance = ignored) -> dict[str, Any]:
    """Build the derived files anew from the records; the cache of embeddings stays.

    The graph is built where there are enough vectors for a search to use it, or on demand.
    """
    with access.store.writing("semantic reindex") as transaction:
        namespace, is_stored = access.find(transaction.tree)
        if not is_stored:
            return {"namespace": access.name, "records": 0, "versions": 0, "index": None}
        refresh.discard(transaction.tree, namespace.name)
        view = access.view(transaction.tree, namespace, with_vectors=True)
    try:
        versions = view.catalogue.connection.execute("SELECT count(*) FROM version").fetchone()[0]
        value = {"namespace": access.name, "records": view.catalogue.records, "versions": versions, "index": None}
        if with_graph or is_wanted(view.vectors.rows, view.vectors.dimensions, access.planner):
            value["index"] = indexing.make(access, view, advance)
    finally:
        view.close()
    return value


def drop(access: Access, *, write: bool) -> dict[str, Any]:
    """Remove a namespace with everything in it; a preview unless `write`. It need not be readable."""
    if not write:
        with access.store.reading() as tree:
            files = _files(access, tree)
        return {"namespace": access.name, "files": len(files), "applied": False}
    with access.store.reading() as tree:
        _files(access, tree)
    with access.store.writing("semantic drop") as transaction:
        files = _files(access, transaction.tree)
        for path in files:
            transaction.remove(path)
        transaction.commit()
    return {"namespace": access.name, "files": len(files), "applied": True}


def _files(access: Access, tree: Tree) -> list[str]:
    """Every file of the namespace; raises `not_found` where there is none."""
    top = places.directory(access.name)
    log = places.log_of(access.name)
    directories = (log.directory, places.vectors_directory(access.name), places.derived(access.name), top)
    files = [
        f"{directory}/{name}"
        for directory in directories
        for name, is_directory in sorted(tree.entries(directory))
        if not is_directory and places.is_plain(name)
    ]
    if not files:
        raise binding.unknown(access.name, binding.names(tree))
    return files
