"""Estimates by numpy's matrix product."""

from __future__ import annotations

from neosian_cli.store.semantic.slack import FORCED, LONGEST, SHORTEST, slack_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.store.semantic.vectors import Vectors


class BlasEstimates:
    """See `Estimates`. numpy is imported when the first one is asked for."""

    few = 600_000

    def __init__(self, query: bytes, dimensions: int) -> None:
        self.slack = slack_of(dimensions)
        self._query = query
        self._unit: Any = None

    @property
    def unit(self) -> Any:
        if self._unit is None:
            import numpy as np

            given = np.frombuffer(self._query, "<f4").astype("f8")
            given /= np.abs(given).max()
            self._unit = (given / np.sqrt((given * given).sum())).astype("f4")
        return self._unit

    def of(self, vectors: Vectors, rows: Sequence[int]) -> list[float]:
        import numpy as np

        numbers = np.array(rows, "i8")
        guesses = np.full(len(rows), FORCED, "f4")
        for first, block in _blocks(vectors):
            inside = np.flatnonzero((numbers >= first) & (numbers < first + len(block)))
            if len(inside):
                guesses[inside] = self._cosines(block[numbers[inside] - first])
        return guesses.tolist()

    def of_all(self, vectors: Vectors, start: int = 0) -> _Guesses:
        import numpy as np

        guesses = np.full(vectors.rows, -FORCED, "f4")
        for first, block in _blocks(vectors):
            skip = max(0, start - first)
            if skip < len(block):
                guesses[first + skip : first + len(block)] = self._cosines(block[skip:])
        return _Guesses(guesses)

    def _cosines(self, block: Any) -> Any:
        import numpy as np

        with np.errstate(all="ignore"):
            squares = np.einsum("ij,ij->i", block, block)
            cosines = (block @ self.unit) / np.sqrt(squares)
        doubtful = ~((squares > SHORTEST) & (squares < LONGEST) & np.isfinite(cosines))
        cosines[doubtful] = FORCED
        return cosines


class _Guesses:
    def __init__(self, values: Any) -> None:
        self._values = values

    def __getitem__(self, row: int, /) -> float:
        return float(self._values[row])

    def __len__(self) -> int:
        return len(self._values)

    def best(self, count: int) -> tuple[list[int], float]:
        import numpy as np

        values = self._values
        weakest = np.partition(values, len(values) - count)[-count]
        return np.flatnonzero(values >= weakest).tolist(), float(weakest)


def _blocks(vectors: Vectors) -> Any:
    """The number of a file's first row, and its rows as an array of shape (rows, dimensions)."""
    import numpy as np

    for first, held, data in vectors.blocks():
        flat = np.frombuffer(data, "<f4", held * vectors.dimensions)
        yield first, flat.reshape(held, vectors.dimensions)
