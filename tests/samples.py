"""Stores for tests, made through the store itself."""

from __future__ import annotations

import itertools
import uuid

from neosian_cli.disk.calls import REAL
from neosian_cli.model import times
from neosian_cli.store import documents
from neosian_cli.store.documents import ScopeWriter
from neosian_cli.store.root import Store

SCOPE = "user:me/proj:erp"
BEGIN = times.parse("2026-01-02T03:04:05Z")


class Clock:
    """A second later at every look; `step` moves it by hand."""

    def __init__(self, begin=BEGIN):
        self.instant = begin

    def __call__(self):
        self.instant += times.SECOND
        return self.instant

    def step(self, seconds):
        self.instant += seconds * times.SECOND


def numbered_ids():
    """UUIDs that are the same in every run."""
    numbers = itertools.count(1)
    return lambda: str(uuid.UUID(int=next(numbers), version=4))


def open_store(root, *, calls=REAL, now=None, new_id=None, lock_timeout=10.0):
    """A store with a clock of its own and random identifiers."""
    return Store(
        str(root),
        now=now or Clock(),
        new_id=new_id or (lambda: str(uuid.uuid4())),
        lock_timeout=lock_timeout,
        calls=calls,
    )


def write(root_or_store, path, content, *, scope=SCOPE, extra=None):
    """One document written, as its newest version."""
    store = root_or_store if isinstance(root_or_store, Store) else open_store(root_or_store)
    with store.writing("memory write") as transaction:
        _, newest = documents.read(transaction.tree, scope, path)
        writer = ScopeWriter(transaction, scope, "cli:me")
        row = writer.write(path, content, extra or {}, newest)
        writer.commit()
    return row


def snapshot(root):
    """Every file below a root with its bytes, every directory with None, by relative path."""
    return {
        str(path.relative_to(root)): None if path.is_dir() and not path.is_symlink() else path.read_bytes()
        for path in sorted(root.rglob("*"))
    }
