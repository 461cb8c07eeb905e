"""The change feed of one scope: events on a chained log.

Every mutation of a scope's documents adds its event in the same transaction, the first one after the marker that
tracking has begun. Events hold references only: no body, no extra, no actor.
"""

from __future__ import annotations

from neosian_cli.model import codec, times
from neosian_cli.model.cursor import Cursor
from neosian_cli.model.kinds import COUNT, TEXT, require
from neosian_cli.store import layout, log
from neosian_cli.store.damage import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.store.log import Entry, Head, Log
    from neosian_cli.store.transaction import Transaction

CREATED = "state.document_created"
MODIFIED = "state.document_modified"
DELETED = "state.document_deleted"
RENAMED = "state.document_renamed"
ERASED = "state.document_erased"
SCOPE_ERASED = "state.scope_erased"
SCOPE_RESET = "state.scope_reset"
KINDS = (CREATED, MODIFIED, DELETED, RENAMED, ERASED, SCOPE_ERASED, SCOPE_RESET)

FIELDS = {
    "id": TEXT,
    "stream": TEXT,
    "sequence": COUNT,
    "kind": TEXT,
    "scope": TEXT,
    "path": TEXT,
    "version": COUNT,
    "previous_path": TEXT,
    "previous_version": COUNT,
    "reason": TEXT,
    "created_at": TEXT,
}
"""What an event may hold, and of what kind; the first three, `kind`, `scope` and `created_at` are always there."""

TRACKING_STARTED = "tracking_started"
RESTORED = "restored"


def log_of(scope: str) -> Log:
    directory = layout.changes_directory(scope)
    return log.Log(directory, f"{directory}/stream.json", "sequence")


def read_head(tree: Tree, scope: str) -> Head | None:
    """How far the scope's feed goes; None where tracking has not begun. Raises `feed_corrupt`."""
    return log.read_head(tree, log_of(scope))


def event_of(scope: str, head: Head, entry: Entry) -> dict[str, Any]:
    """The event of an entry; raises `feed_corrupt` for another feed's, or none, though its line is whole."""
    try:
        event = codec.load_object(entry.data)
        require(event, FIELDS)
        identity = (event["stream"], event["sequence"], event["scope"])
        if identity != (head.stream, entry.number, scope) or event["id"] != f"{head.stream}:{entry.number}":
            raise ValueError("is that of another feed")
        if not event["kind"] or not times.is_shaped(event["created_at"]):
            raise ValueError("does not say what or when")
    except (ValueError, KeyError) as error:
        path = log.segment_path(log_of(scope), entry.number, head.floor)
        reason = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        said = f"holds no event of this feed at {entry.number}: it {reason}"
        raise damaged(path, said, sequence=entry.number) from None
    return event


def floor_cursor(scope: str, head: Head) -> str:
    return Cursor(scope, head.stream, head.floor, head.floor_chain).encode()


def head_cursor(scope: str, head: Head) -> str:
    return Cursor(scope, head.stream, head.head, head.head_chain).encode()


class FeedWriter:
    """The events of one transaction in one scope."""

    def __init__(self, transaction: Transaction, scope: str, *, begins_with: str = TRACKING_STARTED) -> None:
        """Begin the stream, with a reset of this reason, where there is none. Raises `feed_corrupt`."""
        self._scope = scope
        self._created_at = times.spell(transaction.now)
        where = log_of(scope)
        head = log.read_head(transaction.tree, where)
        if head is not None:
            log.open_for_append(transaction.tree, where, head)
        self._writer = log.Writer(transaction, where, head or log.new_head(transaction.new_id()))
        if head is None:
            self.add(SCOPE_RESET, reason=begins_with)

    @property
    def stream(self) -> str:
        return self._writer.head.stream

    @property
    def next_sequence(self) -> int:
        return self._writer.next_number

    def add(self, kind: str, **references: Any) -> int:
        """One event; its sequence. References come in the documented order: path, version, previous_… or reason."""
        sequence = self._writer.next_number
        stream = self._writer.head.stream
        event = {
            "id": f"{stream}:{sequence}",
            "stream": stream,
            "sequence": sequence,
            "kind": kind,
            "scope": self._scope,
            **references,
            "created_at": self._created_at,
        }
        self._writer.add(codec.dumps(event), self._created_at)
        return sequence

    def flush(self) -> None:
        """Put the events into the transaction."""
        self._writer.flush()
