"""The index of a scope's open messages: what listing them needs so as not to look at closed ones.

`.mailbox/open.log` only grows, a row for each step of a message, and is made anew once most of its rows have been
overtaken. So a step costs one append whatever is open, and a listing reads what is open and little more.

A line is `crc32 json`, where the CRC-32 runs on over the JSON of all lines before it, so that an edited, doubled,
missing or swapped line is found. The first line is the head: how many rows follow that are the state it began with, and
the feed's stream. Each row bears its number, the sequence of its event and how many messages are open after it: with
them a tail that was cut off, or a whole file from an old copy, is told from the feed's newer events.

No word of a message is in here, only its id, its version, its times and a checksum of the conversation: erasing the
message leaves nothing behind. The index decides nothing either: whoever lists looks at each document as well, and where
index and documents disagree the index is made anew from the documents.

Failure model. The rows are part of the plan of the message's own step, so after a recovery index and documents agree.
"""

from __future__ import annotations

import zlib

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import codec, message, times
from neosian_cli.model.kinds import COUNT, FLAG, TEXT, TEXT_OR_NONE, require
from neosian_cli.model.value import fields, value
from neosian_cli.store import feed, layout, log
from neosian_cli.store.damage import damaged
from neosian_cli.store.lines import start_of_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from neosian_cli.disk.tree import File, Tree
    from neosian_cli.model.message import Message
    from neosian_cli.store.log import Head
    from neosian_cli.store.transaction import Transaction

FORMAT = 1
SLACK = 64
"""How many overtaken rows are always borne before the index is made anew."""
LOOK_BACK = 512
"""How many of the feed's newer events are looked at for messages that the index does not know."""


TIMES = ("created_at", "due_at", "claim_until")


class Distrusted(Exception):
    """The index cannot be relied on; `reason` continues a sentence that begins with its file's name."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def is_newer(failure: Failure) -> bool:
    """Whether an index was refused because a newer program has written it: then it is left as it is."""
    return failure.code == "format_unsupported"


@value
class Entry:
    """An open message as the index knows it. Times are spelled; `conversation` is a checksum of the recipient's name.

    `claim_until` is there whenever a session owns the message, also after the lease's end.
    """

    id: str
    version: int
    created_at: str
    due_at: str | None
    read: bool
    claim_until: str | None
    conversation: str | None

    @property
    def key(self) -> tuple[str, str, str]:
        """What listings are ordered by: due time, creation, id. A message without a due time is due when it is made."""
        return (self.due_at or self.created_at, self.created_at, self.id)

    def may_match(self, wanted: str, now: str, conversation: str | None) -> bool:
        """Whether the document is worth a look for a listing of open messages; `conversation` as in the entry."""
        if self.conversation is not None and self.conversation != conversation:
            return False
        due = self.due_at is None or self.due_at <= now
        if wanted == message.SCHEDULED:
            return not due
        lapsed = self.claim_until is not None and self.claim_until <= now
        return due and (wanted == message.OPEN or not self.read or lapsed)


def checksum(conversation: str | None) -> str | None:
    """What the index keeps of a conversation's name."""
    return None if conversation is None else f"{zlib.crc32(conversation.encode()):08x}"


def entry_of(found: Message, version: int) -> Entry:
    """The entry of a message, open or not."""
    return Entry(
        found.id,
        version,
        times.spell(found.created_at),
        None if found.due_at is None else times.spell(found.due_at),
        found.read_by is not None,
        None if found.claim_until is None else times.spell(found.claim_until),
        checksum(found.conversation),
    )


ROW = {
    "format": COUNT,
    "stream": TEXT,
    "row": COUNT,
    "sequence": COUNT,
    "open": COUNT,
    "id": TEXT,
    "version": COUNT,
    "created_at": TEXT,
    "due_at": TEXT_OR_NONE,
    "read": FLAG,
    "claim_until": TEXT_OR_NONE,
    "conversation": TEXT_OR_NONE,
    "closed": FLAG,
}
"""What a line may hold, and of what kind."""


