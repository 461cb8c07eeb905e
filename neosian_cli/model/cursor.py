"""Feed cursors: one position in one scope's feed, as an opaque word.

Forty-five bytes in URL-safe base64 behind `n1_`: version, scope (8 bytes of its SHA-256), stream, sequence, chain hash
at that sequence, CRC-32. The same position is always the same word: it holds no hint that could change with the files.
"""

from __future__ import annotations

import zlib

from neosian_cli.errors import Failure
from neosian_cli.model import armour
from neosian_cli.model.digest import sha256
from neosian_cli.model.value import value

MARK = "n1_"
MAX_BYTES = 2048
LENGTH = 45
CHAIN_BYTES = 8


@value
class Cursor:
    """A position: `stream` a UUID's text, `sequence` from 0, `chain` the 16 hex digits that hold there."""

    scope: str
    stream: str
    sequence: int
    chain: str

    def encode(self) -> str:
        body = b"".join(
            (
                b"\x01",
                scope_hash(self.scope),
                bytes.fromhex(self.stream.replace("-", "")),
                self.sequence.to_bytes(8, "big"),
                bytes.fromhex(self.chain),
            ),
        )
        data = body + zlib.crc32(body).to_bytes(4, "big")
        return MARK + armour.encode_word(data)


def scope_hash(scope: str) -> bytes:
    return sha256(scope.encode()).digest()[:8]


def malformed(what: str) -> Failure:
    return Failure(
        "invalid_cursor",
        f"the {what} is not a cursor",
        hint="pass a cursor back exactly as it was printed",
        reason="malformed",
    )


def decode(text: str, scope: str, what: str = "cursor") -> Cursor:
    """The position in `scope` that a user's word stands for; raises `invalid_cursor` (`malformed` or `scope`)."""
    if not text.startswith(MARK) or len(text) != len(MARK) + LENGTH * 4 // 3 or not text.isascii():
        raise malformed(what)
    try:
        data = armour.decode_word(text[len(MARK) :])
    except ValueError:
        raise malformed(what) from None
    body, check = data[:-4], data[-4:]
    if body[0] != 1 or zlib.crc32(body).to_bytes(4, "big") != check:
        raise malformed(what)
    if body[1:9] != scope_hash(scope):
        raise Failure(
            "invalid_cursor",
            f"the {what} belongs to another scope than {scope}",
            hint="every scope has its own feed and its own cursors",
            reason="scope",
        )
    hexed = body[9:25].hex()
    stream = "-".join((hexed[:8], hexed[8:12], hexed[12:16], hexed[16:20], hexed[20:]))
    return Cursor(scope, stream, int.from_bytes(body[25:33], "big"), body[33:41].hex())
