"""What a provider's numbers must be before anything believes them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.embedders.transport import Endpoint


def pack_vectors(endpoint: Endpoint, vectors: list[object], count: int, dimensions: int) -> list[bytes]:
    """The vectors as little-endian float32; raises `unavailable` that says what is wrong with which of them."""
    if len(vectors) != count:
        raise endpoint.unavailable(f"answered with {len(vectors)} vectors to {count} texts")
    return [_pack(endpoint, index, vector, dimensions) for index, vector in enumerate(vectors)]


def _pack(endpoint: Endpoint, index: int, vector: object, dimensions: int) -> bytes:
    import math
    import struct

    from neosian_cli.model.numbers import NUMBERS

    if not isinstance(vector, list):
        raise endpoint.unavailable(f"answered with no list of numbers as vector {index}")
    if len(vector) != dimensions:
        raise endpoint.unavailable(
            f"answered with {len(vector)} dimensions in vector {index}; the namespace has {dimensions}",
        )
    layout = struct.Struct(f"<{dimensions}f")
    try:
        # `struct` takes a truth value for a number.
        packed = layout.pack(*vector) if NUMBERS.issuperset(map(type, vector)) else b""
    except (struct.error, OverflowError):
        packed = b""
    if not packed:
        raise endpoint.unavailable(f"answered with something that is not a float32 in vector {index}")
    stored = layout.unpack(packed)
    if not all(map(math.isfinite, stored)):
        raise endpoint.unavailable(f"answered with a number that is not finite in vector {index}")
    if not any(stored):
        raise endpoint.unavailable(f"answered with zeros alone in vector {index}")
    return packed


def answer_limit(count: int, dimensions: int) -> int:
    """How many bytes an honest answer can have: 40 a number is more than JSON needs for a double."""
    return (1 << 20) + count * (dimensions * 40 + 1024)
