"""Documents: reading one, listing a scope's, and writing the next version of one.

A document's file repeats the newest row of its history, and is checked against it whenever it is read: a document that
was put back from an old copy, or edited by hand, is a finding and not an answer.
"""

from __future__ import annotations

from neosian_cli.model import codec, times
from neosian_cli.model.document import FORMAT, Document, Version, document_of, values
from neosian_cli.model.value import fields
from neosian_cli.store import feed, history, layout, spelling
from neosian_cli.store.damage import damaged
from neosian_cli.store.history import History

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.store.feed import FeedWriter
    from neosian_cli.store.transaction import Transaction


def encode(document: Document) -> bytes:
    """The document's file: indented JSON with sorted keys, to be read with cat."""
    value = {name: getattr(document, name) for name in fields(Document)}
    return codec.pretty({"format": FORMAT, **value})


def decode(data: bytes, file_path: str) -> Document:
    """Raises `document_corrupt` or `format_unsupported`."""
    try:
        value = codec.load_object(data)
        if value["format"] != FORMAT:
            if isinstance(value["format"], int) and value["format"] > FORMAT:
                raise damaged(file_path, f"has the format {value['format']}", code="format_unsupported")
            raise ValueError("has no known format")
        document = Document(*values(Document, value))
    except KeyError as missing:
        raise damaged(file_path, f"has no {missing}") from None
    except ValueError as error:
        raise damaged(file_path, f"is damaged: {error}") from None
    return document


def newest(tree: Tree, scope: str, path: str) -> Version | None:
    """The newest version of a path, a deletion too; None where it was never written."""
    opened = History.open(tree, scope, path)
    if opened is None:
        return None
    with opened:
        return opened.newest()


def oldest(tree: Tree, scope: str, path: str) -> Version | None:
    """The first version of a path; None where it was never written."""
    opened = History.open(tree, scope, path)
    if opened is None:
        return None
    with opened:
        return next(opened.oldest_first(), None)


def read(tree: Tree, scope: str, path: str) -> tuple[Document | None, Version | None]:
    """The live document and the newest version of a path, each None where there is none.

    Raises `document_corrupt` where file and history disagree, `case_collision` where another spelling has the file.
    """
    file_path = layout.document_file(scope, path)
    spelling.check(tree, file_path, path)
    data = tree.read(file_path)
    document = None if data is None else decode(data, file_path)
    if document is not None and document.path != path and document.path.casefold() == path.casefold():
        raise spelling.collision(path, document.path)
    row = newest(tree, scope, path)
    expected = None if row is None or not row.is_live else document_of(scope, row)
    if document != expected:
        if document is None:
            raise damaged(file_path, "is missing, though its history says that it is live", path=path)
        if row is None:
            raise damaged(file_path, "has no history", path=path)
        raise damaged(file_path, f"is not what its history says at version {row.version}", path=path)
    return document, row


class ScopeWriter:
    """New versions, documents and events of one scope in one transaction."""

    def __init__(self, transaction: Transaction, scope: str, actor: str) -> None:
        self._transaction = transaction
        self.scope = scope
        self._actor = actor
        self._now = times.spell(transaction.now)
        self._feed: FeedWriter | None = None

    @property
    def feed(self) -> FeedWriter:
        """The scope's feed, begun where it has not: so that a refused mutation does not look at it."""
        if self._feed is None:
            self._feed = feed.FeedWriter(self._transaction, self.scope)
        return self._feed

    def write(
        self,
        path: str,
        content: str,
        extra: dict[str, Any],
        newest: Version | None,
        *,
        event: bool = True,
        action: str | None = None,
        erased: bool = False,
    ) -> Version:
        """The next version of a path, live; with its event unless the caller adds one that covers it."""
        live = newest is not None and newest.is_live
        row = Version(
            path=path,
            version=1 if newest is None else newest.version + 1,
            action=action or ("modified" if live else "created"),
            content=content,
            extra=extra,
            actor=self._actor,
            created_at=self._now,
            document_created_at=newest.document_created_at if newest is not None and live else self._now,
            erased=erased,
            sequence=self.feed.next_sequence,
        )
        if event:
            self.feed.add(feed.MODIFIED if live else feed.CREATED, path=path, version=row.version)
        self._transaction.append(layout.versions_file(self.scope, path), history.encode(row))
        self._transaction.put(layout.document_file(self.scope, path), encode(document_of(self.scope, row)))
        return row

    def delete(self, path: str, newest: Version, *, event: bool = True) -> Version:
        """The version that records the deletion of a live document."""
        row = Version(
            path=path,
            version=newest.version + 1,
            action="deleted",
            content="",
            extra={},
            actor=self._actor,
            created_at=self._now,
            document_created_at=newest.document_created_at,
            erased=False,
            sequence=self.feed.next_sequence,
        )
        if event:
            self.feed.add(feed.DELETED, path=path, version=row.version)
        self._transaction.append(layout.versions_file(self.scope, path), history.encode(row))
        self._transaction.remove(layout.document_file(self.scope, path))
        return row

    def rename(self, path: str, source: Version, new_path: str, newest: Version | None) -> tuple[Version, Version]:
        """The source's deletion and the destination's first version, under one event."""
        gone = self.delete(path, source, event=False)
        row = self.write(
            new_path,
            source.content,
            source.extra,
            newest,
            event=False,
            action="renamed",
            erased=source.erased,
        )
        self.feed.add(
            feed.RENAMED,
            path=new_path,
            version=row.version,
            previous_path=path,
            previous_version=gone.version,
        )
        return gone, row

    def commit(self) -> None:
        """Make it happen: documents, histories and events together."""
        if self._feed is not None:
            self._feed.flush()
        self._transaction.commit()
