"""Estimates of cosines, by which candidates are picked: quick, and off by no more than `slack`.

An estimate that cannot be made (a length that overflows or vanishes, damage) is `slack.FORCED`.

There are two ways to make them. `simd` multiplies in place, over the mapped files, and loads nothing else: a search
that is one process is mostly what it imports. `blas` is for more numbers than that, and where `simsimd` is missing.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from neosian_cli.store.semantic.vectors import Vectors

    class Guesses(Protocol):
        """An estimate of every row by its number; `-FORCED` for a row that is not there or not asked for."""

        def __getitem__(self, row: int, /) -> float: ...

        def __len__(self) -> int: ...

        def best(self, count: int) -> tuple[list[int], float]:
            """At least `count` rows, in any order, and the least estimate among them: every other row has less."""
            ...

    class Estimates(Protocol):
        """Of one query. `few` is how many numbers are scored sooner than any are estimated.

        `unit` is the query at length 1, as a buffer of float32.
        """

        few: int
        slack: float

        @property
        def unit(self) -> Any: ...

        def of(self, vectors: Vectors, rows: Sequence[int]) -> Sequence[float]:
            """One estimate a row, in order; FORCED for a row that is not there."""
            ...

        def of_all(self, vectors: Vectors, start: int = 0) -> Guesses:
            """All rows, estimated from the row `start` on."""
            ...


SIMD_UP_TO = 400_000_000
"""Numbers (rows by dimensions) from which on the import of numpy is made up for by its quicker choice among rows."""


def estimates_of(query: bytes, dimensions: int, rows: int) -> Estimates:
    """The quicker way that there is here."""
    if rows * dimensions <= SIMD_UP_TO and sys.byteorder == "little":
        try:
            from neosian_cli.store.semantic.simd import SimdEstimates

            return SimdEstimates(query, dimensions)
        except ImportError:
            pass
    from neosian_cli.store.semantic.blas import BlasEstimates

    return BlasEstimates(query, dimensions)
