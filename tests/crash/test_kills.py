"""Processes that are killed at every step, while they change a store and while they recover it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crash import layers, scenarios

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.crash.scenarios import Scenario
    from tests.crash.trial import Bench


@pytest.mark.parametrize("scenario", scenarios.ALL, ids=str)
def test_killed_at_every_step(scenario: Scenario, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.kills(bench_of(scenario), forked=True) > 10


@pytest.mark.parametrize("scenario", scenarios.LIGHT, ids=str)
def test_killed_at_every_step_of_recovery_too(scenario: Scenario, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.kills_in_recovery(bench_of(scenario), stride=3) > 30


def test_real_kills_in_recovery(bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.kills_in_recovery(bench_of(scenarios.named("overwrite")), forked=True, stride=4) > 50


@pytest.mark.long
@pytest.mark.parametrize("scenario", scenarios.ALL, ids=str)
def test_every_pair_of_steps(scenario: Scenario, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.kills_in_recovery(bench_of(scenario)) > 100
