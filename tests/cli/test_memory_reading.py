"""list, view, versions, diff and erase through the command, and what their results look like."""

from __future__ import annotations

import json

import jsonschema
import pytest

from neosian_cli.commands import groups
from neosian_cli.commands.interface import result
from tests.cli.process import NEOSIAN, environment, on_terminal
from tests.cli.workspace import Workspace

SCOPE = "user:ann/proj:erp"


@pytest.fixture
def at(tmp_path):
    return Workspace(tmp_path)


def terminal(at, *words, width=80, **variables):
    """What the command writes to a terminal of that many columns, both streams together."""
    env = environment(HOME=str(at.folder), NEOSIAN_HOME=str(at.home), LOGNAME="ann", **variables)
    return on_terminal([*NEOSIAN, *words], width=width, cwd=at.work, env=env)[0]


class TestList:
    def test_keys_order_and_pages(self, at):
        for path in ("a", "a-b", "a/b", "z"):
            at.memory("write", f"/project/{path}", "--content", "ü")
        page = at.memory("list", "/project", "--limit", "3")
        assert list(page) == ["scope", "mount", "entries", "next_cursor", "unreadable"]
        assert (page["scope"], page["mount"], page["unreadable"]) == (SCOPE, "/project", [])
        assert list(page["entries"][0]) == [
            "path",
            "mounted_path",
            "version",
            "created_at",
            "updated_at",
            "actor",
            "erased",
            "bytes",
        ]
        assert [entry["path"] for entry in page["entries"]] == ["a", "a-b", "a/b"]
        assert page["entries"][0]["bytes"] == 2
        rest = at.memory("list", "/project", "--limit", "3", "--cursor", page["next_cursor"])
        assert [entry["mounted_path"] for entry in rest["entries"]] == ["/project/z"]
        assert rest["next_cursor"] is None

    def test_paths_and_prefixes(self, at):
        for path in ("a", "notes", "notes/x", "notes-2"):
            at.memory("write", f"/project/{path}", "--content", "x")
        paths = lambda *words: [entry["path"] for entry in at.memory("list", *words)["entries"]]
        assert paths("/project/notes") == paths("/project/notes/") == ["notes", "notes/x"]
        assert paths("/project/", "--prefix", "notes") == ["notes", "notes-2", "notes/x"]
        assert paths("/project/nothing") == []
        assert paths("--scope", SCOPE) == ["a", "notes", "notes-2", "notes/x"]
        assert at.error("list")["code"] == "invalid_argument"
        assert at.error("list", "/project/b ad")["exit_status"] == 2

    def test_json_lines(self, at):
        at.fill(a="x", b="y")
        done = at.run("memory", "list", "/project", "--jsonl", "--limit", "1")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["type"] for line in lines] == ["document", "page"]
        assert lines[0]["path"] == "a"
        assert list(lines[1]) == ["type", "scope", "mount", "next_cursor", "unreadable"]

    @pytest.mark.parametrize("cursor", ["", "x", "n1_AAAA", "l1_AAAA"])
    def test_cursors_that_are_none(self, at, cursor):
        error = at.error("list", "/project", "--cursor", cursor)
        assert (error["code"], error["exit_status"]) == ("invalid_cursor", 2)
        assert error["details"]["reason"] == "malformed"

    def test_a_cursor_of_another_scope(self, at):
        at.fill(a="x", b="y")
        cursor = at.memory("list", "/project", "--limit", "1")["next_cursor"]
        assert at.error("list", "/user", "--cursor", cursor)["details"]["reason"] == "scope"
        assert at.error("versions", "/project/a", "--cursor", cursor)["details"]["reason"] == "scope"

    @pytest.mark.parametrize("limit", ["0", "501", "x", ""])
    def test_limits_that_are_none(self, at, limit):
        assert at.error("list", "/project", "--limit", limit)["exit_status"] == 2

    def test_rows_for_a_pipe(self, at):
        at.fill(a="x")
        status, out, err = at.told("list", "/project")
        assert (status, err) == (0, "")
        cells = out.removesuffix("\n").split("\t")
        assert (cells[0], cells[1], cells[3], cells[4]) == ("/project/a", "1", "1", "cli:ann")
        at.fill(b="x")
        _, out, err = at.told("list", "/project", "--limit", "1")
        assert "--cursor l1_" in err
        assert at.told("list", "/user") == (0, "", "neosian: no documents here in /user\n")

    def test_damage_stands_beside_the_rest(self, at):
        at.fill(a="x", b="y", c="z")
        (at.root / "scopes/user%3Aann/proj%3Aerp/documents/b.json").write_text("no")
        page = at.memory("list", "/project")
        assert [entry["path"] for entry in page["entries"]] == ["a", "c"]
        assert [(bad["path"], bad["code"]) for bad in page["unreadable"]] == [("b", "document_corrupt")]
        status, out, err = at.told("list", "/project")
        assert (status, out.count("\n")) == (0, 2)
        assert "unreadable: b (document_corrupt)" in err
        assert "hint: neosian verify" in err
        assert at.error("view", "/project/b")["exit_status"] == 9
        assert at.error("write", "/project/b", "--content", "x")["exit_status"] == 9


