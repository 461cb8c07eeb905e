from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest

from neosian_cli.disk import beside
from neosian_cli.disk.tree import Unsafe
from tests.crash.seam import Fail, Short, Steps, Stop
from tests.crash.trial import stopped

if TYPE_CHECKING:
    from pathlib import Path


def test_read(tmp_path: Path) -> None:
    path = tmp_path / "cursor"
    assert beside.read(str(path), 10) is None
    path.write_bytes(b"0123456789")
    assert beside.read(str(path), 4) == b"0123"


@pytest.mark.parametrize("kind", ["link", "fifo", "directory", "socket"])
def test_what_is_no_plain_file(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / "cursor")
    if kind == "link":
        os.symlink("none", path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        os.mkdir(path)
    else:
        os.mknod(path, 0o140600)
    with pytest.raises(Unsafe):
        beside.read(path, 10)
    with pytest.raises(Unsafe):
        beside.replace(path, b"x", "t")
    assert os.listdir(tmp_path) == ["cursor"]


def test_other_errors_pass_through(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long"):
        beside.read(f"{tmp_path}/{'x' * 300}", 1)


def test_replaced_whole_and_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    beside.replace("cursor", b"one", "t")
    beside.replace(f"{tmp_path}/cursor", b"two", "t", Short(1))
    assert (tmp_path / "cursor").read_bytes() == b"two"
    assert (tmp_path / "cursor").stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["cursor"]


def test_a_write_that_takes_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing was written"):
        beside.replace(f"{tmp_path}/cursor", b"x", "t", Short(0))
    assert os.listdir(tmp_path) == []


def trace(tmp_path: Path) -> list[str]:
    steps = Steps()
    beside.replace(f"{tmp_path}/cursor", b"before", "t", steps)
    return steps.trace


def test_stopped_anywhere_it_is_the_old_or_the_new(tmp_path: Path) -> None:
    seen = set()
    for at in range(1, len(trace(tmp_path)) + 1):
        beside.replace(f"{tmp_path}/cursor", b"before", f"fresh{at}")
        stopped(lambda calls: beside.replace(f"{tmp_path}/cursor", b"after", f"s{at}", calls), Stop(at))  # noqa: B023
        seen.add((tmp_path / "cursor").read_bytes())
    assert seen == {b"before", b"after"}


def test_failing_anywhere_it_is_the_old_and_nothing_is_left(tmp_path: Path) -> None:
    kinds: dict[str, Any] = {}
    for at in range(1, len(trace(tmp_path)) + 1):
        beside.replace(f"{tmp_path}/cursor", b"before", "fresh")
        calls = Fail(at, errno.EIO)
        with pytest.raises(OSError, match="Input/output") as caught:
            beside.replace(f"{tmp_path}/cursor", b"after", "t", calls)
        kinds[str(calls.failed)] = getattr(caught.value, "renamed", False)
        assert (tmp_path / "cursor").read_bytes() == (b"after" if calls.failed == "sync_directory" else b"before")
        assert os.listdir(tmp_path) == ["cursor"]
    assert kinds == {"create": False, "write": False, "sync_file": False, "rename": False, "sync_directory": True}
