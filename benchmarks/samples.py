"""Stores to measure on, made quickly: many documents, versions or events in few transactions and without syncs."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING

from neosian_cli.disk.calls import REAL, Calls
from neosian_cli.store import documents, feed
from neosian_cli.store.documents import ScopeWriter
from neosian_cli.store.feed import FeedWriter
from neosian_cli.store.root import Store

if TYPE_CHECKING:
    from neosian_cli.model.times import Instant

SCOPE = "user:bench/proj:sample"
BODY = "A note of about one kilobyte, as an agent would leave it behind.\n" * 15
PER_TRANSACTION = 5000


class Unsynced(Calls):
    """Calls that do not wait for the disk: for making samples, never for measuring."""

    def sync_file(self, descriptor: int) -> None:
        pass

    def sync_directory(self, descriptor: int) -> None:
        pass


def now() -> Instant:
    return time.time_ns() // 1000


def open_store(root: str, calls: Calls | None = None) -> Store:
    return Store(root, now=now, new_id=lambda: str(uuid.uuid4()), calls=calls or REAL)


def write(store: Store, path: str, content: str = BODY) -> None:
    """One overwrite or create, as `memory write` does it."""
    with store.writing("memory write") as transaction:
        _, newest = documents.read(transaction.tree, SCOPE, path)
        writer = ScopeWriter(transaction, SCOPE, "cli:bench")
        writer.write(path, content, {}, newest)
        writer.commit()


def add_events(root: str, count: int) -> None:
    """So many events of documents that were never there: for measuring the feed alone."""
    store = open_store(root, Unsynced())
    made = 0
    while made < count:
        with store.writing("sample") as transaction:
            writer = FeedWriter(transaction, SCOPE)
            for number in range(made, min(made + 20 * PER_TRANSACTION, count)):
                writer.add(feed.CREATED, path=f"notes/{number % 1000:03d}/{number}", version=1)
                made += 1
            writer.flush()
            transaction.commit()


def add_documents(root: str, count: int, begin: int = 0) -> None:
    """Documents `docs/<hundreds>/<number>` with small bodies."""
    store = open_store(root, Unsynced())
    for start in range(begin, count, PER_TRANSACTION):
        with store.writing("sample") as transaction:
            writer = ScopeWriter(transaction, SCOPE, "cli:bench")
            for number in range(start, min(start + PER_TRANSACTION, count)):
                writer.write(f"docs/{number // 100}/{number}", "a small body\n", {}, None)
            writer.commit()


def add_versions(root: str, path: str, count: int) -> None:
    """So many versions of one document."""
    store = open_store(root, Unsynced())
    newest = None
    made = 0
    while made < count:
        with store.writing("sample") as transaction:
            if newest is None:
                _, newest = documents.read(transaction.tree, SCOPE, path)
            writer = ScopeWriter(transaction, SCOPE, "cli:bench")
            for _ in range(min(PER_TRANSACTION, count - made)):
                newest = writer.write(path, "a small body\n", {}, newest)
                made += 1
            writer.commit()
