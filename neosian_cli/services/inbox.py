"""Listing messages, over one scope or several, a page at a time.

Open messages are found by their index, closed ones by looking at every document. In both cases what is shown is the
document as it stands; an index that disagrees with a document is not believed but made anew, and where that cannot be
done every document of the scope is looked at.
"""

from __future__ import annotations

import heapq

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import armour, grammar, message, times
from neosian_cli.model.digest import sha256
from neosian_cli.model.value import value
from neosian_cli.services.mailboxes import by_scope, find_mounts
from neosian_cli.store import layout, mailbox, open_messages
from neosian_cli.store.open_messages import Distrusted, Entry, checksum, entry_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.root import Store

    Key = tuple[str, str, str]
    Unreadable = list[dict[str, Any]]

MARK = "m1_"
"""How the cursors of these listings begin."""

NEWER = "has a format that a newer neosian reads"


@value
class Question:
    """What is asked for: of which scopes, of which status, for which session, now."""

    scopes: tuple[str, ...]
    status: str
    session: str | None
    now: times.Instant

    @property
    def needs_all(self) -> bool:
        """Whether closed messages are asked for, of which there is no index."""
        return self.status in (message.CLOSED, message.ALL)

    def mark(self) -> bytes:
        """What binds a cursor to the question, but for the time."""
        text = "\0".join((self.status, self.session or "", *self.scopes))
        return sha256(text.encode()).digest()[:6]


class _Doubt(Exception):
    """The index of a scope does not agree with a document, or cannot be read; whether it may be made anew."""

    def __init__(self, scope: str, reason: str, *, mendable: bool = True) -> None:
        super().__init__(reason)
        self.scope = scope
        self.reason = reason
        self.mendable = mendable


def list_messages(
    store: Store,
    mounts: Sequence[Mount],
    *,
    target: str | None = None,
    status: str = message.UNREAD,
    session: str | None = None,
    limit: int = 50,
    cursor: str | None = None,
) -> dict[str, Any]:
    """`{"items", "next_cursor", "unreadable"}`, by due time, creation and id; nothing is marked.

    Raises `invalid_argument` or `invalid_cursor`.
    """
    if session is not None:
        grammar.check_name(session, "session", session)
    question = Question(tuple(by_scope(find_mounts(mounts, target))), status, session, store.now())
    after = None if cursor is None else decode_cursor(cursor, question)
    return _Page(store, question, after, limit).answer()


