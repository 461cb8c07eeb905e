"""Markdown as man(7)."""

from __future__ import annotations

import pytest

from neosian_cli.manual import roff
from neosian_cli.manual.markdown import Block, blocks, cells, inline, man


def test_blocks_of_a_page():
    text = "# Title\n\nsome words\ngo on\n\n* one\n  more\n* two\n\n1. first\n\n"
    text += "```sh\nls -l\n\nend\n```\n\n    typed\n\n    more\n\n"
    text += "| a | b |\n|---|---|\n| x | `y\\|z` |\n\n## Next\nright below\n"
    assert list(blocks(text)) == [
        Block("heading", ["Title"], 1),
        Block("text", ["some words go on"]),
        Block("item", ["one more"], 0, "*"),
        Block("item", ["two"], 0, "*"),
        Block("number", ["first"], 0, "1."),
        Block("code", ["ls -l", "", "end"], info="sh"),
        Block("code", ["typed", "", "more"]),
        Block("table", ["| a | b |", "| x | `y\\|z` |"]),
        Block("heading", ["Next"], 2),
        Block("text", ["right below"]),
    ]


def test_cells_may_hold_bars():
    assert cells("| a | `b\\|c` | |") == ["a", "`b|c`", ""]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("plain", "plain"),
        ("`--all` of it", "\\fB\\-\\-all\\fR of it"),
        ("**so**, *then*", "\\fBso\\fR, \\fIthen\\fR"),
        ("see [here](x-y.md)", "see here (x\\-y.md)"),
        (".dot", "\\&.dot"),
        ("`.dot`", "\\fB.dot\\fR"),
        ("a \\ b", "a \\e b"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        (" spaces  stay  one ", " spaces stay one "),
    ],
)
def test_inline_marks(text, made):
    assert inline(text) == made


def test_a_table_is_a_list():
    text = "| option | variable | default |\n|---|---|---|\n| `--a` | `A` | |\n| `--b` | | none |\n"
    assert man(text) == [
        ".SH DESCRIPTION",
        ".TP", "\\fB\\-\\-a\\fR", "variable: \\fBA\\fR",
        ".TP", "\\fB\\-\\-b\\fR", "default: none",
    ]  # fmt: skip


def test_a_wrong_table_is_not_guessed_at():
    with pytest.raises(ValueError, match="zip"):
        man("| a | b |\n|---|---|\n| x | y | z |\n")


def test_nested_items_are_set_in():
    assert man("* a\n  * b\n") == [".SH DESCRIPTION", ".IP \\(bu 2", "a", ".RS 2", ".IP \\(bu 2", "b", ".RE"]


def test_typed_lines_are_literal():
    assert roff.example(["'x' \\ ~ -q", ".so file"]) == [
        ".PP", ".RS 4", ".EX", "\\(aqx\\(aq \\e \\(ti \\-q", "\\&.so file", ".EE", ".RE",
    ]  # fmt: skip
