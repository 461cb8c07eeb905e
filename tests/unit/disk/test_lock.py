from __future__ import annotations

import builtins
import errno
import fcntl
import os
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from neosian_cli.disk import lock as locks
from neosian_cli.disk.lock import ExclusiveLock, Held, SharedLock, holder
from neosian_cli.disk.tree import Unsafe

if TYPE_CHECKING:
    from pathlib import Path


def test_the_lock_file_stays_and_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        lock = ExclusiveLock(str(tmp_path))
        lock.release()
        lock.acquire(0)
        lock.release()
    finally:
        os.umask(before)
    assert (tmp_path / ".lock").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / ".lock").read_bytes() == b""


def test_a_shared_wait_ends(tmp_path: Path) -> None:
    lock = ExclusiveLock(str(tmp_path))
    lock.acquire(0)
    pauses: list[float] = []
    with pytest.raises(Held) as caught:
        SharedLock(str(tmp_path)).acquire(0.02, pauses.append)
    assert caught.value.waited == 0.02
    assert pauses
    assert max(pauses) <= locks.LONGEST_PAUSE
    lock.release()


def test_who_waits_looks_often_and_never_in_step() -> None:
    """Some look falls into every short gap, even of writers who leave one at the same moment of each hundredth."""
    looks, now = [], 0.0
    for tries in range(2000):
        now += locks._pause(tries)
        looks.append(now)
    assert max(after - before for before, after in pairwise(looks)) <= locks.LONGEST_PAUSE
    for gap in range(10):
        assert any(gap <= look * 1000 % 10 < gap + 1 for look in looks[:200])


def test_a_shared_wait_is_rewarded(tmp_path: Path) -> None:
    lock, shared = ExclusiveLock(str(tmp_path)), SharedLock(str(tmp_path))
    lock.acquire(0)
    assert shared.acquire(10, lambda _: lock.release())
    with pytest.raises(Held):
        lock.acquire(0)
    shared.release()
    shared.release()


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
def test_a_link_is_not_followed(tmp_path: Path, kind: Any) -> None:
    (tmp_path / "victim").write_bytes(b"precious")
    (tmp_path / ".lock").symlink_to("victim")
    with pytest.raises(Unsafe, match="not a plain file"):
        kind(str(tmp_path)).acquire(0)
    assert (tmp_path / "victim").read_bytes() == b"precious"


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["fifo", "directory"])
def test_what_is_no_plain_file_is_no_lock(tmp_path: Path, kind: Any, make: Any) -> None:
    make(tmp_path / ".lock")
    with pytest.raises(Unsafe, match="not a plain file"):
        kind(str(tmp_path)).acquire(0)


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
def test_somebody_elses_lock_file(tmp_path: Path, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".lock").touch()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(Unsafe, match="another user"):
        kind(str(tmp_path)).acquire(0)


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
def test_a_lock_file_replaced_while_it_is_taken(tmp_path: Path, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that was locked is not the one of the name any more: the lock is taken again, on the new one."""
    (tmp_path / ".lock").touch()
    real, seen = locks._is_current, []

    def replaced_once(descriptor: int, path: str) -> bool:
        if not seen:
            os.unlink(path)
            gone = real(descriptor, path)
            seen.append(gone)
            (tmp_path / ".lock").touch()
        return real(descriptor, path)

    monkeypatch.setattr(locks, "_is_current", replaced_once)
    lock = kind(str(tmp_path))
    lock.acquire(10)
    assert seen == [False]
    monkeypatch.setattr(locks, "_is_current", real)
    with pytest.raises(Held):
        ExclusiveLock(str(tmp_path)).acquire(0)
    lock.release()


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EIO])
def test_other_errors_of_locking_pass_through(
    tmp_path: Path, kind: Any, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a file system knows no such lock, nothing softer takes its place."""
    (tmp_path / ".lock").touch()
    opened = len(os.listdir("/proc/self/fd"))

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(OSError, match=os.strerror(number)):
        kind(str(tmp_path)).acquire(10)
    assert os.listdir(tmp_path) == [".lock"]
    assert len(os.listdir("/proc/self/fd")) == opened


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
def test_a_refusal_that_means_contention(tmp_path: Path, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".lock").touch()

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(Held):
        kind(str(tmp_path)).acquire(0)


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
def test_a_root_that_may_not_be_looked_into_is_no_contention(
    tmp_path: Path, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".lock").touch()

    def refuse(*_: object) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(tmp_path))

    monkeypatch.setattr(locks, "_is_current", refuse)
    with pytest.raises(PermissionError):
        kind(str(tmp_path)).acquire(10)


