"""The page on settings tells of every key, and what it shows is good."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import neosian_cli
from neosian_cli.config import choice, defaults, sections
from neosian_cli.config.load import load
from neosian_cli.config.shape import Listing, Section, Table

PAGE = (Path(neosian_cli.__file__).parent / "pages" / "config.md").read_text()


def keys(shape):
    if isinstance(shape, Section):
        for name, known in shape.fields.items():
            yield name
            yield from keys(known.shape)
    elif isinstance(shape, Listing):
        yield from keys(shape.item)
    elif isinstance(shape, Table):
        yield from keys(shape.value)


@pytest.mark.parametrize("key", sorted(set(keys(sections.CONFIG))))
def test_every_key_is_told_of(key):
    assert re.search(rf"`[^`]*\b{key}\b[^`]*`", PAGE)


def test_its_example_is_a_good_file():
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    found = load("/page.yaml", example)
    assert found.default_profile == "work"
    assert found.namespaces[0].name == "notes"


@pytest.mark.parametrize("name", ["profile", "root", "url", "scope", "actor", "config", "lock_timeout"])
def test_every_twin_is_told_of(name):
    assert f"| `{choice.flag(name)} " in PAGE
    assert f"`{choice.variable(name)}`" in PAGE


@pytest.mark.parametrize(
    "number",
    [defaults.CACHE_SIZE, defaults.BATCH_SIZE, defaults.TOP_K, defaults.MAX_ROWS, defaults.BATCH],
)
def test_every_default_is_told_of(number):
    assert re.search(rf"\b{number}\b", PAGE)
