"""The messages verbs as a script meets them: real processes, their streams and their exit statuses."""

from __future__ import annotations

import hashlib
import json
import re
import signal
import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from neosian_cli.errors import CONFLICT_REASONS
from neosian_cli.services import message_schema
from tests.cli.process import NEOSIAN, call, start

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

ID = "0b0e7a54-61c5-4c1e-9d0a-6a3f4a1f2b3c"
STEP_REASONS = {
    "version_mismatch", "exists", "stale_occurrence", "claimed", "lease_ended", "token_mismatch", "not_due",
    "not_actionable", "closed", "not_recipient",
}  # fmt: skip


class Shell:
    """`neosian messages …` on one store."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.env = {"NEOSIAN_HOME": str(home), "NEOSIAN_SCOPE": "user:me"}

    def run(self, *words: str, **more: Any) -> subprocess.CompletedProcess:
        return call(more.pop("program", NEOSIAN), *words, env={**self.env, **more.pop("env", {})}, **more)

    def messages(self, *words: str, **more: Any) -> Any:
        """The result of a call that succeeds."""
        ended = self.run("messages", *words, "--json", **more)
        assert ended.returncode == 0, ended.stderr.decode()
        assert ended.stderr == b""
        assert ended.stdout.endswith(b"}\n")
        assert ended.stdout.count(b"\n") == 1
        return json.loads(ended.stdout)

    def refused(self, *words: str, **more: Any) -> dict[str, Any]:
        """The error of a call that fails, with nothing on stdout."""
        ended = self.run("messages", *words, "--json", **more)
        assert ended.stdout == b""
        error: dict[str, Any] = json.loads(ended.stderr)["error"]
        assert ended.returncode == error["exit_status"]
        assert "Traceback" not in ended.stderr.decode()
        return error

    def send(self, *words: str) -> str:
        """The id of a new message."""
        sent: str = self.messages("send", "--body", "b", *words)["id"]
        return sent

    def step(self, verb: str, message: str, *words: str, session: str = "s1", occurrence: int = 1) -> list[str]:
        return [verb, message, "--session", session, "--occurrence", str(occurrence), *words]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "home")


def test_a_day_in_the_life_of_a_message(shell: Shell) -> None:
    sent = shell.messages("send", "--body", "-", "--actionable", "--source", "nightly", input=b"main is red\n")
    jsonschema.validate(sent, message_schema.SHOWN)
    assert sent["body"] == "main is red\n"
    page = shell.messages("list")
    jsonschema.validate(page, message_schema.LISTING)
    assert page == {"items": [sent], "next_cursor": None, "unreadable": []}
    claimed = shell.messages(*shell.step("claim", sent["id"]))
    jsonschema.validate(claimed, message_schema.CLAIMED)
    token = claimed["token"]
    assert shell.messages("list")["items"] == []
    shell.messages(*shell.step("renew", sent["id"], "--token", token))
    put_off = shell.messages(
        *shell.step("snooze", sent["id"], "--token", token, "--outcome", "still no fix", "--delay-seconds", "3600")
    )
    assert put_off["outcome"] == "still no fix"
    assert shell.messages("list", "--status", "scheduled")["items"] == [put_off]
    gone = shell.messages(*shell.step("cancel", sent["id"], occurrence=2))
    seen = shell.messages("view", sent["id"])
    jsonschema.validate(seen, message_schema.VIEW)
    assert {**gone, "history": seen["history"]} == seen
    assert [past["version"] for past in seen["history"]] == [5, 4, 3, 2, 1]
    stored = json.loads(next(shell.home.rglob(f"documents/messages/{sent['id']}.json")).read_text())
    jsonschema.validate(json.loads(stored["content"]), message_schema.document())
    assert token.encode() not in b"".join(path.read_bytes() for path in shell.home.rglob("*") if path.is_file())


def test_the_schema_is_one(shell: Shell) -> None:
    schema = json.loads(shell.run("schema", "messages").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == message_schema.document()


class TestConflicts:
    def meet(self, shell: Shell, reason: str, *words: str) -> None:
        error = shell.refused(*words)
        assert (error["code"], error["exit_status"], error["details"]["reason"]) == ("conflict", 4, reason)

    def test_version_mismatch(self, shell: Shell) -> None:
        other = shell.send()
        context = f"/memories/messages/{other}"
        self.meet(shell, "version_mismatch", "send", "--body", "b", "--context", context, "--context-version", "2")

    def test_exists(self, shell: Shell) -> None:
        shell.send("--id", ID)
        assert shell.messages("send", "--body", "b", "--id", ID.upper())["version"] == 1
        self.meet(shell, "exists", "send", "--body", "other", "--id", ID)

    def test_stale_occurrence(self, shell: Shell) -> None:
        self.meet(shell, "stale_occurrence", *shell.step("ack", shell.send(), occurrence=2))

    def test_claimed(self, shell: Shell) -> None:
        message = shell.send("--actionable")
        shell.messages(*shell.step("claim", message))
        self.meet(shell, "claimed", *shell.step("claim", message, session="s2"))

    def test_lease_ended(self, shell: Shell) -> None:
        message = shell.send("--actionable")
        token = shell.messages(*shell.step("claim", message))["token"]
        shell.messages(*shell.step("release", message, "--token", token))
        self.meet(shell, "lease_ended", *shell.step("complete", message, "--token", token, "--outcome", "x"))

    def test_token_mismatch(self, shell: Shell) -> None:
        message = shell.send("--actionable")
        shell.messages(*shell.step("claim", message))
        self.meet(shell, "token_mismatch", *shell.step("renew", message, "--token", "x"))

    def test_not_due(self, shell: Shell) -> None:
        self.meet(shell, "not_due", *shell.step("claim", shell.send("--delay-seconds", "60")))

    def test_not_actionable(self, shell: Shell) -> None:
        informs = shell.send()
        self.meet(shell, "not_actionable", *shell.step("claim", informs))
        for verb, more in (("renew", []), ("release", []), ("complete", ["--outcome", "x"])):
            self.meet(shell, "not_actionable", *shell.step(verb, informs, "--token", "t", *more))

    def test_closed(self, shell: Shell) -> None:
        message = shell.send("--actionable")
        shell.messages(*shell.step("cancel", message))
        self.meet(shell, "closed", *shell.step("claim", message))

    def test_not_recipient(self, shell: Shell) -> None:
        self.meet(shell, "not_recipient", *shell.step("ack", shell.send("--conversation", "s2")))

    def test_every_reason_has_its_test(self) -> None:
        assert {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")} >= STEP_REASONS
        assert set(CONFLICT_REASONS) >= STEP_REASONS


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["send"], "usage"),
        (["send", "--body", " "], "invalid_argument"),
        (["send", "--body", "b", "--turn", "1"], "invalid_argument"),
        (["send", "--body", "b", "--conversation", "c", "--turn", "1" + "0" * 15], "invalid_argument"),
        (["send", "--body", "b", "--about", "c", "--about-turn", "1" + "0" * 22], "invalid_argument"),
        (["send", "--body", "b", "--due-at", "2026-01-02T03:04:05"], "invalid_argument"),
        (["send", "--body", "b", "--due-at", "2026-01-02T03:04:05Z", "--delay-seconds", "1"], "usage"),
        (["send", "--body", "b", "--id", "x"], "invalid_argument"),
        (["send", "--body", "b", "--target", "/nowhere"], "invalid_argument"),
        (["send", "--body", "b", "--context", "/memories/notes/a"], "not_found"),
        (["send", "--body", "b", "--context-version", "1"], "invalid_argument"),
        (["list", "--limit", "501"], "invalid_argument"),
        (["list", "--status", "new"], "invalid_argument"),
        (["list", "--cursor", ""], "invalid_cursor"),
        (["view", ID], "not_found"),
        (["view", "7"], "invalid_argument"),
        (["ack", ID, "--session", "s"], "usage"),
        (["ack", ID, "--session", "s", "--occurrence", "1"], "not_found"),
        (["complete", ID, "--session", "s", "--occurrence", "1", "--outcome", "x"], "usage"),
        (["snooze", ID, "--session", "s", "--occurrence", "1", "--token", "t", "--outcome", "x"], "invalid_argument"),
    ],
)
def test_a_wrong_call_says_so(shell: Shell, words: list[str], code: str) -> None:
    assert shell.refused(*words)["code"] == code
    assert not list(shell.home.rglob("scopes"))


def test_reading_makes_nothing(shell: Shell) -> None:
    assert shell.messages("list") == {"items": [], "next_cursor": None, "unreadable": []}
    assert shell.run("messages", "list").stdout == b""
    assert not shell.home.exists()


def test_a_list_goes_on_and_comes_line_by_line(shell: Shell) -> None:
    sent = [shell.send() for _ in range(3)]
    lines = [json.loads(line) for line in shell.run("messages", "list", "--limit", "2", "--jsonl").stdout.splitlines()]
    assert [line["type"] for line in lines] == ["message", "message", "page"]
    rest = shell.messages("list", "--cursor", lines[2]["next_cursor"])
    assert [line["id"] for line in lines[:2]] + [item["id"] for item in rest["items"]] == sent
    ended = shell.run("messages", "list", "--limit", "1")
    assert ended.stdout.count(b"\n") == 1
    assert b"--cursor m1_" in ended.stderr


def test_rows_in_a_pipe_are_whole(shell: Shell) -> None:
    shell.messages("send", "--body", "tab\there\nand \x1b[31mred " + "x" * 300)
    (row,) = shell.run("messages", "list").stdout.decode().splitlines()
    message, due_at, state, occurrence, body = row.split("\t")
    assert (state, occurrence) == ("unread", "1")
    assert re.fullmatch(r"\S{27}", due_at)
    assert body == "tab\\there\\nand \\x1b[31mred " + "x" * 300
    seen = shell.run("messages", "view", message).stdout.decode()
    assert "\x1b" not in seen
    assert f"id\t{message}\n" in seen


def test_a_damaged_message_is_named_beside_the_good_ones(shell: Shell) -> None:
    good, bad = shell.send(), shell.send()
    next(shell.home.rglob(f"documents/messages/{bad}.json")).write_bytes(b"{")
    page = shell.messages("list")
    assert [item["id"] for item in page["items"]] == [good]
    assert [(item["id"], item["code"]) for item in page["unreadable"]] == [(bad, "document_corrupt")]
    ended = shell.run("messages", "list")
    assert ended.returncode == 0
    assert ended.stdout.count(b"\n") == 1
    assert bad.encode() in ended.stderr


def test_what_people_see_of_each_step(shell: Shell) -> None:
    """One line that names the message; a claim's token on a line of its own."""
    sent = shell.run("messages", "send", "--body", "b", "--delay-seconds", "1", "--id", ID).stdout.decode()
    assert re.fullmatch(rf"sent {ID} \(occurrence 1, open\)\ndue \S{{27}}\n", sent)
    informed = shell.run(*("messages", *shell.step("ack", shell.send()))).stdout.decode()
    assert re.fullmatch(r"acknowledged \S{36} \(occurrence 1, done\)\n", informed)
    claimed = shell.run(*("messages", *shell.step("claim", shell.send("--actionable")))).stdout.decode()
    assert re.fullmatch(r"claimed \S{36} \(occurrence 1, open\)\nuntil \S{27}\ntoken \S{36}\n", claimed)


