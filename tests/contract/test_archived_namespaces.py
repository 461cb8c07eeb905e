"""Namespaces in archives: their whole history comes back, and nothing that was removed for good."""

from __future__ import annotations

import uuid

import pytest

from neosian_cli.errors import Failure
from neosian_cli.services import archive
from neosian_cli.services.archive import Choice, Tally
from neosian_cli.services.semantic import namespaces, upkeep
from neosian_cli.store.root import Store
from neosian_cli.store.semantic import binding, duplicate
from tests.contract.mailroom import Counted
from tests.contract.semantic.backend import DAY, FilesBackend

SECRET = "unforgettable"
EVERYTHING = Choice()


@pytest.fixture
def source(tmp_path):
    backend = FilesBackend(tmp_path / "source", calls=Counted())
    backend.upsert([{"id": "a", "content": "first words"}, {"id": "b", "content": SECRET, "vector": [1, 2, 3]}])
    backend.clock += DAY
    backend.upsert([{"id": "c", "content": "other words", "supersedes": ["a"], "metadata": {"k": "v"}}])
    backend.upsert([{"id": f"n{number}", "vector": [number, 1, 0]} for number in range(1, 6)])
    backend.clock += DAY
    backend.delete("c")
    backend.delete("b", hard=True)
    return backend


def export(source, to, choice=EVERYTHING, **options):
    return archive.export(source.store, str(to), choice, Tally(), **options)


def take(from_, to, choice=EVERYTHING, **options):
    store = Store(str(to), now=lambda: 0, new_id=lambda: str(uuid.uuid4()), calls=Counted())
    return archive.import_archive(store, str(from_), choice, Tally(), **options)


def at(root, source):
    """The namespace at another root, at the source's time."""
    backend = FilesBackend(root, calls=Counted(), settings=source.settings)
    backend.clock = source.clock
    return backend


def everything(backend):
    listed = backend.list(include_invalidated=True)
    return (
        listed,
        {record["id"]: backend.history(record["id"]) for record in listed["records"]},
        backend.search("words", mode="sparse", include_invalidated=True)["hits"],
        backend.search(vector=[1, 1, 0])["hits"],
    )


def test_there_and_back(source, tmp_path):
    exported = export(source, tmp_path / "archive")
    assert exported["namespaces"] == [{"namespace": "notes", "versions": 7, "changes": 3}]
    assert take(tmp_path / "archive", tmp_path / "target")["namespaces"] == exported["namespaces"]
    for place in ("archive", "target"):
        assert everything(at(tmp_path / place, source)) == everything(source)
    then = [
        backend.search(vector=[1, 1, 0], known_at=source.clock - DAY)["hits"]
        for backend in (source, at(tmp_path / "target", source))
    ]
    assert then[0] == then[1] != []
    for file in (tmp_path / "target").rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes()


def test_ids_go_on_counting(source, tmp_path):
    export(source, tmp_path / "archive")
    copy = at(tmp_path / "archive", source)
    assert copy.upsert([{"id": "b", "vector": [1, 0, 0]}, {"id": "a", "vector": [1, 0, 0]}])["versions"] == [2, 2]


def test_derived_files_stay_behind(source, tmp_path):
    source.search("words", mode="sparse")
    export(source, tmp_path / "archive")
    assert not (tmp_path / "archive" / "semantic" / "notes" / "derived").exists()


def test_a_namespace_without_records(tmp_path):
    source = FilesBackend(tmp_path / "source", calls=Counted())
    assert export(source, tmp_path / "archive")["namespaces"] == [{"namespace": "notes", "versions": 0, "changes": 0}]
    take(tmp_path / "archive", tmp_path / "target")
    at(tmp_path / "target", source).upsert([{"id": "a", "content": "x"}])


def test_how_the_embedder_is_reached_comes_along(source, tmp_path):
    wish = namespaces.Wish("openai", "text-embedding-3-small", 8, None)
    given = {"api_key_env": "MY_KEY", "batch_size": "7"}
    namespaces.create(source.store, source.settings, "remote", wish, options=given)
    export(source, tmp_path / "archive")
    take(tmp_path / "archive", tmp_path / "target")
    for place in ("source", "target"):
        with at(tmp_path / place, source).store.reading() as tree:
            options = binding.read(tree, "remote").options
        assert (options["api_key_env"], options["batch_size"]) == ("MY_KEY", 7)


