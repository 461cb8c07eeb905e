"""Changes to one namespace in one transaction: each sees those before it, all of them happen or none.

Failure model. Nothing is on disk before `commit`, which hands vectors, lines, head and binding to one redo plan. Only
then does the catalogue take the new lines in; stopped in between, it is behind and catches up when it is next opened.
"""

from __future__ import annotations

import zlib

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.model.grammar import excerpt
from neosian_cli.model.record import Record, check_interval
from neosian_cli.store import log as logs
from neosian_cli.store.damage import damaged
from neosian_cli.store.semantic import binding, entries, places
from neosian_cli.store.semantic.entries import Entry
from neosian_cli.store.semantic.recordlog import Placed
from neosian_cli.store.semantic.refresh import Derived
from neosian_cli.store.semantic.vectors import VectorWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    from neosian_cli.model.namespace import Namespace
    from neosian_cli.model.record import Draft
    from neosian_cli.model.times import Instant
    from neosian_cli.store.transaction import Transaction
else:
    from neosian_cli.model.value import NamedTuple


class State(NamedTuple):
    """A record's newest version, as far as a change has to know it."""

    version: int
    created_at: Instant
    valid_to: Instant | None
    deleted_at: Instant | None


class Upserted(NamedTuple):
    """What became of one draft; `superseded` are the ids whose end it changed."""

    id: str
    version: int
    superseded: list[str]


