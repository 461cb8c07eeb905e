"""Stored documents edited by hand: a value of another kind, a message whose file is gone. None hides the others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_messages_verbs import Shell
from tests.cli.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STATUSES = ("unread", "open", "closed", "all")
EDITS: dict[str, dict[str, Any]] = {
    "content": {"content": 5},
    "no content": {"content": None},
    "extra": {"extra": ["a"]},
    "path": {"path": 5},
    "version": {"version": "1"},
    "flag": {"erased": 1},
    "erased": {"erased": True},
    "time": {"updated_at": 5},
}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "home")


def edit(file: Path, **values: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def file_of(home: Path, name: str) -> Path:
    return next(home.rglob(f"documents/**/{name}.json"))


def lose_the_index(home: Path) -> None:
    next(home.rglob(".mailbox/open.log")).unlink()


def unreadable_everywhere(shell: Shell, bad: str, good: str) -> None:
    for lost in (False, True):
        if lost:
            lose_the_index(shell.home)
        for status in STATUSES:
            page = json.loads(shell.run("messages", "list", "--status", status, "--json").stdout)
            assert [item["id"] for item in page["items"]] == ([] if status == "closed" else [good])
            assert [(entry["id"], entry["code"]) for entry in page["unreadable"]] == [(bad, "document_corrupt")]
    assert shell.refused("view", bad)["code"] == "document_corrupt"
    assert shell.run("verify").returncode == 9


@pytest.mark.parametrize("values", EDITS.values(), ids=EDITS)
def test_a_message(shell: Shell, values: dict[str, Any]) -> None:
    bad, good = shell.send(), shell.send()
    edit(file_of(shell.home, bad), **values)
    unreadable_everywhere(shell, bad, good)


@pytest.mark.parametrize(
    "lose", [lambda file: file.unlink(), lambda file: file.write_bytes(b"")], ids=("gone", "empty")
)
def test_a_message_without_its_document(shell: Shell, lose: Callable[[Path], None]) -> None:
    bad, good = shell.send(), shell.send()
    lose(file_of(shell.home, bad))
    unreadable_everywhere(shell, bad, good)


def test_a_mailbox_behind_a_link(shell: Shell, tmp_path: Path) -> None:
    """It is refused, and hides no other mount's messages."""
    both = ("--mount", "scope=user:me,path=bad", "--mount", "scope=user:you,path=good")
    shell.send()
    good = shell.messages("send", "--body", "b", "--target", "/good", *both)["id"]
    directory = next(shell.home.glob("**/user%3Ame/documents/messages"))
    directory.rename(tmp_path / "elsewhere")
    directory.symlink_to(tmp_path / "elsewhere")
    lose_the_index(shell.home / "store/scopes/user%3Ame")
    for status in ("unread", "open", "all"):
        page = json.loads(shell.run("messages", "list", "--status", status, "--json", *both).stdout)
        assert [item["id"] for item in page["items"]] == [good]
        assert [(entry["path"], entry["code"]) for entry in page["unreadable"]] == [("messages", "document_corrupt")]
    told = shell.run("messages", "list", *both).stderr.decode()
    assert "neosian: messages cannot be read: scopes/user%3Ame/documents/messages is not a directory\n" in told


@pytest.mark.parametrize("values", EDITS.values(), ids=EDITS)
def test_a_document(tmp_path: Path, values: dict[str, Any]) -> None:
    workspace = Workspace(tmp_path)
    workspace.fill(bad="1", good="2")
    edit(file_of(workspace.home, "bad"), **values)
    page = workspace.memory("list", "/project")
    assert [entry["path"] for entry in page["entries"]] in (["good"], ["bad", "good"])
    assert workspace.error("view", "/project/bad")["code"] == "document_corrupt"
    assert workspace.run("verify").returncode == 9


def test_the_id_of_an_erased_message_stays_taken(shell: Shell) -> None:
    sent = shell.send()
    assert shell.run("memory", "erase", f"/memories/messages/{sent}", "--write").returncode == 0
    error = shell.refused("send", "--body", "b", "--id", sent)
    assert error["details"]["reason"] == "exists"
    assert "erased" in error["message"]
    assert "view" not in error["hint"]
