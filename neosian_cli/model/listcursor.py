"""Cursors of lists: how far a list was read, as an opaque word.

Behind `l1_`, in URL-safe base64 without padding: version, 8 bytes of the SHA-256 of what the list is of (its kind and
whose it is), the key of the last item that was given, CRC-32. A list goes on with the first item above that key,
whatever has come or gone meanwhile; it needs no state in the store. The feed has cursors of its own.
"""

from __future__ import annotations

import zlib

from neosian_cli.errors import Failure
from neosian_cli.model import armour
from neosian_cli.model.cursor import malformed
from neosian_cli.model.digest import sha256

MARK = "l1_"
VERSION = b"\x01"
MAX_CHARACTERS = 8192
BOUND = 9
"""Bytes before the key."""


def _owner(kind: str, of: str) -> bytes:
    return sha256(f"{kind}\0{of}".encode()).digest()[:8]


def encode(kind: str, of: str, key: str) -> str:
    """The word for `key` in the list of this kind: "documents", …; `of` names the scope or whatever it belongs to."""
    body = VERSION + _owner(kind, of) + key.encode("utf-8", "surrogatepass")
    return MARK + armour.encode_word(body + zlib.crc32(body).to_bytes(4, "big"))


def decode(text: str, kind: str, of: str) -> str:
    """The key that a user's word stands for; raises `invalid_cursor` (`malformed`, or `scope` for another list's)."""
    if not text.startswith(MARK) or len(text) > MAX_CHARACTERS or not text.isascii():
        raise malformed("cursor")
    word = text[len(MARK) :]
    try:
        data = armour.decode_word(word)
        key = data[BOUND:-4].decode("utf-8", "surrogatepass")
    except ValueError:
        raise malformed("cursor") from None
    body, check = data[:-4], data[-4:]
    if len(data) < BOUND + 4 or data[:1] != VERSION or zlib.crc32(body).to_bytes(4, "big") != check:
        raise malformed("cursor")
    if body[1:BOUND] != _owner(kind, of):
        raise Failure(
            "invalid_cursor",
            "the cursor belongs to another list",
            hint="a cursor goes on with the list that printed it; start again without --cursor",
            reason="scope",
        )
    if encode(kind, of, key) != text:
        raise malformed("cursor")
    return key
