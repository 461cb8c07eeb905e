"""The contract of the memory verbs, kept by the files and by the model that is their oracle."""

from __future__ import annotations

import itertools

import pytest

from neosian_cli.errors import Failure
from neosian_cli.model import mount as mounts
from tests.contract.documents_model import Model
from tests.contract.files import Files

RW = mounts.make("project", "user:me/proj:erp")
RO = mounts.make("frozen", "user:me/proj:erp", "ro")
EO = mounts.make("edits", "user:me/proj:erp", "eo")
OTHER = mounts.make("user", "user:me")
ME = "cli:me"


@pytest.fixture(params=["files", "model"])
def state(request, tmp_path):
    clock = itertools.count(1_700_000_000_000_000, 1_000_000)
    now = lambda: next(clock)
    return Files(str(tmp_path / "root"), now) if request.param == "files" else Model(now)


def refused(call, *place, **options):
    """Code, reason and details of the failure."""
    with pytest.raises(Failure) as caught:
        call(*place, **options)
    return caught.value.code, caught.value.details.get("reason"), caught.value.details


def kinds(state, mount=RW):
    return [event["kind"].removeprefix("state.") for event in state.feed(mount)]


def test_write_creates_then_modifies(state):
    assert state.write(RW, "a", "one", actor=ME) == {
        "scope": RW.scope,
        "path": "a",
        "mounted_path": "/project/a",
        "version": 1,
        "action": "created",
    }
    assert state.write(RW, "a", "two", actor="bot:x")["action"] == "modified"
    shown = state.view(RW, "a")
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
    assert (shown["version"], shown["content"], shown["actor"], shown["erased"]) == (2, "two", "bot:x", False)
    assert shown["created_at"] < shown["updated_at"]
    assert state.feed(RW) == [
        {"kind": "state.scope_reset", "reason": "tracking_started"},
        {"kind": "state.document_created", "path": "a", "version": 1},
        {"kind": "state.document_modified", "path": "a", "version": 2},
    ]


def test_an_identical_overwrite_is_a_version_and_an_event(state):
    state.write(RW, "a", "same", actor=ME)
    assert state.write(RW, "a", "same", actor=ME)["version"] == 2
    assert kinds(state) == ["scope_reset", "document_created", "document_modified"]


@pytest.mark.parametrize(
    "content",
    ["", "\r\n", "a\r\nb\r\n", "\0", "no newline", '{"format":2}', "\u2028\x1b[31m", "ünï\n😀", "\ufeffbom", "\ud7ff"],
)
def test_bodies_come_back_as_they_were(state, content):
    state.write(RW, "a", content, actor=ME)
    assert state.view(RW, "a")["content"] == content
    assert state.view(RW, "a", version=1)["content"] == content
    assert state.everything(RW)[0]["bytes"] == len(content.encode())


def test_extra_is_kept_until_it_is_given_anew(state):
    state.write(RW, "a", "1", actor=ME, extra={"k": "v", "deep": {"list": [1, None, True, 1.5]}})
    state.write(RW, "a", "2", actor=ME)
    assert state.view(RW, "a")["extra"] == {"k": "v", "deep": {"list": [1, None, True, 1.5]}}
    state.replace(RW, "a", "2", "3", actor=ME)
    assert state.view(RW, "a")["extra"]["k"] == "v"
    state.write(RW, "a", "4", actor=ME, extra={"other": "x"})
    assert state.view(RW, "a")["extra"] == {"other": "x"}
    state.delete(RW, "a", actor=ME)
    state.write(RW, "a", "5", actor=ME)
    assert state.view(RW, "a")["extra"] == {}


