"""Mutations to interrupt: how the root stands before, and what is done to it.

Another room's tests join by adding to `ALL`. A scenario must be deterministic but for the clock and the ids that its
store is given.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unittest import mock
from uuid import UUID

from neosian_cli.disk.calls import REAL
from neosian_cli.journal import journal
from neosian_cli.store import documents, erasure, feed, log, retention
from neosian_cli.store.documents import ScopeWriter
from neosian_cli.store.root import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neosian_cli.disk.calls import Calls

SCOPE = "user:me/proj:erp"
ACTOR = "tester"


def open_store(root: str, calls: Calls = REAL, *, seed: int = 1, lock_timeout: float = 10.0) -> Store:
    """A store whose ids and times follow from `seed` alone."""
    counter = iter(range(1, 1 << 20))
    return Store(
        root,
        now=lambda: 1_790_000_000_000_000 + seed * 1_000_000,
        new_id=lambda: str(UUID(int=seed << 64 | next(counter))),
        lock_timeout=lock_timeout,
        calls=calls,
    )


@dataclass(frozen=True)
class Scenario:
    """`before` makes the state to start from; `act` is interrupted; `limits` are lowered, to stage or cut files."""

    name: str
    before: tuple[Callable[[Store], None], ...]
    act: Callable[[Store], None]
    limits: dict[str, int] = field(default_factory=dict)
    heavy: bool = False

    @contextmanager
    def limited(self) -> Iterator[None]:
        with ExitStack() as stack:
            for name, value in self.limits.items():
                owner = journal if hasattr(journal, name) else log
                stack.enter_context(mock.patch.object(owner, name, value))
            yield

    def prepare(self, root: str) -> None:
        with self.limited():
            for number, act in enumerate(self.before):
                act(open_store(root, seed=100 + number))

    def run(self, root: str, calls: Calls = REAL, *, seed: int = 1) -> None:
        with self.limited():
            self.act(open_store(root, calls, seed=seed))

    def __str__(self) -> str:
        return self.name


def write(path: str, content: str) -> Callable[[Store], None]:
    def act(store: Store) -> None:
        with store.writing("memory write") as transaction:
            _, newest = documents.read(transaction.tree, SCOPE, path)
            writer = ScopeWriter(transaction, SCOPE, ACTOR)
            writer.write(path, content, {}, newest)
            writer.commit()

    return act


def delete(path: str) -> Callable[[Store], None]:
    def act(store: Store) -> None:
        with store.writing("memory delete") as transaction:
            _, newest = documents.read(transaction.tree, SCOPE, path)
            assert newest is not None
            writer = ScopeWriter(transaction, SCOPE, ACTOR)
            writer.delete(path, newest)
            writer.commit()

    return act


def rename(path: str, new_path: str) -> Callable[[Store], None]:
    def act(store: Store) -> None:
        with store.writing("memory rename") as transaction:
            _, newest = documents.read(transaction.tree, SCOPE, path)
            _, target = documents.read(transaction.tree, SCOPE, new_path)
            assert newest is not None
            writer = ScopeWriter(transaction, SCOPE, ACTOR)
            writer.rename(path, newest, new_path, target)
            writer.commit()

    return act


def erase(path: str | None) -> Callable[[Store], None]:
    def act(store: Store) -> None:
        with store.writing("memory erase") as transaction:
            erasure.erase(transaction, SCOPE, path, ACTOR, lambda: None)
            transaction.commit()

    return act


def prune(through: int) -> Callable[[Store], None]:
    """Up to an event in the middle of a segment, over whole ones before it."""

    def act(store: Store) -> None:
        with store.writing("changes prune") as transaction:
            where = feed.log_of(SCOPE)
            head = log.read_head(transaction.tree, where)
            assert head is not None
            retention.carry_out(transaction, where, retention.plan_cut(transaction.tree, where, head, through))
            transaction.commit()

    return act


def files(store: Store) -> None:
    """Every kind of step in one plan, on files that mean nothing."""
    with store.writing("steps") as transaction:
        transaction.put("semantic/s/put", b"p" * 300)
        transaction.append("semantic/s/log", b"appended\n" * 30)
        transaction.append("semantic/s/new-log", b"\xff\x00begun\n" * 20)
        transaction.put_staged("semantic/s/deep/er/adopted", [b"a" * 200, b"b" * 200])
        transaction.append_staged("semantic/s/staged-log", [b"x" * 100, b"y" * 100])
        transaction.remove("semantic/s/gone")
        transaction.remove("semantic/s/never-there")
        transaction.commit()


def files_before(store: Store) -> None:
    with store.writing("steps") as transaction:
        for name in ("put", "log", "staged-log", "gone", "kept"):
            transaction.put(f"semantic/s/{name}", f"{name} before\n".encode() * 20)
        transaction.commit()


def second_names(store: Store) -> None:
    """What `cp -al` leaves: every file of the root has a second name outside."""
    backup = f"{store.root}-backup"
    for directory, _, names in os.walk(store.root):
        target = os.path.join(backup, os.path.relpath(directory, store.root))
        os.makedirs(target, mode=0o700, exist_ok=True)
        for name in names:
            os.link(os.path.join(directory, name), os.path.join(target, name))


def absent(_: Store) -> None:
    """Nothing is there yet."""


STAGE_ALL = {"STAGE_ABOVE": 64, "INLINE_BUDGET": 0}
LONG = "text " * 250_000

ALL = [
    Scenario("first-write", (absent,), write("notes/a", "one")),
    Scenario("overwrite", (write("notes/a", "one"),), write("notes/a", "two")),
    Scenario("create", (write("notes/a", "one"),), write("notes/b", "new")),
    Scenario("create-in-new-directories", (write("notes/a", "one"),), write("deep/er/b", "new")),
    Scenario("delete", (write("notes/a", "one"),), delete("notes/a")),
    Scenario("rename", (write("notes/a", "one"), write("notes/z", "last")), rename("notes/a", "moved/b")),
    Scenario("erase", (write("notes/a", "one"), write("notes/a", "two")), erase("notes/a")),
    Scenario("erase-scope", (write("notes/a", "one"), write("b", "two"), delete("b")), erase(None), STAGE_ALL),
    Scenario("prune", tuple(write("notes/a", str(number)) for number in range(6)), prune(5), {"SEGMENT": 2}),
    Scenario("every-step", (files_before,), files),
    Scenario("staged", (write("notes/a", "one"),), write("notes/a", "two"), STAGE_ALL),
    Scenario("hard-linked", (write("notes/a", "one"), second_names), write("notes/a", "two")),
    Scenario("large", (write("notes/a", LONG),), write("notes/a", LONG + "more"), heavy=True),
]
LIGHT = [scenario for scenario in ALL if not scenario.heavy]


def named(name: str) -> Scenario:
    return next(scenario for scenario in ALL if scenario.name == name)
