"""A clock that stands where no time can be spelled: nothing is written, and the failure says what to do."""

from __future__ import annotations

import json

import pytest

from neosian_cli.app import main
from neosian_cli.model import times
from neosian_cli.signals import Signals
from neosian_cli.surroundings import Surroundings


def overflowing():
    raise OverflowError("timestamp too large to convert to C PyTime_t")


@pytest.mark.parametrize("now", [overflowing, lambda: times.LAST, lambda: times.FIRST - 1, lambda: 10**19])
def test_a_clock_out_of_its_mind(tmp_path, now):
    err = tmp_path / "err"
    for words in (
        ("memory", "write", "/memories/a", "--content", "x"),
        ("messages", "send", "--body", "x"),
        ("semantic", "create", "facts", "--provider", "fake"),
    ):
        with err.open("wb") as stderr, open("/dev/null", "wb") as stdout:
            surroundings = Surroundings(
                {"NEOSIAN_SCOPE": "user:me", "NEOSIAN_HOME": str(tmp_path / "home"), "LOGNAME": "me"},
                stdin=-1,
                stdout=stdout.fileno(),
                stderr=stderr.fileno(),
                now=now,
            )
            status = main([*words, "--json"], surroundings, Signals())
        error = json.loads(err.read_bytes())["error"]
        assert (status, error["code"], error["details"]["committed"]) == (1, "io_error", False)
        assert "clock" in error["message"]
        assert "date" in error["hint"]
    assert not list(tmp_path.rglob("store.json"))