class TestView:
    def test_keys(self, at):
        at.memory("write", "/project/a", "--content", "x", "--extra", "k=v")
        shown = at.memory("view", "/project/a")
        assert list(shown) == [
            "scope",
            "path",
            "mounted_path",
            "version",
            "created_at",
            "updated_at",
            "actor",
            "erased",
            "content",
            "extra",
        ]
        assert shown["created_at"] == shown["updated_at"]

    def test_versions(self, at):
        at.fill(a="one")
        at.fill(a="two")
        at.memory("delete", "/project/a")
        assert at.memory("view", "/project/a", "--version", "1")["content"] == "one"
        assert at.memory("view", "/project/a", "--version", "2")["version"] == 2
        for version, status in (("3", 5), ("4", 5), ("0", 2), ("-1", 2), ("x", 2)):
            assert at.error("view", "/project/a", "--version", version)["exit_status"] == status
        assert at.error("view", "/project/a")["details"]["deleted_version"] == 3
        assert at.error("view", "/project/none", "--version", "1")["exit_status"] == 5

    @pytest.mark.parametrize(
        ("lines", "shown", "content"),
        [
            ("2:3", "2\tb\n3\tc\n", "b\nc\n"),
            (":1", "1\ta\n", "a\n"),
            ("3:", "3\tc\n4\td\n", "c\nd"),
            ("4:99", "4\td\n", "d"),
            ("9:", "", ""),
        ],
    )
    def test_lines(self, at, lines, shown, content):
        at.fill(a="a\nb\nc\nd")
        assert at.told("view", "/project/a", "--lines", lines) == (0, shown, "")
        assert at.memory("view", "/project/a", "--lines", lines)["content"] == content

    @pytest.mark.parametrize("lines", ["0:1", "3:2", "2", "a:b", "", "1:2:3"])
    def test_lines_that_are_none(self, at, lines):
        assert at.error("view", "/project/a", "--lines", lines)["code"] == "invalid_argument"

    def test_a_terminal_is_not_controlled(self, at):
        at.memory("write", "/project/a", "--content", "-", stdin="one\ttwo\r\n\x1b[2J\x9b31m\x07ü\u202e\n".encode())
        shown = terminal(at, "memory", "view", "/project/a")
        assert shown == "one\ttwo\\r\n\\x1b[2J\\x9b31m\\x07ü\\u202e\n"
        for words in (("versions", "/project/a", "--bodies"), ("diff", "/project/a")):
            told = terminal(at, "memory", *words, NO_COLOR="1")
            assert "\\x1b[2J" in told
            assert "\x1b" not in told
        piped = at.told("versions", "/project/a", "--bodies")[1]
        assert "\x1b" not in piped
        assert piped.count("\n") == 1


class TestVersions:
    def test_pages_newest_first(self, at):
        for number in range(5):
            at.fill(a=str(number))
        page = at.memory("versions", "/project/a", "--limit", "2")
        assert list(page) == ["scope", "path", "versions", "next_cursor"]
        assert list(page["versions"][0]) == ["version", "action", "actor", "created_at", "erased"]
        assert [row["version"] for row in page["versions"]] == [5, 4]
        at.fill(a="more")
        rest = at.memory("versions", "/project/a", "--limit", "3", "--cursor", page["next_cursor"])
        assert [row["version"] for row in rest["versions"]] == [3, 2, 1]
        assert rest["next_cursor"] is None

    def test_bodies_and_lines(self, at):
        at.fill(a="one\n")
        at.memory("delete", "/project/a")
        rows = at.memory("versions", "/project/a", "--bodies")["versions"]
        assert [(row["action"], row["content"], row["extra"]) for row in rows] == [
            ("deleted", "", {}),
            ("created", "one\n", {}),
        ]
        done = at.run("memory", "versions", "/project/a", "--jsonl")
        assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["version", "version", "page"]
        assert at.told("versions", "/project/a", "--bodies")[1].splitlines()[1].endswith("\tcli:ann\tone\\n")
        assert at.error("versions", "/project/none")["exit_status"] == 5


