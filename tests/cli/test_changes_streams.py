"""All pages, and pages without end, as a shell reads them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading

import pytest

from tests.cli.feed import Feed
from tests.cli.process import environment
from tests.samples import open_store

LONG = "60"
QUICK = ("--interval", "0.02")


@pytest.fixture
def feed(tmp_path):
    feed = Feed(tmp_path / "store")
    feed.write("a", "b", "c")
    return feed


def check_lines(lines, numbers):
    """Events with these numbers, then a page; gives the page."""
    *events, page = lines
    assert [event["type"] for event in events] == ["event"] * len(events)
    assert [event["sequence"] for event in events] == list(numbers)
    assert page["type"] == "page"
    assert "events" not in page
    return page


def test_lines_of_a_page(feed):
    whole = feed.read("--limit", "3")
    page = check_lines(feed.lines("read", "--limit", "3"), [1, 2, 3])
    assert list(page)[1:] == [key for key in whole if key != "events"]
    assert page["cursor"] == feed.cursor(3)
    assert page["has_more"] is True


def test_lines_of_a_gap(feed):
    cursor = feed.cursor(1)
    feed.prune(2)
    page = check_lines(feed.lines("read", "--cursor", cursor, status=3), [])
    assert page["gap"] == "retention"


@pytest.mark.parametrize("limit", ["1", "2", "3", "100"])
def test_all_pages(feed, limit):
    page = check_lines(feed.lines("read", "--all", "--limit", limit), [1, 2, 3, 4])
    assert (page["cursor"], page["has_more"]) == (feed.cursor(4), False)


def test_all_pages_from_a_cursor_and_from_the_head(feed):
    check_lines(feed.lines("read", "--all", "--cursor", feed.cursor(2)), [3, 4])
    assert check_lines(feed.lines("read", "--all", "--cursor", feed.cursor(4)), [])["cursor"] == feed.cursor(4)
    check_lines(feed.lines("read", "--all", "--from", "now"), [])


def test_all_pages_over_the_ends_of_segments(feed):
    feed.write_many("d", 9_000)
    page = check_lines(feed.lines("read", "--all"), range(1, 9_005))
    assert page["cursor"] == feed.cursor(9_004)


def test_all_pages_of_nothing(tmp_path):
    page = check_lines(Feed(tmp_path / "none").lines("read", "--all", status=3), [])
    assert (page["gap"], page["cursor"]) == ("untracked", None)


@pytest.mark.parametrize("option", ["--all", "--follow"])
def test_streams_are_lines(feed, option):
    error = feed.refused("read", option, status=2, code="usage")
    assert "--jsonl" in error["message"]


@pytest.mark.parametrize(
    "words",
    [("--all", "--follow"), ("--interval", "1"), ("--timeout", "1"), ("--auto-advance",), ("--json", "--jsonl"),
     ("--follow", "--interval", "0"), ("--follow", "--timeout", "-1")],
    ids=" ".join,
)  # fmt: skip
def test_options_that_do_not_go_together(feed, words):
    done = feed.run("read", *words)
    assert (done.returncode, done.stdout) == (2, b"")


def drained(child):
    """What is left in the pipes of a child that ends by itself."""
    with child.stdout, child.stderr:
        lines = [json.loads(line) for line in child.stdout]
        err = child.stderr.read()
    child.wait(timeout=60)
    return lines, err


def test_all_pages_overtaken_by_a_prune(feed):
    """The reader does not read: the writer of the pipe waits, while the rest is pruned."""
    feed.write_many("d", 3_000)
    head = feed.cursor(3_004)
    child = feed.start("read", "--all", "--jsonl", "--limit", "1")
    first = json.loads(child.stdout.readline())
    assert feed.json("prune", "--through", head, "--write")["count"] == 3_004
    lines, err = drained(child)
    assert child.returncode == 3, err
    page = check_lines([first, *lines], range(1, len(lines) + 1))
    assert len(lines) < 3_004
    assert (page["gap"], page["cursor"], page["earliest_cursor"]) == ("retention", head, head)


def check_quiet_end(child):
    """The reader goes away."""
    child.stdout.close()
    with child.stderr:
        assert child.wait(timeout=60) == 0
        assert child.stderr.read() == b""


@pytest.mark.parametrize("words", [("--all",), ("--follow",)], ids=" ".join)
def test_a_closed_pipe_ends_it_quietly(feed, words):
    feed.write_many("d", 3_000)
    child = feed.start("read", *words, "--jsonl")
    child.stdout.readline()
    check_quiet_end(child)


def test_a_pipe_that_closes_while_nothing_happens(feed):
    child = feed.start("read", "--follow", "--jsonl", "--interval", LONG)
    for _ in range(4):
        child.stdout.readline()
    check_quiet_end(child)


class Follower:
    """A `read --follow` that runs beside the test."""

    def __init__(self, feed, *words, **more):
        self.child = feed.start("read", "--follow", "--jsonl", *words, **more)
        self.lines = []

    def next(self):
        self.lines.append(json.loads(self.child.stdout.readline()))
        return self.lines[-1]

    def until(self, sequence):
        while self.next()["sequence"] != sequence:
            pass

    def end(self, number=None):
        """Its lines, after a signal or when it ends by itself."""
        if number is not None:
            self.child.send_signal(number)
        lines, self.err = drained(self.child)
        return [*self.lines, *lines]

    @property
    def status(self):
        return self.child.returncode


@pytest.fixture
def follow(feed):
    started = []

    def start(*words, **more):
        started.append(Follower(feed, *words, **more))
        return started[-1]

    yield start
    for follower in started:
        if follower.child.poll() is None:
            follower.child.kill()
            drained(follower.child)


def test_events_come_one_by_one_in_a_pipe(feed, follow):
    follower = follow(*QUICK)
    follower.until(4)
    for path, sequence in (("x", 5), ("y", 6), ("x", 7)):
        feed.write(path)
        event = follower.next()
        assert (event["type"], event["sequence"], event["reference"]) == ("event", sequence, f"/memories/{path}")
    page = check_lines(follower.end(signal.SIGINT), range(1, 8))
    assert (follower.status, page["cursor"], page["gap"]) == (130, feed.cursor(7), None)
    assert json.loads(follower.err)["error"]["code"] == "interrupted"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_it_with_a_page(feed, follow, number, status):
    follower = follow("--cursor", feed.cursor(3), "--interval", LONG)
    follower.until(4)
    page = check_lines(follower.end(number), [4])
    assert (follower.status, page["cursor"], page["has_more"]) == (status, feed.cursor(4), False)


def test_a_signal_in_the_middle_of_a_page_of_events(feed, follow):
    """Nobody reads, so it waits within a page; the last page says what has been written out, no more and no less."""
    feed.write_many("d", 3_000)
    follower = follow("--limit", "100")
    follower.until(1)
    lines = follower.end(signal.SIGTERM)
    page = check_lines(lines, range(1, len(lines)))
    assert follower.status == 143
    assert 1 <= len(lines) - 1 < 3_004
    assert page["cursor"] == feed.cursor(len(lines) - 1)
    assert page["has_more"] is True


def test_the_time_ends_it(feed):
    lines = feed.lines("read", "--follow", "--timeout", "0.2", *QUICK)
    assert check_lines(lines, [1, 2, 3, 4])["cursor"] == feed.cursor(4)


def test_no_time_at_all_is_one_look(feed):
    check_lines(feed.lines("read", "--follow", "--timeout", "0"), [1, 2, 3, 4])


def test_the_time_is_total(feed, follow):
    """Events that keep coming do not make it longer: the writer stops only when the reader has ended."""
    follower = follow("--timeout", "2", *QUICK)
    follower.until(4)
    ended = threading.Event()

    def keep_writing():
        while not ended.is_set():
            feed.write("x")

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        lines = follower.end()
    finally:
        ended.set()
        writer.join()
    assert follower.status == 0
    check_lines(lines, range(1, len(lines)))


def test_it_begins_at_the_cursor(feed, follow):
    follower = follow("--cursor", feed.cursor(2), *QUICK)
    follower.until(4)
    check_lines(follower.end(signal.SIGINT), [3, 4])


def test_it_ends_with_a_gap(feed, follow):
    cursor = feed.cursor(1)
    feed.prune(2)
    page = check_lines(feed.lines("read", "--follow", "--cursor", cursor, status=3), [])
    assert page["gap"] == "retention"
    page = check_lines(feed.lines("read", "--follow", "--cursor", cursor, "--gap-ok"), [])
    assert page["gap"] == "retention"


def test_nothing_to_follow(tmp_path):
    assert Feed(tmp_path / "none").lines("read", "--follow", status=3)[-1]["gap"] == "untracked"


def test_it_goes_on_over_a_prune(feed, follow):
    follower = follow(*QUICK)
    follower.until(4)
    feed.prune(4)
    feed.write("x")
    assert follower.next()["sequence"] == 5
    page = check_lines(follower.end(signal.SIGINT), range(1, 6))
    assert page["earliest_cursor"] == feed.cursor(4)


def test_it_goes_on_over_a_new_segment(feed, follow):
    feed.write_many("d", 4_090)
    follower = follow("--cursor", feed.cursor(4_094), *QUICK)
    feed.write("x", "y", "z")
    follower.until(4_097)
    assert len(list(feed.changes.glob("*.seg"))) == 2
    check_lines(follower.end(signal.SIGINT), [4_095, 4_096, 4_097])


def test_a_prune_that_overtakes_it_is_a_gap(feed, follow):
    """It waits for its reader in the middle of a page, while everything after it is pruned."""
    feed.write_many("d", 3_000)
    head = feed.cursor(3_004)
    follower = follow("--limit", "1")
    follower.until(1)
    feed.json("prune", "--through", head, "--write")
    lines = follower.end()
    page = check_lines(lines, range(1, len(lines)))
    assert (follower.status, page["gap"], page["cursor"]) == (3, "retention", head)


def test_a_held_lock_is_waited_out(feed, follow):
    with open_store(feed.root).held():
        follower = follow("--lock-timeout", "0", *QUICK)
        # It cannot have printed anything, however long it has run.
        assert follower.child.poll() is None
    follower.until(4)
    feed.write("x")
    assert follower.next()["sequence"] == 5
    check_lines(follower.end(signal.SIGINT), range(1, 6))


def test_a_lock_that_is_held_to_the_end_of_the_time(feed):
    with open_store(feed.root).held():
        done = feed.run("read", "--follow", "--jsonl", "--timeout", "0.2", "--lock-timeout", "0", *QUICK)
    assert (done.returncode, done.stdout) == (8, b"")
    assert json.loads(done.stderr)["error"]["code"] == "locked"


KILLED = """
import os, sys
from neosian_cli.disk.calls import Calls
from tests.samples import open_store, write