RACERS = 8


def test_of_eight_that_race_one_wins(shell: Shell) -> None:
    message = shell.send("--actionable")
    racers = [
        start(NEOSIAN, "messages", *shell.step("claim", message, session=f"s{number}"), "--json", env=shell.env)
        for number in range(RACERS)
    ]
    ends = [(racer.communicate(timeout=60), racer.returncode) for racer in racers]
    won = [json.loads(out) for (out, _), status in ends if status == 0]
    lost = [json.loads(err)["error"]["details"]["reason"] for (_, err), status in ends if status == 4]
    assert len(won) == 1
    assert lost == ["claimed"] * (RACERS - 1)
    seen = shell.messages("view", message)
    assert (seen["owner"], seen["version"]) == (won[0]["owner"], 2)


@pytest.mark.parametrize("spared", range(3))
def test_racers_that_are_killed_leave_one_winner_or_none(shell: Shell, spared: int) -> None:
    """Whoever is killed has claimed or has not; nobody is told that he has what another one has."""
    message = shell.send("--actionable")
    racers = [
        start(NEOSIAN, "messages", *shell.step("claim", message, session=f"s{number}"), "--json", env=shell.env)
        for number in range(RACERS)
    ]
    racers[spared].wait(timeout=60)
    for racer in racers:
        if racer.poll() is None:
            racer.send_signal(signal.SIGKILL)
    ends = [(racer.communicate(timeout=60), racer.returncode) for racer in racers]
    won = [json.loads(out) for (out, _), status in ends if status == 0]
    assert len(won) <= 1
    seen = shell.messages("view", message)
    assert seen["version"] == 2
    assert seen["owner"] in {f"s{number}" for number in range(RACERS)}
    if won:
        done = shell.messages(
            *shell.step("complete", message, "--token", won[0]["token"], "--outcome", "x", session=won[0]["owner"])
        )
        assert done["version"] == 3
    status = shell.messages("list", "--status", "closed" if won else "open")
    assert [item["id"] for item in status["items"]] == [message]


