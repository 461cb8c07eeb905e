"""A home and a project folder of their own, and the real program run in them."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from tests.cli.process import NEOSIAN, environment


class Workspace:
    """`folder` becomes the parent of home and project; the default mounts are /user and /project."""

    def __init__(self, folder):
        self.folder = folder
        self.home = folder / "home"
        self.work = folder / "erp"
        self.root = self.home / "store"
        self.home.mkdir()
        self.work.mkdir()

    def run(self, *words: str | bytes, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess:
        mine = {"HOME": str(self.folder), "NEOSIAN_HOME": str(self.home), "LOGNAME": "ann"}
        env = environment(**{**mine, **variables})
        return subprocess.run(
            [*NEOSIAN, *words], cwd=self.work, env=env, input=stdin, capture_output=True, timeout=120, check=False
        )

    def memory(self, *words: str | bytes, **more: Any) -> Any:
        """The result of a memory verb that succeeds."""
        done = self.run("memory", *words, "--json", **more)
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
        assert done.stdout.count(b"\n") == 1
        assert done.stdout.endswith(b"\n")
        return json.loads(done.stdout)

    def error(self, *words: str | bytes, **more: Any) -> dict[str, Any]:
        """The error of a memory verb that fails, its exit status checked."""
        done = self.run("memory", *words, "--json", **more)
        assert done.stdout == b""
        assert done.stderr.count(b"\n") == 1
        error = json.loads(done.stderr)["error"]
        assert list(error) == ["code", "exit_status", "message", "details", "hint"]
        assert error["exit_status"] == done.returncode
        return error

    def told(self, *words: str | bytes, **more: Any) -> tuple[int, str, str]:
        """Status, stdout and stderr as a person sees them in a pipe."""
        done = self.run("memory", *words, **more)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def fill(self, **documents: str) -> None:
        for path, content in documents.items():
            self.memory("write", f"/project/{path}", "--content", content)
