"""Steps of messages, interrupted at every step: message, history, event and index are all as before or all as after."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from unittest import mock

import pytest

from neosian_cli.model import mount
from neosian_cli.model.draft import Draft
from neosian_cli.model.lifecycle import Step
from neosian_cli.services import messages
from neosian_cli.store import mailbox, open_messages
from tests.crash import images, layers, trial
from tests.crash.scenarios import ACTOR, SCOPE, Scenario, absent, open_store
from tests.crash.trial import Bench, Broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from neosian_cli.store.root import Store

MOUNTS = [mount.make("project", SCOPE)]
FIRST = "0b0e7a54-61c5-4c1e-9d0a-6a3f4a1f2b3c"
SECOND = "1b0e7a54-61c5-4c1e-9d0a-6a3f4a1f2b3c"
TOKEN = messages.hash_of("token")


def send(message_id: str) -> Callable[[Store], None]:
    def act(store: Store) -> None:
        messages.send(store, MOUNTS, Draft("look", actionable=True), actor=ACTOR, message_id=message_id)

    return act


def take(verb: str, message_id: str = FIRST) -> Callable[[Store], None]:
    step = Step(verb, "s1", 1, token_hash=TOKEN, new_token_hash=TOKEN, outcome="done")

    def act(store: Store) -> None:
        messages.advance(store, MOUNTS, message_id, step, actor=ACTOR)

    return act


def made_anew(act: Callable[[Store], None]) -> Callable[[Store], None]:
    """The step at which the index is written whole."""

    def run(store: Store) -> None:
        with mock.patch.object(open_messages, "SLACK", -10):
            act(store)

    return run


SCENARIOS = [
    Scenario("message-first", (absent,), send(FIRST)),
    Scenario("message-send", (send(FIRST),), send(SECOND)),
    Scenario("message-claim", (send(FIRST),), take("claim")),
    Scenario("message-complete", (send(FIRST), send(SECOND), take("claim")), take("complete")),
    Scenario("message-index-anew", (send(FIRST), send(SECOND)), made_anew(take("claim"))),
]


class MailboxBench(Bench):
    """Judges by the bytes, and asks the check of the mailbox besides."""

    def judge_state(self, root: str, what: str, *, only: trial.Files | None = None) -> None:
        super().judge_state(root, what, only=only)
        found = list(mailbox.check(open_store(root, seed=9), SCOPE, {"messages": 0}))
        if found:
            raise Broken(f"{self.scenario}: {what}: {found[0].message}")


@pytest.fixture
def bench_of(quick_place: str) -> Callable[[Scenario], Bench]:
    return lambda scenario: MailboxBench(scenario, os.path.join(quick_place, scenario.name))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_killed_at_every_step(scenario: Scenario, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.kills(bench_of(scenario)) > 10


@pytest.mark.parametrize("scenario", SCENARIOS[1:], ids=str)
def test_killed_in_recovery(scenario: Scenario, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.kills_in_recovery(bench_of(scenario), stride=7) > 20


@pytest.mark.parametrize("mode", [layers.ORDERED, layers.WEAK])
@pytest.mark.parametrize("scenario", SCENARIOS[1:], ids=str)
def test_a_cut_at_every_step(scenario: Scenario, mode: str, bench_of: Callable[[Scenario], Bench]) -> None:
    assert layers.power_cuts(bench_of(scenario), mode, images.QUICKER) > 20


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [(SCENARIOS[1], 11), (SCENARIOS[2], 10), (SCENARIOS[3], 10), (SCENARIOS[4], 11)],
    ids=str,
)
def test_syncs(scenario: Scenario, expected: int, bench_of: Callable[[Scenario], Bench]) -> None:
    """One more than another document's, or two where the index is written whole."""
    assert sum(kind.startswith("sync") for kind in bench_of(scenario).trace) == expected
