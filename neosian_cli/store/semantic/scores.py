"""Scores that do not depend on how they were found.

The dot product of float32 vectors is a sum of products that a double holds exactly; `fsum` rounds that sum once. So a
record's score is the same number in every lane, batch, process and on every machine, and equal records tie.
"""

from __future__ import annotations

import math
from operator import mul

from neosian_cli.model import numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

RRF = 60
K1 = 1.2
B = 0.75


def cosine_to(query: bytes) -> Callable[[bytes], float]:
    """The cosine of a packed vector to this one, cut to [-1, 1], as a float32."""
    given = numbers.unpack(query)
    length = math.sqrt(math.fsum(map(mul, given, given)))
    known: dict[bytes, float] = {}

    def cosine(packed: bytes) -> float:
        score = known.get(packed)
        if score is None:
            stored = numbers.unpack(packed)
            norm = math.sqrt(math.fsum(map(mul, stored, stored)))
            # Two divisions: the product of two lengths may leave the range of a double, neither quotient does.
            score = math.fsum(map(mul, given, stored)) / length / norm if norm else 0.0
            score = known[packed] = numbers.round_to_float32(min(1.0, max(-1.0, score)))
        return score

    return cosine


def idf(records: int, holding: int) -> float:
    """How much a word tells that `holding` of `records` have."""
    return math.log(1 + (records - holding + 0.5) / (holding + 0.5))


def bm25(weight: float, count: int, words: int, average: float) -> float:
    """What one word or phrase adds: `count` times in a text of `words` words, where a text has `average`."""
    return weight * count * (K1 + 1) / (count + K1 * (1 - B + B * words / average))


def fused(ranks: tuple[int, ...]) -> float:
    """Reciprocal rank fusion of the ranks, from 1, that a record has in the lanes that found it."""
    return numbers.round_to_float32(math.fsum(1 / (RRF + rank) for rank in ranks))