@pytest.mark.parametrize(("given", "actual"), [(0, 2), (1, 2), (3, 2)])
def test_if_version_must_be_the_version(state, given, actual):
    state.write(RW, "a", "x\n", actor=ME)
    state.write(RW, "a", "y\n", actor=ME)
    for call in (
        lambda: state.write(RW, "a", "z", actor=ME, if_version=given),
        lambda: state.replace(RW, "a", "y", "z", actor=ME, if_version=given),
        lambda: state.insert(RW, "a", 0, "z", actor=ME, if_version=given),
        lambda: state.delete(RW, "a", actor=ME, if_version=given),
        lambda: state.rename(RW, "a", RW, "b", actor=ME, if_version=given),
    ):
        code, reason, details = refused(call)
        assert (code, reason, details["actual"]) == ("conflict", "version_mismatch", actual)
    assert len(state.history(RW, "a")) == 2
    assert state.write(RW, "a", "z", actor=ME, if_version=2)["version"] == 3


def test_if_version_zero_creates_and_recreates(state):
    assert state.write(RW, "a", "x", actor=ME, if_version=0)["version"] == 1
    state.delete(RW, "a", actor=ME, if_version=1)
    assert refused(state.write, RW, "a", "y", actor=ME, if_version=2)[2]["actual"] == 0
    made = state.write(RW, "a", "y", actor=ME, if_version=0)
    assert (made["version"], made["action"]) == (3, "created")


@pytest.mark.parametrize("deleted", [False, True])
def test_a_missing_path_is_not_found_and_at_version_0(state, deleted):
    if deleted:
        state.write(RW, "a", "x", actor=ME)
        state.delete(RW, "a", actor=ME)
    before = kinds(state)
    for call in (
        lambda **more: state.replace(RW, "a", "y", "z", actor=ME, **more),
        lambda **more: state.insert(RW, "a", 0, "z", actor=ME, **more),
        lambda **more: state.delete(RW, "a", actor=ME, **more),
        lambda **more: state.rename(RW, "a", RW, "b", actor=ME, **more),
        lambda **more: state.rename(RW, "a", RW, "a", actor=ME, **more),
    ):
        assert refused(call)[0] == "not_found"
        assert refused(call, if_version=0)[0] == "not_found"
        code, reason, details = refused(call, if_version=2)
        assert (code, reason, details["actual"]) == ("conflict", "version_mismatch", 0)
    assert refused(state.view, RW, "a")[0] == "not_found"
    assert kinds(state) == before


@pytest.mark.parametrize(
    ("content", "old", "count", "lines"),
    [
        ("abc", "x", 0, []),
        ("aXbX", "X", 2, [1, 1]),
        ("aaa", "aa", 2, [1, 1]),
        ("aa\naa\n\naa", "aa", 3, [1, 2, 4]),
        ("x\ny\nx\ny\n", "x\ny", 2, [1, 3]),
        ("a" * 300, "a" * 100, 201, [1] * 201),
        ("ab" * 200 + "\n" + "ab" * 200, "ab" * 50, 302, [1] * 151 + [2] * 151),
    ],
)
def test_replace_wants_exactly_one(state, content, old, count, lines):
    state.write(RW, "a", content, actor=ME)
    code, reason, details = refused(state.replace, RW, "a", old, "new", actor=ME)
    assert (code, reason) == ("conflict", "several_matches" if count else "no_match")
    assert (details["count"], details["lines"]) == (count, lines)
    assert state.view(RW, "a")["version"] == 1


def test_replace_and_its_empty_texts(state):
    state.write(RW, "a", "one two\nthree", actor=ME)
    assert state.replace(RW, "a", "two\nth", "", actor=ME)["version"] == 2
    assert state.view(RW, "a")["content"] == "one ree"
    assert refused(state.replace, RW, "a", "", "x", actor=ME)[0] == "invalid_argument"
    state.replace(RW, "a", "one ree", "\\1 $& \n", actor=ME)
    assert state.view(RW, "a")["content"] == "\\1 $& \n"


