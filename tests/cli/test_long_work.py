"""Long work: it shows itself on a terminal alone; stopped anywhere it leaves a good store and says how far it is."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys

import pytest

from neosian_cli.services.verify import verify
from tests.cli.process import NEOSIAN, TOP, call, environment, start
from tests.cli.workspace import Workspace
from tests.samples import SCOPE as SAMPLE
from tests.samples import open_store, write

STRUCK = (sys.executable, "-m", "tests.cli.struck")
SLOWED = (sys.executable, "-m", "tests.cli.slowed")
SCOPE = "user:ann/proj:erp"


@pytest.fixture
def workspace(tmp_path):
    made = Workspace(tmp_path)
    made.fill(**{"notes/a": "one", "notes/b": "two"})
    ok(made, "semantic", "create", "notes", "--provider", "fake", "--dimensions", "4")
    return made


def ok(workspace, *words, **more):
    done = workspace.run(*words, "--json", **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def settings(workspace):
    return environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann")


def struck(workspace, step, number, *words):
    """The command, told to stop before its call number `step` that changes a file system."""
    done = subprocess.run(
        [*STRUCK, str(step), str(int(number)), *words],
        cwd=TOP, env=settings(workspace), capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    return done


def is_good(workspace):
    found = verify(open_store(workspace.root), None)
    return [each for each in found["findings"] if not each["path"].startswith(".transactions/~")] == []


def records(workspace, count):
    path = workspace.folder / "records"
    path.write_text("".join(json.dumps({"id": f"r{at}", "vector": [1, at, 0, 1]}) + "\n" for at in range(count)))
    return str(path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", [2, 20, 33, 46, 60])
def test_a_load_in_batches_tells_what_is_stored(workspace, step, number):
    words = ("semantic", "upsert", "notes", "--records", records(workspace, 6), "--batch", "2", "--json")
    done = struck(workspace, step, number, *words)
    there = len(ok(workspace, "semantic", "list", "notes")["records"])
    if done.returncode == 0:
        assert there == 6
        return
    assert (done.returncode, done.stdout) == (128 + number, b"")
    error = json.loads(done.stderr)["error"]
    assert error["details"].get("stored", 0) == there
    assert error["details"]["committed"] is bool(there)
    assert (f"{there} records stored in" in error["message"]) is bool(there)
    if 0 < there < 6:
        assert error["hint"] == f"leave out the first {there} records to go on"
    assert is_good(workspace)


def test_a_load_of_one_transaction_stores_nothing_or_all(workspace):
    seen = set()
    for step in (2, 8, 30):
        done = struck(
            workspace, step, signal.SIGINT, "semantic", "upsert", "notes", "--records", records(workspace, 3), "--json"
        )
        there = len(ok(workspace, "semantic", "list", "notes")["records"])
        seen.add(there)
        if done.returncode:
            assert done.returncode == 130
            assert ("no record was stored" in json.loads(done.stderr)["error"]["message"]) is (there == 0)
    assert seen <= {0, 3}
    assert is_good(workspace)


def test_a_stopped_prune_tells_what_is_removed(workspace):
    head = ok(workspace, "changes", "status", "/project")["head_cursor"]
    for step in (1, 5, 30):
        done = struck(
            workspace, step, signal.SIGINT, "changes", "prune", "/project", "--mount", f"scope={SCOPE},path=project",
            "--through", head, "--all", "--write", "--json",
        )  # fmt: skip
        floor = ok(workspace, "changes", "status", "/project")["floor"]
        if done.returncode:
            error = json.loads(done.stderr)["error"]
            assert (done.returncode, error["code"]) == (130, "interrupted")
            assert error["details"].get("removed", 0) == floor
            assert ("nothing was changed" in error["message"]) is (floor == 0)
    assert is_good(workspace)


@pytest.mark.parametrize(
    "words",
    [
        ("semantic", "reindex", "notes", "--index"),
        ("semantic", "compact", "notes", "--write", "--history-before", "2026-01-01T00:00:00Z"),
        ("memory", "erase", "/project", "--all", "--write", "--mount", f"scope={SCOPE},path=project"),
    ],
    ids=lambda words: words[1],
)
def test_upkeep_and_erasure_are_whole_or_not(workspace, words):
    ok(workspace, "semantic", "upsert", "notes", "--records", records(workspace, 4))
    for step in (1, 4, 9, 25):
        done = struck(workspace, step, signal.SIGTERM, *words, "--json")
        assert done.returncode in (0, 143)
        if done.returncode:
            error = json.loads(done.stderr)["error"]
            assert error["code"] == "interrupted"
            assert error["details"]["committed"] in (True, False)
        assert is_good(workspace)
        assert len(ok(workspace, "semantic", "list", "notes")["records"]) == 4


def terminal(workspace, *words, program=SLOWED):
    """What a person sees on stderr, and the rest of what came of it."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*program, *words],
        cwd=TOP, env=settings(workspace), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=follower,
    ) as child:  # fmt: skip
        os.close(follower)
        shown = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        out = child.stdout.read()
    os.close(leader)
    return child.returncode, out, shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("verify", "--repair-derived"), b"verifying"),
        (("semantic", "compact", "notes", "--write", "--history-before", "2026-01-01T00:00:00Z"), b"compacting"),
        (("export", "ARCHIVE"), b"exporting"),
    ],
    ids=lambda item: item[1] if isinstance(item, tuple) else "",
)
def test_long_work_shows_itself(workspace, words, told):
    words = tuple(str(workspace.folder / "archive") if word == "ARCHIVE" else word for word in words)
    ok(workspace, "semantic", "upsert", "notes", "--records", records(workspace, 4))
    status, out, shown = terminal(workspace, *words)
    assert status == 0, shown
    assert told in shown
    assert told not in out
    assert terminal(workspace, "verify", "--quiet")[2] == b""
    assert terminal(workspace, "verify", "--json")[2] == b""


