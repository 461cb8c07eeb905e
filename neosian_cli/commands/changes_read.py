"""`neosian changes read`: one page, all pages, or pages without end."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.mount import locate_root
from neosian_cli.render.output import HUMAN, JSON
from neosian_cli.render.stream import ClosedPipe
from neosian_cli.services.changes import page as pages
from neosian_cli.services.changes.position import START, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from neosian_cli.commands.call import Call
    from neosian_cli.model.cursor import Cursor
    from neosian_cli.model.mount import Mount
    from neosian_cli.services.changes.page import Page
    from neosian_cli.signals import Interrupted

GAP = 3
INTERVAL = 1.0
FOLLOWING = ("interval", "timeout")
BEGIN_HINT = "where nothing was consumed before, say where to begin: --from start or --from now"


def run(call: Call) -> int:
    _check(call)
    mount = locate_root(call.settings.mounts, call.maybe("path"))
    cursor = _cursor(call, mount)
    wanted: dict[str, Any] = {
        "start": call.maybe("from") or START,
        "limit": call.integer("limit"),
        "source": call.settings.source,
    }
    if call.flag("follow"):
        return _follow(call, mount, cursor, wanted)
    if call.flag("all"):
        from neosian_cli.services.changes import walk

        return _walk(call, mount, walk.through(call.store, mount, cursor, **wanted))
    return _one(call, mount, pages.read(call.store, mount, cursor, **wanted))


def _check(call: Call) -> None:
    """Refuse options that do not go together; raises `usage`."""
    if call.output.mode == JSON:
        for key in ("all", "follow"):
            if call.flag(key):
                raise _usage(f"--{key} prints a line an event: use --jsonl instead of --json")
    if not call.flag("follow"):
        for key in FOLLOWING:
            if call.given(key):
                raise _usage(f"--{key} belongs to --follow")
    if call.flag("auto_advance") and not call.given("checkpoint"):
        raise _usage("--auto-advance needs the file to save in: --checkpoint FILE")


def _usage(message: str) -> Failure:
    return Failure("usage", f"changes read: {message}", hint="neosian changes read --help")


def _cursor(call: Call, mount: Mount) -> Cursor | None:
    """The cursor that is given or kept in the checkpoint file; None where reading begins at `--from`."""
    text = call.maybe("cursor")
    if text is not None:
        return parse(text, mount.scope, option="--cursor")
    if not call.given("checkpoint"):
        return None
    from neosian_cli.services.changes import checkpoint

    file = call.string("checkpoint")
    if call.flag("auto_advance"):
        checkpoint.check_place(file)
    return checkpoint.load(file, mount.scope) if call.given("from") else checkpoint.require(file, mount, BEGIN_HINT)


def _one(call: Call, mount: Mount, page: Page) -> int:
    def human(_: object) -> None:
        from neosian_cli.render import changes

        changes.page(call.output, page)

    call.output.listing(page, human, items="events", kind="event")
    return _end(call, mount, page, streamed=False)


def _walk(call: Call, mount: Mount, walk: Iterator[Page]) -> int:
    """Pages as they come, each saved in the checkpoint once it is written out; the last one's end."""
    from neosian_cli.signals import Interrupted

    call.output.flow()
    last: Page = {}
    whole: Page = {}
    try:
        for page in walk:
            if page["events"] and not last:
                _put_heading(call)
            _put_events(call, page)
            last = page
            if page["events"]:
                call.output.flush()
                whole = page
                _keep(call, mount, page)
    except Interrupted as stop:
        raise _stopped(call, stop, whole) from None
    _put_page(call, last)
    return _end(call, mount, last)


def _stopped(call: Call, stop: Interrupted, page: Page) -> Failure:
    """The end of a walk whose last page that is written out whole is this one, if there is any."""
    from neosian_cli.commands.stopped import Stopped, failure_of

    if not page:
        return failure_of(call, stop, Stopped("no whole page was written out"))
    last, cursor = page["events"][-1]["sequence"], page["cursor"]
    hint = f"the same command with --cursor {cursor} goes on"
    return failure_of(call, stop, Stopped(f"written out up to event {last:,}", hint, {"cursor": cursor}))


