"""How far an estimate of a cosine may be off, and what stands where none can be made.

Rounding a sum of d products to float32 in any order moves it by less than d units in the last place of the sum of
their sizes, which is at most the product of the lengths; a length is off by half as much.
"""

from __future__ import annotations

FORCED = 2.0
"""In place of an estimate that cannot be made: above every cosine, so that the record is scored; it tells no rank."""
SHORTEST, LONGEST = 1e-30, 1e30
"""Squares of lengths between which float32 neither vanishes nor overflows."""


def slack_of(dimensions: int) -> float:
    """The most by which an estimate differs from the cosine."""
    return 2 * (dimensions + 16) * 2.0**-24
