"""Bytes as text: base64 of RFC 4648, standard or as a word that needs no quoting in URLs and shells.

The standard library's `base64` brings `re` along for the sake of encodings that are not used here.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64

TO_URL = bytes.maketrans(b"+/", b"-_")
FROM_URL = bytes.maketrans(b"-_+/", b"+/  ")


def encode(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()


def decode(text: str) -> bytes:
    """The bytes; raises ValueError for a character that has no place there, and for wrong padding."""
    return a2b_base64(text, strict_mode=True)


def encode_word(data: bytes) -> str:
    """In the URL's alphabet, without padding."""
    return b2a_base64(data, newline=False).translate(TO_URL).decode().rstrip("=")


def decode_word(text: str) -> bytes:
    """The inverse; raises ValueError."""
    word = text.encode("ascii").translate(FROM_URL)
    return a2b_base64(word + b"=" * (-len(word) % 4), strict_mode=True)
