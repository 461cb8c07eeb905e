"""Erasing bodies for good, after a look at how much that is."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.store import erasure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.erasure import Extent
    from neosian_cli.store.root import Store


def erase(
    store: Store,
    mount: Mount,
    path: str | None,
    *,
    actor: str,
    apply: bool = False,
    whole: bool = False,
    advance: Advance = ignored,
) -> dict[str, object]:
    """Blank a document and all its versions, or the scope (`path` None, `whole` says that it is meant).

    Without `apply` it is only counted what would be. All blank already: 0 and 0, and nothing is written. `advance` is
    called for every path looked at. Raises `read_only`; an edit-only mount allows it.
    """
    _require_consent(mount, path, whole=whole)
    mount.require_writable(structural=False)
    if apply and store.exists:
        # Under the exclusive lock also where all is blank: taking it sweeps the files of interrupted mutations, which
        # may hold what is to be erased.
        try:
            with store.writing("memory erase") as transaction:
                extent = erasure.erase(transaction, mount.scope, path, actor, advance)
                transaction.commit()
        except Failure as failure:
            if failure.code == "unsupported":
                failure.hint = f"erase in parts, document by document: neosian memory list {mount.root} --jsonl"
            raise
    else:
        with store.reading() as tree:
            extent = _measure(tree, mount, path, advance)
    return {
        "scope": mount.scope,
        "path": path,
        "documents": extent.documents,
        "versions": extent.versions,
        "applied": apply,
    }


def _require_consent(mount: Mount, path: str | None, *, whole: bool) -> None:
    if path is None and not whole:
        raise Failure(
            "invalid_argument",
            f"{mount.root} is a mount; to erase all of its scope {mount.scope}, say so with --all",
            hint=f"neosian memory erase {mount.root} --all",
            scope=mount.scope,
        )
    if path is not None and whole:
        raise Failure(
            "invalid_argument",
            f"--all means a whole scope, and {mount.mounted(path)} is a document",
            hint=f"neosian memory erase {mount.mounted(path)}, or neosian memory erase {mount.root} --all",
        )


def _measure(tree: Tree, mount: Mount, path: str | None, advance: Advance) -> Extent:
    if path is None:
        return erasure.measure_scope(tree, mount.scope, advance)
    return erasure.measure(tree, mount.scope, path)
