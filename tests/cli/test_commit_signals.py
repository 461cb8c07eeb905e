"""A signal at every step of a mutation: nothing of it before the commit point, all of it after, and the error knows."""

from __future__ import annotations

import json
import signal
import sys

import pytest

from tests.cli.process import NEOSIAN, call

STRUCK = (sys.executable, "-m", "tests.cli.struck")
# Above what a write in a new root takes; the walk ends where no signal came any more.
MOST_STEPS = 80


def write_struck(root, step, number):
    return call(
        STRUCK, str(step), str(number), "memory", "write", "/memories/a", "--content", "body",
        "--root", str(root), "--scope", "user:me", "--json",
    )  # fmt: skip


def content(root):
    """What is there now, by another process."""
    ended = call(NEOSIAN, "memory", "view", "/memories/a", "--root", str(root), "--scope", "user:me")
    assert ended.returncode in (0, 5)
    return ended.stdout or None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_committed_tells_the_truth(tmp_path, number):
    seen = []
    for step in range(1, MOST_STEPS):
        root = tmp_path / str(step)
        ended = write_struck(root, step, number)
        if ended.returncode == 0:
            assert json.loads(ended.stdout)["version"] == 1
            break
        assert ended.returncode == 128 + number
        assert ended.stdout == b""
        error = json.loads(ended.stderr)["error"]
        assert error["code"] == "interrupted"
        committed = error["details"]["committed"]
        assert content(root) == (b"body" if committed else None)
        seen.append(committed)
    else:
        pytest.fail("the write never came to its end")
    assert seen == sorted(seen), "once committed, always committed"
    assert {False, True} == set(seen)