@pytest.mark.parametrize(
    ("content", "line", "text", "expected"),
    [
        ("", 0, "x", "x\n"),
        ("", 0, "", "\n"),
        ("a\nb\n", 0, "x", "x\na\nb\n"),
        ("a\nb\n", 1, "x\n", "a\nx\nb\n"),
        ("a\nb\n", 2, "x", "a\nb\nx\n"),
        ("a\nb", 2, "x", "a\nb\nx\n"),
        ("a\nb", 1, "x", "a\nx\nb"),
        ("a\nb", 0, "x\ny", "x\ny\na\nb"),
        ("a\r\nb\r\n", 1, "x", "a\r\nx\nb\r\n"),
        ("a\rb\u2028c", 1, "x", "a\rb\u2028c\nx\n"),
        ("\n\n", 2, "x", "\n\nx\n"),
        ("a\n", 1, "\n", "a\n\n"),
    ],
)
def test_insert_puts_whole_lines(state, content, line, text, expected):
    state.write(RW, "a", content, actor=ME)
    assert state.insert(RW, "a", line, text, actor=ME)["action"] == "modified"
    assert state.view(RW, "a")["content"] == expected


@pytest.mark.parametrize(("content", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1), ("a\r", 1)])
def test_insert_past_the_end_is_refused(state, content, lines):
    state.write(RW, "a", content, actor=ME)
    code, reason, details = refused(state.insert, RW, "a", lines + 1, "x", actor=ME)
    assert (code, reason, details["lines"]) == ("conflict", "line_out_of_range", lines)
    assert refused(state.insert, RW, "a", -1, "x", actor=ME)[0] == "invalid_argument"


def test_delete_keeps_the_history_and_numbers_go_on(state):
    state.write(RW, "a", "one", actor=ME, extra={"k": "v"})
    first = state.view(RW, "a")["created_at"]
    assert state.delete(RW, "a", actor=ME) == {
        "scope": RW.scope,
        "path": "a",
        "mounted_path": "/project/a",
        "version": 2,
        "action": "deleted",
    }
    assert refused(state.view, RW, "a")[0] == "not_found"
    assert refused(state.view, RW, "a", version=2)[0] == "not_found"
    assert state.view(RW, "a", version=1)["content"] == "one"
    assert state.everything(RW) == []
    assert state.write(RW, "a", "two", actor=ME)["version"] == 3
    assert state.view(RW, "a")["created_at"] > first
    assert [row["action"] for row in state.history(RW, "a")] == ["created", "deleted", "created"]
    assert kinds(state) == ["scope_reset", "document_created", "document_deleted", "document_created"]


def test_rename_is_one_event_and_starts_anew(state):
    state.write(RW, "a", "body", actor=ME, extra={"k": "v"})
    state.write(RW, "b", "old", actor=ME)
    state.delete(RW, "b", actor=ME)
    made = state.rename(RW, "a", RW, "b", actor=ME)
    assert made == {
        "scope": RW.scope,
        "path": "b",
        "mounted_path": "/project/b",
        "version": 3,
        "previous_path": "a",
        "previous_version": 2,
        "action": "renamed",
    }
    shown = state.view(RW, "b")
    assert (shown["content"], shown["extra"], shown["created_at"]) == ("body", {"k": "v"}, shown["updated_at"])
    assert refused(state.view, RW, "a")[0] == "not_found"
    assert [row["action"] for row in state.history(RW, "a")] == ["deleted", "created"]
    assert [row["action"] for row in state.history(RW, "b")] == ["renamed", "deleted", "created"]
    assert state.feed(RW)[-1] == {
        "kind": "state.document_renamed",
        "path": "b",
        "version": 3,
        "previous_path": "a",
        "previous_version": 2,
    }


