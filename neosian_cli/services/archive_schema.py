"""JSON Schema 2020-12 of what `export` and `import` print."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
COUNT: Json = {"type": "integer", "minimum": 0}


def _rows(name: str, *counts: str) -> Json:
    properties: Json = {name: TEXT, **dict.fromkeys(counts, COUNT)}
    return {"type": "array", "items": {"type": "object", "properties": properties, "required": list(properties)}}


SCOPES = _rows("scope", "documents", "versions", "erasures")
NAMESPACES = _rows("namespace", "versions", "changes")
UNREADABLE: Json = {
    "type": "array",
    "description": "what was damaged and is not in the archive",
    "items": {
        "type": "object",
        "properties": {"scope": TEXT, "path": TEXT, "namespace": TEXT, "code": TEXT, "message": TEXT},
        "required": ["code", "message"],
    },
}
SKIPPED: Json = {
    "type": "array",
    "description": "what could not be taken over from a file store of another program; path is relative to it",
    "items": {
        "type": "object",
        "properties": {"path": TEXT, "code": TEXT, "message": TEXT},
        "required": ["path", "code", "message"],
    },
}


def _result(**properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


EXPORTED = _result(scopes=SCOPES, namespaces=NAMESPACES, unreadable=UNREADABLE)
IMPORTED = _result(scopes=SCOPES, namespaces=NAMESPACES, skipped=SKIPPED)
