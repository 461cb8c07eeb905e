"""Work that is committed in several transactions: how much of it stays when it is stopped."""

from __future__ import annotations


class Instalments:
    """`count` things are committed, in `transactions`; of the one under way the store knows best."""

    __slots__ = ("_before", "_part", "count", "transactions")

    def __init__(self) -> None:
        self.count = 0
        self.transactions = 0
        self._part = 0
        self._before = 0

    def begin(self, part: int, commits: int) -> None:
        """A transaction of `part` things is about to be committed; `commits` as the store counts them before it."""
        self._part, self._before = part, commits

    def settle(self, commits: int) -> None:
        """Count the transaction that was begun if the store has committed it, whatever came before that was said."""
        if self._part and commits > self._before:
            self.count += self._part
            self.transactions += 1
        self._part = 0
