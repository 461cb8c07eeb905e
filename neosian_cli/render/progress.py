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

    from neosian_cli.model.advance import Advance

# Seconds of work before anything is shown.
DELAY = 0.5
# Seconds between two updates of what is shown.
PACE = 0.05


class Progress:
    """A context whose `advance` the work calls as it goes on; without `shown` it costs nothing and says nothing.

    Work of fewer than `least` things shows nothing. `ended` is called when it is over.
    """

    __slots__ = (
        "_bar", "_coloured", "_done", "_ended", "_least", "_next", "_shown", "_step", "_task", "_timer",
        "_total", "_what",
    )  # fmt: skip

    def __init__(
        self,
        what: str,
        total: int | None,
        *,
        shown: bool,
        coloured: bool,
        least: int = 0,
        ended: Callable[[], object] = lambda: None,
    ) -> None:
        self._what = what
        self._total = total
        self._shown = shown
        self._coloured = coloured
        self._least = least
        self._ended = ended
        self._done = 0
        self._next = 0.0
        self._step: tuple[str, int, int] | None = None
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
        if self._bar is None:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PACE
            self._show()

    def first(self, what: str) -> Advance:
        """What to call for a step that comes before the work: it is shown in the work's place until it is complete."""
        done = whole = 0

        def advance(count: int = 1, total: int | None = None, /) -> None:
            nonlocal done, whole
            if total is not None:
                done, whole = 0, total
            done += count
            self._step = (what, done, whole) if done < whole else None
            self._show()

        return advance

    def _state(self) -> tuple[str, int, int | None]:
        """What is under way, how much of it is done, and of how much."""
        return self._step or (self._what, self._done, self._total)

    def _show(self) -> None:
        if self._bar is not None and self._task is not None:
            what, done, total = self._state()
            self._bar.update(self._task, description=what, completed=done, total=total)

    def _start(self) -> None:
        if self._total is not None and self._total < self._least:
            return
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
        what, done, total = self._state()
        self._task = bar.add_task(what, total=total, completed=done)
        bar.start()
        self._bar = bar
        self._show()
