"""Every way through the dense lane gives the brute-force answer: ties, tombstones, old versions, filters and all."""

import random
import sys

import numpy as np
import pytest

from neosian_cli.model.query import Planner
from neosian_cli.services.semantic import access
from neosian_cli.store.semantic import blas, dense, estimates, simd, slack
from tests.contract.semantic.backend import FilesBackend
from tests.contract.semantic.model import cosine

DIMENSIONS = 12
COUNT = 700


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    notes = FilesBackend(tmp_path_factory.mktemp("lanes") / "root", dimensions=DIMENSIONS)
    chance = random.Random(5)
    generator = np.random.default_rng(5)
    centres = generator.normal(size=(20, DIMENSIONS))
    vectors = []
    for number in range(COUNT):
        vector = centres[number % 20] + (0 if number % 7 == 0 else 0.05) * generator.normal(size=DIMENSIONS)
        vectors.append([float(np.float32(x)) for x in vector * chance.choice([1, 1, 1e-20, 1e18, 1e-25, 3e30])])
    notes.upsert([{"id": f"r{n:03d}", "vector": v, "metadata": {"n": str(n)}} for n, v in enumerate(vectors)])
    notes.upsert([{"id": f"r{n:03d}", "vector": vectors[n + 1], "metadata": {"n": str(n)}} for n in range(0, 300, 3)])
    notes.delete(*[f"r{n:03d}" for n in range(0, COUNT, 5)])
    current = {f"r{n:03d}": vectors[n + 1 if n < 300 and n % 3 == 0 else n] for n in range(COUNT)}
    return notes, current


LANES = {
    "direct": {"few": 1 << 30},
    "subset": {"few": -1},
    "scan": {"few": -1, "fetch_up_to": 0},
    "scan in rounds": {"few": -1, "fetch_up_to": 0, "FIRST_ROUND": 2, "GROWTH": 2},
}
WAYS = {"simd": simd.SimdEstimates, "blas": blas.BlasEstimates}


def go_by(patch, lane, way):
    """Have every search take this lane, with estimates made this way."""
    patch.setattr(estimates, "SIMD_UP_TO", 1 << 62 if way == "simd" else -1)
    for name, value in LANES[lane].items():
        if name == "fetch_up_to":
            patch.setattr(access, "PLANNER", Planner(fetch_up_to=value))
        else:
            patch.setattr(WAYS[way] if name == "few" else dense, name, value)


@pytest.mark.parametrize("path", [(lane, way) for lane in LANES for way in WAYS], ids=", ".join)
@pytest.mark.parametrize("top_k", [1, 10, 100, 1000])
@pytest.mark.parametrize("least", [None, 350, 690, 699, 5000])
def test_the_answer_of_brute_force(loaded, monkeypatch, path, top_k, least):
    notes, current = loaded
    lane, way = path
    go_by(monkeypatch, lane, way)
    chance = random.Random(top_k)
    for _ in range(3):
        query = [chance.gauss(0, 1) for _ in range(DIMENSIONS)] if chance.random() < 0.5 else current["r007"]
        query = [float(np.float32(x)) for x in query]
        where = [] if least is None else [f"n >= {least}"]
        result = notes.search(vector=query, top_k=top_k, where=where, options={"ids_only": True, "explain": True})
        wanted = "scan" if lane == "subset" and least is None else lane.split()[0]
        assert result["explain"]["dense"]["lane"] == wanted or least == 5000
        allowed = [name for name in current if int(name[1:]) % 5 and (least is None or int(name[1:]) >= least)]
        expected = sorted((-cosine(query, current[name]), name) for name in allowed)[:top_k]
        assert [(hit["id"], hit["score"]) for hit in result["hits"]] == [
            (name, pytest.approx(-score, abs=1e-7)) for score, name in expected
        ]


def test_all_lanes_agree_to_the_last_bit(loaded, monkeypatch):
    notes, current = loaded
    answers = []
    for lane in LANES:
        for way in WAYS:
            with monkeypatch.context() as patch:
                go_by(patch, lane, way)
                answers.append(notes.search(vector=current["r008"], top_k=200)["hits"])
    assert all(answer == answers[0] for answer in answers)


