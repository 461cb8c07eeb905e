"""What fills a screen and what does not: a mailbox on a narrow and on a wide terminal, a store with much in it."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from tests.cli.process import NEOSIAN, environment
from tests.cli.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path


def screen(workspace: Workspace, width: int, *words: str) -> list[str]:
    """The lines that a terminal of that width is sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann", NO_COLOR="1")
    child = subprocess.Popen(
        [*NEOSIAN, *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=workspace.work, env=env
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert child.wait() == 0, shown
    return shown.decode().splitlines()


@pytest.mark.parametrize("width", [80, 120])
def test_a_mailbox(tmp_path: Path, width: int) -> None:
    """Times as everywhere; the body beside the rest where there is room, else below; wide letters and escapes fit."""
    workspace = Workspace(tmp_path)
    bodies = ["short", "漢字" * 80, "\x1b[31m" * 40]
    for body in bodies:
        assert workspace.run("messages", "send", "--target", "/project", "--body", body).returncode == 0
    head, *rows = screen(workspace, width, "messages", "list")
    assert head.split() == ["id", "due", "state", "n", *(["body"] if width == 120 else [])]
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