def test_rename_never_overwrites_nor_leaves_its_mount(state):
    state.write(RW, "a", "A", actor=ME)
    state.write(RW, "b", "B", actor=ME)
    for new in ("a", "b"):
        code, reason, details = refused(state.rename, RW, "a", RW, new, actor=ME)
        assert (code, reason, details["actual"]) == ("conflict", "exists", 1)
    assert refused(state.rename, RW, "a", OTHER, "c", actor=ME)[0] == "unsupported"
    assert refused(state.rename, RW, "a", RW, "messages", actor=ME)[0] == "reserved_path"
    assert [entry["path"] for entry in state.everything(RW)] == ["a", "b"]


def test_documents_live_beside_directories_of_their_name(state):
    for path in ("x", "x/y", "x.json", "x.json/y", "x.jsonl/y", "x-y"):
        state.write(RW, path, path, actor=ME)
    assert [entry["path"] for entry in state.everything(RW)] == ["x", "x-y", "x.json", "x.json/y", "x.jsonl/y", "x/y"]


class TestRevert:
    def test_of_a_creation_deletes(self, state):
        state.write(RW, "a", "x", actor=ME)
        assert state.revert(RW, "a", 1, actor=ME)["action"] == "deleted"
        assert kinds(state)[-1] == "document_deleted"

    def test_of_a_rename_deletes_the_destination_only(self, state):
        state.write(RW, "a", "x", actor=ME)
        state.rename(RW, "a", RW, "b", actor=ME)
        assert state.revert(RW, "b", 1, actor=ME)["action"] == "deleted"
        assert state.everything(RW) == []
        assert state.revert(RW, "a", 2, actor=ME)["action"] == "created"
        assert state.view(RW, "a")["content"] == "x"

    def test_of_a_modification_gives_back_body_and_extra(self, state):
        state.write(RW, "a", "x", actor=ME, extra={"k": "1"})
        born = state.view(RW, "a")["created_at"]
        state.write(RW, "a", "y", actor=ME, extra={"k": "2"})
        made = state.revert(RW, "a", 2, actor=ME)
        assert (made["version"], made["action"]) == (3, "modified")
        shown = state.view(RW, "a")
        assert (shown["content"], shown["extra"], shown["created_at"]) == ("x", {"k": "1"}, born)

    def test_of_a_deletion_creates_anew(self, state):
        state.write(RW, "a", "x", actor=ME, extra={"k": "1"})
        state.delete(RW, "a", actor=ME)
        assert state.revert(RW, "a", 2, actor=ME)["action"] == "created"
        shown = state.view(RW, "a")
        assert (shown["content"], shown["extra"], shown["created_at"]) == ("x", {"k": "1"}, shown["updated_at"])
        assert kinds(state)[-1] == "document_created"

    def test_of_a_revert_brings_it_back(self, state):
        state.write(RW, "a", "x", actor=ME)
        state.write(RW, "a", "y", actor=ME)
        state.revert(RW, "a", 2, actor=ME)
        state.revert(RW, "a", 3, actor=ME)
        assert state.view(RW, "a")["content"] == "y"

    def test_only_the_newest_that_there_is(self, state):
        assert refused(state.revert, RW, "a", 1, actor=ME)[0] == "not_found"
        state.write(RW, "a", "x", actor=ME)
        state.write(RW, "a", "y", actor=ME)
        assert refused(state.revert, RW, "a", 3, actor=ME)[0] == "not_found"
        assert refused(state.revert, RW, "a", 1, actor=ME)[:2] == ("conflict", "revert_stale")

    def test_not_of_what_was_erased(self, state):
        state.write(RW, "a", "x", actor=ME)
        state.write(RW, "a", "y", actor=ME)
        state.erase(RW, "a", actor=ME, apply=True)
        assert refused(state.revert, RW, "a", 2, actor=ME)[:2] == ("conflict", "erased")
        state.write(RW, "a", "z", actor=ME)
        assert refused(state.revert, RW, "a", 3, actor=ME)[:2] == ("conflict", "erased")
        state.delete(RW, "a", actor=ME)
        assert state.revert(RW, "a", 4, actor=ME)["action"] == "created"

    def test_not_of_a_deletion_of_what_was_erased(self, state):
        state.write(RW, "a", "x", actor=ME)
        state.erase(RW, "a", actor=ME, apply=True)
        state.delete(RW, "a", actor=ME)
        assert refused(state.revert, RW, "a", 2, actor=ME)[:2] == ("conflict", "erased")


