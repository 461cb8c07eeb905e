"""The vector index: what it finds, what it may not answer, and what becomes of a broken one."""

import json
import os
import zlib
from pathlib import Path

import numpy as np
import pytest

from neosian_cli.config.namespace import Embedder, Namespace
from neosian_cli.disk.tree import Tree
from neosian_cli.errors import Failure
from neosian_cli.model.query import Planner
from neosian_cli.services.semantic import access, indexing, upkeep
from neosian_cli.store.seal import seal
from neosian_cli.store.semantic import blas, construction, estimates, index, simd
from tests.contract.semantic.backend import FilesBackend

DIMENSIONS = 16
COUNT = 2500


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    notes = FilesBackend(tmp_path_factory.mktemp("index") / "root", dimensions=DIMENSIONS)
    generator = np.random.default_rng(3)
    centres = generator.normal(size=(60, DIMENSIONS))
    vectors = (centres[generator.integers(0, 60, COUNT)] + 0.3 * generator.normal(size=(COUNT, DIMENSIONS))).astype(
        "f4"
    )
    vectors[100:400] = vectors[100]
    notes.upsert([{"id": f"r{n}", "vector": v.tolist(), "metadata": {"n": str(n)}} for n, v in enumerate(vectors)])
    notes.delete(*[f"r{n}" for n in range(50)])
    made = upkeep.reindex(notes.access, with_graph=True)["index"]
    assert made["rows"] == COUNT
    assert made["vectors"] == COUNT - 50 - 299
    notes.upsert(
        [{"id": f"r{n}", "vector": vectors[n + 1].tolist(), "metadata": {"n": str(n)}} for n in range(600, 620)]
    )
    notes.upsert([{"id": f"new{n}", "vector": vectors[n].tolist(), "metadata": {"n": str(n)}} for n in range(700, 710)])
    return notes, vectors


@pytest.fixture(autouse=True, params=["simd", "blas"])
def eager(monkeypatch, request):
    monkeypatch.setattr(access, "PLANNER", Planner(fetch_up_to=0, index_from=0))
    monkeypatch.setattr(simd.SimdEstimates, "few", -1)
    monkeypatch.setattr(blas.BlasEstimates, "few", -1)
    monkeypatch.setattr(estimates, "SIMD_UP_TO", 1 << 62 if request.param == "simd" else -1)


def both(notes, **given):
    options = {"ids_only": True, "explain": True}
    with_index = notes.search(options=options, **given)
    exact = notes.search(options=options, exact=True, **given)
    assert exact["exact"] is True
    return with_index, exact


@pytest.mark.parametrize("top_k", [1, 10, 200])
@pytest.mark.parametrize("least", [None, 1250, 2250, 2475])
def test_recall(loaded, top_k, least):
    notes, vectors = loaded
    where = [] if least is None else [f"n >= {least}"]
    found = wanted = 0
    for number in range(0, COUNT, 125):
        near, exact = both(notes, vector=(vectors[number] * 3).tolist(), top_k=top_k, where=where)
        assert (
            len(near["hits"]) == len(exact["hits"]) == min(top_k, COUNT - 50 + 10 if least is None else COUNT - least)
        )
        found += len({hit["id"] for hit in near["hits"]} & {hit["id"] for hit in exact["hits"]})
        wanted += len(exact["hits"])
    assert found >= 0.99 * wanted


def test_it_is_told_and_scores_are_the_same(loaded):
    notes, vectors = loaded
    near, exact = both(notes, vector=vectors[900].tolist())
    assert (near["exact"], near["explain"]["dense"]["lane"]) == (False, "index")
    assert near["hits"] == exact["hits"]


def test_equal_vectors_are_all_found(loaded):
    notes, vectors = loaded
    near, exact = both(notes, vector=vectors[100].tolist(), top_k=300)
    assert near["hits"] == exact["hits"]
    assert {hit["score"] for hit in near["hits"]} == {1.0}


