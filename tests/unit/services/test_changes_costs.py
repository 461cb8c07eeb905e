"""What a page, a status and a prune read, counted: not what it takes, and not how much is retained."""

from __future__ import annotations

import os

import pytest

from neosian_cli.model import mount as mounts
from neosian_cli.model.cursor import Cursor
from neosian_cli.services.changes import page as pages
from neosian_cli.services.changes import pruning, status
from neosian_cli.store import documents, feed, log
from tests.samples import SCOPE, open_store

MOUNT = mounts.make("project", SCOPE)
SIZES = (200, 4_096, 20_000)


class Count:
    """Bytes read and files opened, by everything in this process."""

    def __init__(self, monkeypatch):
        self.bytes = self.opens = 0
        real_read, real_open = os.pread, os.open

        def pread(*arguments):
            data = real_read(*arguments)
            self.bytes += len(data)
            return data

        def opened(*arguments, **more):
            self.opens += 1
            return real_open(*arguments, **more)

        monkeypatch.setattr(os, "pread", pread)
        monkeypatch.setattr(os, "open", opened)

    def of(self, call):
        self.bytes = self.opens = 0
        call()
        return self.bytes, self.opens


@pytest.fixture(scope="module")
def feeds(tmp_path_factory):
    """Feeds of three sizes; for each the store and a function that gives the cursor at a number."""
    made = {}
    for size in SIZES:
        store = open_store(tmp_path_factory.mktemp(f"feed-{size}") / "store")
        with store.writing("test") as transaction:
            writer = documents.ScopeWriter(transaction, SCOPE, "cli:me")
            row = None
            for _ in range(size - 1):
                row = writer.write("notes/a", "x", {}, row)
            writer.commit()
        made[size] = store
    return made


def cursor(store, number):
    with store.reading() as tree:
        head = feed.read_head(tree, SCOPE)
        chain = log.Reader(tree, feed.log_of(SCOPE), head).chain_at(number)
    return Cursor(SCOPE, head.stream, number, chain)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_page_costs_what_it_returns(feeds, monkeypatch, size, share):
    store = feeds[size]
    at = cursor(store, int(size * share))
    read, opened = Count(monkeypatch).of(lambda: pages.read(store, MOUNT, at, limit=50))
    assert read <= 200_000
    assert opened <= 14


@pytest.mark.parametrize("size", SIZES)
def test_an_empty_page_and_a_status_read_no_event(feeds, monkeypatch, size):
    store = feeds[size]
    count = Count(monkeypatch)
    for call in (lambda: pages.read(store, MOUNT, start="now"), lambda: status.status(store, MOUNT)):
        read, opened = count.of(call)
        assert read <= 2_000
        assert opened <= 12


def test_a_prune_reads_what_it_removes_and_one_segment(feeds, monkeypatch):
    """A hundred events out of the first segment, whatever follows it."""
    segment = 4_096 * 300
    found = []
    for size in SIZES[1:]:
        store = feeds[size]
        at = cursor(store, 100).encode()
        found.append(Count(monkeypatch).of(lambda: pruning.prune(store, MOUNT, at, write=True))[0])  # noqa: B023
    assert max(found) <= 3 * segment
    assert abs(found[0] - found[1]) <= 10_000
