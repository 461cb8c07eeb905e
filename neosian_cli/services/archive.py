"""Archives: whole scopes and namespaces written into a new root, and taken from one where they were never used."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from neosian_cli.errors import Failure
from neosian_cli.model import scope as scopes
from neosian_cli.store import marker
from neosian_cli.store.audit import audit
from neosian_cli.store.finding import FAULT
from neosian_cli.store.restoration import refuse_used, restore
from neosian_cli.store.root import Store
from neosian_cli.store.scopes import all_scopes
from neosian_cli.store.snapshot import Moved, Snapshot, still
from neosian_cli.store.verify import COUNTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from neosian_cli.store.making import Making

    Advance = Callable[[int, int], object]

TRIES = 3
"""After so many erasures in the middle of a copy the lock is held through the next one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What goes into an archive or comes out of one: some scopes and namespaces, or everything where none is named."""

    scopes: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()

    @property
    def everything(self) -> bool:
        return not self.scopes and not self.namespaces


@dataclass(slots=True)
class Tally:
    """How far it has got. `transactions` counts what stays when the rest fails."""

    scopes: list[dict[str, object]] = field(default_factory=list)
    namespaces: list[dict[str, object]] = field(default_factory=list)
    unreadable: list[dict[str, object]] = field(default_factory=list)
    total: int = 0

    @property
    def transactions(self) -> int:
        return len(self.scopes) + len(self.namespaces)

    def told(self) -> dict[str, object]:
        """The details of a failure on the way."""
        return {
            "transactions": self.transactions,
            "scopes": [done["scope"] for done in self.scopes],
            "namespaces": [done["namespace"] for done in self.namespaces],
        }


def ignored(_done: int, _total: int) -> None:
    """Nobody wants to know how far it has come."""


def export(
    store: Store, directory: str, choice: Choice, tally: Tally, *, lenient: bool = False, advance: Advance = ignored
) -> dict[str, Any]:
    """Write an archive into a directory that is missing or empty.

    Where `lenient`, what is damaged is left out and named under `unreadable`; else it is raised. `advance` is told how
    many more paths are done, of how many so far. Raises `target_occupied`, `not_found`, `not_a_store` or
    `invalid_argument`.
    """
    refuse_nested(store.root, directory)
    require_store(store)
    chosen = chosen_scopes(store, choice)
    archive = Store(directory, now=store.now, new_id=store.new_id, lock_timeout=store.lock_timeout, calls=store.calls)
    with _unfinished(directory), archive.making("export") as making:
        for scope in chosen:
            _export_scope(store, making, scope, tally, lenient=lenient, advance=advance)
        making.finish()
    return {"scopes": tally.scopes, "namespaces": tally.namespaces, "unreadable": tally.unreadable}


def _export_scope(store: Store, making: Making, scope: str, tally: Tally, *, lenient: bool, advance: Advance) -> None:
    for snapshot in snapshots(store, scope, lenient=lenient):
        tally.total += snapshot.paths
        transaction = making.transaction()
        try:
            done = restore(
                transaction,
                scope,
                snapshot.histories(),
                snapshot.erasures,
                cut=True,
                advance=lambda: advance(1, tally.total),
            )
        except Moved:
            making.sweep()
            continue
        transaction.commit()
        tally.scopes.append(done.as_dict())
        tally.unreadable.extend(snapshot.unreadable)
        return


def snapshots(store: Store, scope: str, *, lenient: bool = False) -> Iterator[Snapshot]:
    """One snapshot after the other, for as long as each is spoilt by an erasure; the last one cannot be."""
    for _ in range(TRIES):
        yield Snapshot(store.reading, scope, lenient=lenient)
    with store.reading() as tree:
        yield Snapshot(still(tree), scope, lenient=lenient)


def import_archive(
    store: Store, directory: str, choice: Choice, tally: Tally, *, advance: Advance = ignored
) -> dict[str, Any]:
    """Take scopes out of an archive, or any other root, one transaction a scope.

    All of the archive is read before the first is written. Raises `target_occupied`, `not_a_store`, `not_found`,
    `invalid_argument`, or what is wrong with the archive.
    """
    refuse_nested(store.root, directory)
    archive = Store(directory, now=store.now, new_id=store.new_id, lock_timeout=store.lock_timeout, calls=store.calls)
    require_store(archive)
    chosen = chosen_scopes(archive, choice)
    refuse_occupied(store, chosen)
    for scope in chosen:
        _check_scope(archive, scope)
    for scope in chosen:
        _import_scope(store, archive, scope, tally, advance)
    return {"scopes": tally.scopes, "namespaces": tally.namespaces, "skipped": []}


def _import_scope(store: Store, archive: Store, scope: str, tally: Tally, advance: Advance) -> None:
    for snapshot in snapshots(archive, scope):
        tally.total += snapshot.paths
        with store.writing("import") as transaction:
            refuse_used(transaction.tree, scope)
            try:
                done = restore(
                    transaction,
                    scope,
                    snapshot.histories(),
                    snapshot.erasures,
                    advance=lambda: advance(1, tally.total),
                )
            except Moved:
                continue
            transaction.commit()
            tally.scopes.append(done.as_dict())
            return


def _check_scope(archive: Store, scope: str) -> None:
    """Read all of a scope; raises the first fault."""
    for finding in audit(archive, scope, dict.fromkeys(COUNTERS, 0)):
        if finding.severity == FAULT:
            raise Failure(
                finding.code,
                f"the archive is damaged: {finding.path}: {finding.message}",
                hint=f"neosian verify --root {archive.root}; neosian export --skip-damaged leaves out what is damaged",
                file=finding.path,
                archive=archive.root,
            )


def refuse_occupied(store: Store, chosen: Sequence[str]) -> None:
    """Raise `target_occupied` unless none of the scopes was ever used."""
    with store.reading() as tree:
        for scope in chosen:
            refuse_used(tree, scope)


def require_store(store: Store) -> None:
    """Raise `not_found` where there is nothing, and `not_a_store` where there is something else."""
    if not store.exists:
        raise Failure("not_found", f"there is no store at {store.root}", path=store.root)
    with store.reading() as tree:
        if not tree.exists:
            raise Failure(
                "not_a_store",
                f"{store.root} is no store and no whole archive: it has no {marker.NAME}",
                hint="an export that was stopped leaves such a directory: remove it and export again",
                root=store.root,
            )


def chosen_scopes(store: Store, choice: Choice) -> list[str]:
    """The scopes that were chosen, in the order of the store; raises `not_found` for one that it does not hold."""
    with store.reading() as tree:
        there = list(all_scopes(tree))
    for scope in map(scopes.check, choice.scopes):
        if scope not in there:
            raise Failure("not_found", f"{store.root} holds no scope {scope}", scope=scope)
    return there if choice.everything else [scope for scope in there if scope in choice.scopes]


def refuse_nested(root: str, directory: str, *, around: bool = True) -> None:
    """Refuse a directory that is the root, lies in it, or (where `around`) has it inside."""
    own, other = (os.path.realpath(path) for path in (root, directory))
    if own == other:
        reason = "is the store itself"
    elif other.startswith(own.rstrip("/") + "/"):
        reason = f"lies inside the store {root}"
    elif around and own.startswith(other.rstrip("/") + "/"):
        reason = f"has the store {root} inside"
    else:
        return
    raise Failure("invalid_argument", f"{directory} {reason}", hint="name another directory", path=directory)


@contextmanager
def _unfinished(directory: str) -> Iterator[None]:
    """Say of a failure what it leaves in the archive's directory."""
    try:
        yield
    except Failure as failure:
        if failure.details.get("reason") != "target_occupied":
            failure.details.setdefault("archive", directory)
            if failure.hint is None and os.path.isdir(directory):
                failure.hint = f"{directory} holds no archive: remove it before the next try"
        raise
