"""The command line itself as a JSON Schema: the values that each verb takes, what it prints, and every error.

Each verb has `values.<verb>` (its parameters by their keys, as the table of options judges them) and, where its result
is one JSON object, `result.<verb>`. `error` is the line on stderr.
"""

from __future__ import annotations

from neosian_cli import __version__
from neosian_cli.commands import groups
from neosian_cli.commands.declare import Argument, Option
from neosian_cli.errors import CODES, CONFLICT_REASONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from neosian_cli.commands.declare import Param, Verb

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {"int": "integer", "float": "number", "flag": "boolean"}


def one(param: Param) -> dict[str, Any]:
    """The schema of one value, without its repetition."""
    schema: dict[str, Any] = {"type": _TYPES.get(param.kind, "string")}
    if isinstance(param, Argument | Option):
        if param.choices:
            schema["enum"] = list(param.choices)
        if param.low is not None:
            schema["minimum"] = param.low
        if param.high is not None:
            schema["maximum"] = param.high
        if param.default is not None:
            schema["default"] = param.default
    return schema


def parameter(param: Param) -> dict[str, Any]:
    """The schema of a parameter."""
    told = {"description": param.help}
    if param.repeat:
        return {"type": "array", "items": one(param), **({"minItems": 1} if param.required else {}), **told}
    return {**one(param), **told}


def values(verb: Verb) -> dict[str, Any]:
    """What a verb takes."""
    return {
        "type": "object",
        "description": verb.summary,
        "properties": {param.key: parameter(param) for param in verb.everything},
        "required": [param.key for param in verb.everything if param.required],
        "additionalProperties": False,
    }


def result(verb: Verb) -> Any:
    """What a verb prints with `--json`, or None where it declares nothing."""
    if not isinstance(verb.result, str):
        return verb.result
    module, _, name = verb.result.partition(":")
    return getattr(__import__(module, fromlist=[name]), name)


def error() -> dict[str, Any]:
    """The one line on stderr when something fails and a program reads."""
    statuses = sorted({status for status, _ in CODES.values()} | {129, 143})
    inner = {
        "type": "object",
        "properties": {
            "code": {"enum": list(CODES)},
            "exit_status": {"enum": statuses},
            "message": {"type": "string"},
            "details": {
                "type": "object",
                "properties": {"committed": {"enum": [True, False, "unknown"]}},
            },
            "hint": {"type": ["string", "null"]},
        },
        "required": ["code", "exit_status", "message", "details", "hint"],
        "if": {"properties": {"code": {"const": "conflict"}}, "required": ["code"]},
        "then": {
            "properties": {
                "details": {"properties": {"reason": {"enum": list(CONFLICT_REASONS)}}, "required": ["reason"]}
            }
        },
    }
    return {"type": "object", "properties": {"error": inner}, "required": ["error"]}


def document(verbs: Iterable[Verb] | None = None) -> dict[str, Any]:
    """The whole schema; without a pointer into it, it stands for anything that `--json` prints."""
    definitions: dict[str, Any] = {"error": error()}
    printed = [{"$ref": "#/$defs/error"}]
    for verb in groups.everything() if verbs is None else verbs:
        name = verb.title.replace(" ", ".")
        definitions[f"values.{name}"] = values(verb)
        if (shape := result(verb)) is not None:
            definitions[f"result.{name}"] = shape
            printed.append({"$ref": f"#/$defs/result.{name}"})
    return {
        "$schema": DIALECT,
        "$id": "urn:neosian:schema:cli:1",
        "title": f"The command line of neosian {__version__}",
        "anyOf": printed,
        "$defs": definitions,
    }
