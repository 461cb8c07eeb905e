"""What a record goes through, one behaviour a test."""

import pytest

from neosian_cli.errors import Failure
from tests.contract.semantic.backend import DAY, START, FilesBackend

X, Y, Z = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]


@pytest.fixture
def notes(tmp_path):
    return FilesBackend(tmp_path / "root")


def ids(result):
    return [hit["id"] for hit in result["hits"]]


def refusal(call, *arguments, **options):
    with pytest.raises(Failure) as caught:
        call(*arguments, **options)
    return caught.value


def test_the_same_id_twice_in_a_batch_counts_on(notes):
    result = notes.upsert([{"id": "a", "vector": X}, {"id": "a", "vector": Y, "if_version": 1}])
    assert (result["ids"], result["versions"]) == (["a", "a"], [1, 2])
    assert notes.get("a")[0]["version"] == 2


def test_a_batch_is_all_or_nothing(notes):
    failure = refusal(notes.upsert, [{"id": "a", "vector": X}, {"id": "b", "vector": Y, "if_version": 1}])
    assert failure.details["reason"] == "version_mismatch"
    assert failure.details["index"] == 1
    assert notes.list()["records"] == []
    assert notes.upsert([{"id": "a", "vector": X}])["versions"] == [1]


def test_a_missing_id_becomes_a_uuid(notes):
    made = notes.upsert([{"vector": X}, {"id": "", "vector": X}])["ids"]
    assert len(set(made)) == 2
    assert all(len(name) == 36 for name in made)


def test_if_version_zero_means_no_record(notes):
    notes.upsert([{"id": "a", "vector": X, "if_version": 0}])
    assert refusal(notes.upsert, [{"id": "a", "vector": X, "if_version": 0}]).details["actual"] == 1
    notes.delete("a")
    assert refusal(notes.upsert, [{"id": "a", "vector": X, "if_version": 0}]).details["actual"] == 1
    notes.delete("a", hard=True)
    assert notes.upsert([{"id": "a", "vector": X, "if_version": 0}])["versions"] == [2]


def test_a_hard_deleted_id_goes_on_counting_and_begins_anew(notes):
    notes.upsert([{"id": "a", "vector": X}, {"id": "a", "vector": X}])
    notes.clock += DAY
    assert notes.delete("a", hard=True) == [True]
    assert notes.delete("a", hard=True) == [False]
    notes.clock += DAY
    assert notes.upsert([{"id": "a", "vector": X}])["versions"] == [3]
    assert notes.get("a")[0]["created_at"] == "2026-01-04T03:04:05.000000Z"
    notes.delete("a", hard=True)
    notes.lose_derived()
    assert notes.upsert([{"id": "a", "vector": X}])["versions"] == [4]


def test_superseding_ends_what_has_not_ended(notes):
    notes.upsert([{"id": name, "vector": X} for name in ("open", "ended", "gone")])
    notes.upsert([{"id": "ended", "vector": X, "valid_to": START}])
    notes.delete("gone")
    notes.clock += 10
    result = notes.upsert(
        [{"id": "new", "vector": Y, "supersedes": ["open", "ended", "gone", "unknown", "new", "open"]}],
    )
    assert result["superseded"] == [["open"]]
    assert notes.get("open")[0]["valid_to"] == "2026-01-02T03:04:05.000010Z"
    assert notes.get("ended")[0]["valid_to"] == "2026-01-02T03:04:05.000000Z"
    assert notes.get("gone")[0]["valid_to"] is None
    assert notes.get("new")[0]["supersedes"] == ["open", "ended", "gone", "unknown", "new", "open"]
    assert notes.get("open")[0]["version"] == 1


def test_superseding_within_one_batch_and_of_the_future(notes):
    result = notes.upsert(
        [
            {"id": "later", "vector": X, "valid_from": START + DAY},
            {"id": "a", "vector": X},
            {"id": "b", "vector": Y, "supersedes": ["a", "later"]},
        ],
    )
    assert result["superseded"][2] == ["a", "later"]
    notes.clock += 2 * DAY
    assert ids(notes.search(vector=X)) == ["b"]


