"""The examples of pages and README run: every `sh` block of a page, in order, in one shell and one fresh home.

`tests/pages/TOPIC.sh` is run before them, where there is one: documents that the page takes for granted, and commands
that stand for the reader's own. Whoever follows a feed without an end is stopped after a second.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import neosian_cli
from neosian_cli.commands.docs import TOPICS
from neosian_cli.manual.markdown import blocks
from tests.cli.process import NEOSIAN, TOP, call, environment

PAGES = sorted((Path(neosian_cli.__file__).parent / "pages").glob("*.md"))
README = TOP / "README.md"
SETUPS = TOP / "tests/pages"
NEOSIAN_SCRIPT = f"""#!/bin/bash
case " $* " in *' --timeout '*) ;; *' --follow '*) set -- "$@" --timeout 1 ;; esac
exec "{sys.executable}" -m neosian_cli "$@"
"""

pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
    pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed"),
]


def runnable(text: str) -> list[str]:
    return ["\n".join(block.lines) for block in blocks(text) if block.kind == "code" and block.info == "sh"]


@pytest.mark.parametrize("page", [*PAGES, README], ids=lambda page: page.stem)
def test_its_examples_run(page, tmp_path):
    examples = runnable(page.read_text())
    assert examples or "neosian " not in page.read_text(), "a page that tells of commands shows one that runs"
    work, programs = tmp_path / "erp", tmp_path / "bin"
    work.mkdir()
    programs.mkdir()
    (programs / "neosian").write_text(NEOSIAN_SCRIPT)
    (programs / "neosian").chmod(0o700)
    setup = SETUPS / f"{page.stem}.sh"
    pieces = [setup.read_text()] if setup.exists() else []
    for number, example in enumerate(examples, 1):
        pieces += [f"echo '== {page.stem}, block {number}' >&2", example]
    env = environment(HOME=str(tmp_path), LOGNAME="ann", PATH=f"{programs}:{os.environ['PATH']}")
    ended = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(pieces)], cwd=work, env=env, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    assert "Traceback" not in ended.stderr


def test_setups_belong_to_pages():
    assert {path.stem for path in SETUPS.glob("*.sh")} <= {page.stem for page in (*PAGES, README)}


def test_every_page_is_a_topic():
    assert {page.stem for page in PAGES} <= set(TOPICS)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_a_page(topic):
    shown = call(NEOSIAN, "docs", topic)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout.startswith(b"# ")
