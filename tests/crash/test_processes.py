"""Several real processes on one root: locks, first writers, forks, killed holders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from neosian_cli.disk.lock import ExclusiveLock, Held, SharedLock, holder
from neosian_cli.errors import Failure
from neosian_cli.store import feed, log
from neosian_cli.store.history import History
from tests.cli.process import TOP, environment
from tests.crash.scenarios import SCOPE, open_store, write
from tests.crash.trial import in_child, leftovers, snapshot

if TYPE_CHECKING:
    from pathlib import Path

WRITER = """
import sys
from tests.crash.scenarios import open_store, write
root, seed, path, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
print("ready", flush=True)
sys.stdin.readline()
for number in range(count):
    write(path, f"{seed}.{number}")(open_store(root, seed=seed * 1000 + number, lock_timeout=60))
"""
HOLDER = """
import sys
from tests.crash.scenarios import open_store
with open_store(sys.argv[1]).writing("memory write"):
    print("held", flush=True)
    sys.stdin.readline()
"""


def started(program: str, *words: object) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=TOP,
        env=environment(),
    )
    assert child.stdout is not None
    assert child.stdout.readline()
    return child


def race(root: str, *work: tuple[int, str, int]) -> None:
    """Writers that are all ready before any of them begins."""
    children = [started(WRITER, root, *one) for one in work]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    for child in children:
        child.communicate(timeout=60)
        assert child.returncode == 0


def versions(root: str, path: str) -> list[Any]:
    with open_store(root).reading() as tree:
        history = History.open(tree, SCOPE, path)
        assert history is not None
        with history:
            return list(history.oldest_first())


def test_no_update_is_lost(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    race(root, *((seed, "shared", 12) for seed in (1, 2, 3)))
    rows = versions(root, "shared")
    assert [row.version for row in rows] == list(range(1, 37))
    assert sorted(row.content for row in rows) == sorted(f"{seed}.{n}" for seed in (1, 2, 3) for n in range(12))
    assert [row.sequence for row in rows] == list(range(2, 38))
    with open_store(root).reading() as tree:
        head = feed.read_head(tree, SCOPE)
        assert head is not None
        where = feed.log_of(SCOPE)
        entries = log.Reader(tree, where, head).after(0, 100, head.floor_chain)
        assert [entry.number for entry in entries] == list(range(1, 38))


@pytest.mark.parametrize("made", [False, True], ids=["absent", "empty"])
def test_first_writers_race_for_a_root(tmp_path: Path, *, made: bool) -> None:
    for attempt in range(3):
        root = str(tmp_path / f"over/there/{attempt}")
        if made:
            os.makedirs(root, 0o700)
        race(root, (1, "one", 1), (2, "two", 1), (3, "three", 1))
        for path in ("one", "two", "three"):
            assert [row.version for row in versions(root, path)] == [1]
        assert leftovers(root) == []


def test_a_killed_holder_strands_nobody(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    write("a", "one")(open_store(root))
    child = started(HOLDER, root)
    with pytest.raises(Failure) as caught, open_store(root, lock_timeout=0).reading():
        pytest.fail("was let in")
    assert (caught.value.code, caught.value.details["pid"]) == ("locked", child.pid)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    write("a", "two")(open_store(root, seed=2, lock_timeout=0))
    assert [row.content for row in versions(root, "a")] == ["one", "two"]


def test_a_lock_file_deleted_while_held_is_not_relied_on(tmp_path: Path) -> None:
    """Who holds the old one excludes nobody any more; who comes next locks the new file, not the old one."""
    root = str(tmp_path / "root")
    write("a", "one")(open_store(root))
    child = started(HOLDER, root)
    os.unlink(f"{root}/.lock")
    write("a", "two")(open_store(root, seed=2, lock_timeout=0))
    lock, other = ExclusiveLock(root), ExclusiveLock(root)
    lock.acquire(0)
    with pytest.raises(Held):
        other.acquire(0)
    with pytest.raises(Held):
        SharedLock(root).acquire(0)
    lock.release()
    child.communicate("\n", timeout=60)
    assert [row.content for row in versions(root, "a")] == ["one", "two"]


def test_a_forked_child_neither_frees_nor_keeps_the_lock(tmp_path: Path) -> None:
    root = str(tmp_path)
    lock = ExclusiveLock(root)
    lock.acquire(0)
    assert in_child(lock.release) == 0
    assert in_child(lambda: ExclusiveLock(root).acquire(0)) != 0
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.write(ready[1], b"x")
        os.read(go[0], 1)
        os._exit(0)
    try:
        os.read(ready[0], 1)
        lock.release()
        ExclusiveLock(root).acquire(0)
    finally:
        os.write(go[1], b"x")
        os.waitpid(child, 0)
        for descriptor in (*ready, *go):
            os.close(descriptor)


@pytest.mark.parametrize("kind", [SharedLock, ExclusiveLock])
def test_a_forked_child_that_outlives_its_killed_parent_holds_nothing(tmp_path: Path, kind: Any) -> None:
    root = str(tmp_path)
    (tmp_path / ".lock").touch(0o600)
    lock, ready, go = kind(root), os.pipe(), os.pipe()
    parent = os.fork()
    if not parent:
        lock.acquire(0)
        if os.fork():
            os.kill(os.getpid(), signal.SIGKILL)
        os.write(ready[1], b"x")
        os.read(go[0], 1)
        os._exit(0)
    try:
        os.waitpid(parent, 0)
        os.read(ready[0], 1)
        ExclusiveLock(root).acquire(0)
    finally:
        os.write(go[1], b"x")
        for descriptor in (*ready, *go):
            os.close(descriptor)


def test_readers_share_and_keep_writers_out(tmp_path: Path) -> None:
    root = str(tmp_path)
    writer = ExclusiveLock(root)
    assert SharedLock(root).acquire(0) is False
    writer.acquire(0)
    writer.release()
    first, second = SharedLock(root), SharedLock(root)
    assert first.acquire(0)
    assert second.acquire(0)
    with pytest.raises(Held):
        writer.acquire(0)
    assert holder(root) is not None
    first.release()
    second.release()
    writer.acquire(0)
    writer.release()
    assert holder(root) is None


def test_a_lost_lock_file_is_made_before_a_store_is_read(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    write("a", "one")(open_store(root))
    os.unlink(f"{root}/.lock")
    with open_store(root).reading() as tree:
        assert tree.exists
        with pytest.raises(Held):
            ExclusiveLock(root).acquire(0)


def test_who_reads_nothing_makes_nothing(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    for _ in range(2):
        with open_store(root).reading() as tree:
            assert not tree.exists
        assert snapshot(root, everything=True) == {}
        os.makedirs(root, exist_ok=True)


def test_a_backup_by_hard_links_never_changes(tmp_path: Path) -> None:
    root, backup = str(tmp_path / "root"), str(tmp_path / "backup")
    write("a", "one")(open_store(root))
    subprocess.run(["cp", "-al", root, backup], check=True)
    before = snapshot(backup, everything=True)
    for number in range(3):
        write("a", f"more {number}")(open_store(root, seed=2 + number))
        write("b", f"new {number}")(open_store(root, seed=12 + number))
    assert snapshot(backup, everything=True) == before
    assert [row.content for row in versions(backup, "a")] == ["one"]
    assert [row.content for row in versions(root, "a")] == ["one", "more 0", "more 1", "more 2"]
