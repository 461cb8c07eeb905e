"""One durable write in this process, against SQLite with two promises and against the bare system calls."""

from __future__ import annotations

import itertools
import os
import sqlite3
import tempfile
from typing import TYPE_CHECKING

import measure
import samples

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 200


def sqlite(path: str, journal: str, synchronous: str) -> Callable[[], None]:
    """An overwrite of a document, its version row and its event in one SQLite transaction."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute(f"PRAGMA journal_mode={journal}")
    database.execute(f"PRAGMA synchronous={synchronous}")
    database.executescript(
        """CREATE TABLE document(path TEXT PRIMARY KEY, version INTEGER, content TEXT);
        CREATE TABLE version(path TEXT, version INTEGER, content TEXT, PRIMARY KEY(path, version));
        CREATE TABLE event(sequence INTEGER PRIMARY KEY, path TEXT, version INTEGER);""",
    )
    numbers = itertools.count(1)

    def write() -> None:
        number = next(numbers)
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT OR REPLACE INTO document VALUES('notes/a', ?, ?)", (number, samples.BODY))
        database.execute("INSERT INTO version VALUES('notes/a', ?, ?)", (number, samples.BODY))
        database.execute("INSERT INTO event(path, version) VALUES('notes/a', ?)", (number,))
        database.execute("COMMIT")

    return write


def bare_calls(folder: str) -> Callable[[], None]:
    """The writes, renames and nine syncs of an overwrite, with nothing decided, checked or read."""
    names = ("transactions", "documents", "changes", "versions")
    for name in names:
        os.mkdir(f"{folder}/{name}")
    transactions, documents, changes, _ = (os.open(f"{folder}/{name}", os.O_RDONLY) for name in names)
    body = samples.BODY.encode()
    logs = [f"{folder}/versions/rows", f"{folder}/changes/events"]
    appended = [os.open(name, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600) for name in logs]

    def replace(target: str, content: bytes) -> int:
        descriptor = os.open(f"{folder}/transactions/~new", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        os.write(descriptor, content)
        if target.endswith("pending.json"):
            os.fsync(descriptor)
        os.rename(f"{folder}/transactions/~new", target)
        return descriptor

    def write() -> None:
        plan = replace(f"{folder}/transactions/pending.json", body * 3)
        os.fsync(transactions)
        written = [
            replace(f"{folder}/documents/a.json", body),
            replace(f"{folder}/changes/stream.json", body[:250]),
        ]
        os.write(appended[0], body)
        os.write(appended[1], body[:250])
        for descriptor in [*written, *appended, documents, changes]:
            os.fsync(descriptor)
        os.unlink(f"{folder}/transactions/pending.json")
        os.fsync(transactions)
        for descriptor in [plan, *written]:
            os.close(descriptor)

    return write


def main() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("NEOSIAN_BENCH_DIR")) as folder:
        store = samples.open_store(f"{folder}/store")
        os.mkdir(f"{folder}/bare")
        found = measure.calls(
            {
                "memory write": lambda: samples.write(store, "notes/a"),
                "the same system calls alone": bare_calls(f"{folder}/bare"),
                "SQLite DELETE/EXTRA (the same promise)": sqlite(f"{folder}/extra.db", "DELETE", "EXTRA"),
                "SQLite WAL/FULL (one sync, state in two files)": sqlite(f"{folder}/wal.db", "WAL", "FULL"),
            },
            ROUNDS,
        )
    own = measure.median(found["memory write"].wall)
    measure.table(
        f"An overwrite of 1 KB in one process, {ROUNDS} interleaved rounds",
        ("contender", "median ms", "memory write is × this"),
        [
            (name, measure.milliseconds(measure.median(sample.wall)), f"{own / measure.median(sample.wall):.2f}")
            for name, sample in found.items()
        ],
    )


if __name__ == "__main__":
    main()