class NamespaceWriter:
    """The changes of one transaction. `namespace` is stored with them where it is new or has changed."""

    def __init__(self, transaction: Transaction, root: str, namespace: Namespace, *, store_binding: bool) -> None:
        self.namespace = namespace
        self.transaction = transaction
        self.log = places.log_of(namespace.name)
        head = logs.read_head(transaction.tree, self.log)
        if head is not None:
            logs.open_for_append(transaction.tree, self.log, head)
        self.head = head or logs.new_head(transaction.new_id())
        self.derived = Derived(root, transaction.tree, namespace, self.head, transaction.new_id)
        self.catalogue = self.derived.catalogue()
        self._writer = logs.Writer(transaction, self.log, self.head)
        self._vectors = VectorWriter(transaction, namespace.name, namespace.binding.dimensions)
        self._store_binding = store_binding
        self._lines: list[Placed] = []
        self._states: dict[str, State | None] = {}
        self._last: dict[str, int] = {}
        self._unreadable = {finding["id"] for finding in self.catalogue.unreadable()}
        self.now = transaction.now
        self.written_at = self._later_than_before(transaction.now)
        self._spelled = times.spell(self.written_at)

    def _later_than_before(self, now: Instant) -> Instant:
        """The instant of this transaction in the log: later than the one before, also where the clock went back."""
        last = self.head.last_created_at
        return now if last is None else max(now, times.parse(last) + 1)

    def close(self) -> None:
        self.catalogue.close()

    # What is there

    def look_up(self, ids: Sequence[str]) -> None:
        """Learn the states of these ids, at once rather than one by one. Raises `record_corrupt`."""
        unknown = [name for name in dict.fromkeys(ids) if name not in self._states]
        for name in unknown:
            if name in self._unreadable:
                raise damaged(self.log.directory, f"holds a damaged line of {name!a}", id=name)
        rows = self.catalogue.newest_of(unknown)
        self._last.update(self.catalogue.last_numbers(unknown))
        for name in unknown:
            row = rows.get(name)
            state = State(row["number"], row["created_at"], row["valid_to"], row["deleted_at"]) if row else None
            self._states[name] = state

    def state(self, name: str) -> State | None:
        """A record's newest version; None where there is no record."""
        if name not in self._states:
            self.look_up([name])
        return self._states[name]

    def require_version(self, name: str, wanted: int, place: str, **details: Any) -> None:
        """Raise `version_mismatch` unless the id is at this version; 0: unless there is no record."""
        state = self.state(name)
        actual = state.version if state else 0
        if actual != wanted:
            there = f"is at version {actual}" if actual else "has no record"
            raise Failure.conflict(
                "version_mismatch",
                f"{place}: {excerpt(name)} {there}, not {f'at version {wanted}' if wanted else 'without one'}",
                hint=f"neosian semantic get {self.namespace.name} ID shows what is there",
                id=name,
                expected=wanted,
                actual=actual,
                **details,
            )

    # Changes

    def upsert(self, name: str, draft: Draft, vector: bytes, index: int) -> Upserted:
        """The next version of a record, and what it supersedes. Raises `version_mismatch` or `invalid_argument`."""
        if draft.if_version is not None:
            self.require_version(name, draft.if_version, draft.place, index=index)
        before = self.state(name)
        valid_from = self.now if draft.valid_from is None else draft.valid_from
        try:
            check_interval(valid_from, draft.valid_to)
        except Failure as failure:
            raise Failure(failure.code, f"{draft.place}: {failure.message}", index=index) from None
        created_at = draft.created_at
        if created_at is None:
            created_at = before.created_at if before else self.now
        record = Record(
            id=name,
            version=self._last.get(name, 0) + 1,
            content=draft.content,
            payload=draft.payload,
            vector=self._vectors.add(vector),
            metadata=dict(draft.metadata or {}),
            created_at=created_at,
            valid_from=valid_from,
            valid_to=draft.valid_to,
            deleted_at=draft.deleted_at,
            supersedes=draft.supersedes,
            source=draft.source,
        )
        self._add(entries.UPSERT, name, record.version, record=record, crc32=zlib.crc32(vector))
        self._states[name] = State(record.version, created_at, draft.valid_to, draft.deleted_at)
        self._last[name] = record.version
        return Upserted(name, record.version, self._supersede(record))

    def _supersede(self, record: Record) -> list[str]:
        changed = []
        for other in dict.fromkeys(record.supersedes):
            state = None if other == record.id else self.state(other)
            if state is None or state.deleted_at is not None:
                continue
            if state.valid_to is None or state.valid_to > record.valid_from:
                self._end(entries.SUPERSEDED, other, state, record.valid_from, by=record.id)
                changed.append(other)
        return changed

    def invalidate(self, name: str) -> None:
        """Give a record that has not ended its end: now."""
        state = self.state(name)
        assert state is not None  # chosen among what is there
        self._end(entries.INVALIDATED, name, state, self.now)

    def delete(self, name: str) -> bool:
        """A tombstone; whether there was a record without one."""
        state = self.state(name)
        if state is None or state.deleted_at is not None:
            return False
        self._add(entries.DELETED, name, state.version, deleted_at=self.now)
        self._states[name] = state._replace(deleted_at=self.now)
        return True

    def _end(self, what: str, name: str, state: State, valid_to: Instant, by: str | None = None) -> None:
        self._add(what, name, state.version, valid_to=valid_to, by=by)
        self._states[name] = state._replace(valid_to=valid_to)

    def _add(self, what: str, name: str, version: int, **more: Any) -> None:
        entry = Entry(self._writer.next_number, what, name, version, self.written_at, **more)
        before = self._writer.head.bytes
        self._writer.add(entries.encode(entry), self._spelled)
        head = self._writer.head
        size = head.bytes - before
        self._lines.append(Placed(entry.sequence, head.segment_bytes - size, size, entry))

    # The end

    def commit(self) -> None:
        """Make it happen, then let the catalogue take it in. Raises what `Transaction.commit` raises."""
        if self._store_binding:
            path = places.binding_file(self.namespace.name)
            self.transaction.put(path, binding.encode(self.namespace))
        if self._writer.head.head != self.head.head:
            self._vectors.flush()
            self._writer.flush()
        self.transaction.commit()
        self.head = self._writer.head
        self.derived.advance(self.catalogue, self.head, self._lines)