# The program with a clock that is set forward by as many seconds as the first word says.
LATER = """
import sys, time
real, ahead = time.time_ns, int(sys.argv.pop(1)) * 10**9
time.time_ns = lambda: real() + ahead
from neosian_cli.__main__ import run
sys.exit(run())
"""


def test_the_lease_is_told_by_the_clock_of_the_call(shell: Shell) -> None:
    later = (sys.executable, "-c", LATER, "1860")
    message = shell.send("--actionable")
    token = shell.messages(*shell.step("claim", message))["token"]
    error = shell.refused(*shell.step("renew", message, "--token", token), program=later)
    assert error["details"]["reason"] == "lease_ended"
    assert shell.messages(*shell.step("renew", message, "--token", token))["owner"] == "s1"
    assert shell.messages(*shell.step("claim", message, session="s2"), program=later)["owner"] == "s2"
    error = shell.refused(*shell.step("renew", message, "--token", token))
    assert error["details"]["reason"] == "token_mismatch"


def test_a_token_is_hashed_as_documented(shell: Shell) -> None:
    message = shell.send("--actionable")
    token = shell.messages(*shell.step("claim", message))["token"]
    files = b"".join(path.read_bytes() for path in shell.home.rglob("*") if path.is_file())
    assert token.encode() not in files
    assert hashlib.sha256(token.encode()).hexdigest().encode() in files
