"""The page on documents leaves no verb and no reason out."""

from __future__ import annotations

import re

import pytest

from neosian_cli.commands import memory
from neosian_cli.services.pages import page

PAGE = page("memory")
REASONS = ("version_mismatch", "exists", "no_match", "several_matches", "line_out_of_range", "revert_stale", "erased")


@pytest.mark.parametrize("verb", memory.VERBS, ids=lambda verb: verb.name)
def test_every_verb_is_told_of(verb):
    assert re.search(rf"\b{verb.name}\b", PAGE)


@pytest.mark.parametrize("word", [*REASONS, "edit_only", "read_only", "reserved_path"])
def test_every_reason_is_told_of(word):
    assert f"`{word}`" in PAGE
