"""Archives: whole scopes and namespaces written into a new root, and taken from one where they were never used."""

from __future__ import annotations

import os
import shlex
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from neosian_cli.errors import Failure
from neosian_cli.model import scope as scopes
from neosian_cli.model.advance import ignored
from neosian_cli.model.namespace import check_name
from neosian_cli.store import making as makings
from neosian_cli.store import marker
from neosian_cli.store.audit import audit
from neosian_cli.store.finding import FAULT
from neosian_cli.store.restoration import Files, refuse_used, restore
from neosian_cli.store.root import Store
from neosian_cli.store.scopes import all_scopes
from neosian_cli.store.semantic import binding, duplicate
from neosian_cli.store.semantic.duplicate import Duplicate
from neosian_cli.store.snapshot import Moved, Snapshot, still
from neosian_cli.store.verify import COUNTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.store.making import Making
    from neosian_cli.store.transaction import Transaction

    Hold = Callable[[], AbstractContextManager[Tree]]

DAMAGED = ("record_corrupt", "format_unsupported")
MOST_SHOWN = 8
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
    """How far it has got: what was written, in order. Of an import the last may not be committed yet."""

    scopes: list[dict[str, object]] = field(default_factory=list)
    namespaces: list[dict[str, object]] = field(default_factory=list)
    unreadable: list[dict[str, object]] = field(default_factory=list)
    total: int = 0
    whole: bool = False
    """Whether an archive is there, which it is at the very end of an export."""
    chosen: tuple[list[str], list[str]] = ([], [])
    """The scopes and namespaces that are to be done, in their order, once they are known."""

    def told(self, made: int | None = None) -> dict[str, list[str]]:
        """The details of a failure on the way; `made` is how many transactions of an import there were."""
        scopes = [str(done["scope"]) for done in self.scopes][:made]
        rest = None if made is None else made - len(scopes)
        return {"scopes": scopes, "namespaces": [str(done["namespace"]) for done in self.namespaces][:rest]}

    def rest(self, made: int | None = None) -> tuple[list[str], list[str]]:
        """The scopes and namespaces that are not done."""
        told = self.told(made)
        scopes, names = ([each for each in chosen if each not in told[kind]] for kind, chosen in self._by_kind())
        return scopes, names

    def text(self, made: int | None = None) -> str:
        """How many are done, for people: `1 of 2 scopes and 0 of 3 namespaces`."""
        told = self.told(made)
        parts = [
            f"{len(told[kind])} of {len(chosen)} {kind if len(chosen) > 1 else kind[:-1]}"
            for kind, chosen in self._by_kind()
            if chosen
        ]
        return " and ".join(parts) or "nothing"

    def with_total(self, advance: Advance) -> Advance:
        """`advance`, told the total with each count: what is to be done shows from scope to scope."""

        def told(count: int = 1, _total: int | None = None, /) -> None:
            advance(count, self.total)

        return told

    def _by_kind(self) -> tuple[tuple[str, list[str]], tuple[str, list[str]]]:
        return ("scopes", self.chosen[0]), ("namespaces", self.chosen[1])


def export(
    store: Store, directory: str, choice: Choice, tally: Tally, *, lenient: bool = False, advance: Advance = ignored
) -> dict[str, Any]:
    """Write an archive into a directory that is missing or empty.

    Where `lenient`, what is damaged is left out and named under `unreadable`; else it is raised. `advance` is told how
    many more paths are done, of how many so far. Raises `target_occupied`, `not_found`, `not_a_store` or
    `invalid_argument`.
    """
    refuse_nested(store.root, directory)
    require_store(store, "neosian status shows which store was chosen; --root chooses another")
    chosen, names = tally.chosen = chosen_scopes(store, choice), chosen_namespaces(store, choice)
    archive = Store(directory, now=store.now, new_id=store.new_id, lock_timeout=store.lock_timeout, calls=store.calls)
    advance = tally.with_total(advance)
    try:
        with _unfinished(directory), archive.making("export") as making:
            for scope in chosen:
                _export_scope(store, making, scope, tally, lenient=lenient, advance=advance)
            for name in names:
                _export_namespace(store, making, name, tally, lenient=lenient, advance=advance)
            making.finish()
    finally:
        tally.whole = archive.commits > 0
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
                advance=advance,
            )
        except Moved:
            making.sweep()
            continue
        transaction.commit()
        tally.scopes.append(done.as_dict())
        tally.unreadable.extend(snapshot.unreadable)
        return


def _export_namespace(
    store: Store, making: Making, name: str, tally: Tally, *, lenient: bool, advance: Advance
) -> None:
    for hold in holds(store):
        transaction = making.transaction()
        try:
            done = _duplicate(transaction, Duplicate(hold, name), tally, advance)
        except Moved:
            making.sweep()
            continue
        except Failure as failure:
            if failure.code == "not_found":  # dropped meanwhile
                making.sweep()
                return
            if not lenient or failure.code not in DAMAGED:
                raise
            making.sweep()
            tally.unreadable.append({"namespace": name, "code": failure.code, "message": failure.message})
            return
        transaction.commit()
        tally.namespaces.append(done)
        return


def _duplicate(transaction: Transaction, found: Duplicate, tally: Tally, advance: Advance) -> dict[str, object]:
    """Put a whole namespace into the transaction; what `--json` says of it."""
    tally.total += found.lines
    files = Files(transaction, cut=False)
    with closing(found.files(advance)) as parts:
        for path, pieces in parts:
            files.put(path, pieces)
    return {"namespace": found.name, "versions": found.versions, "changes": found.changes}


