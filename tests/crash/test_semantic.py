"""Semantic changes, interrupted at every step: the truth is as before or after, and what is derived never lies."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from neosian_cli.model.query import Selection
from neosian_cli.model.record import draft_of
from neosian_cli.services.semantic import ending, namespaces, reading, upkeep, upsert
from neosian_cli.services.semantic.access import Access
from tests.contract.semantic.backend import PlainSettings
from tests.crash import images, layers, trial
from tests.crash.scenarios import STAGE_ALL, Scenario, absent, open_store
from tests.crash.trial import Bench, Broken

if TYPE_CHECKING:
    from neosian_cli.store.root import Store

SETTINGS = PlainSettings()
SECRET = b"unforgettable"


def access(store: Store) -> Access:
    return Access(store, SETTINGS, "notes", environment={}, sleep=lambda _: None, monotonic=lambda: 0.0)


def create(store: Store) -> None:
    namespaces.create(store, SETTINGS, "notes", namespaces.Wish("fake", None, 3, None), options={})


def put(*records):
    def act(store: Store) -> None:
        drafts = [draft_of(record, 3, "record") for record in records]
        upsert.upsert(access(store), drafts)

    return act


def expire(action: str):
    def act(store: Store) -> None:
        selection = Selection(include_invalidated=True)
        ending.expire(access(store), selection, action=action, max_rows=2, dry_run=False)

    return act


def hard_delete(store: Store) -> None:
    ending.delete(access(store), ["a"], hard=True, if_version=None)


def compact(store: Store) -> None:
    upkeep.compact(access(store), store.now(), write=True)


def drop(store: Store) -> None:
    upkeep.drop(access(store), write=True)


A = {"id": "a", "content": "unforgettable words", "metadata": {"k": "unforgettable"}, "vector": [1, 2, 3]}
B = {"id": "b", "content": "more", "vector": [0, 1, 0], "supersedes": ["a"]}
FILLED = (absent, create, put(A, {"id": "c", "vector": [1, 0, 0]}), put(A, {"id": "c", "vector": [0, 0, 1]}))

SCENARIOS = [
    Scenario("semantic-create", (absent,), create),
    Scenario("semantic-first", (absent, create), put(A, B)),
    Scenario("semantic-batch", FILLED, put(B, {"id": "a", "vector": [3, 2, 1]}, {"id": "d", "vector": [1, 1, 1]})),
    Scenario("semantic-invalidate", FILLED, expire("invalidate")),
    Scenario("semantic-soft", FILLED, expire("soft-delete")),
    Scenario("semantic-hard", FILLED, hard_delete),
    Scenario("semantic-hard-staged", FILLED, expire("hard-delete"), STAGE_ALL),
    Scenario("semantic-compact", FILLED, compact),
    Scenario("semantic-drop", FILLED, drop),
]


def without_derived(root: str, *, everything: bool = False) -> trial.Files:
    found = PLAIN_SNAPSHOT(root, everything=everything)
    return {path: data for path, data in found.items() if "/derived/" not in path}


PLAIN_SNAPSHOT = trial.snapshot


class SemanticBench(Bench):
    """Judges the truth by its bytes, and what is derived by what it answers."""

    def judge_state(self, root: str, what: str, *, only: trial.Files | None = None) -> None:
        super().judge_state(root, what, only=only)
        if not os.path.lexists(f"{root}/semantic/notes/namespace.json"):
            return
        first = self.answers(root)
        shutil.rmtree(f"{root}/semantic/notes/derived", ignore_errors=True)
        if self.answers(root) != first:
            raise Broken(f"{self.scenario}: {what}: the derived files answered otherwise")

    @staticmethod
    def answers(root: str):
        store = open_store(root, seed=9)
        listed = reading.list_records(
            access(store), Selection(include_invalidated=True), limit=100, cursor=None, include_vector=True
        )
        histories = [reading.history(access(store), record["id"]) for record in listed["records"]]
        return listed, histories


@pytest.fixture
def bench_of(quick_place, monkeypatch):
    for module in (trial, layers):
        monkeypatch.setattr(module, "snapshot", without_derived)
    return lambda scenario: SemanticBench(scenario, os.path.join(quick_place, scenario.name))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_killed_at_every_step(scenario, bench_of):
    assert layers.kills(bench_of(scenario)) > 10


@pytest.mark.parametrize("scenario", SCENARIOS[2:7:2], ids=str)
def test_killed_in_recovery(scenario, bench_of):
    assert layers.kills_in_recovery(bench_of(scenario), stride=7) > 20


@pytest.mark.parametrize("mode", [layers.ORDERED, layers.WEAK])
@pytest.mark.parametrize("scenario", [SCENARIOS[2], SCENARIOS[5], SCENARIOS[7]], ids=str)
def test_a_cut_at_every_step(scenario, mode, bench_of):
    assert layers.power_cuts(bench_of(scenario), mode, images.QUICKER) > 20


@pytest.mark.parametrize("scenario", SCENARIOS[5:7], ids=str)
def test_after_an_erasure_no_byte_is_left(scenario, bench_of):
    bench = bench_of(scenario)
    with bench.root() as root:
        assert any(SECRET in data for data in PLAIN_SNAPSHOT(root, everything=True).values())
        scenario.run(root)
        for path, data in PLAIN_SNAPSHOT(root, everything=True).items():
            assert SECRET not in data, path
