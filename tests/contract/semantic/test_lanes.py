"""Every way through the dense lane gives the brute-force answer: ties, tombstones, old versions, filters and all."""

import random

import numpy as np
import pytest

from neosian_cli.store.semantic import dense
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
    "direct": {"DIRECT": 1 << 30},
    "subset": {"DIRECT": -1},
    "scan": {"DIRECT": -1, "SUBSET": 0},
    "scan in rounds": {"DIRECT": -1, "SUBSET": 0, "FIRST_ROUND": 2, "GROWTH": 2},
}


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.parametrize("top_k", [1, 10, 100, 1000])
@pytest.mark.parametrize("least", [None, 350, 690, 699, 5000])
def test_the_answer_of_brute_force(loaded, monkeypatch, lane, top_k, least):
    notes, current = loaded
    for name, value in LANES[lane].items():
        monkeypatch.setattr(dense, name, value)
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
    for constants in LANES.values():
        with monkeypatch.context() as patch:
            for name, value in constants.items():
                patch.setattr(dense, name, value)
            answers.append(notes.search(vector=current["r008"], top_k=200)["hits"])
    assert all(answer == answers[0] for answer in answers)


def test_estimates_are_as_good_as_they_say():
    generator = np.random.default_rng(1)
    for dimensions in (2, 64, 1536):
        block = generator.normal(size=(200, dimensions)).astype("f4") * np.float32(1e-4)
        query = generator.normal(size=dimensions).astype("f4")
        estimates = dense.Estimates(query.tobytes(), dimensions)
        guesses = estimates.of(block)
        for row, guess in zip(block, guesses, strict=True):
            assert abs(float(guess) - cosine(query.tolist(), row.tolist())) <= estimates.slack
