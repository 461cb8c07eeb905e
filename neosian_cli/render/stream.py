"""A standard stream as a descriptor: bytes go out whole, or a typed error says why not.

Python's own streams are not used: they buffer, report a full disk when the interpreter ends, and speak up then.
"""

from __future__ import annotations

import errno
import os
import stat

from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Hold(Protocol):
        """A context in which the exceptions of signals wait; `stopping` is the signal that has come, or 0."""

        stopping: int

        def __enter__(self) -> None: ...
        def __exit__(self, *_: object) -> None: ...


# What an empty pipe takes at once, everywhere.
PIECE = 4096
# How long the rest of a line may take once the program was told to stop, in milliseconds.
PATIENCE = 1000


class ClosedPipe(Exception):  # a reader that has seen enough is no error of a reading verb
    """Whoever read the stream has gone."""


def refusal(error: OSError) -> Exception:
    """What to raise for a write that failed."""
    if error.errno == errno.EPIPE:
        return ClosedPipe()
    return Failure("output_failed", f"the result could not be written: {error.strerror}", errno=error.errno)


class Stream:
    """`descriptor` is written with a loop over short writes; `closed` is whether it leads nowhere.

    `lines` counts the ends of lines that `write_lines` has written out.
    """

    __slots__ = ("_terminal", "closed", "descriptor", "lines", "torn")

    def __init__(self, descriptor: int, *, closed: bool = False) -> None:
        self.descriptor = descriptor
        self.closed = closed
        self.torn = False
        self.lines = 0
        self._terminal: bool | None = None

    @property
    def terminal(self) -> bool:
        """Whether a person sees it."""
        if self._terminal is None:
            self._terminal = not self.closed and os.isatty(self.descriptor)
        return self._terminal

    @property
    def width(self) -> int:
        """Characters in a line of the terminal; 80 where that cannot be known."""
        try:
            return os.get_terminal_size(self.descriptor).columns or 80
        except OSError:
            return 80

    def write(self, data: bytes) -> None:
        """All of `data`; raises ClosedPipe or `output_failed`."""
        if self.closed:
            raise refusal(OSError(errno.EBADF, os.strerror(errno.EBADF)))
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self.descriptor, view) :]
            except BlockingIOError:
                self._writable(-1)
            except OSError as error:
                raise refusal(error) from None

    def write_result(self, data: bytes, hold: Hold, done: Callable[[], None]) -> None:
        """All of `data`, then `done`, with no room for a signal between its last bytes and that.

        Only the end is written under `hold`: a reader that takes nothing must not keep a signal waiting. What fits
        into an empty pipe is the end; for more, the pipe is waited for before.
        """
        head = data[: -PIECE if len(data) > PIECE else 0]
        if head:
            self.write(head)
            self._writable(-1)
        with hold:
            self.write(data[len(head) :])
            done()

    def write_lines(self, data: bytes, hold: Hold) -> None:
        """Whole lines; a signal lets a line that has begun be finished, as far as the reader takes it within a second.

        Waiting is done in poll, where an exception loses no count; the write itself takes no more than fits and is
        done under `hold`. After a line was torn nothing more is written.
        """
        if self.torn:
            return
        if self.closed or stat.S_ISREG(os.fstat(self.descriptor).st_mode):
            with hold:
                self.write(data)
                self.lines += data.count(b"\n")
            return
        done = 0
        try:
            while done < len(data):
                if not self._writable(PATIENCE if hold.stopping else -1):
                    self.torn = True
                    return
                with hold:
                    done += self._put(data, done)
        except (ClosedPipe, Failure):
            self.torn = True
            raise
        except BaseException:
            self._finish_line(data, done, hold)
            raise

    def sync(self) -> None:
        """Ask for the errors that some file systems tell only when a file is closed; raises `output_failed`."""
        if self.closed:
            return
        try:
            os.close(os.dup(self.descriptor))
        except OSError as error:
            raise refusal(error) from None

    def _writable(self, milliseconds: int) -> bool:
        import select

        poll = select.poll()
        poll.register(self.descriptor, select.POLLOUT)
        return bool(poll.poll(milliseconds))

    def _put(self, data: bytes, start: int) -> int:
        """Write what a stream that polls as writable takes without blocking."""
        import select

        try:
            count = os.write(self.descriptor, data[start : start + select.PIPE_BUF])
        except BlockingIOError:
            return 0
        except OSError as error:
            raise refusal(error) from None
        self.lines += data.count(b"\n", start, start + count)
        return count

    def _finish_line(self, data: bytes, done: int, hold: Hold) -> None:
        """Write on to the end of the line that `done` stands in, or mark the stream as torn."""
        if done == 0 or data[done - 1 : done] == b"\n":
            return
        end = data.index(b"\n", done) + 1
        self.torn = True
        with hold:
            while done < end and self._writable(PATIENCE):
                done += self._put(data[:end], done)
        self.torn = done < end
