"""write, replace, insert, delete, rename and revert through the command: options, results, errors."""

from __future__ import annotations

import json

import pytest

from tests.cli.workspace import Workspace

SCOPE = "user:ann/proj:erp"


@pytest.fixture
def at(tmp_path):
    return Workspace(tmp_path)


def test_results_have_their_keys_in_order(at):
    assert list(at.memory("write", "/project/a", "--content", "one\n").items()) == [
        ("scope", SCOPE),
        ("path", "a"),
        ("mounted_path", "/project/a"),
        ("version", 1),
        ("action", "created"),
    ]
    assert at.memory("write", "/project/a", "--content", "two\n")["action"] == "modified"
    assert at.memory("replace", "/project/a", "--old", "two", "--new", "")["version"] == 3
    assert at.memory("insert", "/project/a", "--line", "0", "--text", "top")["action"] == "modified"
    assert at.memory("revert", "/project/a", "--version", "4")["action"] == "modified"
    assert list(at.memory("rename", "/project/a", "/project/b").items()) == [
        ("scope", SCOPE),
        ("path", "b"),
        ("mounted_path", "/project/b"),
        ("version", 1),
        ("previous_path", "a"),
        ("previous_version", 6),
        ("action", "renamed"),
    ]
    assert at.memory("delete", "/project/b")["action"] == "deleted"
    assert at.memory("revert", "/project/b", "--version", "2")["action"] == "created"
    assert at.memory("revert", "/project/b", "--version", "3")["action"] == "deleted"


def test_other_names_of_the_verbs(at):
    at.memory("create", "/project/a", "--content", "one")
    at.memory("str_replace", "/project/a", "--old", "one", "--new", "two")
    at.memory("str-replace", "/project/a", "--old", "two", "--new", "three")
    assert at.memory("redact", "/project/a", "--write")["versions"] == 3


@pytest.mark.parametrize(
    "body",
    [b"", b"\r\n", b"a\r\nb", b"\0", b'{"a":1}', b"-", b"@", "ü😀".encode(), b"\x1b[31m", b"\xef\xbb\xbfbom", b"\n\n"],
)
def test_bodies_from_stdin_and_files_come_back_byte_for_byte(at, body):
    at.memory("write", "/project/a", "--content", "-", stdin=body)
    assert at.run("memory", "view", "/project/a").stdout == body
    (at.work / "body").write_bytes(body)
    at.memory("write", "/project/b", "--content", "@body")
    assert at.run("memory", "view", "/project/b").stdout == body
    assert at.memory("view", "/project/b")["content"].encode() == body


def test_a_text_that_begins_with_an_at_sign(at):
    at.memory("write", "/project/a", "--content", "@@body")
    assert at.memory("view", "/project/a")["content"] == "@body"
    at.memory("replace", "/project/a", "--old", "@@body", "--new", "-", stdin=b"new")
    assert at.memory("view", "/project/a")["content"] == "new"
    at.memory("insert", "/project/a", "--line=1", "--text=--x")
    assert at.memory("view", "/project/a")["content"] == "new\n--x\n"


def test_fifty_megabytes(at):
    body = (b"0123456789abcde\n" * 65536) * 50
    at.memory("write", "/project/a", "--content", "-", stdin=body)
    assert at.run("memory", "view", "/project/a").stdout == body
    assert at.memory("list", "/project")["entries"][0]["bytes"] == len(body)
    assert at.memory("insert", "/project/a", "--line", "0", "--text", "top")["version"] == 2
    assert at.memory("erase", "/project/a", "--write")["versions"] == 2
    assert sum(file.stat().st_size for file in at.root.rglob("*") if file.is_file()) < 10_000


@pytest.mark.parametrize("option", ["content", "extra"])
def test_bytes_that_are_not_utf8_are_refused(at, option):
    words = {"content": (), "extra": ("--content", "x")}[option]
    value = {"content": b"\xff", "extra": b"k=\xff"}[option]
    assert at.error("write", "/project/a", f"--{option}", value, *words)["exit_status"] == 2
    assert at.error("write", "/project/a", "--content", "-", stdin=b"ok \xff")["code"] == "invalid_argument"
    assert not at.root.exists()


def test_two_dashes_are_refused(at):
    at.fill(a="x")
    assert at.error("replace", "/project/a", "--old", "-", "--new", "-", stdin=b"x")["exit_status"] == 2


