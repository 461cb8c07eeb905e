"""From a selection to SQL: which rows of the catalogue count."""

from __future__ import annotations

from neosian_cli.model import codec
from neosian_cli.model.predicate import NUMERIC, Predicate
from neosian_cli.store.semantic import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    from neosian_cli.model.query import Selection
    from neosian_cli.model.times import Instant
else:
    from neosian_cli.model.value import NamedTuple

ACCEPTS = "accepts"


class Rows(NamedTuple):
    """`source` is a SELECT of one row a record, as it stood; `condition` what such a row, named `r`, has to meet."""

    source: str
    condition: str
    values: dict[str, Any]

    def select(self, columns: str, rest: str = "") -> str:
        return f"SELECT {columns} FROM ({self.source}) AS r WHERE {self.condition} {rest}"


def rows_of(selection: Selection, now: Instant) -> Rows:
    """The rows of a selection; a knowledge time in the future is now."""
    known_at = selection.known_at if selection.known_at is not None and selection.known_at < now else None
    values: dict[str, Any] = {}
    if known_at is not None:
        values["known_at"] = known_at
    conditions = [_condition(predicate, index, values) for index, predicate in enumerate(selection.predicates)]
    if not selection.include_invalidated:
        as_of = selection.as_of if selection.as_of is not None else known_at if known_at is not None else now
        values["as_of"] = as_of
        conditions.append(
            "r.deleted_at IS NULL AND r.valid_from <= :as_of AND (r.valid_to IS NULL OR :as_of < r.valid_to)"
        )
    if selection.created_after is not None:
        values["created_after"] = selection.created_after
        conditions.append("r.created_at > :created_after")
    if selection.created_before is not None:
        values["created_before"] = selection.created_before
        conditions.append("r.created_at < :created_before")
    source = schema.NEWEST if known_at is None else schema.KNOWN_AT
    return Rows(source, " AND ".join(f"({condition})" for condition in conditions) or "1", values)


def _condition(predicate: Predicate, index: int, values: dict[str, Any]) -> str:
    """One predicate; what compares decimals is asked of Python, row by row of its key."""
    values[f"key_{index}"] = predicate.key
    if predicate.operator in NUMERIC:
        values[f"op_{index}"], values[f"value_{index}"] = predicate.operator, predicate.values[0]
        test = f"{ACCEPTS}(value, :op_{index}, :value_{index})"
    elif predicate.operator == "!=":
        values[f"value_{index}"] = predicate.values[0]
        test = f"value <> :value_{index}"
    else:
        values[f"values_{index}"] = listed(predicate.values)
        test = f"value IN (SELECT value FROM json_each(:values_{index}))"
    return f"r.sequence IN (SELECT sequence FROM pair WHERE key = :key_{index} AND {test})"


def listed(values: Sequence[str] | Sequence[int]) -> str:
    """Any number of values in one bound parameter, for `json_each`."""
    return codec.shown(values).decode()


def register(connection: sqlite3.Connection) -> None:
    """Give a connection what the conditions call."""

    def accepts(value: str, operator: str, given: str) -> bool:
        return Predicate("", operator, (given,)).accepts(value)

    connection.create_function(ACCEPTS, 3, accepts, deterministic=True)