def refusing_once(monkeypatch: pytest.MonkeyPatch, error: OSError) -> list[int]:
    """The next `os.open` fails with this error; the flags of all are kept."""
    real, seen = os.open, list[int]()

    def opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
        seen.append(flags)
        if len(seen) == 1:
            raise error
        return real(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", opened)
    return seen


def test_a_lock_file_that_others_make_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = refusing_once(monkeypatch, FileExistsError(errno.EEXIST, "made by another"))
    lock = ExclusiveLock(str(tmp_path))
    lock.acquire(0)
    lock.release()
    assert [bool(flags & os.O_CREAT) for flags in seen] == [True, True]


def test_a_lock_file_that_goes_as_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".lock").touch()
    seen = refusing_once(monkeypatch, FileNotFoundError(errno.ENOENT, "gone"))
    (tmp_path / ".lock").unlink()
    monkeypatch.setattr(locks, "_is_there", lambda *_: len(seen) == 0)
    lock = ExclusiveLock(str(tmp_path))
    lock.acquire(0)
    lock.release()
    assert [bool(flags & os.O_CREAT) for flags in seen] == [False, True]
    assert (tmp_path / ".lock").stat().st_mode & 0o777 == 0o600


def test_a_leased_lock_file_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".lock").touch()
    refusing_once(monkeypatch, BlockingIOError(errno.EWOULDBLOCK, "leased"))
    with pytest.raises(Held):
        ExclusiveLock(str(tmp_path)).acquire(0)


def test_a_missing_root_has_no_lock(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ExclusiveLock(str(tmp_path / "none")).acquire(0)


@pytest.mark.parametrize("mode", [0o700, 0o1777])
def test_in_a_shared_place_filelock_is_asked_at_once(
    tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks at more than the owner's number where everybody may make files."""
    tmp_path.chmod(mode)
    made: list[ExclusiveLock] = []
    real = ExclusiveLock._make

    def seen(self: ExclusiveLock) -> Any:
        made.append(self)
        return real(self)

    monkeypatch.setattr(ExclusiveLock, "_make", seen)
    lock = ExclusiveLock(str(tmp_path))
    for _ in range(2):
        lock.acquire(0)
        with pytest.raises(Held):
            SharedLock(str(tmp_path)).acquire(0)
        lock.release()
    assert made == ([lock] if mode & 0o1000 else [])


def test_a_lock_that_cannot_be_freed_by_name_is_freed_by_closing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = ExclusiveLock(str(tmp_path))
    lock.acquire(0)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with monkeypatch.context() as patched:
        patched.setattr(fcntl, "flock", refuse)
        lock.release()
    ExclusiveLock(str(tmp_path)).acquire(0)


def test_nobody_holds_it(tmp_path: Path) -> None:
    assert holder(str(tmp_path)) is None
    (tmp_path / ".lock").touch()
    assert holder(str(tmp_path)) is None


def test_the_holder_is_named(tmp_path: Path) -> None:
    lock, shared = ExclusiveLock(str(tmp_path)), SharedLock(str(tmp_path))
    lock.acquire(0)
    found = holder(str(tmp_path))
    assert found is not None
    assert (found["pid"], found["mode"]) == (os.getpid(), "exclusive")
    lock.release()
    shared.acquire(0)
    found = holder(str(tmp_path))
    assert found is not None
    assert (found["pid"], found["mode"]) == (os.getpid(), "shared")
    shared.release()


@pytest.mark.parametrize("table", [None, "1: FLOCK  ADVISORY  WRITE -1 {inode} 0 EOF\n"], ids=["missing", "no pid"])
def test_where_the_kernel_does_not_tell(tmp_path: Path, table: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".lock").touch()
    status = (tmp_path / ".lock").stat()
    inode = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    real = builtins.open

    def replaced(name: Any, *arguments: Any, **more: Any) -> Any:
        if name != "/proc/locks":
            return real(name, *arguments, **more)
        if table is None:
            raise FileNotFoundError(name)
        (tmp_path / "table").write_text(table.format(inode=inode))
        return real(tmp_path / "table", *arguments, **more)

    monkeypatch.setattr(builtins, "open", replaced)
    assert holder(str(tmp_path)) is None
    lock = ExclusiveLock(str(tmp_path))
    lock.acquire(0)
    assert holder(str(tmp_path)) == {"pid": None, "verb": None, "mode": "exclusive"}
    lock.release()


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        (["/usr/bin/neosian", "memory", "write", "a", "secret"], "memory write"),
        (["python", "-m", "neosian_cli", "changes", "read"], "changes read"),
        (["python", "/x/neosian_cli/__main__.py", "lock", "tar"], "lock"),
        (["neosian", "verify", "memory"], "verify"),
        (["neosian", "--json", "memory"], None),
        (["neosian", "memory", "/private"], "memory"),
        (["neosian"], None),
        (["vim", "file"], None),
    ],
)
def test_the_verb_never_shows_values(
    tmp_path: Path, words: list[str], verb: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cmdline").write_bytes(b"".join(word.encode() + b"\0" for word in words))
    real = builtins.open
    monkeypatch.setattr(builtins, "open", lambda _, mode: real(tmp_path / "cmdline", mode))
    assert locks._verb_of(7) == verb


def test_a_process_that_is_gone() -> None:
    assert locks._verb_of(1 << 30) is None