def test_what_is_newer_than_the_index_is_found(loaded):
    notes, vectors = loaded
    near, _ = both(notes, vector=vectors[705].tolist(), top_k=2)
    assert [hit["id"] for hit in near["hits"]] == ["new705", "r705"]
    near, _ = both(notes, vector=vectors[611].tolist(), top_k=2)
    assert [hit["id"] for hit in near["hits"]] == ["r610"] or near["hits"][0]["id"] in ("r610", "r611")


@pytest.mark.parametrize("given", [{"include_invalidated": True}, {"known_at": 1}])
def test_what_it_does_not_hold_is_scanned_for(loaded, given):
    notes, vectors = loaded
    assert notes.search(vector=vectors[0].tolist(), **given)["exact"] is True


def graph_file(notes):
    return next((Path(notes.root) / "semantic" / "notes" / "derived").glob("index-*.hnsw"))


@pytest.mark.parametrize("harm", ["flip", "cut", "grow", "lose", "manifest"])
def test_a_broken_index_is_no_index(loaded, harm):
    notes, vectors = loaded
    path = graph_file(notes) if harm != "manifest" else graph_file(notes).parent / "index.json"
    data = path.read_bytes()
    try:
        if harm in ("flip", "manifest"):
            path.write_bytes(data[:50] + bytes([data[50] ^ 1]) + data[51:])
        elif harm == "cut":
            path.write_bytes(data[:-1])
        elif harm == "grow":
            path.write_bytes(data + b"\0")
        else:
            path.unlink()
        near, exact = both(notes, vector=vectors[900].tolist())
        assert near["exact"] is True
        assert near["hits"] == exact["hits"]
    finally:
        path.write_bytes(data)
        os.chmod(path, 0o600)
    assert both(notes, vector=vectors[900].tolist())[0]["exact"] is False


def test_an_erasure_takes_the_index_with_it(tmp_path):
    notes = FilesBackend(tmp_path / "root", dimensions=2)
    notes.upsert([{"id": f"r{n}", "vector": [1, n]} for n in range(300)])
    upkeep.reindex(notes.access, with_graph=True)
    assert notes.stats()["index"]["state"] == "current"
    notes.delete("r7", hard=True)
    assert notes.stats()["index"]["state"] == "none"
    found = [hit["id"] for hit in notes.search(vector=[1, 7], top_k=400)["hits"]]
    assert len(found) == 299
    assert "r7" not in found


def test_the_configuration_says_where_the_index_begins(loaded, monkeypatch):
    notes, vectors = loaded
    query = {"vector": vectors[2000].tolist(), "options": {"ids_only": True, "explain": True}}
    assert notes.search(**query)["explain"]["dense"]["lane"] == "index"
    monkeypatch.setattr(access, "PLANNER", Planner(fetch_up_to=0, index_from=10**9))
    assert notes.search(**query)["explain"]["dense"]["lane"] == "scan"
    embedder = Embedder("fake", dimensions=DIMENSIONS)
    configured = Namespace(
        "notes", embedder, planner=Planner(fetch_up_to=0, index_from=DIMENSIONS * COUNT, index_ef=900)
    )
    monkeypatch.setattr(notes.settings, "namespaces", (configured,))
    assert notes.search(**query)["explain"]["dense"]["lane"] == "index"


def filled(path, count, dimensions=4):
    notes = FilesBackend(path, dimensions=dimensions)
    add(notes, 0, count)
    return notes


def add(notes, start, count):
    generator = np.random.default_rng(start + 1)
    vectors = generator.normal(size=(count, notes.dimensions)).astype("f4").tolist()
    notes.upsert([{"id": f"r{start + n}", "vector": vector} for n, vector in enumerate(vectors)])


def built(notes):
    """A graph over what there is now, as a process holds it that has not published it yet."""
    with notes.store.reading() as tree:
        view = notes.access.view(tree, notes.access.find(tree)[0], with_vectors=True)
    try:
        return construction.build(view, 400, lambda *_: None)
    finally:
        view.close()


def placed(notes, graph):
    with notes.store.reading() as tree:
        manifest = index.place(notes.root, tree, notes.name, graph, notes.store.new_id())
    graph.close()
    return manifest


