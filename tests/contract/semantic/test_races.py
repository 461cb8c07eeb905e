"""What happens between the short holds of the lock: nothing that was erased comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from neosian_cli.services.semantic import search as searches
from neosian_cli.store.semantic import search as lanes
from tests.contract.semantic.backend import FilesBackend

SECRET = "unforgettable words"


@pytest.fixture
def notes(tmp_path):
    notes = FilesBackend(tmp_path / "root")
    notes.upsert([{"id": "a", "content": SECRET}, {"id": "b", "content": "other words"}])
    return notes


def everything(notes):
    return b"".join(path.read_bytes() for path in Path(notes.root).rglob("*") if path.is_file())


def between(monkeypatch, module, name, act):
    """Let something happen once, just before a function runs."""
    real = getattr(module, name)
    left = [act]

    def interrupted(*arguments, **options):
        if left:
            left.pop()()
        return real(*arguments, **options)

    monkeypatch.setattr(module, name, interrupted)


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid"])
def test_a_hard_delete_while_a_search_runs(notes, monkeypatch, mode):
    between(monkeypatch, lanes, "search", lambda: notes.delete("a", hard=True))
    monkeypatch.setattr(searches.searching, "search", lanes.search)
    result = notes.search("words", mode=mode)
    assert [hit["id"] for hit in result["hits"]] == ["b"]
    assert SECRET.encode() not in everything(notes)


def test_an_upsert_while_a_search_runs_changes_no_answer(notes, monkeypatch):
    before = notes.search("words", top_k=5)["hits"]
    between(monkeypatch, lanes, "search", lambda: notes.upsert([{"id": "c", "content": "words"}]))
    assert notes.search("words", top_k=5)["hits"] == before
    assert len(notes.search("words", top_k=5)["hits"]) == 3


def test_what_was_embedded_before_an_erasure_is_not_kept_after_it(notes, monkeypatch):
    from neosian_cli.embedders import fake

    seen = []
    real = fake.FakeEmbedder.embed

    def slow(self, texts):
        if not seen:
            seen.append(texts)
            notes.delete("a", hard=True)
        return real(self, texts)

    notes.search("something")
    vector = real(fake.FakeEmbedder(3), [SECRET + "!"])[0]
    monkeypatch.setattr(fake.FakeEmbedder, "embed", slow)
    notes.search(SECRET + "!")
    assert seen
    assert vector not in everything(notes)


def test_an_erasure_takes_the_vector_from_the_cache(notes):
    from neosian_cli.embedders.fake import FakeEmbedder

    vector = FakeEmbedder(3).embed([SECRET])[0]
    notes.search(SECRET)
    assert vector in everything(notes)
    notes.delete("a", hard=True)
    assert vector not in everything(notes)
    assert notes.search("other words")["cache"] == {"hits": 1, "misses": 0}


def test_a_load_that_breaks_off_goes_on_from_the_cache(notes, monkeypatch):
    from neosian_cli.config.namespace import Embedder, Namespace
    from neosian_cli.embedders import fake
    from tests.contract.semantic.backend import PlainSettings

    small = Namespace("notes", Embedder("fake", dimensions=3, cache_size=5))
    notes.settings = PlainSettings(namespaces=(small,))
    real = fake.FakeEmbedder.embed
    asked = []

    def counted(self, texts):
        asked.extend(texts)
        if len(asked) > 150:
            raise KeyboardInterrupt
        return real(self, texts)

    monkeypatch.setattr(fake.FakeEmbedder, "embed", counted)
    load = [{"id": f"r{number}", "content": f"text {number}"} for number in range(300)]
    with pytest.raises(KeyboardInterrupt):
        notes.upsert(load)
    monkeypatch.setattr(fake.FakeEmbedder, "embed", real)
    assert len(notes.list()["records"]) == 2
    kept = (len(asked) - 1) // fake.AT_ONCE * fake.AT_ONCE
    assert notes.upsert(load)["cache"] == {"hits": kept, "misses": 300 - kept}
    assert notes.stats()["cache"] == {"entries": 5, "size": 5}


def test_no_cache(notes):
    from neosian_cli.config.namespace import Embedder, Namespace
    from tests.contract.semantic.backend import PlainSettings

    notes.lose_derived()
    notes.settings = PlainSettings(namespaces=(Namespace("notes", Embedder("fake", dimensions=3, cache_size=-1)),))
    for _ in range(2):
        assert notes.search("words")["cache"] == {"hits": 0, "misses": 1}
    assert notes.stats()["cache"]["entries"] == 0


def test_an_embedder_is_asked_for_as_many_as_it_takes_and_each_call_is_told_of(notes, monkeypatch):
    """Between two calls a signal is heard and progress is shown; what came before is kept."""
    from neosian_cli.embedders import fake
    from neosian_cli.model.record import draft_of
    from neosian_cli.services.semantic import upsert

    monkeypatch.setattr(fake, "AT_ONCE", 3)
    real, asked, told = fake.FakeEmbedder.embed, [], []

    def counted(self, texts):
        asked.append(len(texts))
        return real(self, texts)

    monkeypatch.setattr(fake.FakeEmbedder, "embed", counted)
    drafts = [draft_of({"content": f"words {at}"}, 3, f"record {at}") for at in range(7)]
    upsert.upsert(notes.access, drafts, embedded=lambda count=1, total=None: told.append((count, total, len(asked))))
    assert asked == [3, 3, 1]
    assert told == [(0, 7, 0), (3, None, 1), (3, None, 2), (1, None, 3)]