class Killed(Calls):
    def rename(self, name, directory, new_name, new_directory):
        super().rename(name, directory, new_name, new_directory)
        self.committed = new_name == "pending.json"

    def create(self, name, directory):
        if getattr(self, "committed", False):
            os.kill(os.getpid(), 9)
        return super().create(name, directory)

write(open_store(sys.argv[1], calls=Killed()), "last", "words")
"""


def test_a_writer_that_is_killed_between_commit_and_completion(feed, follow):
    """The follower finishes the mutation, and shows its event once."""
    follower = follow(*QUICK)
    follower.until(4)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(feed.root)], env=environment(), check=False)
    assert killed.returncode == -signal.SIGKILL
    event = follower.next()
    assert (event["sequence"], event["path"]) == (5, "last")
    assert not (feed.root / ".transactions" / "pending.json").exists()
    feed.write("x")
    assert follower.next()["sequence"] == 6
    check_lines(follower.end(signal.SIGINT), range(1, 7))


def test_nothing_is_missed_or_doubled_while_writers_are_killed(feed, tmp_path):
    """A consumer that saves its place, and writers that die anywhere between commit and completion."""
    file = tmp_path / "place"
    seen = []
    for round_ in range(6):
        if round_ % 2:
            subprocess.run([sys.executable, "-c", KILLED, str(feed.root)], env=environment(), check=False)
        else:
            feed.write(f"round-{round_}")
        lines = feed.lines("read", "--checkpoint", str(file), "--from", "start", "--all", "--auto-advance")
        seen += [line["sequence"] for line in lines[:-1]]
    assert seen == list(range(1, 11))


def test_a_refused_plan_ends_it(feed, follow):
    follower = follow(*QUICK)
    follower.until(4)
    plan = feed.root / ".transactions" / "pending.json"
    plan.write_text("nonsense")
    plan.chmod(0o600)
    check = follower.end()
    assert follower.status == 9
    assert json.loads(follower.err)["error"]["code"] == "plan_refused"
    assert [line["type"] for line in check] == ["event"] * 4


def test_on_a_full_disk(feed):
    with open("/dev/full", "wb") as full:
        done = feed.run("read", "--all", "--jsonl", stdout=full)
    assert done.returncode == 74


def test_a_page_on_a_terminal_is_flushed_too(feed):
    """The rows for people come one by one as well."""
    child = feed.start("read", "--follow", *QUICK)
    rows = [child.stdout.readline().decode().split("\t") for _ in range(4)]
    feed.write("x")
    rows.append(child.stdout.readline().decode().split("\t"))
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    child.send_signal(signal.SIGINT)
    with child.stdout, child.stderr:
        assert child.stdout.read().decode() == f"cursor\t{feed.cursor(5)}\n"
    assert child.wait(timeout=60) == 130
