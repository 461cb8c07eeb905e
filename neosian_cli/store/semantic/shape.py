"""Records as they are given out: plain values in the documented order."""

from __future__ import annotations

from neosian_cli.model import armour, numbers, times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.model.record import Record
    from neosian_cli.model.times import Instant


def shown(record: Record, *, payload: bool = False, vector: bytes | None = None) -> dict[str, Any]:
    """A record; its payload where asked for, its vector where one is given."""
    value: dict[str, Any] = {
        "id": record.id,
        "content": record.content,
        "metadata": record.metadata,
        "created_at": times.spell(record.created_at),
        "valid_from": times.spell(record.valid_from),
        "valid_to": spelled(record.valid_to),
        "deleted_at": spelled(record.deleted_at),
        "supersedes": list(record.supersedes),
        "source": record.source,
        "version": record.version,
    }
    if payload:
        value["payload"] = None if record.payload is None else encode_payload(record.payload)
    if vector is not None:
        value["vector"] = numbers.listed(vector)
    return value


def encode_payload(payload: bytes) -> str:
    return armour.encode(payload)


def spelled(instant: Instant | None) -> str | None:
    return None if instant is None else times.spell(instant)
