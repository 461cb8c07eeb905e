"""JSON Schema 2020-12 of semantic records and of what the semantic verbs print."""

from __future__ import annotations

from typing import Any

from neosian_cli.model.record import DELETED, FUTURE, INVALID, LIVE
from neosian_cli.store.semantic import entries

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
FLAG: Json = {"type": "boolean"}
COUNT: Json = {"type": "integer", "minimum": 0}
NUMBER: Json = {"type": "integer", "minimum": 1}
TIME: Json = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$", "description": "UTC"}
TEXT_OR_NULL: Json = {"type": ["string", "null"]}
TIME_OR_NULL: Json = {**TIME, "type": ["string", "null"]}
ID: Json = {"type": "string", "minLength": 1, "maxLength": 512}
IDS: Json = {"type": "array", "items": ID}


def _told(schema: Json, description: str) -> Json:
    return {**schema, "description": description}


def _object(properties: Json, *optional: str) -> Json:
    """An object that holds all of these but the optional ones, and may hold others: keys may be added."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _array(items: Json) -> Json:
    return {"type": "array", "items": items}


STATES = (LIVE, FUTURE, INVALID, DELETED)

FIELDS: Json = {
    "id": ID,
    "content": TEXT,
    "metadata": {"type": "object", "additionalProperties": TEXT},
    "created_at": TIME,
    "valid_from": TIME,
    "valid_to": _told(TIME_OR_NULL, "exclusive"),
    "deleted_at": _told(TIME_OR_NULL, "a tombstone"),
    "supersedes": IDS,
    "source": TEXT_OR_NULL,
    "version": NUMBER,
    "payload": _told({**TEXT_OR_NULL, "contentEncoding": "base64"}, "with --include-payload"),
    "vector": _told(_array({"type": "number"}), "with --include-vector"),
}
ON_DEMAND = ("payload", "vector")
RECORD = _object({**FIELDS, "state": {"enum": list(STATES)}}, *ON_DEMAND)

INPUT: Json = {
    "type": "object",
    "description": "a line of --records; what our own lists print beside these is passed over",
    "properties": {
        "id": _told({"type": ["string", "null"], "maxLength": 512}, "empty or absent: a new UUID"),
        "content": TEXT_OR_NULL,
        "payload": FIELDS["payload"],
        "vector": {"type": ["array", "null"], "items": {"type": "number"}},
        "metadata": {"type": ["object", "null"], "additionalProperties": TEXT},
        "created_at": TEXT_OR_NULL,
        "valid_from": TEXT_OR_NULL,
        "valid_to": TEXT_OR_NULL,
        "deleted_at": TEXT_OR_NULL,
        "supersedes": {"type": ["array", "null"], "items": ID},
        "source": TEXT_OR_NULL,
        "if_version": {"type": ["integer", "null"], "minimum": 0},
    },
    "anyOf": [{"required": ["content"]}, {"required": ["vector"]}],
}

UNREADABLE = _array(_object({"id": TEXT_OR_NULL, "code": TEXT, "message": TEXT}))
CACHE = _object({"hits": COUNT, "misses": COUNT})
_BINDING: Json = {"provider": TEXT, "model": TEXT_OR_NULL, "dimensions": NUMBER, "text_search": TEXT}
_NAMESPACE: Json = {"namespace": TEXT, **_BINDING, "created_at": _told(TIME_OR_NULL, "null: configured, never used")}

CREATED = _object({**_NAMESPACE, "created": FLAG})
NAMESPACES = _object(
    {
        "namespaces": _array(_object({**_NAMESPACE, "records": COUNT, "live": COUNT})),
        "unreadable": UNREADABLE,
    },
)
MADE = _told(
    _object(
        {
            "state": {"enum": ["current", "unfit", "none"]},
            "rows": COUNT,
            "vectors": COUNT,
            "bytes": COUNT,
            "reason": _told(TEXT, "why there is none"),
        },
        "rows",
        "vectors",
        "bytes",
        "reason",
    ),
    "what became of the index, where it was time for a new one",
)
UPSERTED = _object(
    {
        "namespace": TEXT,
        "ids": IDS,
        "versions": _array(NUMBER),
        "superseded": _told(_array(IDS), "for each record, the ids whose valid_to it changed"),
        "cache": CACHE,
        "transactions": COUNT,
        "index": MADE,
    },
    "transactions",
    "index",
)
HIT = _object(
    {"id": ID, "score": {"type": "number"}, **{name: FIELDS[name] for name in FIELDS if name != "id"}},
    *(name for name in FIELDS if name != "id"),
)
HITS = _object(
    {
        "namespace": TEXT,
        "mode": {"enum": ["dense", "sparse", "hybrid"]},
        "hits": _told(_array(HIT), "id and score alone with --ids-only"),
        "exact": _told(FLAG, "whether the dense lane was scanned in full; true for sparse"),
        "cache": CACHE,
        "unreadable": UNREADABLE,
        "explain": {"type": "object"},
    },
    "explain",
)
GOT = _object({"records": _array(RECORD)})
LISTED = _object({"records": _array(RECORD), "next_cursor": TEXT_OR_NULL, "unreadable": UNREADABLE})
_ENTRY: Json = {
    "written_at": TIME,
    "what": {"enum": [entries.UPSERT, entries.SUPERSEDED, entries.INVALIDATED, entries.DELETED]},
    **FIELDS,
    "by": _told(ID, "the record that superseded it"),
}
HISTORY = _object(
    {
        "id": ID,
        "entries": _told(
            _array(_object(_ENTRY, "by", *(name for name in FIELDS if name != "version"))), "newest first"
        ),
        "unreadable": UNREADABLE,
    },
)
DELETED_ONES = _object({"existed": _told(_array(FLAG), "for each id, whether this call ended it")})
EXPIRED = _object({"affected": COUNT, "more": FLAG, "applied": FLAG})
INDEX = _object(
    {
        "state": {
            "enum": ["none", "current", "stale", "unfit"],
            "description": "unfit: it would miss too many of the nearest, so that searches scan",
        },
        "stale": _told(FLAG, "whether the next load, compaction or reindex makes it anew"),
        "vectors": _told(COUNT, "how many distinct ones it holds"),
        "rows": _told(COUNT, "how many stored versions it stands for"),
        "tail": _told(COUNT, "how many came after it, which are scanned"),
        "dead": _told(COUNT, "how many of its records have been replaced or deleted since"),
    }
)
STATS = _object(
    {
        "namespace": TEXT,
        "binding": _object(_BINDING),
        "stored": _told(FLAG, "false: configured, never used; then there is nothing to count"),
        "counts": {"type": "object", "additionalProperties": COUNT},
        "versions": COUNT,
        "erased": COUNT,
        "unreadable": COUNT,
        "last_written_at": TIME_OR_NULL,
        "history_floor": TIME_OR_NULL,
        "bytes": _told({"type": "object", "additionalProperties": COUNT}, "by kind of file"),
        "index": INDEX,
        "cache": _object({"entries": COUNT, "size": {"type": "integer"}}),
    },
    "erased",
    "unreadable",
    "last_written_at",
    "history_floor",
    "index",
    "cache",
)
COMPACTED = _object(
    {
        "namespace": TEXT,
        "versions": COUNT,
        "changes": COUNT,
        "marks": COUNT,
        "vectors": COUNT,
        "history_floor": TIME_OR_NULL,
        "applied": FLAG,
        "index": MADE,
    },
    "index",
)
REINDEXED = _object(
    {
        "namespace": TEXT,
        "records": COUNT,
        "versions": COUNT,
        "index": {**MADE, "type": ["object", "null"], "description": "null: too few vectors for one"},
    },
)
DROPPED = _object({"namespace": TEXT, "files": COUNT, "applied": FLAG})


def document() -> Json:
    """The schema of a record as it is given out; `$defs` holds what may be given in, and what the verbs print."""
    results = {
        "created": CREATED,
        "namespaces": NAMESPACES,
        "upserted": UPSERTED,
        "hits": HITS,
        "got": GOT,
        "listed": LISTED,
        "history": HISTORY,
        "deleted": DELETED_ONES,
        "expired": EXPIRED,
        "stats": STATS,
        "compacted": COMPACTED,
        "reindexed": REINDEXED,
        "dropped": DROPPED,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:neosian:schema:records:1",
        "title": "neosian semantic record",
        **RECORD,
        "$defs": {"input": INPUT, **results},
    }
