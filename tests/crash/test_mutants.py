"""The layers can fail: each finds the mutants of the protocol that it is there for.

The table says which layer finds which; where several do, the cheapest that does is named.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from tests.crash import layers, mutants, scenarios
from tests.crash.images import QUICK, Bounds
from tests.crash.seam import Short
from tests.crash.trial import Bench, Broken, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY = Bounds(names=3, data=1, samples=4, kills=1, cuts=1)


def kills(bench: Bench) -> int:
    return layers.kills(bench)


def ordered_cuts(bench: Bench) -> int:
    return layers.power_cuts(bench, layers.ORDERED, QUICK)


def weak_cuts(bench: Bench) -> int:
    return layers.power_cuts(bench, layers.WEAK, QUICK)


def weak_cuts_after_kill(bench: Bench) -> int:
    return layers.cuts_after_kill(bench, layers.WEAK, EVERY)


def failed_syncs(bench: Bench) -> int:
    return layers.failed_syncs(bench, layers.ORDERED, QUICK)


def failures(bench: Bench) -> int:
    return layers.errors(bench, errno.EIO)


def short_writes(bench: Bench) -> int:
    with bench.root() as root:
        bench.scenario.run(root, Short(7))
        bench.judge(root, "short writes", only=bench.after)
    return 1


def second_names(bench: Bench) -> int:
    with bench.root() as root:
        before = snapshot(f"{root}-backup", everything=True)
        bench.scenario.run(root)
        if snapshot(f"{root}-backup", everything=True) != before:
            raise Broken("the backup has changed")
    return len(before)


FOUND = [
    (mutants.plan_not_synced, ordered_cuts, "overwrite"),
    (mutants.plan_name_not_synced, weak_cuts, "overwrite"),
    (mutants.plan_written_in_place, kills, "overwrite"),
    (mutants.targets_before_plan, kills, "overwrite"),
    (mutants.put_not_synced, ordered_cuts, "overwrite"),
    (mutants.put_name_not_synced, weak_cuts, "overwrite"),
    (mutants.append_not_synced, ordered_cuts, "overwrite"),
    (mutants.feed_names_not_synced, weak_cuts, "first-write"),
    (mutants.history_name_not_synced, weak_cuts, "create"),
    (mutants.new_directories_not_synced, weak_cuts, "create-in-new-directories"),
    (mutants.staged_not_synced, ordered_cuts, "staged"),
    (mutants.staged_name_not_synced, weak_cuts, "staged"),
    (mutants.removal_of_target_not_synced, weak_cuts, "delete"),
    (mutants.blind_append, kills, "overwrite"),
    (mutants.only_prefixes_accepted, ordered_cuts, "overwrite"),
    (mutants.compare_and_skip, weak_cuts_after_kill, "overwrite"),
    (mutants.compare_and_sync, failed_syncs, "overwrite"),
    (mutants.not_swept, kills, "overwrite"),
    (mutants.plan_not_published_again, weak_cuts_after_kill, "overwrite"),
    (mutants.way_not_synced_again, weak_cuts_after_kill, "delete"),
    (mutants.way_not_synced_again, weak_cuts_after_kill, "create-in-new-directories"),
    (mutants.removal_of_plan_not_synced, weak_cuts, "overwrite"),
    (mutants.plan_removed_before_targets_are_synced, ordered_cuts, "overwrite"),
    (mutants.shared_bytes_renamed_unsynced, ordered_cuts, "hard-linked"),
    (mutants.shared_bytes_appended_to, second_names, "hard-linked"),
    (mutants.adopted_into_a_directory_not_synced, weak_cuts, "every-step"),
    (mutants.root_not_synced, weak_cuts, "first-write"),
    (mutants.written_on_after_a_failure, failures, "overwrite"),
    (mutants.failure_called_success, failures, "overwrite"),
    (mutants.torn_write_called_whole, short_writes, "overwrite"),
]


def _name(value: object) -> str:
    return value if isinstance(value, str) else getattr(value, "__name__", str(value))


@pytest.mark.parametrize(("mutant", "layer", "scenario"), FOUND, ids=_name)
def test_found(
    mutant: Callable[[pytest.MonkeyPatch], None],
    layer: Callable[[Bench], int],
    scenario: str,
    bench_of: Callable[[scenarios.Scenario], Bench],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = bench_of(scenarios.named(scenario))
    mutant(monkeypatch)
    with pytest.raises(Broken):
        layer(bench)


def test_every_mutant_is_in_the_table() -> None:
    made = {name for name, value in vars(mutants).items() if getattr(value, "__module__", "") == mutants.__name__}
    assert {name for name in made if not name.startswith("_")} == {mutant.__name__ for mutant, _, _ in FOUND}


@pytest.mark.parametrize("layer", [kills, ordered_cuts, short_writes, failures], ids=_name)
def test_without_a_mutant_nothing_is_found(
    layer: Callable[[Bench], int], bench_of: Callable[[scenarios.Scenario], Bench]
) -> None:
    assert layer(bench_of(scenarios.named("overwrite"))) > 0
