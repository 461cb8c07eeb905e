"""JSON Schema 2020-12 of what `status` and `verify` print."""

from __future__ import annotations

from typing import Any

from neosian_cli.model.mount import MODES
from neosian_cli.store.finding import FAULT, WARNING
from neosian_cli.store.renewal import DROPPED, RENEWED

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
TEXT_OR_NULL: Json = {"type": ["string", "null"]}
COUNT: Json = {"type": "integer", "minimum": 0}


def _object(properties: Json, *optional: str) -> Json:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


_FINDING: Json = {
    "code": TEXT,
    "severity": {"enum": [FAULT, WARNING]},
    "path": TEXT,
    "message": TEXT,
    "derived": {"type": "boolean", "description": "verify --repair-derived can make it anew"},
}
FINDING = _object(_FINDING)
REPAIRED = _object({**_FINDING, "repair": {"enum": [RENEWED, DROPPED]}})
FINDINGS: Json = {"type": "array", "items": FINDING}
FEED = _object({"stream": TEXT, "floor": COUNT, "head": COUNT, "last_created_at": TEXT_OR_NULL})
MOUNT = _object(
    {
        "path": TEXT,
        "scope": TEXT,
        "mode": {"enum": list(MODES)},
        "documents": {**COUNT, "description": "absent where they cannot be counted"},
        "feed": {**_or_null(FEED), "description": "null where nothing was ever written, or it cannot be read"},
    },
    "documents",
)
PLAN: Json = {
    "description": "null where none is pending",
    "anyOf": [
        {"type": "null"},
        _object({"id": TEXT, "created_at": TEXT, "verb": TEXT, "steps": COUNT}),
        _object({"file": TEXT, "refused": TEXT, "sha256": TEXT_OR_NULL}),
    ],
}
HOLDER = _object(
    {"pid": {"type": ["integer", "null"]}, "verb": TEXT_OR_NULL, "mode": {"enum": ["shared", "exclusive"]}}
)
STATUS = _object(
    {
        "home": TEXT,
        "root": TEXT,
        "profile": TEXT_OR_NULL,
        "store": {**TEXT_OR_NULL, "description": "the store's id; null where there is none"},
        "mounts": {"type": "array", "items": MOUNT},
        "namespaces": {"type": "array", "items": {"type": "object"}},
        "pending_plan": PLAN,
        "lock": {**_or_null(HOLDER), "description": "who holds it"},
        "findings": FINDINGS,
    },
)
VERIFIED = _object(
    {
        "ok": {"type": "boolean", "description": "no finding is a fault"},
        "checked": {"type": "object", "additionalProperties": COUNT},
        "findings": FINDINGS,
        "repaired": {
            "type": "array",
            "items": REPAIRED,
            "description": "with --repair-derived: findings that are none any more, and what was done",
        },
    },
    "repaired",
)
