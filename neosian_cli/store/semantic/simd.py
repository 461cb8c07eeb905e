"""Estimates by simsimd's dot products, over the mapped files and without numpy.

Of its kernels only the dot product is asked for, which is a plain sum of products on every processor; its cosine takes
an approximate root. A length is the root of a row's product with itself, taken while the row is still in the cache.
"""

from __future__ import annotations

import math
from array import array
from operator import truediv

import simsimd

from neosian_cli.model import numbers
from neosian_cli.store.semantic.slack import FORCED, LONGEST, SHORTEST, slack_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.store.semantic.vectors import Vectors

inner: Any = simsimd.inner
"""Row by row; its own types know memory of whole numbers alone."""
WIDTH = 4
AT_ONCE = 1 << 18
"""Bytes of rows that are multiplied by the query and by themselves before the next ones."""


class SimdEstimates:
    """See `Estimates`."""

    few = 20_000

    def __init__(self, query: bytes, dimensions: int) -> None:
        self.slack = slack_of(dimensions)
        given = numbers.unpack(query)
        largest = max(map(abs, given))
        scaled = [number / largest for number in given]
        length = math.sqrt(math.fsum(number * number for number in scaled))
        self.unit = array("f", [number / length for number in scaled])
        self._dimensions = dimensions
        self._size = dimensions * WIDTH
        self._step = max(1, AT_ONCE // self._size)

    def of(self, vectors: Vectors, rows: Sequence[int]) -> list[float]:
        guesses: list[float] = []
        for start in range(0, len(rows), self._step):
            packed = [vectors.row(row) for row in rows[start : start + self._step]]
            found = iter(self._cosines(memoryview(b"".join(row for row in packed if row is not None))))
            guesses += [FORCED if row is None else next(found) for row in packed]
        return guesses

    def of_all(self, vectors: Vectors, start: int = 0) -> _Guesses:
        guesses: list[float] = []
        size = self._size
        for first, held, data in vectors.blocks():
            guesses += [-FORCED] * (max(first, min(start, first + held)) - len(guesses))
            rows = memoryview(data)
            for row in range(len(guesses) - first, held, self._step):
                guesses += self._cosines(rows[row * size : min(held, row + self._step) * size])
        return _Guesses(guesses + [-FORCED] * (vectors.rows - len(guesses)))

    def _cosines(self, rows: memoryview) -> list[float]:
        """One estimate a row; `rows` are whole rows as bytes."""
        if not rows:
            return []
        block = rows.cast("B").cast("f", (len(rows) // self._size, self._dimensions))
        products, squares = _listed(inner(self.unit, block)), _listed(inner(block, block))
        # Not a number and infinity show in the sum.
        if min(squares) > SHORTEST and max(squares) < LONGEST and math.isfinite(math.fsum(squares)):
            return list(map(truediv, products, map(math.sqrt, squares)))
        return [
            product / math.sqrt(square) if SHORTEST < square < LONGEST else FORCED
            for product, square in zip(products, squares, strict=True)
        ]


class _Guesses:
    def __init__(self, values: list[float]) -> None:
        self._values = values

    def __getitem__(self, row: int, /) -> float:
        return self._values[row]

    def __len__(self) -> int:
        return len(self._values)

    def best(self, count: int) -> tuple[list[int], float]:
        from heapq import nlargest

        weakest = nlargest(count, self._values)[-1]
        return [row for row, value in enumerate(self._values) if value >= weakest], weakest


def _listed(tensor: object) -> list[float]:
    values: Any = memoryview(tensor)  # type: ignore[arg-type]  # it gives its doubles as a buffer
    return list(values.tolist())
