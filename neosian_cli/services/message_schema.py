"""JSON Schema 2020-12 of messages: the record as it is stored, and what the verbs print."""

from __future__ import annotations

from typing import Any

from neosian_cli.model import message

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
TEXT_OR_NULL: Json = {"type": ["string", "null"]}
COUNT: Json = {"type": "integer", "minimum": 1}
COUNT_OR_NULL: Json = {"type": ["integer", "null"], "minimum": 1}
TIME: Json = {
    "type": "string",
    "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$",
    "description": "UTC",
}
TIME_OR_NULL: Json = {**TIME, "type": ["string", "null"]}
UUID: Json = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
NAME: Json = {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,128}$"}
NAME_OR_NULL: Json = {**NAME, "type": ["string", "null"]}


def _told(schema: Json, description: str) -> Json:
    return {**schema, "description": description}


CONTEXT: Json = {
    "type": ["object", "null"],
    "description": "a document as it was when the message was sent",
    "properties": {"scope": TEXT, "path": TEXT, "version": COUNT},
    "required": ["scope", "path", "version"],
}

FIELDS: dict[str, Json] = {
    "format": {"const": message.FORMAT},
    "id": UUID,
    "scope": TEXT,
    "conversation": _told(NAME_OR_NULL, "the only session that it is for"),
    "turn": _told(COUNT_OR_NULL, "of that conversation"),
    "source": _told(TEXT_OR_NULL, "as the sender gave it"),
    "about": _told(NAME_OR_NULL, "a conversation that it is about"),
    "about_turn": _told(COUNT_OR_NULL, "of that conversation"),
    "context": CONTEXT,
    "change_id": _told(TEXT_OR_NULL, "the sender's claim, not verified"),
    "actor": _told(TEXT, "who sent it"),
    "body": TEXT,
    "created_at": TIME,
    "due_at": _told(TIME_OR_NULL, "null: due since it was sent"),
    "actionable": {"type": "boolean", "description": "whether it can be claimed and completed"},
    "occurrence": _told(COUNT, "grows by one with every snooze"),
    "status": {"enum": list(message.STATES)},
    "read_by": _told(NAME_OR_NULL, "the session that acknowledged or claimed it"),
    "read_at": TIME_OR_NULL,
    "owner": _told(NAME_OR_NULL, "the session of the newest claim, also after its end"),
    "claim_until": _told(TIME_OR_NULL, "the end of the lease"),
    "outcome": _told(TEXT_OR_NULL, "of complete, or of the last snooze"),
}

STORED: Json = {"type": "object", "required": list(FIELDS), "properties": FIELDS}

SHOWN_FIELDS: dict[str, Json] = {**FIELDS, "version": _told(COUNT, "of the document")}
SHOWN: Json = {"type": "object", "required": list(SHOWN_FIELDS), "properties": SHOWN_FIELDS}

CLAIMED_FIELDS: dict[str, Json] = {**SHOWN_FIELDS, "token": _told(TEXT, "shown this once, and kept nowhere")}
CLAIMED: Json = {"type": "object", "required": list(CLAIMED_FIELDS), "properties": CLAIMED_FIELDS}

PAST_FIELDS: dict[str, Json] = {
    **SHOWN_FIELDS,
    "changed_at": _told(TIME, "when this version was made"),
    "changed_by": _told(TEXT, "the actor who made it"),
}
PAST: Json = {"type": "object", "required": list(PAST_FIELDS), "properties": PAST_FIELDS}

VIEW_FIELDS: dict[str, Json] = {
    **SHOWN_FIELDS,
    "history": {"type": "array", "description": "newest first", "items": PAST},
}
VIEW: Json = {"type": "object", "required": list(VIEW_FIELDS), "properties": VIEW_FIELDS}

UNREADABLE: Json = {
    "type": "object",
    "description": "a message by its id, or all of a scope by their common path",
    "required": ["code", "message"],
    "properties": {"id": TEXT, "path": TEXT, "code": TEXT, "message": TEXT},
}
LISTING: Json = {
    "type": "object",
    "required": ["items", "next_cursor", "unreadable"],
    "properties": {
        "items": {"type": "array", "items": SHOWN},
        "next_cursor": TEXT_OR_NULL,
        "unreadable": {"type": "array", "items": UNREADABLE},
    },
}


def document() -> Json:
    """The schema of a message as it is stored; `$defs` holds those of what the verbs print."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "neosian message",
        **STORED,
        "$defs": {"shown": SHOWN, "claimed": CLAIMED, "view": VIEW, "listing": LISTING},
    }
