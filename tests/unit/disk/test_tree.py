from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from neosian_cli.disk.calls import Calls
from neosian_cli.disk.tree import CHUNK, KEPT_DIRECTORIES, Tree, Unsafe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    tree = Tree.open(str(tmp_path))
    yield tree
    tree.close()


def put(tree: Tree, path: str, content: bytes) -> None:
    if "/" in path:
        tree.make_directories(path.rpartition("/")[0])
    with tree.create(path) as file:
        tree.write(file, [content])


def test_a_root_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    tree = Tree.open(str(tmp_path / "absent"))
    assert not tree.exists
    assert tree.entries("") == []
    assert tree.read("a/b") is None
    assert tree.status("a") is None
    assert tree.open_for_change("a") is None
    assert tree.remove("a") is False
    tree.check_writable("a")
    tree.owe_way("a/b")
    tree.close()


def test_a_root_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    tree = Tree.open(str(tmp_path / "link"))
    put(tree, "a", b"x")
    tree.close()
    assert (tmp_path / "real/a").read_bytes() == b"x"


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o777])
def test_modes_whatever_the_umask(tree: Tree, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        put(tree, "a/b/c", b"x")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b", "a/b/c")]
    assert modes == [0o700, 0o700, 0o600]


def test_reading(tree: Tree, tmp_path: Path) -> None:
    content = os.urandom(2 * CHUNK + 17)
    put(tree, "a", content)
    assert tree.read("a") == content
    file = tree.open_file("a")
    assert file is not None
    with file:
        assert file.read_at(CHUNK - 3, 10) == content[CHUNK - 3 : CHUNK + 7]
        assert file.read_at(len(content), 10) == b""
        assert b"".join(file.chunks(5, CHUNK + 9)) == content[5 : CHUNK + 9]
        assert [len(piece) for piece in file.chunks()] == [CHUNK, CHUNK, 17]
        os.truncate(tmp_path / "a", 7)
        assert b"".join(file.chunks()) == content[:7]


def test_what_is_no_plain_file_is_not_read(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "directory").mkdir()
    (tmp_path / "to-directory").symlink_to("directory")
    put(tree, "file", b"x")
    for name in ("link", "fifo", "directory", "to-directory"):
        with pytest.raises(Unsafe, match=name):
            tree.read(name)
        with pytest.raises(Unsafe, match=name):
            tree.open_for_change(name)
    for name in ("file", "to-directory", "link", "fifo"):
        with pytest.raises(Unsafe, match="is not a directory"):
            tree.read(f"{name}/x")
    assert not tree.broken
    assert sorted(tree.entries("")) == [
        ("directory", True),
        ("fifo", False),
        ("file", False),
        ("link", False),
        ("to-directory", False),
    ]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_belongs_to_somebody_else_is_not_read(tree: Tree, tmp_path: Path) -> None:
    put(tree, "file", b"x")
    (tmp_path / "directory").mkdir()
    os.chown(tmp_path / "file", 12345, -1)
    os.chown(tmp_path / "directory", 12345, -1)
    with pytest.raises(Unsafe, match="another user"):
        tree.read("file")
    with pytest.raises(Unsafe, match="another user"):
        tree.open_for_change("file")
    with pytest.raises(Unsafe, match="another user"):
        tree.entries("directory")


def test_a_parent_swapped_for_a_link_leads_nowhere(tree: Tree, tmp_path: Path) -> None:
    put(tree, "a/b/c", b"inside")
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "a").rename(tmp_path / "moved")
    (tmp_path / "a").symlink_to("outside")
    with tree.create("a/b/d") as file:
        tree.write(file, [b"x"])
    assert list(outside.iterdir()) == []
    fresh = Tree.open(str(tmp_path))
    with pytest.raises(Unsafe):
        fresh.make_directories("a/b")
    fresh.close()


def test_few_directories_stay_open(tree: Tree) -> None:
    count = KEPT_DIRECTORIES + 50
    for number in range(count):
        put(tree, f"a/{number}/file", b"%d" % number)
    opened = len(os.listdir("/proc/self/fd"))
    for number in range(count):
        assert tree.read(f"a/{number}/file") == b"%d" % number
    assert len(os.listdir("/proc/self/fd")) == opened
    assert len(tree._directories) == KEPT_DIRECTORIES


def test_making_moving_removing(tree: Tree) -> None:
    put(tree, "a/one", b"1")
    tree.make_directories("b")
    tree.move("a/one", "b/two")
    assert tree.read("a/one") is None
    assert tree.read("b/two") == b"1"
    assert tree.remove("b/two")
    assert not tree.remove("b/two")
    for path in ("none/x", "none/y"):
        with pytest.raises(FileNotFoundError):
            tree.create(path)
    with pytest.raises(FileNotFoundError):
        tree.sync_directory("none")


