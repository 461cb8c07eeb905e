"""Loads of many records: where one that fails has come to, and what a person sees of them."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_screens import screen
from tests.cli.workspace import Workspace


@pytest.fixture
def place(tmp_path):
    made = Workspace(tmp_path)
    assert made.run("semantic", "create", "notes", "--provider", "fake", "--dimensions", "4").returncode == 0
    return made


def load(place, lines, *words):
    """The load of a text that fails: what a person is told, then a program of the same text by its details."""
    command = ("semantic", "upsert", "notes", "--records", "-", *words)
    told = place.run(*command, stdin="\n".join(lines).encode())
    assert place.run("semantic", "drop", "notes", "--write").returncode == 0
    assert place.run("semantic", "create", "notes", "--provider", "fake", "--dimensions", "4").returncode == 0
    done = place.run(*command, "--json", stdin="\n".join(lines).encode())
    assert told.returncode == done.returncode != 0
    assert told.stdout == done.stdout == b""
    return told.stderr.decode().splitlines()[0].removeprefix("neosian: "), json.loads(done.stderr)["error"]


GOOD = [json.dumps({"id": f"r{at}", "content": f"text {at}"}) for at in range(4)]
BAD = '{"id":"bad"}'


def stored(place):
    return len(json.loads(place.run("semantic", "list", "notes", "--json").stdout)["records"])


@pytest.mark.parametrize(
    ("batch", "kept", "line"),
    [("1", 4, 6), ("2", 4, 6), ("3", 3, 5)],
)
def test_a_load_that_fails_says_where_to_go_on(place, batch, kept, line):
    lines = ["", *GOOD, BAD, *GOOD]
    told, error = load(place, lines, "--batch", batch)
    assert told == (
        f"record 4 (line 6): needs content or a vector; {kept} records before it are stored: go on from line {line}"
    )
    assert error["message"] == told
    assert (error["details"]["stored"], error["details"]["index"], error["details"]["line"]) == (kept, 4, 6)
    assert stored(place) == kept


def test_a_line_that_is_not_json_is_where_to_go_on_itself(place):
    told, _ = load(place, [GOOD[0], "{nonsense"], "--batch", "1")
    assert told.startswith("record 1 (line 2) is not JSON: ")
    assert told.endswith("; 1 record before it is stored: go on from line 2")


def test_an_array_has_no_lines(place):
    told, error = load(place, ["[" + ",".join([*GOOD, BAD]) + "]"], "--batch", "2")
    assert told.endswith("; 4 records before it are stored: go on from record 4")
    assert error["details"]["index"] == 4


def test_a_version_that_does_not_match_is_named_by_its_place_in_the_whole_load(place):
    late = json.dumps({"id": "r0", "content": "x", "if_version": 7})
    told, error = load(place, [*GOOD, GOOD[0], late], "--batch", "2")
    assert told.startswith("record 5 (line 6): ")
    assert told.endswith("; 4 records before it are stored: go on from line 5")
    assert (error["details"]["index"], error["details"]["line"], error["details"]["stored"]) == (5, 6, 4)


def test_without_batches_nothing_is_stored_and_nothing_said_of_it(place):
    told, error = load(place, [*GOOD, BAD])
    assert told == "record 4 (line 5): needs content or a vector"
    assert "stored" not in error["details"]
    assert stored(place) == 0


def test_many_records_are_summed_up_on_a_terminal_alone(place):
    lines = [json.dumps({"id": f"r{at}", "content": f"text {at}"}) for at in range(21)]
    some, many = place.folder / "some", place.folder / "many"
    some.write_text("\n".join(lines[:20]))
    many.write_text("\n".join(lines))
    assert len(screen(place, 80, "semantic", "upsert", "notes", "--records", str(some))) == 21
    assert screen(place, 80, "semantic", "upsert", "notes", "--records", str(many)) == ["stored 21 records"]
    piped = place.run("semantic", "upsert", "notes", "--records", str(many))
    assert len(piped.stdout.splitlines()) == 21
