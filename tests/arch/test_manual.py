"""What is made from the declarations stands in the repository as it would be made now."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from neosian_cli.commands import groups
from neosian_cli.manual import environment, made
from neosian_cli.manual.__main__ import AGAIN, stale, write
from tests.arch.source import SOURCES, TOP
from tests.cli.process import environment as surroundings

MAN = sorted((TOP / "man").iterdir())


def test_nothing_has_drifted():
    assert stale() == [], f"the manual is not what it is made from: {AGAIN}"


def test_the_check_tells_what_to_do(tmp_path):
    """In a repository where one file was changed by hand, one is missing and one is left over."""
    write(tmp_path)
    assert stale(tmp_path) == []
    (tmp_path / "docs/cli.md").write_text("by hand")
    (tmp_path / "man/neosian.1").unlink()
    (tmp_path / "man/neosian-gone.1").write_text("a verb that was")
    expected = ["docs/cli.md", "man/neosian-gone.1", "man/neosian.1"]
    assert stale(tmp_path) == expected
    assert write(tmp_path) == expected
    assert stale(tmp_path) == []


def test_the_module_is_a_command():
    ended = subprocess.run(
        [sys.executable, "-m", "neosian_cli.manual", "--check"],
        cwd=TOP, env=surroundings(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    wrong = subprocess.run(
        [sys.executable, "-m", "neosian_cli.manual", "--chekc"],
        cwd=TOP, env=surroundings(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("usage:")


def test_making_it_twice_gives_the_same():
    assert made.files() == made.files()


def test_every_verb_has_a_page():
    names = {path.name for path in MAN}
    assert {f"neosian-{verb.title.replace(' ', '-')}.1" for verb in groups.everything()} <= names
    assert {
        "neosian.1", "neosian-exit-status.7", "neosian-environment.7", "neosian-store.5", "neosian-config.5",
    } <= names  # fmt: skip


def test_hidden_names_are_nowhere():
    for name, text in made.files().items():
        if name.startswith(("man/", "docs/")):
            assert "__complete" not in text, name


def test_every_variable_is_told_of():
    """As far as the source names them; those of embedders are named by configurations."""
    known = set(environment.twins()) | set(environment.OTHERS)
    used = {word for source in SOURCES for word in re.findall(r"\bNEOSIAN_[A-Z]+(?:_[A-Z]+)*\b", source.text)}
    assert used <= known
    assert "NEOSIAN_HOME" in used


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_pages_are_clean():
    ended = subprocess.run(
        ["mandoc", "-Tlint", "-Wwarning", *MAN], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
@pytest.mark.parametrize("path", MAN, ids=lambda path: path.name)
def test_pages_fit_a_terminal(path):
    """80 columns, but for what is typed or printed and cannot be broken."""
    ended = subprocess.run(
        ["mandoc", "-Tutf8", "-Owidth=78", path], capture_output=True, text=True, timeout=60, check=True
    )
    shown = re.sub(".\b", "", ended.stdout)
    assert "NAME\n" in shown
    wide = [line for line in shown.splitlines() if len(line) > 80]
    source = path.read_text()
    examples = [
        line.replace("\\-", "-").replace("\\(aq", "'").replace("\\(dq", '"').replace("\\(ti", "~").replace("\\e", "\\")
        for block in re.findall(r"\.EX\n(.*?)\.EE", source, re.DOTALL)
        for line in block.splitlines()
    ]
    assert [line for line in wide if line.strip() not in {example.strip() for example in examples}] == []
