"""What a reader that waits looks at, without the lock: whether a feed may have moved."""

from __future__ import annotations

import os

from neosian_cli.journal.pending import PENDING
from neosian_cli.store.feed import log_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Mark = tuple[tuple[int, int, int] | None, ...]


def mark(root: str, scope: str) -> Mark:
    """Something that differs once the scope's feed has moved, or a plan that may move it is pending.

    Two marks may be equal all the same where a file was replaced several times within one tick of the file system's
    clock, so the first equal one proves nothing.
    """
    return tuple(_signature(f"{root}/{path}") for path in (log_of(scope).head_file, PENDING))


def _signature(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
