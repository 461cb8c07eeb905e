from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest

from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.journal import apply, journal
from neosian_cli.journal import plan as plans
from neosian_cli.journal.journal import Journal, TooLarge, append_step, signals_held
from neosian_cli.journal.pending import PENDING, plan_is_pending
from neosian_cli.journal.plan import Adopt, Append, Plan, Put, Remove, Staged, Step
from tests.crash.seam import Steps, Stop
from tests.crash.trial import stopped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    tree = Tree.open(str(tmp_path))
    yield tree
    tree.close()


def plan(*steps: Step) -> Plan:
    return Plan("00000000-0000-0000-0000-000000000001", "2026-01-02T03:04:05.000000Z", "test", steps)


def test_commit_and_nothing_to_recover(tree: Tree) -> None:
    own = Journal(tree)
    own.commit(plan(Put("semantic/a", b"1"), append_step(tree, "semantic/log", b"x\n"), Remove("semantic/none")))
    own.commit(plan(Put("semantic/a", b"2"), append_step(tree, "semantic/log", b"y\n")))
    assert (tree.read("semantic/a"), tree.read("semantic/log")) == (b"2", b"x\ny\n")
    assert own.commits == 2
    assert not own.recover()
    assert tree.entries(apply.DIRECTORY) == []


def test_more_targets_than_may_be_open(tree: Tree) -> None:
    count = 3 * apply.OPEN_AT_ONCE + 1
    before = len(os.listdir("/proc/self/fd"))
    Journal(tree).commit(plan(*(Put(f"semantic/{number}", b"%d" % number) for number in range(count))))
    assert all(tree.read(f"semantic/{number}") == b"%d" % number for number in range(count))
    assert len(os.listdir("/proc/self/fd")) == before + 2  # the two directories


def test_large_contents_are_staged(tree: Tree) -> None:
    large = os.urandom(journal.STAGE_ABOVE + 1)
    own = Journal(tree)
    steps = Steps()
    tree.calls = steps
    own.commit(plan(Put("semantic/a", large), append_step(tree, "semantic/log", large)))
    assert (tree.read("semantic/a"), tree.read("semantic/log")) == (large, large)
    own.commit(plan(append_step(tree, "semantic/log", large)))
    assert tree.read("semantic/log") == large + large
    assert tree.entries(apply.DIRECTORY) == []


def test_many_middling_contents_are_staged(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "INLINE_BUDGET", 10_000)
    own = Journal(tree)
    staged = own._stage(plan(*(Put(f"semantic/{n}", bytes(8000)) for n in range(3)), Put("semantic/s", b"small")))
    assert [type(step) for step in staged] == [Put, Put, Adopt, Put]


def test_too_large_a_plan_changes_nothing(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MAX_BYTES", 500)
    own = Journal(tree)
    with pytest.raises(TooLarge):
        own.commit(plan(Put("semantic/a", bytes(1000))))
    assert tree.status("semantic") is None
    assert own.commits == 0


@pytest.mark.parametrize("kind", ["directory", "fifo", "link", "file above"])
def test_what_would_stop_recovery_is_refused_before(tree: Tree, tmp_path: Path, kind: str) -> None:
    (tmp_path / "semantic").mkdir(0o700)
    path = "semantic/log"
    if kind == "directory":
        (tmp_path / path).mkdir()
    elif kind == "fifo":
        os.mkfifo(tmp_path / path)
    elif kind == "link":
        (tmp_path / path).symlink_to("none")
    else:
        (tmp_path / path).touch()
        path = "semantic/log/below"
    own = Journal(tree)
    with pytest.raises(Unsafe):
        own.commit(plan(Put("semantic/a", b"1"), Append(path, 0, plans.sha256(b""), b"x")))
    assert own.commits == 0
    assert tree.status("semantic/a") is None
    assert tree.status(PENDING) is None


def test_a_directory_without_the_right_to_write(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "semantic").mkdir(0o700)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    own = Journal(tree)
    with pytest.raises(PermissionError):
        own.commit(plan(Put("semantic/a", b"1")))
    assert not plan_is_pending(tree)


def test_a_plan_done_again_gives_the_same_files(tree: Tree) -> None:
    """A plan that is published twice is carried out once more, with the same files in the end."""
    steps = (Put("semantic/a", b"1"), append_step(tree, "semantic/log", b"x\n"))
    data = plans.encode(plan(*steps))
    tree.make_directories(apply.DIRECTORY)
    for _ in range(3):
        Journal(tree)._write_plan(data)
        tree.move(apply.place("~plan"), PENDING)
        assert Journal(tree).recover()
        assert (tree.read("semantic/a"), tree.read("semantic/log")) == (b"1", b"x\n")


def test_adopted_twice(tree: Tree) -> None:
    """Recovery that was stopped after the staged file had moved accepts the target, by size and digest."""
    tree.make_directories(apply.DIRECTORY)
    own = Journal(tree)
    staged = own.stage("~s", [b"ab", b"cd"])
    assert staged == Staged("~s", 4, plans.sha256(b"abcd"))
    own._write_plan(plans.encode(plan(Adopt("semantic/a", staged))))
    tree.move(apply.place("~plan"), PENDING)
    for at in range(1, 100):
        if not stopped(lambda calls: recover(tree, calls), Stop(at)):
            break
        assert tree.read("semantic/a") in (None, b"abcd")
    assert at > 8
    assert tree.read("semantic/a") == b"abcd"
    assert not plan_is_pending(tree)


def recover(tree: Tree, calls: Steps) -> None:
    fresh = Tree(os.dup(tree._directories[""]), calls)
    try:
        Journal(fresh).recover()
    finally:
        fresh.close()


def test_only_temporary_files_are_swept(tree: Tree, tmp_path: Path) -> None:
    tree.make_directories(apply.DIRECTORY)
    (tmp_path / ".transactions/~old").touch()
    (tmp_path / ".transactions/~directory").mkdir()
    (tmp_path / ".transactions/other").touch()
    assert not Journal(tree).recover()
    assert sorted(os.listdir(tmp_path / ".transactions")) == ["other", "~directory"]


class Hangup(Exception):
    pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_wait_for_the_end(number: signal.Signals) -> None:
    def handle(*_: object) -> None:
        raise Hangup

    before = signal.signal(number, handle)
    try:
        reached: list[int] = []

        def work() -> None:
            with signals_held():
                for round_ in range(3):
                    signal.raise_signal(number)
                    reached.append(round_)

        with pytest.raises(Hangup):
            work()
        assert reached == [0, 1, 2]
        assert signal.getsignal(number) is handle
    finally:
        signal.signal(number, before)


def test_signals_that_are_ignored_stay_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_held():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_signal_that_another_thread_takes_waits_too() -> None:
    """With a mask of the main thread alone it would come through: its handler runs in the main thread."""

    def handle(*_: object) -> None:
        raise Hangup

    before = signal.signal(signal.SIGTERM, handle)
    other = threading.Thread(target=lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
    try:
        reached: list[bool] = []

        def work() -> None:
            with signals_held():
                other.start()
                other.join()
                reached.append(True)

        with pytest.raises(Hangup):
            work()
        assert reached
    finally:
        signal.signal(signal.SIGTERM, before)


def test_outside_the_main_thread_none_arrives() -> None:
    seen: list[object] = []

    def look() -> None:
        with signals_held():
            seen.append(signal.getsignal(signal.SIGTERM))

    other = threading.Thread(target=look)
    other.start()
    other.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
