"""Semantic records: what may be asked to be stored, and what a stored version is."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import armour, numbers, predicate, times
from neosian_cli.model.grammar import excerpt
from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    from neosian_cli.model.times import Instant
else:
    from neosian_cli.model.value import NamedTuple

MAX_ID = 512
MAX_INTEGER = 2**53 - 1
LIVE, FUTURE, INVALID, DELETED = STATES = ("live", "future", "invalid", "deleted")

INPUT = frozenset(
    {
        "id",
        "content",
        "payload",
        "vector",
        "metadata",
        "created_at",
        "valid_from",
        "valid_to",
        "deleted_at",
        "supersedes",
        "source",
        "if_version",
    },
)
IGNORED = frozenset({"version", "score", "type", "state", "written_at"})
"""Keys that our own lists print beside the fields, so that a list can be read back in."""


@value
class Draft:
    """A record that somebody wants stored. None means left out; `vector` is packed float32 or absent.

    `place` says where it came from, for messages: `record 3 (line 4)`.
    """

    id: str | None = None
    content: str = ""
    payload: bytes | None = None
    vector: bytes | None = None
    metadata: Mapping[str, str] | None = None
    created_at: Instant | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    deleted_at: Instant | None = None
    supersedes: tuple[str, ...] = ()
    source: str | None = None
    if_version: int | None = None
    place: str = "the record"


class Record(NamedTuple):
    """One stored version as it stands; `vector` is the number of its row in the vector files.

    `valid_to` and `deleted_at` are what they were last changed to. A tuple, as one is made for every line of the log.
    """

    id: str
    version: int
    content: str
    payload: bytes | None
    vector: int
    metadata: dict[str, str]
    created_at: Instant
    valid_from: Instant
    valid_to: Instant | None
    deleted_at: Instant | None
    supersedes: tuple[str, ...]
    source: str | None


def state_of(valid_from: Instant, valid_to: Instant | None, deleted_at: Instant | None, at: Instant) -> str:
    """`deleted`, `future`, `invalid` or `live` at an instant; a tombstone hides at every instant."""
    if deleted_at is not None:
        return DELETED
    if at < valid_from:
        return FUTURE
    return LIVE if valid_to is None or at < valid_to else INVALID


def check_id(text: str, what: str = "id") -> str:
    """1 to 512 bytes of UTF-8 without control characters; raises `invalid_argument`."""
    try:
        length = len(text.encode())
    except UnicodeEncodeError:
        raise Failure("invalid_argument", f"{what} {excerpt(text)} is not UTF-8") from None
    if not 1 <= length <= MAX_ID:
        raise Failure("invalid_argument", f"{what} {excerpt(text)} has {length} bytes, not 1 to {MAX_ID}")
    if any(character < " " or "\x7f" <= character <= "\x9f" for character in text):
        raise Failure("invalid_argument", f"{what} {excerpt(text)} holds a control character")
    return text


def check_vector(values: object, dimensions: int, what: str = "the vector") -> bytes:
    """Packed float32 of exactly `dimensions`; raises `invalid_argument`."""
    if not isinstance(values, list):
        raise Failure("invalid_argument", f"{what} is not a list of numbers")
    if len(values) != dimensions:
        raise Failure(
            "invalid_argument",
            f"{what} has {len(values)} dimensions; the namespace has {dimensions}",
            given=len(values),
            expected=dimensions,
        )
    try:
        return numbers.pack(values)
    except ValueError as error:
        raise Failure("invalid_argument", f"{what} cannot be used: {error}") from None


def draft_of(value: object, dimensions: int, place: str) -> Draft:
    """One record from JSON, every field checked; raises `invalid_argument` that names the place and the field."""
    try:
        return _draft_of(value, dimensions, place)
    except Failure as failure:
        raise Failure(failure.code, f"{place}: {failure.message}", hint=failure.hint, **failure.details) from None


def _draft_of(value: object, dimensions: int, place: str) -> Draft:
    if not isinstance(value, dict):
        raise Failure("invalid_argument", "is not a JSON object")
    given = {key: item for key, item in value.items() if item is not None and key in INPUT}
    for key in value:
        if key not in INPUT and key not in IGNORED:
            raise Failure(
                "invalid_argument", f"unknown key {excerpt(key)}", hint=f"known are {', '.join(sorted(INPUT))}"
            )
    vector = given.get("vector")
    draft = Draft(
        id=check_id(text) if (text := _text(given, "id")) else None,
        content=_text(given, "content") or "",
        payload=_payload(given),
        vector=None if vector is None or vector == [] else check_vector(vector, dimensions, "vector"),
        metadata=_metadata(given),
        created_at=_time(given, "created_at"),
        valid_from=_time(given, "valid_from"),
        valid_to=_time(given, "valid_to"),
        deleted_at=_time(given, "deleted_at"),
        supersedes=_supersedes(given),
        source=_text(given, "source"),
        if_version=_count(given, "if_version"),
        place=place,
    )
    return check_draft(draft)


def check_draft(draft: Draft) -> Draft:
    """What concerns several fields at once; raises `invalid_argument`."""
    if not draft.content and draft.vector is None:
        raise Failure("invalid_argument", "needs content or a vector")
    check_interval(draft.valid_from, draft.valid_to)
    return draft


def check_interval(valid_from: Instant | None, valid_to: Instant | None) -> None:
    if valid_from is not None and valid_to is not None and valid_to < valid_from:
        raise Failure(
            "invalid_argument",
            f"valid_to {times.spell(valid_to)} is before valid_from {times.spell(valid_from)}",
        )


def _text(given: dict[str, Any], key: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise Failure("invalid_argument", f"{key} is not a text")
    return value


def _time(given: dict[str, Any], key: str) -> Instant | None:
    text = _text(given, key)
    return None if text is None else times.parse(text, key)


def _count(given: dict[str, Any], key: str) -> int | None:
    value = given.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_INTEGER:
        raise Failure("invalid_argument", f"{key} is not a whole number from 0 on")
    return value


def _payload(given: dict[str, Any]) -> bytes | None:
    text = _text(given, "payload")
    return None if text is None else decode_payload(text)


def decode_payload(text: str) -> bytes:
    """Bytes from standard base64; raises `invalid_argument`."""
    try:
        return armour.decode(text)
    except ValueError:
        raise Failure("invalid_argument", "payload is not base64") from None


def _metadata(given: dict[str, Any]) -> dict[str, str] | None:
    value = given.get("metadata")
    if value is None:
        return None
    if not isinstance(value, dict):
        raise Failure("invalid_argument", "metadata is not an object")
    for key, item in value.items():
        predicate.check_key(key, "metadata")
        if not isinstance(item, str):
            raise Failure("invalid_argument", f"metadata {excerpt(key)} is not a text", hint='write numbers as "12.5"')
    return value


def _supersedes(given: dict[str, Any]) -> tuple[str, ...]:
    value = given.get("supersedes")
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Failure("invalid_argument", "supersedes is not a list of ids")
    return tuple(check_id(item, "superseded id") for item in value)
