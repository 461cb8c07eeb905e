"""What is read and shown without the library is what the library reads and writes."""

import json
import subprocess
import sys

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neosian_cli.model import codec
from tests.cli.process import environment

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4))


@pytest.fixture(autouse=True)
def without_library(monkeypatch):
    monkeypatch.setattr(codec, "_library", None)
    monkeypatch.setattr(codec, "_written", 0)


@given(VALUES)
def test_shown_as_the_library_writes(value):
    codec._library = None
    assert codec.shown(value) == orjson.dumps(value)
    assert codec._library is None


WAYS = {
    "dumps": 0,
    "pretty": orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE,
    "readable": orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE,
}
LARGE = st.integers(-(2**63), 2**64 - 1)
STORED = st.recursive(
    PLAIN | LARGE,
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(TEXTS, inner, max_size=4),
)


@pytest.mark.parametrize("way", WAYS)
@given(STORED)
def test_written_as_the_library_writes(way, value):
    codec._library, codec._written = None, 0
    assert getattr(codec, way)(value) == orjson.dumps(value, option=WAYS[way])


@pytest.mark.parametrize("way", WAYS)
def test_what_is_plain_is_written_without_the_library(way):
    value = {"b": ["a", 1, None, True, {}], "a": {"\x00\x1f\x7f\u2028é\U0001f600": (2**64 - 1, -(2**63), [])}}
    assert getattr(codec, way)(value) == orjson.dumps(value, option=WAYS[way])
    assert codec._library is None


class Word(str):
    __slots__ = ()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "value",
    [0.1, 1e16, 1e-7, float("nan"), -0.0, [[[[[[[[[1]]]]]]]]], 1 / 3, {"a": Word("a")}, {"a": "é" * (codec.LONG + 1)}],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_not_plain_is_left_to_the_library(way, value):
    assert getattr(codec, way)(value) == orjson.dumps(value, option=WAYS[way])
    assert codec._library is not None


UNSAYABLE = {
    "large": 2**64,
    "small": -(2**63) - 1,
    "key": {1: 2},
    "lone": {"a": "\ud800"},
    "lone key": {"\udc00": 1},
    "object": object(),
    "bytes": b"b",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("value", UNSAYABLE.values(), ids=UNSAYABLE)
def test_what_json_cannot_say_is_told_as_the_library_does(way, value):
    with pytest.raises(TypeError):
        getattr(codec, way)(value)


def test_many_are_written_by_the_library():
    for _ in range(codec.FEW):
        codec.dumps({"a": 1})
    assert codec._library is None
    assert codec.dumps({"a": 1}) == b'{"a":1}'
    assert codec._library is not None


@given(VALUES | st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["", " ", "\n", "\t\r\n"]))
def test_read_as_the_library_reads(value, blank):
    codec._library = None
    data = (blank + json.dumps(value, ensure_ascii=False) + blank).encode()
    assert codec.loads(data) == orjson.loads(data)
    assert codec._library is None


@pytest.mark.parametrize(
    "data",
    [b"", b" ", b"{", b'{"a":1}x', b"{} {}", b"NaN", b"[Infinity]", b"[-Infinity]", b'"a', b'"\x01"', b"\xff", b"'a'",
     b"[" * 100_000, b'{"a" 1}', b"tru"],
    ids=lambda data: repr(data[:12]),
)  # fmt: skip
def test_refused_by_both(data):
    with pytest.raises(ValueError):  # noqa: PT011  # the words are the parser's
        codec.loads(data)
    codec.at_full_speed()
    with pytest.raises(ValueError):  # noqa: PT011
        codec.loads(data)


@pytest.mark.parametrize("data", ["{", "", "{} {}", "NaN", '"'])
def test_damage_is_told_where_nothing_else_is_loaded(data):
    """The scanner alone, without the module that it is a part of, knows no errors of its own."""
    code = (
        "import sys; from neosian_cli.model import codec\n"
        "assert 'json' not in sys.modules\n"
        f"try: codec.loads({data.encode()!r})\n"
        "except ValueError: sys.exit(7)"
    )
    assert subprocess.run([sys.executable, "-c", code], env=environment(), check=False).returncode == 7


def test_an_object_is_asked_for():
    with pytest.raises(ValueError, match="not a JSON object"):
        codec.load_object(b"[1]")


@pytest.mark.parametrize("value", ["\ud800", {"\udc00": 1}, object(), b"bytes"], ids=["lone", "key", "object", "bytes"])
def test_what_cannot_be_shown_is_told_alike(value):
    with pytest.raises(TypeError):
        codec.shown(value)
    codec.at_full_speed()
    with pytest.raises(TypeError):
        codec.shown(value)
