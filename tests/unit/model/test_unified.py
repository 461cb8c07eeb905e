from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neosian_cli.model.unified import diff

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "-", "+x", "\r"]), max_size=30)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@given(TEXTS, TEXTS)
def test_empty_exactly_where_equal(old, new):
    assert (diff(old, new, "a", "b") == "") == (old == new)


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
@settings(max_examples=40, deadline=None)
@given(TEXTS, TEXTS)
def test_patch_makes_the_new_text_of_the_old(tmp_path_factory, old, new):
    folder = tmp_path_factory.mktemp("patch")
    file = folder / "file"
    file.write_bytes(old.encode())
    text = diff(old, new, "a/file", "b/file")
    if not text:
        return
    done = subprocess.run(
        ["patch", "--binary", "-p1", "--fuzz=0"], input=text.encode(), cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert b"offset" not in done.stdout
    assert (file.read_bytes() if file.exists() else b"") == new.encode()


def test_as_git_writes_it():
    old = "".join(f"{number}\n" for number in range(1, 21))
    new = old.replace("10\n", "ten\n").removesuffix("\n")
    assert diff(old, new, "a/x", "b/x") == (
        "--- a/x\n+++ b/x\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
        "@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "hunk"),
    [
        ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
        ("a", "b", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"),
        ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
    ],
)
def test_at_the_ends(old, new, hunk):
    assert diff(old, new, "o", "n") == f"--- o\n+++ n\n{hunk}"


def test_long_common_ends_cost_no_comparison():
    """Two texts of many equal lines around one change: the comparison is of the change alone."""
    old = "same\n" * 50_000 + "old\n" + "same\n" * 50_000
    assert diff(old, old.replace("old", "new"), "o", "n").count("\n") == 11
