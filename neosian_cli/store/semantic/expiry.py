"""Which records an expiry changes."""

from __future__ import annotations

from neosian_cli.model.query import HARD_DELETE, INVALIDATE, SOFT_DELETE
from neosian_cli.store.semantic.selection import rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.model.query import Selection
    from neosian_cli.model.times import Instant
    from neosian_cli.store.semantic.catalogue import Catalogue

CHANGED = {
    INVALIDATE: "AND r.deleted_at IS NULL AND (r.valid_to IS NULL OR r.valid_to > :now)",
    SOFT_DELETE: "AND r.deleted_at IS NULL",
    HARD_DELETE: "",
}
"""What is not changed is passed over, and does not use up the bound."""


def oldest(catalogue: Catalogue, selection: Selection, action: str, limit: int, now: Instant) -> list[str]:
    """The ids of the oldest selected records that the action changes, by creation and id."""
    rows = rows_of(selection, now)
    sql = rows.select("r.id", f"{CHANGED[action]} ORDER BY r.created_at, r.id LIMIT :limit")
    found = catalogue.connection.execute(sql, {**rows.values, "now": now, "limit": limit})
    return [row["id"] for row in found]
