"""The door within the process of the test: its streams are files."""

import json
import os

import pytest

from neosian_cli.app import main
from neosian_cli.signals import Interrupted, Signals
from neosian_cli.surroundings import Surroundings
from tests.cli import playground
from tests.cli.playground import ENTRIES


@pytest.fixture
def door(tmp_path):
    """A call of the door; answers status, stdout and stderr."""

    def run(*argv, env=None, stdout=None, closed=frozenset()):
        out = os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        err = os.open(tmp_path / "err", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        given = Surroundings(
            env or {}, stdout=out if stdout is None else stdout, stderr=err, closed=frozenset(closed), now=lambda: 0
        )
        try:
            status = main(argv, given, Signals(), ENTRIES)
        finally:
            os.close(out)
            os.close(err)
        return status, (tmp_path / "out").read_text(), (tmp_path / "err").read_text()

    return run


def test_results(door):
    assert door("play", "look", "-q") == (0, "x" * 10 + "\n", "")
    assert door("play", "look") == (0, "x" * 10 + "\n", "neosian: that was all\nhint: neosian look again\n")
    assert door("play", "look", "--json", "--status", "3") == (3, '{"text":"xxxxxxxxxx"}\n', "")
    assert door("play", "list") == (0, "/p/0\\t\\x1b\t0\n/p/1\\t\\x1b\t1\n", "")
    assert door("hold", "--", "a", "--json") == (0, "a --json\n", "")
    assert door("--help")[0] == 0


def test_a_run_that_is_named(door):
    status, out, _ = door("play", "show", "/a", "--json")
    assert (status, json.loads(out)["values"]["path"]) == (0, "/a")


def test_previews(door):
    assert "nothing was changed" in door("play", "prune")[2]
    assert "nothing was changed" not in door("play", "prune", "--write")[2]


@pytest.mark.parametrize(
    "kind", ["failure", "io", "denied", "readonly", "memory", "value", "exit", "import", "recursion"]
)
def test_failures(door, kind):
    status, out, told = door("play", "fail", kind, "--json")
    assert out == ""
    assert json.loads(told)["error"]["exit_status"] == status
    assert door("play", "fail", kind)[2].startswith("neosian: ")
    assert door("play", "fail", kind, env={"NEOSIAN_DEBUG": "1"})[2].startswith("Traceback")


def test_errors_of_usage(door):
    assert door("nope")[0] == 2
    assert json.loads(door("play", "show", "--nope", "--jsonl")[2])["error"]["code"] == "usage"
    assert door("play", "show", "--content", "@/no/such/file")[0] == 5


@pytest.mark.parametrize(("verb", "status"), [("look", 0), ("change", 74)])
def test_a_reader_that_has_gone(door, verb, status):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert door("play", verb, stdout=writer)[0] == status
    finally:
        os.close(writer)


def test_a_stdout_that_was_closed(door):
    status, _, told = door("play", "change", "--json", closed={1}, stdout=1)
    assert status == 74
    assert json.loads(told)["error"]["details"]["committed"] is True


@pytest.mark.parametrize(("flags", "committed"), [((), False), (("--committed",), True)])
def test_interruptions(door, monkeypatch, flags, committed):
    def stop(_seconds):
        raise Interrupted(15)

    monkeypatch.setattr(playground.time, "sleep", stop)
    status, out, told = door("play", "wait", "--json", *flags)
    assert (status, out) == (143, "")
    assert json.loads(told)["error"]["details"]["committed"] is committed


def test_a_signal_that_was_put_off_counts_before_the_work_begins(tmp_path):
    signals = Signals()
    signals.stopping = 1
    with (tmp_path / "err").open("wb") as err, (tmp_path / "out").open("wb") as out:
        given = Surroundings({}, stdout=out.fileno(), stderr=err.fileno())
        assert main(["play", "look"], given, signals, ENTRIES) == 129
    assert (tmp_path / "out").read_text() == ""
