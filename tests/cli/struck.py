"""The real program, told to stop right before its Nth system call that changes a file system, or out of room there."""

from __future__ import annotations

import errno
import os
import sys

from neosian_cli.__main__ import run
from neosian_cli.disk.calls import Calls


def strike(step: int, number: int) -> None:
    """Send this process the signal before call `step`, counted from 1; with 0 no room is left from there on."""
    count = 0

    def before(real):
        def call(*args, **more):
            nonlocal count
            count += 1
            if number == 0 and count >= step and real.__name__ in ("write", "create", "make_directory"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if number and count == step:
                os.kill(os.getpid(), number)
            return real(*args, **more)

        return call

    for name in [name for name in vars(Calls) if not name.startswith("_")]:
        setattr(Calls, name, before(getattr(Calls, name)))


if __name__ == "__main__":
    strike(int(sys.argv[1]), int(sys.argv[2]))
    del sys.argv[1:3]
    status = run()
    sys.exit(status)