def _end(call: Call, mount: Mount, page: Page, *, streamed: bool = True) -> int:
    """What is said and saved after the last page; the exit status."""
    if call.output.mode == HUMAN:
        from neosian_cli.render import changes

        changes.advice(call.output, page, call.maybe("checkpoint"), streamed=streamed)
    if page["gap"] is None:
        call.output.flush()
        _keep(call, mount, page)
        return 0
    return 0 if call.flag("gap_ok") else GAP


def _keep(call: Call, mount: Mount, page: Page) -> None:
    """Save the cursor of a page that has been written out."""
    if call.flag("auto_advance"):
        from neosian_cli.services.changes import checkpoint

        checkpoint.keep(mount, call.string("checkpoint"), page["cursor"], call.surroundings.new_uuid)


def _put_heading(call: Call) -> None:
    if call.output.mode == HUMAN:
        from neosian_cli.render import changes

        changes.heading(call.output)
        call.output.flush()


def _put_events(call: Call, page: Page) -> None:
    if call.output.mode == HUMAN:
        from neosian_cli.render import changes

        changes.rows(call.output, page["events"])
    else:
        for event in page["events"]:
            call.output.line({"type": "event", **event})


def _put_page(call: Call, page: Page) -> None:
    if call.output.mode == HUMAN:
        from neosian_cli.render import changes

        changes.last_line(call.output, page)
    else:
        call.output.line(pages.without_events(page))


def _follow(call: Call, mount: Mount, cursor: Cursor | None, wanted: dict[str, Any]) -> int:
    """Events one by one as they come, then the page that they end with, however that comes about."""
    from neosian_cli.services.changes import walk
    from neosian_cli.signals import Interrupted

    interval = call.maybe_real("interval")
    waiting = walk.Waiting(
        INTERVAL if interval is None else interval,
        call.maybe_real("timeout"),
        call.surroundings.monotonic,
        _sleeper(call),
    )
    call.output.flow()
    last: Page = {}
    under_way: Page = {}
    shown = 0
    headed = False
    try:
        for page in walk.follow(call.store, mount, cursor, waiting, **wanted):
            if page["events"] and not headed:
                headed = True
                _put_heading(call)
            under_way, shown = page, 0
            for event in page["events"]:
                before = call.output.out.lines
                try:
                    _put_events(call, {"events": [event]})
                    call.output.flush()
                finally:
                    shown += call.output.out.lines > before
            last = page
            if page["gap"] is None:
                _keep(call, mount, page)
    except Interrupted:
        if under_way is not last:
            place = last["cursor"] if last else cursor.encode() if cursor else under_way["earliest_cursor"]
            under_way = _shown_part(call, mount, under_way, shown, place)
        if under_way:
            _put_page(call, under_way)
            call.output.flush()
        raise
    _put_page(call, last)
    call.output.flush()
    return _end(call, mount, last)


def _shown_part(call: Call, mount: Mount, page: Page, shown: int, before: str) -> Page:
    """A page that was interrupted after `shown` of its events, as a page of those; at worst one of none."""
    part = {**page, "events": [], "cursor": before, "has_more": True}
    if shown == len(page["events"]):
        return page
    if shown:
        call.store.lock_timeout = 0.0
        try:
            return pages.read(call.store, mount, parse(before, mount.scope), limit=shown, source=page.get("source"))
        except Failure:
            return part
    return part


def _sleeper(call: Call) -> Callable[[float], None]:
    """A way to wait that ends when whoever reads our stdout has gone: no event may come to tell us so."""
    out = call.output.out
    if out.closed:
        return call.surroundings.sleep

    def sleep(seconds: float) -> None:
        import select

        poll = select.poll()
        poll.register(out.descriptor, 0)
        if poll.poll(max(1, int(min(seconds, 86_400) * 1000))):
            raise ClosedPipe

    return sleep
