"""How far long work has come, shown on stderr once it has lasted half a second.

A thread of its own waits for that, so that a step in which nothing is told shows itself too. What is shown is wiped
off when the work ends, however it ends.
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Timer
    from types import TracebackType
    from typing import Self

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

# Seconds of work before anything is shown.
DELAY = 0.5
# Seconds between two updates of what is shown.
PACE = 0.05


class Progress:
    """A context whose `advance` the work calls as it goes on; without `shown` it costs nothing and says nothing.

    `ended` is called when it is over.
    """

    __slots__ = ("_bar", "_coloured", "_done", "_ended", "_next", "_shown", "_task", "_timer", "_total", "_what")

    def __init__(
        self, what: str, total: int | None, *, shown: bool, coloured: bool, ended: Callable[[], object] = lambda: None
    ) -> None:
        self._what = what
        self._total = total
        self._shown = shown
        self._coloured = coloured
        self._ended = ended
        self._done = 0
        self._next = 0.0
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._timer: Timer | None = None

    def __enter__(self) -> Self:
        if self._shown:
            from threading import Timer

            self._timer = Timer(DELAY, self._start)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._timer is not None:
                self._timer.cancel()
                self._timer.join()
        finally:
            if self._bar is not None:
                self._bar.stop()
            self._ended()

    def advance(self, count: int = 1, total: int | None = None) -> None:
        """`count` more are done; a `total` that has become known is taken over."""
        self._done += count
        self._total = self._total if total is None else total
        if self._bar is None or self._task is None:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PACE
            self._bar.update(self._task, completed=self._done, total=self._total)

    def _start(self) -> None:
        import sys

        from rich import progress
        from rich.console import Console

        console = Console(
            file=sys.stderr, force_terminal=True, no_color=not self._coloured, legacy_windows=False, _environ={}
        )
        bar = progress.Progress(
            progress.TextColumn("{task.description}", markup=False),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = bar.add_task(self._what, total=self._total, completed=self._done)
        bar.start()
        self._bar = bar
