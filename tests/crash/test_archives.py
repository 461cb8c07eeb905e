"""An import, interrupted at every step: the scope is there whole, with its feed, or was never used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neosian_cli.services import archive
from neosian_cli.services.archive import Choice, Tally
from tests.crash import images, layers
from tests.crash.scenarios import STAGE_ALL, Scenario, delete, open_store, rename, write

if TYPE_CHECKING:
    from neosian_cli.store.root import Store


def make_archive(store: Store) -> None:
    """Beside the root, where copies of the root find it too."""
    source = f"{store.root}-source"
    acts = (write("notes/a", "one"), write("notes/a", "two" * 2000), write("b", "x"), rename("b", "c"), delete("c"))
    for number, act in enumerate(acts):
        act(open_store(source, seed=50 + number))
    archive.export(open_store(source, seed=60), f"{store.root}-archive", Choice(), Tally())


def take(store: Store) -> None:
    archive.import_archive(store, f"{store.root}-archive", Choice(), Tally())


SCENARIOS = [
    Scenario("import", (make_archive,), take),
    Scenario("import-staged", (make_archive,), take, STAGE_ALL),
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_killed_at_every_step(scenario, bench_of):
    assert layers.kills(bench_of(scenario)) > 30


def test_killed_in_recovery(bench_of):
    assert layers.kills_in_recovery(bench_of(SCENARIOS[0]), stride=11) > 30


@pytest.mark.parametrize("mode", [layers.ORDERED, layers.WEAK])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_a_cut_at_every_step(scenario, mode, bench_of):
    assert layers.power_cuts(bench_of(scenario), mode, images.QUICKER) > 30
