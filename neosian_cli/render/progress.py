"""How far long work has come, shown on stderr once it has lasted half a second."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

# Seconds of work before anything is shown.
DELAY = 0.5


class Progress:
    """A context whose `advance` the work calls as it goes on; without `shown` it costs nothing and says nothing."""

    __slots__ = ("_bar", "_coloured", "_done", "_shown", "_since", "_task", "_total", "_what")

    def __init__(self, what: str, total: int | None, *, shown: bool, coloured: bool) -> None:
        self._what = what
        self._total = total
        self._shown = shown
        self._coloured = coloured
        self._done = 0
        self._since = 0.0
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._since = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, count: int = 1, total: int | None = None) -> None:
        """`count` more are done; a `total` that has become known is taken over."""
        self._done += count
        self._total = self._total if total is None else total
        if not self._shown:
            return
        if self._bar is None and time.monotonic() - self._since >= DELAY:
            self._start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done, total=self._total)

    def _start(self) -> None:
        import sys

        from rich import progress
        from rich.console import Console

        console = Console(
            file=sys.stderr, force_terminal=True, no_color=not self._coloured, legacy_windows=False, _environ={}
        )
        self._bar = progress.Progress(
            progress.TextColumn("{task.description}", markup=False),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task(self._what, total=self._total)
        self._bar.start()