def _entry(row: Mapping[str, Any]) -> Entry:
    for name in TIMES:
        if row[name] is not None:
            times.read(row[name])
    if not message.is_id(row["id"]):
        raise ValueError("names no message")
    return Entry(*(row[name] for name in fields(Entry)))


def _line(value: Mapping[str, object], running: int) -> tuple[bytes, int]:
    data = codec.dumps(value)
    running = zlib.crc32(data, running)
    return b"%08x %s\n" % (running, data), running


def encode(entries: Iterable[Entry], stream: str, sequence: int) -> bytes:
    """The whole index, anew."""
    known = list(entries)
    head = {"format": FORMAT, "row": 0, "sequence": sequence, "open": len(known), "stream": stream}
    line, running = _line(head, 0)
    lines = [line]
    for number, entry in enumerate(known, 1):
        line, running = _line(_row(number, sequence, len(known), entry), running)
        lines.append(line)
    return b"".join(lines)


def _row(number: int, sequence: int, count: int, entry: Entry) -> dict[str, object]:
    return {
        "row": number,
        "sequence": sequence,
        "open": count,
        **{name: getattr(entry, name) for name in fields(Entry)},
    }


def read(tree: Tree, scope: str) -> dict[str, Entry]:
    """The open messages by id, whatever order; raises `Distrusted`, or `format_unsupported`."""
    file = _open(tree, scope)
    if file is None:
        _require_empty(tree, scope)
        return {}
    with file:
        data = file.read()
    rows = _rows(data, file.path)
    _require_current(tree, scope, rows[0]["stream"], rows[-1]["sequence"])
    found: dict[str, Entry] = {}
    try:
        for row in rows[1:]:
            if row.get("closed"):
                found.pop(row["id"], None)
            else:
                found[row["id"]] = _entry(row)
    except (KeyError, TypeError) as error:
        raise Distrusted(f"has a row without {error}") from None
    except ValueError as error:
        raise Distrusted(f"is damaged: {error}") from None
    if len(found) != rows[-1]["open"]:
        raise Distrusted(f"holds {len(found)} open messages, not the {rows[-1]['open']} of its last row")
    return found


def _rows(data: bytes, path: str) -> list[dict[str, Any]]:
    """Every row, head first, all checked but for what they say."""
    *lines, rest = data.split(b"\n")
    if rest or not lines:
        raise Distrusted("does not end with a whole line")
    running = 0
    bodies = []
    for number, line in enumerate(lines):
        body = line[9:]
        running = zlib.crc32(body, running)
        if line[:9] != b"%08x " % running:
            raise Distrusted(f"is damaged at line {number + 1}")
        bodies.append(body)
    try:
        rows: list[dict[str, Any]] = codec.loads(b"[%s]" % b",".join(bodies))
        _check_head(rows[0], path)
        for row in rows:
            require(row, ROW)
        if [row["row"] for row in rows] != list(range(len(rows))):
            raise Distrusted("has rows out of order")
    except (ValueError, KeyError, TypeError) as error:
        raise Distrusted(f"is damaged: {error}") from None
    return rows


def _check_head(head: dict[str, Any], path: str) -> None:
    require(head, ROW)
    if head["format"] > FORMAT:
        newer = damaged(
            path, f"has the format {head['format']}, which a newer neosian reads", code="format_unsupported"
        )
        newer.hint = "neosian verify --repair-derived makes it anew"
        raise newer
    if head["row"] != 0 or not isinstance(head["stream"], str):
        raise ValueError("its first line is no head")


def _open(tree: Tree, scope: str) -> File | None:
    try:
        return tree.open_file(layout.mailbox_file(scope))
    except Unsafe as unsafe:
        raise Distrusted(unsafe.reason) from None


def _require_empty(tree: Tree, scope: str) -> None:
    """Without an index there must be no message."""
    try:
        known = ids(tree, scope)
    except Unsafe as unsafe:
        raise Distrusted(f"is missing, and {unsafe}") from None
    if known:
        raise Distrusted("is missing, though there are messages")


def messages_directory(scope: str, part: str = layout.DOCUMENTS) -> str:
    """Where the documents of messages lie, or their histories."""
    return f"{layout.scope_directory(scope)}/{part}/{layout.relative_directory(message.DIRECTORY)}"


