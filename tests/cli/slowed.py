"""The real program on a slow disk: every system call that syncs takes its time, and so does reading a file whole."""

from __future__ import annotations

import sys
import time

from neosian_cli.__main__ import run
from neosian_cli.disk.calls import Calls
from neosian_cli.disk.tree import File

STEP = 0.15


def slow(kind: type, names: tuple[str, ...]) -> None:
    """Have these methods take `STEP` seconds more."""

    def later(real):
        def call(*args, **more):
            time.sleep(STEP)
            return real(*args, **more)

        return call

    for name in names:
        setattr(kind, name, later(getattr(kind, name)))


if __name__ == "__main__":
    slow(Calls, ("sync_file", "sync_directory", "sync_together"))
    slow(File, ("read_at",))
    sys.exit(run())
