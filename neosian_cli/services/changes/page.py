"""One page of a feed, as `changes read` prints it. Kept small: it is what a poll loads."""

from __future__ import annotations

from neosian_cli.model.cursor import Cursor
from neosian_cli.services.changes.position import START, locate
from neosian_cli.store import feed, log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from neosian_cli.model.mount import Mount
    from neosian_cli.store.log import Entry, Head
    from neosian_cli.store.root import Store

    Page = dict[str, Any]

FORMAT = 1
MAX_LIMIT = 100


def read(
    store: Store,
    mount: Mount,
    cursor: Cursor | None = None,
    *,
    start: str = START,
    limit: int = 50,
    source: Mapping[str, str] | None = None,
) -> Page:
    """Up to `limit` events after `cursor`, and the cursor after them.

    Reads a number of bytes that depends on `limit` alone. The lock is held while the lines are read, and not while they
    are turned into values. Raises `invalid_cursor` (ahead), `feed_corrupt`, and what `Store.reading` raises.
    """
    with store.reading() as tree:
        at = locate(tree, mount, cursor, start)
        entries: list[Entry] = []
        if at.gap is None and at.head is not None:
            reader = log.Reader(tree, feed.log_of(mount.scope), at.head)
            entries = reader.after(at.sequence, limit, at.chain)
    head, gap = at.head, at.gap
    sequence, chain = (entries[-1].number, entries[-1].chain) if entries else (at.sequence, at.chain)
    return {
        "format": FORMAT,
        "path": mount.root,
        "scope": mount.scope,
        "stream": head and head.stream,
        "events": [] if head is None else [_event(mount, head, entry) for entry in entries],
        "cursor": head and Cursor(mount.scope, head.stream, sequence, chain).encode(),
        "head_cursor": head and feed.head_cursor(mount.scope, head),
        "earliest_cursor": head and feed.floor_cursor(mount.scope, head),
        "has_more": head is not None and gap is None and sequence < head.head,
        "gap": gap,
        **({"source": dict(source)} if source else {}),
    }


def without_events(page: Page) -> Page:
    """The page's last line in a stream of lines."""
    return {"type": "page", **{key: value for key, value in page.items() if key != "events"}}


def _event(mount: Mount, head: Head, entry: Entry) -> Page:
    """The stored event, with the mounted paths of what it refers to."""
    event = feed.event_of(mount.scope, head, entry)
    path, previous = event.get("path"), event.get("previous_path")
    event["reference"] = mount.mounted(path) if isinstance(path, str) else None
    if isinstance(previous, str):
        event["previous_reference"] = mount.mounted(previous)
    return event
