"""Child processes for tests of the door: the real program, and the playground."""

from __future__ import annotations

import os
import subprocess
import sys
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
