"""The state of a feed and of its consumers, at a cost that does not grow with the events."""

from __future__ import annotations

from neosian_cli.services.changes import checkpoint
from neosian_cli.services.changes.position import AHEAD, STREAM_RESET, checked_head, state_of
from neosian_cli.store import feed
from neosian_cli.store.log import SEGMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.model.cursor import Cursor
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.log import Head
    from neosian_cli.store.root import Store

FORMAT = 1


def status(store: Store, mount: Mount, files: Sequence[str] = ()) -> dict[str, Any]:
    """Stream, floor, head and sizes, each null or 0 where nothing is tracked, and how far each consumer is.

    A consumer's `headroom` is how many events lie between the floor and it: below 0 it has missed some. Raises
    `not_found` or `invalid_cursor` for a file, `feed_corrupt`.
    """
    cursors = [(file, checkpoint.require(file, mount)) for file in files]
    with store.reading() as tree:
        head = checked_head(tree, mount.scope)
        states = [state_of(tree, head, cursor) for _, cursor in cursors]
    return {
        "format": FORMAT,
        "path": mount.root,
        "scope": mount.scope,
        "stream": head and head.stream,
        "floor": head and head.floor,
        "head": head and head.head,
        "retained": head.retained if head else 0,
        "segments": _segments(head) if head else 0,
        "bytes": head.bytes if head else 0,
        "last_created_at": head and head.last_created_at,
        "earliest_cursor": head and feed.floor_cursor(mount.scope, head),
        "head_cursor": head and feed.head_cursor(mount.scope, head),
        "consumers": [
            _consumer(file, cursor, head, state) for (file, cursor), state in zip(cursors, states, strict=True)
        ],
    }


def _segments(head: Head) -> int:
    if not head.retained:
        return 0
    return (head.head - 1) // SEGMENT - head.floor // SEGMENT + 1


def _consumer(file: str, cursor: Cursor, head: Head | None, state: str) -> dict[str, Any]:
    comparable = head is not None and state not in (STREAM_RESET, AHEAD)
    return {
        "file": checkpoint.shown(file),
        "sequence": cursor.sequence,
        "lag": checkpoint.lag_of(cursor, head, state),
        "headroom": cursor.sequence - head.floor if head is not None and comparable else None,
        "state": state,
    }
