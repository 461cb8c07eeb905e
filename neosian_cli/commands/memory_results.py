"""What the memory verbs print with `--json`, as JSON Schemas."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


TEXT: dict[str, Any] = {"type": "string"}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
VERSION: dict[str, Any] = {"type": "integer", "minimum": 1}
FLAG: dict[str, Any] = {"type": "boolean"}
TIME: dict[str, Any] = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"}
OR_NULL: dict[str, Any] = {"type": ["string", "null"]}


def record(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    """An object with these keys, all but the optional ones there for certain; later formats may add keys."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_PLACE = {"scope": TEXT, "path": TEXT, "mounted_path": TEXT}
_AGE = {"created_at": TIME, "updated_at": TIME, "actor": TEXT, "erased": FLAG}

ENTRY = record({"path": TEXT, "mounted_path": TEXT, "version": VERSION, **_AGE, "bytes": COUNT})
UNREADABLE = record({"path": TEXT, "code": TEXT, "message": TEXT})
LIST = record(
    {"scope": TEXT, "mount": TEXT, "entries": array(ENTRY), "next_cursor": OR_NULL, "unreadable": array(UNREADABLE)}
)
VIEW = record(
    {
        **_PLACE,
        "version": VERSION,
        **_AGE,
        "content": TEXT,
        "extra": {"type": "object"},
        "lines": record({"first": VERSION, "last": COUNT, "total": COUNT}),
    },
    "lines",
)
CHANGED = record({**_PLACE, "version": VERSION, "action": {"enum": ["created", "modified", "deleted"]}})
RENAMED = record(
    {
        **_PLACE,
        "version": VERSION,
        "previous_path": TEXT,
        "previous_version": VERSION,
        "action": {"const": "renamed"},
    }
)
ROW = record(
    {
        "version": VERSION,
        "action": {"enum": ["created", "modified", "deleted", "renamed"]},
        "actor": TEXT,
        "created_at": TIME,
        "erased": FLAG,
        "content": TEXT,
        "extra": {"type": "object"},
    },
    "content",
    "extra",
)
VERSIONS = record({"scope": TEXT, "path": TEXT, "versions": array(ROW), "next_cursor": OR_NULL})
DIFF = record({"path": TEXT, "from": COUNT, "to": COUNT, "diff": TEXT})
ERASED = record({"scope": TEXT, "path": OR_NULL, "documents": COUNT, "versions": COUNT, "applied": FLAG})
