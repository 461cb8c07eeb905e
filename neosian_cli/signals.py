"""Ctrl-C, SIGTERM and SIGHUP: one exception that unwinds the program, and an end that cannot be disturbed.

A handler raises `Interrupted` between two steps of the program. The journal keeps the three signals masked from the
commit point to the end of a plan, so there the exception comes when the mutation is complete. `Interrupted` derives
from BaseException: no room that catches errors can take it for one.

No import is broken off: modules in C do not all survive an exception in the middle of their initialisation (orjson
3.13 crashes the interpreter). A signal that comes during one is sent again a moment later, and so is one whose
exception Python could not pass on, as in a destructor. Sent again, not raised: where the journal masks it, it waits.

What was ignored when the program started (a job of a script, `nohup`) stays ignored.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

NAMES = {1: "SIGHUP", 2: "SIGINT", 15: "SIGTERM"}

# Seconds until a signal is sent again.
MOMENT = 0.002
_IMPORT = "<frozen importlib._bootstrap>"


class Interrupted(BaseException):
    """The program was told to stop by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__(NAMES[number])
        self.number = number

    @property
    def exit_status(self) -> int:
        """128 and the signal's number, as shells count."""
        return 128 + self.number


def _importing(frame: FrameType | None) -> bool:
    """Whether an import is under way below `frame`."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORT:
            return True
        frame = frame.f_back
    return False


class Signals:
    """The state of one process: which signal came first (`stopping`), and whether it may still raise.

    `handled` is whether the process's handlers are to be set; where the door is called by a test they are not.
    """

    __slots__ = ("_deaf", "_forget", "_handled", "_pending", "_postpone", "_quiet", "stopping")

    def __init__(self, *, handled: bool = False) -> None:
        self.stopping = 0
        self._handled = handled
        self._quiet = 0
        self._pending = 0
        self._deaf = False
        self._postpone: Callable[[], object] = lambda: None
        self._forget: Callable[[], object] = lambda: None

    def install(self) -> None:
        """Set the handlers, but for what is ignored. Only the main thread may."""
        if not self._handled:
            return
        from neosian_cli.model.handlers import signals

        ours = [number for number in NAMES if signals.getsignal(number) != signals.SIG_IGN]

        def ignore() -> None:
            signals.setitimer(signals.ITIMER_REAL, 0)
            # Python gives the defaults back when it ends, but leaves alone what is ignored.
            for number in ours:
                signals.signal(number, signals.SIG_IGN)

        self._postpone = lambda: signals.setitimer(signals.ITIMER_REAL, MOMENT)
        self._forget = ignore
        signals.signal(signals.SIGALRM, self._resend)
        for number in ours:
            signals.signal(number, self.receive)

    def receive(self, number: int, frame: FrameType | None = None) -> None:
        """The handler. Within the context it only remembers; after `deafen` it does nothing."""
        if self._deaf:
            return
        self.stopping = self.stopping or number
        if _importing(frame):
            self._postpone()
            return
        if self._quiet:
            self._pending = self._pending or number
            return
        raise Interrupted(number)

    def unheard(self, error: BaseException | None) -> None:
        """An exception that Python could not pass on; what it was to say is said again."""
        if isinstance(error, Interrupted) and not self._deaf:
            self._postpone()

    def _resend(self, _number: int, _frame: FrameType | None) -> None:
        import os

        if self.stopping and not self._deaf:
            os.kill(os.getpid(), self.stopping)

    def check(self) -> None:
        """Raise what was postponed; to be called before work that changes something."""
        if self.stopping and not self._deaf:
            raise Interrupted(self.stopping)

    def deafen(self) -> None:
        """From here on the exit status stands: a signal that comes now comes too late."""
        self._deaf = True
        self._forget()

    def __enter__(self) -> None:
        """Hold the exception back while a system call that cannot be asked twice is under way; keep it short."""
        self._quiet += 1

    def __exit__(self, *_: object) -> None:
        self._quiet -= 1
        if self._pending and not self._quiet and not self._deaf:
            number, self._pending = self._pending, 0
            raise Interrupted(number)
