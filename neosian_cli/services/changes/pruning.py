"""Removing events that every consumer has passed."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.model.cursor import Cursor
from neosian_cli.services.changes import checkpoint
from neosian_cli.services.changes.position import (
    AHEAD,
    STREAM_RESET,
    UNTRACKED,
    ahead,
    checked_head,
    parse,
    state_of,
)
from neosian_cli.services.instalments import Instalments
from neosian_cli.store import feed, retention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.log import Head
    from neosian_cli.store.retention import Cut
    from neosian_cli.store.root import Store

FORMAT = 1
VERB = "changes prune"


def prune(
    store: Store,
    mount: Mount,
    through: str,
    *,
    write: bool,
    everything: bool = False,
    not_past: Sequence[str] = (),
    advance: Advance = ignored,
    done: Instalments | None = None,
) -> dict[str, Any]:
    """Remove the events up to the cursor `through`, at most `retention.BATCH` in one transaction.

    Without `write` it only tells what that would do; `everything` goes on, transaction after transaction, and calls
    `advance` with what each has removed, while `done` counts it. `not_past` names checkpoint files that have to be at
    or beyond the cursor.

    Raises `invalid_cursor`, `read_only` or `edit_only`, `not_found` or `checkpoint_behind` for a checkpoint,
    `feed_corrupt`.
    """
    cursor = parse(through, mount.scope, option="--through")
    mount.require_writable(structural=True)
    kept = [(file, checkpoint.require(file, mount)) for file in not_past]
    with store.reading() as tree:
        head = _resolve(tree, mount, cursor)
        for consumer in kept:
            _guard(tree, mount, head, cursor, consumer)
        cut = _cut(tree, mount, head, cursor)
        if everything:
            retention.check_present(tree, feed.log_of(mount.scope), head, cursor.sequence)
    if cut is None:
        return _report(mount, cursor, _floor(mount, head), 0, applied=write)
    if write:
        head, count = _apply(store, mount, cursor, everything=everything, advance=advance, done=done or Instalments())
        return _report(mount, cursor, _floor(mount, head), count, applied=True)
    if everything:
        return _report(mount, cursor, cursor, cursor.sequence - head.floor, applied=False)
    return _report(mount, cursor, _floor(mount, cut.head), cut.count, applied=False)


def _apply(
    store: Store,
    mount: Mount,
    cursor: Cursor,
    *,
    everything: bool,
    advance: Advance,
    done: Instalments,
) -> tuple[Head, int]:
    """The head afterwards, and how many events went, over one transaction or as many as it takes."""
    try:
        while True:
            with store.writing(VERB) as transaction:
                head = _resolve(transaction.tree, mount, cursor)
                cut = _cut(transaction.tree, mount, head, cursor)
                if cut is not None:
                    retention.carry_out(transaction, feed.log_of(mount.scope), cut)
                    done.begin(cut.count, store.commits)
                    transaction.commit()
            if cut is None:
                return head, done.count
            done.settle(store.commits)
            advance(cut.count)
            if not everything or cut.head.floor >= cursor.sequence:
                return cut.head, done.count
    except Failure as failure:
        done.settle(store.commits)
        if done.transactions:
            failure.details.setdefault("transactions", done.transactions)
            failure.details.setdefault("removed", done.count)
        raise


def _floor(mount: Mount, head: Head) -> Cursor:
    return Cursor(mount.scope, head.stream, head.floor, head.floor_chain)


def _resolve(tree: Tree, mount: Mount, cursor: Cursor) -> Head:
    """The head of the feed that the cursor belongs to; raises `invalid_cursor` or `feed_corrupt`."""
    head = checked_head(tree, mount.scope)
    if head is None:
        raise _foreign("cursor", UNTRACKED, f"nothing is tracked in {mount.root} yet")
    state = state_of(tree, head, cursor)
    if state == AHEAD:
        raise ahead(mount, cursor, head)
    if state == STREAM_RESET:
        raise _foreign("cursor", STREAM_RESET, f"it is of another stream or history than the feed of {mount.root}")
    return head


def _guard(tree: Tree, mount: Mount, head: Head, cursor: Cursor, consumer: tuple[str, Cursor]) -> None:
    """Refuse to prune past a consumer's checkpoint."""
    file, place = consumer
    state = state_of(tree, head, place)
    if state == AHEAD:
        raise ahead(mount, place, head, f"checkpoint {checkpoint.shown(file)}")
    if state == STREAM_RESET:
        why = f"it is of another stream or history than the feed of {mount.root}"
        raise _foreign(f"checkpoint {checkpoint.shown(file)}", STREAM_RESET, why)
    if place.sequence < cursor.sequence:
        raise Failure.conflict(
            "checkpoint_behind",
            f"the consumer of {checkpoint.shown(file)} stands at {place.sequence:,}; "
            f"pruning through {cursor.sequence:,} would take events from it",
            hint=f"prune no further than that: --through {place.encode()}",
            file=checkpoint.shown(file),
            held=place.sequence,
            sequence=cursor.sequence,
        )


def _cut(tree: Tree, mount: Mount, head: Head, cursor: Cursor) -> Cut | None:
    """The next cut towards the cursor; None where nothing is left to remove."""
    if cursor.sequence <= head.floor:
        return None
    through = min(cursor.sequence, head.floor + retention.BATCH)
    return retention.plan_cut(tree, feed.log_of(mount.scope), head, through)


def _foreign(what: str, reason: str, why: str) -> Failure:
    return Failure(
        "invalid_cursor",
        f"the {what} cannot be pruned by: {why}",
        hint="take the cursor from a page of this feed, or from a checkpoint that was saved for it",
        reason=reason,
    )


def _report(mount: Mount, cursor: Cursor, floor: Cursor, count: int, *, applied: bool) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "path": mount.root,
        "scope": mount.scope,
        "stream": floor.stream,
        "count": count,
        "floor": floor.encode(),
        "has_more": floor.sequence < cursor.sequence,
        "applied": applied,
    }