class TestErase:
    def test_blanks_the_document_and_every_version(self, state):
        state.write(RW, "a", "one", actor=ME, extra={"k": "v"})
        state.write(RW, "a", "two", actor=ME)
        state.write(RW, "a/b", "near", actor=ME)
        expected = {"scope": RW.scope, "path": "a", "documents": 1, "versions": 2}
        assert state.erase(RW, "a", actor=ME) == {**expected, "applied": False}
        assert state.view(RW, "a")["content"] == "two"
        assert state.erase(RW, "a", actor=ME, apply=True) == {**expected, "applied": True}
        shown = state.view(RW, "a")
        assert (shown["content"], shown["extra"], shown["erased"], shown["version"]) == ("", {}, True, 2)
        assert all(row["erased"] and not row["content"] and not row["extra"] for row in state.history(RW, "a"))
        assert [row["action"] for row in state.history(RW, "a")] == ["modified", "created"]
        assert state.view(RW, "a/b")["content"] == "near"
        assert state.feed(RW)[-1] == {"kind": "state.document_erased", "path": "a"}

    def test_again_or_of_nothing_changes_nothing(self, state):
        nothing = {"scope": RW.scope, "path": "a", "documents": 0, "versions": 0, "applied": True}
        assert state.erase(RW, "a", actor=ME, apply=True) == nothing
        assert state.feed(RW) == []
        state.write(RW, "a", "", actor=ME)
        assert state.erase(RW, "a", actor=ME, apply=True) == nothing
        assert not state.view(RW, "a")["erased"]
        state.write(RW, "a", "x", actor=ME)
        state.erase(RW, "a", actor=ME, apply=True)
        before = state.feed(RW)
        assert state.erase(RW, "a", actor=ME, apply=True) == nothing
        state.delete(RW, "a", actor=ME)
        assert state.erase(RW, "a", actor=ME, apply=True) == nothing
        assert len(state.feed(RW)) == len(before) + 1

    def test_reaches_what_was_deleted(self, state):
        state.write(RW, "a", "secret", actor=ME)
        state.delete(RW, "a", actor=ME)
        made = state.erase(RW, "a", actor=ME, apply=True)
        assert (made["documents"], made["versions"]) == (0, 2)
        assert state.view(RW, "a", version=1)["erased"]

    def test_of_a_scope_is_one_event(self, state):
        state.write(RW, "a", "1", actor=ME)
        state.write(RW, "b/c", "2", actor=ME, extra={"k": "v"})
        state.write(RW, "b/c", "", actor=ME)
        state.write(RW, "d", "3", actor=ME)
        state.delete(RW, "d", actor=ME)
        state.write(RW, "empty", "", actor=ME)
        state.write(OTHER, "a", "stays", actor=ME)
        counts = {"documents": 2, "versions": 5}
        assert refused(state.erase, RW, None, actor=ME, apply=True)[0] == "invalid_argument"
        assert refused(state.erase, RW, "a", actor=ME, apply=True, whole=True)[0] == "invalid_argument"
        assert state.erase(RW, None, actor=ME, whole=True) == {
            "scope": RW.scope,
            "path": None,
            **counts,
            "applied": False,
        }
        made = state.erase(RW, None, actor=ME, apply=True, whole=True)
        assert {key: made[key] for key in counts} == counts
        assert state.feed(RW)[-1] == {"kind": "state.scope_erased"}
        assert kinds(state).count("document_erased") == 0
        again = state.erase(RW, None, actor=ME, apply=True, whole=True)
        assert (again["documents"], again["versions"]) == (0, 0)
        assert kinds(state).count("scope_erased") == 1
        assert state.view(OTHER, "a")["content"] == "stays"

    def test_is_carried_by_a_rename_and_ended_by_a_write(self, state):
        state.write(RW, "a", "x", actor=ME)
        state.erase(RW, "a", actor=ME, apply=True)
        state.rename(RW, "a", RW, "b", actor=ME)
        assert state.view(RW, "b")["erased"]
        assert state.everything(RW)[0]["erased"]
        state.write(RW, "b", "y", actor=ME)
        assert not state.view(RW, "b")["erased"]
        assert state.view(RW, "b", version=1)["erased"]


