"""The picture in the README shows what the commands print, and needs nothing beside itself."""

from __future__ import annotations

import re
import runpy
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from neosian_cli.embedders import local
from tests.cli.process import TOP


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(TOP / "scripts/picture.py"))


def test_it_shows_what_the_commands_print(script: dict[str, Any]) -> None:
    assert script["drift"](script["PICTURE"].read_text(), with_model=local.is_installed()) == []


def test_drift_is_found(script: dict[str, Any]) -> None:
    picture = script["PICTURE"].read_text()
    assert "modified /project/notes/decision, version 2" in picture
    changed = picture.replace("modified /project/notes/decision, version 2", "changed /project/notes/decision")
    (command,) = script["drift"](changed, with_model=local.is_installed())
    assert command.startswith("neosian memory replace")


def test_it_stands_alone(script: dict[str, Any]) -> None:
    picture = script["PICTURE"].read_text()
    tree = ET.fromstring(picture)
    assert {element.tag.partition("}")[2] for element in tree.iter()} == {
        "svg", "rect", "path", "circle", "g", "text", "desc",
    }  # fmt: skip
    addresses = set(re.findall(r"\w+://[^\"\s]*", picture))
    assert addresses == {tree.tag[1:].partition("}")[0]}, "the name of the language, which no program looks up"
    assert not re.search(r"href|url\(|@import|<script|<style|<image", picture)
    assert f"docs/{script['PICTURE'].name}" in (TOP / "README.md").read_text()
