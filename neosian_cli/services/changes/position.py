"""Where a reader stands in a feed: what a cursor, or none, means for the feed as it is now.

Decided in one order, for every verb that takes a cursor: its form and scope, whether there is a stream, whether it is
this one, whether it goes on that far, whether it still begins that early, and whether the chain there is the same.
"""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.cursor import MAX_BYTES, decode, malformed
from neosian_cli.store import feed, log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.cursor import Cursor
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.log import Head

UNTRACKED = "untracked"
RETENTION = "retention"
STREAM_RESET = "stream_reset"
AHEAD = "ahead"
OK = "ok"

START = "start"
NOW = "now"


class Position:
    """A place in a feed. `gap` is None where reading goes on; `head` is None where no stream has begun.

    With a gap, sequence and chain are those of the floor, from where the retained events can be read.
    """

    __slots__ = ("chain", "gap", "head", "sequence")

    def __init__(self, head: Head | None, gap: str | None, sequence: int, chain: str) -> None:
        self.head = head
        self.gap = gap
        self.sequence = sequence
        self.chain = chain


def parse(text: str, scope: str, what: str = "cursor", option: str = "the cursor") -> Cursor:
    """A user's cursor, the value of `option`; raises `invalid_cursor` (malformed or scope)."""
    if not text:
        raise Failure(
            "invalid_cursor", f"{option} is empty: did the command that should print it fail?", reason="malformed"
        )
    if len(text) > MAX_BYTES:
        raise malformed(what)
    return decode(text, scope, what)


def checked_head(tree: Tree, scope: str) -> Head | None:
    """The feed's head, its newest segment as long as it says; None where no stream has begun. Raises `feed_corrupt`."""
    head = feed.read_head(tree, scope)
    if head is not None:
        log.check_tail(tree, feed.log_of(scope), head)
    return head


def state_of(tree: Tree, head: Head | None, cursor: Cursor) -> str:
    """`OK`, a gap, or `AHEAD`. Raises `feed_corrupt` where the cursor's line cannot be read."""
    if head is None or cursor.stream != head.stream:
        return STREAM_RESET
    if cursor.sequence > head.head:
        return AHEAD
    if cursor.sequence < head.floor:
        return RETENTION
    chain = log.Reader(tree, feed.log_of(cursor.scope), head).chain_at(cursor.sequence)
    return OK if chain == cursor.chain else STREAM_RESET


def locate(tree: Tree, mount: Mount, cursor: Cursor | None, start: str) -> Position:
    """Where `cursor` stands, or without one the floor (`START`) or the head (`NOW`).

    Raises `invalid_cursor` (ahead) or `feed_corrupt`.
    """
    head = checked_head(tree, mount.scope)
    if head is None:
        return Position(None, UNTRACKED if cursor is None else STREAM_RESET, 0, "")
    if cursor is None:
        if start == NOW:
            return Position(head, None, head.head, head.head_chain)
        return Position(head, None, head.floor, head.floor_chain)
    state = state_of(tree, head, cursor)
    if state == AHEAD:
        raise ahead(mount, cursor, head)
    if state != OK:
        return Position(head, state, head.floor, head.floor_chain)
    return Position(head, None, cursor.sequence, cursor.chain)


def ahead(mount: Mount, cursor: Cursor, head: Head, what: str = "cursor") -> Failure:
    """The refusal of a cursor that the feed has not reached."""
    return Failure(
        "invalid_cursor",
        f"the {what} stands at {cursor.sequence:,}, but the feed of {mount.root} ends at {head.head:,}: "
        "the store may have been restored from an older copy",
        hint=f"reconcile with: neosian changes snapshot {mount.root}",
        reason=AHEAD,
        sequence=cursor.sequence,
        head=head.head,
    )
