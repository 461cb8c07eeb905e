"""The dense lane: the records whose vectors point most nearly where the query's does.

Every way to find them ends the same: candidates are scored one by one (`scores`), so that the ways differ in time
alone. The fast arithmetic that picks candidates is off by no more than `slack`, and candidates are taken with twice
that to spare; an exact search therefore misses nothing.

    direct   few numbers in all: score every allowed record
    subset   few allowed records: fetch their rows, pick by estimate
    scan     pick from all rows, then ask the catalogue which of the best are allowed, in rounds
    index    pick from the graph of `index` and from the rows that came after it; when that falls short, scan
"""

from __future__ import annotations

from neosian_cli.store.semantic.estimates import estimates_of
from neosian_cli.store.semantic.index import usable
from neosian_cli.store.semantic.scores import cosine_to
from neosian_cli.store.semantic.selection import listed
from neosian_cli.store.semantic.slack import FORCED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Any, NamedTuple

    from neosian_cli.model.query import Planner
    from neosian_cli.store.semantic.index import Graph
    from neosian_cli.store.semantic.selection import Rows
    from neosian_cli.store.semantic.view import View
else:
    from neosian_cli.model.value import NamedTuple

FIRST_ROUND = 128
GROWTH = 8
COLUMNS = "r.sequence, r.id, r.vector, r.crc32"


class Found(NamedTuple):
    """A record that a lane found. Ordered by score, then by id (code points order as their UTF-8 does)."""

    score: float
    id: str
    sequence: int


class Lane:
    """One dense search in a view. `unreadable` and `report` are filled by `search`."""

    def __init__(self, view: View, query: bytes, rows: Rows, depth: int) -> None:
        self._view = view
        self._query = query
        self._cosine = cosine_to(query)
        self._rows = rows
        self._depth = depth
        self._estimates = estimates_of(query, view.vectors.dimensions, view.vectors.rows)
        self.unreadable: list[dict[str, Any]] = []
        self.report: dict[str, Any] = {}

    def search(self, planner: Planner, *, is_selective: bool, graph: Graph | None = None) -> list[Found]:
        """The best `depth` allowed records, best first; exact without a graph."""
        view = self._view
        total = view.vectors.rows
        few = self._estimates.few // view.vectors.dimensions
        limit = planner.fetch_up_to if is_selective else min(planner.fetch_up_to, few)
        allowed = self._allowed_up_to(limit) if is_selective or total <= limit else None
        reached = self._reach(graph, planner.index_ef) if graph is not None and allowed is None else None
        if reached is not None:
            lane, candidates = "index", reached
        elif allowed is None:
            lane, candidates = "scan", self._in_rounds()
        elif len(allowed) <= few:
            lane, candidates = "direct", allowed
        else:
            lane, candidates = "subset", self._pick(allowed)
        self.report = {"lane": lane, "rows": total, "allowed": None if allowed is None else len(allowed)}
        self.report["candidates"] = len(candidates)
        self._note_missing()
        return ranked(self._scored(candidates))[: self._depth]

    def _allowed_up_to(self, limit: int) -> list[sqlite3.Row] | None:
        """All allowed rows, or None where there are more than `limit`."""
        sql = self._rows.select(COLUMNS, f"LIMIT {limit + 1}")
        found = self._view.catalogue.connection.execute(sql, self._rows.values).fetchall()
        return found if len(found) <= limit else None

    def _scored(self, candidates: Iterable[sqlite3.Row]) -> list[Found]:
        """The candidates with their scores; a row that is not what its record's line says becomes a finding."""
        import zlib

        found = []
        for row in candidates:
            packed = self._view.vectors.row(row["vector"])
            if packed is None:
                continue
            if zlib.crc32(packed) != row["crc32"]:
                self._note(row["id"], f"vector {row['vector']} is damaged")
                continue
            found.append(Found(self._cosine(packed), row["id"], row["sequence"]))
        return found

    def _note(self, record: str, message: str) -> None:
        self.unreadable.append({"id": record, "code": "record_corrupt", "message": message})

    def _note_missing(self) -> None:
        for first, last in self._view.vectors.missing():
            sql = self._rows.select("r.id, r.vector", "AND r.vector BETWEEN :first AND :last ORDER BY r.vector")
            values = {**self._rows.values, "first": first, "last": last}
            for row in self._view.catalogue.connection.execute(sql, values):
                self._note(row["id"], f"vector {row['vector']} is missing")

    def _pick(self, allowed: list[sqlite3.Row]) -> list[sqlite3.Row]:
        """Those of the allowed rows that can be among the best."""
        guesses = self._estimates.of(self._view.vectors, [row["vector"] for row in allowed])
        told = sorted((guess for guess in guesses if guess < FORCED), reverse=True)
        if len(told) <= self._depth:
            return allowed
        least = told[self._depth - 1] - 2 * self._estimates.slack
        return [row for row, guess in zip(allowed, guesses, strict=True) if guess >= least]

    def _reach(self, graph: Graph, ef: int) -> list[sqlite3.Row] | None:
        """Allowed rows near the query by the graph, and the best of the tail; None where they are too few.

        Of the nearest vectors the graph finds nearly all; so once enough of these are allowed, hardly any of the
        nearest that are allowed is missing.
        """
        needed = self._depth
        for count, kept in usable(graph.manifest, self._depth, ef):
            if count < needed:
                continue
            rows = graph.nearest(self._estimates.unit, count, kept)
            near = self._allowed_among(rows)
            if len(near) >= self._depth:
                start = graph.manifest.rows
                return near + self._in_rounds(above=start) if self._view.vectors.rows > start else near
            # As few as are allowed among these, so many more have to be asked for; none at all counts as half a one.
            needed = int(self._depth * len(rows) / max(len(near), 0.5))
        return None

    def _in_rounds(self, above: int = 0) -> list[sqlite3.Row]:
        """Allowed rows that can be among the best, from an estimate of every row: ask about more until it is sure.

        With `above`, only rows from that number on count.
        """
        guesses = self._estimates.of_all(self._view.vectors, above)
        spare = 2 * self._estimates.slack
        total = len(guesses)
        asked = min(total, max(4 * self._depth, FIRST_ROUND))
        while True:
            if asked < total:
                top, weakest = guesses.best(asked)
                allowed = self._allowed_among(top)
            else:
                weakest = -FORCED
                allowed = self._allowed_up_to(total) or []
            allowed = [row for row in allowed if row["vector"] >= above]
            told = (guesses[row["vector"]] for row in allowed)
            known = sorted((guess for guess in told if guess < FORCED), reverse=True)
            if len(known) >= self._depth and (weakest < known[self._depth - 1] - spare or asked == total):
                least = known[self._depth - 1] - spare
                return [row for row in allowed if guesses[row["vector"]] >= least]
            if asked == total or asked >= total - above:
                return allowed
            asked = total if asked * GROWTH * 2 > total else asked * GROWTH

    def _allowed_among(self, numbers: Sequence[int]) -> list[sqlite3.Row]:
        sql = self._rows.select(COLUMNS, "AND r.vector IN (SELECT value FROM json_each(:numbers))")
        values = {**self._rows.values, "numbers": listed(numbers)}
        return self._view.catalogue.connection.execute(sql, values).fetchall()


def ranked(found: list[Found]) -> list[Found]:
    return sorted(found, key=lambda hit: (-hit.score, hit.id))