def test_finishing_what_another_left_shows_itself(workspace):
    """A plan that somebody was killed in is finished by whoever comes next, who may wonder what takes so long."""
    mount = ("--mount", f"scope={SCOPE},path=project")
    for step in range(5, 40):
        struck(workspace, step, signal.SIGKILL, "memory", "write", "/project/x", "--content", str(step), *mount)
        if (workspace.root / ".transactions/pending.json").exists():
            break
    status, out, shown = terminal(workspace, "memory", "list", "/project", *mount)
    assert (status, b"/project/x" in out) == (0, True)
    assert b"finishing an interrupted change" in shown
    assert is_good(workspace)


def test_a_walk_that_is_stopped_names_the_cursor_that_goes_on(tmp_path):
    """Its reader takes nothing more, so it stands in the middle of the feed when it is told to stop."""
    store = open_store(tmp_path / "store")
    for number in range(400):
        write(store, f"notes/{number}", "x")
    chosen = ("--root", str(tmp_path / "store"), "--scope", SAMPLE)
    child = start(NEOSIAN, "changes", "read", "--all", "--jsonl", *chosen, bufsize=0)
    first = b"".join(child.stdout.readline() for _ in range(60))
    child.send_signal(signal.SIGINT)
    out, told = child.communicate(timeout=60)
    assert child.returncode == 130
    events = [json.loads(line) for line in (first + out).splitlines()]
    error = json.loads(told)["error"]
    cursor = error["details"].get("cursor")
    if cursor is None:
        assert "no whole page was written out" in error["message"]
        return
    rest = call(NEOSIAN, "changes", "read", "--all", "--jsonl", "--cursor", cursor, *chosen)
    after = [json.loads(line)["sequence"] for line in rest.stdout.splitlines()[:-1]]
    assert after[-1] == 401
    assert after[0] <= events[-1]["sequence"] + 1
    assert f"written out up to event {after[0] - 1:,}" in error["message"]