def publish(notes, manifest):
    with notes.store.held():
        tree = Tree.open(notes.root)
        try:
            return index.publish(tree, notes.name, manifest, notes.store.new_id())
        finally:
            tree.close()


def index_files(notes):
    return sorted(path.name for path in (Path(notes.root) / "semantic" / "notes" / "derived").glob("index*"))


def test_of_two_that_build_at_once_the_one_of_more_rows_stays(tmp_path):
    notes = filled(tmp_path / "root", 300)
    slower = built(notes)
    add(notes, 300, 10)
    quicker = built(notes)
    first, second = placed(notes, slower), placed(notes, quicker)
    assert publish(notes, second) == second
    assert publish(notes, first) is None
    assert index_files(notes) == sorted([second.file, "index.json"])
    assert notes.stats()["index"]["rows"] == 310
    # The quicker one has thrown away what it took for a leftover, or may come second itself.
    notes.lose_derived()
    first, second = placed(notes, built(notes)), placed(notes, built(notes))
    assert publish(notes, first) == first
    assert index_files(notes) == sorted([first.file, "index.json"])
    assert publish(notes, second) is None
    assert notes.stats()["index"]["state"] == "current"


@pytest.mark.parametrize("when", ["before it is placed", "before it is named"])
def test_history_that_is_rewritten_meanwhile_wins(tmp_path, monkeypatch, when):
    notes = filled(tmp_path / "root", 300)
    module, name = (construction, "build") if when == "before it is placed" else (index, "place")
    real = getattr(module, name)

    def overtaken(*given):
        found = real(*given)
        monkeypatch.setattr(module, name, real)
        rewriting.append(notes.access.name)
        return found

    rewriting = []
    monkeypatch.setattr(module, name, overtaken)
    if when == "before it is named":
        held = notes.store.held

        def erased_first():
            if rewriting:
                rewriting.clear()
                assert notes.delete("r7", hard=True) == [True]
            return held()

        monkeypatch.setattr(notes.store, "held", erased_first)
    else:
        reading = notes.store.reading

        def erased_before():
            if rewriting:
                rewriting.clear()
                assert notes.delete("r7", hard=True) == [True]
            return reading()

        monkeypatch.setattr(notes.store, "reading", erased_before)
    result = indexing.renew(notes.access, lambda *_: None)
    assert result["state"] == "none"
    assert index_files(notes) == []
    assert notes.stats()["index"]["state"] == "none"
    assert indexing.renew(notes.access, lambda *_: None)["state"] == "current"


def test_a_lock_that_is_not_to_be_had_costs_the_index_alone(tmp_path, monkeypatch):
    notes = filled(tmp_path / "root", 300)

    def locked():
        raise Failure("locked", "process 7 holds the store")

    monkeypatch.setattr(notes.store, "held", locked)
    assert indexing.renew(notes.access, lambda *_: None) == {"state": "none", "reason": "process 7 holds the store"}
    assert notes.stats()["index"] == {"state": "none", "stale": True, "vectors": 0, "rows": 0, "tail": 0, "dead": 0}
    monkeypatch.undo()
    assert upkeep.reindex(notes.access, with_graph=True)["index"]["state"] == "current"
    assert len(index_files(notes)) == 2


def test_a_graph_that_misses_too_much_is_not_used(tmp_path, monkeypatch):
    narrow = Planner(fetch_up_to=0, index_from=0, index_ef=10, index_tail=50)
    monkeypatch.setattr(access, "PLANNER", narrow)
    notes = filled(tmp_path / "root", 1500, dimensions=64)
    made = indexing.renew(notes.access, lambda *_: None)
    assert (made["state"], made["bytes"]) == ("unfit", 0)
    assert index_files(notes) == ["index.json"]
    told = {"state": "unfit", "stale": False, "vectors": 1500, "rows": 1500, "tail": 0, "dead": 0}
    assert notes.stats()["index"] == told
    near, exact = both(notes, vector=[1.0] * 64)
    assert near["hits"] == exact["hits"]
    assert (near["exact"], near["explain"]["index"]) == (True, told)
    # The verdict stands until there is more to look at, or a wider look is allowed.
    assert indexing.renew(notes.access, lambda *_: None) is None
    add(notes, 1500, 170)
    assert notes.stats()["index"]["stale"] is True
    assert indexing.renew(notes.access, lambda *_: None)["state"] == "unfit"
    monkeypatch.setattr(access, "PLANNER", narrow.__class__(fetch_up_to=0, index_from=0, index_ef=1600))
    assert notes.stats()["index"]["stale"] is True
    assert indexing.renew(notes.access, lambda *_: None)["state"] == "current"
    assert both(notes, vector=[1.0] * 64)[0]["exact"] is False


