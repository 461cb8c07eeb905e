"""The lines of the record log: what each says, as JSON.

upsert       a whole new version of a record
superseded   another record gave this one an end: `valid_to`, `by`
invalidated  `valid_to` was set
deleted      a tombstone: `deleted_at`
erased       what stands in the place of a line whose record was removed for good: id and version alone
"""

from __future__ import annotations

from functools import lru_cache

from neosian_cli.model import armour, codec, times
from neosian_cli.model.kinds import COUNT, LIST, OBJECT, TEXT, TEXT_OR_NONE, require, require_texts
from neosian_cli.model.record import Record
from neosian_cli.store.seal import NewerFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from neosian_cli.model.times import Instant
else:
    from neosian_cli.model.value import NamedTuple

FORMAT = 1
UPSERT, SUPERSEDED, INVALIDATED, DELETED, ERASED = KINDS = ("upsert", "superseded", "invalidated", "deleted", "erased")


FIELDS = {
    "sequence": COUNT,
    "id": TEXT,
    "version": COUNT,
    "what": TEXT,
    "vector": COUNT,
    "vector_crc32": COUNT,
    "metadata": OBJECT,
    "supersedes": LIST,
    "source": TEXT_OR_NONE,
    "content": TEXT,
    "payload": TEXT_OR_NONE,
    "by": TEXT,
}
"""What a line may hold beside its times, and of what kind."""


class Entry(NamedTuple):
    """One line.

    `record` stands on an upsert alone, with `crc32` of its vector's bytes; `valid_to` on superseded and invalidated,
    `by` on superseded, `deleted_at` on deleted. An erased line has no time.
    """

    sequence: int
    what: str
    id: str
    version: int
    written_at: Instant
    record: Record | None = None
    crc32: int = 0
    valid_to: Instant | None = None
    deleted_at: Instant | None = None
    by: str | None = None


def encode(entry: Entry) -> bytes:
    """The line's JSON, its number first so that it is found without reading the rest."""
    value: dict[str, Any] = {
        "sequence": entry.sequence,
        "format": FORMAT,
        "what": entry.what,
        "id": entry.id,
        "version": entry.version,
    }
    if entry.what == ERASED:
        return codec.dumps(value)
    value["written_at"] = _always_spelled(entry.written_at)
    if entry.record is not None:
        _add_record(value, entry.record, entry.crc32)
    elif entry.what == DELETED:
        value["deleted_at"] = _spell(entry.deleted_at)
    else:
        value["valid_to"] = _spell(entry.valid_to)
        if entry.by is not None:
            value["by"] = entry.by
    return codec.dumps(value)


def _add_record(value: dict[str, Any], record: Record, crc32: int) -> None:
    value["vector"] = record.vector
    value["vector_crc32"] = crc32
    value["created_at"] = _always_spelled(record.created_at)
    value["valid_from"] = _always_spelled(record.valid_from)
    value["valid_to"] = _spell(record.valid_to)
    value["deleted_at"] = _spell(record.deleted_at)
    value["supersedes"] = record.supersedes
    value["source"] = record.source
    value["metadata"] = record.metadata
    value["payload"] = None if record.payload is None else armour.encode(record.payload)
    value["content"] = record.content


@lru_cache(64)
def _always_spelled(instant: Instant) -> str:
    """The records of one transaction share most of their times."""
    return times.spell(instant)


@lru_cache(64)
def _always_read(text: object) -> Instant:
    return times.read(text)


def _spell(instant: Instant | None) -> str | None:
    return None if instant is None else _always_spelled(instant)


def _read(text: str | None) -> Instant | None:
    return None if text is None else _always_read(text)


def decode(data: bytes) -> Entry:
    """Raises `NewerFormat`, or ValueError for what is no entry."""
    value = codec.load_object(data)
    try:
        if value["format"] != FORMAT:
            if isinstance(value["format"], int) and value["format"] > FORMAT:
                raise NewerFormat(value["format"])
            raise ValueError("has no known format")
        require(value, FIELDS)
        what = value["what"]
        if what not in KINDS:
            raise ValueError("says something unknown")
        if what == ERASED:
            return Entry(value["sequence"], what, value["id"], value["version"], 0)
        written_at = _always_read(value["written_at"])
        common = (value["sequence"], what, value["id"], value["version"], written_at)
        if what == UPSERT:
            require_texts(value["metadata"].values(), "metadata")
            require_texts(value["supersedes"], "supersedes")
            return Entry(*common, _record(value), value["vector_crc32"])
        if what == DELETED:
            return Entry(*common, deleted_at=_always_read(value["deleted_at"]))
        return Entry(*common, valid_to=_always_read(value["valid_to"]), by=value.get("by"))
    except (KeyError, TypeError) as error:
        raise ValueError(f"lacks {error}") from None


def _record(value: dict[str, Any]) -> Record:
    payload = value["payload"]
    return Record(
        value["id"],
        value["version"],
        value["content"],
        None if payload is None else armour.decode(payload),
        value["vector"],
        value["metadata"],
        _always_read(value["created_at"]),
        _always_read(value["valid_from"]),
        _read(value["valid_to"]),
        _read(value["deleted_at"]),
        tuple(value["supersedes"]),
        value["source"],
    )
