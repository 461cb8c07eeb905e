"""Looking at records by id, in a list, and at what became of one."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import armour, times
from neosian_cli.model.cursor import malformed
from neosian_cli.model.grammar import excerpt
from neosian_cli.model.record import check_id, state_of
from neosian_cli.store.semantic import entries
from neosian_cli.store.semantic.catalogue import CatalogueBroken
from neosian_cli.store.semantic.recordlog import Lines
from neosian_cli.store.semantic.selection import rows_of
from neosian_cli.store.semantic.shape import shown, spelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.query import Selection
    from neosian_cli.model.record import Record
    from neosian_cli.services.semantic.access import Access
    from neosian_cli.store.semantic.view import View

MARK = "r1_"


def get(
    access: Access, ids: Sequence[str], *, include_payload: bool = False, include_vector: bool = False
) -> dict[str, Any]:
    """Records by id, in the order asked for, live or not. Raises `not_found` if one is missing."""
    for name in ids:
        check_id(name)
    options = {"payload": include_payload, "vector": include_vector}
    return access.mended(lambda: _get(access, ids, options))


def _get(access: Access, ids: Sequence[str], options: dict[str, bool]) -> dict[str, Any]:
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
        if not is_stored:
            raise _missing(access, list(ids))
        view = access.view(tree, namespace)
        try:
            _refuse_unreadable(view, ids)
            rows = view.catalogue.newest_of(ids)
            missing = [name for name in dict.fromkeys(ids) if name not in rows]
            if missing:
                raise _missing(access, missing)
            by_id = {record.id: record for record in view.records(tree, rows.values())}
            return {"records": [_with_state(access, view, tree, by_id[name], **options) for name in ids]}
        finally:
            view.close()


def list_records(
    access: Access,
    selection: Selection,
    *,
    limit: int,
    cursor: str | None,
    include_payload: bool = False,
    include_vector: bool = False,
) -> dict[str, Any]:
    """One page of records by creation and id."""
    after = None if cursor is None else _decode_cursor(cursor, access.name)
    options = {"payload": include_payload, "vector": include_vector}
    return access.mended(lambda: _list(access, selection, limit, after, options))


def _list(
    access: Access, selection: Selection, limit: int, after: tuple[int, str] | None, options: dict[str, bool]
) -> dict[str, Any]:
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
        if not is_stored:
            return {"records": [], "next_cursor": None, "unreadable": []}
        view = access.view(tree, namespace)
        try:
            selected = rows_of(selection, access.store.now())
            rest = "" if after is None else "AND (r.created_at, r.id) > (:after, :after_id)"
            sql = selected.select("r.*", f"{rest} ORDER BY r.created_at, r.id LIMIT :limit")
            values = {**selected.values, "limit": limit + 1}
            if after is not None:
                values["after"], values["after_id"] = after
            rows = view.catalogue.connection.execute(sql, values).fetchall()
            records = view.records(tree, rows[:limit])
            last = rows[limit - 1] if len(rows) > limit else None
            return {
                "records": [_with_state(access, view, tree, record, **options) for record in records],
                "next_cursor": None if last is None else _cursor(last["created_at"], last["id"], access.name),
                "unreadable": view.catalogue.unreadable() if after is None else [],
            }
        finally:
            view.close()


def history(access: Access, name: str) -> dict[str, Any]:
    """Every stored version of a record and every change to it, newest first. Raises `not_found`."""
    check_id(name)
    return access.mended(lambda: _history_of(access, name))


def _history_of(access: Access, name: str) -> dict[str, Any]:
    with access.store.reading() as tree:
        namespace, is_stored = access.find(tree)
        if not is_stored:
            raise _missing(access, [name])
        view = access.view(tree, namespace)
        try:
            found = _history(view, tree, name)
            unreadable = [finding for finding in view.catalogue.unreadable() if finding["id"] == name]
        finally:
            view.close()
    if not found and not unreadable:
        raise _missing(access, [name])
    return {"id": name, "entries": found, "unreadable": unreadable}


def _history(view: View, tree: Tree, name: str) -> list[dict[str, Any]]:
    run = view.catalogue.connection.execute
    found: list[tuple[int, dict[str, Any]]] = []
    lines = Lines(tree, view.log, view.head)
    try:
        for row in run("SELECT * FROM version WHERE id = ?", (name,)).fetchall():
            entry = lines.read(row["sequence"], row["offset"], row["size"])
            if entry is None or entry.record is None:
                raise CatalogueBroken(f"line {row['sequence']} is not that of {excerpt(name)}")
            value = {"written_at": times.spell(entry.written_at), "what": entries.UPSERT, "version": entry.version}
            found.append((entry.sequence, value | shown(entry.record)))
            for change in run("SELECT * FROM change WHERE version = ?", (row["sequence"],)):
                value = {
                    "written_at": times.spell(change["written_at"]),
                    "what": change["what"],
                    "version": row["number"],
                }
                if change["what"] == entries.DELETED:
                    value["deleted_at"] = spelled(change["deleted_at"])
                else:
                    value["valid_to"] = spelled(change["valid_to"])
                if change["made_by"] is not None:
                    value["by"] = change["made_by"]
                found.append((change["sequence"], value))
    finally:
        lines.close()
    return [value for _, value in sorted(found, key=lambda pair: -pair[0])]


def _with_state(
    access: Access, view: View, tree: Tree, record: Record, *, payload: bool, vector: bool
) -> dict[str, Any]:
    packed = view.vector_of(tree, record.vector) if vector else None
    state = state_of(record.valid_from, record.valid_to, record.deleted_at, access.store.now())
    return {**shown(record, payload=payload, vector=packed), "state": state}


def _missing(access: Access, names: list[str]) -> Failure:
    shown_names = ", ".join(excerpt(name) for name in names[:5])
    return Failure(
        "not_found",
        f"{access.name} has no record {shown_names}",
        hint=f"neosian semantic list {access.name}",
        ids=names,
    )


def _refuse_unreadable(view: View, ids: Sequence[str]) -> None:
    wanted = set(ids)
    for finding in view.catalogue.unreadable():
        if finding["id"] in wanted:
            raise Failure(finding["code"], finding["message"], hint="neosian verify", id=finding["id"])


def _cursor(created_at: int, name: str, namespace: str) -> str:
    import zlib

    body = f"{namespace}\0{created_at}\0{name}".encode()
    return MARK + armour.encode_word(zlib.crc32(body).to_bytes(4, "big") + body)


def _decode_cursor(text: str, namespace: str) -> tuple[int, str]:
    import zlib

    try:
        packed = text.removeprefix(MARK) if text.startswith(MARK) and text.isascii() else ""
        data = armour.decode_word(packed)
        check, body = data[:4], data[4:]
        owner, created_at, name = body.decode().split("\0", 2)
        good = zlib.crc32(body).to_bytes(4, "big") == check
        place = int(created_at)
    except ValueError:
        good, owner = False, namespace
    if not good:
        raise malformed("cursor")
    if owner != namespace:
        raise Failure("invalid_cursor", f"the cursor belongs to another namespace than {namespace}", reason="scope")
    return place, name
