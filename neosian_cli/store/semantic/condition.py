"""What state the graph of a namespace is in, and whether it is time for a new one.

A graph is wanted where the planner would go through one. There it is made anew when there is none, when the rows that
came after it cost a search more than they should (each of them is scanned), or when many of the vectors that it holds
are of records that have been replaced or deleted since (each of them is found, and thrown away).
"""

from __future__ import annotations

from neosian_cli.store.semantic import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.query import Planner
    from neosian_cli.store.semantic.index import Manifest
    from neosian_cli.store.semantic.view import View
else:
    from neosian_cli.model.value import NamedTuple

NONE, CURRENT, STALE, UNFIT = "none", "current", "stale", "unfit"
DEAD = "SELECT count(*) FROM version WHERE replaced_at IS NULL AND deleted_at IS NULL AND vector < ?"


class Condition(NamedTuple):
    """`stale`: the next load, compaction or reindex makes a new one.

    `unfit` is the state of a graph that did not find enough when it was measured: searches scan. `tail` counts the
    rows that came after the `rows` it stands for, `dead` those of its records that have gone since.
    """

    state: str
    stale: bool
    vectors: int = 0
    rows: int = 0
    tail: int = 0
    dead: int = 0


def is_wanted(rows: int, dimensions: int, planner: Planner) -> bool:
    """Whether there are so many numbers that a search goes through a graph."""
    return rows * dimensions >= planner.index_from


def condition_of(tree: Tree, view: View, planner: Planner) -> Condition:
    """The state of a namespace's graph, without reading it. Under the root lock."""
    rows = view.catalogue.vectors
    wanted = is_wanted(rows, view.namespace.binding.dimensions, planner)
    made = index.find(tree, view.namespace, view.head.stream, rows)
    if made is None:
        return Condition(NONE, wanted)
    dead = made.newest - int(view.catalogue.connection.execute(DEAD, (made.rows,)).fetchone()[0])
    stale = wanted and is_stale(made, rows, dead, planner)
    state = UNFIT if not made.reaches else STALE if stale else CURRENT
    return Condition(state, stale, made.vectors, made.rows, rows - made.rows, dead)


def is_stale(made: Manifest, rows: int, dead: int, planner: Planner) -> bool:
    """The policy, for a namespace of so many rows where a graph is wanted."""
    tail = rows - made.rows
    if tail > max(planner.index_tail, rows * planner.index_tail_percent // 100):
        return True
    if dead * 100 > made.newest * planner.index_dead_percent:
        return True
    return not made.reaches and made.ef < planner.index_ef
