"""Witnesses against a store that an enemy made: what was opened outside of it, and what reached the terminal."""

from __future__ import annotations

import ctypes
import os
import pty
import signal
import struct
import termios
import threading
import tty
from contextlib import contextmanager
from typing import TYPE_CHECKING

from neosian_cli.app import main
from neosian_cli.errors import CODES, OTHER_STATUSES
from neosian_cli.signals import Signals
from neosian_cli.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 60
"""After so long a call counts as one that hangs."""

STATUSES = {0, *OTHER_STATUSES, *(status for status, _ in CODES.values())}
REORDERING = (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
FORBIDDEN = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), *REORDERING)} - {"\n", "\t"}

_libc = ctypes.CDLL(None, use_errno=True)
_EVENT = struct.Struct("iIII")
_ALL_EVENTS = 0xFFF


class Watch:
    """Every event of the kernel's on directories and what is named in them: opened, read, changed, made, removed.

    A call through a hard link elsewhere is an event of the other name's directory, so only a name that was followed
    to here is seen.
    """

    def __init__(self, top: Path) -> None:
        self.descriptor = _libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        assert self.descriptor >= 0, os.strerror(ctypes.get_errno())
        for directory in (top, *(path for path in top.rglob("*") if path.is_dir() and not path.is_symlink())):
            assert _libc.inotify_add_watch(self.descriptor, os.fsencode(directory), _ALL_EVENTS) >= 0
        assert not self.events()

    def events(self) -> list[tuple[str, int]]:
        """Name and mask of what has happened since the last look."""
        found = []
        while True:
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return found
            at = 0
            while at < len(data):
                _, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size
                found.append((data[at : at + length].rstrip(b"\0").decode(errors="replace"), mask))
                at += length

    def close(self) -> None:
        os.close(self.descriptor)


class Terminal:
    """A terminal of 100 columns that takes in all that is written to it."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        termios.tcsetwinsize(self.slave, (24, 100))
        self._seen = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                return
            if not data:
                return
            self._seen += data

    def close(self) -> bytes:
        """All that was written."""
        os.close(self.slave)
        self._reader.join()
        os.close(self.master)
        return bytes(self._seen)


@contextmanager
def patience() -> Iterator[None]:
    """A guard against what hangs; nothing is measured by it."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"it has hung for {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Seen:
    """What one call has answered, `out` and `err` as bytes."""

    def __init__(self, words: tuple[str, ...], status: int, out: bytes, err: bytes) -> None:
        self.words, self.status, self.out, self.err = words, status, out, err

    def __repr__(self) -> str:
        return f"neosian {' '.join(self.words)}\nstatus {self.status}\n{self.out[:2000]!r}\n{self.err[:2000]!r}"

    @property
    def controls(self) -> set[str]:
        """The characters in it that a terminal obeys, or that reorder what stands around them."""
        return FORBIDDEN & set(self.out.decode() + self.err.decode())

    def check(self) -> None:
        assert self.status in STATUSES, self
        assert b"Traceback" not in self.err, self
        assert b"internal" not in self.err, self
        assert not self.controls, (self.controls, self)


def call(home: Path, words: tuple[str, ...], scope: str) -> Seen:
    """One command line through the door, in this process, before a terminal."""
    out, err = Terminal(), Terminal()
    surroundings = Surroundings(
        {"NEOSIAN_SCOPE": scope, "NEOSIAN_HOME": str(home), "LOGNAME": "me", "NO_COLOR": "1", "TERM": "dumb"},
        stdin=-1,
        stdout=out.slave,
        stderr=err.slave,
        now=lambda: 1_800_000_000_000_000,
    )
    try:
        with patience():
            status = main([*words, "--lock-timeout", "0"], surroundings, Signals())
    finally:
        said, complained = out.close(), err.close()
    return Seen(words, status, said, complained)
