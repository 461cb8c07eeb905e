"""Power cuts, in a model: every legal image of the disk recovers to the state before or the state after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crash import images, layers, scenarios

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.crash.scenarios import Scenario
    from tests.crash.trial import Bench

MODES = (layers.ORDERED, layers.WEAK)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scenario", scenarios.LIGHT, ids=str)
def test_a_cut_at_every_step(scenario: Scenario, mode: str, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.power_cuts(bench_of(scenario), mode, images.QUICK) > 20


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scenario", scenarios.LIGHT, ids=str)
def test_a_kill_then_a_cut(scenario: Scenario, mode: str, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.cuts_after_kill(bench_of(scenario), mode, images.QUICKER) > 10


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scenario", scenarios.LIGHT, ids=str)
def test_a_failed_sync_then_a_cut(scenario: Scenario, mode: str, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.failed_syncs(bench_of(scenario), mode, images.QUICK) > 3


@pytest.mark.long
@pytest.mark.parametrize("layer", [layers.power_cuts, layers.cuts_after_kill, layers.failed_syncs])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scenario", scenarios.ALL, ids=str)
def test_many_more_images(
    scenario: Scenario, mode: str, layer: Callable[..., int], bench_of: Callable[[Scenario], Bench]
) -> None:
    assert layer(bench_of(scenario), mode, images.LONG) > 3
