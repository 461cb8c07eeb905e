"""A root in the making: an archive grows in it, and it is a store only when all is there.

Failure model. Each transaction is a plan as in any root, but none of them writes the marker; that is the last one of
all. Stopped before it, the directory holds no store: reading it finds nothing, and nothing is written to it.
"""

from __future__ import annotations

import os

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.store import marker
from neosian_cli.store.transaction import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from neosian_cli.journal.journal import Journal
    from neosian_cli.model.times import Instant


class Making:
    """The transactions of one root in the making, under its exclusive lock."""

    def __init__(self, journal: Journal, verb: str, now: Callable[[], Instant], new_id: Callable[[], str]) -> None:
        self._journal = journal
        self._verb = verb
        self._now = now
        self._new_id = new_id
        self._finishing = False

    def transaction(self) -> Transaction:
        """One more transaction; it may be committed several times."""
        return Transaction(self._journal, self._verb, self._now(), self._new_id, is_new=False)

    def sweep(self) -> None:
        """Remove what a transaction that was given up has staged."""
        self._journal.recover()

    def finish(self) -> None:
        """Make it a store."""
        last = self.transaction()
        last.put(marker.NAME, marker.encode(self._new_id(), times.spell(last.now)))
        self._finishing = True
        self._journal.commits = 0
        last.commit()

    def end(self) -> None:
        """What was written counts for nothing without the marker, which alone counts with it."""
        if not self._finishing:
            self._journal.commits = 0


def refuse_occupied(directory: str) -> None:
    """Raise `target_occupied` unless it is missing or empty, but for the lock of one who has begun and left."""
    if os.path.isdir(directory):
        names = set(os.listdir(directory))
        if ".transactions" in names and os.path.lexists(os.path.join(directory, ".transactions", "pending.json")):
            names.add("pending.json")
        occupied = sorted(names - marker.OF_A_ROOT_HALF_MADE)
    else:
        occupied = ["itself"] if os.path.lexists(directory) else []
    if occupied:
        raise Failure.conflict(
            "target_occupied",
            f"{directory} is not empty" if os.path.isdir(directory) else f"{directory} is no directory",
            hint="name a directory that does not exist yet, or an empty one",
            path=directory,
        )
