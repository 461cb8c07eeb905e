"""Exact decimals as text: compared by their digits, never through floats.

`[+-]?digits[.digits][e[+-]digits]`, at most 1,000 characters. A number is held as sign, digits and the place of its
point, so that an exponent of any size costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from neosian_cli.model.value import NamedTuple

MAX_LENGTH = 1000


class Decimal(NamedTuple):
    """`sign` times 0.`digits` times 10^`place`; digits without zeros at either end; zero has sign 0."""

    sign: int
    place: int
    digits: str


ZERO = Decimal(0, 0, "")


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _exponent(text: str) -> int | None:
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if not _is_digits(unsigned):
        return None
    return -int(unsigned) if text[0] == "-" else int(unsigned)


def parse(text: str) -> Decimal | None:
    """The number, or None where the text is none."""
    if len(text) > MAX_LENGTH:
        return None
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    mantissa, mark, power = unsigned.partition("e")
    exponent = _exponent(power) if mark else 0
    whole, point, fraction = mantissa.partition(".")
    if exponent is None or not _is_digits(whole) or (point and not _is_digits(fraction)):
        return None
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return ZERO
    place = len(digits) - len(fraction) + exponent
    return Decimal(-1 if text[0] == "-" else 1, place, digits.rstrip("0"))


def compare(left: Decimal, right: Decimal) -> int:
    """-1, 0 or 1."""
    if left.sign != right.sign:
        return -1 if left.sign < right.sign else 1
    if left == right:
        return 0
    # Digits carry no zeros at their ends, so of two with one place the longer is the larger where one begins the other.
    larger = (left.place, left.digits) > (right.place, right.digits)
    return left.sign if larger else -left.sign
