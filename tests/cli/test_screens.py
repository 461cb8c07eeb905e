"""What fills a screen and what does not: a mailbox on a narrow and on a wide terminal, a store with much in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from tests.cli.process import NEOSIAN, environment, on_terminal
from tests.cli.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path


def screen(workspace: Workspace, width: int, *words: str) -> list[str]:
    """The lines that a terminal of that width is sent."""
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann", NO_COLOR="1")
    shown, status = on_terminal([*NEOSIAN, *words], width=width, cwd=workspace.work, env=env)
    assert status == 0, shown
    return shown.splitlines()


@pytest.mark.parametrize("width", [80, 120])
def test_a_mailbox(tmp_path: Path, width: int) -> None:
    """Times as everywhere; the body beside the rest where there is room, else below; wide letters and escapes fit."""
    workspace = Workspace(tmp_path)
    bodies = ["short", "漢字" * 80, "\x1b[31m" * 40]
    for body in bodies:
        assert workspace.run("messages", "send", "--target", "/project", "--body", body).returncode == 0
    head, *rows = screen(workspace, width, "messages", "list")
    assert head.split() == ["id", "due", "state", *(["body"] if width == 120 else [])]
    assert len(rows) == (3 if width == 120 else 6)
    assert all(cell_len(row) <= width for row in rows)
    assert rows[0].split()[1].endswith("Z")
    shown = "\n".join(rows)
    assert "short" in shown
    assert "漢字漢字" in shown
    assert shown.count("…") == 2
    assert "\\x1b[31m" in shown


def test_a_status_fits(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    mounts = [word for n in range(20) for word in ("--mount", f"scope=user:m{n},path=m{n}")]
    for number in range(9):
        assert workspace.run("semantic", "create", f"n{number}", "--provider", "fake").returncode == 0
    lines = screen(workspace, 100, "status", *mounts)
    assert len(lines) <= 24
    assert "and 15 mounts more: --json names them all" in lines
    assert "and 4 namespaces more: --json names them all" in lines
    assert len(workspace.run("status", *mounts).stdout.splitlines()) > 24, "nothing is cut in a pipe"


def test_an_actor_has_one_spelling(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    error = workspace.error("write", "/project/a", "--content", "x", "--actor", "cli:me#03")
    assert error["code"] == "invalid_argument"
    assert "leading zeros" in error["message"]
    for actor in ("cli:me#0", "cli:me#30"):
        workspace.memory("write", "/project/a", "--content", "x", "--actor", actor)


@pytest.fixture
def facts(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path)
    assert workspace.run("semantic", "create", "facts", "--provider", "fake").returncode == 0
    assert workspace.run("semantic", "upsert", "facts", "--id", "plain", "--content", "tea").returncode == 0
    words = ("--valid-from", "2020-01-01T00:00:00Z", "--valid-to", "2021-01-01T00:00:00Z")
    assert workspace.run("semantic", "upsert", "facts", "--id", "past", "--content", "tea", *words).returncode == 0
    return workspace


VALID = "valid 2020-01-01T00:00:00.000000Z..2021-01-01T00:00:00.000000Z"


def test_when_a_record_is_valid_is_shown_where_that_is_not_from_its_creation_on(facts: Workspace) -> None:
    listed = screen(facts, 120, "semantic", "list", "facts", "--include-invalidated")
    assert [row.strip().startswith("valid") for row in listed] == [False, False, False, True]
    assert listed[-1].strip() == VALID
    assert VALID in screen(facts, 120, "semantic", "get", "facts", "past")[-1]
    assert f"tea  ({VALID})" in screen(facts, 160, "semantic", "history", "facts", "past")[-1]
    assert len(screen(facts, 120, "semantic", "get", "facts", "plain")) == 2
    assert b"valid" not in facts.run("semantic", "get", "facts", "past").stdout.replace(b"invalid", b"")


def test_a_search_without_hits_says_what_is_not_valid_then(facts: Workspace) -> None:
    done = facts.run("semantic", "search", "facts", "tea", "--as-of", "2019-01-01T00:00:00Z")
    assert done.stdout == b""
    assert b"2 hits are not valid then; --include-invalidated shows them" in done.stderr
    found = facts.run("semantic", "search", "facts", "tea", "--as-of", "2020-06-01T00:00:00Z")
    assert b"not valid" not in found.stderr


def test_what_is_removed_for_good_is_not_called_deleted(facts: Workspace) -> None:
    assert "deleted" in screen(facts, 80, "semantic", "delete", "facts", "plain")[-1]
    assert "removed for good" in screen(facts, 80, "semantic", "delete", "facts", "past", "--hard")[-1]


def test_an_occurrence_is_shown_where_one_is_not_the_first(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    words = ("messages", "send", "--target", "/project", "--body", "x", "--actionable", "--json")
    sent = json.loads(workspace.run(*words).stdout)["id"]
    claim = ("messages", "claim", sent, "--session", "ci", "--occurrence", "1", "--json")
    token = json.loads(workspace.run(*claim).stdout)["token"]
    assert "occurrence" not in screen(workspace, 120, "messages", "list", "--status", "all")[0]
    snooze = ("messages", "snooze", sent, "--session", "ci", "--occurrence", "1", "--token", token)
    assert workspace.run(*snooze, "--outcome", "later", "--delay-seconds", "9").returncode == 0
    head, *rows = screen(workspace, 120, "messages", "list", "--status", "all")
    assert head.split() == ["id", "due", "state", "occurrence", "body"]
    assert all(cell_len(row) <= 120 for row in rows)


def test_an_archive_says_where_it_went(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.fill(a="x")
    archive = tmp_path / "archive"
    assert f"written to {archive}".encode() in workspace.run("export", str(archive)).stderr
    there = ("import", str(archive), "--root", str(tmp_path / "other"))
    assert f"written to {tmp_path}/other".encode() in workspace.run(*there).stderr


@pytest.mark.parametrize("topic", ["changes", "store", "exit-status"])
def test_a_page_fits_and_its_code_is_whole(tmp_path: Path, topic: str) -> None:
    workspace = Workspace(tmp_path)
    shown = screen(workspace, 72, "docs", topic)
    piped = workspace.run("docs", topic).stdout.decode()
    code = [line for at, block in enumerate(piped.split("```")) if at % 2 for line in block.splitlines()[1:] if line]
    assert {f"    {line.rstrip()}" for line in code} <= set(shown)
    indented = [line.rstrip() for line in piped.splitlines() if line.startswith("    ")]
    assert set(indented) <= set(shown)
    as_they_stand = {*indented, *(f"    {line.rstrip()}" for line in code)}
    assert all(cell_len(line) <= 72 for line in shown if line not in as_they_stand)
    assert any(len(line) > 72 for line in piped.splitlines())
    assert "```" not in "".join(shown)


def test_events_show_their_time_to_the_second_and_leave_paths_room(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    path = "notes/" + "a" * 15
    workspace.fill(**{path: "x"})
    shown = screen(workspace, 80, "changes", "read", "/project")
    row = next(line.split() for line in shown if path in line)
    assert len(row[-2]) == len("2026-01-02T03:04:05Z")
    assert row[-1] == f"/project/{path}"
    assert b".000000Z" not in "\n".join(shown).encode()
    piped = workspace.run("changes", "read", "/project").stdout.splitlines()[-1].split(b"\t")
    assert len(piped[3]) == len("2026-01-02T03:04:05.000000Z")
