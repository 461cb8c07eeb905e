"""Page after page: up to the head as it stood, or on and on as events come."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.codec import at_full_speed
from neosian_cli.model.cursor import decode
from neosian_cli.services.changes import page as pages
from neosian_cli.services.changes.position import START
from neosian_cli.store.watch import mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from neosian_cli.model.cursor import Cursor
    from neosian_cli.model.mount import Mount
    from neosian_cli.services.changes.page import Page
    from neosian_cli.store.root import Store

WARM_AFTER = 1000
LARGE = 1000
"""A walk that has handed on `WARM_AFTER` events takes pages of `LARGE`: fewer looks at a long feed."""


def through(
    store: Store,
    mount: Mount,
    cursor: Cursor | None,
    *,
    start: str = START,
    limit: int = 50,
    source: Mapping[str, str] | None = None,
) -> Iterator[Page]:
    """Pages up to the head as it stands at the first; the last one may be a gap, where a prune has overtaken the walk.

    No page is kept, and the lock is held for one page at a time. Raises as `page.read`.
    """
    at_full_speed()
    page = pages.read(store, mount, cursor, start=start, limit=limit, source=source)
    yield page
    if page["head_cursor"] is None:
        return
    end = decode(page["head_cursor"], mount.scope).sequence
    count = len(page["events"])
    while page["gap"] is None:
        at = decode(page["cursor"], mount.scope)
        if at.sequence >= end:
            return
        size = min(LARGE if count >= WARM_AFTER else limit, end - at.sequence)
        page = pages.read(store, mount, at, limit=size, source=source)
        count += len(page["events"])
        yield page


class Waiting:
    """How long a follower waits, in seconds: between two looks, and in all (None: for ever)."""

    __slots__ = ("_deadline", "_monotonic", "_sleep", "interval")

    def __init__(
        self,
        interval: float,
        timeout: float | None,
        monotonic: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self.interval = interval
        self._monotonic = monotonic
        self._sleep = sleep
        self._deadline = None if timeout is None else monotonic() + timeout

    def left(self) -> float:
        """Seconds that are left, 0 or more."""
        return float("inf") if self._deadline is None else max(0.0, self._deadline - self._monotonic())

    def pause(self) -> bool:
        """Wait for one interval, or until the time is up; whether there is time left."""
        left = self.left()
        if left > 0:
            self._sleep(min(self.interval, left))
        return self.left() > 0


def follow(
    store: Store,
    mount: Mount,
    cursor: Cursor | None,
    waiting: Waiting,
    *,
    start: str = START,
    limit: int = 50,
    source: Mapping[str, str] | None = None,
) -> Iterator[Page]:
    """Pages as events come, empty ones among them, until a gap or the end of the time.

    Between two pages it looks at files without the lock; a lock that somebody holds is waited out. Raises as
    `page.read`, and `locked` only where the time ends before the first page.
    """
    patience = store.lock_timeout
    seen = None
    sure = False
    held: Failure | None = None
    while True:
        before = mark(store.root, mount.scope)
        store.lock_timeout = min(patience, waiting.left())
        try:
            page = pages.read(store, mount, cursor, start=start, limit=limit, source=source)
        except Failure as failure:
            if failure.code != "locked":
                raise
            held = failure
            if waiting.pause():
                continue
            if seen is None:
                raise held from None
            return
        yield page
        if page["gap"] is not None:
            return
        cursor = decode(page["cursor"], mount.scope)
        if page["has_more"]:
            if waiting.left() > 0:
                continue
            return
        # A mark that has not changed is believed the second time only, see `mark`.
        sure = seen == before
        seen = before
        while waiting.pause():
            if not sure or mark(store.root, mount.scope) != before:
                break
        else:
            return
