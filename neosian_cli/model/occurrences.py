"""Where a text occurs in another, overlaps counted."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PLAIN = 64
"""After so many matches the search looks at the period of what it looks for."""


def occurrences(text: str, wanted: str) -> Iterator[int]:
    """The index of every occurrence of a text that is not empty, overlapping ones too, in ascending order.

    Takes time in proportion to both texts even where matches are long and dense, as in a run of one character.
    """
    at = text.find(wanted)
    seen = 0
    while at >= 0 and seen < PLAIN:
        yield at
        seen += 1
        at = text.find(wanted, at + 1)
    if at >= 0:
        yield from _dense(text, wanted, at)


def _dense(text: str, wanted: str, at: int) -> Iterator[int]:
    """As `occurrences`, from the match at `at` on.

    A match one period after another is told by the characters of that period alone. Two matches that are no whole run
    apart lie at least half of `wanted` apart, so each may cost a search of its own.
    """
    size, step = len(wanted), period(wanted)
    ending = wanted[size - step :]
    while at >= 0:
        yield at
        while text.startswith(ending, at + size):
            at += step
            yield at
        at = text.find(wanted, at + 1)


def period(text: str) -> int:
    """The smallest distance by which `text` can be moved to lie on itself (Knuth, Morris and Pratt's failure table)."""
    borders = [0] * len(text)
    border = 0
    for index in range(1, len(text)):
        while border and text[index] != text[border]:
            border = borders[border - 1]
        border += text[index] == text[border]
        borders[index] = border
    return len(text) - border
