"""A model of what a power cut can leave: the legal disk images after every prefix of a recorded run.

Nothing is promised but this: a synced file has the data that were written before; a synced directory has the names
that were changed in it before. What is not synced may be there or not:

* a write: wholly, not at all, its first half only, or as zeros; each one by itself, whatever its order;
* a name, `ordered` (as the journals of ext4 and xfs have it): the first so many of the changes, in their order, and
  whatever the sync of a directory needs takes all earlier changes with it; `weak` (as POSIX leaves it): any subset.

One change of names is atomic: a rename is never seen half. It is durable with the directory of the new name.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.crash.seam import Steps, Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

Name = tuple[int, str]
FULL, LOST, HALF, ZERO = "full", "lost", "half", "zero"


@dataclass(frozen=True)
class Bounds:
    """How many changes are combined freely, and how many random combinations stand for more of them.

    Before a cut, every `kills`-th step is one to be killed at, and of the recovery after it every `cuts`-th is cut at.
    """

    names: int
    data: int
    samples: int
    kills: int
    cuts: int


QUICK = Bounds(names=3, data=1, samples=2, kills=4, cuts=1)
QUICKER = Bounds(names=2, data=0, samples=1, kills=8, cuts=3)
LONG = Bounds(names=7, data=3, samples=100, kills=1, cuts=1)


@dataclass(frozen=True)
class Change:
    """A change of names in one directory: what each name leads to afterwards; None for nothing."""

    directory: int
    names: tuple[tuple[Name, int | None], ...]


@dataclass(frozen=True)
class Data:
    """A write, or a truncation where `data` is None, of one file."""

    offset: int
    data: bytes | None


@dataclass(frozen=True)
class Entry:
    """One step of a run: a change, data of a file, or a sync of a file or directory that was good or failed."""

    change: Change | None = None
    file: int | None = None
    data: Data | None = None
    synced: int | None = None
    good: bool = True


class Recorder(Steps):
    """Records a run below the directory that holds `root`; may be stopped, or made to fail a sync, at a step."""

    def __init__(self, root: str, *, stop_at: int | None = None, fail_at: int | None = None) -> None:
        super().__init__()
        self.stop_at = stop_at
        self.fail_at = fail_at
        self.log: list[Entry] = []
        self.names: dict[Name, int] = {}
        self.contents: dict[int, bytes] = {}
        self.directories: set[int] = set()
        self._numbers: dict[tuple[int, int], int] = {}
        self.top = self._number(os.stat(os.path.dirname(root)), new=True)
        self.directories.add(self.top)
        if os.path.isdir(root):
            self._scan(root, self.top, os.path.basename(root))

    def _number(self, status: os.stat_result, *, new: bool = False) -> int:
        """A number for a file or directory of its own, though the kernel uses inode numbers again."""
        key = (status.st_dev, status.st_ino)
        if new or key not in self._numbers:
            self._numbers[key] = len(self._numbers) + len(self.log) * 1000 + 1
        return self._numbers[key]

    def _scan(self, path: str, above: int, name: str) -> None:
        number = self._number(os.lstat(path))
        self.names[above, name] = number
        if os.path.isdir(path):
            self.directories.add(number)
            for below in os.listdir(path):
                if below != ".lock":
                    self._scan(os.path.join(path, below), number, below)
        else:
            with open(path, "rb") as file:
                self.contents[number] = file.read()

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        number = len(self.trace) + 1
        if self.stop_at is not None and number >= self.stop_at:
            raise Stopped
        if number == self.fail_at:
            self.log.append(Entry(synced=self._number(os.fstat(arguments[0])), good=False))
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        done = super().step(kind, perform, *arguments)
        self.log.append(getattr(self, f"_{kind}")(done, *arguments))
        return done

    def _create(self, descriptor: int, name: str, directory: int) -> Entry:
        number = self._number(os.fstat(descriptor), new=True)
        above = self._number(os.fstat(directory))
        return Entry(change=Change(above, (((above, name), number),)), file=number)

    def _make_directory(self, _: None, name: str, directory: int) -> Entry:
        number = self._number(os.stat(name, dir_fd=directory), new=True)
        self.directories.add(number)
        above = self._number(os.fstat(directory))
        return Entry(change=Change(above, (((above, name), number),)))

    def _write(self, written: int, descriptor: int, data: memoryview, offset: int) -> Entry:
        return Entry(file=self._number(os.fstat(descriptor)), data=Data(offset, bytes(data[:written])))

    def _truncate(self, _: None, descriptor: int, size: int) -> Entry:
        return Entry(file=self._number(os.fstat(descriptor)), data=Data(size, None))

    def _sync_file(self, _: None, descriptor: int) -> Entry:
        return Entry(synced=self._number(os.fstat(descriptor)))

    _sync_directory = _sync_file

    def _rename(self, _: None, name: str, directory: int, new_name: str, new_directory: int) -> Entry:
        number = self._number(os.stat(new_name, dir_fd=new_directory))
        old, new = self._number(os.fstat(directory)), self._number(os.fstat(new_directory))
        return Entry(change=Change(new, (((old, name), None), ((new, new_name), number))))

    def _unlink(self, _: None, name: str, directory: int) -> Entry:
        above = self._number(os.fstat(directory))
        return Entry(change=Change(above, (((above, name), None),)))


@dataclass
class Disk:
    """What is durable, and what is not yet."""

    names: dict[Name, int]
    contents: dict[int, bytes]
    changes: list[Change] = field(default_factory=list)
    data: dict[int, list[Data]] = field(default_factory=dict)
    lost: dict[int, list[Data]] = field(default_factory=dict)

    def take(self, entry: Entry, mode: str, directories: set[int]) -> None:
        if entry.change:
            self.changes.append(entry.change)
        if entry.file is not None and entry.data:
            self.data.setdefault(entry.file, []).append(entry.data)
        if entry.synced is None:
            return
        if entry.synced in directories:
            self._sync_directory(entry.synced, mode)
        elif entry.good:
            done = self.data.pop(entry.synced, [])
            self.contents[entry.synced] = written(self.contents.get(entry.synced, b""), [(one, FULL) for one in done])
        else:
            self.data.pop(entry.synced, [])  # clean for the kernel, and never on the medium

    def _sync_directory(self, directory: int, mode: str) -> None:
        ours = [index for index, change in enumerate(self.changes) if change.directory == directory]
        if not ours:
            return
        durable = ours if mode == "weak" else list(range(ours[-1] + 1))
        rest = []
        overtaken: set[Name] = set()
        for index in reversed(range(len(self.changes))):
            change = self.changes[index]
            if index in durable:
                for name, number in change.names:
                    if name not in overtaken:
                        self._set(name, number)
                overtaken.update(name for name, _ in change.names)
            elif left := tuple(pair for pair in change.names if pair[0] not in overtaken):
                rest.append(Change(change.directory, left))
        self.changes = rest[::-1]

    def _set(self, name: Name, number: int | None) -> None:
        if number is None:
            self.names.pop(name, None)
        else:
            self.names[name] = number


def written(content: bytes, data: list[tuple[Data, str]]) -> bytes:
    """A file's content after some writes, each in the state that it is found in."""
    held = bytearray(content)
    for one, state in data:
        if state == LOST:
            continue
        if one.data is None:
            del held[one.offset :]
            held.extend(bytes(one.offset - len(held)))
            continue
        piece = one.data[: len(one.data) // 2] if state == HALF else bytes(len(one.data)) if state == ZERO else one.data
        held.extend(bytes(max(0, one.offset - len(held))))
        held[one.offset : one.offset + len(piece)] = piece
    return bytes(held)


@dataclass(frozen=True)
class Image:
    """Paths below the directory that holds the root: bytes of a file, None for a directory."""

    what: str
    files: tuple[tuple[str, bytes | None], ...]

    def build(self, place: str) -> None:
        for path, content in self.files:
            if content is None:
                os.mkdir(f"{place}/{path}", 0o700)
                continue
            descriptor = os.open(f"{place}/{path}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                os.write(descriptor, content)
            finally:
                os.close(descriptor)


def images(recorder: Recorder, end: int, mode: str, bounds: Bounds, seen: set[object]) -> list[Image]:
    """The legal images after the first `end` steps that are not among those seen before."""
    disk = Disk(dict(recorder.names), dict(recorder.contents))
    for entry in recorder.log[:end]:
        disk.take(entry, mode, recorder.directories)
    found = []
    for kept in _subsets(len(disk.changes), mode, bounds):
        names = Disk(dict(disk.names), {})
        for index in kept:
            for name, number in disk.changes[index].names:
                names._set(name, number)
        for what, contents in _contents(disk, set(names.names.values()), bounds):
            files = tuple(_walk(names.names, recorder, contents, recorder.top, ""))
            if files not in seen:
                seen.add(files)
                found.append(Image(f"names {list(kept)} of {len(disk.changes)}, {what}", files))
    return found


def _subsets(count: int, mode: str, bounds: Bounds) -> Iterator[tuple[int, ...]]:
    everything = tuple(range(count))
    if mode == "ordered":
        yield from (everything[:length] for length in range(count + 1))
    elif count <= bounds.names:
        for length in range(count + 1):
            yield from itertools.combinations(everything, length)
    else:
        chosen = {(), everything}
        chosen.update(everything[:length] for length in range(count))
        chosen.update((one,) for one in everything)
        chosen.update(everything[:one] + everything[one + 1 :] for one in everything)
        chance = random.Random(count)
        for _ in range(bounds.samples):
            chosen.add(tuple(one for one in everything if chance.random() < 0.5))
        yield from sorted(chosen)


def _contents(disk: Disk, visible: set[int], bounds: Bounds) -> Iterator[tuple[str, dict[int, bytes]]]:
    pending = [(number, one) for number, data in disk.data.items() if number in visible for one in data]
    for states in _states(len(pending), bounds):
        contents = dict(disk.contents)
        grouped: dict[int, list[tuple[Data, str]]] = {}
        for (number, one), state in zip(pending, states, strict=True):
            grouped.setdefault(number, []).append((one, state))
        for number, data in grouped.items():
            contents[number] = written(contents.get(number, b""), data)
        yield f"data {','.join(states)}", contents


def _states(count: int, bounds: Bounds) -> Iterator[tuple[str, ...]]:
    if count <= bounds.data:
        yield from itertools.product((FULL, LOST, HALF, ZERO), repeat=count)
        return
    chosen = {(state,) * count for state in (FULL, LOST, HALF, ZERO)}
    for index in range(count):
        for state in (LOST, HALF, ZERO) if bounds.data else (LOST,):
            chosen.add((FULL,) * index + (state,) + (FULL,) * (count - index - 1))
        if bounds.data:
            chosen.add((LOST,) * index + (FULL,) + (LOST,) * (count - index - 1))
    chance = random.Random(count)
    for _ in range(bounds.samples):
        chosen.add(tuple(chance.choice((FULL, LOST, HALF, ZERO)) for _ in range(count)))
    yield from sorted(chosen)


def _walk(
    names: dict[Name, int], recorder: Recorder, contents: dict[int, bytes], above: int, path: str
) -> Iterator[tuple[str, bytes | None]]:
    for (directory, name), number in sorted(names.items()):
        if directory != above:
            continue
        if number in recorder.directories:
            yield f"{path}{name}", None
            yield from _walk(names, recorder, contents, number, f"{path}{name}/")
        else:
            yield f"{path}{name}", contents.get(number, b"")
