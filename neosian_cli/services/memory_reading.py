"""Looking at documents: what lies in a scope, and one body."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import body, listcursor
from neosian_cli.model import path as paths
from neosian_cli.model.document import document_of
from neosian_cli.services.memory import missing, no_version
from neosian_cli.store import documents
from neosian_cli.store.history import History

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.document import Document, Version
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.listing import Page
    from neosian_cli.store.root import Store

LIST = "documents"


def list_documents(
    store: Store, mount: Mount, below: str = "", *, prefix: str = "", cursor: str | None = None, limit: int = 50
) -> dict[str, object]:
    """A page of the live documents at or below a path ("": the scope), in byte order of the whole path.

    A prefix that begins with a slash is one of the mounted path. Documents under reserved paths show only where path
    or prefix names them. Raises `invalid_cursor`.
    """
    from neosian_cli.store import listing

    after = "" if cursor is None else listcursor.decode(cursor, LIST, mount.scope)
    inner = _inner_prefix(mount, prefix)
    if inner is None:
        return _page(mount, listing.Page([], [], None))
    window = listing.Window(after, inner, paths.is_reserved(below) or paths.is_reserved(inner))
    with store.reading() as tree:
        page = listing.page(tree, mount.scope, below=below, window=window, limit=limit)
    return _page(mount, page)


def _inner_prefix(mount: Mount, prefix: str) -> str | None:
    """A prefix of mounted paths as one of document paths; None where nothing in the mount can begin so."""
    if not prefix.startswith("/"):
        return prefix
    root = mount.mounted("")
    if root.startswith(prefix):
        return ""
    return prefix.removeprefix(root) if prefix.startswith(root) else None


def _page(mount: Mount, page: Page) -> dict[str, object]:
    return {
        "scope": mount.scope,
        "mount": mount.root,
        "entries": [
            {
                "path": entry.path,
                "mounted_path": mount.mounted(entry.path),
                "version": entry.version,
                "created_at": entry.created_at,
                "updated_at": entry.updated_at,
                "actor": entry.actor,
                "erased": entry.erased,
                "bytes": entry.bytes,
            }
            for entry in page.entries
        ],
        "next_cursor": None if page.last is None else listcursor.encode(LIST, mount.scope, page.last),
        "unreadable": [problem.as_dict() for problem in page.unreadable],
    }


def view(
    store: Store, mount: Mount, path: str, *, version: int | None = None, lines: tuple[int, int | None] | None = None
) -> dict[str, object]:
    """One body, live or of a version, whole or cut to some lines, which then stand beside it as `lines`.

    Raises `not_found`, for the version of a deletion too.
    """
    with store.reading() as tree:
        if version is None:
            found, newest = documents.read(tree, mount.scope, path)
            if found is None:
                raise missing(mount, path, newest)
        else:
            found = _at_version(tree, mount, path, version)
    return _shown(mount, found, lines)


def _at_version(tree: Tree, mount: Mount, path: str, version: int) -> Document:
    opened = History.open(tree, mount.scope, path)
    if opened is None:
        raise no_version(mount, path, version, None)
    with opened:
        row = opened.find(version)
        if row is None:
            raise no_version(mount, path, version, opened.newest())
    if not row.is_live:
        raise _deletion(mount, row)
    return document_of(mount.scope, row)


def _deletion(mount: Mount, row: Version) -> Failure:
    mounted = mount.mounted(row.path)
    return Failure(
        "not_found",
        f"version {row.version} of {mounted} is its deletion; there is nothing to view",
        hint=f"the version before it: neosian memory view {mounted} --version {row.version - 1}",
        path=row.path,
        version=row.version,
    )


def _shown(mount: Mount, document: Document, lines: tuple[int, int | None] | None) -> dict[str, object]:
    result: dict[str, object] = {
        "scope": document.scope,
        "path": document.path,
        "mounted_path": mount.mounted(document.path),
        "version": document.version,
        "created_at": document.created_at,
        "updated_at": document.updated_at,
        "actor": document.actor,
        "erased": document.erased,
        "content": document.content,
        "extra": document.extra,
    }
    if lines is not None:
        chosen = body.cut(document.content, *lines)
        result["content"] = "".join(chosen)
        result["lines"] = {
            "first": lines[0],
            "last": lines[0] + len(chosen) - 1,
            "total": body.count_lines(document.content),
        }
    return result
