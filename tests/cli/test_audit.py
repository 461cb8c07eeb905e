"""What `make audit` says: nothing known, something known, or that nobody could be asked, each with its own status."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.process import TOP

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = "Found 1 known vulnerability in 1 package\nName Version ID Fix Versions\n---- ------- -- ----\nx 1 CVE-1 2"
UNREACHABLE = "ERROR:pip_audit._cli:Failed to upgrade `pip`\nConnectionError: no route to host"


@pytest.mark.parametrize(
    ("said", "ends", "status", "out", "err"),
    [
        ("No known vulnerabilities found", 0, 0, "nothing is known against", ""),
        (KNOWN, 1, 1, "CVE-1", ""),
        (UNREACHABLE, 1, 3, "", "skipped: lock.txt could not be audited"),
        (None, 0, 3, "", "skipped: pip-audit cannot be installed here"),
    ],
)
def test_audit(tmp_path: Path, *, said: str | None, ends: int, status: int, out: str, err: str) -> None:
    tool = tmp_path / "pip-audit"
    if said is not None:
        tool.write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\nexit {ends}\n")
        tool.chmod(0o700)
    done = subprocess.run(
        ["sh", TOP / "scripts/audit.sh", tool, "lock.txt"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert out in done.stdout
    assert err in done.stderr
    assert bool(done.stdout) == bool(out)
    assert bool(done.stderr) == bool(err)


def test_an_advisory_outweighs_a_silence(tmp_path: Path) -> None:
    tool = tmp_path / "pip-audit"
    known = f"cat <<'END'\n{KNOWN}\nEND\n"
    tool.write_text(f"#!/bin/sh\ncase $* in\n*bad*) {known};;\n*) echo unreachable ;;\nesac\nexit 1\n")
    tool.chmod(0o700)
    for files in (("bad", "other"), ("other", "bad")):
        command = ["sh", TOP / "scripts/audit.sh", tool, *files]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1
