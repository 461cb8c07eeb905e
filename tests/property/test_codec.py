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


@given(VALUES)
def test_shown_as_the_library_writes(value):
    codec._library = None
    assert codec.shown(value) == orjson.dumps(value)
    assert codec._library is None


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