def ids(tree: Tree, scope: str) -> set[str]:
    """The ids of all messages of which a document or a history is there. Raises `Unsafe`."""
    found: set[str] = set()
    for part, suffix in ((layout.DOCUMENTS, layout.DOCUMENT_SUFFIX), (layout.VERSIONS, layout.VERSIONS_SUFFIX)):
        names = tree.entries(messages_directory(scope, part))
        found.update(name.removesuffix(suffix) for name, _ in names if name.endswith(suffix))
    return found


def _require_current(tree: Tree, scope: str, stream: str, sequence: int) -> None:
    """Refuse an index of another feed, or one that the newest events have left behind."""
    try:
        head = feed.read_head(tree, scope)
        if head is None or head.stream != stream or head.head < sequence:
            raise Distrusted("does not belong to the scope's feed as it stands")
        if head.head > sequence:
            _look_back(tree, scope, head, sequence)
    except (Failure, Unsafe) as error:
        raise Distrusted(f"cannot be compared with the feed: {error}") from None


def _look_back(tree: Tree, scope: str, head: Head, sequence: int) -> None:
    reader = log.Reader(tree, feed.log_of(scope), head)
    after = max(sequence, head.floor)
    for entry in reader.after(after, LOOK_BACK, reader.chain_at(after)):
        event = feed.event_of(scope, head, entry)
        if event.get("kind") in (feed.CREATED, feed.MODIFIED) and is_message_path(event.get("path")):
            raise Distrusted(f"does not know of event {entry.number}")


def is_message_path(path: object) -> bool:
    """Whether a document of this path is a message."""
    return isinstance(path, str) and path.startswith(f"{message.DIRECTORY}/")


def record(
    transaction: Transaction,
    scope: str,
    changed: Message,
    version: int,
    sequence: int,
    *,
    was_open: bool,
) -> None:
    """Add what a message has become to the transaction; raises `Distrusted` where the index must be made anew.

    `sequence` is that of the step's event. The feed must still be read as it was before the transaction.
    """
    tree = transaction.tree
    file = _open(tree, scope)
    if file is None:
        raise Distrusted("is missing")
    with file:
        stream, last, running = _ends(file)
    _require_current(tree, scope, stream, last["sequence"])
    is_open = changed.status == message.OPEN
    count = last["open"] + is_open - was_open
    if count < 0:
        raise Distrusted("counts fewer open messages than there are")
    if last["row"] >= 2 * count + SLACK:
        known = read(tree, scope)
        known.pop(changed.id, None)
        if is_open:
            known[changed.id] = entry_of(changed, version)
        transaction.put(layout.mailbox_file(scope), encode(known.values(), stream, sequence))
        return
    number = last["row"] + 1
    if is_open:
        row = _row(number, sequence, count, entry_of(changed, version))
    else:
        row = {"row": number, "sequence": sequence, "open": count, "id": changed.id, "closed": True}
    transaction.append(layout.mailbox_file(scope), _line(row, running)[0])


def _ends(file: File) -> tuple[str, dict[str, Any], int]:
    """The stream in the head, the last row and the CRC there; both lines checked, what lies between is not read."""
    first = file.read_at(0, 512).partition(b"\n")[0]
    if not file.size or file.read_at(file.size - 1, 1) != b"\n":
        raise Distrusted("does not end with a whole line")
    try:
        start = start_of_line(file, file.size - 1)
        last = file.read_at(start, file.size - start - 1)
        before = 0
        if start:
            above = start_of_line(file, start - 1)
            before = int(file.read_at(above, 8), 16)
        running = zlib.crc32(last[9:], before)
        if last[:9] != b"%08x " % running or first[:9] != b"%08x " % zlib.crc32(first[9:]):
            raise Distrusted("is damaged at an end")
        head, row = codec.load_object(first[9:]), codec.load_object(last[9:])
        _check_head(head, file.path)
        require(row, ROW)
        _ = [row[name] for name in ("row", "sequence", "open")]
    except (ValueError, KeyError, TypeError) as error:
        raise Distrusted(f"is damaged: {error}") from None
    return head["stream"], row, running