class TestMounts:
    def test_read_only_takes_nothing(self, state):
        state.write(RW, "a", "x", actor=ME)
        for call in (
            lambda: state.write(RO, "a", "y", actor=ME),
            lambda: state.replace(RO, "a", "x", "y", actor=ME),
            lambda: state.insert(RO, "a", 0, "y", actor=ME),
            lambda: state.delete(RO, "a", actor=ME),
            lambda: state.rename(RO, "a", RO, "b", actor=ME),
            lambda: state.revert(RO, "a", 1, actor=ME),
            lambda: state.erase(RO, "a", actor=ME, apply=True),
        ):
            assert refused(call)[0] == "read_only"
        assert state.view(RO, "a")["content"] == "x"

    def test_edit_only_takes_edits_and_erasure(self, state):
        state.write(RW, "a", "x", actor=ME)
        assert state.write(EO, "a", "y", actor=ME)["version"] == 2
        assert state.replace(EO, "a", "y", "z", actor=ME)["version"] == 3
        assert state.insert(EO, "a", 0, "y", actor=ME)["version"] == 4
        assert state.revert(EO, "a", 4, actor=ME)["version"] == 5
        for call in (
            lambda: state.write(EO, "b", "y", actor=ME),
            lambda: state.write(EO, "b", "y", actor=ME, if_version=0),
            lambda: state.delete(EO, "a", actor=ME),
            lambda: state.rename(EO, "a", EO, "b", actor=ME),
        ):
            assert refused(call)[0] == "edit_only"
        assert refused(state.replace, EO, "b", "x", "y", actor=ME)[0] == "not_found"
        assert state.erase(EO, "a", actor=ME, apply=True)["versions"] == 5

    def test_edit_only_reverts_no_creation_and_no_deletion(self, state):
        state.write(RW, "a", "x", actor=ME)
        assert refused(state.revert, EO, "a", 1, actor=ME)[0] == "edit_only"
        state.delete(RW, "a", actor=ME)
        assert refused(state.revert, EO, "a", 2, actor=ME)[0] == "edit_only"

    @pytest.mark.parametrize("path", ["messages", "messages/x", "message-links", "message-links/a/b"])
    def test_reserved_paths_are_not_changed(self, state, path):
        for call in (
            lambda: state.write(RW, path, "y", actor=ME),
            lambda: state.replace(RW, path, "x", "y", actor=ME),
            lambda: state.insert(RW, path, 0, "y", actor=ME),
            lambda: state.delete(RW, path, actor=ME),
            lambda: state.rename(RW, path, RW, "b", actor=ME),
            lambda: state.revert(RW, path, 1, actor=ME),
        ):
            assert refused(call)[0] == "reserved_path"
        assert state.write(RW, "messages-of-mine", "y", actor=ME)["version"] == 1
        assert refused(state.view, RW, path)[0] == "not_found"
        assert state.erase(RW, path, actor=ME, apply=True)["versions"] == 0


def test_scopes_do_not_see_each_other(state):
    state.write(RW, "a", "inner", actor=ME)
    state.write(OTHER, "a", "outer", actor=ME)
    assert state.view(RW, "a")["content"] == "inner"
    assert state.view(OTHER, "a")["content"] == "outer"
    assert len(state.feed(OTHER)) == 2
