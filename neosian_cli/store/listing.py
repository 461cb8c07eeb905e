"""The documents of a scope in byte order of their whole path, page by page.

Nothing is kept in order on disk: a directory's names are sorted when they are needed, a directory under its name and
`/`, which gives the order of the whole paths. A page opens neither the documents nor the directories that lie before
its beginning. What cannot be read stands beside the good ones under the path that its name stands for.
"""

from __future__ import annotations

import errno
import heapq

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import body
from neosian_cli.model import path as paths
from neosian_cli.model.value import value
from neosian_cli.store import documents, layout
from neosian_cli.store.damage import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.document import Document

MAX_UNREADABLE = 500
"""A page ends after so many unreadable entries, however few good ones it has."""

_OF_ONE_OBJECT = (errno.EACCES, errno.EPERM, errno.EIO)


@value
class Found:
    """A name below `documents/` or `versions/`: `key` is its place in the order, without a problem a path too."""

    key: str
    file: str
    problem: Failure | None = None


@value
class Entry:
    """A live document without its body; `bytes` is the body's size in UTF-8."""

    path: str
    version: int
    created_at: str
    updated_at: str
    actor: str
    erased: bool
    bytes: int


@value
class Unreadable:
    """What stands in place of a document that cannot be read."""

    path: str
    code: str
    message: str

    def as_dict(self) -> dict[str, str]:
        return {"path": self.path, "code": self.code, "message": self.message}


@value
class Page:
    """`last` is the key after which the list goes on; None at its end."""

    entries: list[Entry]
    unreadable: list[Unreadable]
    last: str | None


@value
class Window:
    """What is wanted: keys above `after` that begin with `prefix`; the reserved ones only when `reserved`."""

    after: str = ""
    prefix: str = ""
    reserved: bool = True

    def wants(self, key: str) -> bool:
        return key > self.after and key.startswith(self.prefix)

    def enters(self, key: str) -> bool:
        """Whether something wanted may lie below the directory `key`, which ends with a slash."""
        if not self.reserved and paths.is_reserved(key):
            return False
        past = key <= self.after and not self.after.startswith(key)
        return not past and (key.startswith(self.prefix) or self.prefix.startswith(key))


def walk(tree: Tree, directory: str, suffix: str, window: Window, base: str = "") -> Iterator[Found]:
    """Every file below `directory` that the window wants, in order; `base` is what all their keys begin with.

    Raises `Unsafe` for the directory itself; those below it are found with their problem.
    """
    found = sorted(_keyed(tree, directory, suffix, window, base))
    for key, name, is_directory in found:
        file = f"{directory}/{name}"
        if not is_directory:
            yield Found(key, file, _objection(key, name, suffix, file))
        elif layout.relative_directory(key[len(base) : -1]) != name or _is_no_path(key[:-1]):
            yield Found(key, file, damaged(file, "is the directory of no document path"))
        else:
            yield from _below(tree, file, suffix, window, key)


def _keyed(tree: Tree, directory: str, suffix: str, window: Window, base: str) -> Iterator[tuple[str, str, bool]]:
    after, prefix = window.after, window.prefix
    for name, is_directory in tree.entries(directory):
        if not is_directory or name.endswith(suffix):  # a directory in the place of a file is that document's damage
            # As `Window.wants`, but without a call for each of what may be very many names.
            key = base + name.removesuffix(suffix)
            if key > after and key.startswith(prefix):
                yield key, name, False
        else:
            key = f"{base}{layout.segment_of_directory(name)}/"
            if window.enters(key):
                yield key, name, True


def _below(tree: Tree, directory: str, suffix: str, window: Window, key: str) -> Iterator[Found]:
    """As `walk`, for a directory that hides no other where it cannot be entered."""
    try:
        tree.directory(directory)
    except (Unsafe, OSError) as error:
        yield Found(key, directory, problem_of(error, directory))
        return
    yield from walk(tree, directory, suffix, window, key)


def _is_no_path(path: str) -> bool:
    try:
        paths.check(path)
    except Failure:
        return True
    return False


def _objection(path: str, name: str, suffix: str, file: str) -> Failure | None:
    if not name.endswith(suffix) or _is_no_path(path):
        return damaged(file, "is the file of no document")
    return None


def problem_of(error: Exception, file: str) -> Failure:
    """What keeps one object from being read, as a failure; raises the error itself where it is not of one object."""
    if isinstance(error, Failure) and error.code in ("document_corrupt", "format_unsupported", "conflict"):
        return error
    if isinstance(error, Unsafe):
        return damaged(error.path, error.reason)
    if isinstance(error, OSError) and error.errno in _OF_ONE_OBJECT:
        code = "io_error" if error.errno == errno.EIO else "permission_denied"
        return Failure(code, f"{file} cannot be read: {error.strerror}", file=file)
    raise error


def candidates(tree: Tree, scope: str, below: str, window: Window) -> Iterator[Found]:
    """The wanted paths at or below the path `below` ("": all of the scope), by the names of documents and histories.

    A path that has a history alone was deleted, or has lost its document.
    """
    last = None
    base = layout.scope_directory(scope)
    documents_first = (
        _named(tree, f"{base}/{layout.DOCUMENTS}", layout.DOCUMENT_SUFFIX, below, window),
        _named(tree, f"{base}/{layout.VERSIONS}", layout.VERSIONS_SUFFIX, below, window),
    )
    for found in heapq.merge(*documents_first, key=lambda found: found.key):
        if found.problem is not None:
            yield found
        elif found.key != last:
            last = found.key
            yield found


def _named(tree: Tree, directory: str, suffix: str, below: str, window: Window) -> Iterator[Found]:
    if not below:
        yield from walk(tree, directory, suffix, window)
        return
    file = f"{directory}/{layout.relative_file(below, suffix)}"
    if window.wants(below) and tree.status(file) is not None:
        yield Found(below, file)
    if window.enters(f"{below}/"):
        yield from _below(tree, f"{directory}/{layout.relative_directory(below)}", suffix, window, f"{below}/")


def page(tree: Tree, scope: str, *, below: str, window: Window, limit: int) -> Page:
    """Up to `limit` live documents, what is unreadable among them, and where to go on."""
    entries: list[Entry] = []
    unreadable: list[Unreadable] = []
    last = None
    for found in candidates(tree, scope, below, window):
        # A stray file may have the key of a good document; the page after this one begins above both.
        if found.key != last and (len(entries) >= limit or len(unreadable) >= MAX_UNREADABLE):
            return Page(entries, unreadable, last)
        last = found.key
        try:
            document = read(tree, scope, found)
            entries.extend([] if document is None else [entry_of(document)])
        except (Failure, Unsafe, OSError) as error:
            problem = problem_of(error, found.file)
            unreadable.append(Unreadable(found.key, problem.code, problem.message))
    return Page(entries, unreadable, None)


def read(tree: Tree, scope: str, found: Found) -> Document | None:
    """The document of a candidate; None where it was deleted. Raises what keeps it from being read."""
    if found.problem is not None:
        raise found.problem
    return documents.read(tree, scope, found.key)[0]


def entry_of(document: Document) -> Entry:
    """A document without its body."""
    return Entry(
        document.path,
        document.version,
        document.created_at,
        document.updated_at,
        document.actor,
        document.erased,
        body.size_of(document.content),
    )
