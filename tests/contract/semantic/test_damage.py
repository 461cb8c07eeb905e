"""Damaged files: a finding or the right answer, never a wrong one and never a traceback."""

import shutil

import pytest

from neosian_cli.errors import Failure
from tests.contract.semantic.backend import FilesBackend

COUNT = 12


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    place = tmp_path_factory.mktemp("damage")
    notes = FilesBackend(place / "root")
    notes.upsert([{"id": f"r{n}", "content": f"word{n} apple", "metadata": {"n": str(n)}} for n in range(COUNT)])
    notes.upsert([{"id": "r1", "content": "word1 pie", "supersedes": ["r2"]}])
    notes.search("apple")
    return place / "root"


@pytest.fixture
def notes(template, tmp_path):
    shutil.copytree(template, tmp_path / "root")
    return FilesBackend(tmp_path / "root")


def answers(notes):
    listed = notes.list(include_invalidated=True)
    sparse = notes.search("apple pie", mode="sparse")
    dense = notes.search("word3 apple", top_k=20)
    return listed, sparse["hits"], dense["hits"], notes.history("r2")


def files(notes, part):
    return sorted(path for path in (notes_path(notes) / part).rglob("*") if path.is_file())


def notes_path(notes):
    from pathlib import Path

    return Path(notes.root) / "semantic" / "notes"


def emptied(data):
    return b""


