"""Making a namespace's graph anew: when it is time for it, without the lock while it is built.

Failure model. What was stored or compacted before is committed and stays so, whatever becomes of the graph: a failure
is told in the result and as a note, and the next load, compaction or reindex tries again. A signal or a kill ends the
program in the middle of the build; nothing of it has a name by then. The root lock is held shared while the file is
written, and exclusively while it gets its name; whoever has rewritten history in between, or has published a graph of
more rows, wins (`store/semantic/index`).
"""

from __future__ import annotations

from contextlib import closing

from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.errors import Failure
from neosian_cli.store.semantic import construction, index
from neosian_cli.store.semantic.catalogue import comes_from_sqlite
from neosian_cli.store.semantic.condition import CURRENT, NONE, UNFIT, condition_of, is_wanted
from neosian_cli.store.semantic.vectors import count_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.model.advance import Advance
    from neosian_cli.services.semantic.access import Access
    from neosian_cli.store.semantic.index import Built, Manifest
    from neosian_cli.store.semantic.view import View


def renew(access: Access, advance: Advance) -> dict[str, Any] | None:
    """Make the graph anew where it is stale; what became of it, None where it is not its time.

    To be called after a commit: raises nothing but what ends the program.
    """
    try:
        view = access.mended(lambda: _stale_view(access))
        if view is None:
            return None
        with closing(view):
            return make(access, view, advance)
    except Failure as failure:
        return _none(access, failure.message)
    except Exception as error:
        if not isinstance(error, OSError | Unsafe | ImportError | MemoryError) and not comes_from_sqlite(error):
            raise
        return _none(access, str(error) or type(error).__name__)


def _stale_view(access: Access) -> View | None:
    """A view to build a graph of; None where the one there is is good for longer, or none is wanted."""
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
        dimensions = namespace.binding.dimensions
        if not is_stored or not is_wanted(count_rows(tree, namespace.name, dimensions), dimensions, access.planner):
            return None
        view = access.view(tree, namespace, with_vectors=True)
        stale = False
        try:
            stale = condition_of(tree, view, access.planner).stale
        finally:
            if not stale:
                view.close()
    return view if stale else None


def make(access: Access, view: View, advance: Advance) -> dict[str, Any]:
    """Build a graph without the lock, and publish it; what became of it. Raises what `Store.reading` raises."""
    built = construction.build(view, access.planner.index_ef, advance)
    if built is None:
        return _none(access, "there is nothing to make it of, or no way to here")
    with closing(built):
        made = _published(access, view, built)
    if isinstance(made, str):
        return _none(access, made)
    if not made.reaches:
        access.store.notes.append(
            f"an index of {access.name} would miss too many of the nearest: searches scan its vectors"
        )
    state = CURRENT if made.reaches else UNFIT
    return {"state": state, "rows": made.rows, "vectors": made.vectors, "bytes": made.size}


def _published(access: Access, view: View, built: Built) -> Manifest | str:
    """The manifest, or why there is none."""
    store, name = access.store, access.name
    with store.reading() as tree:
        if not view.is_current(tree):
            return "its history has been rewritten meanwhile"
        try:
            manifest = index.place(store.root, tree, name, built, store.new_id())
        except (OSError, Unsafe) as error:
            return _reason(error)
    with store.held(), closing(Tree.open(store.root, store.calls)) as own:
        try:
            made = index.publish(own, name, manifest, store.new_id())
        except (OSError, Unsafe) as error:
            return _reason(error)
    return made or "another process was ahead"


def _reason(error: OSError | Unsafe) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _none(access: Access, reason: str) -> dict[str, Any]:
    access.store.notes.append(f"no index was made of {access.name}: {reason}; searches scan its vectors")
    return {"state": NONE, "reason": reason}