def test_without_simsimd_the_answer_is_the_same(loaded, monkeypatch):
    notes, current = loaded
    with_it = notes.search(vector=current["r008"], top_k=50)["hits"]
    monkeypatch.delitem(sys.modules, "neosian_cli.store.semantic.simd")
    monkeypatch.setitem(sys.modules, "simsimd", None)
    made = estimates.estimates_of(np.ones(DIMENSIONS, "f4").tobytes(), DIMENSIONS, 1)
    assert isinstance(made, blas.BlasEstimates)
    assert notes.search(vector=current["r008"], top_k=50)["hits"] == with_it


class Rows:
    """Rows as `Vectors` gives them, in files of a few; a file may hold fewer rows than it should."""

    def __init__(self, values, per_file=7, lost=()):
        self.rows, self.dimensions = values.shape
        self._values = values
        self._per_file = per_file
        self._lost = lost

    def _held(self, first):
        end = min(first + self._per_file, self.rows)
        return next((row - first for row in range(first, end) if row in self._lost), end - first)

    def row(self, number):
        first = number - number % self._per_file
        return self._values[number].tobytes() if number - first < self._held(first) else None

    def blocks(self):
        for first in range(0, self.rows, self._per_file):
            if held := self._held(first):
                yield first, held, self._values[first : first + self._per_file].tobytes()


def made_of(way, query):
    return WAYS[way](query.tobytes(), len(query))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dimensions", [1, 2, 64, 1536])
def test_estimates_are_as_good_as_they_say(way, dimensions):
    generator = np.random.default_rng(1)
    block = generator.normal(size=(200, dimensions)).astype("f4") * np.float32(1e-4)
    query = generator.normal(size=dimensions).astype("f4") * np.float32(1e20)
    made = made_of(way, query)
    of_all = made.of_all(Rows(block))
    assert len(of_all) == 200
    some = list(range(199, -1, -3))
    guesses = made.of(Rows(block), some)
    assert [of_all[row] for row in some] == pytest.approx(guesses, abs=2 * made.slack)
    for row, values in enumerate(block):
        assert abs(of_all[row] - cosine(query.tolist(), values.tolist())) <= made.slack


@pytest.mark.parametrize("way", WAYS)
def test_what_cannot_be_estimated_is_looked_at(way):
    generator = np.random.default_rng(2)
    block = generator.normal(size=(40, 16)).astype("f4")
    block[3], block[5], block[8], block[9, 4], block[10, 1] = 0, 1e-20, 1e30, np.nan, np.inf
    made = made_of(way, block[0])
    of_all = made.of_all(Rows(block, lost={17, 38}))
    lost = {17, 18, 19, 20, 38, 39}
    for row in range(40):
        if row in lost:
            assert of_all[row] == -slack.FORCED
        elif row in {3, 5, 8, 9, 10}:
            assert of_all[row] == slack.FORCED
        else:
            assert abs(of_all[row]) <= 1.00001
    assert made.of(Rows(block, lost={17, 38}), [38, 3, 0]) == [2.0, 2.0, pytest.approx(1, abs=1e-5)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("start", [0, 1, 6, 7, 8, 30, 39])
def test_only_rows_from_a_number_on(way, start):
    block = np.random.default_rng(3).normal(size=(40, 5)).astype("f4")
    made = made_of(way, block[39])
    whole, part = made.of_all(Rows(block)), made.of_all(Rows(block), start)
    assert len(part) == 40
    for row in range(40):
        assert part[row] == (pytest.approx(whole[row], abs=made.slack) if row >= start else -slack.FORCED)


@pytest.mark.parametrize("way", WAYS)
def test_the_best_are_all_that_are_not_less(way):
    block = np.random.default_rng(4).integers(-2, 3, size=(60, 3)).astype("f4")
    guesses = made_of(way, np.array([1, 1, 1], "f4")).of_all(Rows(block))
    for count in (1, 2, 10, 60):
        rows, weakest = guesses.best(count)
        assert len(rows) >= count
        assert sorted(rows) == [row for row in range(60) if guesses[row] >= weakest]
