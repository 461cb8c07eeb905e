"""A chained log in segments: the mechanism under the change feed and under the record log.

Entries are JSON objects numbered 1, 2, 3 … by a key of their own. A line is `crc32 chain json`: the CRC-32 (8 hex) of
chain and JSON finds bit rot in one line; the chain (16 hex), SHA-256 over the chain before it and the JSON, cut to 8
bytes, finds a line that was edited, swapped, doubled, left out or taken from elsewhere. The head beside the segments
says how far the log goes: without it a lost tail could not be seen.

A segment holds at most 4,096 entries, begins at 4,096·k + 1 or just above the floor, and is named by its first number.
So the names follow from floor and head alone, and no directory has to be listed.
"""

from __future__ import annotations

import zlib

from neosian_cli.model.digest import sha256
from neosian_cli.model.kinds import COUNT, TEXT, TEXT_OR_NONE, require
from neosian_cli.model.value import fields, replace, value
from neosian_cli.store.damage import damaged
from neosian_cli.store.lines import Torn, end_of_line, find_line, line_before, lines_from, number_after
from neosian_cli.store.seal import NewerFormat, seal, unseal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

    from neosian_cli.disk.tree import File, Tree
    from neosian_cli.store.transaction import Transaction

FORMAT = 1
SEGMENT = 4096
SUFFIX = ".seg"
PREFIX = 8 + 1 + 16 + 1
"""Bytes of a line before its JSON."""
HEX = frozenset("0123456789abcdef")
HEAD_FIELDS = {
    "stream": TEXT,
    "floor": COUNT,
    "floor_chain": TEXT,
    "head": COUNT,
    "head_chain": TEXT,
    "segment_bytes": COUNT,
    "bytes": COUNT,
    "last_created_at": TEXT_OR_NONE,
}


@value
class Log:
    """Where a log lies: its segments' directory, its head's file, and the key under which an entry has its number."""

    directory: str
    head_file: str
    key: str

    @property
    def number_of(self) -> Any:
        return number_after(b'"%s":' % self.key.encode())


@value
class Head:
    """How far a log goes. `floor` is the last number that was removed, `head` the last that was written.

    `segment_bytes` is the size of the newest segment, `bytes` that of all; `last_created_at` the newest entry's time.
    """

    stream: str
    floor: int
    floor_chain: str
    head: int
    head_chain: str
    segment_bytes: int
    bytes: int
    last_created_at: str | None

    @property
    def retained(self) -> int:
        return self.head - self.floor


@value
class Entry:
    """One entry as it is stored: `data` is its JSON, `size` the bytes of its whole line."""

    number: int
    chain: str
    data: bytes
    size: int


def genesis(stream: str) -> str:
    """The chain before the first entry of a stream."""
    return sha256(stream.encode()).digest()[:8].hex()


def link(chain: str, data: bytes) -> str:
    """The chain after an entry."""
    return sha256(bytes.fromhex(chain) + data).digest()[:8].hex()


def line_of(chain: str, data: bytes) -> bytes:
    """An entry as it stands in its segment."""
    body = b"%s %s" % (chain.encode(), data)
    return b"%08x %s\n" % (zlib.crc32(body), body)


def new_head(stream: str) -> Head:
    return Head(stream, 0, genesis(stream), 0, genesis(stream), 0, 0, None)


