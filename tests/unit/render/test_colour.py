import pytest

from neosian_cli.render.colour import STYLES, paint, wanted


@pytest.mark.parametrize(
    ("env", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"NO_COLOR": "0", "FORCE_COLOR": "3"}, False, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": ""}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
        ({"TERM": "xterm-256color"}, True, True),
    ],
)
def test_precedence(env, terminal, expected):
    assert wanted(env, terminal=terminal) is expected


def test_paint_sets_and_unsets():
    assert paint("x", "bold red") == "\x1b[1;31mx\x1b[0m"
    assert paint("x", "") == "x"
    assert paint("", "red") == ""
    assert all(paint("x", style).endswith("\x1b[0m") for style in STYLES)
