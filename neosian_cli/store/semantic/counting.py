"""How many records of which state there are."""

from __future__ import annotations

from neosian_cli.model.record import DELETED, FUTURE, INVALID, LIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.model.times import Instant
    from neosian_cli.store.semantic.catalogue import Catalogue

COUNTS = """
    SELECT count(*), total(deleted_at IS NOT NULL),
           total(deleted_at IS NULL AND :now < valid_from),
           total(deleted_at IS NULL AND valid_from <= :now AND valid_to IS NOT NULL AND valid_to <= :now)
    FROM version WHERE replaced_at IS NULL
"""


def count_states(catalogue: Catalogue, now: Instant) -> dict[str, int]:
    """Records in all, and by state at this instant."""
    row = catalogue.connection.execute(COUNTS, {"now": now}).fetchone()
    records, deleted, future, invalid = (int(value) for value in row)
    return {
        "records": records,
        LIVE: records - deleted - future - invalid,
        FUTURE: future,
        INVALID: invalid,
        DELETED: deleted,
    }
