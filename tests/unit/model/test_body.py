from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neosian_cli.errors import Failure
from neosian_cli.model import body

TEXTS = st.text("ab\n\r\u2028", max_size=40)


@given(TEXTS)
def test_lines_are_the_text(text):
    lines = body.lines_of(text)
    assert "".join(lines) == text
    assert len(lines) == body.count_lines(text)
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines[:-1])


@given(TEXTS, st.data())
def test_insert_adds_whole_lines_and_keeps_the_others(text, data):
    lines = body.lines_of(text)
    number = data.draw(st.integers(0, len(lines)))
    addition = data.draw(TEXTS)
    made = body.lines_of(body.insert(text, number, addition))
    added = body.lines_of(addition if addition.endswith("\n") else addition + "\n")
    whole = [line if line.endswith("\n") else line + "\n" for line in lines[:number]]
    assert made == whole + added + lines[number:]


@given(TEXTS, st.lists(st.integers(0, 40), max_size=6))
def test_lines_at_counts_newlines_before(text, indexes):
    indexes = sorted(min(index, len(text)) for index in indexes)
    assert list(body.lines_at(text, indexes)) == [text[:index].count("\n") + 1 for index in indexes]


@pytest.mark.parametrize(
    ("text", "expected"), [("2:3", (2, 3)), ("2:", (2, None)), (":3", (1, 3)), (":", (1, None)), ("7:7", (7, 7))]
)
def test_span(text, expected):
    assert body.span(text) == expected


@pytest.mark.parametrize(
    "text", ["", "5", "0:3", ":0", "3:2", "a:b", "-1:3", "1:2:3", "1,2", "٣:٤", "1" * 19 + ":", " 1:2"]
)
def test_what_is_no_span(text):
    with pytest.raises(Failure) as caught:
        body.span(text)
    assert caught.value.code == "invalid_argument"


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(1, 1, ["a\n"]), (2, 9, ["b\n", "c"]), (3, None, ["c"]), (4, None, []), (9, 12, [])]
)
def test_cut(low, high, expected):
    assert body.cut("a\nb\nc", low, high) == expected


def test_check_refuses_what_cannot_be_kept(monkeypatch):
    assert body.check("ü", "content") == "ü"
    with pytest.raises(Failure, match="not UTF-8"):
        body.check("\ud800", "content")
    monkeypatch.setattr(body, "MAX_BYTES", 3)
    assert body.check("üa", "content") == "üa"
    for text in ("üü", "abcd"):
        with pytest.raises(Failure, match="4 bytes"):
            body.check(text, "content")


@given(TEXTS)
def test_size_is_in_bytes(text):
    assert body.size_of(text) == len(text.encode())
