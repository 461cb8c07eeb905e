"""The sparse lane: BM25 over words and phrases, any of which a record may have.

Statistics are those of the newest version of every record, whatever its state and whatever the filter; so a record's
score does not change with what else a query excludes. Under a knowledge time they are those of that time.
"""

from __future__ import annotations

from array import array

from neosian_cli.store.semantic.dense import Found, ranked
from neosian_cli.store.semantic.scores import bm25, idf
from neosian_cli.store.semantic.selection import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from typing import Any

    from neosian_cli.store.semantic.catalogue import Catalogue
    from neosian_cli.store.semantic.selection import Rows

FIRST_ROUND = 1000
GROWTH = 4


def search(catalogue: Catalogue, units: list[tuple[str, ...]], rows: Rows, depth: int) -> list[Found]:
    """The best `depth` allowed records that hold any of the units, best first."""
    scores = _scores(catalogue, units, rows)
    return _best_allowed(catalogue.connection, scores, rows, depth) if scores else []


def _scores(catalogue: Catalogue, units: list[tuple[str, ...]], rows: Rows) -> dict[int, float]:
    """Score by line number of every newest version that holds a unit; units are added up in their order."""
    scores: dict[int, float] = {}
    records, average = _statistics(catalogue, rows)
    for unit in units:
        held = _word(catalogue, unit[0], rows) if len(unit) == 1 else _phrase(catalogue, unit, rows)
        if held:
            weight = idf(records, len(held))
            for sequence, count, words in held:
                scores[sequence] = scores.get(sequence, 0.0) + bm25(weight, count, words, average)
    rounded = array("f", scores.values())
    return dict(zip(scores, rounded, strict=True))


def _statistics(catalogue: Catalogue, rows: Rows) -> tuple[int, float]:
    """How many newest versions there are, and how many words each has on average."""
    if "known_at" in rows.values:
        sql = f"SELECT count(*), total(words) FROM ({rows.source})"
        records, words = catalogue.connection.execute(sql, _time(rows)).fetchone()
    else:
        records, words = catalogue.records, catalogue.words
    return records, words / records if words else 1.0


def _time(rows: Rows) -> dict[str, Any]:
    """The one value that the rows' source needs, without those of the condition."""
    return {name: value for name, value in rows.values.items() if name == "known_at"}


def _word(catalogue: Catalogue, word: str, rows: Rows) -> list[tuple[int, int, int]]:
    """Line number, count and length of every newest version that holds the word."""
    sql = (
        "SELECT held.doc, held.times, r.words FROM "
        "(SELECT doc, count(*) AS times FROM posting WHERE term = :word GROUP BY doc) AS held "
        f"CROSS JOIN ({rows.source}) AS r ON r.sequence = held.doc"
    )
    found = catalogue.connection.execute(sql, {**_time(rows), "word": word})
    return [tuple(row) for row in found]


def _phrase(catalogue: Catalogue, words: tuple[str, ...], rows: Rows) -> list[tuple[int, int, int]]:
    """As `_word`, for words that stand one after the other."""
    run = catalogue.connection.execute
    starts: set[tuple[int, int]] | None = None
    for index, word in enumerate(words):
        found = run("SELECT doc, offset FROM posting WHERE term = ?", (word,))
        here = {(doc, offset - index) for doc, offset in found}
        starts = here if starts is None else starts & here
        if not starts:
            return []
    counts: dict[int, int] = {}
    for doc, _ in starts or ():
        counts[doc] = counts.get(doc, 0) + 1
    sql = f"SELECT sequence, words FROM ({rows.source}) WHERE sequence IN (SELECT value FROM json_each(:docs))"
    lengths = run(sql, {**_time(rows), "docs": listed(sorted(counts))})
    return [(sequence, counts[sequence], length) for sequence, length in lengths]


def _best_allowed(connection: sqlite3.Connection, scores: dict[int, float], rows: Rows, depth: int) -> list[Found]:
    """Ask in rounds, best first, which records are allowed, until no other can be among the best."""
    order = sorted(scores, key=lambda sequence: -scores[sequence])
    found: list[Found] = []
    start, size = 0, max(FIRST_ROUND, 2 * depth)
    while start < len(order):
        part = order[start : start + size]
        # Equal scores are decided by id, so the last one's equals belong to the same round.
        while start + len(part) < len(order) and scores[order[start + len(part)]] == scores[part[-1]]:
            part.append(order[start + len(part)])
        sql = rows.select("r.sequence, r.id", "AND r.sequence IN (SELECT value FROM json_each(:numbers))")
        allowed = connection.execute(sql, {**rows.values, "numbers": listed(part)})
        found += [Found(scores[row["sequence"]], row["id"], row["sequence"]) for row in allowed]
        if len(found) >= depth:
            break
        start, size = start + len(part), size * GROWTH
    return ranked(found)[:depth]
