"""Vectors made of hashes: reproducible everywhere, without any meaning. For tests and first steps.

Block 0 is the SHA-256 of the lower-cased text's UTF-8, block j that of block j-1's 32 bytes; each gives eight
little-endian uint32 u, taken as u / 2**32 * 2 - 1. Everything is float32 arithmetic but the sum of squares, which is
float64; the vector is divided by its length, rounded to float32.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_DIMENSIONS = 64
PER_BLOCK = 8
AT_ONCE = 64


class FakeEmbedder:
    """See the module; needs no network, no key and no package."""

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        self.dimensions = dimensions
        self.at_once = AT_ONCE

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> bytes:
        import math
        import struct

        from neosian_cli.model.digest import sha256

        block = text.lower().encode("utf-8")
        integers: list[int] = []
        while len(integers) < self.dimensions:
            block = sha256(block).digest()
            integers.extend(struct.unpack("<8I", block))
        layout = struct.Struct(f"<{self.dimensions}f")

        def rounded(values: list[float]) -> tuple[float, ...]:
            return layout.unpack(layout.pack(*values))

        # A quotient or difference of two float32 is rounded the same by way of a double.
        raw = rounded([u / 2**31 - 1 for u in rounded([float(u) for u in integers[: self.dimensions]])])
        squares = 0.0
        for component in raw:
            squares += component * component
        norm = struct.unpack("<f", struct.pack("<f", math.sqrt(squares)))[0]
        return layout.pack(*[component / norm for component in raw])