def halved(data):
    return data[: len(data) // 2]


def flipped(data):
    return bytes(byte ^ 0x10 if index % 97 == 40 else byte for index, byte in enumerate(data))


def garbage(data):
    return b"garbage " * (len(data) // 8 + 1)


def absent(data):
    return None


@pytest.mark.parametrize("harm", [emptied, halved, flipped, garbage, absent])
def test_harm_to_derived_files_changes_no_answer(notes, harm):
    expected = answers(notes)
    for path in files(notes, "derived"):
        spoilt = harm(path.read_bytes())
        path.unlink()
        if spoilt is not None:
            path.write_bytes(spoilt)
            path.chmod(0o600)
    assert answers(notes) == expected


def test_a_newer_catalogue_is_built_anew(notes):
    import sqlite3

    expected = answers(notes)
    path = next(path for path in files(notes, "derived") if path.name.startswith("catalogue-"))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = 99 WHERE name = 'format'")
    connection.close()
    assert answers(notes) == expected
    assert any("anew" in note for note in notes.store.notes)


def test_a_catalogue_of_another_history_is_built_anew(notes, template, tmp_path):
    other = FilesBackend(tmp_path / "other")
    other.upsert([{"id": "foreign", "content": "foreign"} for _ in range(COUNT + 3)])
    shutil.rmtree(notes_path(notes) / "derived")
    shutil.copytree(notes_path(other) / "derived", notes_path(notes) / "derived")
    assert "foreign" not in str(answers(notes))


def test_a_restored_log_leaves_the_catalogue_ahead(notes, template):
    notes.upsert([{"id": "later", "content": "later"}])
    for part in ("records", "vectors"):
        shutil.rmtree(notes_path(notes) / part)
        shutil.copytree(template / "semantic" / "notes" / part, notes_path(notes) / part)
    shutil.copy(template / "semantic" / "notes" / "log.json", notes_path(notes) / "log.json")
    assert "later" not in str(answers(notes))
    assert notes.upsert([{"id": "later", "content": "later"}])["versions"] == [1]


def break_line(notes, number):
    path = files(notes, "records")[0]
    lines = path.read_bytes().split(b"\n")
    lines[number] = lines[number][:-30] + b"#" + lines[number][-29:]
    path.write_bytes(b"\n".join(lines))
    path.chmod(0o600)


@pytest.mark.parametrize("derived", ["kept", "lost"])
def test_one_damaged_line_hides_no_other(notes, derived):
    break_line(notes, 5)
    if derived == "lost":
        notes.lose_derived()
    for result in (
        notes.list(include_invalidated=True),
        notes.search("word3 apple", top_k=20, include_invalidated=True),
    ):
        found = result.get("records") or result.get("hits")
        assert {record["id"] for record in found} == {f"r{n}" for n in range(COUNT)} - {"r5"}
        assert [finding["id"] for finding in result["unreadable"]] == ["r5"]
        assert result["unreadable"][0]["code"] == "record_corrupt"
    with pytest.raises(Failure) as caught:
        notes.get("r5")
    assert caught.value.code == "record_corrupt"
    assert notes.get("r6")[0]["id"] == "r6"


def test_a_damaged_record_is_not_written_over(notes):
    break_line(notes, 5)
    notes.lose_derived()
    with pytest.raises(Failure) as caught:
        notes.upsert([{"id": "r5", "content": "again"}])
    assert caught.value.code == "record_corrupt"
    assert notes.upsert([{"id": "r6", "content": "again"}])["versions"] == [2]
    notes.delete("r7", hard=True)
    assert [finding["id"] for finding in notes.list()["unreadable"]] == ["r5"]
    assert len(notes.list(include_invalidated=True)["records"]) == COUNT - 2


def test_a_newer_line_is_named_as_such(notes, monkeypatch):
    from neosian_cli.store.semantic import entries

    monkeypatch.setattr(entries, "FORMAT", 2)
    notes.upsert([{"id": "newer", "content": "newer"}])
    monkeypatch.undo()
    notes.lose_derived()
    result = notes.list(include_invalidated=True)
    assert [finding["code"] for finding in result["unreadable"]] == ["format_unsupported"]
    assert len(result["records"]) == COUNT


@pytest.mark.parametrize("harm", [emptied, halved, flipped, absent])
def test_harm_to_vectors_is_named(notes, harm):
    path = files(notes, "vectors")[0]
    spoilt = harm(path.read_bytes())
    path.unlink()
    if spoilt is not None:
        path.write_bytes(spoilt)
        path.chmod(0o600)
    result = notes.search("word3 apple", top_k=20, include_invalidated=True)
    assert result["unreadable"]
    found = {hit["id"] for hit in result["hits"]}
    assert found | {finding["id"] for finding in result["unreadable"]} == {f"r{n}" for n in range(COUNT)}
    assert len(notes.search("apple", mode="sparse", top_k=20, include_invalidated=True)["hits"]) == COUNT - 1


@pytest.mark.parametrize("name", ["namespace.json", "log.json"])
@pytest.mark.parametrize("harm", [emptied, halved, flipped, garbage, absent])
def test_harm_to_the_head_or_the_binding_is_an_error_of_this_namespace(notes, name, harm):
    path = notes_path(notes) / name
    spoilt = harm(path.read_bytes())
    path.unlink()
    if spoilt is not None:
        path.write_bytes(spoilt)
        path.chmod(0o600)
    for act in (notes.list, lambda: notes.search("apple"), lambda: notes.upsert([{"id": "x", "content": "x"}])):
        with pytest.raises(Failure) as caught:
            act()
        assert caught.value.code in ("record_corrupt", "not_found")


@pytest.mark.parametrize("part", ["records", "vectors", "derived"])
def test_links_and_fifos_are_not_read(notes, part, tmp_path):
    import os

    for path in files(notes, part):
        path.rename(tmp_path / path.name)
        path.symlink_to(tmp_path / path.name)
    result = notes.search("apple", top_k=20)
    assert (not result["unreadable"]) == (part == "derived")
    for path in files(notes, part):
        path.unlink()
        os.mkfifo(path)
    result = notes.search("apple", top_k=20)
    assert (not result["unreadable"]) == (part == "derived")


@pytest.mark.parametrize("seed", range(40))
def test_a_flipped_bit_in_the_catalogue_raises_nothing(notes, seed):
    """It may hide a record until `reindex`; what is answered is right all the same."""
    import random

    chance = random.Random(seed)
    expected = {record["id"]: record for record in notes.list(include_invalidated=True)["records"]}
    path = next(path for path in files(notes, "derived") if path.name.startswith("catalogue-"))
    data = bytearray(path.read_bytes())
    for _ in range(4):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    for act in (
        lambda: notes.search("apple pie", mode="sparse", include_invalidated=True)["hits"],
        lambda: notes.search("apple", top_k=20, include_invalidated=True)["hits"],
        lambda: notes.list(include_invalidated=True)["records"],
    ):
        for record in act():
            assert record["content"] == expected[record["id"]]["content"]
    notes.expire("soft-delete", 3)
    notes.stats()
    notes.lose_derived()
    assert len(notes.list(include_invalidated=True)["records"]) == COUNT