class TestDiff:
    def test_defaults_and_ends(self, at):
        at.fill(a="one\n")
        at.fill(a="two\n")
        shown = at.memory("diff", "/project/a")
        assert list(shown) == ["path", "from", "to", "diff"]
        assert (shown["path"], shown["from"], shown["to"]) == ("a", 1, 2)
        assert shown["diff"].endswith("@@ -1 +1 @@\n-one\n+two\n")
        assert at.run("memory", "diff", "/project/a").stdout.decode() == shown["diff"]
        at.memory("delete", "/project/a")
        assert at.memory("diff", "/project/a")["diff"].endswith("-two\n")
        assert at.memory("diff", "/project/a", "--from", "1")["to"] == 3
        assert at.memory("diff", "/project/a", "--to", "2")["from"] == 1
        assert at.memory("diff", "/project/a", "--to", "1")["diff"].endswith("+one\n")
        assert at.memory("diff", "/project/a", "--from", "2", "--to", "1")["diff"].endswith("-two\n+one\n")
        assert at.memory("diff", "/project/a", "--from", "1", "--to", "1")["diff"] == ""
        status, out, err = at.told("diff", "/project/a", "--from", "1", "--to", "1")
        assert (status, out, err) == (0, "", "neosian: versions 1 and 1 have the same body\n")

    def test_what_is_missing(self, at):
        at.fill(a="one\n")
        assert at.error("diff", "/project/none")["exit_status"] == 5
        assert at.error("diff", "/project/a", "--to", "2")["exit_status"] == 5
        assert at.error("diff", "/project/a", "--from", "9")["exit_status"] == 5
        assert at.error("diff", "/project/a", "--from", "x")["exit_status"] == 2


class TestErase:
    def test_looks_first(self, at):
        at.fill(a="one")
        at.fill(a="two")
        assert at.memory("erase", "/project/a") == {
            "scope": SCOPE,
            "path": "a",
            "documents": 1,
            "versions": 2,
            "applied": False,
        }
        status, out, err = at.told("erase", "/project/a")
        assert (status, out) == (0, "would erase 1 document and 2 versions of /project/a\n")
        assert "--write" in err
        assert at.memory("view", "/project/a")["content"] == "two"
        assert at.told("erase", "/project/a", "--write", "-q")[1] == "erased 1 document and 2 versions of /project/a\n"
        assert at.memory("erase", "/project/a", "--write")["versions"] == 0
        assert at.told("view", "/project/a")[1:] == ("", "neosian: version 2 of /project/a was erased\n")
        assert all(row["erased"] for row in at.memory("versions", "/project/a")["versions"])

    def test_a_scope_needs_consent(self, at):
        at.fill(a="one", b="two")
        error = at.error("erase", "/project", "--write")
        assert (error["code"], error["hint"]) == ("invalid_argument", "neosian memory erase /project --all")
        assert at.error("erase", "/project/a", "--all")["exit_status"] == 2
        assert at.memory("erase", "/project", "--all")["applied"] is False
        made = at.memory("erase", "/project", "--all", "--write")
        assert (made["path"], made["documents"], made["versions"]) == (None, 2, 2)
        assert [entry["erased"] for entry in at.memory("list", "/project")["entries"]] == [True, True]


def test_results_keep_their_schemas(at):
    verbs = {verb.name: verb for entry in groups.ENTRIES if entry.name == "memory" for verb in entry.verbs}
    calls = (
        ("write", "/project/a", "--content", "one\n", "--extra", "k=v"),
        ("replace", "/project/a", "--old", "one", "--new", "two"),
        ("insert", "/project/a", "--line", "0", "--text", "top"),
        ("view", "/project/a"),
        ("view", "/project/a", "--lines", "1:1"),
        ("list", "/project", "--limit", "1"),
        ("versions", "/project/a", "--limit", "1"),
        ("versions", "/project/a", "--bodies"),
        ("diff", "/project/a"),
        ("revert", "/project/a", "--version", "3"),
        ("rename", "/project/a", "/project/b"),
        ("erase", "/project/b"),
        ("erase", "/project", "--all", "--write"),
        ("delete", "/project/b"),
    )
    assert {call[0] for call in calls} == set(verbs)
    for call in calls:
        shape = result(verbs[call[0]])
        jsonschema.Draft202012Validator.check_schema(shape)
        value = at.memory(*call)
        jsonschema.validate(value, shape)
        assert list(value)[: len(shape["required"])] == shape["required"]


def test_tables_fit_their_terminal(at):
    for path in ("a", "notes/a-rather-long-name-of-a-document-that-goes-on"):
        at.memory("write", f"/project/{path}", "--content", "x")
    for width in (40, 80, 140):
        for words in (("list", "/project"), ("versions", "/project/a")):
            shown = terminal(at, "memory", *words, width=width, NO_COLOR="1")
            assert max(map(len, shown.splitlines())) <= width
            assert "actor" in shown


def test_reading_needs_no_writable_root(at):
    at.fill(a="x")
    before = {path: path.stat().st_mtime_ns for path in at.root.rglob("*")}
    for words in (("list", "/project"), ("view", "/project/a"), ("versions", "/project/a"), ("erase", "/project/a")):
        at.memory(*words)
    assert {path: path.stat().st_mtime_ns for path in at.root.rglob("*")} == before
