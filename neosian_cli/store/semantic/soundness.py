"""Whether what is derived from a namespace's records says what they say: catalogue, words, index, cache.

Index and cache are read under the lock. The catalogue is opened under it and compared after it, so that writers go on:
it is held against one that is made from the log for this purpose, up to the line that it stands at. An erasure or a
compaction rewrites the log; a comparison that it has overtaken is worth nothing and is made again, at last under the
lock.
"""

from __future__ import annotations

import os
from contextlib import nullcontext

from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.store import log as logs
from neosian_cli.store.finding import CACHE, CATALOGUE, INDEX, Finding, Target, warning
from neosian_cli.store.seal import NewerFormat, unseal
from neosian_cli.store.semantic import binding, cache, index, places
from neosian_cli.store.semantic.catalogue import Catalogue
from neosian_cli.store.semantic.refresh import POINTER, Derived
from neosian_cli.store.semantic.vectors import count_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from neosian_cli.model.advance import Advance
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.store.log import Head
    from neosian_cli.store.root import Store

    Hold = Callable[[], AbstractContextManager[Tree]]

TRIES = 3
"""After so many comparisons that were overtaken the lock is held through the next one."""
ROWS = 5000
"""Rows that are compared at once."""
CONTENTS = (
    "SELECT name, value FROM meta ORDER BY name",
    "SELECT * FROM version ORDER BY sequence",
    "SELECT * FROM pair ORDER BY key, value, sequence",
    "SELECT * FROM change ORDER BY sequence",
    "SELECT * FROM erased ORDER BY id",
    "SELECT sequence, id, code FROM unreadable ORDER BY sequence",
    "SELECT term, doc, offset FROM posting",
)
UNUSABLE = "names a catalogue that is not what the log says"


def check(store: Store, name: str, *, eager: bool = False, advance: Advance = ignored) -> list[Finding]:
    """What is wrong with the derived files of a namespace.

    Where `eager`, also what is merely missing or behind, and would be made up for by the next use.
    """
    for _ in range(TRIES):
        found = _check(store, store.reading, name, eager=eager, advance=advance)
        if found is not None:
            return found
    with store.reading() as tree:
        return _check(store, lambda: nullcontext(tree), name, eager=eager, advance=advance) or []


def _check(store: Store, hold: Hold, name: str, *, eager: bool, advance: Advance) -> list[Finding] | None:
    """The findings; None where the records were rewritten meanwhile."""
    with hold() as tree:
        bound = _bound(tree, name)
        if bound is None:
            return []
        namespace, head = bound
        found = [*_index(tree, namespace, head, eager=eager), *_cache(store.root, tree, name)]
        catalogue = Derived(store.root, tree, namespace, head, store.new_id).as_it_stands()
        if isinstance(catalogue, Catalogue):
            catalogue.connection.execute("BEGIN")
            catalogue.connection.execute("SELECT 1 FROM meta").fetchone()
    reason: str | None
    if isinstance(catalogue, Catalogue):
        try:
            reason = _difference(store, namespace, head, catalogue, advance)
            if reason is None and catalogue.position.number < head.head and eager:
                reason = "names a catalogue that is behind the log"
        finally:
            catalogue.close()
    else:
        reason = "is missing" if catalogue is None and eager and head.head else catalogue
    if reason is not None:
        path = f"{places.derived(name)}/{POINTER}"
        found.append(warning("record_corrupt", path, reason, Target(CATALOGUE, name)))
    with hold() as tree:
        now = _bound(tree, name)
        return found if now is not None and _state(*now) == _state(namespace, head) else None if now else []


def _bound(tree: Tree, name: str) -> tuple[Namespace, Head] | None:
    """The namespace and its log's head; None where they cannot be read, which is another finding."""
    try:
        namespace, head = binding.read(tree, name), logs.read_head(tree, places.log_of(name))
    except (Failure, Unsafe):
        return None
    return None if namespace is None or head is None else (namespace, head)


def _state(namespace: Namespace, head: Head) -> tuple[int, str]:
    """What changes when the log is rewritten."""
    return namespace.generation, head.stream


def _difference(store: Store, namespace: Namespace, head: Head, held: Catalogue, advance: Advance) -> str | None:
    """What a catalogue has otherwise than the log."""
    from neosian_cli.store.semantic.database import sqlite3

    own = Tree.open(store.root, store.calls)
    fresh = None
    try:
        fresh = Derived(store.root, own, namespace, head, store.new_id).built_up_to(held.position)
        if held.connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            return "names a catalogue that is damaged"
        for sql in CONTENTS:
            for ours, theirs in zip(_rows(fresh.connection, sql), _rows(held.connection, sql), strict=True):
                if ours != theirs:
                    return UNUSABLE
                advance(0)
    except sqlite3.Error:
        return "names a catalogue that cannot be read"
    except ValueError:  # of zip: one has more than the other
        return UNUSABLE
    except Failure as failure:
        if failure.code == "unsupported":
            return None  # without the language's stemmer nobody can tell
        raise
    finally:
        own.close()
        if fresh is not None:
            fresh.close()
    return None


def _rows(connection: sqlite3.Connection, sql: str) -> Iterator[list[tuple[object, ...]]]:
    cursor = connection.cursor()
    cursor.row_factory = None
    cursor.execute(sql)
    while rows := cursor.fetchmany(ROWS):
        yield rows


def _index(tree: Tree, namespace: Namespace, head: Head, *, eager: bool) -> Iterator[Finding]:
    directory = places.derived(namespace.name)
    path = f"{directory}/{index.MANIFEST}"
    reason = None
    try:
        data = tree.read(path)
        if data is not None:
            unseal(data)
            reason = _fault_of_index(tree, namespace, head)
        elif eager and any(name.startswith(index.PREFIX) for name, _ in tree.entries(directory)):
            reason = "is missing, though there is an index"
    except NewerFormat as newer:
        reason = str(newer)
    except Unsafe as unsafe:
        reason = f"is of no use: {unsafe}"
    except ValueError as error:
        reason = f"is damaged: {error}"
    if reason is not None:
        yield warning("record_corrupt", path, reason, Target(INDEX, namespace.name))


def _fault_of_index(tree: Tree, namespace: Namespace, head: Head) -> str | None:
    """What is wrong with the graph of a manifest that is whole. Raises `Unsafe`."""
    manifest = index.read_manifest(tree, namespace.name)
    if manifest is None:
        return "says what no index says"
    if not index.belongs(manifest, namespace, head.stream):
        return "names an index of another history"
    try:
        rows = count_rows(tree, namespace.name, namespace.binding.dimensions)
    except Failure:
        return None  # the vectors themselves are damaged
    if not manifest.vectors <= manifest.rows <= rows:
        return "names an index of more records than there are"
    if not manifest.file:
        return None  # one that was measured and found to be of no use
    file = tree.open_file(f"{places.derived(namespace.name)}/{manifest.file}")
    if file is None:
        return "names an index that is missing"
    with file:
        fault = index.fault_of(file, manifest)
    return None if fault is None else f"names an index that {fault}"


def _cache(root: str, tree: Tree, name: str) -> Iterator[Finding]:
    path = f"{places.derived(name)}/{cache.NAME}"
    try:
        file = tree.open_file(path)
        if file is None:
            return
        file.close()
        reason = cache.fault_of(os.path.join(root, path)) if file.size else None
    except Unsafe as unsafe:
        reason = unsafe.reason
    if reason is not None:
        yield warning("record_corrupt", path, reason, Target(CACHE, name))
