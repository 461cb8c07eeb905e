"""A scope written from its histories: documents, versions, erasures, the index of messages, and a new feed.

The feed begins with `scope_reset/restored` and holds nothing else. Versions and erasures name no event of it: their
`sequence` is `RESTORED`, whatever it was where they come from. So whoever followed the source is told to look again,
and what is written from now on is numbered from 2.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from itertools import chain

from neosian_cli.errors import Failure
from neosian_cli.model import message as messages
from neosian_cli.model.advance import ignored
from neosian_cli.model.document import RESTORED, document_of
from neosian_cli.model.value import fields, replace, value
from neosian_cli.store import documents, feed, history, layout, mailbox, open_messages, spelling
from neosian_cli.store.damage import damaged
from neosian_cli.store.scopes import OWN_NAMES, files_below
from neosian_cli.store.seal import seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeVar

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.model.document import Version
    from neosian_cli.store.transaction import Transaction

    T = TypeVar("T")

INLINE = 4096
"""Files up to so many bytes may stand in the plan itself."""
BUDGET = 8 << 20
"""Once so many bytes do, every file is staged: a plan has its limit, and memory too."""
SLICE = 2000
"""How many files make a transaction, where there may be several."""


@value
class Restored:
    """What was written: live documents, versions and erasures."""

    scope: str
    documents: int
    versions: int
    erasures: int

    def as_dict(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in fields(Restored)}


class Files:
    """New files of a transaction, staged once they are large or many; committed in slices where it may be cut."""

    def __init__(self, transaction: Transaction, *, cut: bool) -> None:
        self._transaction = transaction
        self._cut = cut
        self._inline = 0
        self._count = 0

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """The file gets these pieces."""
        if self._cut and self._count == SLICE:
            self._transaction.commit()
            self._inline = self._count = 0
        self._count += 1
        begun: list[bytes] = []
        size = 0
        with _ended(pieces) as rest:
            for piece in rest:
                begun.append(piece)
                size += len(piece)
                if size > INLINE or self._inline + size > BUDGET:
                    self._transaction.put_staged(path, chain(begun, rest))
                    return
        self._inline += size
        self._transaction.put(path, b"".join(begun))


@contextmanager
def _ended(source: Iterable[T]) -> Iterator[Iterator[T]]:
    """Its iterator, which ends with the block: what stops the work lets go of the files that it holds open."""
    each = iter(source)
    try:
        yield each
    finally:
        if isinstance(each, Generator):
            each.close()


def occupation(tree: Tree, scope: str) -> str | None:
    """The first file that says that a scope was used; None where it never was. Raises `Unsafe`."""
    top = layout.scope_directory(scope)
    for name, is_directory in sorted(tree.entries(top)):
        if name in OWN_NAMES:
            found = next(files_below(tree, f"{top}/{name}"), None) if is_directory else ""
            if found is not None:
                return f"{top}/{name}/{found}".rstrip("/")
    return None


def refuse_used(tree: Tree, scope: str) -> None:
    """Raise `target_occupied` unless a scope was never used."""
    spelling.check(tree, layout.scope_directory(scope), scope)
    file = occupation(tree, scope)
    if file is not None:
        raise Failure.conflict(
            "target_occupied",
            f"the scope {scope} has been used already: there is {file}",
            hint="import into a fresh root with --root DIR",
            scope=scope,
            file=file,
        )


def restore(
    transaction: Transaction,
    scope: str,
    histories: Iterable[tuple[str, Iterable[Version]]],
    erasures: Iterable[dict[str, Any]],
    *,
    cut: bool = False,
    advance: Advance = ignored,
) -> Restored:
    """Put a whole scope that was never used into the transaction; the caller commits.

    `histories` come path by path, each with its versions from 1 on. With `cut` the transaction is
    committed on the way, in slices.
    """
    files = Files(transaction, cut=cut)
    index: list[open_messages.Entry] | None = None
    live = versions = 0
    with _ended(histories) as paths:
        for path, rows in paths:
            row = _restore_path(files, scope, path, rows)
            versions += row.version
            live += row.is_live
            if row.is_live and open_messages.is_message_path(path):
                index = [] if index is None else index
                index.extend(_entries(scope, row))
            advance()
    trail = [seal({**row, "sequence": RESTORED}) for row in erasures]
    if trail:
        files.put(layout.erasures_file(scope), trail)
    events = feed.FeedWriter(transaction, scope, begins_with=feed.RESTORED)
    if index is not None:
        mailbox.put_index(transaction, scope, index, events.stream, 1)
    events.flush()
    return Restored(scope, live, versions, len(trail))


def _restore_path(files: Files, scope: str, path: str, rows: Iterable[Version]) -> Version:
    """Write one path's history, and its document where it is live; the newest version."""
    newest = _Newest()
    with _ended(rows) as versions:
        files.put(layout.versions_file(scope, path), newest.encoded(versions))
    row = newest.row
    if row is None:
        raise damaged(layout.versions_file(scope, path), "is empty")
    if row.is_live:
        files.put(layout.document_file(scope, path), [documents.encode(document_of(scope, row))])
    return row


class _Newest:
    """Passes versions through as lines of a new history, and keeps the last."""

    row: Version | None = None

    def encoded(self, rows: Iterable[Version]) -> Iterator[bytes]:
        for each in rows:
            self.row = replace(each, sequence=RESTORED)
            yield history.encode(self.row)


def _entries(scope: str, row: Version) -> Iterator[open_messages.Entry]:
    """The place of a document in the index of open messages, where it has one."""
    name = row.path.partition("/")[2]
    if row.erased or not messages.is_id(name):
        return
    try:
        found = mailbox.decode(scope, row.path, row.content, row.extra)
    except Failure:
        yield mailbox.unreadable_entry(name)
    else:
        if found.status == messages.OPEN:
            yield open_messages.entry_of(found, row.version)
