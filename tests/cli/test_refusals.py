"""Every refusal names what to do next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.fuzz.playthings import MESSAGES, STEP, Sample
from tests.fuzz.witness import call
from tests.samples import SCOPE

if TYPE_CHECKING:
    from pathlib import Path

WRITE = ("memory", "write", "/memories/notes/a", "--content", "x")
REFUSED: tuple[tuple[str, ...], ...] = (
    ("memory", "view", "/memories/none"),
    ("memory", "view", "/memories/notes/a", "--version", "99"),
    ("memory", "view", "/nomount/a"),
    (*WRITE, "--if-version", "9"),
    (*WRITE, "--if-version", "0"),
    (*WRITE, "--actor", "cli:me#03"),
    ("memory", "write", "/memories/messages/a", "--content", "x"),
    ("memory", "write", "/memories/a b", "--content", "x"),
    ("memory", "replace", "/memories/notes/a", "--old", "zzz", "--new", "y"),
    ("memory", "replace", "/memories/notes/a", "--old", "o", "--new", "y", "--if-version", "7"),
    ("memory", "insert", "/memories/notes/a", "--line", "99", "--text", "y"),
    ("memory", "rename", "/memories/notes/a", "/memories/notes/b"),
    ("memory", "revert", "/memories/notes/a", "--version", "1"),
    ("memory", "erase", "/memories"),
    ("changes", "read", "--cursor", "bad"),
    ("changes", "prune", "--through", "{cursor}", "--not-past", "/none"),
    ("changes", "checkpoint", "/none"),
    ("messages", "view", MESSAGES[0].replace("0", "f")),
    ("messages", "ack", MESSAGES[0], "--session", "s", "--occurrence", "7"),
    ("messages", "claim", MESSAGES[2], "--session", "other", "--occurrence", "1"),
    ("messages", "claim", MESSAGES[0], *STEP),
    ("messages", "release", MESSAGES[2], *STEP, "--token", "x"),
    ("messages", "claim", MESSAGES[3], *STEP),
    ("messages", "send", "--body", "x", "--context", "/memories/none"),
    ("messages", "send", "--body", "x", "--context", "/memories/notes/a", "--context-version", "1"),
    ("messages", "send", "--body", "other", "--id", MESSAGES[0]),
    ("semantic", "search", "none", "x"),
    ("semantic", "get", "facts", "none"),
    ("semantic", "upsert", "facts"),
    ("semantic", "upsert", "facts", "--id", "a", "--content", "x", "--if-version", "9"),
    ("semantic", "upsert", "facts", "--vector", "[1]"),
    ("semantic", "search", "facts", "x", "--top-k", "99999"),
    ("semantic", "create", "facts", "--provider", "openai", "--model", "x"),
    ("semantic", "create", "Facts"),
    ("import", "/none"),
    ("import", "{home}/store"),
    ("status", "--profile", "none"),
    ("docs", "none"),
    ("nosuch",),
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    folder: Path = tmp_path_factory.mktemp("refusals")
    return Sample(folder / "sample")


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_it_names_what_to_do_next(sample: Sample, words: tuple[str, ...]) -> None:
    seen = call(sample.home, (*sample.words(sample.home, words), "--json"), SCOPE)
    error = json.loads(seen.err)["error"]
    assert (seen.out, seen.status) == (b"", error["exit_status"])
    assert error["hint"], error
