"""What people see of the feed: on a terminal, in a pipe, and in a gap."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.cli import process
from tests.cli.feed import MOUNT, Feed
from tests.cli.process import NEOSIAN, TOP, environment


@pytest.fixture
def feed(tmp_path):
    feed = Feed(tmp_path / "store")
    feed.write("notes/a", "b")
    feed.json("rename", f"{MOUNT}/b", f"{MOUNT}/c", group="memory")
    return feed


def on_terminal(feed, *words, width=80, **env):
    """What a terminal of that width is sent, and the exit status."""
    command = [*NEOSIAN, *feed.words("changes", *words)]
    return process.on_terminal(command, width=width, cwd=TOP, env=environment(**env), stdin=subprocess.DEVNULL)


def again(feed, verb):
    """A command in a hint, with the options that found the store."""
    return f"neosian {verb} --root {feed.root} --scope {feed.scope} {MOUNT}"


def in_pipe(feed, *words, status=0):
    done = feed.run(*words)
    assert done.returncode == status, done.stderr
    return done.stdout.decode(), done.stderr.decode()


def test_rows_in_a_pipe(feed):
    out, err = in_pipe(feed, "read")
    rows = [line.split("\t") for line in out.splitlines()]
    times = [row.pop(3) for row in rows]
    assert rows == [
        ["1", "scope_reset", "", "tracking_started"],
        ["2", "created", "1", f"{MOUNT}/notes/a"],
        ["3", "created", "1", f"{MOUNT}/b"],
        ["4", "renamed", "1", f"{MOUNT}/b -> {MOUNT}/c"],
    ]
    assert times == [event["created_at"] for event in feed.read()["events"]]
    assert feed.cursor(4) in err
    assert "\x1b" not in out + err
    assert in_pipe(feed, "read", "--quiet") == (out, "")


@pytest.mark.parametrize("width", [80, 140])
def test_a_table_on_a_terminal(feed, width):
    shown, status = on_terminal(feed, "read", width=width, NO_COLOR="1")
    head, *rows = shown.splitlines()
    assert status == 0
    assert head.split() == ["seq", "what", "version", "when", "path"]
    assert rows[-1] == f"cursor {feed.cursor(4)} (the end for now)"
    assert all(len(row) <= width for row in rows[:4])
    assert "\x1b" not in shown


def test_colour_on_a_terminal(feed):
    assert "\x1b[32mcreated" in on_terminal(feed, "read")[0]
    assert "\x1b" not in on_terminal(feed, "read", TERM="dumb")[0]


def test_there_is_more(feed):
    shown, _ = on_terminal(feed, "read", "--limit", "2", NO_COLOR="1")
    assert f"hint: {again(feed, 'changes read')} --cursor {feed.cursor(2)}" in shown.replace("\n", "")


def test_nothing_new(feed):
    out, err = in_pipe(feed, "read", "--from", "now")
    assert out == ""
    assert f"nothing new in {MOUNT}" in err


class TestAGap:
    """Every kind tells a person what to type next."""

    def test_untracked(self, tmp_path):
        out, err = in_pipe(Feed(tmp_path / "none"), "read", status=3)
        assert out == "gap\tuntracked\n"
        assert "hint: the first write begins the feed: neosian memory write" in err

    def test_retention(self, feed):
        cursor = feed.cursor(1)
        feed.prune(2)
        out, err = in_pipe(feed, "read", "--cursor", cursor, status=3)
        assert out.splitlines()[0] == "gap\tretention"
        assert out.splitlines()[-1] == f"cursor\t{feed.cursor(2)}"
        assert again(feed, "changes snapshot") in err
        assert f"{again(feed, 'changes read')} --cursor" in err
        assert on_terminal(feed, "read", "--cursor", cursor)[1] == 3

    def test_stream_reset_with_a_file(self, feed, tmp_path):
        file = tmp_path / "my place"
        file.write_text(feed.cursor(2))
        shutil.rmtree(feed.changes)
        feed.write("x")
        _, err = in_pipe(feed, "read", "--checkpoint", str(file), status=3)
        saving = again(feed, "changes checkpoint").removesuffix(MOUNT)
        assert f"{saving}'{file}' {MOUNT} --advance CURSOR --force" in err
        assert "neosian changes snapshot" in err
        assert in_pipe(feed, "read", "--checkpoint", str(file), "--quiet", status=3)[1] == ""


def test_streams_of_rows(feed):
    out, err = in_pipe(feed, "read", "--all", "--limit", "1")
    lines = out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["1", "2", "3", "4", "cursor"]
    assert err == "", "the cursor stands in the result already"
    for words in (["--follow", "--timeout", "0"], ["--all", "--limit", "2"]):
        shown, status = on_terminal(feed, "read", *words, NO_COLOR="1")
        assert status == 0
        assert [line.split()[0] for line in shown.splitlines()] == ["seq", "1", "2", "3", "4", "cursor"]


def test_bars(feed):
    feed.write_many("c", 30)
    for width in (80, 140):
        shown, status = on_terminal(feed, "stats", width=width, NO_COLOR="1")
        bar, gap, short, legend, empty, *paths = shown.splitlines()
        assert gap.strip().startswith("⋮")
        assert gap.endswith("days without events"), "time runs evenly"
        assert status == 0
        assert len(bar) <= width
        assert len(bar) >= width - 4
        assert bar.count("m") > bar.count("c") > 0
        assert short.split()[1:] == ["1", "r" * short.count("r")]
        words = "34 events c 2 created m 30 modified s 1 scope_reset r 1 renamed"
        assert " ".join(legend.split()) == words
        assert empty == ""
        assert paths[0].split() == ["path", "events"]
        assert paths[1].split()[:2] == [f"{MOUNT}/c", "31"]
        assert paths[1].count("█") > paths[2].count("█") > 0
    assert "\x1b[34m█" in on_terminal(feed, "stats")[0]
    out, _ = in_pipe(feed, "stats")
    counts, busiest = out.split("\n\n")
    assert {line.split("\t")[0] for line in counts.splitlines()} == {
        bucket["start"] for bucket in feed.json("stats")["buckets"]
    }
    assert [line.split("\t")[1:] for line in counts.splitlines()] == [
        ["created", "2"], ["modified", "30"], ["scope_reset", "1"], ["renamed", "1"],
    ]  # fmt: skip
    assert busiest.splitlines()[0] == f"{MOUNT}/c\t31"


def test_a_preview(feed):
    out, err = in_pipe(feed, "prune", "--through", feed.cursor(2))
    assert out.startswith(f"would remove 2 events of {MOUNT}\n")
    note, hint = err.splitlines()
    assert "nothing was changed" in note
    assert "--write" in hint
    out, err = in_pipe(feed, "prune", "--through", feed.cursor(0))
    assert (out.splitlines()[0], err) == (f"would remove 0 events of {MOUNT}", ""), "there is nothing to do"
    out, err = in_pipe(feed, "prune", "--through", feed.cursor(2), "--write")
    assert out.startswith("removed 2 events")
    assert err == ""


def test_status_and_checkpoint(feed, tmp_path):
    file = tmp_path / "place"
    file.write_text(feed.cursor(1))
    out, _ = in_pipe(feed, "status", "--checkpoint", str(file))
    assert "head\t4\n" in out
    assert out.splitlines()[-1] == f"{file}\t1\t3\t1\tok"
    shown, _ = on_terminal(feed, "status", "--checkpoint", str(file), NO_COLOR="1")
    assert " ok\n" in shown
    out, _ = in_pipe(feed, "checkpoint", str(file))
    assert "behind by\t3\n" in out


def test_verify(feed):
    out, _ = in_pipe(feed, "verify")
    assert out == f"ok  {MOUNT}: 4 events, 1 to 4\n"
    next(feed.changes.glob("*.seg")).write_bytes(b"x\n")
    out, err = in_pipe(feed, "verify", status=9)
    assert out.startswith("feed_corrupt  scopes/")
    assert "hint: " in err


def test_snapshot(feed):
    out, err = in_pipe(feed, "snapshot")
    assert out == f"{MOUNT}/c\t1\n{MOUNT}/notes/a\t1\ncursor\t{feed.cursor(4)}\n"
    assert f"{again(feed, 'changes read')} --cursor {feed.cursor(4)}" in err
    shown, _ = on_terminal(feed, "snapshot", NO_COLOR="1")
    assert shown.startswith(f"version  path\n      1  {MOUNT}/c\n")


def test_a_refused_cursor(feed):
    _, err = in_pipe(feed, "read", "--cursor", "nonsense\x1b[31m", status=2)
    assert err.splitlines() == [
        "neosian: the cursor is not a cursor",
        "hint: pass a cursor back exactly as it was printed",
    ]
