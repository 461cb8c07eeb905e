"""Child processes for tests of the door: the real program, and the playground."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
NEOSIAN = (sys.executable, "-m", "neosian_cli")
PLAYGROUND = (sys.executable, "-m", "tests.cli.playground")

_KEEP = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "COVERAGE_PROCESS_START", "LD_PRELOAD")


def environment(**more: str) -> dict[str, str]:
    """A small environment without variables of ours or of a CI."""
    kept = {name: os.environ[name] for name in _KEEP if name in os.environ}
    return {**kept, "PYTHONPATH": str(TOP), "TERM": "xterm", **more}


def start(program: tuple[str, ...], *words: str | bytes, env: dict[str, str] | None = None, **more) -> subprocess.Popen:
    """A child that runs beside the test."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.Popen([*program, *words], env=environment(**(env or {})), cwd=TOP, **pipes)


def call(
    program: tuple[str, ...], *words: str | bytes, env: dict[str, str] | None = None, **more
) -> subprocess.CompletedProcess:
    """A child that has ended; its streams as bytes."""
    pipes = {"capture_output": True, **({} if "input" in more else {"stdin": subprocess.DEVNULL}), **more}
    if "stdout" in more or "stderr" in more:
        pipes.pop("capture_output")
        pipes.setdefault("stderr", subprocess.PIPE)
        pipes.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([*program, *words], env=environment(**(env or {})), cwd=TOP, timeout=60, check=False, **pipes)


def on_terminal(command: list[str], *, width: int, cwd: Path, env: dict[str, str], **more) -> tuple[str, int]:
    """What a terminal of so many columns is sent, both streams together, and the exit status."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    child = subprocess.Popen(command, cwd=cwd, env=env, **{"stdin": theirs, **more}, stdout=theirs, stderr=theirs)
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
    return shown.decode().replace("\r\n", "\n"), child.wait(timeout=60)
