"""The whole chain of a feed, read from the floor to the head."""

from __future__ import annotations

from neosian_cli.errors import HINTS, Failure
from neosian_cli.model.advance import ignored
from neosian_cli.services.changes.position import checked_head
from neosian_cli.services.changes.retained import entries
from neosian_cli.store import feed, log
from neosian_cli.store.damage import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.model.advance import Advance
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.log import Head
    from neosian_cli.store.root import Store

FORMAT = 1
STEP = 1000
WAY_OUT = HINTS["feed_corrupt"]
FAULTS = ("feed_corrupt", "format_unsupported")


def verify(store: Store, mount: Mount, *, advance: Advance = ignored) -> dict[str, Any]:
    """What was read, and the first fault as a finding; `ok` is whether there is none.

    Reads every retained event; `advance` is told now and then how many more were read, of how many in all.
    """
    first = last = None
    count = size = 0
    findings: list[dict[str, Any]] = []
    head: Head | None = None
    try:
        for head, entry in entries(store, mount.scope):
            feed.event_of(mount.scope, head, entry)
            first = entry.number if first is None else first
            last = entry.number
            count += 1
            size += entry.size
            if count % STEP == 0:
                advance(STEP, head.retained)
        _check_whole(store, mount, head, count, size)
    except Failure as failure:
        if failure.code not in FAULTS:
            raise
        findings.append(_finding(mount, failure))
    return {
        "format": FORMAT,
        "path": mount.root,
        "scope": mount.scope,
        "events": count,
        "first": first,
        "last": last,
        "ok": not findings,
        "findings": findings,
    }


def _check_whole(store: Store, mount: Mount, head: Head | None, count: int, size: int) -> None:
    """Refuse segments that no head accounts for, and a head that counts other bytes than there are."""
    where = feed.log_of(mount.scope)
    with store.reading() as tree:
        now = checked_head(tree, mount.scope)
        if now is None:
            return
        known = {path for _, _, path in log.segment_paths(where, now.floor, now.head)}
        for name, _ in sorted(tree.entries(where.directory)):
            path = f"{where.directory}/{name}"
            if path != where.head_file and path not in known:
                raise damaged(path, "is no segment that the head knows of")
    if head == now and count == now.retained and size != now.bytes:
        raise damaged(where.head_file, f"counts {now.bytes} bytes of events where there are {size}")


def _finding(mount: Mount, failure: Failure) -> dict[str, Any]:
    details = failure.details
    return {
        "code": failure.code,
        "severity": "fault",
        "path": str(details.get("file") or feed.log_of(mount.scope).directory),
        "message": failure.message,
        "sequence": details.get("sequence"),
        "offset": details.get("offset"),
    }
