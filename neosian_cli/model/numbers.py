"""float32 as records hold it: little-endian bytes inside, the shortest decimals that give the same value outside."""

from __future__ import annotations

import math
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 4
NUMBERS = frozenset({int, float})
SMALLEST_NORMAL = 1.1754943508222875e-38
_ONE = struct.Struct("<f")


def pack(values: Sequence[object]) -> bytes:
    """The vector's bytes; raises ValueError for what is no number, not finite as a float32, or zero as a whole."""
    if not NUMBERS.issuperset(map(type, values)):
        index = next(index for index, value in enumerate(values) if type(value) not in NUMBERS)
        raise ValueError(f"component {index} is not a number")
    try:
        packed = struct.pack(f"<{len(values)}f", *values)
    except (OverflowError, struct.error):
        raise ValueError("a component is beyond float32") from None
    stored = unpack(packed)
    # So few float32 never add up to more than a double holds; what is not finite shows in the sum.
    if not math.isfinite(sum(stored)):
        raise ValueError("a component is not finite")
    if not any(stored):
        raise ValueError("its length is zero")
    return packed


def unpack(packed: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(packed) // WIDTH}f", packed)


def round_to_float32(value: float) -> float:
    """The nearest float32, as a double."""
    rounded: float = _ONE.unpack(_ONE.pack(value))[0]
    return rounded


def shortest(value: float) -> float:
    """The double with the shortest decimals that still round to this float32."""
    size = abs(value)
    packed = _ONE.pack(value)
    for digits in range(6 if size >= SMALLEST_NORMAL else 1, 9):
        short = float(f"{value:.{digits}g}")
        # Near the largest float32 fewer digits may round up beyond it.
        if abs(short) <= 3.4028235677973366e38 and _ONE.pack(short) == packed:
            return short
    return float(f"{value:.9g}")


def listed(packed: bytes) -> list[float]:
    """The vector for people and JSON."""
    return [shortest(value) for value in unpack(packed)]
