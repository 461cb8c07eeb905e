"""Finding lines in an append-only file without reading the whole of it.

Files end with a newline; a line is what stands between two, its own newline included. Offsets and sizes in bytes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neosian_cli.disk.tree import File

BLOCK = 4096
HEAD = 1024
"""How much of a line is read to learn its number."""
FIRST_READ = 32 << 10
LONGEST_READ = 1 << 20
"""Reading on begins small, for a page, and grows, for the whole."""


class Torn(ValueError):
    """The file does not end with a newline, or a line in it does not."""


def _looked_at(block: bytes) -> bytes:
    """A part of a line; raises `Torn` for what no line holds: a hole of a file may be larger than any memory."""
    if b"\0" in block:
        raise Torn("holds zero bytes, which no line does")
    return block


def start_of_line(file: File, inside: int, lowest: int = 0) -> int:
    """The offset at which the line that holds byte `inside` begins; raises `Torn`."""
    end = inside
    while end > lowest:
        begin = max(lowest, end - BLOCK)
        block = file.read_at(begin, end - begin)
        found = block.rfind(b"\n")
        _looked_at(block[found + 1 :])
        if found >= 0:
            return begin + found + 1
        end = begin
    return lowest


def end_of_line(file: File, inside: int) -> int:
    """The offset after the newline of the line that holds byte `inside`; raises `Torn`."""
    offset = inside
    while block := file.read_at(offset, BLOCK):
        found = block.find(b"\n")
        _looked_at(block[: found + 1] if found >= 0 else block)
        if found >= 0:
            return offset + found + 1
        offset += len(block)
    raise Torn("does not end with a newline")


def line_before(file: File, end: int) -> tuple[int, bytes]:
    """The line that ends at `end`, and where it begins; raises `Torn`."""
    start = start_of_line(file, end - 1)
    line = file.read_at(start, end - start)
    if not line.endswith(b"\n"):
        raise Torn("does not end with a newline")
    return start, line


def lines_from(file: File, offset: int = 0) -> Iterator[tuple[int, bytes]]:
    """Every line from `offset` on, with its own offset; raises `Torn`."""
    begun: list[bytes] = []
    position, size = offset, FIRST_READ
    while position < file.size and (piece := file.read_at(position, min(size, file.size - position))):
        position += len(piece)
        size = min(size * 2, LONGEST_READ)
        start = 0
        while end := piece.find(b"\n", start) + 1:
            line = piece[start:end]
            if begun:
                line = b"".join((*begun, line))
                begun.clear()
            yield offset, line
            offset += len(line)
            start = end
        if start < len(piece):
            begun.append(_looked_at(piece[start:]))
    if begun:
        raise Torn("does not end with a newline")


def find_line(file: File, wanted: int, number_of: Callable[[bytes], int]) -> int | None:
    """The offset of the line with the number `wanted`, where numbers grow from line to line; None where it is not.

    `number_of` is given the beginning of a line and raises ValueError where there is no number.
    """
    low, high = 0, file.size
    while low < high:
        middle = (low + high) // 2
        start = start_of_line(file, middle, low)
        number = number_of(file.read_at(start, HEAD))
        if number == wanted:
            return start
        if number < wanted:
            low = end_of_line(file, middle)
        else:
            high = start
    return None


def number_after(key: bytes) -> Callable[[bytes], int]:
    """A `number_of` for JSON lines in which `key` (as in `"version":`) stands early."""

    def number_of(head: bytes) -> int:
        at = head.find(key)
        digits = head[at + len(key) : at + len(key) + 20] if at >= 0 else b""
        length = 0
        while length < len(digits) and digits[length : length + 1].isdigit():
            length += 1
        if not length:
            raise ValueError("is not readable")
        return int(digits[:length])

    return number_of
