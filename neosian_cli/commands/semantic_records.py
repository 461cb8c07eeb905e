"""Records: stored, searched, looked at, ended."""

from __future__ import annotations

from neosian_cli.commands.semantic_access import access, all_matching, pairs, predicates, time_of
from neosian_cli.errors import Failure
from neosian_cli.render import semantic as render
from neosian_cli.render.output import HUMAN
from neosian_cli.render.text import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.commands.call import Call
    from neosian_cli.model.query import Query
    from neosian_cli.model.record import Draft
    from neosian_cli.services.semantic.access import Access


def upsert(call: Call) -> int:
    from neosian_cli.services.semantic import upsert as service

    target = access(call)
    many = call.maybe("records") is not None
    batch = call.maybe_integer("batch")
    if batch is not None and not many:
        raise Failure("usage", "semantic upsert: --batch belongs to --records", hint="neosian semantic upsert --help")
    if many:
        from neosian_cli.commands import semantic_load

        value = semantic_load.load(call, target, batch)
    else:
        value = service.upsert(target, [_one(call, target)])
    call.output.result(value, lambda out: render.upserted(out, value))
    return 0


def _one(call: Call, target: Access) -> Draft:
    from neosian_cli.model.record import Draft, check_draft, check_id, check_vector
    from neosian_cli.services.semantic.upsert import dimensions_of

    metadata = pairs(call.strings("metadata"), "--metadata")
    if metadata:
        from neosian_cli.model.predicate import check_key

        for key in metadata:
            check_key(key, "--metadata")
    vector = _vector(call)
    draft = Draft(
        id=check_id(name) if (name := call.maybe("id")) else None,
        content=call.text("content") or "",
        payload=call.data("payload"),
        vector=None if vector is None else check_vector(vector, dimensions_of(target), "--vector"),
        metadata=metadata,
        created_at=time_of(call, "created_at"),
        valid_from=time_of(call, "valid_from"),
        valid_to=time_of(call, "valid_to"),
        deleted_at=time_of(call, "deleted_at"),
        supersedes=tuple(check_id(other, "--supersedes") for other in call.strings("supersedes")),
        source=call.maybe("source"),
        if_version=call.maybe_integer("if_version"),
    )
    return check_draft(draft)


def _vector(call: Call) -> Any:
    """The JSON value of `--vector`, or None."""
    text = call.text("vector")
    if text is None:
        return None
    from neosian_cli.model import codec

    try:
        return codec.ingest(text)
    except ValueError as error:
        raise Failure("invalid_argument", f"--vector is not JSON: {error}") from None


def search(call: Call) -> int:
    from neosian_cli.model.query import Selection, make_query
    from neosian_cli.model.record import check_vector
    from neosian_cli.services.semantic import search as service
    from neosian_cli.services.semantic.upsert import dimensions_of

    target = access(call)
    selection = Selection(
        predicates(call),
        as_of=time_of(call, "as_of"),
        known_at=time_of(call, "known_at"),
        include_invalidated=call.flag("include_invalidated"),
        created_after=time_of(call, "created_after"),
        created_before=time_of(call, "created_before"),
    )
    vector = _vector(call)
    caps = call.settings.caps
    query = make_query(
        mode=call.string("mode"),
        text=call.text("query"),
        vector=None if vector is None else check_vector(vector, dimensions_of(target), "--vector"),
        selection=selection,
        top_k=call.integer("top_k"),
        rerank_candidate_k=call.integer("rerank_candidate_k"),
        top_k_cap=caps.top_k,
        candidates_cap=caps.rerank_candidate_k,
        exact=call.flag("exact"),
    )
    value = service.search(
        target,
        query,
        ids_only=call.flag("ids_only"),
        include_payload=call.flag("include_payload"),
        include_vector=call.flag("include_vector"),
        explain=call.flag("explain"),
    )
    index = value.get("explain", {}).get("index", {})
    command = index.get("command")
    if command:
        index["command"] = call.output.spell_hint(command)
    call.output.listing(value, lambda out: render.hits(out, value), items="hits", kind="hit")
    people = call.output.mode == HUMAN and not call.output.quiet
    if people and not value["hits"] and selection.as_of is not None and not selection.include_invalidated:
        _note_hidden(call, service.search(target, _lifted(query), ids_only=True))
    if "explain" in value:
        for note in render.explained(value["explain"]):
            call.output.note(note)
        if command:
            call.output.hint(command)
    _note_unreadable(call, value)
    return 0


def get(call: Call) -> int:
    from neosian_cli.services.semantic import reading as service

    value = service.get(
        access(call),
        call.strings("id"),
        include_payload=call.flag("include_payload"),
        include_vector=call.flag("include_vector"),
    )
    call.output.listing(value, lambda out: render.records(out, value), items="records", kind="record")
    return 0


def list_records(call: Call) -> int:
    from neosian_cli.model.query import Selection
    from neosian_cli.services.semantic import reading as service

    value = service.list_records(
        access(call),
        Selection(predicates(call), include_invalidated=call.flag("include_invalidated")),
        limit=call.integer("limit"),
        cursor=call.maybe("cursor"),
        include_payload=call.flag("include_payload"),
        include_vector=call.flag("include_vector"),
    )
    call.output.listing(value, lambda out: render.records(out, value), items="records", kind="record")
    if value["next_cursor"]:
        call.output.hint(f"neosian semantic list {call.string('ns')} --cursor {value['next_cursor']}")
    _note_unreadable(call, value)
    return 0


def delete(call: Call) -> int:
    from neosian_cli.services.semantic import ending as service

    ids = call.strings("id")
    hard = call.flag("hard")
    value = service.delete(access(call), ids, hard=hard, if_version=call.maybe_integer("if_version"))
    call.output.result(value, lambda out: render.deleted(out, ids, value, hard=hard))
    return 0


def expire(call: Call) -> int:
    from neosian_cli.model.query import check_action
    from neosian_cli.services.semantic import ending as service

    value = service.expire(
        access(call),
        all_matching(call),
        action=check_action(call.string("action")),
        max_rows=call.integer("max_rows"),
        dry_run=call.flag("dry_run"),
    )
    call.output.result(value, lambda out: render.expired(out, value))
    if call.flag("dry_run"):
        call.output.note("nothing was changed; leave --dry-run out to do it")
    if value["more"]:
        call.output.hint("more records match than --max-rows; repeat it for the rest")
    return 0


def history(call: Call) -> int:
    from neosian_cli.services.semantic import reading as service

    value = service.history(access(call), call.string("id"))
    call.output.listing(value, lambda out: render.history(out, value), items="entries", kind="entry")
    return 0


def _lifted(query: Query) -> Query:
    """The same query without regard to when a record is valid."""
    from neosian_cli.model.query import Query, Selection

    old = query.selection
    selection = Selection(
        old.predicates,
        known_at=old.known_at,
        include_invalidated=True,
        created_after=old.created_after,
        created_before=old.created_before,
    )
    return Query(query.mode, query.text, query.vector, selection, query.top_k, query.depth, query.exact)


def _note_hidden(call: Call, found: dict[str, Any]) -> None:
    """Say how many would be hits if they were valid at the instant that was asked for."""
    if hidden := len(found["hits"]):
        are = "is" if hidden == 1 else "are"
        call.output.note(f"{count(hidden, 'hit')} {are} not valid then; --include-invalidated shows them")


def _note_unreadable(call: Call, value: dict[str, Any]) -> None:
    if value["unreadable"]:
        call.output.note(f"{count(len(value['unreadable']), 'record')} cannot be read; neosian verify says which")
