"""Names at the edge, through the command: roots that a shell would trip over, the longest paths and scopes."""

from __future__ import annotations

import json
import os

import pytest

from tests.cli.process import NEOSIAN, call

LONGEST = "/".join(["a" * 127] * 4)
"""Four segments and three slashes: 511 characters; one more letter makes 512."""


@pytest.mark.parametrize("name", ["with blanks", "two\nlines", "-dash", "--json", "käse", b"\xff\xfe"], ids=repr)
def test_a_root_of_any_name(tmp_path, name):
    root = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
    where = (b"--root=" + root, "--scope", "user:me")
    done = call(NEOSIAN, "memory", "write", "/memories/a", "--content", "x", *where)
    assert done.returncode == 0, done.stderr
    assert os.path.exists(os.path.join(root, b"store.json"))
    page = call(NEOSIAN, "changes", "read", "--json", *where)
    assert (page.returncode, len(json.loads(page.stdout)["events"])) == (0, 2)
    found = json.loads(call(NEOSIAN, "status", "--json", *where).stdout)
    assert found["mounts"][0]["documents"] == 1
    shown = call(NEOSIAN, "status", *where).stdout.decode()
    assert "two\nlines" not in shown


def test_paths_and_scopes_up_to_their_limits(tmp_path):
    scope = "/".join(["user:" + "m" * 122] * 4)
    where = ("--root", str(tmp_path / "store"), "--scope", scope)
    path = LONGEST + "b"
    assert (len(scope), len(path)) == (511, 512)
    done = call(NEOSIAN, "memory", "write", f"/memories/{path}", "--content", "x", *where)
    assert done.returncode == 0, done.stderr
    assert call(NEOSIAN, "memory", "view", f"/memories/{path}", *where).stdout == b"x"
    assert call(NEOSIAN, "verify", *where[:2]).returncode == 0
    for wrong in (path + "b", "a" * 129, "/".join(["a"] * 17), "a//b", "a/../b", "a b", "ä"):
        done = call(NEOSIAN, "memory", "write", f"/memories/{wrong}", "--content", "x", "--json", *where)
        assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (2, "invalid_argument"), wrong


def test_a_document_beside_one_that_is_named_like_its_file(tmp_path):
    where = ("--root", str(tmp_path / "store"), "--scope", "user:me")
    paths = ["x", "x.json", "x.json/y", "x.json/y.jsonl", "x.jsonl/z", "x/x"]
    for path in paths:
        done = call(NEOSIAN, "memory", "write", f"/memories/{path}", "--content", path, *where)
        assert done.returncode == 0, done.stderr
    for path in paths:
        assert call(NEOSIAN, "memory", "view", f"/memories/{path}", *where).stdout == path.encode()
    listed = json.loads(call(NEOSIAN, "memory", "list", "--json", *where).stdout)
    assert [entry["path"] for entry in listed["entries"]] == sorted(paths)
    assert call(NEOSIAN, "verify", *where[:2]).returncode == 0
