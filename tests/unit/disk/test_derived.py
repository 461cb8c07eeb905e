from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from neosian_cli.disk import derived
from neosian_cli.disk.tree import Tree, Unsafe
from tests.crash.seam import Steps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    tree = Tree.open(str(tmp_path))
    yield tree
    tree.close()


def test_published_and_discarded(tree: Tree, tmp_path: Path) -> None:
    assert derived.publish(tree, "one", [b"ab", b"c"], "semantic/n/derived/x") == 3
    assert (tmp_path / "semantic/n/derived/x").read_bytes() == b"abc"
    assert os.listdir(tmp_path / ".transactions") == []
    derived.discard(tree, "semantic/n/derived", ["x", "never"])
    derived.discard(tree, "semantic/n/derived", ["never"])
    assert os.listdir(tmp_path / "semantic/n/derived") == []


def test_discarded_for_good_syncs_whatever_is_left_of_it(tmp_path: Path) -> None:
    calls = Steps()
    tree = Tree.open(str(tmp_path), calls)
    derived.discard_for_good(tree, "semantic/n/derived", ["x"])
    assert calls.trace == ["sync_directory"]
    derived.publish(tree, "one", [b"abc"], "semantic/n/derived/x")
    calls.trace.clear()
    derived.discard_for_good(tree, "semantic/n/derived", ["x", "never"])
    assert calls.trace == ["unlink", "sync_directory"]
    derived.discard_for_good(tree, "semantic/n/derived", ["x"])
    assert calls.trace == ["unlink", "sync_directory", "sync_directory"]
    tree.close()
    derived.discard_for_good(Tree.open(str(tmp_path / "none"), calls), "semantic/n/derived", ["x"])
    assert len(calls.trace) == 3


def test_what_fails_is_taken_away(tree: Tree, tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"abc"
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(OSError, match="full"):
        derived.publish(tree, "one", broken(), "semantic/x")
    assert os.listdir(tmp_path / ".transactions") == []


def test_swept_under_the_hand(tree: Tree) -> None:
    with pytest.raises(Unsafe, match="vanished"), derived.waiting(tree, "none") as place:
        derived.give_name(tree, place, "semantic/x")


def test_another_size_than_was_written(tree: Tree, tmp_path: Path) -> None:
    with derived.waiting(tree, "one") as place:
        tree.create(place).close()
        with pytest.raises(Unsafe, match="0 bytes instead of 3"):
            derived.give_name(tree, place, "semantic/x", 3)
    assert not (tmp_path / "semantic").exists()
