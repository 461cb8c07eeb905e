"""The system calls that change a file system: the seam where tests count, kill, inject and record.

Everything that neosian changes below a root goes through one `Calls` object. Names are relative to a directory
descriptor, so that no link on the way can lead a write elsewhere.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Sequence

AT_ONCE = 6
"""How many syncs may overlap: as many as an overwrite has."""
NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
EXISTING_FILE = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Calls:
    """The real calls. A test's subclass may do something before, after or instead of each of them."""

    def create(self, name: str, directory: int) -> int:
        """A new file of mode 0600 whatever the umask; FileExistsError where the name is taken."""
        descriptor = os.open(name, NEW_FILE, 0o600, dir_fd=directory)
        os.fchmod(descriptor, 0o600)
        return descriptor

    def open_existing(self, name: str, directory: int) -> int:
        return os.open(name, EXISTING_FILE, dir_fd=directory)

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        """Write some of `data`, perhaps not all; the count of bytes that were taken."""
        return os.pwrite(descriptor, data, offset)

    def truncate(self, descriptor: int, size: int) -> None:
        os.ftruncate(descriptor, size)

    def sync_file(self, descriptor: int) -> None:
        _full_sync(descriptor)

    def sync_directory(self, descriptor: int) -> None:
        _full_sync(descriptor)

    def sync_together(self, files: Sequence[int], directories: Sequence[int]) -> None:
        """Sync them all, in whatever order; one after the other, so that a test can stop between any two."""
        for descriptor in files:
            self.sync_file(descriptor)
        for descriptor in directories:
            self.sync_directory(descriptor)

    def rename(self, name: str, directory: int, new_name: str, new_directory: int) -> None:
        os.rename(name, new_name, src_dir_fd=directory, dst_dir_fd=new_directory)

    def unlink(self, name: str, directory: int) -> None:
        os.unlink(name, dir_fd=directory)

    def make_directory(self, name: str, directory: int) -> None:
        """A directory of mode 0700 whatever the umask; FileExistsError where the name is taken."""
        os.mkdir(name, 0o700, dir_fd=directory)
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
        try:
            os.fchmod(descriptor, 0o700)
        finally:
            os.close(descriptor)


def _full_sync(descriptor: int) -> None:
    """Fsync that reaches the medium: on macOS fsync stops at the drive's cache, F_FULLFSYNC does not."""
    if sys.platform == "darwin":  # pragma: no cover  # no such machine in our tests
        import fcntl

        try:
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        except OSError:
            os.fsync(descriptor)
        return
    os.fsync(descriptor)


class Overlapping(Calls):
    """The calls as they are made in earnest: syncs that need no order overlap, so that a device flushes once for many.

    On a disk where one sync takes 4 ms, six take 24 ms in turn and 8 ms together.
    """

    def sync_together(self, files: Sequence[int], directories: Sequence[int]) -> None:
        """Sync them all, each from a thread of its own; raises the first error once all have ended."""
        import _thread

        work = [(self.sync_file, descriptor) for descriptor in files]
        work += [(self.sync_directory, descriptor) for descriptor in directories]
        failures: list[OSError] = []

        def drain() -> None:
            while work:
                try:
                    sync, descriptor = work.pop()
                except IndexError:
                    return
                try:
                    sync(descriptor)
                except OSError as error:
                    failures.append(error)

        def helper(ended: LockType) -> None:
            try:
                drain()
            finally:
                ended.release()

        waiting = []
        for _ in range(min(len(work), AT_ONCE) - 1):
            ended = _thread.allocate_lock()
            ended.acquire()
            try:
                _thread.start_new_thread(helper, (ended,))
            except RuntimeError:  # no more threads for this user: what there are will do
                break
            waiting.append(ended)
        drain()
        for ended in waiting:
            ended.acquire()
        if failures:
            raise failures[0]


REAL = Overlapping()