def test_an_upsert_replaces_the_whole_record(notes):
    notes.upsert([{"id": "a", "content": "text", "metadata": {"k": "v"}, "source": "s", "payload": "aGk="}])
    notes.clock += DAY
    notes.upsert([{"id": "a", "vector": X}])
    record = notes.get("a", include_payload=True)[0]
    assert (record["content"], record["metadata"], record["source"], record["payload"]) == ("", {}, None, None)
    assert record["created_at"] == "2026-01-02T03:04:05.000000Z"
    assert record["valid_from"] == "2026-01-03T03:04:05.000000Z"


def test_created_at_is_taken_when_it_is_given(notes):
    notes.upsert([{"id": "a", "vector": X, "created_at": START - DAY}])
    assert notes.get("a")[0]["created_at"] == "2026-01-01T03:04:05.000000Z"
    notes.upsert([{"id": "a", "vector": X, "created_at": START - 2 * DAY}])
    assert notes.get("a")[0]["created_at"] == "2025-12-31T03:04:05.000000Z"


def test_a_tombstone_hides_and_an_upsert_clears_it(notes):
    notes.upsert([{"id": "a", "vector": X}])
    assert notes.delete("a", "unknown") == [True, False]
    assert notes.delete("a") == [False]
    assert ids(notes.search(vector=X)) == []
    assert ids(notes.search(vector=X, as_of=START)) == []
    assert ids(notes.search(vector=X, include_invalidated=True)) == ["a"]
    assert notes.get("a")[0]["state"] == "deleted"
    notes.upsert([{"id": "a", "vector": X}])
    assert notes.get("a")[0]["state"] == "live"


def test_states(notes):
    notes.upsert(
        [
            {"id": "live", "vector": X},
            {"id": "future", "vector": X, "valid_from": START + 1},
            {"id": "invalid", "vector": X, "valid_from": START - 5, "valid_to": START},
            {"id": "never", "vector": X, "valid_to": START},
            {"id": "deleted", "vector": X, "deleted_at": START + DAY},
        ],
    )
    states = {name: notes.get(name)[0]["state"] for name in ("live", "future", "invalid", "never", "deleted")}
    assert states == {
        "live": "live",
        "future": "future",
        "invalid": "invalid",
        "never": "invalid",
        "deleted": "deleted",
    }
    counts = notes.stats()["counts"]
    assert counts == {"records": 5, "live": 1, "future": 1, "invalid": 2, "deleted": 1}
    assert ids(notes.search(vector=X)) == ["live"]


def test_an_interval_that_ends_before_it_begins(notes):
    assert refusal(notes.upsert, [{"id": "a", "vector": X, "valid_to": START - 1}]).code == "invalid_argument"
    record = {"id": "a", "vector": X, "valid_from": START, "valid_to": START - 1}
    assert refusal(notes.upsert, [record]).code == "invalid_argument"
    assert refusal(notes.get, "a").code == "not_found"


def test_delete_with_a_version(notes):
    notes.upsert([{"id": "a", "vector": X}])
    assert refusal(notes.delete, "a", if_version=2).details["actual"] == 1
    assert refusal(notes.delete, "b", if_version=2).details["actual"] == 0
    assert refusal(notes.delete, "a", if_version=0).code == "invalid_argument"
    assert refusal(notes.delete, "a", "b", if_version=1).code == "invalid_argument"
    assert notes.delete("a", if_version=1) == [True]


def test_expire_takes_the_oldest_and_passes_over(notes):
    notes.upsert(
        [
            {"id": "c", "vector": X, "created_at": START - 3, "metadata": {"k": "v"}},
            {"id": "b", "vector": X, "created_at": START - 2, "metadata": {"k": "v"}},
            {"id": "a", "vector": X, "created_at": START - 2, "metadata": {"k": "v"}},
            {"id": "ended", "vector": X, "created_at": START - 9, "metadata": {"k": "v"}, "valid_to": START},
            {"id": "future", "vector": X, "valid_from": START + DAY, "metadata": {"k": "v"}},
            {"id": "other", "vector": X, "created_at": START - 9},
        ],
    )
    notes.delete("c")
    notes.clock += 1
    assert notes.expire("invalidate", 2, where=["k = v"], dry_run=True) == {
        "affected": 2,
        "more": True,
        "applied": False,
    }
    assert notes.expire("invalidate", 2, where=["k = v"]) == {"affected": 2, "more": True, "applied": True}
    assert [notes.get(name)[0]["state"] for name in ("a", "b", "other")] == ["invalid", "invalid", "live"]
    assert notes.expire("invalidate", 2, where=["k = v"]) == {"affected": 1, "more": False, "applied": True}
    notes.clock += 2 * DAY
    assert notes.get("future")[0]["state"] == "invalid"
    assert notes.expire("soft-delete", 10)["affected"] == 5
    assert notes.expire("hard-delete", 4) == {"affected": 4, "more": True, "applied": True}
    assert notes.expire("hard-delete", 4) == {"affected": 2, "more": False, "applied": True}
    assert notes.list(include_invalidated=True)["records"] == []
    assert refusal(notes.expire, "invalidate", 0).code == "invalid_argument"
    assert refusal(notes.expire, "invalidate", 100_001).details["cap"] == 100_000


