"""What a mutation costs: its ordered waits and its syncs, counted at the seam."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.crash import scenarios
from tests.crash.seam import Steps
from tests.crash.trial import snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.crash.trial import Bench


def syncs(trace: list[str]) -> int:
    return sum(kind.startswith("sync") for kind in trace)


def waits(trace: list[str]) -> int:
    """Runs of syncs with nothing written between: a device may take the syncs of a run together."""
    marks = "".join("s" if kind.startswith("sync") else "w" for kind in trace)
    return len([run for run in marks.split("w") if run])


def trace_of(bench: Bench) -> list[str]:
    with bench.root() as root:
        counted = Steps()
        bench.scenario.run(root, counted)
    return counted.trace


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("overwrite", 9),
        ("create", 10),
        ("create-in-new-directories", 10 + 4),  # documents, documents/deep, versions, versions/deep
        ("delete", 8),
        ("rename", 9 + 5),  # the second journal, and the names in four more directories
        ("hard-linked", 9 + 3),  # two copied journals, and the directory of one name more
    ],
)
def test_syncs(name: str, expected: int, bench_of: Callable[[scenarios.Scenario], Bench]) -> None:
    trace = trace_of(bench_of(scenarios.named(name)))
    assert syncs(trace) == expected, trace


@pytest.mark.parametrize("name", ["overwrite", "create", "create-in-new-directories", "delete", "rename"])
def test_four_ordered_waits(name: str, bench_of: Callable[[scenarios.Scenario], Bench]) -> None:
    """The plan, its name, the targets, the removal."""
    trace = trace_of(bench_of(scenarios.named(name)))
    assert waits(trace) == 4, trace


def test_a_read_changes_nothing(bench_of: Callable[[scenarios.Scenario], Bench]) -> None:
    with bench_of(scenarios.named("overwrite")).root() as root:
        before = snapshot(root, everything=True)
        counted = Steps()
        with scenarios.open_store(root, counted).reading():
            pass
        assert counted.trace == []
        assert snapshot(root, everything=True) == before


def test_a_refused_mutation_changes_nothing(bench_of: Callable[[scenarios.Scenario], Bench]) -> None:
    with bench_of(scenarios.named("overwrite")).root() as root:
        counted = Steps()
        with scenarios.open_store(root, counted).writing("memory write") as transaction:
            transaction.put("scopes/x", b"")
        assert counted.trace == []


class Order(Steps):
    """What is written while something older is not durable: names of the waits that each write comes after."""

    def __init__(self) -> None:
        super().__init__()
        self.renames: list[tuple[str, str, int]] = []

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        if kind == "rename":
            self.renames.append((arguments[0], arguments[2], waits([*self.trace, "write"])))
        return super().step(kind, perform, *arguments)


def test_the_commit_point_comes_after_one_wait_and_the_targets_after_two(
    bench_of: Callable[[scenarios.Scenario], Bench],
) -> None:
    bench = bench_of(scenarios.named("overwrite"))
    with bench.root() as root:
        order = Order()
        bench.scenario.run(root, order)
    assert order.renames[0] == ("~plan", "pending.json", 1)
    assert {waited for _, _, waited in order.renames[1:]} == {2}


def test_a_result_counts_one_commit(bench_of: Callable[[scenarios.Scenario], Bench]) -> None:
    with bench_of(scenarios.named("overwrite")).root() as root:
        store = scenarios.open_store(root)
        scenarios.write("notes/a", "three")(store)
        assert (store.commits, store.uncertain) == (1, False)
