"""The root lock: shared for those who read, exclusive for those who change.

Both are `flock` on `<root>/.lock`, so they exclude each other, die with their process, and the file's presence alone
means nothing. A writer asks the kernel once, as filelock does, and waits in filelock where somebody else has the lock:
docs/adr/0015-one-try-before-filelock.md. Readers need no more than one system call on a descriptor that is open for
reading, which also works on a read-only file system, and leave nothing behind.

Nobody is queued: whoever waits looks again and again. Readers look often, and at uneven intervals, so that writers who
come and go in step cannot keep them out for ever.

A forked child closes its copies at once: it neither frees the lock of its parent nor keeps it after the parent's end.
"""

from __future__ import annotations

import os
import stat as modes
import time
from contextlib import suppress

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
TO_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
TO_LOCK = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Held(Exception):
    """Another process holds the lock, and the wait has ended."""

    def __init__(self, waited: float) -> None:
        super().__init__(f"held by another process for {waited:g} s")
        self.waited = waited


class Hold:
    """At most one locked descriptor of this process."""

    __slots__ = ("_descriptor",)

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def take(self, descriptor: int, path: str, operation: int) -> bool | None:
        """Lock an open file at once: whether that was possible, or None where its name belongs to another file by now.

        The descriptor is kept until `end` where it was, and closed where not.
        """
        import fcntl

        try:
            fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
            if _is_current(descriptor, path):
                self._descriptor = descriptor
                HOLDS.add(self)
                return True
        except BlockingIOError:
            return False
        except PermissionError as error:
            if error.filename is not None:
                raise
            return False  # so some file systems say that another has the lock
        finally:
            if self._descriptor is None:
                os.close(descriptor)
        return None

    def end(self) -> bool:
        """Let go; whether there was something to let go of."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return False
        import fcntl

        HOLDS.discard(self)
        with suppress(OSError):  # where it cannot be freed by name, closing frees it
            fcntl.flock(descriptor, fcntl.LOCK_UN)  # a child on its way to another program may have a copy
        os.close(descriptor)
        return True

    def leave_to_parent(self) -> None:
        """In a forked child: close the copy, and with it nothing but the copy."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


HOLDS: set[Hold] = set()
"""All that this process holds without filelock."""


def _leave_to_parent() -> None:
    while HOLDS:
        HOLDS.pop().leave_to_parent()


os.register_at_fork(after_in_child=_leave_to_parent)


class SharedLock:
    """The lock as readers take it, who make no lock file."""

    def __init__(self, root: str, name: str = LOCK_NAME) -> None:
        self._name = name
        self._path = os.path.join(root, name)
        self._hold = Hold()

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
                descriptor = os.open(self._path, TO_READ)
            except FileNotFoundError:
                return False
            if self._hold.take(descriptor, self._path, fcntl.LOCK_SH):
                return True
            if time.monotonic() >= deadline:
                raise Held(timeout)
            sleep(min(_pause(tries), max(0.0, deadline - time.monotonic())))
            tries += 1

    def release(self) -> None:
        self._hold.end()


class ExclusiveLock:
    """The lock as writers take it; makes the lock file (0600) in a root that exists, and never removes it.

    Not to be taken again by who has it.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._path = os.path.join(root, LOCK_NAME)
        self._hold = Hold()
        self._lock: BaseFileLock | None = None

    def acquire(self, timeout: float) -> None:
        """Wait up to `timeout` seconds (0: one try).

        Raises `Held`, `Unsafe` for a lock file that is no plain file of this user, or OSError.
        """
        deadline = time.monotonic() + timeout
        if not self._is_shared_place():
            if self._try():
                return
            if timeout <= 0:
                raise Held(timeout)
        self._wait(timeout, deadline)

    def release(self) -> None:
        if not self._hold.end() and self._lock is not None:
            self._lock.release()

    def _is_shared_place(self) -> bool:
        """Whether the root is as `/tmp` is, where filelock looks closer at whose the lock file is."""
        try:
            return bool(os.stat(self._root).st_mode & modes.S_ISVTX)
        except OSError:
            return False

    def _try(self) -> bool:
        """One try without filelock, which takes several starts of Python to import; False where others hold the lock.

        The same file, opened in the same way, and the same kernel lock as filelock's: they exclude each other.
        """
        import fcntl

        while True:
            try:
                descriptor = self._opened()
            except BlockingIOError:  # a leased file
                return False
            except FileExistsError:
                continue
            taken = self._hold.take(descriptor, self._path, fcntl.LOCK_EX)
            if taken is not None:
                return taken

    def _opened(self) -> int:
        """The lock file, open; made where it is missing. Raises FileExistsError where somebody has just made it."""
        if _is_there(self._path, LOCK_NAME):
            try:
                return os.open(self._path, TO_LOCK)
            except FileNotFoundError:
                pass
        descriptor = os.open(self._path, TO_LOCK | os.O_CREAT | os.O_EXCL, 0o600)
        os.fchmod(descriptor, 0o600)
        return descriptor

    def _wait(self, timeout: float, deadline: float) -> None:
        from filelock import Timeout

        _is_there(self._path, LOCK_NAME)
        if self._lock is None:
            self._lock = self._make()
        lock = self._lock
        while True:
            try:
                lock.acquire(timeout=max(0.0, deadline - time.monotonic()), poll_interval=POLL)
            except Timeout:
                raise Held(timeout) from None
            descriptor = lock._context.lock_file_fd  # noqa: SLF001  # there is no public way to ask
            if descriptor is not None and _is_current(descriptor, self._path):
                return
            lock.release()

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
        descriptor = os.open(os.path.join(root, LOCK_NAME), TO_READ)
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