def test_extra(at):
    at.memory("write", "/project/a", "--content", "x", "--extra", "k=v=w", "--extra", "empty=")
    assert at.memory("view", "/project/a")["extra"] == {"k": "v=w", "empty": ""}
    at.memory("write", "/project/a", "--content", "y")
    assert at.memory("view", "/project/a")["extra"] == {"k": "v=w", "empty": ""}
    at.memory("write", "/project/a", "--content", "z", "--extra", "n=1")
    assert at.memory("view", "/project/a")["extra"] == {"n": "1"}
    for wrong in (("novalue",), ("=v",), ("k=1", "k=2")):
        pairs = [word for pair in wrong for word in ("--extra", pair)]
        assert at.error("write", "/project/a", "--content", "x", *pairs)["code"] == "invalid_argument"
    assert at.memory("view", "/project/a")["version"] == 3


def test_if_version(at):
    at.fill(a="x\n")
    for words in (
        ("write", "/project/a", "--content", "y"),
        ("replace", "/project/a", "--old", "x", "--new", "y"),
        ("insert", "/project/a", "--line", "0", "--text", "y"),
        ("delete", "/project/a"),
        ("rename", "/project/a", "/project/b"),
    ):
        for version in ("0", "2"):
            error = at.error(*words, "--if-version", version)
            assert (error["code"], error["exit_status"]) == ("conflict", 4)
            assert error["details"]["reason"] == "version_mismatch"
            assert error["details"]["actual"] == 1
            assert error["hint"].startswith("neosian memory ")
        assert at.error(*words, "--if-version", "-1")["code"] == "invalid_argument"
        missing = (words[0], "/project/none", *words[2:])
        if words[0] != "write":
            assert at.error(*missing)["exit_status"] == 5
            assert at.error(*missing, "--if-version", "0")["exit_status"] == 5
        error = at.error(*missing, "--if-version", "3")
        assert (error["exit_status"], error["details"]["actual"]) == (4, 0)
    assert at.memory("write", "/project/a", "--content", "y", "--if-version", "1")["version"] == 2
    assert at.memory("write", "/project/c", "--content", "y", "--if-version", "0")["version"] == 1


def test_conflicts_say_what_to_do(at):
    at.fill(a="one\ntwo one\n", b="x")
    status, out, err = at.told("write", "/project/a", "--content", "z", "--if-version", "7")
    assert (status, out) == (4, "")
    assert err == (
        "neosian: /project/a is at version 1, not 7\n"
        "hint: neosian memory view /project/a; then try again with --if-version 1\n"
    )
    status, _, err = at.told("replace", "/project/a", "--old", "one", "--new", "1")
    assert status == 4
    assert "occurs 2 times in /project/a, on lines 1, 2" in err
    assert at.error("replace", "/project/a", "--old", "one", "--new", "1")["details"] == {
        "reason": "several_matches",
        "path": "a",
        "count": 2,
        "lines": [1, 2],
    }
    assert at.error("replace", "/project/a", "--old", "ten", "--new", "1")["details"]["count"] == 0
    assert at.error("replace", "/project/a", "--old", "", "--new", "1")["exit_status"] == 2
    error = at.error("insert", "/project/a", "--line", "3", "--text", "x")
    assert error["details"] == {"reason": "line_out_of_range", "path": "a", "line": 3, "lines": 2}
    assert at.error("insert", "/project/a", "--line", "-1", "--text", "x")["exit_status"] == 2
    error = at.error("rename", "/project/a", "/project/b")
    assert error["details"]["reason"] == "exists"
    assert at.error("rename", "/project/a", "/project/a")["details"]["reason"] == "exists"
    assert at.error("revert", "/project/a", "--version", "2")["exit_status"] == 5
    at.memory("write", "/project/a", "--content", "z")
    assert at.error("revert", "/project/a", "--version", "1")["details"]["reason"] == "revert_stale"
    at.memory("erase", "/project/a", "--write")
    assert at.error("revert", "/project/a", "--version", "2")["details"]["reason"] == "erased"


def test_a_rename_stays_in_its_mount(at):
    at.fill(a="x")
    error = at.error("rename", "/project/a", "/user/a")
    assert (error["code"], error["exit_status"]) == ("unsupported", 7)
    assert "neosian memory write /user/a" in error["hint"]
    assert at.error("rename", "/user/none", "/project/a")["exit_status"] == 7
    assert at.memory("list", "/user")["entries"] == []


@pytest.mark.parametrize("path", ["messages", "messages/x", "message-links/y"])
def test_reserved_paths(at, path):
    for words in (
        ("write", f"/project/{path}", "--content", "x"),
        ("replace", f"/project/{path}", "--old", "x", "--new", "y"),
        ("insert", f"/project/{path}", "--line", "0", "--text", "y"),
        ("delete", f"/project/{path}"),
        ("rename", f"/project/{path}", "/project/b"),
        ("revert", f"/project/{path}", "--version", "1"),
    ):
        assert at.error(*words)["code"] == "reserved_path"
    at.fill(a="x")
    assert at.error("rename", "/project/a", f"/project/{path}")["code"] == "reserved_path"
    assert at.error("view", f"/project/{path}")["exit_status"] == 5
    assert at.error("versions", f"/project/{path}")["exit_status"] == 5
    assert at.memory("erase", f"/project/{path}")["versions"] == 0


