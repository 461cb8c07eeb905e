"""Removing the oldest entries of a log for good.

Failure model. One plan holds the new head and every file that goes or is replaced, so an interrupted cut is finished by
the next holder of the lock. The head comes first in it, and the segment that the cut divides is written anew under the
name that its new first number gives it: names follow from floor and head, before and after. What is removed is read and
checked first, so that a cut neither hides damage nor takes a floor's chain from a line that was tampered with.
"""

from __future__ import annotations

from neosian_cli.model.value import replace, value
from neosian_cli.store import log
from neosian_cli.store.damage import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree
    from neosian_cli.store.log import Head, Log
    from neosian_cli.store.transaction import Transaction

BATCH = 10_000
"""How many entries one transaction removes at most."""


@value
class Cut:
    """What a cut does: the head after it, the segments that go, and the one that is divided.

    `divided` is the path of a segment, the byte at which its retained rest begins, and the path of that rest.
    """

    head: Head
    count: int
    dropped: tuple[str, ...]
    divided: tuple[str, int, str] | None


def plan_cut(tree: Tree, where: Log, head: Head, through: int) -> Cut:
    """The cut that removes the entries up to `through`, from the floor to the head.

    Reads what it removes, a segment at a time. Raises the log's corruption.
    """
    reader = log.Reader(tree, where, head)
    dropped: list[str] = []
    divided = None
    removed = 0
    chain = head.floor_chain
    for first, last, path in log.segment_paths(where, head.floor, head.head):
        if first > through:
            break
        count = min(last, through) - first + 1
        entries = reader.after(first - 1, count, chain)
        chain = entries[-1].chain
        size = sum(entry.size for entry in entries)
        removed += size
        if last > through:
            divided = (path, size, log.segment_path(where, through + 1, through))
        else:
            dropped.append(path)
    newest = log.segment_start(head.head, head.floor)
    if through == head.head:
        segment_bytes = 0
    elif divided and newest <= through:
        segment_bytes = head.segment_bytes - divided[1]
    else:
        segment_bytes = head.segment_bytes
    after = replace(
        head,
        floor=through,
        floor_chain=chain,
        segment_bytes=segment_bytes,
        bytes=head.bytes - removed,
    )
    return Cut(after, through - head.floor, tuple(dropped), divided)


def check_present(tree: Tree, where: Log, head: Head, through: int) -> None:
    """Refuse a log that lacks a segment of the entries up to `through`; no segment is read."""
    for first, _, path in log.segment_paths(where, head.floor, min(through, head.head)):
        if tree.status(path) is None:
            raise damaged(path, "is missing", sequence=first)


def carry_out(transaction: Transaction, where: Log, cut: Cut) -> None:
    """Put the cut into a transaction. Raises the log's corruption."""
    log.put_head(transaction, where, cut.head)
    for path in cut.dropped:
        transaction.remove(path)
    if cut.divided:
        path, offset, rest = cut.divided
        transaction.put(rest, _rest_of(transaction.tree, path, offset))
        transaction.remove(path)


def _rest_of(tree: Tree, path: str, offset: int) -> bytes:
    file = tree.open_file(path)
    if file is None:
        raise damaged(path, "is missing")
    with file:
        return file.read_at(offset, file.size - offset)
