"""The messages of a scope as documents: reading one, writing the next version of one, and looking at all of them."""

from __future__ import annotations

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import message as messages
from neosian_cli.model.advance import ignored
from neosian_cli.store import documents, feed, layout, open_messages
from neosian_cli.store.damage import damaged
from neosian_cli.store.finding import MESSAGES, Finding, Target, fault, of_failure
from neosian_cli.store.open_messages import Distrusted, Entry, entry_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.model.document import Version
    from neosian_cli.model.message import Message
    from neosian_cli.store.documents import ScopeWriter
    from neosian_cli.store.root import Store
    from neosian_cli.store.transaction import Transaction

BATCH = 200
"""How many messages are looked at in one hold of the lock."""
BEGINNING = "0001-01-01T00:00:00.000000Z"


def decode(scope: str, path: str, content: str, extra: dict[str, Any]) -> Message:
    """The message that a document or one of its versions holds; raises `document_corrupt` or `format_unsupported`."""
    file = layout.document_file(scope, path)
    try:
        found = messages.decode(content, extra)
    except messages.NewerRecord as newer:
        raise damaged(file, f"holds a message that {newer}", code="format_unsupported") from None
    except ValueError as error:
        raise damaged(file, f"holds no message: it {error}") from None
    if (found.scope, found.path) != (scope, path):
        raise damaged(file, "holds a message of another place")
    return found


def load(tree: Tree, scope: str, message_id: str) -> tuple[Message, Version] | None:
    """A message and its newest version; None where there is none, or where it was erased.

    Raises `document_corrupt` or `format_unsupported`.
    """
    path = messages.path_of(message_id)
    document, row = documents.read(tree, scope, path)
    if document is None or row is None or document.erased:
        return None
    return decode(scope, path, document.content, document.extra), row


def write(
    transaction: Transaction, writer: ScopeWriter, changed: Message, newest: Version | None, *, was_open: bool
) -> Version:
    """The next version of a message, its event and its row in the index, all in the transaction."""
    content, extra = messages.encode(changed)
    row = writer.write(changed.path, content, extra, newest)
    try:
        open_messages.record(transaction, writer.scope, changed, row.version, row.sequence, was_open=was_open)
    except Distrusted:
        known = [entry for entry in _entries(transaction.tree, writer.scope) if entry.id != changed.id]
        if changed.status == messages.OPEN:
            known.append(entry_of(changed, row.version))
        put_index(transaction, writer.scope, known, writer.feed.stream, row.sequence)
    return row


def put_index(transaction: Transaction, scope: str, entries: Iterable[Entry], stream: str, sequence: int) -> None:
    """Make the index anew; `sequence` is that of the newest event that it covers."""
    transaction.put(layout.mailbox_file(scope), open_messages.encode(entries, stream, sequence))


def rebuild(transaction: Transaction, scope: str, without: Collection[str] = ()) -> None:
    """Make the index anew from the documents as they stood before the transaction, but for some ids.

    The index then covers the feed as it stood before the transaction. Raises `feed_corrupt` or `Unsafe`.
    """
    _cover(transaction, scope, [entry for entry in _entries(transaction.tree, scope) if entry.id not in without])


def _cover(transaction: Transaction, scope: str, entries: Iterable[Entry]) -> None:
    head = feed.read_head(transaction.tree, scope)
    if head is not None:
        put_index(transaction, scope, entries, head.stream, head.head)


def forget(transaction: Transaction, scope: str, paths: Iterable[str]) -> None:
    """Take documents that the transaction erases out of the index; paths that are no messages are passed over."""
    erased = {path.partition("/")[2] for path in paths if open_messages.is_message_path(path)}
    if not erased:
        return
    try:
        known = open_messages.read(transaction.tree, scope)
    except Distrusted:
        rebuild(transaction, scope, erased)
        return
    if not erased.isdisjoint(known):
        _cover(transaction, scope, [entry for entry in known.values() if entry.id not in erased])


def _peek(tree: Tree, scope: str, message_id: str) -> tuple[Message, int] | None:
    """A message and its version, by the document alone; what is not plain and good is judged by its history too."""
    path = messages.path_of(message_id)
    file = layout.document_file(scope, path)
    try:
        data = tree.read(file)
        document = None if data is None else documents.decode(data, file)
        if document is not None and not document.erased:
            return decode(scope, path, document.content, document.extra), document.version
    except (Failure, Unsafe):
        pass
    found = load(tree, scope, message_id)
    return None if found is None else (found[0], found[1].version)


