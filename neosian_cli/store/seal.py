"""Sealed lines: one JSON object whose last key is the CRC-32 of all before it.

Histories, erasure trails and the heads of logs are sealed, so that a flipped bit is a finding and not an answer.
"""

from __future__ import annotations

import zlib

from neosian_cli.model import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEY = b',"crc32":"'
LENGTH = len(KEY) + 8 + len(b'"}\n')


def seal(value: dict[str, Any]) -> bytes:
    """The line, newline included."""
    body = codec.dumps(value)[:-1]
    return b'%s%s%08x"}\n' % (body, KEY, zlib.crc32(body))


def unseal(line: bytes) -> dict[str, Any]:
    """The object without its seal; raises ValueError that says what is wrong with the line."""
    body, mark = line[:-LENGTH], line[-LENGTH:]
    if mark[: len(KEY)] != KEY or mark[-3:] != b'"}\n':
        raise ValueError("is not whole")
    if mark[len(KEY) : -3] != b"%08x" % zlib.crc32(body):
        raise ValueError("does not match its checksum")
    value = codec.load_object(body + b"}")
    if isinstance(value.get("format"), int) and value["format"] > 1:
        raise NewerFormat(value["format"])
    return value


class NewerFormat(ValueError):
    """A line of a format that this program does not know."""

    def __init__(self, number: int) -> None:
        super().__init__(f"has the format {number}, which a newer neosian reads")
