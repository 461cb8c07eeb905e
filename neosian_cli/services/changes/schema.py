"""The shapes of events, pages and requests as JSON Schema (2020-12), and of what the other verbs print."""

from __future__ import annotations

from neosian_cli.model.cursor import MAX_BYTES
from neosian_cli.services.changes.page import FORMAT, MAX_LIMIT
from neosian_cli.services.changes.position import AHEAD, OK, RETENTION, STREAM_RESET, UNTRACKED
from neosian_cli.store import feed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]

_COUNT: Schema = {"type": "integer", "minimum": 0}
_NUMBER: Schema = {"type": "integer", "minimum": 1}
_TEXT: Schema = {"type": "string"}
_UUID: Schema = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
_TIME: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"}
_CURSOR: Schema = {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9._-]*$", "maxLength": MAX_BYTES}
_FORMAT: Schema = {"const": FORMAT}
_ROOT: Schema = {"type": "string", "pattern": "^/[A-Za-z0-9_.-]+$", "description": "the mount"}
_SCOPE: Schema = {"type": "string", "maxLength": 512}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(properties: Schema, optional: tuple[str, ...] = (), **more: Any) -> Schema:
    """An object that holds all of these but the optional ones, and may hold others: keys may be added."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, **more}


def _of_kinds(kinds: tuple[str, ...], holds: tuple[str, ...], lacks: tuple[str, ...]) -> Schema:
    then: Schema = {"required": list(holds), "properties": dict.fromkeys(lacks, False)}
    return {"if": {"properties": {"kind": {"enum": list(kinds)}}, "required": ["kind"]}, "then": then}


EVENT: Schema = _object(
    {
        "id": {"type": "string", "description": "<stream>:<sequence>; the same event always has the same"},
        "stream": _UUID,
        "sequence": {**_NUMBER, "description": "1, 2, 3 … in a stream, without holes; the only order there is"},
        "kind": {"type": "string", "description": f"one of {', '.join(feed.KINDS)}; pass over others"},
        "scope": _SCOPE,
        "path": _TEXT,
        "version": _NUMBER,
        "previous_path": _TEXT,
        "previous_version": _NUMBER,
        "reason": {"enum": [feed.TRACKING_STARTED, feed.RESTORED]},
        "created_at": {**_TIME, "description": "descriptive; it may stand still or fall"},
        "reference": {**_or_null(_TEXT), "description": "the mounted path, null where the whole scope is meant"},
        "previous_reference": _TEXT,
    },
    ("path", "version", "previous_path", "previous_version", "reason", "previous_reference"),
    allOf=[
        _of_kinds(
            (feed.CREATED, feed.MODIFIED, feed.DELETED),
            ("path", "version"),
            ("previous_path", "previous_version", "reason", "previous_reference"),
        ),
        _of_kinds(
            (feed.RENAMED,),
            ("path", "version", "previous_path", "previous_version", "previous_reference"),
            ("reason",),
        ),
        _of_kinds((feed.ERASED,), ("path",), ("version", "previous_path", "previous_version", "reason")),
        _of_kinds((feed.SCOPE_ERASED,), (), ("path", "version", "previous_path", "previous_version", "reason")),
        _of_kinds((feed.SCOPE_RESET,), ("reason",), ("path", "version", "previous_path", "previous_version")),
    ],
)

_SOURCE: Schema = {
    "type": "object",
    "properties": {"profile": _TEXT, "root": _TEXT, "url": _TEXT},
    "minProperties": 1,
    "description": "where the page is from, when that was chosen",
}

PAGE: Schema = _object(
    {
        "format": _FORMAT,
        "path": _ROOT,
        "scope": _SCOPE,
        "stream": _or_null(_UUID),
        "events": {"type": "array", "items": EVENT},
        "cursor": {**_or_null(_CURSOR), "description": "the position after this page: the next --cursor"},
        "head_cursor": _or_null(_CURSOR),
        "earliest_cursor": {**_or_null(_CURSOR), "description": "the retained floor"},
        "has_more": {"type": "boolean", "description": "whether events after `cursor` exist now"},
        "gap": {"enum": [None, UNTRACKED, RETENTION, STREAM_RESET]},
        "source": _SOURCE,
    },
    ("source",),
    allOf=[
        {
            "if": {"properties": {"gap": {"type": "string"}}},
            "then": {"properties": {"events": {"maxItems": 0}, "has_more": {"const": False}}},
        },
    ],
)

REQUEST: Schema = {
    "type": "object",
    "properties": {
        "path": _ROOT,
        "cursor": {**_CURSOR, "description": "where to go on; without it, from the retained floor"},
        "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 50},
    },
    "required": ["path"],
    "additionalProperties": False,
}

PRUNE: Schema = _object(
    {
        "format": _FORMAT,
        "path": _ROOT,
        "scope": _SCOPE,
        "stream": _UUID,
        "count": _COUNT,
        "floor": _CURSOR,
        "has_more": {"type": "boolean"},
        "applied": {"type": "boolean"},
    },
)

_STATE: Schema = {"enum": [OK, RETENTION, STREAM_RESET, AHEAD]}

STATUS: Schema = _object(
    {
        "format": _FORMAT,
        "path": _ROOT,
        "scope": _SCOPE,
        "stream": _or_null(_UUID),
        "floor": _or_null(_COUNT),
        "head": _or_null(_COUNT),
        "retained": _COUNT,
        "segments": _COUNT,
        "bytes": _COUNT,
        "last_created_at": _or_null(_TIME),
        "earliest_cursor": _or_null(_CURSOR),
        "head_cursor": _or_null(_CURSOR),
        "consumers": {
            "type": "array",
            "items": _object(
                {
                    "file": _TEXT,
                    "sequence": _COUNT,
                    "lag": _or_null(_COUNT),
                    "headroom": {
                        "type": ["integer", "null"],
                        "description": "events between the floor and the checkpoint; below 0, as many are lost to it",
                    },
                    "state": _STATE,
                },
            ),
        },
    },
)

CHECKPOINT: Schema = _object(
    {
        "format": _FORMAT,
        "file": _TEXT,
        "path": _ROOT,
        "scope": _SCOPE,
        "cursor": _CURSOR,
        "sequence": _COUNT,
        "head": _or_null(_COUNT),
        "lag": _or_null(_COUNT),
        "state": _STATE,
    },
)

VERIFY: Schema = _object(
    {
        "format": _FORMAT,
        "path": _ROOT,
        "scope": _SCOPE,
        "events": _COUNT,
        "first": _or_null(_NUMBER),
        "last": _or_null(_NUMBER),
        "ok": {"type": "boolean"},
        "findings": {
            "type": "array",
            "items": _object(
                {
                    "code": _TEXT,
                    "severity": _TEXT,
                    "path": _TEXT,
                    "message": _TEXT,
                    "sequence": _or_null(_COUNT),
                    "offset": _or_null(_COUNT),
                },
            ),
        },
    },
)

STATS: Schema = _object(
    {
        "format": _FORMAT,
        "path": _ROOT,
        "scope": _SCOPE,
        "by": {"enum": ["hour", "day", "month"]},
        "buckets": {
            "type": "array",
            "items": _object(
                {
                    "start": _TIME,
                    "total": _NUMBER,
                    "kinds": {"type": "object", "additionalProperties": _NUMBER},
                },
            ),
        },
        "paths": {"type": "array", "items": _object({"path": _TEXT, "events": _NUMBER})},
    },
)

SNAPSHOT: Schema = _object(
    {
        "format": _FORMAT,
        "path": _ROOT,
        "scope": _SCOPE,
        "stream": _or_null(_UUID),
        "documents": {
            "type": "array",
            "items": _object({"path": _TEXT, "mounted_path": _TEXT, "version": _NUMBER}),
        },
        "cursor": _or_null(_CURSOR),
        "gap": {"enum": [None, UNTRACKED]},
        "unreadable": {"type": "array", "items": _object({"path": _TEXT, "code": _TEXT, "message": _TEXT})},
    },
)


def document() -> Schema:
    """The schema that `neosian schema changes` prints; without a pointer into it, it stands for a page."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:neosian:schema:changes:1",
        "title": "The change feed",
        "$ref": "#/$defs/page",
        "$defs": {"event": EVENT, "page": PAGE, "request": REQUEST},
    }
