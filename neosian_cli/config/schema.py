"""JSON Schema 2020-12 of `config.yaml`, and of what `config show` and `config check` print."""

from __future__ import annotations

from neosian_cli.config import sections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.config.shape import Json

TEXT: Json = {"type": "string"}
TEXT_OR_NULL: Json = {"type": ["string", "null"]}


def document() -> Json:
    """The file's schema; `$defs` holds those of the two results. An empty file is null."""
    file: Json = sections.CONFIG.schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "neosian config.yaml",
        **file,
        "type": ["object", "null"],
        "$defs": {"show": SHOW, "check": CHECK},
    }


def _object(properties: Json) -> Json:
    return {"type": "object", "required": list(properties), "properties": properties}


def _show() -> Json:
    mount = _object(
        {"path": TEXT, "scope": sections.MOUNT.fields["scope"].shape.schema(), "mode": {"enum": ["rw", "ro", "eo"]}},
    )
    options = {
        "api_key_env": TEXT_OR_NULL,
        "timeout": {"type": "number", "description": "seconds"},
        "base_url": TEXT_OR_NULL,
        "batch_size": {"type": "integer"},
        "send_dimensions": {"type": ["boolean", "null"]},
    }
    embedder = {
        "provider": sections.EMBEDDER.fields["provider"].shape.schema(),
        "model": TEXT_OR_NULL,
        "dimensions": {"type": ["integer", "null"]},
        "cache_size": {"type": "integer"},
        "options": _object(options),
    }
    namespace = {"name": TEXT, "backend": TEXT, "text_search": TEXT, "embedder": _object(embedder)}
    namespace["planner"] = _object({name: {"type": "integer"} for name in sections.PLANNER.fields})
    return _object(
        {
            "home": TEXT,
            "config": TEXT,
            "config_found": {"type": "boolean"},
            "profile": TEXT_OR_NULL,
            "root": TEXT_OR_NULL,
            "url": TEXT_OR_NULL,
            "mounts": {"type": "array", "items": mount},
            "actor": TEXT,
            "lock_timeout": {"type": "number"},
            "namespaces": {"type": "array", "items": _object(namespace)},
            "caps": _object({name: {"type": "integer"} for name in sections.CAPS.fields}),
            "origins": {"type": "object", "additionalProperties": TEXT},
            "problem": {**TEXT_OR_NULL, "description": "why there are no mounts"},
        },
    )


def _check() -> Json:
    names: dict[str, Any] = {"type": "array", "items": TEXT}
    return _object(
        {
            "file": TEXT,
            "ok": {"const": True},
            "found": {"type": "boolean"},
            "default_profile": TEXT_OR_NULL,
            "profiles": names,
            "namespaces": names,
        },
    )


SHOW = _show()
CHECK = _check()
