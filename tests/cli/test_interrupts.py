"""Ctrl-C, SIGTERM and SIGHUP, at a child that says when it has begun."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess

import pytest

from tests.cli.process import PLAYGROUND, TOP, environment, start

STATUSES = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]


def begun(*words, **more):
    child = start(PLAYGROUND, "play", "wait", *words, **more)
    assert child.stderr.readline() == b"begun\n"
    return child


def stopped(child):
    out, told = child.communicate(timeout=60)
    assert out == b""
    return child.returncode, told


@pytest.mark.parametrize(("number", "status"), STATUSES)
@pytest.mark.parametrize(("flags", "committed"), [((), False), (("--committed",), True), (("--uncertain",), "unknown")])
def test_each_has_its_status_and_tells_of_the_commit(number, status, flags, committed):
    child = begun("--json", *flags)
    child.send_signal(number)
    ended, told = stopped(child)
    error = json.loads(told)["error"]
    assert (ended, error["exit_status"], error["code"]) == (status, status, "interrupted")
    assert error["details"] == {"signal": number.name, "committed": committed}


def test_people_are_told_in_two_lines():
    child = begun()
    child.send_signal(signal.SIGINT)
    assert stopped(child) == (
        130,
        b"neosian: stopped by SIGINT; nothing was changed\nhint: the same command begins anew\n",
    )


def test_what_the_parent_ignores_stays_ignored():
    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    child = begun(preexec_fn=ignore)
    child.send_signal(signal.SIGHUP)
    child.send_signal(signal.SIGTERM)
    assert stopped(child)[0] == 143


@pytest.mark.parametrize(("number", "status"), STATUSES)
@pytest.mark.parametrize("pad", ["10", "100000"])
def test_a_stream_ends_with_a_whole_line(number, status, pad):
    child = start(PLAYGROUND, "play", "follow", "--jsonl", "--pad", pad, bufsize=0)
    lines = [child.stdout.readline() for _ in range(3)]
    child.send_signal(number)
    rest, told = child.communicate(timeout=60)
    assert child.returncode == status
    assert rest.endswith(b"\n")
    values = [json.loads(line) for line in [*lines, *rest.splitlines()]]
    assert [value["type"] for value in values] == ["event"] * (len(values) - 1) + ["page"]
    assert [value["number"] for value in values[:-1]] == list(range(1, len(values)))
    assert json.loads(told.splitlines()[-1])["error"]["code"] == "interrupted"


def test_a_slow_stream_ends_so_too():
    child = start(PLAYGROUND, "play", "follow", "--jsonl", "--slow", bufsize=0)
    child.stdout.readline()
    child.send_signal(signal.SIGTERM)
    rest, _ = child.communicate(timeout=60)
    assert child.returncode == 143
    assert json.loads(rest.splitlines()[-1])["type"] == "page"


def test_a_reader_that_takes_nothing_does_not_hold_it_up():
    child = start(PLAYGROUND, "play", "follow", "--jsonl", "--pad", "1000")
    child.stdout.readline()
    # The pipe is full by now or soon; nobody reads on until the child has gone.
    child.send_signal(signal.SIGTERM)
    assert child.wait(60) == 143
    child.communicate()


def test_a_signal_while_modules_are_loaded_shows_no_traceback():
    """Stopped anywhere between start and end: one of two statuses, and never a traceback."""
    for wait in (0.0, 0.01, 0.02, 0.03, 0.05, 0.08):
        child = start(PLAYGROUND, "play", "look", "--json", bufsize=0)
        try:
            child.wait(wait)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGTERM)
        out, told = child.communicate(timeout=60)
        assert child.returncode in (0, 143, -signal.SIGTERM)
        assert b"Traceback" not in told
        assert child.returncode == 0 or out == b""


def test_progress_on_a_terminal_and_nothing_left_of_it():
    """Long work shows itself on a terminal, and takes itself away."""
    parent, child_end = pty.openpty()
    with subprocess.Popen(
        [*PLAYGROUND, "play", "work"], env=environment(), cwd=TOP, stdout=subprocess.PIPE, stderr=child_end
    ) as child:
        os.close(child_end)
        shown = b""
        while True:
            try:
                piece = os.read(parent, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert child.stdout.read() == b"done\n"
    os.close(parent)
    assert b"working" in shown
    assert child.returncode == 0
