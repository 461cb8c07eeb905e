"""The root lock: shared for those who read, exclusive for those who change.

Both are `flock` on `<root>/.lock`, so they exclude each other, die with their process, and the file's presence alone
means nothing. Writers go through filelock, which knows the platforms; readers need no more than one system call on a
descriptor that is open for reading, which also works on a read-only file system, and leave nothing behind.

Nobody is queued: whoever waits looks again and again. Readers look often, and at uneven intervals, so that writers who
come and go in step cannot keep them out for ever.
"""

from __future__ import annotations

import errno
import os
import stat as modes
import time

from neosian_cli.disk.tree import Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from filelock import BaseFileLock

LOCK_NAME = ".lock"
FIRST_PAUSE = 0.001
LONGEST_PAUSE = 0.01
POLL = 0.02
GOLDEN = 0.6180339887498949
"""Multiples of this, without their whole part, fall evenly between 0 and 1 and never repeat."""


class Held(Exception):
    """Another process holds the lock, and the wait has ended."""

    def __init__(self, waited: float) -> None:
        super().__init__(f"held by another process for {waited:g} s")
        self.waited = waited


class SharedLock:
    """The lock as readers take it, who make no lock file."""

    def __init__(self, root: str, name: str = LOCK_NAME) -> None:
        self._name = name
        self._path = os.path.join(root, name)
        self._descriptor: int | None = None

    def acquire(self, timeout: float, sleep: Callable[[float], None] = time.sleep) -> bool:
        """Wait up to `timeout` seconds (0: one try); False where there is no lock file, and nothing is locked.

        Raises `Held`, `Unsafe` for a lock file that is no plain file of this user, or OSError.
        """
        import fcntl

        deadline = time.monotonic() + timeout
        tries = 0
        while True:
            if not _is_there(self._path, self._name):
                return False
            try:
                descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            except FileNotFoundError:
                return False
            try:
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError as error:
                os.close(descriptor)
                if error.errno not in (errno.EAGAIN, errno.EACCES):
                    raise
            else:
                if _is_current(descriptor, self._path):
                    self._descriptor = descriptor
                    return True
                os.close(descriptor)
            if time.monotonic() >= deadline:
                raise Held(timeout)
            sleep(min(_pause(tries), max(0.0, deadline - time.monotonic())))
            tries += 1

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class ExclusiveLock:
    """The lock as writers take it; makes the lock file (0600) in a root that exists, and never removes it."""

    def __init__(self, root: str) -> None:
        self._path = os.path.join(root, LOCK_NAME)
        self._lock: BaseFileLock | None = None

    def acquire(self, timeout: float) -> None:
        """Wait up to `timeout` seconds (0: one try).

        Raises `Held`, `Unsafe` for a lock file that is no plain file of this user, or OSError.
        """
        from filelock import Timeout

        _is_there(self._path, LOCK_NAME)
        if self._lock is None:
            self._lock = self._make()
        lock = self._lock
        deadline = time.monotonic() + timeout
        while True:
            try:
                lock.acquire(timeout=max(0.0, deadline - time.monotonic()), poll_interval=POLL)
            except Timeout:
                raise Held(timeout) from None
            descriptor = lock._context.lock_file_fd  # noqa: SLF001  # there is no public way to ask
            if descriptor is not None and _is_current(descriptor, self._path):
                return
            lock.release()

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def _make(self) -> BaseFileLock:
        from filelock import FileLock

        return FileLock(self._path, mode=0o600, fallback_to_soft=False, preserve_lock_file=True)


def _pause(tries: int) -> float:
    """Seconds before the next look: soon at first, then between a quarter and the whole of `LONGEST_PAUSE`."""
    longest = min(FIRST_PAUSE * (1 << min(tries, 8)), LONGEST_PAUSE)
    return longest * (1 + 3 * (tries * GOLDEN % 1)) / 4


def _is_there(path: str, name: str) -> bool:
    """Whether there is a lock file; raises `Unsafe` where something else has its name, which is not even opened."""
    try:
        status = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return False
    if not modes.S_ISREG(status.st_mode):
        raise Unsafe(name, "is not a plain file")
    if status.st_uid != os.geteuid():
        raise Unsafe(name, "belongs to another user")
    return True


def _is_current(descriptor: int, path: str) -> bool:
    """Whether the locked file is still the one of that name: a lock on an unlinked file excludes nobody."""
    try:
        named = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), named)


def holder(root: str) -> dict[str, object] | None:
    """Who holds the lock, as far as the kernel tells: `{"pid", "verb", "mode"}`; None when nobody does.

    pid and verb are None where the system does not say. The answer is a snapshot and is never acted on.
    """
    import fcntl

    try:
        descriptor = os.open(os.path.join(root, LOCK_NAME), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        pid, mode = _kernel_holder(status)
        if pid is None:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return {"pid": None, "verb": None, "mode": "exclusive"}
            return None
        return {"pid": pid, "verb": _verb_of(pid), "mode": mode}
    finally:
        os.close(descriptor)


def _kernel_holder(status: os.stat_result) -> tuple[int | None, str]:
    """Process and mode of the first flock on this inode that /proc/locks lists."""
    inode = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    try:
        with open("/proc/locks", encoding="ascii") as table:
            lines = table.read().splitlines()
    except OSError:
        return None, ""
    for line in lines:
        fields = line.split()
        if len(fields) > 5 and fields[1] == "FLOCK" and fields[5] == inode and int(fields[4]) > 0:
            return int(fields[4]), "exclusive" if fields[3] == "WRITE" else "shared"
    return None, ""


def _verb_of(pid: int) -> str | None:
    """The verb of a neosian process: the words that follow the program's name, never its values."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as line:
            words = [word.decode("utf-8", "replace") for word in line.read().split(b"\0")]
    except OSError:
        return None
    for index, word in enumerate(words):
        if os.path.basename(word) == "neosian" or word == "neosian_cli" or "neosian_cli/__main__" in word:
            verb = []
            for following in words[index + 1 : index + 3]:
                if not following[:1].isalpha() or not following.replace("-", "").replace("_", "").isalpha():
                    break
                verb.append(following)
                if following in ("lock", "status", "verify", "export", "import"):
                    break
            return " ".join(verb) or None
    return None
