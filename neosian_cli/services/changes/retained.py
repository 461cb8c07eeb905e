"""All retained events of a feed, one after the other, without keeping writers out."""

from __future__ import annotations

from neosian_cli.model.codec import at_full_speed
from neosian_cli.services.changes.position import checked_head
from neosian_cli.store import feed, log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.store.log import Entry, Head
    from neosian_cli.store.root import Store


def entries(store: Store, scope: str) -> Iterator[tuple[Head, Entry]]:
    """Every event from the floor up to the head as it stands at the first, with that head; each checked and joined.

    Segments are opened under the lock and read after it, so a prune takes nothing from under the reader; where one has
    overtaken it between two openings, it goes on from the new floor. Raises `feed_corrupt`.
    """
    at_full_speed()
    where = feed.log_of(scope)
    first: Head | None = None
    number: int | None = None
    chain: str | None = None
    while True:
        with store.reading() as tree:
            head = checked_head(tree, scope)
            if first is None:
                first = head
            if first is None or head is None or head.stream != first.stream:
                return
            if number is None or number < head.floor:
                number, chain = head.floor, head.floor_chain
            if number >= first.head:
                return
            segments = log.OpenSegments(tree, where, head, number, chain)
        with segments:
            for entry in segments:
                if entry.number > first.head:
                    return
                yield first, entry
            number, chain = segments.number, segments.chain
