"""Pages, walks and prunes at arbitrary places, against a feed that is a list of numbers."""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neosian_cli.errors import Failure
from neosian_cli.model import mount as mounts
from neosian_cli.model.cursor import Cursor, decode
from neosian_cli.services.changes import page as pages
from neosian_cli.services.changes import pruning, status, verification, walk
from neosian_cli.store import documents, feed, log
from tests.samples import SCOPE, open_store

MOUNT = mounts.make("project", SCOPE)
EVENTS = 2 * log.SEGMENT + 300
CHECKED = settings(max_examples=60, deadline=None)


def add(store, count):
    with store.writing("test") as transaction:
        writer = documents.ScopeWriter(transaction, SCOPE, "cli:me")
        row = documents.newest(transaction.tree, SCOPE, "notes/a")
        for _ in range(count):
            row = writer.write("notes/a", "x", {}, row)
        writer.commit()


@pytest.fixture(scope="module")
def base():
    """A feed over three segments, with the chain at every number."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"{folder}/store")
        add(store, EVENTS - 1)
        with store.reading() as tree:
            head = feed.read_head(tree, SCOPE)
            chains = [head.floor_chain]
            chains += [entry.chain for entry in log.Reader(tree, feed.log_of(SCOPE), head).after(0, EVENTS, chains[0])]
        yield store, head.stream, chains


class Life:
    """A copy of the base that lives on, and what it should be: floor, head, and the cursor at every number."""

    def __init__(self, base, folder):
        store, self.stream, chains = base
        self.chains = list(chains)
        shutil.copytree(store.root, folder)
        self.store = open_store(folder)
        self.floor = 0

    @property
    def head(self):
        return len(self.chains) - 1

    def cursor(self, number):
        return Cursor(SCOPE, self.stream, number, self.chains[number])

    def write(self, count):
        add(self.store, count)
        with self.store.reading() as tree:
            head = feed.read_head(tree, SCOPE)
            reader = log.Reader(tree, feed.log_of(SCOPE), head)
            self.chains += [entry.chain for entry in reader.after(self.head, count, self.chains[-1])]

    def check_page(self, number, limit):
        page = pages.read(self.store, MOUNT, self.cursor(number), limit=limit)
        if number < self.floor:
            assert (page["gap"], page["events"], page["cursor"]) == ("retention", [], self.cursor(self.floor).encode())
            assert page["has_more"] is False
        else:
            last = min(number + limit, self.head)
            assert page["gap"] is None
            assert [event["sequence"] for event in page["events"]] == list(range(number + 1, last + 1))
            assert page["cursor"] == self.cursor(last).encode()
            assert page["has_more"] is (last < self.head)
            assert pages.read(self.store, MOUNT, self.cursor(number), limit=limit) == page
        assert page["head_cursor"] == self.cursor(self.head).encode()
        assert page["earliest_cursor"] == self.cursor(self.floor).encode()

    def prune(self, number, everything):
        found = pruning.prune(self.store, MOUNT, self.cursor(number).encode(), write=True, everything=everything)
        expected = max(0, number - self.floor)
        assert found["count"] == expected
        self.floor = max(self.floor, number)
        assert (found["floor"], found["has_more"]) == (self.cursor(self.floor).encode(), False)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("page"), st.integers(0, EVENTS + 20), st.integers(1, 100)),
        st.tuples(st.just("prune"), st.integers(0, EVENTS + 20), st.booleans()),
        st.tuples(st.just("write"), st.integers(1, 9), st.none()),
    ),
    min_size=1,
    max_size=8,
)


@CHECKED
@given(steps=STEPS)
def test_a_life_of_pages_prunes_and_writes(base, steps):
    with tempfile.TemporaryDirectory() as folder:
        life = Life(base, f"{folder}/store")
        for do, number, more in steps:
            if do == "write":
                life.write(number)
            elif do == "page":
                life.check_page(min(number, life.head), more)
            else:
                life.prune(min(number, life.head), more)
        found = verification.verify(life.store, MOUNT)
        assert (found["ok"], found["events"]) == (True, life.head - life.floor)
        told = status.status(life.store, MOUNT)
        names = [name for name in os.listdir(f"{folder}/store/{feed.log_of(SCOPE).directory}") if name.endswith(".seg")]
        assert (told["floor"], told["head"], told["segments"]) == (life.floor, life.head, len(names))


@CHECKED
@given(start=st.integers(0, EVENTS), limit=st.integers(1, 100))
def test_a_walk_meets_every_event_once(base, start, limit):
    store, stream, chains = base
    cursor = Cursor(SCOPE, stream, start, chains[start])
    met = [event["sequence"] for page in walk.through(store, MOUNT, cursor, limit=limit) for event in page["events"]]
    assert met == list(range(start + 1, EVENTS + 1))


@CHECKED
@given(number=st.integers(0, EVENTS), bit=st.integers(0, 63))
def test_another_chain_is_another_history(base, number, bit):
    store, stream, chains = base
    chain = f"{int(chains[number], 16) ^ 1 << bit:016x}"
    assert pages.read(store, MOUNT, Cursor(SCOPE, stream, number, chain))["gap"] == "stream_reset"


@CHECKED
@given(number=st.integers(EVENTS + 1, 2**64 - 1))
def test_beyond_the_head_is_ahead(base, number):
    store, stream, chains = base
    with pytest.raises(Failure) as refusal:
        pages.read(store, MOUNT, Cursor(SCOPE, stream, number, chains[0]))
    assert refusal.value.details["reason"] == "ahead"


@given(
    stream=st.uuids().map(str),
    sequence=st.integers(0, 2**64 - 1),
    chain=st.integers(0, 2**64 - 1).map(lambda number: f"{number:016x}"),
)
def test_a_cursor_is_its_position(stream, sequence, chain):
    cursor = Cursor(SCOPE, stream, sequence, chain)
    text = cursor.encode()
    assert decode(text, SCOPE) == cursor
    assert text[0].isalpha()
    assert len(text) <= 80


@given(text=st.text(max_size=90) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_any_other_text_is_malformed(text):
    with pytest.raises(Failure) as refusal:
        decode(text, SCOPE)
    assert refusal.value.details["reason"] == "malformed"


@given(number=st.integers(0, EVENTS), at=st.integers(0, 62), letter=st.sampled_from("AZaz09_-.+/= \n"))
def test_a_letter_changed_is_never_another_position(base, number, at, letter):
    _, stream, chains = base
    cursor = Cursor(SCOPE, stream, number, chains[number])
    text = cursor.encode()
    changed = text[:at] + letter + text[at + 1 :]
    if changed != text:
        with pytest.raises(Failure):
            decode(changed, SCOPE)
