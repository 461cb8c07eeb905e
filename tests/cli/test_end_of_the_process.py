"""The process ends as soon as the run has: nothing is lost by it, and who looks on still sees the whole end."""

from __future__ import annotations

import os
import sys

import pytest

from neosian_cli import __version__
from tests.cli.process import call

PROGRAM = """
import atexit, sys
atexit.register(lambda: print("taken apart"))
print("before")
{first}
sys.argv = ["neosian", *{words}]
from neosian_cli.__main__ import main
main()
"""
VERSION = f"neosian {__version__}\n".encode()


def run(first: str = "", words: tuple[str, ...] = ("version",), **env: str):
    return call((sys.executable, "-c", PROGRAM.format(first=first, words=list(words))), env=env)


def test_it_is_not_taken_apart_and_loses_nothing():
    done = run()
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(done.stdout.splitlines(keepends=True)) == sorted([b"before\n", VERSION])


def test_its_status_is_the_runs(tmp_path):
    done = run(words=("memory", "view", "/memories/a", "--scope", "user:me", "--root", str(tmp_path / "none")))
    assert done.returncode == 5
    assert b"no document" in done.stderr


@pytest.mark.parametrize("first", ["sys.setprofile(lambda *_: None)", "sys.settrace(lambda *_: None)"])
def test_who_looks_on_sees_the_end(first):
    assert run(first).stdout.endswith(b"taken apart\n")


def test_debugging_sees_the_end():
    assert run(NEOSIAN_DEBUG="1").stdout.endswith(b"taken apart\n")
    assert b"taken apart" not in run(NEOSIAN_DEBUG="0").stdout


@pytest.mark.parametrize(
    "first",
    ["sys.stdout.flush(); sys.stdout = None", "sys.stdout.close()", "sys.stderr = None; sys.stdout.flush()"],
)
def test_streams_that_are_gone_are_no_matter(first):
    done = run(first)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_what_others_have_left_in_a_stream_that_takes_nothing():
    """What is ours is written by the run, which says so where it cannot; the rest is nobody's error."""
    with open("/dev/full", "wb") as full:
        done = call((sys.executable, "-c", PROGRAM.format(first="", words=["version"])), stdout=full)
    assert done.returncode == 74
    assert b"neosian: " in done.stderr
    assert b"Exception ignored" not in done.stderr
