"""A small file outside the root that a user has named: read whole, replaced whole.

Failure model. The new content is written and synced under a name of its own in the same directory, then renamed over
the old one, then the directory is synced: stopped at any step, the file holds the old content or the new one, and at
worst a temporary file is left beside it. A link is refused rather than followed or replaced: the file would be another
one than the reader of the link has in mind.
"""

from __future__ import annotations

import errno
import os
import stat as modes

from neosian_cli.disk.calls import REAL
from neosian_cli.disk.tree import FILE, Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.calls import Calls

PREFIX = ".neosian-"


def read(path: str, limit: int) -> bytes | None:
    """Up to `limit` bytes; None where there is no such file. Raises `Unsafe` or OSError."""
    try:
        descriptor = os.open(path, FILE)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.ENODEV):
            raise Unsafe(path, "is a link or a special file") from None
        raise
    try:
        if not modes.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unsafe(path, "is not a plain file")
        return os.pread(descriptor, limit, 0)
    finally:
        os.close(descriptor)


def replace(path: str, content: bytes, token: str, calls: Calls = REAL) -> None:
    """Give the file this content, durably, with mode 0600; `token` makes the temporary name one of its own.

    Raises `Unsafe` where the name is taken by something else than a plain file, or OSError with `renamed` set on it
    where only the sync of the new name has failed.
    """
    parent, name = os.path.split(path)
    directory = os.open(parent or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            if not modes.S_ISREG(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode):
                raise Unsafe(path, "is a link or no plain file")
        except FileNotFoundError:
            pass
        temporary = PREFIX + token
        _write(temporary, content, directory, calls)
        try:
            calls.rename(temporary, directory, name, directory)
        except BaseException:
            calls.unlink(temporary, directory)
            raise
        try:
            calls.sync_directory(directory)
        except OSError as error:
            error.renamed = True  # type: ignore[attr-defined]
            raise
    finally:
        os.close(directory)


def _write(name: str, content: bytes, directory: int, calls: Calls) -> None:
    descriptor = calls.create(name, directory)
    try:
        view, offset = memoryview(content), 0
        while offset < len(content):
            written = calls.write(descriptor, view[offset:], offset)
            if not written:
                raise OSError(errno.EIO, "nothing was written", name)
            offset += written
        calls.sync_file(descriptor)
    except BaseException:
        calls.unlink(name, directory)
        raise
    finally:
        os.close(descriptor)
