"""Many records from one text: JSON Lines, or one JSON array."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import codec
from neosian_cli.model.numbers import NUMBERS
from neosian_cli.model.record import draft_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from neosian_cli.model.record import Draft


SEVERAL = 64
"""Records after which more are expected."""


def read(lines: Iterable[bytes], dimensions: int, numbers: list[int] | None = None) -> Iterator[Draft]:
    """The records in order, one at a time; raises `invalid_argument` that names the first bad one by index and line.

    `lines` are the text's lines with their newlines. An object of the type `page`, which ends our own lists, is passed
    over. `numbers` takes the line of each, also of the bad one.
    """
    for index, (line, value) in enumerate(_records(iter(lines))):
        if line and numbers is not None:
            numbers.append(line)
        place = f"record {index} (line {line})" if line else f"record {index}"
        try:
            yield draft_of(value, dimensions, place)
        except Failure as failure:
            raise _placed(failure, index, line) from None


def _placed(failure: Failure, index: int, line: int) -> Failure:
    details = {**failure.details, "index": index, **({"line": line} if line else {})}
    return Failure(failure.code, failure.message, hint=failure.hint, **details)


def _records(lines: Iterator[bytes]) -> Iterator[tuple[int, object]]:
    """Line number (0 in an array) and value of each record."""
    index = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            continue
        if not index and text.startswith(b"["):
            yield from ((0, value) for value in _array(line + b"".join(lines)))
            return
        if index == SEVERAL:
            codec.prepare_for_many()
        value = _value(text, index, number)
        if isinstance(value, dict) and value.get("type") == "page":
            continue
        yield number, value
        index += 1


def _array(text: bytes) -> list[object]:
    try:
        value = codec.ingest(text)
    except ValueError as error:
        raise Failure("invalid_argument", f"the records are not a JSON array: {error}") from None
    assert isinstance(value, list)  # it begins with a bracket
    return value


def _value(text: bytes, index: int, line: int) -> Any:
    try:
        if b"\\" in text:
            return codec.ingest(text)
        value = codec.loads(text)
        # The fast parser keeps the last of two equal keys without a word; where a name stands twice, look closely.
        return codec.ingest(text) if _may_be_doubled(value, text) else value
    except ValueError as error:
        failure = Failure("invalid_argument", f"record {index} (line {line}) is not JSON: {error}")
        raise _placed(failure, index, line) from None


def _may_be_doubled(value: object, text: bytes) -> bool:
    """Whether the text has more strings than its value; without a backslash in it each has two quotes."""
    return text.count(b'"') != 2 * _strings(value)


def _strings(value: object) -> int:
    """Keys and texts in a value, itself included; a list that begins with a number counts for nothing.

    Too few are found then at worst, and the value is looked at closely.
    """
    if isinstance(value, str):
        return 1
    if isinstance(value, dict):
        return len(value) + sum(map(_strings, value.values()))
    if isinstance(value, list):
        return 0 if value and type(value[0]) in NUMBERS else sum(map(_strings, value))
    return 0