def unreadable_entry(message_id: str) -> Entry:
    """How the index keeps a message that cannot be read."""
    return Entry(message_id, 0, BEGINNING, None, read=False, claim_until=None, conversation=None)


def _entries(tree: Tree, scope: str) -> Iterator[Entry]:
    """What the index should hold; an unreadable message is kept in it, so that listings go on to name it."""
    for message_id in filter(messages.is_id, sorted(open_messages.ids(tree, scope))):
        try:
            found = _peek(tree, scope, message_id)
        except (Failure, Unsafe):
            yield unreadable_entry(message_id)
        else:
            if found is not None and found[0].status == messages.OPEN:
                yield entry_of(*found)


def survey(store: Store, scope: str) -> Iterator[tuple[str, Message | Failure, int]]:
    """Every message with its id and version, or what is wrong with it, in short holds of the lock."""
    with store.reading() as tree:
        known = sorted(open_messages.ids(tree, scope))
    for start in range(0, len(known), BATCH):
        batch: list[tuple[str, Message | Failure, int]] = []
        with store.reading() as tree:
            for message_id in known[start : start + BATCH]:
                try:
                    found = _peek(tree, scope, message_id)
                except Failure as failure:
                    batch.append((message_id, failure, 0))
                except Unsafe as unsafe:
                    batch.append((message_id, damaged(unsafe.path, unsafe.reason), 0))
                else:
                    if found is not None:
                        batch.append((message_id, *found))
        yield from batch


def check(store: Store, scope: str, checked: dict[str, int], *, advance: Advance = ignored) -> Iterator[Finding]:
    """What is wrong with a scope's messages and their index; counts the messages. Raises what `Store.reading` raises.

    Messages change while this looks at them, so what differs is looked at again in one hold of the lock.
    """
    index = _index(store, scope)
    suspects = set(index) if isinstance(index, dict) else set[str]()
    try:
        for message_id, found, version in survey(store, scope):
            checked["messages"] += 1
            advance()
            if isinstance(found, Failure):
                yield of_failure(found, layout.document_file(scope, messages.path_of(message_id)))
            elif isinstance(index, dict) and index.get(message_id) == _expected(found, version):
                suspects.discard(message_id)
            else:
                suspects.add(message_id)
    except Failure as failure:
        if failure.code != "document_corrupt":
            raise
        yield of_failure(failure, open_messages.messages_directory(scope))
    if isinstance(index, dict):
        yield from _check_again(store, scope, suspects)
    else:
        yield index


def _index(store: Store, scope: str) -> dict[str, Entry] | Finding:
    """The index, or what is wrong with it."""
    where = layout.mailbox_file(scope)
    try:
        with store.reading() as tree:
            return open_messages.read(tree, scope)
    except Distrusted as distrusted:
        return fault("document_corrupt", where, distrusted.reason, Target(MESSAGES, scope))
    except Failure as failure:
        if failure.code != "format_unsupported":
            raise
        return of_failure(failure, where, Target(MESSAGES, scope))


def _check_again(store: Store, scope: str, suspects: set[str]) -> Iterator[Finding]:
    """Faults of the index that are there when it and the messages are looked at together."""
    where = layout.mailbox_file(scope)
    try:
        with store.reading() as tree:
            index = open_messages.read(tree, scope)
            wrong = sorted(message_id for message_id in suspects if _differs(tree, scope, message_id, index))
    except Distrusted as distrusted:
        yield fault("document_corrupt", where, distrusted.reason, Target(MESSAGES, scope))
    else:
        for message_id in wrong:
            yield fault("document_corrupt", where, f"is wrong about message {message_id}", Target(MESSAGES, scope))


def _expected(found: Message, version: int) -> Entry | None:
    return entry_of(found, version) if found.status == messages.OPEN else None


def _differs(tree: Tree, scope: str, message_id: str, index: dict[str, Entry]) -> bool:
    try:
        found = _peek(tree, scope, message_id)
    except (Failure, Unsafe):
        return False
    return index.get(message_id) != (None if found is None else _expected(*found))