def test_modes_of_mounts(at):
    at.fill(a="x\n")
    ro = ("--mount", f"scope={SCOPE},path=m,ro")
    eo = ("--mount", f"scope={SCOPE},path=m,eo")
    for words in (
        ("write", "/m/a", "--content", "y"),
        ("replace", "/m/a", "--old", "x", "--new", "y"),
        ("insert", "/m/a", "--line", "0", "--text", "y"),
        ("delete", "/m/a"),
        ("rename", "/m/a", "/m/b"),
        ("revert", "/m/a", "--version", "1"),
        ("erase", "/m/a"),
        ("erase", "/m", "--all", "--write"),
    ):
        assert at.error(*words, *ro)["code"] == "read_only"
    for words in (
        ("write", "/m/new", "--content", "y"),
        ("delete", "/m/a"),
        ("rename", "/m/a", "/m/b"),
        ("revert", "/m/a", "--version", "1"),
    ):
        assert at.error(*words, *eo)["code"] == "edit_only"
    assert at.memory("insert", "/m/a", "--line", "0", "--text", "y", *eo)["version"] == 2
    assert at.memory("revert", "/m/a", "--version", "2", *eo)["version"] == 3
    assert at.memory("erase", "/m/a", "--write", *eo)["versions"] == 3


def test_the_actor_is_recorded(at):
    at.memory("write", "/project/a", "--content", "x")
    at.memory("write", "/project/a", "--content", "x", "--actor", "my-bot:1/run:7#12")
    at.memory("write", "/project/a", "--content", "x", NEOSIAN_ACTOR="ci:main")
    actors = [row["actor"] for row in at.memory("versions", "/project/a")["versions"]]
    assert actors == ["ci:main", "my-bot:1/run:7#12", "cli:ann"]


@pytest.mark.parametrize(
    "path",
    [
        "a", "/project", "/project/", "/project/a/", "/project//a", "/project/../a", "/project/.", "/nowhere/a",
        "/project/a b", "/project/" + "x" * 129, "/project/" + "/".join("x" * 17), "/project/ü",
    ],
)  # fmt: skip
def test_paths_that_are_none(at, path):
    assert at.error("write", path, "--content", "x")["exit_status"] == 2
    assert at.error("view", path)["exit_status"] == 2
    assert not at.root.exists()


def test_the_longest_path(at):
    path = "/".join(["x" * 31] * 16)
    assert len(path) == 511
    at.memory("write", f"/project/{path}", "--content", "deep")
    assert at.memory("view", f"/project/{path}")["content"] == "deep"
    assert at.memory("list", "/project")["entries"][0]["path"] == path
    assert at.error("write", f"/project/{path}xx", "--content", "deep")["exit_status"] == 2


def test_what_is_missing_leaves_no_root_behind(at):
    for words in (
        ("replace", "/project/a", "--old", "x", "--new", "y"),
        ("insert", "/project/a", "--line", "0", "--text", "y"),
        ("delete", "/project/a"),
        ("rename", "/project/a", "/project/b"),
        ("revert", "/project/a", "--version", "1"),
        ("view", "/project/a"),
        ("versions", "/project/a"),
        ("diff", "/project/a"),
    ):
        assert at.error(*words)["exit_status"] == 5
    assert at.error("write", "/project/a", "--content", "x", "--if-version", "1")["exit_status"] == 4
    assert at.memory("erase", "/project", "--all", "--write")["versions"] == 0
    assert at.memory("list", "/project")["entries"] == []
    assert not at.root.exists()


def test_lines_for_people(at):
    assert at.told("write", "/project/a", "--content", "x") == (0, "created /project/a, version 1\n", "")
    assert at.told("rename", "/project/a", "/project/b")[1] == "renamed /project/a to /project/b, version 1\n"
    status, out, err = at.told("delete", "/project/b")
    assert (status, out) == (0, "deleted /project/b, version 2\n")
    assert err == "hint: to bring it back: neosian memory revert /project/b --version 2\n"
    assert at.told("revert", "/project/b", "--version", "2", "-q") == (0, "created /project/b, version 3\n", "")


def test_errors_of_usage_are_json_too(at):
    assert at.error("write", "/project/a")["code"] == "usage"
    assert at.error("revert", "/project/a")["code"] == "usage"
    assert at.error("write", "/project/a", "--contents", "x")["code"] == "usage"
    assert json.loads(at.run("memory", "wrte", "--json").stderr)["error"]["code"] == "usage"