def test_what_was_chosen(source, tmp_path):
    assert export(source, tmp_path / "none", Choice(namespaces=("notes",)))["scopes"] == []
    with pytest.raises(Failure) as caught:
        export(source, tmp_path / "other", Choice(namespaces=("nothing",)))
    assert caught.value.code == "not_found"


@pytest.mark.parametrize(("name", "reason"), [("notes", "target_occupied"), ("Notes", "case_collision")])
def test_a_name_that_is_taken(source, tmp_path, name, reason):
    export(source, tmp_path / "archive")
    FilesBackend(tmp_path / "target", calls=Counted(), name=name)
    before = {path: path.read_bytes() for path in (tmp_path / "target").rglob("*") if path.is_file()}
    with pytest.raises(Failure) as caught:
        take(tmp_path / "archive", tmp_path / "target")
    assert (caught.value.code, caught.value.details["reason"]) == ("conflict", reason)
    assert before == {path: path.read_bytes() for path in (tmp_path / "target").rglob("*") if path.is_file()}


FILES = ["namespace.json", "log.json", "records/00000000000000000001.seg", "vectors/00000001.f32"]


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("how", ["flipped", "cut", "gone"])
@pytest.mark.parametrize("name", FILES)
def test_damage(source, tmp_path, name, how):
    export(source, tmp_path / "archive")
    file = tmp_path / "archive" / "semantic" / "notes" / name
    if how == "flipped":
        flip(file)
    elif how == "cut":
        file.write_bytes(file.read_bytes()[:-12])
    else:
        file.unlink()
    if (name, how) == ("namespace.json", "gone"):
        return
    with pytest.raises(Failure) as caught:
        take(tmp_path / "archive", tmp_path / "target")
    assert caught.value.code == "record_corrupt", caught.value.message
    assert "semantic/notes" in caught.value.details["file"]
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_namespace_can_be_left_out(source, tmp_path, name):
    flip(tmp_path / "source" / "semantic" / "notes" / name)
    with pytest.raises(Failure):
        export(source, tmp_path / "strict")
    found = export(source, tmp_path / "archive", lenient=True)
    assert [problem["namespace"] for problem in found["unreadable"]] == ["notes"]
    assert found["namespaces"] == []
    assert not (tmp_path / "archive" / "semantic").exists()
    assert list((tmp_path / "archive" / ".transactions").iterdir()) == []


def test_a_removal_in_the_middle_begins_anew(source, tmp_path, monkeypatch):
    monkeypatch.setattr(duplicate, "STEP", 2)
    source.upsert([{"id": "late", "content": SECRET}])
    removed = []

    def remove(*_):
        if not removed:
            removed.append(source.delete("late", hard=True))

    export(source, tmp_path / "archive", advance=remove)
    assert removed == [[True]]
    assert everything(at(tmp_path / "archive", source)) == everything(source)
    for file in (tmp_path / "archive").rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes()


def test_a_namespace_that_is_dropped_in_the_middle(source, tmp_path, monkeypatch):
    monkeypatch.setattr(duplicate, "STEP", 2)
    dropped = []

    def drop(*_):
        if not dropped:
            dropped.append(upkeep.drop(source.access, write=True))

    assert export(source, tmp_path / "archive", advance=drop)["namespaces"] == []
    assert dropped
    assert not (tmp_path / "archive" / "semantic").exists()


def test_what_is_stored_meanwhile_is_not_in_it(source, tmp_path, monkeypatch):
    monkeypatch.setattr(duplicate, "STEP", 2)
    before = everything(source)
    export(source, tmp_path / "archive", advance=lambda *_: source.upsert([{"content": "more words"}]))
    assert everything(at(tmp_path / "archive", source)) == before
    assert everything(source) != before


def test_several_segments_and_vector_files(tmp_path):
    source = FilesBackend(tmp_path / "source", calls=Counted())
    source.upsert([{"id": f"r{number}", "vector": [number, 1, 0]} for number in range(1, 5001)])
    export(source, tmp_path / "archive")
    take(tmp_path / "archive", tmp_path / "target")
    copy = at(tmp_path / "target", source)
    assert (
        copy.search(vector=[4999, 1, 0], exact=True)["hits"] == source.search(vector=[4999, 1, 0], exact=True)["hits"]
    )
    names = sorted(path.name for path in (tmp_path / "target" / "semantic" / "notes").rglob("0*"))
    assert names == [
        "00000000000000000001.seg", "00000000000000004097.seg", "00000001.f32", "00000002.f32",
    ]  # fmt: skip
