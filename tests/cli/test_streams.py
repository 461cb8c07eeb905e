"""Streams that close, fill up or are not there."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from tests.cli.process import NEOSIAN, PLAYGROUND, TOP, call, environment, start

BIG = str(4 << 20)
NO_NOISE = (b"Traceback", b"Exception ignored", b"BrokenPipe")


def ended_early(*words, program=PLAYGROUND):
    """The status and stderr of a child whose reader goes after one byte."""
    with start(program, *words) as child:
        child.stdout.read(1)
        child.stdout.close()
        told = child.stderr.read()
    assert not any(noise in told for noise in NO_NOISE)
    return child.wait(60), told


def shell(line, program=PLAYGROUND):
    """A child under a shell, for what only a shell's redirection does."""
    command = line.replace("PROGRAM", " ".join(program))
    return subprocess.run(
        ["sh", "-c", command], env=environment(), cwd=TOP, capture_output=True, check=False, timeout=60
    )


def test_a_reader_that_has_seen_enough():
    assert ended_early("play", "look", "--size", BIG) == (0, b"")
    assert ended_early("play", "look", "--size", BIG, "--json") == (0, b"")
    assert ended_early("play", "follow", "--jsonl") == (0, b"")


def test_a_preview_is_a_reading_verb():
    assert ended_early("play", "prune", "--size", BIG)[0] == 0


@pytest.mark.parametrize("words", [("change",), ("prune", "--write")])
def test_a_mutation_whose_result_nobody_takes(words):
    status, told = ended_early("play", *words, "--size", BIG, "--json")
    assert status == 74
    error = json.loads(told)["error"]
    assert (error["code"], error["details"]["committed"]) == ("output_failed", True)


def test_a_small_result_into_a_closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert call(PLAYGROUND, "play", "look", stdout=writer).returncode == 0
        assert call(NEOSIAN, "--version", stdout=writer).returncode == 0
        assert call(NEOSIAN, "--help", stdout=writer).returncode == 0
        ended = call(PLAYGROUND, "play", "change", stdout=writer)
    finally:
        os.close(writer)
    assert ended.returncode == 74
    assert ended.stderr.decode().startswith("neosian: the reader of the result has gone")


@pytest.mark.parametrize(
    ("line", "committed"),
    [
        ("PROGRAM play look --json >/dev/full", False),
        ("PROGRAM play change --json >/dev/full", True),
        ("PROGRAM play prune --write --json >/dev/full", True),
        ("PROGRAM play follow --jsonl >/dev/full", False),
        ("PROGRAM play look --json >&-", False),
        ("PROGRAM play change --json >&-", True),
    ],
)
def test_a_result_that_cannot_be_written(line, committed):
    ended = shell(line)
    assert ended.returncode == 74
    error = json.loads(ended.stderr)["error"]
    assert (error["code"], error["details"]["committed"]) == ("output_failed", committed)


@pytest.mark.parametrize("line", ["PROGRAM --version >/dev/full", "PROGRAM --version >&-", "PROGRAM --help >/dev/full"])
def test_even_the_version_tells_of_it(line):
    ended = shell(line, NEOSIAN)
    assert ended.returncode == 74
    assert ended.stderr.startswith(b"neosian: the result could not be written: ")
    assert ended.stderr.count(b"\n") == 1


def test_a_file_opened_later_does_not_take_the_place_of_a_closed_stream(tmp_path):
    file = tmp_path / "content"
    file.write_text("body")
    ended = shell(f"PROGRAM play show --content @{file} --json >&-")
    assert ended.returncode == 74
    assert file.read_text() == "body"


def test_a_closed_stderr_changes_nothing():
    assert shell("PROGRAM play fail failure 2>&-").returncode == 4
    assert shell("PROGRAM play look 2>&-").stdout == b"x" * 10 + b"\n"
    assert shell("PROGRAM play look 2>/dev/full").returncode == 0
    assert shell("PROGRAM play fail failure 2>/dev/full").returncode == 4
    assert shell("PROGRAM play fail failure >&- 2>&-").returncode == 4


def test_a_closed_stdin():
    assert shell("PROGRAM play look <&-").returncode == 0
    assert shell("PROGRAM play show --content - --json <&-").returncode == 2


def test_a_pipe_that_does_not_block():
    """A parent may have set it so; the end has to wait all the same."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with subprocess.Popen(
        [*PLAYGROUND, "play", "look", "--size", BIG], env=environment(), cwd=TOP, stdout=writer
    ) as other:
        os.close(writer)
        with open(reader, "rb") as source:
            assert len(source.read()) == int(BIG) + 1
    assert other.returncode == 0


def test_colour_follows_the_environment():
    assert b"\x1b[" not in call(PLAYGROUND, "play", "fail", "failure").stderr
    forced = call(PLAYGROUND, "play", "fail", "failure", env={"FORCE_COLOR": "1"})
    assert forced.stderr.startswith(b"\x1b[1;31mneosian:\x1b[0m ")
    both = call(PLAYGROUND, "play", "fail", "failure", env={"FORCE_COLOR": "1", "NO_COLOR": "1", "CI": "1"})
    assert b"\x1b[" not in both.stderr
    assert b"\x1b[" not in call(PLAYGROUND, "--help", env={"FORCE_COLOR": "1", "GITHUB_ACTIONS": "true"}).stdout


def test_a_person_is_told_whether_the_change_is_made(tmp_path):
    with open("/dev/full", "wb") as full:
        where = ("--scope", "user:me", "--root", str(tmp_path / "store"))
        ended = call(NEOSIAN, "memory", "write", "/memories/a", "--content", "x", *where, stdout=full)
    assert (ended.returncode, ended.stderr.decode()) == (
        74,
        "neosian: the result could not be written: No space left on device; the change is made\n",
    )
