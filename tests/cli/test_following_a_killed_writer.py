"""A shell script follows a feed with a checkpoint while writers are killed: it misses nothing and doubles nothing."""

from __future__ import annotations

import json
import random
import signal
import sys
import time

from tests.cli.process import NEOSIAN, call, start
from tests.samples import SCOPE

CONSUMER = f"""
set -euo pipefail
neosian() {{ {sys.executable} -m neosian_cli "$@"; }}
at_the_head() {{
    head=$(neosian changes status --json | pick head)
    [ "$head" = "$(neosian changes checkpoint job.cursor --json | pick sequence)" ]
}}
until [ -e "$DONE" ] && at_the_head; do
    neosian changes read --checkpoint job.cursor --jsonl > page
    # The work: every event of the page, once.
    grep '"type":"event"' page >> seen || true
    neosian changes checkpoint job.cursor --advance "$(pick cursor < page)"
done
"""

HELPERS = f"""
pick() {{ {sys.executable} -c "import json,sys; print(json.loads(sys.stdin.readlines()[-1])['$1'])"; }}
"""


def events_of(root):
    done = call(NEOSIAN, "changes", "read", "--root", root, "--scope", SCOPE, "--all", "--jsonl")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [line["id"] for line in lines if line["type"] == "event"], lines[-1]["cursor"]


def test_a_script_misses_and_doubles_nothing(tmp_path):
    root = str(tmp_path / "store")
    where = {"NEOSIAN_ROOT": root, "NEOSIAN_SCOPE": SCOPE}
    first = call(NEOSIAN, "memory", "write", "/memories/a", "--content", "begin", env=where)
    assert first.returncode == 0, first.stderr
    page = call(NEOSIAN, "changes", "read", "--limit", "1", "--json", env=where)
    (tmp_path / "job.cursor").write_text(json.loads(page.stdout)["earliest_cursor"] + "\n")
    (tmp_path / "script.sh").write_text(HELPERS + CONSUMER)
    done = tmp_path / "done"
    script = start(("bash", "-c", f"cd '{tmp_path}' && . ./script.sh"), env={**where, "DONE": str(done)})

    seed = random.Random(7)
    answered = 1
    for number in range(30):
        writer = start(NEOSIAN, "memory", "write", f"/memories/{number % 3}", "--content", str(number), env=where)
        if number % 3 == 0:
            assert writer.wait(60) == 0
            answered += 1
        else:
            time.sleep(seed.uniform(0.05, 0.3))
            writer.send_signal(signal.SIGKILL)
            answered += writer.wait(60) == 0
        writer.communicate()
    done.touch()
    _, told = script.communicate(timeout=120)
    assert script.returncode == 0, told

    expected, _ = events_of(root)
    seen = [json.loads(line)["id"] for line in (tmp_path / "seen").read_text().splitlines()]
    assert seen == expected
    assert len(expected) >= answered + 1
    assert call(NEOSIAN, "verify", "--root", root).returncode == 0


def test_following_streams_the_same_events(tmp_path):
    """`--follow` in a pipe beside writers that are killed at random moments."""
    root = str(tmp_path / "store")
    where = {"NEOSIAN_ROOT": root, "NEOSIAN_SCOPE": SCOPE}
    assert call(NEOSIAN, "memory", "write", "/memories/a", "--content", "begin", env=where).returncode == 0
    follower = start(NEOSIAN, "changes", "read", "--follow", "--interval", "0.05", "--jsonl", env=where)
    seed = random.Random(11)
    for number in range(20):
        writer = start(NEOSIAN, "memory", "write", "/memories/a", "--content", str(number), env=where)
        time.sleep(seed.uniform(0.1, 0.3))
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
    assert call(NEOSIAN, "memory", "write", "/memories/end", "--content", "end", env=where).returncode == 0
    expected, cursor = events_of(root)
    lines = []
    while len(lines) < len(expected):
        lines.append(json.loads(follower.stdout.readline()))
    follower.send_signal(signal.SIGTERM)
    rest, _ = follower.communicate(timeout=30)
    assert follower.returncode == 143
    (last,) = (json.loads(line) for line in rest.splitlines())
    assert [line["id"] for line in lines] == expected
    assert (last["type"], last["cursor"]) == ("page", cursor)