class _Page:
    """One page in the making."""

    def __init__(self, store: Store, question: Question, after: Key | None, limit: int) -> None:
        self._store = store
        self._question = question
        self._after = after
        self._limit = limit
        self._mended: set[str] = set()
        self._in_full: dict[str, list[Entry]] = {}
        """What every document of a scope was looked at for."""
        self._strays: Unreadable = []
        """What could not be read there, which has no place in the order."""
        self._unreadable: Unreadable = []
        self._items: list[dict[str, Any]] = []

    def answer(self) -> dict[str, Any]:
        for scope in self._question.scopes if self._question.needs_all else ():
            self._look_at_all(scope)
        while True:
            self._items, self._unreadable = [], []
            try:
                with self._store.reading() as tree:
                    last = self._fill(tree)
            except _Doubt as doubt:
                if not self._mend(doubt):
                    self._look_at_all(doubt.scope)
                continue
            return {
                "items": self._items,
                "next_cursor": None if last is None else encode_cursor(last, self._question),
                "unreadable": self._strays + self._unreadable,
            }

    def _mend(self, doubt: _Doubt) -> bool:
        """Make an index anew, once; False where that cannot be done, as on a read-only file system, or must not."""
        file = layout.mailbox_file(doubt.scope)
        if doubt.mendable and doubt.scope not in self._mended:
            self._mended.add(doubt.scope)
            try:
                with self._store.writing("messages list") as transaction:
                    mailbox.rebuild(transaction, doubt.scope)
                    transaction.commit()
            except (Failure, Unsafe):
                pass
            else:
                self._store.notes.append(f"{file} {doubt.reason}; it was made anew from the messages")
                return True
        self._store.notes.append(f"{file} {doubt.reason}; all messages were read instead")
        return False

    def _look_at_all(self, scope: str) -> None:
        """Find the messages of a scope that match without its index, in short holds of the lock.

        As many are kept as the page can take and one more.
        """
        question, found = self._question, list[Entry]()
        try:
            for message_id, known, version in mailbox.survey(self._store, scope):
                if isinstance(known, Failure):
                    if self._after is None:
                        self._strays.append({"id": message_id, "code": known.code, "message": known.message})
                elif known.is_for(question.session) and known.matches(question.status, question.now):
                    entry = entry_of(known, version)
                    if self._after is None or entry.key > self._after:
                        found.append(entry)
        except Failure as failure:
            if failure.code != "document_corrupt":
                raise
            self._strays.append({"path": message.DIRECTORY, "code": failure.code, "message": failure.message})
        self._in_full[scope] = heapq.nsmallest(self._limit + 1, found, key=lambda entry: entry.key)

    def _fill(self, tree: Tree) -> Key | None:
        """Load the page's messages; the key of the last one looked at where there are more. Raises `_Doubt`."""
        question = self._question
        last: Key | None = None
        ahead = self._candidates(tree)
        heapq.heapify(ahead)
        while ahead:
            if len(self._items) + len(self._unreadable) >= self._limit:
                return last
            last, scope, entry = heapq.heappop(ahead)
            found = self._load(tree, scope, entry)
            if found and found[0].is_for(question.session) and found[0].matches(question.status, question.now):
                self._items.append(found[0].shown(found[1]))
        return None

    def _candidates(self, tree: Tree) -> list[tuple[Key, str, Entry]]:
        """All that may have a place on this page or after it, unordered."""
        now = times.spell(self._question.now)
        conversation = checksum(self._question.session)
        found: list[tuple[Key, str, Entry]] = []
        for scope in self._question.scopes:
            if scope in self._in_full:
                found.extend((entry.key, scope, entry) for entry in self._in_full[scope])
                continue
            try:
                entries = open_messages.read(tree, scope)
            except Distrusted as distrusted:
                raise _Doubt(scope, distrusted.reason) from None
            except Failure as failure:
                if not open_messages.is_newer(failure):
                    raise
                raise _Doubt(scope, NEWER, mendable=False) from None
            found.extend(
                (entry.key, scope, entry)
                for entry in entries.values()
                if entry.may_match(self._question.status, now, conversation)
                and (self._after is None or entry.key > self._after)
            )
        return found

    def _load(self, tree: Tree, scope: str, entry: Entry) -> tuple[message.Message, int] | None:
        """The message itself; what cannot be read is told, and what the index has wrong is `_Doubt`."""
        try:
            hit = mailbox.load(tree, scope, entry.id)
        except (Failure, Unsafe) as error:
            code = error.code if isinstance(error, Failure) else "document_corrupt"
            self._unreadable.append({"id": entry.id, "code": code, "message": str(error)})
            return None
        if hit is None:
            return None
        found, row = hit
        expected = entry_of(found, row.version) if found.status == message.OPEN else None
        if scope not in self._in_full and entry != expected:
            raise _Doubt(scope, f"is wrong about message {entry.id}")
        return found, row.version


def encode_cursor(key: Key, question: Question) -> str:
    """The position after a message, as a word that is bound to the question."""
    import zlib

    due_at, created_at, message_id = key
    instants = (times.read(due_at), times.read(created_at))
    body = question.mark() + b"".join(instant.to_bytes(8, "big", signed=True) for instant in instants)
    body += bytes.fromhex(message_id.replace("-", ""))
    return MARK + armour.encode_word(body + zlib.crc32(body).to_bytes(4, "big"))


def decode_cursor(text: str, question: Question) -> Key:
    """The inverse; raises `invalid_cursor` with the reason `malformed` or `scope`."""
    import zlib

    from neosian_cli.model.cursor import malformed

    rest = text.removeprefix(MARK)
    if rest == text or len(rest) != 56 or not rest.isascii():
        raise malformed("cursor")
    try:
        data = armour.decode_word(rest)
        body = data[:-4]
        if zlib.crc32(body).to_bytes(4, "big") != data[-4:]:
            raise ValueError
        due_at, created_at = (
            times.spell(int.from_bytes(body[start : start + 8], "big", signed=True)) for start in (6, 14)
        )
    except ValueError:
        raise malformed("cursor") from None
    if body[:6] != question.mark():
        raise Failure(
            "invalid_cursor",
            "the cursor is that of another listing",
            hint="go on with the same --status, --session, --target and mounts",
            reason="scope",
        )
    digits = body[22:].hex()
    return due_at, created_at, "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
