"""JSON as it is written, and JSON as it is taken in.

Writing: UTF-8, no blanks, keys in the order given. Reading what is ours back needs no more than the parser's checks;
what comes from users goes through `ingest`, since the parser would alter some values without a word: doubled keys,
numbers beyond 64 bits, not-a-number.

The import of orjson takes more than twice as long as the start of Python, so a call that has a few small objects does
without: what `json` is made of in C reads and writes the same bytes for what is plain. Floats are not: the two spell
some of them in different ways, and what stands on disk has one spelling.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_DEPTH = 200
MAX_INTEGER = 2**53 - 1
FEW = 2000
"""How many objects are written before the library's import pays."""
SHALLOW = 8
"""How deep a plain object may be."""
LONG = 1 << 20
"""Characters of a text that the library writes in less time and memory, its import included."""

_library: Any = None
_written = 0
_scanner: Callable[[str, int], tuple[Any, int]] | None = None
_encoder: Callable[[object, int], tuple[str, ...]] | None = None


def at_full_speed() -> None:
    """Load the library: for those who are about to read thousands of objects."""
    _orjson()


def _orjson() -> Any:
    """The library, from now on used for everything."""
    global _library  # noqa: PLW0603  # whether a module is loaded is the state of a process
    if _library is None:
        import orjson

        _library = orjson
    return _library


def dumps(value: object) -> bytes:
    """One line without a newline; raises TypeError for what JSON cannot say (a lone surrogate, too deep, too large)."""
    light = _light(value, _light_text)
    data: bytes = _orjson().dumps(value) if light is None else light
    return data


def shown(value: object) -> bytes:
    """As `dumps`, for what is printed and never stored."""
    if _library is not None:
        return dumps(value)
    try:
        return "".join(_light_encoder()(value, 0)).encode()
    except (ValueError, RecursionError) as error:
        raise TypeError(str(error)) from None


def pretty(value: object) -> bytes:
    """Indented, keys sorted, ended by a newline."""
    return _over_lines(value, ordered=True)


def readable(value: object) -> bytes:
    """Indented, keys in the order given, ended by a newline."""
    return _over_lines(value, ordered=False)


def _over_lines(value: object, *, ordered: bool) -> bytes:
    light = _light(value, lambda plain: _indented(plain, "\n", ordered=ordered) + "\n")
    if light is not None:
        return light
    library = _orjson()
    option = library.OPT_INDENT_2 | library.OPT_APPEND_NEWLINE | (library.OPT_SORT_KEYS if ordered else 0)
    data: bytes = library.dumps(value, option=option)
    return data


def _light(value: object, write: Callable[[object], str]) -> bytes | None:
    """What `write` makes of a plain value; None where the library is there, or is needed."""
    global _written  # noqa: PLW0603  # how much a process has written is its state
    if _library is not None or _written >= FEW or not _is_plain(value, SHALLOW):
        return None
    _written += 1
    try:
        return write(value).encode()
    except UnicodeEncodeError:  # a lone surrogate
        return None


def _is_plain(value: object, depth: int) -> bool:
    """Whether both ways of writing give the same bytes."""
    kind = type(value)
    if kind is str:
        return len(value) <= LONG  # type: ignore[arg-type]
    if kind is bool or value is None:
        return True
    if kind is int:
        return -(1 << 63) <= value < 1 << 64  # type: ignore[operator]
    if kind is dict:
        items: dict[object, object] = value  # type: ignore[assignment]
        return depth > 0 and all(type(key) is str and _is_plain(item, depth - 1) for key, item in items.items())
    if kind is list or kind is tuple:
        return depth > 0 and all(_is_plain(item, depth - 1) for item in value)  # type: ignore[attr-defined]
    return False


def _indented(value: Any, margin: str, *, ordered: bool) -> str:
    """A plain value over several lines; `margin` is a newline and what the line begins with."""
    inner = f"{margin}  "
    if type(value) is dict and value:
        items = sorted(value.items()) if ordered else value.items()
        body = [f"{_light_text(key)}: {_indented(item, inner, ordered=ordered)}" for key, item in items]
        return f"{{{inner}{f',{inner}'.join(body)}{margin}}}"
    if type(value) in (list, tuple) and value:
        body = [_indented(item, inner, ordered=ordered) for item in value]
        return f"[{inner}{f',{inner}'.join(body)}{margin}]"
    return _light_text(value)


