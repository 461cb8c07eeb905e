"""Erasing bodies: the text goes, the skeleton of documents and versions stays.

A document's file and its history are rewritten whole, each as one new file in one plan, so that what is erased is in
no file once the plan is done: the plan holds only what stays, and the files that are replaced lose their names in it.
Long histories pass through a staged file row by row.

A path has something to erase when one of its versions holds a body or an extra. Then every version of it that is not
yet marked as erased is blanked and counted, deletions too.
"""

from __future__ import annotations

import heapq
from itertools import chain

from neosian_cli.model import path as paths
from neosian_cli.model import times
from neosian_cli.model.document import FORMAT, Version, document_of
from neosian_cli.model.kinds import COUNT, COUNT_OR_NONE, TEXT, TEXT_OR_NONE, require
from neosian_cli.model.value import replace, value
from neosian_cli.store import documents, feed, history, layout, mailbox
from neosian_cli.store.damage import damaged
from neosian_cli.store.history import History
from neosian_cli.store.listing import Window, walk
from neosian_cli.store.seal import seal, unseal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.store.transaction import Transaction

ROW = {
    "format": COUNT,
    "path": TEXT_OR_NONE,
    "actor": TEXT,
    "created_at": TEXT,
    "documents": COUNT_OR_NONE,
    "versions": COUNT_OR_NONE,
    "sequence": COUNT,
}
"""What a row of the trail holds; what was erased elsewhere, before an import, is not always counted."""

INLINE = 4096
"""Rewritten histories up to so many bytes stand in the plan itself, where a staged file would be no shorter."""


@value
class Extent:
    """How much an erasure blanks: live documents and versions."""

    documents: int = 0
    versions: int = 0

    def __add__(self, other: Extent) -> Extent:
        return Extent(self.documents + other.documents, self.versions + other.versions)

    def __bool__(self) -> bool:
        return self.versions > 0


def measure(tree: Tree, scope: str, path: str) -> Extent:
    """What erasing one path would blank. Raises `document_corrupt` where file and history disagree."""
    document, newest = documents.read(tree, scope, path)
    if newest is None:
        return Extent()
    holds = False
    unmarked = 0
    for row in _rows(tree, scope, path):
        if not row.erased:
            unmarked += 1
            holds = holds or bool(row.content or row.extra)
    if not holds:
        return Extent()
    return Extent(int(document is not None and not document.erased), unmarked)


def measure_scope(tree: Tree, scope: str, advance: Advance) -> Extent:
    """What erasing the whole scope would blank; `advance` is called for every path."""
    total = Extent()
    for path in all_paths(tree, scope):
        total += measure(tree, scope, path)
        advance()
    return total


def all_paths(tree: Tree, scope: str) -> Iterator[str]:
    """Every path that has a document or a history, in byte order.

    Raises the problem of the first that cannot be read: an erasure that skips something is none.
    """
    top = layout.scope_directory(scope)
    both = (
        walk(tree, f"{top}/{layout.DOCUMENTS}", layout.DOCUMENT_SUFFIX, Window()),
        walk(tree, f"{top}/{layout.VERSIONS}", layout.VERSIONS_SUFFIX, Window()),
    )
    last = None
    for found in heapq.merge(*both, key=lambda found: found.key):
        if found.problem is not None:
            raise found.problem
        if found.key != last:
            last = found.key
            yield last


def erase(transaction: Transaction, scope: str, path: str | None, actor: str, advance: Advance) -> Extent:
    """Blank one path, or the whole scope where `path` is None, with trail and event; the caller commits.

    Where all is blank already the transaction stays empty.
    """
    tree = transaction.tree
    total = Extent()
    messages: list[str] = []
    for each in all_paths(tree, scope) if path is None else (path,):
        extent = measure(tree, scope, each)
        if extent:
            _blank(transaction, scope, each)
            total += extent
            messages.extend([each] if paths.is_reserved(each) else ())
        advance()
    if total:
        mailbox.forget(transaction, scope, messages)
        _record(transaction, scope, path, actor, total)
    return total


def _record(transaction: Transaction, scope: str, path: str | None, actor: str, extent: Extent) -> None:
    events = feed.FeedWriter(transaction, scope)
    sequence = events.add(feed.SCOPE_ERASED) if path is None else events.add(feed.ERASED, path=path)
    events.flush()
    row = {
        "format": FORMAT,
        "path": path,
        "actor": actor,
        "created_at": times.spell(transaction.now),
        "documents": extent.documents,
        "versions": extent.versions,
        "sequence": sequence,
    }
    transaction.append(layout.erasures_file(scope), seal(row))


def row_of(line: bytes) -> dict[str, Any]:
    """A row of the trail; raises ValueError for what is none."""
    row = unseal(line)
    require(row, ROW)
    if not ROW.keys() <= row.keys():
        raise ValueError("lacks a field")
    return row


def _blank(transaction: Transaction, scope: str, path: str) -> None:
    tree = transaction.tree
    _put(
        transaction,
        layout.versions_file(scope, path),
        (history.encode(blanked(row)) for row in _rows(tree, scope, path)),
    )
    newest = documents.newest(tree, scope, path)
    if newest is not None and newest.is_live:
        document = document_of(scope, blanked(newest))
        transaction.put(layout.document_file(scope, path), documents.encode(document))


def blanked(row: Version) -> Version:
    """The skeleton of a version."""
    return replace(row, content="", extra={}, erased=True)


def _put(transaction: Transaction, path: str, pieces: Iterator[bytes]) -> None:
    """The file gets these pieces, through a staged file once they are many."""
    begun: list[bytes] = []
    size = 0
    for piece in pieces:
        begun.append(piece)
        size += len(piece)
        if size > INLINE:
            transaction.put_staged(path, chain(begun, pieces))
            return
    transaction.put(path, b"".join(begun))


def _rows(tree: Tree, scope: str, path: str) -> Iterable[Version]:
    opened = History.open(tree, scope, path)
    if opened is None:
        raise damaged(layout.versions_file(scope, path), "is missing")
    with opened:
        yield from opened.oldest_first()
