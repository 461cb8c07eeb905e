"""The versions of a document: listing them, comparing two, and undoing the newest."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import listcursor
from neosian_cli.services.memory import changed, no_version, require_editable
from neosian_cli.store import documents
from neosian_cli.store.damage import damaged
from neosian_cli.store.documents import ScopeWriter
from neosian_cli.store.history import History

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.document import Version
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.root import Store

LIST = "versions"


def versions(
    store: Store, mount: Mount, path: str, *, bodies: bool = False, cursor: str | None = None, limit: int = 50
) -> dict[str, object]:
    """A page of the versions, newest first, deletions too. Raises `not_found` or `invalid_cursor`."""
    of = f"{mount.scope}\n{path}"
    below = None if cursor is None else _number(listcursor.decode(cursor, LIST, of))
    rows: list[dict[str, object]] = []
    more = False
    with store.reading() as tree:
        opened = History.open(tree, mount.scope, path)
        if opened is None:
            raise no_version(mount, path, 0, None)
        with opened:
            for row in opened.newest_first(below):
                if len(rows) == limit:
                    more = True
                    break
                rows.append(_listed(row, bodies=bodies))
    last = listcursor.encode(LIST, of, str(rows[-1]["version"])) if more else None
    return {"scope": mount.scope, "path": path, "versions": rows, "next_cursor": last}


def _number(key: str) -> int:
    from neosian_cli.model.cursor import malformed

    if not (key.isascii() and key.isdigit() and len(key) < 20):
        raise malformed("cursor")
    return int(key)


def _listed(row: Version, *, bodies: bool) -> dict[str, object]:
    shown: dict[str, object] = {
        "version": row.version,
        "action": row.action,
        "actor": row.actor,
        "created_at": row.created_at,
        "erased": row.erased,
    }
    return {**shown, "content": row.content, "extra": row.extra} if bodies else shown


def diff(store: Store, mount: Mount, path: str, *, old: int | None = None, new: int | None = None) -> dict[str, object]:
    """The unified diff from version `old` (the one before `new`) to `new` (the newest); version 0 is empty.

    A deletion counts as empty. Raises `not_found`.
    """
    with store.reading() as tree:
        opened = History.open(tree, mount.scope, path)
        if opened is None:
            raise no_version(mount, path, new or old or 0, None)
        with opened:
            newest = opened.newest()
            new = newest.version if new is None else new
            after = _content(mount, opened, new, newest)
            old = max(0, new - 1) if old is None else old
            before = _content(mount, opened, old, newest)
    from neosian_cli.model import unified

    text = unified.diff(before, after, f"a/{path}\tversion {old}", f"b/{path}\tversion {new}")
    return {"path": path, "from": old, "to": new, "diff": text}


def _content(mount: Mount, history: History, number: int, newest: Version) -> str:
    if number == 0:
        return ""
    row = newest if number == newest.version else history.find(number)
    if row is None:
        raise no_version(mount, newest.path, number, newest)
    return row.content


def revert(store: Store, mount: Mount, path: str, version: int, *, actor: str) -> dict[str, object]:
    """Undo a version, which must be the newest, as a new version.

    A creation or a rename's arrival is deleted again; a modification gets back body and extra of the version before; a
    deletion is created anew from the version before. Raises `revert_stale`, `erased` or `not_found`, and `edit_only`
    where that would create or delete.
    """
    require_editable(mount, path, structural=False)
    if not store.exists:
        raise no_version(mount, path, version, None)
    with store.writing("memory revert") as transaction:
        _, newest = documents.read(transaction.tree, mount.scope, path)
        newest = _require_newest(mount, path, version, newest)
        writer = ScopeWriter(transaction, mount.scope, actor)
        if newest.action in ("created", "renamed"):
            mount.require_writable(structural=True)
            row = writer.delete(path, newest)
        else:
            mount.require_writable(structural=not newest.is_live)
            before = _before(transaction.tree, mount, newest)
            row = writer.write(path, before.content, before.extra, newest)
        writer.commit()
    return changed(mount, row)


def _require_newest(mount: Mount, path: str, version: int, newest: Version | None) -> Version:
    if newest is None or version > newest.version:
        raise no_version(mount, path, version, newest)
    mounted = mount.mounted(path)
    if version < newest.version:
        raise Failure.conflict(
            "revert_stale",
            f"version {version} of {mounted} is not the newest, which is {newest.version}",
            hint=f"neosian memory diff {mounted} --from {version - 1} --to {newest.version}",
            path=path,
            version=version,
            newest=newest.version,
        )
    if newest.erased:
        raise _erased(mount, newest, f"version {version} of {mounted} was erased and cannot be reverted")
    return newest


def _before(tree: Tree, mount: Mount, newest: Version) -> Version:
    """The version before the newest, to be restored."""
    opened = History.open(tree, mount.scope, newest.path)
    assert opened is not None
    with opened:
        row = next(opened.newest_first(newest.version), None)
        if row is None or row.version != newest.version - 1:
            raise damaged(opened.file_path, f"has no version {newest.version - 1}", path=newest.path)
    if row.erased:
        mounted = mount.mounted(row.path)
        raise _erased(mount, row, f"version {row.version} of {mounted}, which would come back, was erased")
    return row


def _erased(mount: Mount, row: Version, message: str) -> Failure:
    hint = f"write it anew: neosian memory write {mount.mounted(row.path)} --content -"
    return Failure.conflict("erased", message, hint=hint, path=row.path, version=row.version)
