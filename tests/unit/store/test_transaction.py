"""What a transaction makes of several words about one file."""

from __future__ import annotations

import pytest

from tests.samples import open_store

NAME = "scopes/user%3Ame/x.jsonl"


@pytest.fixture
def store(tmp_path):
    return open_store(tmp_path / "store")


def outcome(store, *words):
    """The file's content after a transaction that says `words` of it, each a method and its argument."""
    with store.writing("test") as transaction:
        for method, *argument in words:
            getattr(transaction, method)(NAME, *argument)
        transaction.commit()
    path = f"{store.root}/{NAME}"
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def test_appends_are_joined_in_order(store):
    pieces = [b"%d\n" % number for number in range(3000)]
    assert outcome(store, *(("append", piece) for piece in pieces[:1000])) == b"".join(pieces[:1000])
    assert outcome(store, *(("append", piece) for piece in pieces[1000:])) == b"".join(pieces)


def test_an_append_after_a_put_is_part_of_it(store):
    outcome(store, ("append", b"old"))
    assert outcome(store, ("put", b"a"), ("append", b"b"), ("append", b"c")) == b"abc"


def test_the_last_word_counts(store):
    assert outcome(store, ("append", b"a"), ("append", b"b"), ("put", b"c")) == b"c"
    assert outcome(store, ("append", b"d"), ("append", b"e"), ("remove",)) is None
    assert outcome(store, ("append", b"f"), ("append", b"g"), ("put_staged", [b"h"])) == b"h"
    assert outcome(store, ("append", b"i"), ("append", b"j"), ("append_staged", [b"k"])) == b"hk"


def test_what_was_removed_begins_anew(store):
    outcome(store, ("append", b"old"))
    assert outcome(store, ("remove",), ("append", b"new"), ("append", b"er")) == b"newer"


@pytest.mark.parametrize("method", ["put_staged", "append_staged"])
def test_what_is_staged_takes_no_more(store, method):
    outcome(store, ("append", b"old"))
    with pytest.raises(TypeError):
        outcome(store, (method, [b"a"]), ("append", b"b"))
    assert outcome(store) == b"old"
