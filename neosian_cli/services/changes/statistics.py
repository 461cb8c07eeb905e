"""Retained events counted by time, kind and path."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.model.advance import ignored
from neosian_cli.services.changes.retained import entries
from neosian_cli.store import feed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.model.advance import Advance
    from neosian_cli.model.mount import Mount
    from neosian_cli.model.times import Instant
    from neosian_cli.store.root import Store

FORMAT = 1
BUSIEST = 20
"""How many paths are listed."""

WIDTHS = {"hour": 13, "day": 10, "month": 7}
"""How much of a spelled time names its bucket."""
REST = "0000-01-01T00:00:00.000000Z"
STEP = 1000


def count(
    store: Store,
    mount: Mount,
    *,
    by: str = "day",
    since: Instant | None = None,
    until: Instant | None = None,
    advance: Advance = ignored,
) -> dict[str, Any]:
    """Buckets that hold events, in the order of time, and the paths with the most events.

    `since` is included, `until` is not. An event counts for its `path`. Reads every retained event; `advance` is told
    now and then how many more were read, of how many in all. Raises `invalid_argument`, `feed_corrupt`.
    """
    if since is not None and until is not None and since >= until:
        raise Failure("invalid_argument", "--since is not before --until")
    low = times.spell(since) if since is not None else ""
    high = times.spell(until) if until is not None else "~"
    buckets: dict[str, dict[str, int]] = {}
    paths: dict[str, int] = {}
    width = WIDTHS[by]
    for head, entry in entries(store, mount.scope):
        if (entry.number - head.floor) % STEP == 0:
            advance(STEP, head.retained)
        event = feed.event_of(mount.scope, head, entry)
        created_at = event["created_at"]
        if not low <= created_at < high:
            continue
        kinds = buckets.setdefault(created_at[:width], {})
        kind = event["kind"]
        kinds[kind] = kinds.get(kind, 0) + 1
        path = event.get("path")
        if path is not None:
            paths[path] = paths.get(path, 0) + 1
    busiest = sorted(paths.items(), key=lambda item: (-item[1], item[0]))[:BUSIEST]
    return {
        "format": FORMAT,
        "path": mount.root,
        "scope": mount.scope,
        "by": by,
        "buckets": [
            {"start": start + REST[len(start) :], "total": sum(kinds.values()), "kinds": _in_order(kinds)}
            for start, kinds in sorted(buckets.items())
        ],
        "paths": [{"path": path, "events": events} for path, events in busiest],
    }


def _in_order(kinds: dict[str, int]) -> dict[str, int]:
    """Known kinds in their usual order, then the others."""
    known = {kind: kinds[kind] for kind in feed.KINDS if kind in kinds}
    return {**known, **{kind: kinds[kind] for kind in sorted(kinds) if kind not in known}}