def snapshots(store: Store, scope: str, *, lenient: bool = False) -> Iterator[Snapshot]:
    """One snapshot after the other, for as long as each is spoilt by an erasure; the last one cannot be."""
    return (Snapshot(hold, scope, lenient=lenient) for hold in holds(store))


def holds(store: Store) -> Iterator[Hold]:
    """Ways to hold the lock, one after the other: in short stretches, and all through where that keeps failing."""
    for _ in range(TRIES):
        yield store.reading
    with store.reading() as tree:
        yield still(tree)


def import_archive(
    store: Store, directory: str, choice: Choice, tally: Tally, *, advance: Advance = ignored
) -> dict[str, Any]:
    """Take scopes out of an archive, or any other root, one transaction a scope.

    All of the archive is read before the first is written. Raises `target_occupied`, `not_a_store`, `not_found`,
    `invalid_argument`, or what is wrong with the archive.
    """
    refuse_nested(store.root, directory)
    archive = Store(directory, now=store.now, new_id=store.new_id, lock_timeout=store.lock_timeout, calls=store.calls)
    require_store(archive, "name the directory that an export has written, or the root of any store")
    chosen = chosen_scopes(archive, choice)
    names = chosen_namespaces(archive, choice)
    tally.chosen = chosen, names
    refuse_occupied(store, chosen, names)
    for scope in chosen:
        _check_scope(archive, scope)
    for name in names:
        _check_namespace(archive, name)
    advance = tally.with_total(advance)
    try:
        for scope in chosen:
            _import_scope(store, archive, scope, tally, advance)
        for name in names:
            _import_namespace(store, archive, name, tally, advance)
    except Failure as failure:
        if failure.code == "unsupported":  # more files than one plan can name
            failure.hint = f"use the archive as it is, it is a store: --root {shlex.quote(directory)}"
        raise
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
                    advance=advance,
                )
            except Moved:
                continue
            tally.scopes.append(done.as_dict())
            transaction.commit()
            return


def _import_namespace(store: Store, archive: Store, name: str, tally: Tally, advance: Advance) -> None:
    for hold in holds(archive):
        found = Duplicate(hold, name)
        with store.writing("import") as transaction:
            duplicate.refuse_used(transaction.tree, name)
            try:
                done = _duplicate(transaction, found, tally, advance)
            except Moved:
                continue
            tally.namespaces.append(done)
            transaction.commit()
            return


def _check_scope(archive: Store, scope: str) -> None:
    """Read all of a scope; raises the first fault."""
    for finding in audit(archive, scope, dict.fromkeys(COUNTERS, 0)):
        if finding.severity == FAULT:
            raise _damaged(archive, finding.code, finding.path, finding.message)


def _check_namespace(archive: Store, name: str) -> None:
    """Read all of a namespace; raises the first fault."""
    for hold in holds(archive):
        try:
            Duplicate(hold, name).check()
        except Moved:
            continue
        except Failure as failure:
            if failure.code in DAMAGED:
                raise _damaged(archive, failure.code, str(failure.details.get("file")), failure.message) from None
            raise
        return


def _damaged(archive: Store, code: str, file: str, message: str) -> Failure:
    said = message if file in message else f"{file}: {message}"
    return Failure(
        code,
        f"the archive is damaged: {said}",
        hint=f"neosian export DIR --skip-damaged --root {shlex.quote(archive.root)} makes one without what is damaged",
        file=file,
        archive=archive.root,
    )


def refuse_occupied(store: Store, chosen: Sequence[str], names: Sequence[str] = ()) -> None:
    """Raise `target_occupied` unless none of the scopes and namespaces was ever used."""
    with store.reading() as tree:
        for scope in chosen:
            refuse_used(tree, scope)
        for name in names:
            duplicate.refuse_used(tree, name)


def require_store(store: Store, hint: str) -> None:
    """Raise `not_found` where there is nothing, and `not_a_store` where there is something else."""
    if not store.exists:
        raise Failure("not_found", f"there is no store at {store.root}", hint=hint, path=store.root)
    with store.reading() as tree:
        if not tree.exists:
            raise Failure(
                "not_a_store",
                f"{store.root} is no store and no whole archive: it has no {marker.NAME}",
                hint="an export that was stopped leaves such a directory; a store of neosian 1.12 needs --from neosian",
                root=store.root,
            )


def chosen_scopes(store: Store, choice: Choice) -> list[str]:
    """The scopes that were chosen, in the order of the store; raises `not_found` for one that it does not hold."""
    with store.reading() as tree:
        there = list(all_scopes(tree))
    for scope in map(scopes.check, choice.scopes):
        if scope not in there:
            hint = held("scope", there)
            raise Failure("not_found", f"{store.root} holds no scope {scope}", hint=hint, scope=scope)
    return there if choice.everything else [scope for scope in there if scope in choice.scopes]


def chosen_namespaces(store: Store, choice: Choice) -> list[str]:
    """The namespaces that were chosen, in byte order; raises `not_found` for one that the store does not hold."""
    with store.reading() as tree:
        there = binding.names(tree)
    for name in map(check_name, choice.namespaces):
        if name not in there:
            hint = held("namespace", there)
            raise Failure("not_found", f"{store.root} holds no namespace {name}", hint=hint, namespace=name)
    return there if choice.everything else [name for name in there if name in choice.namespaces]


def held(kind: str, names: Sequence[str]) -> str:
    """A hint for who names a scope or namespace that is not there."""
    shown = ", ".join(names[:MOST_SHOWN]) + (", …" if len(names) > MOST_SHOWN else "")
    return f"it holds {shown}; without --{kind} all are taken" if names else f"it holds no {kind}"


def is_occupied(directory: str) -> bool:
    """Whether an export refuses to write there."""
    try:
        makings.refuse_occupied(directory)
    except Failure:
        return True
    return False


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
