from __future__ import annotations

import os
import pwd

import pytest

from neosian_cli.config import workspace
from neosian_cli.errors import Failure
from neosian_cli.model import scope


def tree(tmp_path, *names):
    folder = tmp_path.joinpath(*names)
    folder.mkdir(parents=True)
    return folder


def test_login_order():
    assert workspace.login({"LOGNAME": "ann", "USER": "bob"}) == "ann"
    assert workspace.login({"LOGNAME": "", "USER": "bob"}) == "bob"
    assert workspace.login({}) == workspace.login({"USER": pwd.getpwuid(os.getuid()).pw_name})


def test_login_keeps_the_grammar_of_a_scope():
    assert workspace.login({"LOGNAME": "CORP\\ann lee"}) == "CORP-ann-lee"
    assert workspace.login({"LOGNAME": "..", "USER": "bob"}) == "bob"
    assert len(workspace.login({"USER": "x" * 300})) == 128
    scope.check(f"user:{workspace.login({'USER': 'ä@b#1/:'})}")


def test_a_user_without_a_name_is_known_by_number(monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 5)
    assert workspace.login({}) == f"uid-{2**31 - 5}"


def test_the_project_is_the_nearest_work_tree(tmp_path):
    outer = tree(tmp_path, "outer")
    deep = tree(tmp_path, "outer", "sub", "deep")
    assert workspace.project_folder(str(deep)) == str(deep)
    (outer / ".git").mkdir()
    assert workspace.project_folder(str(deep)) == str(outer)
    assert workspace.project_folder(str(outer)) == str(outer)
    (outer / "sub" / ".git").write_text("gitdir: ../.git/modules/sub\n")
    assert workspace.project_folder(str(deep)) == str(outer / "sub")


@pytest.mark.parametrize("kind", ["fifo", "dangling"])
def test_only_a_file_or_a_directory_marks_a_work_tree(tmp_path, kind):
    deep = tree(tmp_path, "outer", "deep")
    mark = tmp_path / "outer" / ".git"
    if kind == "fifo":
        os.mkfifo(mark)
    else:
        mark.symlink_to("nowhere")
    assert workspace.project_folder(str(deep)) == str(deep)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("erp", "erp"),
        ("My Project!", "My-Project"),
        (".dotted.", "dotted"),
        ("--a--b--", "a--b"),
        ("über", "ber"),
        ("a\nb", "a-b"),
        ("x" * 200, "x" * 128),
        ("x" * 127 + ".y", "x" * 127),
    ],
)
def test_slug(tmp_path, name, expected):
    assert workspace.slug(str(tree(tmp_path, name))) == expected


def test_a_name_of_bytes_that_are_not_text(tmp_path):
    folder = os.fsencode(str(tmp_path)) + b"/caf\xe9x"
    os.mkdir(folder)
    assert workspace.slug(os.fsdecode(folder)) == "caf-x"


@pytest.mark.parametrize("folder", ["/", "/日本", "/-", "/..."])
def test_nothing_left_of_a_name_is_refused(folder, monkeypatch):
    monkeypatch.setattr(workspace, "project_folder", lambda folder: folder)
    with pytest.raises(Failure, match="no name for a project") as caught:
        workspace.slug(folder)
    assert caught.value.code == "invalid_argument"
    assert "--scope" in caught.value.hint


def test_default_mounts(tmp_path):
    user, project = workspace.default_mounts("ann", str(tree(tmp_path, "erp")))
    assert (user.root, user.scope, user.mode) == ("/user", "user:ann", "rw")
    assert (project.root, project.scope, project.mode) == ("/project", "user:ann/proj:erp", "rw")
