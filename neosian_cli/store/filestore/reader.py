"""A file store as a whole: its scopes and their paths, and all that is there besides, each named.

`ROOT/user%3Aann/proj%3Aerp/documents/notes/a.md`, `versions/notes/a.jsonl`, `redactions.jsonl`. The store's own lock is
held while it is read, shared, so that its writers wait and other readers do not. Nothing is written, no link followed.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from neosian_cli.disk.lock import Held, SharedLock
from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import path as paths
from neosian_cli.model import scope as scopes
from neosian_cli.store.filestore import matter, rows
from neosian_cli.store.filestore.unfit import DAMAGED, NO_PLACE, Unfit
from neosian_cli.store.lines import lines_from
from neosian_cli.store.scopes import files_below

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.calls import Calls
    from neosian_cli.model.document import Version

LOCK = ".store.lock"
DOCUMENTS, DOCUMENT = "documents", ".md"
VERSIONS, HISTORY = "versions", ".jsonl"
REDACTIONS = "redactions.jsonl"
CONVERSATIONS = "conversations"
TEMPORARY = ".neosian-tmp-"
SCOPE_MARK = "%3A"


class Skipped(NamedTuple):
    """What is left behind: a file or directory of the store, and why."""

    path: str
    code: str
    message: str


@contextmanager
def opened(root: str, *, timeout: float, calls: Calls, ignore: str | None) -> Iterator[FileStore]:
    """The store at `root`; `ignore` is a name in it that is no part of it. Raises `not_a_store` or `locked`."""
    lock = SharedLock(root, LOCK)
    tree = Tree.open(root, calls)
    try:
        try:
            locked = lock.acquire(timeout)
        except Held:
            hint = "try again, or wait longer with --lock-timeout SECONDS"
            raise Failure("locked", f"another process holds {root}/{LOCK}; waited {timeout:g} s", hint=hint) from None
        except Unsafe as unsafe:
            hint = f"move {LOCK} away, once no other program uses that store"
            raise Failure("not_a_store", f"{root}: {unsafe}", hint=hint, file=LOCK) from None
        found = FileStore(tree, ignore)
        if not locked and not found.scopes:
            raise Failure("not_a_store", f"{root} is no file store of the Python package neosian", root=root)
        yield found
    finally:
        tree.close()
        lock.release()


class FileStore:
    """`scopes` in byte order; `skipped` grows as more is looked at."""

    def __init__(self, tree: Tree, ignore: str | None) -> None:
        self._tree = tree
        self._ignore = ignore
        self.skipped: list[Skipped] = []
        self.scopes: list[str] = []
        self._find("")

    def paths(self, scope: str) -> list[str]:
        """Every path that has a document or a history; files that are neither are skipped."""
        found: set[str] = set()
        for directory, suffix in ((DOCUMENTS, DOCUMENT), (VERSIONS, HISTORY)):
            top = f"{_directory(scope)}/{directory}"
            try:
                for name in files_below(self._tree, top):
                    path = self._path(f"{top}/{name}", name, suffix)
                    if path is not None:
                        found.add(path)
            except Unsafe as unsafe:
                self.skip(unsafe.path, DAMAGED, unsafe.reason)
        return sorted(found)

    def versions(self, scope: str, path: str) -> Iterator[Version]:
        """The versions of a path, oldest first, as this program keeps them; raises `Unfit`, `Unsafe` or OSError."""
        data = self._tree.read(self.document_file(scope, path))
        live = None if data is None else matter.decode(data)
        file = self._tree.open_file(f"{_directory(scope)}/{VERSIONS}/{path}{HISTORY}")
        if file is None:
            yield from rows.versions(scope, path, (), live)
            return
        with file:
            yield from rows.versions(scope, path, (line for _, line in lines_from(file)), live)

    def erasures(self, scope: str) -> list[dict[str, Any]]:
        """The rows of the scope's trail; damaged ones are skipped."""
        name = f"{_directory(scope)}/{REDACTIONS}"
        try:
            data = self._tree.read(name) or b""
        except Unsafe as unsafe:
            self.skip(name, DAMAGED, unsafe.reason)
            return []
        good = []
        for row in rows.erasures(data.splitlines(keepends=True)):
            if isinstance(row, Unfit):
                self.skip(name, row.code, row.reason)
            else:
                good.append(row)
        return good

    def document_file(self, scope: str, path: str) -> str:
        return f"{_directory(scope)}/{DOCUMENTS}/{path}{DOCUMENT}"

    def skip(self, path: str, code: str, reason: str) -> None:
        """Note what is left behind; `reason` continues a sentence that begins with its name."""
        self.skipped.append(Skipped(path, code, f"{path} {reason}"))

    def _path(self, file: str, name: str, suffix: str) -> str | None:
        base = name.rpartition("/")[2]
        if base.startswith(TEMPORARY):
            self.skip(file, NO_PLACE, "is a temporary file that a crash left; it may hold what was redacted since")
            return None
        try:
            if name.endswith(suffix):
                return paths.check(name.removesuffix(suffix))
        except Failure:
            pass
        self.skip(file, NO_PLACE, "is the file of no document")
        return None

    def _find(self, directory: str) -> None:
        known = {DOCUMENTS, VERSIONS, REDACTIONS} if directory else {LOCK, CONVERSATIONS, self._ignore}
        names = sorted(self._tree.entries(directory))
        if directory and any(name in known for name, _ in names):
            self.scopes.append(_scope(directory))
        for name, is_directory in names:
            file = f"{directory}/{name}" if directory else name
            if is_directory and SCOPE_MARK in name and _is_scope(file):
                self._find(file)
            elif name == CONVERSATIONS and not directory:
                self._skip_conversations()
            elif name not in known:
                self.skip(file, NO_PLACE, "is no part of a file store")

    def _skip_conversations(self) -> None:
        for name, _ in sorted(self._tree.entries(CONVERSATIONS)):
            self.skip(f"{CONVERSATIONS}/{name}", NO_PLACE, "is a conversation; turns have no place in this store")


def _directory(scope: str) -> str:
    return scope.replace(":", SCOPE_MARK)


def _scope(directory: str) -> str:
    return directory.replace(SCOPE_MARK, ":")


def _is_scope(directory: str) -> bool:
    try:
        return _directory(scopes.check(_scope(directory))) == directory
    except Failure:
        return False
