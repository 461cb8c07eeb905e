"""The body of a document as text and as lines. Lines end at a newline only; the last one may lack it."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.grammar import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_BYTES = 256 << 20
"""The largest body, in bytes of UTF-8. A document is kept, read and written whole."""


def check(text: str, what: str) -> str:
    """The text itself when it can be kept: UTF-8, not too large; else `invalid_argument`."""
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError:
        raise Failure("invalid_argument", f"{what} is not UTF-8", argument=what) from None
    if size > MAX_BYTES:
        raise Failure(
            "invalid_argument",
            f"{what} has {size:,} bytes; a document holds at most {MAX_BYTES:,}",
            argument=what,
            bytes=size,
        )
    return text


def size_of(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def lines_of(text: str) -> list[str]:
    """The lines, each with its newline but perhaps the last."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def count_lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def lines_at(text: str, indexes: Iterable[int]) -> Iterator[int]:
    """The number, from 1, of the line that holds the character at each index; indexes ascend."""
    line, seen = 1, 0
    for index in indexes:
        line += text.count("\n", seen, index)
        seen = index
        yield line


def end_of_line(text: str, number: int) -> int:
    """The index after line `number` of those there are; 0 for line 0."""
    at = 0
    for _ in range(number):
        found = text.find("\n", at)
        at = len(text) if found < 0 else found + 1
    return at


def insert(text: str, number: int, addition: str) -> str:
    """Whole lines put after line `number` (0: at the top), newlines added where one is missing between lines."""
    at = end_of_line(text, number)
    before, after = text[:at], text[at:]
    if before and not before.endswith("\n"):
        before += "\n"
    if not addition.endswith("\n"):
        addition += "\n"
    return before + addition + after


def span(text: str) -> tuple[int, int | None]:
    """First and last line of `A:B`, either side optional; raises `invalid_argument`."""
    first, colon, last = text.partition(":")
    if not colon or not all(part == "" or (part.isascii() and part.isdigit()) for part in (first, last)):
        hint = f"for one line write {text}:{text}" if text.isascii() and text.isdigit() else "write it as 10:20"
        raise Failure("invalid_argument", f"--lines {excerpt(text)} is not of the form A:B", hint=hint)
    if max(len(first), len(last)) > 18:
        raise Failure("invalid_argument", f"--lines {excerpt(text)} has too many digits")
    low, high = int(first or 1), int(last) if last else None
    if low < 1 or (high is not None and high < low):
        reason = "begins before line 1" if low < 1 else "ends before it begins"
        raise Failure("invalid_argument", f"--lines {excerpt(text)} {reason}", hint="lines count from 1, both included")
    return low, high


def cut(text: str, low: int, high: int | None) -> list[str]:
    """Lines `low` to `high`, both included, cut at the end."""
    return lines_of(text)[low - 1 : high]
