"""The page on messaging: its example runs as it stands, and it leaves no step, option or reason out."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from neosian_cli.commands import messages
from neosian_cli.services.pages import page
from tests.cli.process import TOP, environment
from tests.cli.test_messages_verbs import STEP_REASONS

if TYPE_CHECKING:
    from pathlib import Path

PAGE = page("messaging")
SEND, WORK = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


CLAIM = "claim {id} --session other --occurrence 1"
CANCEL = "cancel {id} --session other --occurrence 1"
SNOOZE = (
    "snooze {id} --session other --occurrence 1 --outcome no --delay-seconds 9 "
    "--token $(neosian messages claim {id} --session other --occurrence 1 --json | jq -r .token)"
)


@pytest.mark.parametrize("word", sorted(STEP_REASONS))
def test_every_reason_is_told_of(word: str) -> None:
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize("verb", messages.VERBS, ids=lambda verb: verb.name)
def test_every_verb_and_option_is_told_of(verb) -> None:
    assert re.search(rf"\b{verb.name}\b", PAGE)
    told = {param.label for param in verb.params if param.label.startswith("--")} - {"--limit", "--cursor", "--status"}
    untold = {label for label in told if not re.search(rf"{label}\b", PAGE)}
    assert untold <= {"--due-at", "--turn", "--about-turn"}


class Job:
    """Scripts of one machine: the program under its usual name, and a fixer that can or cannot fix."""

    def __init__(self, folder: Path, *, fixes: bool) -> None:
        self.folder = folder
        self._script("neosian", f'exec {sys.executable} -m neosian_cli "$@"')
        self._script("try-to-fix", f"cat; {'true' if fixes else 'false'}")
        self.env = environment(
            PATH=f"{folder}:/usr/local/bin:/usr/bin:/bin",
            NEOSIAN_HOME=str(folder / "home"),
            RUN="17",
            COMMIT="4f2c1",
            PYTHONPATH=str(TOP),
        )

    def _script(self, name: str, body: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o700)

    def run(self, script: str, *, complains: bool = False) -> str:
        """What a script prints, or what it complains of though it ends well."""
        ended = subprocess.run(
            ["sh", "-eu", "-c", script], cwd=self.folder, env=self.env, capture_output=True, timeout=120, text=True
        )
        assert ended.returncode == 0, ended.stderr
        if complains:
            return ended.stderr
        assert ended.stderr == ""
        return ended.stdout

    def listed(self, status: str) -> list[dict[str, object]]:
        items: list[dict[str, object]] = json.loads(self.run(f"neosian messages list --status {status} --json"))[
            "items"
        ]
        return items


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
@pytest.mark.parametrize("fixes", [True, False])
def test_its_example_works(tmp_path: Path, fixes: bool) -> None:
    job = Job(tmp_path, fixes=fixes)
    job.run(SEND)
    job.run(SEND)
    (sent,) = job.listed("unread")
    assert (sent["body"], sent["source"]) == ("main does not build since 4f2c1", "nightly")
    job.run(WORK)
    assert job.listed("unread") == []
    (message,) = job.listed("closed" if fixes else "scheduled")
    if fixes:
        assert (message["status"], message["outcome"], message["owner"]) == ("done", "fixed", "fixer-17")
    else:
        assert (message["outcome"], message["occurrence"], message["owner"]) == ("still no fix", 2, None)
    job.run(WORK)


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
@pytest.mark.parametrize(("faster", "reason"), [(CLAIM, "claimed"), (CANCEL, "closed"), (SNOOZE, "stale_occurrence")])
def test_its_example_passes_over_what_another_has(tmp_path: Path, faster: str, reason: str) -> None:
    """Between the listing and the claim somebody else was faster; the next message is worked on."""
    job = Job(tmp_path, fixes=True)
    job.run(SEND)
    job.run(SEND.replace("red-build", "another"))
    sent, next_one = job.listed("unread")
    words = f"neosian messages {faster} >/dev/null".format(id=sent["id"])
    told = job.run(
        WORK.replace("while read -r id n; do", f'while read -r id n; do [ "$id" != {sent["id"]} ] || {words}'),
        complains=True,
    )
    assert json.loads(told)["error"]["details"]["reason"] == reason
    assert next_one["id"] in [message["id"] for message in job.listed("closed")]
