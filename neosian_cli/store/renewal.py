"""Making derived files anew because somebody asks for it: whatever stands in their place goes, truth is never touched.

Failure model. Each file is written as its everyday renewal writes it, so that one stands under the name that is whole;
what cannot be opened at all is unlinked first. Stopped anywhere, a derived file is missing or old, which its next use
makes up for. The index of messages is made under the exclusive lock; files of a namespace under the shared one, so that
only writers wait; an index of vectors is grown without a lock and named under the exclusive one, if it is of use then.
"""

from __future__ import annotations

import stat as modes
from contextlib import closing

from neosian_cli.disk import derived
from neosian_cli.disk.tree import Tree
from neosian_cli.model.advance import ignored
from neosian_cli.store import layout, mailbox
from neosian_cli.store import log as logs
from neosian_cli.store.finding import CACHE, CATALOGUE, INDEX, MESSAGES, Target
from neosian_cli.store.semantic import binding, construction, index, places
from neosian_cli.store.semantic.cache import Cache
from neosian_cli.store.semantic.refresh import Derived
from neosian_cli.store.semantic.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from neosian_cli.store.root import Store
    from neosian_cli.store.semantic.index import Built, Manifest

VERB = "verify --repair-derived"
RENEWED = "made anew"
DROPPED = "dropped"


def derived_at(path: str) -> Target | None:
    """What would be made anew if this name were free; None for what holds something of its own."""
    above, _, name = path.rpartition("/")
    directory = path if name == layout.MAILBOX else above
    if path in (directory, f"{directory}/open.log") and directory.endswith(f"/{layout.MAILBOX}"):
        scope = layout.scope_of(directory.removesuffix(f"/{layout.MAILBOX}"))
        return None if scope is None else Target(MESSAGES, scope)
    parts = path.split("/")
    if parts[0] != places.SEMANTIC or len(parts) < 3 or places.derived(parts[1]) != "/".join(parts[:3]):
        return None
    if len(parts) == 3:
        return Target(CATALOGUE, parts[1])
    kind = next((kind for kind in (CATALOGUE, INDEX, CACHE) if name.startswith(kind)), None)
    return Target(kind, parts[1]) if kind and len(parts) == 4 else None


def renew(store: Store, what: Target, paths: Iterable[str], ef_of: Callable[[str], int]) -> str:
    """Make it anew, with these names of its files cleared where they stand for no plain file; what was done.

    `ef_of` says of a namespace how widely its index may be searched at most.

    Raises what keeps it from being done, `record_corrupt` and the like where what it derives from cannot be read.
    """
    if what.kind == MESSAGES:
        return _renew_messages(store, what.of, paths)
    with store.reading() as tree:
        _clear(store, paths)
        if what.kind == CACHE:
            with closing(Cache(store.root, tree, what.of)) as cache:
                cache.mend()
            return DROPPED
        if what.kind == CATALOGUE:
            _renew_catalogue(store, tree, what.of)
            return RENEWED
    return _renew_index(store, what.of, ef_of(what.of))


def _renew_messages(store: Store, scope: str, paths: Iterable[str]) -> str:
    with store.writing(VERB) as transaction:
        _clear(store, paths)
        mailbox.rebuild(transaction, scope)
        transaction.commit()
    return RENEWED


def _renew_catalogue(store: Store, tree: Tree, name: str) -> None:
    namespace, head = binding.read(tree, name), logs.read_head(tree, places.log_of(name))
    if namespace is not None and head is not None:
        Derived(store.root, tree, namespace, head, store.new_id).renew()


def _renew_index(store: Store, name: str, ef: int) -> str:
    with store.reading() as tree:
        namespace = binding.read(tree, name)
        if namespace is None:
            return DROPPED
        view = View(store.root, tree, namespace, store.new_id)
    try:
        built = _built(view, ef)
        if built is not None:
            with closing(built), store.reading() as tree:
                current = view.is_current(tree)
                manifest = index.place(store.root, tree, name, built, store.new_id()) if current else None
            if manifest is not None:
                _publish(store, name, manifest)
            # Where history was rewritten, or another process was ahead, what stands there now is not ours to drop.
            return RENEWED
    finally:
        view.close()
    _drop_index(store, name)
    return DROPPED


def _built(view: View, ef: int) -> Built | None:
    """A graph; None where there is nothing to make it of, or no way to."""
    try:
        return construction.build(view, ef, ignored)
    except ImportError:
        return None


def _publish(store: Store, name: str, manifest: Manifest) -> None:
    with store.held(), closing(Tree.open(store.root, store.calls)) as own:
        index.publish(own, name, manifest, store.new_id())


def _drop_index(store: Store, name: str) -> None:
    directory = places.derived(name)
    with store.held(), closing(Tree.open(store.root, store.calls)) as own:
        names = [file for file, _ in own.entries(directory) if file == index.MANIFEST or _is_index(file)]
        derived.discard(own, directory, names)


def _is_index(name: str) -> bool:
    return name.startswith(index.PREFIX) and name.endswith(index.SUFFIX)


def _clear(store: Store, paths: Iterable[str]) -> None:
    """Unlink what stands in the way: a link, a FIFO, a file of somebody else's. Directories stay."""
    with closing(Tree.open(store.root, store.calls)) as own:
        for path in paths:
            status = own.status(path)
            if status is not None and not modes.S_ISDIR(status.st_mode) and not modes.S_ISREG(status.st_mode):
                own.remove(path)
                own.sync_directory(path.rpartition("/")[0])
