"""Predicates, decimals, float32, queries and records as values."""

import json
import math
import struct
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neosian_cli.errors import Failure
from neosian_cli.model import codec, decimals, numbers, predicate, query, record, records
from neosian_cli.store.semantic.words import Splitter

DIGITS = st.text("0123456789", min_size=1, max_size=12)
DECIMALS = st.builds(
    lambda sign, whole, fraction, power: sign + whole + fraction + power,
    st.sampled_from(["", "+", "-"]),
    DIGITS,
    st.one_of(st.just(""), DIGITS.map(lambda text: f".{text}")),
    st.one_of(st.just(""), st.integers(-20, 20).map(lambda number: f"e{number}"), st.just("e+3")),
)
FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(DECIMALS, DECIMALS)
def test_decimals_compare_as_fractions(left, right):
    one, two = decimals.parse(left), decimals.parse(right)
    difference = Fraction(left) - Fraction(right)
    assert decimals.compare(one, two) == (difference > 0) - (difference < 0)


@given(st.text("0123456789.eE+- x", max_size=8))
def test_only_decimals_are_decimals(text):
    import re

    good = re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?", text)
    assert (decimals.parse(text) is not None) == bool(good)


def test_decimals_beyond_any_float():
    assert decimals.compare(decimals.parse("9007199254740993"), decimals.parse("9007199254740992")) == 1
    assert decimals.compare(decimals.parse("1e999999999999"), decimals.parse("1e999999999998")) == 1
    assert decimals.compare(decimals.parse("-1e-999999999"), decimals.parse("0")) == -1
    assert decimals.compare(decimals.parse("-0"), decimals.parse("0.00e5")) == 0
    assert decimals.parse("1" * 1000) is not None
    assert decimals.parse("1" * 1001) is None
    assert decimals.parse("\u0661") is None


@given(FLOATS)
def test_the_shortest_decimals_give_the_same_float32(value):
    short = numbers.shortest(value)
    assert struct.pack("<f", short) == struct.pack("<f", value)
    assert len(repr(short)) <= len(repr(value))
    assert json.loads(json.dumps(short)) == short


@given(st.lists(FLOATS, min_size=1, max_size=8))
def test_vectors_are_kept_or_refused(values):
    if any(values):
        assert [*numbers.unpack(numbers.pack(values))] == values
    else:
        with pytest.raises(ValueError, match="zero"):
            numbers.pack(values)


@pytest.mark.parametrize("values", [[math.nan], [math.inf], [1e39], [10**400], ["1"], [True], [None], [1e-46], []])
def test_vectors_that_are_none(values):
    with pytest.raises(ValueError, match=r"."):
        numbers.pack(values)


@pytest.mark.parametrize(
    ("text", "key", "operator", "values"),
    [
        ("topic = food", "topic", "=", ("food",)),
        ("topic =food", "topic", "=", ("food",)),
        ("topic =  food ", "topic", "=", (" food ",)),
        ("topic =", "topic", "=", ("",)),
        ("topic != a=b", "topic", "!=", ("a=b",)),
        ("n >= 1.50", "n", ">=", ("1.50",)),
        ("n < -1e5", "n", "<", ("-1e5",)),
        ("k in a,b,c", "k", "in", ("a", "b", "c")),
        ('k in ["a,b","c"]', "k", "in", ("a,b", "c")),
        ("k in a", "k", "in", ("a",)),
        ("k PREDICATE_OP_GTE 3", "k", ">=", ("3",)),
        ("in in in", "in", "in", ("in",)),
        ("é\t=\tx\ny", "é", "=", ("x\ny",)),
    ],
)
def test_conditions_are_read(text, key, operator, values):
    assert predicate.parse_where(text) == predicate.Predicate(key, operator, values)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "k",
        "k ",
        " = v",
        "k ~ v",
        "k > ten",
        "k >= 1E5",
        "k < ",
        "k in []",
        "k in [1]",
        "k in [",
        "k inside x",
        "k PREDICATE_OP_X 1",
    ],
)
def test_conditions_that_are_refused(text):
    with pytest.raises(Failure) as caught:
        predicate.parse_where(text)
    assert caught.value.code == "invalid_argument"


def test_a_filter_splits_at_the_first_equals_sign():
    assert predicate.parse_filter("k=a=b") == predicate.Predicate("k", "=", ("a=b",))
    assert predicate.parse_filter("k=") == predicate.Predicate("k", "=", ("",))
    for text in ("k", "=v", "k" * 257 + "=v"):
        with pytest.raises(Failure):
            predicate.parse_filter(text)


def test_conditions_hold_only_where_the_key_is():
    for operator in predicate.OPERATORS:
        assert not predicate.Predicate("k", operator, ("1",)).matches({})
    assert predicate.Predicate("k", "!=", ("1",)).matches({"k": "2"})
    assert not predicate.Predicate("k", ">", ("1",)).matches({"k": "many"})


@pytest.mark.parametrize(
    "given",
    [
        {"mode": "dense"},
        {"mode": "dense", "text": "a", "vector": b"abcd"},
        {"mode": "sparse", "vector": b"abcd"},
        {"mode": "sparse"},
        {"mode": "hybrid", "text": "a", "vector": b"abcd"},
        {"mode": "SEARCH_MODE_BEST", "text": "a"},
        {"mode": "dense", "text": "a", "top_k": 1001},
        {"mode": "dense", "text": "a", "rerank_candidate_k": 1001},
        {"mode": "dense", "text": "a", "top_k": -1},
    ],
)
def test_queries_that_are_refused(given):
    whole = {"text": None, "vector": None, "top_k": 0, "rerank_candidate_k": 0} | given
    with pytest.raises(Failure) as caught:
        query.make_query(**whole, selection=query.Selection(), top_k_cap=1000, candidates_cap=1000)
    assert caught.value.code == "invalid_argument"


