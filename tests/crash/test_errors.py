"""Calls that fail: what is said of it is true, nothing is written afterwards, and the store recovers."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from neosian_cli.errors import Failure
from tests.crash import layers, scenarios
from tests.crash.seam import Fail, Short, Steps
from tests.crash.trial import leftovers, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tests.crash.scenarios import Scenario
    from tests.crash.trial import Bench

ERRORS = [errno.EIO, errno.ENOSPC, errno.EROFS, errno.EDQUOT]
NAMES = [errno.errorcode[number] for number in ERRORS]


@pytest.mark.parametrize("scenario", scenarios.LIGHT, ids=str)
@pytest.mark.parametrize("number", ERRORS, ids=NAMES)
def test_a_failure_at_every_step(number: int, scenario: Scenario, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.errors(bench_of(scenario), number) > 20


@pytest.mark.parametrize("scenario", scenarios.LIGHT, ids=str)
@pytest.mark.parametrize("number", ERRORS[:3], ids=NAMES[:3])
def test_a_failure_at_every_step_of_recovery(
    number: int, scenario: Scenario, bench_of: Callable[[Scenario], Bench]
) -> None:
    assert layers.refused_recovery_step(bench_of(scenario), number) > 10


@pytest.mark.parametrize("most", [1, 7, 100])
@pytest.mark.parametrize("scenario", scenarios.LIGHT, ids=str)
def test_short_writes_are_gone_on_with(scenario: Scenario, most: int, bench_of: Callable[[Scenario], Bench]) -> None:
    bench = bench_of(scenario)
    with bench.root() as root:
        scenario.run(root, Short(most))
        bench.judge(root, f"writes of {most} bytes", only=bench.after)


def test_a_write_that_takes_nothing_is_an_error(bench_of: Callable[[Scenario], Bench]) -> None:
    bench = bench_of(scenarios.named("overwrite"))
    with bench.root() as root:
        with pytest.raises(Failure) as caught:
            bench.scenario.run(root, Short(0))
        assert caught.value.code == "io_error"
        assert caught.value.details["committed"] is False
        bench.judge(root, "writes that take nothing", only=bench.before)


class Filling(Steps):
    """A disk with room for so many bytes: the write that meets the end is short, only the next one fails."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        if kind == "write":
            descriptor, data, offset = arguments
            if not self.room:
                raise OSError(errno.ENOSPC, "No space left on device")
            taken = perform(descriptor, data[: self.room], offset)
            self.room -= taken
            return taken
        return super().step(kind, perform, *arguments)


@pytest.mark.parametrize("name", ["overwrite", "staged", "hard-linked"])
def test_a_disk_that_fills_up_within_a_write(name: str, bench_of: Callable[[Scenario], Bench]) -> None:
    bench = bench_of(scenarios.named(name))
    room, trials, outcomes = 0, 0, set()
    while True:
        with bench.root() as root:
            try:
                bench.scenario.run(root, Filling(room))
            except Failure as failure:
                outcomes.add((failure.code, failure.details["errno"], failure.details["committed"]))
            else:
                break
            bench.judge(root, f"{room} bytes of room")
        room += 61
        trials += 1
    assert trials > 20
    assert outcomes == {("io_error", errno.ENOSPC, False), ("io_error", errno.ENOSPC, True)}


def test_a_disk_that_stays_full_refuses_until_there_is_room(bench_of: Callable[[Scenario], Bench]) -> None:
    """With a plan pending a read has to write first; without one it needs no room."""
    bench = bench_of(scenarios.named("overwrite"))
    writes = [index for index, kind in enumerate(bench.trace) if kind == "write"]
    with bench.root() as root:
        with pytest.raises(Failure):
            bench.scenario.run(root, Fail(writes[1] + 1, errno.ENOSPC))
        torn = snapshot(root)
        for _ in range(2):
            with pytest.raises(Failure, match="finishing an interrupted change: No space left") as caught:
                layers.recover(root, Filling(0))
            assert caught.value.exit_status == 1
            assert caught.value.details["committed"] is False
            assert snapshot(root) == torn
        bench.judge(root, "room again", only=bench.after)
    with bench.root() as root:
        with pytest.raises(Failure):
            bench.scenario.run(root, Filling(0))
        layers.recover(root, Filling(0))
        assert snapshot(root) == bench.before
        assert leftovers(root) == ["~plan"]
        bench.judge(root, "room again", only=bench.before)
