"""Other programs may take the root lock with filelock: they and ours exclude each other, whoever comes first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from neosian_cli.disk.lock import ExclusiveLock, Held, SharedLock
from tests.cli.process import NEOSIAN, TOP, call, environment, start
from tests.samples import write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOLDER = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
"""
ONE_TRY = """
import sys
from filelock import FileLock, Timeout
try:
    FileLock(sys.argv[1]).acquire(timeout=0)
except Timeout:
    sys.exit(75)
"""
THEIRS = """
import sys
from filelock import FileLock
for _ in range(int(sys.argv[2])):
    with FileLock(sys.argv[1] + "/.lock", poll_interval=0.001):
        number = int(open(sys.argv[1] + "/count").read())
        open(sys.argv[1] + "/count", "w").write(str(number + 1))
"""
OURS = """
import sys
from neosian_cli.disk.lock import ExclusiveLock
for _ in range(int(sys.argv[2])):
    lock = ExclusiveLock(sys.argv[1])
    lock.acquire(60)
    number = int(open(sys.argv[1] + "/count").read())
    open(sys.argv[1] + "/count", "w").write(str(number + 1))
    lock.release()
"""


def one_try(root: str) -> int:
    """The exit status of a plain Python program that takes the lock once: 75 where others have it."""
    words = [sys.executable, "-c", ONE_TRY, f"{root}/.lock"]
    return subprocess.run(words, env=environment(), cwd=TOP, check=False, timeout=60).returncode


def python(program: str, *words: str) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", program, *words], env=environment(), cwd=TOP, text=True, **pipes)


@pytest.fixture
def root(tmp_path: Path) -> str:
    write(tmp_path / "store", "notes/a", "hello")
    return str(tmp_path / "store")


@pytest.fixture
def holder(root: str) -> Iterator[subprocess.Popen[str]]:
    """A plain Python program that has the lock until it reads a line."""
    child = python(HOLDER, f"{root}/.lock")
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    yield child
    if child.poll() is None:
        child.communicate("\n", timeout=60)


def end(child: subprocess.Popen[str]) -> None:
    child.communicate("\n", timeout=60)
    assert child.returncode == 0


@pytest.mark.parametrize("timeout", ["0", "0.05"])
def test_a_writer_finds_it_locked_and_says_by_whom(root: str, holder: subprocess.Popen[str], timeout: str) -> None:
    words = ("memory", "write", "/memories/notes/a", "--content", "x", "--scope", "user:me", "--root", root)
    done = call(NEOSIAN, *words, "--lock-timeout", timeout, "--json")
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, error["code"], error["details"]["pid"]) == (8, "locked", holder.pid)
    end(holder)
    assert call(NEOSIAN, *words, "--lock-timeout", timeout).returncode == 0


def test_a_reader_finds_it_locked(root: str, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(Held):
        SharedLock(root).acquire(0)
    end(holder)
    lock = SharedLock(root)
    assert lock.acquire(0)
    lock.release()


def test_whoever_waits_waits_in_filelock(
    root: str, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try fails; what is waited with is filelock's, and it gets the lock when that becomes free."""
    waits = threading.Event()
    real = ExclusiveLock._make

    def seen(self: ExclusiveLock) -> object:
        made = real(self)
        waits.set()
        return made

    monkeypatch.setattr(ExclusiveLock, "_make", seen)
    lock, got = ExclusiveLock(root), []

    def wait() -> None:
        lock.acquire(60)
        assert lock._lock is not None
        got.append(lock._lock.is_locked)
        lock.release()
        got.append(lock._lock.is_locked)

    thread = threading.Thread(target=wait)
    thread.start()
    assert waits.wait(60)
    assert not got
    end(holder)
    thread.join(60)
    assert got == [True, False]
    lock.acquire(0)
    assert not lock._lock.is_locked
    assert one_try(root) == 75
    lock.release()


def test_a_program_with_filelock_finds_ours_locked(root: str) -> None:
    child = start(NEOSIAN, "lock", "--root", root, "--", "sh", "-c", "echo held; read _", stdin=subprocess.PIPE)
    assert child.stdout.readline() == b"held\n"
    assert one_try(root) == 75
    child.communicate(b"\n", timeout=60)
    assert child.returncode == 0
    assert one_try(root) == 0


def test_a_reader_of_ours_keeps_filelock_out(root: str) -> None:
    lock = SharedLock(root)
    assert lock.acquire(0)
    assert one_try(root) == 75
    lock.release()
    assert one_try(root) == 0


def test_who_comes_and_goes_loses_nothing(tmp_path: Path) -> None:
    """Numbers that are read and written again by both kinds at once, from before there was a lock file."""
    root = str(tmp_path)
    (tmp_path / "count").write_text("0")
    children = [python(program, root, "60") for program in (OURS, THEIRS, OURS, THEIRS)]
    for child in children:
        child.communicate(timeout=60)
        assert child.returncode == 0
    assert (tmp_path / "count").read_text() == "240"
    assert os.listdir(root).count(".lock") == 1
