"""Ending records: tombstones, ends of validity, and removal for good."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.query import HARD_DELETE, INVALIDATE, check_cap
from neosian_cli.model.record import check_id
from neosian_cli.store.semantic import erasure
from neosian_cli.store.semantic.expiry import oldest
from neosian_cli.store.semantic.writing import NamespaceWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.model.query import Selection
    from neosian_cli.services.semantic.access import Access


def delete(access: Access, ids: Sequence[str], *, hard: bool, if_version: int | None) -> dict[str, Any]:
    """Tombstones for these records, or their removal; whether each was there. One transaction."""
    for name in ids:
        check_id(name)
    if if_version is not None and len(ids) != 1:
        raise Failure("invalid_argument", "--if-version speaks of one record; give one id")
    if if_version == 0:
        raise Failure("invalid_argument", "--if-version 0 means that there is no record; there is nothing to delete")
    with access.store.reading() as tree:
        if not access.find(tree)[1]:
            return {"existed": [False] * len(ids)}
    return {"existed": access.mended(lambda: _delete(access, ids, hard=hard, if_version=if_version))}


def _delete(access: Access, ids: Sequence[str], *, hard: bool, if_version: int | None) -> list[bool]:
    with access.store.writing("semantic delete") as transaction:
        namespace, _ = access.find(transaction.tree)
        writer = NamespaceWriter(transaction, access.store.root, namespace, store_binding=False)
        try:
            writer.look_up(ids)
            if if_version is not None:
                writer.require_version(ids[0], if_version, "delete")
            if hard:
                return _remove(writer, access, ids)
            existed = [writer.delete(name) for name in ids]
            writer.commit()
            return existed
        finally:
            writer.close()


def _remove(writer: NamespaceWriter, access: Access, ids: Sequence[str]) -> list[bool]:
    there = [name for name in dict.fromkeys(ids) if writer.state(name) is not None]
    seen: set[str] = set()
    existed = []
    for name in ids:
        existed.append(name in there and name not in seen)
        seen.add(name)
    if there:
        erasure.erase(writer, access.store.root, there)
    return existed


def expire(access: Access, selection: Selection, *, action: str, max_rows: int, dry_run: bool) -> dict[str, Any]:
    """Apply an action to the oldest matching records, `max_rows` at most. One transaction."""
    if max_rows < 1:
        raise Failure("invalid_argument", "--max-rows must be at least 1")
    check_cap("max_rows", max_rows, max_rows, access.settings.caps.max_rows)
    return access.mended(lambda: _expire(access, selection, action, max_rows, dry_run=dry_run))


def _expire(access: Access, selection: Selection, action: str, max_rows: int, *, dry_run: bool) -> dict[str, Any]:
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
        if not is_stored:
            return {"affected": 0, "more": False, "applied": not dry_run}
        if dry_run:
            view = access.view(tree, namespace)
            try:
                found = oldest(view.catalogue, selection, action, max_rows + 1, access.store.now())
            finally:
                view.close()
            return {"affected": min(len(found), max_rows), "more": len(found) > max_rows, "applied": False}
    with access.store.writing("semantic expire") as transaction:
        namespace, _ = access.find(transaction.tree)
        writer = NamespaceWriter(transaction, access.store.root, namespace, store_binding=False)
        try:
            found = oldest(writer.catalogue, selection, action, max_rows + 1, writer.now)
            names = found[:max_rows]
            writer.look_up(names)
            _apply(writer, access, action, names)
        finally:
            writer.close()
    return {"affected": len(names), "more": len(found) > max_rows, "applied": True}


def _apply(writer: NamespaceWriter, access: Access, action: str, names: list[str]) -> None:
    if not names:
        return
    if action == HARD_DELETE:
        erasure.erase(writer, access.store.root, names)
        return
    for name in names:
        if action == INVALIDATE:
            writer.invalidate(name)
        else:
            writer.delete(name)
    writer.commit()