def segment_start(number: int, floor: int) -> int:
    """The first number in the segment that holds `number`."""
    return max((number - 1) // SEGMENT * SEGMENT, floor) + 1


def segment_path(log: Log, number: int, floor: int) -> str:
    return f"{log.directory}/{segment_start(number, floor):020d}{SUFFIX}"


def segment_paths(log: Log, floor: int, head: int, after: int | None = None) -> Iterator[tuple[int, int, str]]:
    """First and last number and path of every segment, from the one that holds `after` + 1 on (the floor's + 1)."""
    number = (floor if after is None else after) + 1
    while number <= head:
        last = min((number - 1) // SEGMENT * SEGMENT + SEGMENT, head)
        yield number, last, segment_path(log, number, floor)
        number = last + 1


def read_head(tree: Tree, log: Log) -> Head | None:
    """The head; None where there is no log. Raises the log's corruption, also for segments without a head."""
    data = tree.read(log.head_file)
    if data is None:
        if any(name.endswith(SUFFIX) for name, _ in tree.entries(log.directory)):
            raise damaged(log.head_file, "is missing, though there are segments")
        return None
    try:
        value = unseal(data)
        head = Head(*(value[name] for name in fields(Head)))
        _check_head(value)
    except NewerFormat as newer:
        raise damaged(log.head_file, str(newer), code="format_unsupported") from None
    except (ValueError, KeyError) as error:
        raise damaged(log.head_file, f"is damaged: {error}") from None
    return head


def _check_head(value: dict[str, Any]) -> None:
    """Raise ValueError for what no head says."""
    require(value, HEAD_FIELDS)
    stream = value["stream"]
    if len(stream) != 36 or not HEX.issuperset(stream.replace("-", "")) or len(stream.replace("-", "")) != 32:
        raise ValueError("its stream has no name")
    for name in ("floor_chain", "head_chain"):
        if len(value[name]) != 16 or not HEX.issuperset(value[name]):
            raise ValueError(f"its {name} is none")
    retained = value["head"] - value["floor"]
    if not 0 <= retained <= value["bytes"] or value["segment_bytes"] > value["bytes"]:
        raise ValueError("its numbers contradict each other")


def check_tail(tree: Tree, log: Log, head: Head) -> None:
    """Refuse a log whose newest segment is not as long as its head says."""
    if head.retained:
        with open_segment(tree, segment_path(log, head.head, head.floor), head.head) as file:
            _check_size(file, head)


class Reader:
    """Entries of one log, every line checked by its CRC and joined to the one before by its chain."""

    def __init__(self, tree: Tree, log: Log, head: Head) -> None:
        self._tree = tree
        self._log = log
        self.head = head

    def chain_at(self, number: int) -> str:
        """The chain at a number from the floor to the head."""
        if number == self.head.floor:
            return self.head.floor_chain
        if number == self.head.head:
            return self.head.head_chain
        path = segment_path(self._log, number, self.head.floor)
        with open_segment(self._tree, path, number) as file:
            offset = self._find(file, number)
            return self._parse(file, offset, file.read_at(offset, end_of_line(file, offset) - offset), number)[0]

    def after(self, number: int, limit: int, chain: str) -> list[Entry]:
        """Up to `limit` entries above `number`, where the chain is `chain`."""
        found: list[Entry] = []
        while len(found) < limit and number < self.head.head:
            path = segment_path(self._log, number + 1, self.head.floor)
            with open_segment(self._tree, path, number + 1) as file:
                found += self.in_segment(file, number, limit - len(found), chain)
            number, chain = found[-1].number, found[-1].chain
        return found

    def in_segment(self, file: File, number: int, limit: int, chain: str) -> list[Entry]:
        """At least one entry above `number`, up to `limit` or the segment's end, from the segment of the next."""
        last = min(number + limit, (number // SEGMENT + 1) * SEGMENT, self.head.head)
        offset = 0 if number + 1 == segment_start(number + 1, self.head.floor) else self._find(file, number + 1)
        found: list[Entry] = []
        try:
            for at, line in lines_from(file, offset):
                own, data = self._parse(file, at, line, number + 1)
                if own != link(chain, data):
                    raise damaged(
                        file.path, f"is broken at byte {at}: the chain does not join", sequence=number + 1, offset=at
                    )
                chain, number = own, number + 1
                found.append(Entry(number, chain, data, len(line)))
                if number == last:
                    break
        except Torn as torn:
            raise damaged(file.path, str(torn), sequence=number + 1, offset=file.size) from None
        if number < last:
            raise damaged(file.path, f"ends at entry {number}, before its segment does", sequence=number + 1)
        if number == self.head.head and chain != self.head.head_chain:
            raise damaged(file.path, "does not end as its head says", sequence=number)
        return found

    def _find(self, file: File, number: int) -> int:
        try:
            offset = find_line(file, number, self._log.number_of)
        except (Torn, ValueError) as error:
            raise damaged(file.path, f"is damaged: {error}", sequence=number) from None
        if offset is None:
            raise damaged(file.path, f"does not hold entry {number}", sequence=number)
        return offset

    def _parse(self, file: File, offset: int, line: bytes, number: int) -> tuple[str, bytes]:
        """Chain and JSON of a line that must have this number."""
        body = line[9:-1]
        try:
            good = line[8:9] == b" " and line[25:26] == b" " and int(line[:8], 16) == zlib.crc32(body)
            good = good and self._log.number_of(line[:1024]) == number
        except ValueError:
            good = False
        if not good:
            raise damaged(file.path, f"is damaged at byte {offset}", sequence=number, offset=offset)
        return line[9:25].decode("ascii"), body[17:]


class OpenSegments:
    """All segments of a log, opened under the lock, to be read through after it.

    They only grow, and what replaces them is another file; entries above the head that was read are left out. At most
    `AT_ONCE` files stay open: a longer log is read in several of these.
    """

    AT_ONCE = 200

    def __init__(self, tree: Tree, log: Log, head: Head, after: int | None = None, chain: str | None = None) -> None:
        self._reader = Reader(tree, log, head)
        self.number = head.floor if after is None else after
        self.chain = self._reader.chain_at(self.number) if chain is None else chain
        self._files: list[tuple[int, File]] = []
        try:
            for first, last, path in segment_paths(log, head.floor, head.head, self.number):
                if len(self._files) == self.AT_ONCE:
                    break
                self._files.append((last, open_segment(tree, path, first)))
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[Entry]:
        """Every entry above `number`, checked; `number` and `chain` follow."""
        for last, file in self._files:
            while self.number < last:
                for entry in self._reader.in_segment(file, self.number, last - self.number, self.chain):
                    self.number, self.chain = entry.number, entry.chain
                    yield entry

    def close(self) -> None:
        for _, file in self._files:
            file.close()
        self._files = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Writer:
    """Entries to be added in one transaction; nothing is in the transaction until `flush`."""

    def __init__(self, transaction: Transaction, log: Log, head: Head) -> None:
        self._transaction = transaction
        self._log = log
        self._lines: dict[str, list[bytes]] = {}
        self.head = head

    @property
    def next_number(self) -> int:
        return self.head.head + 1

    def add(self, data: bytes, created_at: str) -> None:
        """One entry's JSON, which bears `next_number` under the log's key; `created_at` is its spelled time."""
        head = self.head
        number = head.head + 1
        chain = link(head.head_chain, data)
        line = line_of(chain, data)
        path = segment_path(self._log, number, head.floor)
        self._lines.setdefault(path, []).append(line)
        first = number == segment_start(number, head.floor)
        self.head = replace(
            head,
            head=number,
            head_chain=chain,
            segment_bytes=len(line) + (0 if first else head.segment_bytes),
            bytes=head.bytes + len(line),
            last_created_at=created_at,
        )

    def flush(self) -> None:
        """Put the new lines and the new head into the transaction."""
        for path, lines in self._lines.items():
            self._transaction.append(path, b"".join(lines))
        put_head(self._transaction, self._log, self.head)


def put_head(transaction: Transaction, log: Log, head: Head) -> None:
    value = {"format": FORMAT, **{name: getattr(head, name) for name in fields(Head)}}
    transaction.put(log.head_file, seal(value))


def open_for_append(tree: Tree, log: Log, head: Head) -> None:
    """Refuse to write on where the newest line is not the one that the head names."""
    if not head.retained:
        return
    path = segment_path(log, head.head, head.floor)
    with open_segment(tree, path, head.head) as file:
        _check_size(file, head)
        try:
            offset, line = line_before(file, file.size)
        except Torn as torn:
            raise damaged(path, str(torn), sequence=head.head) from None
        reader = Reader(tree, log, head)
        if reader._parse(file, offset, line, head.head)[0] != head.head_chain:  # noqa: SLF001  # one mechanism
            raise damaged(path, "does not end as its head says", sequence=head.head, offset=offset)


def _check_size(file: File, head: Head) -> None:
    if file.size != head.segment_bytes:
        reason = f"has {file.size} bytes, not the {head.segment_bytes} of its head"
        raise damaged(file.path, reason, sequence=head.head)


def open_segment(tree: Tree, path: str, number: int) -> File:
    """The open file of a segment that has to be there."""
    file = tree.open_file(path)
    if file is None:
        raise damaged(path, "is missing", sequence=number)
    return file
