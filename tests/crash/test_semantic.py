"""Semantic changes, interrupted at every step: the truth is as before or after, and what is derived never lies."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from neosian_cli.config.namespace import Embedder, Namespace
from neosian_cli.disk.tree import Tree
from neosian_cli.model import numbers
from neosian_cli.model.query import Planner, Selection, make_query
from neosian_cli.model.record import draft_of
from neosian_cli.services.semantic import ending, indexing, namespaces, reading, search, upkeep, upsert
from neosian_cli.services.semantic.access import Access
from neosian_cli.store.semantic import refresh
from tests.contract.semantic.backend import PlainSettings
from tests.crash import images, layers, trial
from tests.crash.scenarios import STAGE_ALL, Scenario, absent, open_store
from tests.crash.seam import Short
from tests.crash.test_errors import ERRORS, NAMES
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


def delete_text(store: Store) -> None:
    ending.delete(access(store), ["t"], hard=True, if_version=None)


def compact(store: Store) -> None:
    upkeep.compact(access(store), store.now(), write=True)


def eager(store: Store) -> Access:
    """The same namespace, whose searches go through an index wherever there is one."""
    planner = Planner(fetch_up_to=0, index_from=0)
    settings = PlainSettings(namespaces=(Namespace("notes", Embedder("fake", dimensions=3), planner=planner),))
    return Access(store, settings, "notes", environment={}, sleep=lambda _: None, monotonic=lambda: 0.0)


def renew(store: Store) -> None:
    made = indexing.renew(eager(store), lambda *_: None)
    assert made is not None
    assert made["state"] == "current"


def drop(store: Store) -> None:
    upkeep.drop(access(store), write=True)


A = {"id": "a", "content": "unforgettable words", "metadata": {"k": "unforgettable"}, "vector": [1, 2, 3]}
B = {"id": "b", "content": "more", "vector": [0, 1, 0], "supersedes": ["a"]}
TEXT = {"id": "t", "content": "words without a vector"}
MANY = [{"id": f"m{n}", "vector": [n % 7, n % 5 + 1, n]} for n in range(40)]
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
    Scenario("semantic-hard-cached", (*FILLED, put(TEXT)), delete_text),
    Scenario("semantic-index", (*FILLED, put(*MANY)), renew),
]
CHANGES = [SCENARIOS[number] for number in (2, 3, 5, 6, 7, 9)]
"""A batch, an expiry, hard deletes (also of what is staged, and of what is cached) and a compaction."""


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
        query = make_query(
            mode="dense",
            text=None,
            vector=numbers.pack([1, 2, 3]),
            selection=Selection(),
            top_k=5,
            rerank_candidate_k=0,
            top_k_cap=5,
            candidates_cap=50,
        )
        return listed, histories, search.search(eager(store), query)["hits"]


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
@pytest.mark.parametrize("scenario", [SCENARIOS[2], SCENARIOS[5], SCENARIOS[7], SCENARIOS[10]], ids=str)
def test_a_cut_at_every_step(scenario, mode, bench_of):
    assert layers.power_cuts(bench_of(scenario), mode, images.QUICKER) > 10


@pytest.mark.parametrize("mode", [layers.ORDERED, layers.WEAK])
@pytest.mark.parametrize("scenario", CHANGES, ids=str)
def test_a_kill_then_a_cut(scenario, mode, bench_of):
    assert layers.cuts_after_kill(bench_of(scenario), mode, images.QUICKER) > 5


@pytest.mark.parametrize("scenario", CHANGES, ids=str)
def test_a_failed_sync_then_a_cut(scenario, bench_of):
    assert layers.failed_syncs(bench_of(scenario), layers.WEAK, images.QUICKER) > 3


@pytest.mark.parametrize("number", ERRORS[:2], ids=NAMES[:2])
@pytest.mark.parametrize("scenario", CHANGES, ids=str)
def test_a_failure_at_every_step(scenario, number, bench_of):
    assert layers.errors(bench_of(scenario), number) > 20


@pytest.mark.parametrize("number", ERRORS[:2], ids=NAMES[:2])
@pytest.mark.parametrize("scenario", CHANGES, ids=str)
def test_a_failure_at_every_step_of_recovery(scenario, number, bench_of):
    assert layers.refused_recovery_step(bench_of(scenario), number) > 10


@pytest.mark.parametrize("most", [7, 100])
@pytest.mark.parametrize("scenario", CHANGES, ids=str)
def test_short_writes_are_gone_on_with(scenario, most, bench_of):
    bench = bench_of(scenario)
    with bench.root() as root:
        scenario.run(root, Short(most))
        bench.judge(root, f"writes of {most} bytes", only=bench.after)


@pytest.mark.parametrize("mode", [layers.ORDERED, layers.WEAK])
def test_what_a_killed_erasure_removed_does_not_come_back(mode, bench_of):
    """It had no time for its sync; the next erasure finds nothing to remove, and has to make that durable."""
    with bench_of(SCENARIOS[5]).root() as root:
        recorder = images.Recorder(root)
        names = len([name for name in os.listdir(f"{root}/semantic/notes/derived") if not name.startswith("cache")])
        recorder.stop_at = names + 1
        assert trial.stopped(lambda calls: discard_derived(root, calls), recorder)
        assert recorder.trace == ["unlink"] * names
        recorder.stop_at = None
        discard_derived(root, recorder)
    for image in images.images(recorder, len(recorder.log), mode, images.LONG, set()):
        for path, data in image.files:
            assert "/derived/" not in path or SECRET not in (data or b""), image.what


def test_what_leaves_the_cache_is_gone_before_the_plan(bench_of):
    """SQLite is told to wait for nothing: what it overwrote is synced by us, with the directory of its journal."""
    trace = bench_of(SCENARIOS[9]).trace
    first = trace[: trace.index("create")]
    assert first[0] == "sync_file"
    assert first[-1] == "sync_directory"


def discard_derived(root: str, calls) -> None:
    tree = Tree.open(root, calls)
    try:
        refresh.discard(tree, "notes")
    finally:
        tree.close()


@pytest.mark.parametrize("scenario", SCENARIOS[5:7], ids=str)
def test_after_an_erasure_no_byte_is_left(scenario, bench_of):
    bench = bench_of(scenario)
    with bench.root() as root:
        assert any(SECRET in data for data in PLAIN_SNAPSHOT(root, everything=True).values())
        scenario.run(root)
        for path, data in PLAIN_SNAPSHOT(root, everything=True).items():
            assert SECRET not in data, path
