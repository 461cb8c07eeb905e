"""JSON as it is written, and JSON as it is taken in.

Writing: UTF-8, no blanks, keys in the order given. Reading what is ours back needs no more than the parser's checks;
what comes from users goes through `ingest`, since the parser would alter some values without a word: doubled keys,
numbers beyond 64 bits, not-a-number.
"""

from __future__ import annotations

from typing import Any

import orjson

MAX_DEPTH = 200
MAX_INTEGER = 2**53 - 1


def dumps(value: object) -> bytes:
    """One line without a newline; raises TypeError for what JSON cannot say (a lone surrogate, too deep, too large)."""
    return orjson.dumps(value)


def pretty(value: object) -> bytes:
    """Indented, keys sorted, ended by a newline."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def readable(value: object) -> bytes:
    """Indented, keys in the order given, ended by a newline."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def loads(data: bytes) -> Any:
    """The value; raises ValueError."""
    return orjson.loads(data)


def load_object(data: bytes) -> dict[str, Any]:
    """A JSON object; raises ValueError for anything else."""
    value = orjson.loads(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004  # one kind of error for one kind of damage
    return value


def ingest(text: str | bytes) -> Any:
    """A user's JSON, or ValueError that says what would not survive: doubled keys, numbers that lose digits, depth."""
    import json

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(items)
        if len(value) != len(items):
            doubled = next(key for index, (key, _) in enumerate(items) if key in {k for k, _ in items[:index]})
            raise ValueError(f"the key {doubled!a} stands twice")
        return value

    def integer(digits: str) -> int:
        if len(digits) > 17 or abs(number := int(digits)) > MAX_INTEGER:
            raise ValueError(f"the number {digits[:24]} is beyond 53 bits; write it as a string")
        return number

    def constant(name: str) -> Any:
        raise ValueError(f"{name} is not JSON")

    def real(digits: str) -> float:
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            raise ValueError(f"the number {digits[:24]} is too large")
        return number

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=integer, parse_constant=constant, parse_float=real)
        orjson.dumps(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except TypeError as error:
        raise ValueError(str(error)) from None
    if _depth(value) > MAX_DEPTH:
        raise ValueError("nested too deeply")
    return value


def _depth(value: object) -> int:
    deepest = 0
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        deepest = max(deepest, depth)
        children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        stack.extend((child, depth + 1) for child in children)
    return deepest
