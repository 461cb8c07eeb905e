"""Making the directory that a root is."""

from __future__ import annotations

import errno
import os
from contextlib import suppress

from neosian_cli.disk.calls import REAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.calls import Calls

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def make_root(root: str, calls: Calls = REAL) -> None:
    """Make `root` (0700) with the parents that are missing, each durable in its parent.

    The name of what exists is made durable too, where that is allowed: it may come from a process that was killed
    before it could. Raises OSError, NotADirectoryError among them.
    """
    if os.path.isdir(root):
        with suppress(PermissionError):
            _sync(os.path.join(root, os.pardir), calls)
        return
    parent, name = os.path.split(root.rstrip("/"))
    make_root(parent or ".", calls)
    above = os.open(parent or ".", DIRECTORY)
    try:
        calls.make_directory(name, above)
    except FileExistsError:
        if not os.path.isdir(root):
            raise NotADirectoryError(errno.ENOTDIR, "is not a directory", root) from None
    finally:
        os.close(above)
    _sync(parent or ".", calls)


def _sync(path: str, calls: Calls) -> None:
    descriptor = os.open(path, DIRECTORY)
    try:
        calls.sync_directory(descriptor)
    finally:
        os.close(descriptor)