def test_history_tells_it_newest_first(notes):
    notes.upsert([{"id": "a", "content": "one"}])
    notes.clock += 1
    notes.upsert([{"id": "b", "vector": X, "supersedes": ["a"]}])
    notes.clock += 1
    notes.upsert([{"id": "a", "content": "two"}])
    notes.expire("invalidate", 1, where=[])
    notes.delete("a")
    told = [(entry["what"], entry["version"]) for entry in notes.history("a")]
    assert told == [("deleted", 2), ("invalidated", 2), ("upsert", 2), ("superseded", 1), ("upsert", 1)]
    assert notes.history("a")[3]["by"] == "b"
    assert len({entry["written_at"] for entry in notes.history("a")}) == 5
    assert refusal(notes.history, "unknown").code == "not_found"


def test_a_clock_that_goes_back_does_not_mix_up_what_was_known(notes):
    notes.upsert([{"id": "a", "content": "one"}])
    notes.clock -= DAY
    notes.upsert([{"id": "a", "content": "two"}])
    written = [entry["written_at"] for entry in notes.history("a")]
    assert written == sorted(written, reverse=True)
    assert len(set(written)) == 2
    assert [hit["content"] for hit in notes.search("two")["hits"]] == ["two"]


def test_two_spellings_of_one_letter_are_two_ids(notes):
    notes.upsert([{"id": "caf\u00e9", "vector": X}, {"id": "cafe\u0301", "vector": Y}])
    assert len(notes.list()["records"]) == 2


def test_vectors_come_back_as_they_were_given(notes):
    notes.upsert([{"id": "a", "vector": [0.1, 1e-40, -3.4028235e38]}])
    assert notes.get("a", include_vector=True)[0]["vector"] == [0.1, 1e-40, -3.4028235e38]


@pytest.mark.parametrize(
    "vector",
    [[0, 0, 0], [1e-50, 0, 0], [1e39, 0, 0], [1, 2], [1, 2, 3, 4], ["1", 2, 3], [True, 1, 1], [None, 1, 1], "abc"],
)
def test_vectors_that_are_refused(notes, vector):
    assert refusal(notes.upsert, [{"id": "a", "vector": vector}]).code == "invalid_argument"


def test_lists_page_through_everything_once(notes):
    made = [{"id": f"{number:02d}", "vector": X, "created_at": START + number // 3} for number in range(20)]
    notes.upsert(made)
    seen, cursor = [], None
    while True:
        page = notes.list(limit=7, cursor=cursor)
        seen += [record["id"] for record in page["records"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [record["id"] for record in made]
    assert refusal(notes.list, cursor="nonsense").code == "invalid_cursor"


def test_a_long_load_in_parts(notes):
    result = notes.upsert([{"id": f"{number}", "content": f"text {number}"} for number in range(25)], batch=10)
    assert result["transactions"] == 3
    assert result["cache"] == {"hits": 0, "misses": 25}
    again = notes.upsert([{"id": f"{number}", "content": f"text {number}"} for number in range(25)], batch=10)
    assert again["cache"] == {"hits": 25, "misses": 0}
    assert again["versions"] == [2] * 25
    failure = refusal(
        notes.upsert,
        [{"id": f"{number}", "vector": X, "if_version": 2 if number < 12 else 9} for number in range(25)],
        batch=10,
    )
    assert failure.details["stored"] == 10
    assert failure.details["transactions"] == 1
