from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from neosian_cli.disk.calls import Calls
from neosian_cli.disk.root import make_root

if TYPE_CHECKING:
    from pathlib import Path


class Noting(Calls):
    def __init__(self) -> None:
        self.made: list[str] = []
        self.synced: list[int] = []

    def make_directory(self, name: str, directory: int) -> None:
        self.made.append(name)
        super().make_directory(name, directory)

    def sync_directory(self, descriptor: int) -> None:
        self.synced.append(os.fstat(descriptor).st_ino)


def test_parents_are_made_and_synced(tmp_path: Path) -> None:
    calls = Noting()
    make_root(f"{tmp_path}/a/b/c/", calls)
    assert calls.made == ["a", "b", "c"]
    above = [tmp_path.parent, tmp_path, tmp_path / "a", tmp_path / "a/b"]
    assert calls.synced == [path.stat().st_ino for path in above]
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b", "a/b/c")} == {0o700}


def test_what_exists_is_made_durable(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/link").symlink_to("../real")
    calls = Noting()
    make_root(f"{tmp_path}/elsewhere/link", calls)
    assert calls.made == []
    assert calls.synced == [tmp_path.stat().st_ino]


def test_a_relative_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_root("a")
    make_root("a/b")
    assert (tmp_path / "a/b").is_dir()


@pytest.mark.parametrize("kind", ["file", "dangling link"])
def test_what_is_no_directory_is_refused(tmp_path: Path, kind: str) -> None:
    if kind == "file":
        (tmp_path / "a").touch()
    else:
        (tmp_path / "a").symlink_to("none")
    with pytest.raises(NotADirectoryError):
        make_root(f"{tmp_path}/a")


class Racing(Calls):
    """Another process makes the directory first."""

    def make_directory(self, name: str, directory: int) -> None:
        os.mkdir(name, dir_fd=directory)
        super().make_directory(name, directory)


def test_another_process_was_faster(tmp_path: Path) -> None:
    make_root(f"{tmp_path}/a/b", Racing())
    assert (tmp_path / "a/b").is_dir()


def test_a_parent_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()

    def refuse(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", refuse)
    make_root(f"{tmp_path}/a")
