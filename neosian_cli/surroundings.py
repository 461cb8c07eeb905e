"""All that the program takes from outside beside its arguments: environment, streams, clock, randomness.

`__main__` makes the real one; tests make theirs.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NULL = "/dev/null"


def random_uuid() -> str:
    """A UUID of version 4 (RFC 9562, section 5.4), without the import of `uuid`."""
    raw = bytearray(os.urandom(16))
    raw[6] = raw[6] & 0x0F | 0x40
    raw[8] = raw[8] & 0x3F | 0x80
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def microseconds() -> int:
    """Now, as an instant."""
    return time.time_ns() // 1000


def plug_holes() -> frozenset[int]:
    """The standard descriptors that came closed, each now open on the null device.

    A file that is opened later would get the free number, and a result or a message would be written into it.
    """
    closed = set()
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(NULL, os.O_RDWR)
            closed.add(descriptor)
    return frozenset(closed)


class Surroundings:
    """Descriptors are numbers; `closed` names those that lead nowhere. Times are instants (microseconds, UTC)."""

    __slots__ = ("closed", "env", "monotonic", "new_uuid", "now", "sleep", "stderr", "stdin", "stdout")

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        closed: frozenset[int] = frozenset(),
        stdin: int = 0,
        stdout: int = 1,
        stderr: int = 2,
        now: Callable[[], int] = microseconds,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        new_uuid: Callable[[], str] = random_uuid,
    ) -> None:
        self.env = env
        self.closed = closed
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.now = now
        self.monotonic = monotonic
        self.sleep = sleep
        self.new_uuid = new_uuid
