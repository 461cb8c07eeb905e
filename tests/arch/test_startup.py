"""Start-up is a feature: what the commonest commands load is counted, and some modules are never among it."""

import pytest

from neosian_cli.store import documents
from neosian_cli.store.root import Store
from neosian_cli.surroundings import random_uuid
from tests.arch.startup import HEAVY, modules_of
from tests.contract.semantic.backend import FilesBackend


def test_asking_for_the_version_loads_next_to_nothing():
    assert modules_of("--version") == {"__future__", "neosian_cli", "neosian_cli.__main__"}


def test_a_verb_without_a_store_loads_little():
    loaded = modules_of("version")
    assert not loaded & HEAVY
    assert not loaded & LARGE
    assert len(loaded) <= 28


def test_the_count_can_tell():
    """A run that needs Typer is seen to load it."""
    assert "typer" in modules_of("--help")
    assert "typer" in modules_of("nope", status=2)


def test_reading_changes_loads_no_heavy_module(tmp_path):
    root = ("--root", str(tmp_path / "store"), "--scope", "user:me")
    written = modules_of("memory", "write", "/memories/a", "--content", "x", *root)
    assert not written & HEAVY
    for more in ((), ("--json",), ("--jsonl",)):
        loaded = modules_of("changes", "read", "/memories", *root, *more)
        assert not loaded & HEAVY
        assert len(loaded) <= 85


@pytest.fixture
def small_store(tmp_path):
    """A root with one written document."""
    store = Store(str(tmp_path / "store"), now=lambda: 1_700_000_000_000_000, new_id=random_uuid)
    with store.writing("test") as transaction:
        scope = documents.ScopeWriter(transaction, "user:me", "cli:me")
        scope.write("notes/a", "hello", {}, None)
        scope.commit()
    return store


LARGE = {
    "typing", "dataclasses", "inspect", "re", "json", "orjson", "pathlib", "base64", "uuid", "ast", "copyreg", "enum",
    "signal", "threading", "hashlib", "_hashlib", "logging", "platform", "secrets", "random", "traceback", "argparse",
}  # fmt: skip


@pytest.fixture(scope="module")
def small_namespace(tmp_path_factory):
    """A root with a namespace of 70 records; 70 vectors of 384 numbers are more than are scored one by one."""
    root = str(tmp_path_factory.mktemp("small") / "root")
    notes = FilesBackend(root, dimensions=384)
    notes.upsert([{"id": f"r{number}", "content": f"note {number} of seventy"} for number in range(70)])
    return {"NEOSIAN_ROOT": root}


@pytest.mark.parametrize("mode", [(), ("--json",), ("--jsonl", "--ids-only"), ("--explain", "-q")], ids=repr)
@pytest.mark.parametrize("lane", ["dense", "sparse", "hybrid"])
def test_searching_records_loads_little(small_namespace, mode, lane):
    loaded = modules_of("semantic", "search", "notes", "note 7", "--mode", lane, *mode, env=small_namespace)
    assert not loaded & HEAVY
    assert not loaded & LARGE
    assert ("simsimd" in loaded) == (lane != "sparse")
    assert len(loaded) <= 130


def test_searching_for_a_vector_loads_little(small_namespace):
    vector = "[" + "0.25," * 383 + "-1e-3]"
    loaded = modules_of("semantic", "search", "notes", "--vector", vector, env=small_namespace)
    assert not loaded & HEAVY
    assert not loaded & LARGE


@pytest.mark.parametrize("verb", [("get", "notes", "r1", "r2"), ("list", "notes", "--limit", "3")], ids=lambda v: v[0])
def test_looking_at_records_loads_little(small_namespace, verb):
    loaded = modules_of("semantic", *verb, env=small_namespace)
    assert not loaded & HEAVY
    assert not loaded & (LARGE | {"simsimd", "mmap", "datetime"})
    assert len(loaded) <= 110


@pytest.mark.parametrize("mode", [(), ("--json",), ("--jsonl",)], ids=repr)
def test_reading_changes_loads_little(small_store, mode):
    env = {"NEOSIAN_ROOT": small_store.root, "NEOSIAN_SCOPE": "user:me"}
    loaded = modules_of("changes", "read", *mode, env=env)
    assert not loaded & (HEAVY | LARGE | {"datetime"})
    assert not loaded & {"neosian_cli.journal.plan", "neosian_cli.journal.journal", "neosian_cli.services.changes.walk"}
    assert len({name for name in loaded if name.startswith("neosian_cli")}) <= 62
    assert len(loaded) <= 85


DOCUMENTS = [
    (("memory", "view", "/memories/notes/a"), 87),
    (("memory", "list"), 91),
    (("memory", "versions", "/memories/notes/a"), 87),
    (("memory", "write", "/memories/notes/a", "--content", "x"), 92),
    (("memory", "write", "/memories/new", "--content", "x", "--extra", "a=b"), 92),
    (("memory", "replace", "/memories/notes/a", "--old", "hello", "--new", "x"), 93),
    (("memory", "insert", "/memories/notes/a", "--line", "0", "--text", "x"), 92),
    (("memory", "rename", "/memories/notes/a", "/memories/b"), 92),
    (("memory", "delete", "/memories/notes/a"), 92),
    (("messages", "send", "--body", "x"), 97),
    (("messages", "send", "--body", "x", "--actionable", "--due-at", "2026-01-01T00:00:00Z"), 97),
    (("messages", "list"), 93),
]


@pytest.mark.parametrize("json", [False, True], ids=["", "--json"])
@pytest.mark.parametrize(
    ("words", "most"), DOCUMENTS, ids=lambda value: " ".join(value) if type(value) is tuple else ""
)
def test_documents_and_messages_load_little(small_store, words, most, json):
    """Writes too: the lock, the JSON and the digests of one document need no library."""
    env = {"NEOSIAN_ROOT": small_store.root, "NEOSIAN_SCOPE": "user:me"}
    loaded = modules_of(*words, *(["--json"] if json else []), env=env)
    assert not loaded & (HEAVY | LARGE | {"datetime"})
    assert len(loaded) <= most


RECORDS = [
    ("upsert", "--id", "r1", "--vector", "[" + "0.25," * 383 + "-1e-3]", "--metadata", "a=b", "--payload", "x"),
    ("upsert", "--id", "new", "--content", "note 7", "--vector", "[" + "1," * 383 + "1]", "--if-version", "0"),
    ("delete", "r1"),
    ("expire", "--filter", "a=b", "--action", "invalidate", "--max-rows", "5"),
]


@pytest.mark.parametrize("words", RECORDS, ids=lambda words: words[0])
def test_changing_records_loads_little(small_namespace, words):
    """No embedder where a vector is given, and none of the vectors that are there."""
    loaded = modules_of("semantic", words[0], "notes", *words[1:], env=small_namespace)
    assert not loaded & HEAVY
    assert not loaded & (LARGE | {"simsimd", "mmap", "datetime"})
    assert len(loaded) <= 113
