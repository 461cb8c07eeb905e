"""Making the directory that a root is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from neosian_cli.disk.calls import REAL

if TYPE_CHECKING:
    from neosian_cli.disk.calls import Calls


def make_root(root: str, calls: Calls = REAL) -> None:
    """Make `root` (0700) with the parents that are missing, each durable in its parent; fine where it exists.

    Raises OSError, NotADirectoryError among them.
    """
    if os.path.isdir(root):
        return
    parent, name = os.path.split(root.rstrip("/"))
    make_root(parent or ".", calls)
    above = os.open(parent or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            calls.make_directory(name, above)
        except FileExistsError:
            if not os.path.isdir(root):
                raise NotADirectoryError(20, "is not a directory", root) from None
        calls.sync_directory(above)
    finally:
        os.close(above)