def test_few_vectors_and_damaged_ones(tmp_path):
    notes = filled(tmp_path / "root", 3)
    assert indexing.renew(notes.access, lambda *_: None)["state"] == "unfit"
    assert len(notes.search(vector=[1, 2, 3, 4])["hits"]) == 3
    add(notes, 3, 300)
    path = Path(notes.root) / "semantic" / "notes" / "vectors" / "00000001.f32"
    data = bytearray(path.read_bytes())
    data[5 * 16 : 6 * 16] = np.full(4, np.nan, "f4").tobytes()
    path.write_bytes(bytes(data))
    made = upkeep.reindex(notes.access, with_graph=True)["index"]
    assert (made["state"], made["rows"], made["vectors"]) == ("current", 303, 302)
    near, _ = both(notes, vector=[1, 2, 3, 4])
    assert (near["exact"], len(near["hits"])) == (False, 10)


def test_how_far_it_has_come_is_told(tmp_path):
    notes = filled(tmp_path / "root", 2500)
    told = []
    indexing.renew(notes.access, lambda count, total: told.append((count, total)))
    assert sum(count for count, _ in told) == 2500
    assert {total for _, total in told} == {2500}
    assert len(told) > 2


def forged(notes, **changes):
    """The manifest with other values and a right checksum."""
    path = Path(notes.root) / "semantic" / "notes" / "derived" / "index.json"
    value = {key: item for key, item in json.loads(path.read_bytes()).items() if key != "crc32"}
    manifest = {**value, "crc32": changes.pop("crc32"), **changes}
    path.write_bytes(seal(manifest))


@pytest.mark.parametrize(
    "changes",
    [
        {"reaches": [[10]]}, {"reaches": [10]}, {"reaches": {}}, {"reaches": [[10, 5]]}, {"reaches": [["10", 50]]},
        {"reaches": [[10, 1 << 40]]}, {"reaches": [[0, 50]]}, {"twins": {"1": 7}}, {"twins": {"1": ["x"]}},
        {"twins": []}, {"vectors": "300"}, {"vectors": 299}, {"vectors": 1 << 40}, {"rows": 1 << 40},
        {"size": -1}, {"file": "../index.json"}, {"file": 7}, {"dimensions": 5}, {"ef": None},
    ],
    ids=str,
)  # fmt: skip
def test_a_forged_manifest_is_none(tmp_path, changes):
    notes = filled(tmp_path / "root", 300)
    upkeep.reindex(notes.access, with_graph=True)
    assert both(notes, vector=[1, 2, 3, 4])[0]["exact"] is False
    crc32 = zlib.crc32(graph_file(notes).read_bytes())
    forged(notes, crc32=crc32)
    assert both(notes, vector=[1, 2, 3, 4])[0]["exact"] is False
    forged(notes, crc32=crc32, **changes)
    near, exact = both(notes, vector=[1, 2, 3, 4])
    assert near["exact"] is True
    assert near["hits"] == exact["hits"]


def test_a_forged_graph_is_none(tmp_path):
    notes = filled(tmp_path / "root", 300)
    upkeep.reindex(notes.access, with_graph=True)
    data = bytearray(graph_file(notes).read_bytes())
    data[96 + 4 : 96 + 8] = b"\xff\xff\xff\x7f"
    graph_file(notes).write_bytes(bytes(data))
    forged(notes, crc32=zlib.crc32(bytes(data)))
    near, exact = both(notes, vector=[1, 2, 3, 4])
    assert near["exact"] is True
    assert near["hits"] == exact["hits"]