def _light_text(value: object) -> str:
    return "".join(_light_encoder()(value, 0))


def loads(data: bytes) -> Any:
    """The value; raises ValueError."""
    return _scan(data) if _library is None else _library.loads(data)


def prepare_for_many() -> None:
    """Many values are to come: the library's import is worth it, as it reads each in a third of the time."""
    _orjson()


def load_object(data: bytes) -> dict[str, Any]:
    """A JSON object; raises ValueError for anything else."""
    value = loads(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004  # one kind of error for one kind of damage
    return value


def _scan(data: bytes) -> Any:
    """The value of a few bytes of ours; whatever is not plain and good is left to the library to judge."""
    try:
        text = data.decode()
        value, end = _light_scanner()(text, len(text) - len(text.lstrip(" \t\n\r")))
        good = not text[end:].strip(" \t\n\r")
    except Exception:  # noqa: BLE001  # without `json` around it the scanner's own complaint is a SystemError
        good = False
    return value if good else _orjson().loads(data)


class _Rules:
    """What the scanner asks for; unless told otherwise it takes everything as it is, but no not-a-number."""

    strict = True
    object_hook = None

    def __init__(self, pairs: Any = None, integer: Any = int, real: Any = float) -> None:
        self.object_pairs_hook = pairs
        self.parse_int = integer
        self.parse_float = real

    @staticmethod
    def parse_constant(name: str) -> Any:
        raise ValueError(f"{name} is not JSON")


def _light_scanner() -> Callable[[str, int], tuple[Any, int]]:
    global _scanner  # noqa: PLW0603  # made once
    if _scanner is None:
        try:
            from _json import make_scanner

            _scanner = make_scanner(_Rules())  # type: ignore[arg-type]
        except (ImportError, TypeError):
            _scanner = lambda text, start: (_orjson().loads(text[start:]), len(text))  # noqa: E731  # no such parts here
    return _scanner


def _light_encoder() -> Callable[[object, int], tuple[str, ...]]:
    global _encoder  # noqa: PLW0603  # made once
    if _encoder is None:
        try:
            from _json import encode_basestring, make_encoder

            _encoder = make_encoder(None, _unknown, encode_basestring, None, ":", ",", False, False, False)
        except (ImportError, TypeError):
            _encoder = lambda value, _: (_orjson().dumps(value).decode(),)  # noqa: E731  # no such parts here
    return _encoder


def _unknown(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not JSON")


def ingest(text: str | bytes) -> Any:
    """A user's JSON, or ValueError that says what would not survive: doubled keys, numbers that lose digits, depth."""
    try:
        value = _parsed(text, _Rules(_each_key_once, _kept_exactly, _finite))
        shown(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except TypeError as error:
        raise ValueError(str(error)) from None
    if _depth(value) > MAX_DEPTH:
        raise ValueError("nested too deeply")
    return value


def _each_key_once(items: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(items)
    if len(value) != len(items):
        doubled = next(key for index, (key, _) in enumerate(items) if key in {k for k, _ in items[:index]})
        raise ValueError(f"the key {doubled!a} stands twice")
    return value


def _kept_exactly(digits: str) -> int:
    if len(digits) > 17 or abs(number := int(digits)) > MAX_INTEGER:
        raise ValueError(f"the number {digits[:24]} is beyond 53 bits; write it as a string")
    return number


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits[:24]} is too large")
    return number


def _parsed(text: str | bytes, rules: _Rules) -> Any:
    """The value; the light scanner takes what is plain and good, and `json` says what is wrong with the rest."""
    if "json" not in sys.modules:
        try:
            from _json import make_scanner

            plain = (text if isinstance(text, str) else text.decode()).strip(" \t\n\r")
            value, end = make_scanner(rules)(plain, 0)  # type: ignore[arg-type]
            if end == len(plain):
                return value
        except Exception:  # noqa: BLE001,S110  # see `_scan`; what our rules refuse, they refuse again below
            pass
    import json

    return json.loads(
        text,
        object_pairs_hook=rules.object_pairs_hook,
        parse_int=rules.parse_int,
        parse_constant=rules.parse_constant,
        parse_float=rules.parse_float,
    )


def _depth(value: object) -> int:
    deepest = 0
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        deepest = max(deepest, depth)
        children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
        stack.extend((child, depth + 1) for child in children)
    return deepest