def test_the_cap_is_on_the_value_in_force():
    base = {"text": "a", "vector": None, "selection": query.Selection()}
    made = query.make_query(
        mode="SEARCH_MODE_HYBRID", **base, top_k=0, rerank_candidate_k=0, top_k_cap=10, candidates_cap=50
    )
    assert (made.mode, made.top_k, made.depth) == ("hybrid", 10, 50)
    with pytest.raises(Failure):
        query.make_query(mode="dense", **base, top_k=0, rerank_candidate_k=0, top_k_cap=9, candidates_cap=50)


GOOD = {"id": "a", "content": "text", "metadata": {"k": "v"}, "valid_from": "2026-01-02T03:04:05+01:00", "version": 3}


@pytest.mark.parametrize(
    "change",
    [
        {"id": "x" * 513},
        {"id": "a\n"},
        {"id": 3},
        {"content": 3},
        {"content": None},
        {"payload": "?"},
        {"vector": [1]},
        {"metadata": {"k": 1}},
        {"metadata": {"": "v"}},
        {"metadata": {"k" * 257: "v"}},
        {"metadata": []},
        {"valid_from": "2026-01-02T03:04:05"},
        {"valid_to": "2026-01-01T00:00:00Z"},
        {"supersedes": "a"},
        {"supersedes": [1]},
        {"if_version": -1},
        {"if_version": "1"},
        {"if_version": True},
        {"colour": "red"},
    ],
)
def test_records_that_are_refused_by_index_and_line(change):
    lines = [json.dumps(GOOD).encode(), b"", json.dumps(GOOD | change).encode()]
    with pytest.raises(Failure) as caught:
        list(records.read(lines, 2))
    assert caught.value.code == "invalid_argument"
    assert (caught.value.details["index"], caught.value.details["line"]) == (1, 3)
    array = [json.dumps([GOOD, GOOD | change]).encode()]
    with pytest.raises(Failure) as caught:
        list(records.read(array, 2))
    assert caught.value.details["index"] == 1


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"id":"a","id":"b","content":"x"}',
        b'{"content":"\\ud800"}',
        b"3",
        b'{"content":"\xff"}',
        b'{"metadata":{"k":"1","k":"2"},"content":"x"}',
    ],
)
def test_lines_that_are_no_records(line):
    with pytest.raises(Failure) as caught:
        list(records.read([line], 2))
    assert caught.value.code == "invalid_argument"


def test_what_lists_print_can_be_read_back():
    lines = [
        json.dumps(GOOD | {"type": "record", "score": 1, "state": "live"}).encode(),
        b'{"type":"page","next_cursor":null}',
    ]
    assert [draft.id for draft in records.read(lines, 2)] == ["a"]


def test_states_of_a_record():
    assert record.state_of(5, None, None, 4) == "future"
    assert record.state_of(5, None, None, 5) == "live"
    assert record.state_of(5, 7, None, 6) == "live"
    assert record.state_of(5, 7, None, 7) == "invalid"
    assert record.state_of(5, 5, None, 5) == "invalid"
    assert record.state_of(5, None, 99, 6) == "deleted"


# Words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Apple-PIE, 3 apples_x", ["apple", "pie", "3", "apples", "x"]),
        ("", []),
        ("* () :", []),
        ("Straße ÄPFEL 日本語", ["straße", "äpfel", "日本語"]),
        ("a" * 300, [Splitter("simple").words("a" * 300)[0]]),
    ],
)
def test_simple_words(text, expected):
    assert Splitter("simple").words(text) == expected


def test_a_language_stems_and_drops_stop_words():
    english = Splitter("english")
    assert english.words("The running dogs are with us") == ["run", "dog", "us"]
    assert english.words("of the and") == []
    assert Splitter("german").words("Die Häuser der Stadt") == ["haus", "stadt"]
    with pytest.raises(Failure):
        Splitter("klingon")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('apple "pie chart" apple', [("apple",), ("pie", "chart")]),
        ('a"b', [("a",), ("b",)]),
        ('"one"', [("one",)]),
        ('""', []),
        ("multi-agent c++ x:y NEAR(a) -b", [("multi",), ("agent",), ("c",), ("x",), ("y",), ("near",), ("a",), ("b",)]),
        ('"a b" c "d e', [("a", "b"), ("c",), ("d",), ("e",)]),
    ],
)
def test_queries_are_split(text, expected):
    assert Splitter("simple").units(text) == expected


@given(st.text(max_size=40), st.text(max_size=40))
def test_words_of_parts_are_the_words_of_the_whole(left, right):
    splitter = Splitter("simple")
    assert splitter.words(f"{left} {right}") == splitter.words(left) + splitter.words(right)


@given(st.text(max_size=60))
def test_short_texts_have_the_words_that_long_ones_have(text):
    def words(of):
        return Splitter("simple").words(of)

    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "re")
        short = words(text)
    assert short == words(text)


TEXTS = (
    *('{"a": [1, -2.5e3, "\\u00e9\\n"], "b": null}', " [1,2]\n", "[0.1, 1e-45]", '"\\ud800"', '{"a":1,"a":2}'),
    *("[1e999]", "[NaN]", "[9007199254740993]", "[1,]", "", "[1] 2", "\ufeff[1]", "[" * 300 + "]" * 300, "[" * 100_000),
    *("[-0.0, 12]", "'a'", '"\t"', "tru", "-", "[1 2]", "01"),
)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:12])
def test_json_is_taken_in_the_same_with_and_without_its_library(text):
    def taken():
        try:
            return codec.ingest(text)
        except ValueError as error:
            return f"refused: {error}"

    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "json")
        light = taken()
    assert repr(light) == repr(taken())
