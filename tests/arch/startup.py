"""Which modules one run of the program loads, counted in a child."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.process import TOP, environment

_CHILD = """
import os, sys
bare = set(sys.modules)
sys.argv = ["neosian", *sys.argv[1:]]
from neosian_cli.__main__ import run
status = run()
sys.stderr.write("\\n".join(["", "loaded:", str(status), *sorted(set(sys.modules) - bare)]))
"""

# What no short run may load. The semantic verbs load numpy, a terminal's table loads rich, and a failure Typer.
HEAVY = {
    "numpy", "hnswlib", "rich.console", "rich", "sqlite3", "asyncio", "pydantic", "httpx", "typer", "yaml", "filelock",
    "urllib.request", "http.client", "ssl", "difflib", "concurrent.futures", "multiprocessing", "email",
}  # fmt: skip


def modules_of(*argv: str, status: int = 0, env: dict[str, str] | None = None) -> set[str]:
    """The modules that `neosian ARGV` loads beyond those of the bare interpreter; its exit status must be `status`."""
    ended = subprocess.run(
        [sys.executable, "-S", "-c", _CHILD, *argv],
        env={**environment(**(env or {})), "PYTHONPATH": _path()},
        cwd=TOP,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=60,
    )
    _, _, tail = ended.stderr.decode().rpartition("loaded:\n")
    told, *modules = tail.split("\n")
    assert int(told) == status, ended.stderr.decode()
    return set(modules)


def _path() -> str:
    """The program and what it depends on, without the start-up work of site-packages."""
    places = [place for place in sys.path if place.endswith(("site-packages", "dist-packages"))]
    return ":".join([str(TOP), *places])
