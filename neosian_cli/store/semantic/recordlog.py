"""Reading the record log: all that is readable, with a finding for each line that is not.

One damaged line hides no other. What a damaged line does to its neighbour is known: the chain cannot be joined to it,
so the next line is believed on its own checksum.
"""

from __future__ import annotations

import zlib

from neosian_cli.disk.tree import Unsafe
from neosian_cli.store.damage import damaged
from neosian_cli.store.lines import Torn, lines_from
from neosian_cli.store.log import PREFIX, SEGMENT, SUFFIX, link, segment_path, segment_paths
from neosian_cli.store.seal import NewerFormat
from neosian_cli.store.semantic import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from typing import NamedTuple

    from neosian_cli.disk.tree import File, Tree
    from neosian_cli.store.log import Head, Log
    from neosian_cli.store.semantic.entries import Entry
else:
    from neosian_cli.model.value import NamedTuple

LOST_SEGMENTS = 256
"""A million lines: up to so many that are lost stand as a finding each."""
LONGEST = 1 << 32
"""Bytes that no line has."""


class Placed(NamedTuple):
    """A line and where it stands: `offset` and `size` in bytes within the segment of its number.

    Without an entry it could not be read; `code` and `message` say why, `id` whose it seems to be.
    """

    sequence: int
    offset: int
    size: int
    entry: Entry | None
    code: str | None = None
    message: str | None = None
    id: str | None = None


class Position(NamedTuple):
    """After which line: its number, the byte where it ends in its segment, and its chain ("" where it is not known)."""

    number: int
    offset: int
    chain: str


def scan(tree: Tree, log: Log, head: Head, after: Position) -> Iterator[Placed]:
    """Every line after a position, in order; raises `record_corrupt` for a log that is not there in large part."""
    _require_most(tree, log, head, after)
    chain: str | None = after.chain or None
    for first, last, path in segment_paths(log, head.floor, head.head):
        if last <= after.number:
            continue
        start = after.offset if first <= after.number else 0
        chain = yield from _scan_segment(tree, path, (max(first, after.number + 1), last), start, chain)


def _require_most(tree: Tree, log: Log, head: Head, after: Position) -> None:
    """A head may claim more lines than could be named one by one: then the segments tell how far it can be believed."""
    wanted = (head.head - max(head.floor, after.number)) // SEGMENT
    if wanted <= LOST_SEGMENTS:
        return
    known = sum(name.endswith(SUFFIX) for name, _ in tree.entries(log.directory))
    if wanted > known + LOST_SEGMENTS:
        raise damaged(log.head_file, f"speaks of {wanted:,} segments, of which {known:,} are there")


def _scan_segment(
    tree: Tree, path: str, numbers: tuple[int, int], start: int, chain: str | None
) -> Generator[Placed, None, str | None]:
    """The lines from one number to another of a segment; returns the last one's chain, None where it is not known."""
    number, last = numbers
    try:
        file = tree.open_file(path)
        reason = "is missing"
    except Unsafe as unsafe:
        file, reason = None, unsafe.reason
    if file is None:
        for lost in range(number, last + 1):
            yield _lost(lost, path, reason)
        return None
    with file:
        try:
            for offset, line in lines_from(file, start):
                if number > last:
                    break
                data, own = _check(line)
                own_number = _number(data) if data is not None else None
                if own_number is not None and number < own_number <= last:
                    for lost in range(number, own_number):
                        yield _lost(lost, path, "lost this line")
                    number, chain = own_number, None
                joined = data is not None and own_number == number and (chain is None or link(chain, data) == own)
                yield _placed(path, number, offset, line, data if joined else None)
                chain = own if joined else None
                number += 1
        except Torn:
            pass
    for lost in range(number, last + 1):
        yield _lost(lost, path, "ends before this line")
        chain = None
    return chain


def with_bytes(tree: Tree, log: Log, lines: Iterable[Placed]) -> Iterator[tuple[Placed, bytes]]:
    """Each line with its bytes as they stand; none for one that is lost."""
    path, file = "", None
    try:
        for placed in lines:
            wanted = segment_path(log, placed.sequence, 0)
            if placed.size and wanted != path:
                if file is not None:
                    file.close()
                path, file = wanted, tree.open_file(wanted)
            yield placed, file.read_at(placed.offset, placed.size) if file is not None and placed.size else b""
    finally:
        if file is not None:
            file.close()


def _check(line: bytes) -> tuple[bytes | None, str | None]:
    """A line's JSON and chain, where its checksum holds."""
    try:
        good = line[8:9] == b" " and line[25:26] == b" " and int(line[:8], 16) == zlib.crc32(line[9:-1])
    except ValueError:
        good = False
    return (line[PREFIX:-1], line[9:25].decode("ascii", "replace")) if good else (None, None)


def _number(data: bytes) -> int | None:
    digits = data[12:32].partition(b",")[0]
    return int(digits) if data.startswith(b'{"sequence":') and digits.isdigit() else None


def _placed(path: str, number: int, offset: int, line: bytes, data: bytes | None) -> Placed:
    if data is None:
        message = f"{path} is damaged at byte {offset}"
        return Placed(number, offset, len(line), None, "record_corrupt", message, _salvaged_id(line))
    try:
        return Placed(number, offset, len(line), entries.decode(data))
    except NewerFormat as newer:
        message = f"{path}, line {number}: {newer}"
        return Placed(number, offset, len(line), None, "format_unsupported", message, _salvaged_id(line))
    except ValueError as error:
        message = f"{path} is damaged at byte {offset}: {error}"
        return Placed(number, offset, len(line), None, "record_corrupt", message, _salvaged_id(line))


def _lost(number: int, path: str, reason: str) -> Placed:
    return Placed(number, 0, 0, None, "record_corrupt", f"{path} {reason} ({number})", None)


def _salvaged_id(line: bytes) -> str | None:
    """Whose record a line seems to be that cannot be trusted; for messages, and to refuse to write over it."""
    import re

    found = re.search(rb'"id":("(?:[^"\\]|\\.)*")', line)
    if found is None:
        return None
    from neosian_cli.model import codec

    try:
        return str(codec.loads(found[1]))
    except ValueError:
        return None


class Lines:
    """Single lines of one log, by number and place; segments stay open until `close`."""

    def __init__(self, tree: Tree, log: Log, head: Head) -> None:
        self._tree = tree
        self._log = log
        self._head = head
        self._files: dict[str, File | None] = {}

    def read(self, sequence: int, offset: int, size: int) -> Entry | None:
        """The entry, or None where the line is not what it was when its place was noted."""
        if sequence < 1 or offset < 0 or not 0 <= size <= LONGEST:
            return None
        path = segment_path(self._log, sequence, self._head.floor)
        if path not in self._files:
            try:
                self._files[path] = self._tree.open_file(path)
            except Unsafe:
                self._files[path] = None
        file = self._files[path]
        data = None if file is None else _check(file.read_at(offset, size))[0]
        if data is None or _number(data) != sequence:
            return None
        try:
            return entries.decode(data)
        except ValueError:
            return None

    def close(self) -> None:
        for file in self._files.values():
            if file is not None:
                file.close()
        self._files = {}
