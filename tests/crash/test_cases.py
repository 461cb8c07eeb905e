"""Reported ways to lose data, each tried on a whole store; the others have tests of their own beside this one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from neosian_cli.errors import Failure
from neosian_cli.store import documents, layout
from tests.crash.scenarios import SCOPE, open_store, write
from tests.crash.trial import leftovers, snapshot

if TYPE_CHECKING:
    from pathlib import Path


def content(root: str, path: str) -> str | None:
    with open_store(root).reading() as tree:
        document, _ = documents.read(tree, SCOPE, path)
        return None if document is None else document.content


@pytest.mark.parametrize("kind", ["empty", "zeros", "fifo", "link", "directory"])
def test_a_document_that_is_none_is_damage_and_not_an_empty_document(tmp_path: Path, kind: str) -> None:
    root = str(tmp_path / "root")
    write("a", "one")(open_store(root))
    write("b", "other")(open_store(root, seed=2))
    file = os.path.join(root, layout.document_file(SCOPE, "a"))
    size = os.stat(file).st_size
    os.unlink(file)
    if kind in ("empty", "zeros"):
        with open(file, "wb") as opened:
            opened.write(bytes(size if kind == "zeros" else 0))
    elif kind == "fifo":
        os.mkfifo(file)
    elif kind == "link":
        os.symlink("b.json", file)
    else:
        os.mkdir(file)
    for act in (lambda: content(root, "a"), lambda: write("a", "two")(open_store(root, seed=3))):
        with pytest.raises(Failure) as caught:
            act()
        assert caught.value.code == "document_corrupt"
        assert caught.value.details["file"] == layout.document_file(SCOPE, "a")
    assert content(root, "b") == "other"


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077, 0o777])
def test_modes_do_not_depend_on_the_umask(tmp_path: Path, mask: int) -> None:
    root = str(tmp_path / "root")
    before = os.umask(mask)
    try:
        write("a/b", "one")(open_store(root))
    finally:
        os.umask(before)
    for directory, _, names in os.walk(root):
        assert os.stat(directory).st_mode & 0o7777 == 0o700
        for name in names:
            if name != ".lock":
                assert os.stat(os.path.join(directory, name)).st_mode & 0o7777 == 0o600
    write("a/b", "two")(open_store(root, seed=2))


@pytest.mark.parametrize(
    "name", [b"with space", b"-dash", b"new\nline", b"quote'\"$(x)", b"\xff\xfe bytes", b"x" * 255]
)
def test_roots_of_any_name(tmp_path: Path, name: bytes) -> None:
    root = os.fsdecode(os.path.join(os.fsencode(tmp_path), name))
    write("a", "one")(open_store(root))
    assert content(root, "a") == "one"


def test_a_document_and_what_lies_below_it(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    for seed, path in enumerate(("a", "a/b", "a.json", "a.json/b", "a.jsonl/b", "a/b/c")):
        write(path, path)(open_store(root, seed=10 + seed))
    for path in ("a", "a/b", "a.json", "a.json/b", "a.jsonl/b", "a/b/c"):
        assert content(root, path) == path


def test_a_copy_that_holds_a_plan_recovers_by_itself(tmp_path: Path) -> None:
    import shutil

    from tests.crash.seam import Stop
    from tests.crash.trial import stopped

    root, copy = str(tmp_path / "root"), str(tmp_path / "copy")
    write("a", "one")(open_store(root))
    stopped(lambda calls: write("a", "two")(open_store(root, calls, seed=2)), Stop(8))
    shutil.copytree(root, copy)
    assert content(copy, "a") == "two"
    assert leftovers(root)
    assert content(root, "a") == "two"
    assert snapshot(copy) == snapshot(root)


def test_time_that_goes_backwards(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    write("a", "one")(open_store(root, seed=9))
    write("a", "two")(open_store(root, seed=2))
    with open_store(root).reading() as tree:
        _, row = documents.read(tree, SCOPE, "a")
    assert row is not None
    assert (row.version, row.sequence) == (2, 3)
    assert row.created_at < row.document_created_at


def test_a_directory_that_became_a_link_leads_no_write_outside(tmp_path: Path) -> None:
    root, outside = str(tmp_path / "root"), tmp_path / "outside"
    write("notes/a", "one")(open_store(root))
    notes = os.path.dirname(os.path.join(root, layout.document_file(SCOPE, "notes/a")))
    os.rename(notes, outside)
    os.symlink(outside, notes)
    before = snapshot(str(outside), everything=True)
    for path in ("notes/a", "notes/new", "notes/deep/er"):
        with pytest.raises(Failure) as caught:
            write(path, "two")(open_store(root, seed=2))
        assert caught.value.code == "document_corrupt"
    assert snapshot(str(outside), everything=True) == before
    assert leftovers(root) == []
