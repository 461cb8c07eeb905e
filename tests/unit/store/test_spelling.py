"""A file system that folds case, played by name look-ups that do."""

from __future__ import annotations

import itertools
import os
import types

import pytest

from neosian_cli.disk import calls, tree
from neosian_cli.errors import Failure
from neosian_cli.model import mount as mounts
from tests.contract.files import Files

MOUNT = mounts.make("project", "user:me")
ME = "cli:me"


def folded(name, directory):
    """The name as it is stored, whatever the case in which it is asked for."""
    if not isinstance(name, str) or directory is None:
        return name
    return next((stored for stored in os.listdir(directory) if stored.casefold() == name.casefold()), name)


class Folding(types.SimpleNamespace):
    """The module `os`, with look-ups that fold case."""

    def __getattr__(self, name):
        return getattr(os, name)

    def open(self, name, flags, mode=0o777, *, dir_fd=None):
        return os.open(folded(name, dir_fd), flags, mode, dir_fd=dir_fd)

    def stat(self, name, *, dir_fd=None, follow_symlinks=True):
        return os.stat(folded(name, dir_fd), dir_fd=dir_fd, follow_symlinks=follow_symlinks)

    def mkdir(self, name, mode=0o777, *, dir_fd=None):
        return os.mkdir(folded(name, dir_fd), mode, dir_fd=dir_fd)

    def rename(self, name, new_name, *, src_dir_fd=None, dst_dir_fd=None):
        return os.rename(
            folded(name, src_dir_fd), folded(new_name, dst_dir_fd), src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd
        )

    def unlink(self, name, *, dir_fd=None):
        return os.unlink(folded(name, dir_fd), dir_fd=dir_fd)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(tree, "os", Folding())
    monkeypatch.setattr(calls, "os", Folding())
    clock = itertools.count(1_700_000_000_000_000, 1_000_000)
    return Files(str(tmp_path / "root"), lambda: next(clock))


def clash(call, *place, **options):
    with pytest.raises(Failure) as caught:
        call(*place, **options)
    assert (caught.value.code, caught.value.details["reason"]) == ("conflict", "case_collision")
    return caught.value.details


@pytest.mark.parametrize(
    ("first", "second"),
    [("note", "Note"), ("a/note", "a/NOTE"), ("Notes/a", "notes/b"), ("a/B/c", "a/b/d"), ("x.json/y", "X.json/y")],
)
def test_a_clash_is_refused_and_nothing_is_merged(files, first, second):
    files.write(MOUNT, first, "first", actor=ME)
    clash(files.write, MOUNT, second, "second", actor=ME)
    files.write(MOUNT, "other", "x", actor=ME)
    clash(files.rename, MOUNT, "other", MOUNT, second, actor=ME)
    clash(files.view, MOUNT, second)
    assert files.view(MOUNT, first)["content"] == "first"
    assert [entry["path"] for entry in files.everything(MOUNT)] == sorted([first, "other"])
    assert len(files.history(MOUNT, first)) == 1


def test_a_history_of_another_spelling_is_not_continued(files):
    files.write(MOUNT, "note", "first", actor=ME)
    files.delete(MOUNT, "note", actor=ME)
    clash(files.write, MOUNT, "Note", "second", actor=ME)
    clash(files.view, MOUNT, "Note", version=1)
    clash(files.history, MOUNT, "Note")
    clash(files.erase, MOUNT, "Note", actor=ME, apply=True)
    assert len(files.history(MOUNT, "note")) == 2


def test_a_rename_to_another_case_is_refused(files):
    files.write(MOUNT, "note", "first", actor=ME)
    assert clash(files.rename, MOUNT, "note", MOUNT, "Note", actor=ME)["path"] == "Note"
    assert files.view(MOUNT, "note")["content"] == "first"


def test_scopes_that_differ_in_case_are_kept_apart(files):
    other = mounts.make("other", "user:Me")
    files.write(MOUNT, "note", "mine", actor=ME)
    clash(files.write, other, "note", "theirs", actor=ME)
    clash(files.write, other, "new", "theirs", actor=ME)
    assert files.view(MOUNT, "note")["content"] == "mine"


def test_where_case_counts_both_live(tmp_path):
    clock = itertools.count(1_700_000_000_000_000, 1_000_000)
    files = Files(str(tmp_path / "root"), lambda: next(clock))
    for path in ("note", "Note", "Notes/a", "notes/a"):
        files.write(MOUNT, path, path, actor=ME)
    assert [entry["path"] for entry in files.everything(MOUNT)] == ["Note", "Notes/a", "note", "notes/a"]