def test_syncs_that_are_owed(tree: Tree) -> None:
    put(tree, "a/b/c", b"x")
    assert list(tree._unsynced) == ["", "a", "a/b"]
    tree.sync_way("a/b/c")
    assert list(tree._unsynced) == []
    tree.owe_way("a/none/c")
    assert list(tree._unsynced) == ["a", ""]
    tree.sync_together([], apart_from="a")
    assert list(tree._unsynced) == ["a"]


class Noting(Calls):
    def __init__(self) -> None:
        self.synced: list[int] = []

    def sync_directory(self, descriptor: int) -> None:
        self.synced.append(os.fstat(descriptor).st_ino)


def test_more_directories_are_synced_than_stay_open(tmp_path: Path) -> None:
    """Each by itself, though looking up one may close another."""
    calls = Noting()
    tree = Tree.open(str(tmp_path), calls)
    for number in range(3 * KEPT_DIRECTORIES):
        put(tree, f"a/{number}/b/c/file", b"x")
    opened = len(os.listdir("/proc/self/fd"))
    tree.sync_together([], apart_from="a")
    every = {
        path.stat().st_ino for path in [tmp_path, *tmp_path.glob("a/*"), *tmp_path.glob("a/**/*")] if path.is_dir()
    }
    assert sorted(calls.synced) == sorted(every)
    assert list(tree._unsynced) == ["a"]
    assert len(os.listdir("/proc/self/fd")) == opened
    tree.close()


class Failing(Calls):
    def __init__(self, error: int) -> None:
        self.error = error
        self.fails = False
        self.count = 0

    def open_existing(self, name: str, directory: int) -> int:
        if self.fails:
            raise OSError(self.error, "failing")
        return super().open_existing(name, directory)

    def sync_file(self, descriptor: int) -> None:
        self.count += 1
        if self.fails:
            raise OSError(self.error, "failing")


def test_after_a_failure_nothing_is_written(tmp_path: Path) -> None:
    calls = Failing(errno.EIO)
    tree = Tree.open(str(tmp_path), calls)
    put(tree, "a", b"x")
    file = tree.open_for_change("a")
    assert file is not None
    calls.fails = True
    with pytest.raises(OSError, match="failing"):
        tree.sync(file)
    calls.fails = False
    for act in (
        lambda: tree.sync(file),
        lambda: tree.write(file, [b"y"]),
        lambda: tree.truncate(file, 0),
        lambda: tree.create("b"),
        lambda: tree.remove("a"),
        lambda: tree.move("a", "b"),
        lambda: tree.make_directories("c"),
        lambda: tree.sync_directory(""),
    ):
        with pytest.raises(OSError, match="after a failed write"):
            act()
    assert calls.count == 1
    assert tree.read("a") == b"x"
    file.close()
    tree.close()


def test_opening_that_fails_breaks_the_tree_too(tmp_path: Path) -> None:
    calls = Failing(errno.EIO)
    tree = Tree.open(str(tmp_path), calls)
    put(tree, "a", b"x")
    assert tree.open_for_change("none") is None
    calls.fails = True
    with pytest.raises(OSError, match="failing"):
        tree.open_for_change("a")
    assert tree.broken
    tree.close()


def test_errors_of_reading_pass_through(tree: Tree) -> None:
    for act in (lambda: tree.read("x" * 300), lambda: tree.entries("x" * 300)):
        with pytest.raises(OSError, match="too long"):
            act()
    assert not tree.broken


class Vanishing(Calls):
    """A directory that is gone again when it is opened."""

    def make_directory(self, name: str, directory: int) -> None:
        super().make_directory(name, directory)
        os.rmdir(name, dir_fd=directory)


def test_a_directory_that_vanishes(tmp_path: Path) -> None:
    tree = Tree.open(str(tmp_path), Vanishing())
    with pytest.raises(FileNotFoundError, match="vanished"):
        tree.make_directories("a")
    tree.close()


def test_a_directory_that_takes_no_names(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tree, "a/b/c", b"x")
    tree.check_writable("a/b/none/below")
    if os.geteuid() == 0:
        monkeypatch.setattr(os, "access", lambda *_, **__: False)
    else:
        (tmp_path / "a/b").chmod(0o500)
    with pytest.raises(PermissionError, match="a/b"):
        tree.check_writable("a/b/none/below")
