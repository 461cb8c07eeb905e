"""What kind of JSON a stored field holds: a checksum tells that nobody changed a value, not that it is a good one.

A kind is `TEXT`, `COUNT`, `FLAG`, `OBJECT` or `LIST`, or such a type beside `None` in a tuple. A count is a whole
number from 0 on that JSON keeps.
"""

from __future__ import annotations

from neosian_cli.model.codec import MAX_INTEGER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TEXT = (str,)
COUNT = (int,)
FLAG = (bool,)
OBJECT = (dict,)
LIST = (list,)
NONE = type(None)
TEXT_OR_NONE = (str, NONE)
COUNT_OR_NONE = (int, NONE)

WORDS = {str: "text", int: "whole number", bool: "flag", dict: "object", list: "list"}


def require(value: Mapping[str, Any], kinds: Mapping[str, tuple[type, ...]]) -> None:
    """Raise ValueError for a field of another kind; one that is missing, or not named in `kinds`, is passed over."""
    for name, item in value.items():
        kind = type(item)
        allowed = kinds.get(name)
        if allowed is None:
            continue
        if kind not in allowed:
            raise ValueError(f"holds no {WORDS[allowed[0]]} as its {name}")
        if kind is int and not 0 <= item <= MAX_INTEGER:
            raise ValueError(f"holds a number out of range as its {name}")


def require_texts(values: Any, what: str) -> None:
    """Raise ValueError for a list, or the values of an object, of which one is no text."""
    for item in values:
        if type(item) is not str:
            raise ValueError(f"holds something else than text in its {what}")
