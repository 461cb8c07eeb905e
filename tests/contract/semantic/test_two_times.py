"""Valid time and transaction time: the worked example, and what the two mean together."""

import pytest

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.store.root import Store
from tests.contract.semantic.backend import DAY, START, FilesBackend

X = [1.0, 0.0, 0.0]
T = [START + number * DAY for number in range(6)]


@pytest.fixture
def told(tmp_path):
    """t1 upsert a; t2 b supersedes a; t3 b is invalidated; t4 a is deleted."""
    notes = FilesBackend(tmp_path / "root")
    notes.clock = T[1]
    notes.upsert([{"id": "a", "content": "first", "vector": X, "metadata": {"name": "a"}}])
    notes.clock = T[2]
    notes.upsert([{"id": "b", "content": "second", "vector": X, "supersedes": ["a"], "metadata": {"name": "b"}}])
    notes.clock = T[3]
    notes.expire("invalidate", 1, where=["name = b"])
    notes.clock = T[4]
    notes.delete("a")
    notes.clock = T[4] + 1000
    return notes


def found(notes, **times):
    dense = [(hit["id"], hit["version"]) for hit in notes.search(vector=X, **times)["hits"]]
    sparse = [(hit["id"], hit["version"]) for hit in notes.search("first second", mode="sparse", **times)["hits"]]
    assert sorted(dense) == sorted(sparse)
    return dense


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({}, []),
        ({"as_of": T[1]}, []),
        ({"as_of": T[2] + DAY // 2}, [("b", 1)]),
        ({"known_at": T[1]}, [("a", 1)]),
        ({"known_at": T[2]}, [("b", 1)]),
        ({"known_at": T[3]}, []),
        ({"known_at": T[3], "as_of": T[1]}, [("a", 1)]),
        ({"known_at": T[4], "as_of": T[1]}, []),
        ({"known_at": T[1] - 1}, []),
        ({"known_at": T[5] * 2}, []),
    ],
)
@pytest.mark.parametrize("lost", [False, True])
def test_asked_after_the_fourth(told, times, expected, lost):
    if lost:
        told.lose_derived()
    assert found(told, **times) == expected


def test_asked_after_the_fifth(told):
    told.clock = T[5]
    told.upsert([{"id": "a", "content": "first again", "vector": X}])
    told.clock += 1000
    assert found(told, as_of=T[1]) == []
    assert found(told, known_at=T[3], as_of=T[1]) == [("a", 1)]
    assert found(told) == [("a", 2)]


def test_what_was_hard_deleted_is_gone_from_every_time(told):
    told.delete("a", hard=True)
    for known_at in T:
        assert "a" not in [name for name, _ in found(told, known_at=known_at, include_invalidated=True)]


def test_below_the_history_floor_there_is_no_answer(told):
    told.clock = T[5]
    told.upsert([{"id": "a", "content": "first again", "vector": X}])
    told.compact(T[4])
    assert found(told, known_at=T[4] + 1, include_invalidated=True) == [("a", 1), ("b", 1)]
    with pytest.raises(Failure) as caught:
        told.search(vector=X, known_at=T[3])
    assert caught.value.code == "not_found"
    told.compact(T[5])
    assert [entry["version"] for entry in told.history("a")] == [2]
    assert found(told) == [("a", 2)]
    assert told.upsert([{"id": "a", "vector": X}])["versions"] == [3]


@pytest.mark.parametrize("write", [False, True])
def test_a_floor_in_the_future_is_now(told, write):
    assert told.compact(T[5], write=write)["history_floor"] == times.spell(told.clock)
    assert told.stats()["history_floor"] == (times.spell(told.clock) if write else None)


def test_a_floor_does_not_come_down_when_the_clock_goes_back(told):
    told.compact(T[4] + 500)
    told.clock = T[2]
    assert told.compact(T[5])["history_floor"] == times.spell(T[4] + 500)
    assert told.stats()["history_floor"] == times.spell(T[4] + 500)


def test_a_floor_that_another_process_has_raised_meanwhile_stays(told, tmp_path, monkeypatch):
    writing = Store.writing

    def overtaken(self, verb):
        monkeypatch.setattr(Store, "writing", writing)
        other = FilesBackend(tmp_path / "root")
        other.clock = told.clock
        other.compact(T[4])
        return self.writing(verb)

    monkeypatch.setattr(Store, "writing", overtaken)
    with pytest.raises(Failure) as caught:
        told.compact(T[2])
    assert caught.value.code == "invalid_argument"
    assert told.stats()["history_floor"] == times.spell(T[4])


def test_imported_records_are_known_from_their_import_on(tmp_path):
    notes = FilesBackend(tmp_path / "root")
    notes.clock = T[3]
    notes.upsert([{"id": "a", "content": "old", "vector": X, "created_at": T[0], "valid_from": T[0]}])
    notes.clock = T[4]
    assert [hit["id"] for hit in notes.search(vector=X, as_of=T[1])["hits"]] == ["a"]
    assert notes.search(vector=X, known_at=T[2])["hits"] == []
