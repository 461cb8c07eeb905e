"""Semantic records through the command: its results, its exit statuses, a configuration, two processes at once."""

from __future__ import annotations

import json
import os
import stat
import subprocess

import pytest

from tests.cli.process import NEOSIAN, start
from tests.cli.workspace import Workspace
from tests.contract.embedder_server import KEY, Behaviour, serving


@pytest.fixture
def place(tmp_path):
    return Workspace(tmp_path)


def ask(place, *words, **more):
    """The result of a semantic verb that succeeds."""
    done = place.run("semantic", *words, "--json", **more)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    return json.loads(done.stdout)


def fail(place, *words, **more):
    """Exit status and error of one that fails."""
    done = place.run("semantic", *words, "--json", **more)
    assert done.stdout == b""
    error = json.loads(done.stderr)["error"]
    assert error["exit_status"] == done.returncode
    return done.returncode, error


@pytest.fixture
def notes(place):
    ask(place, "create", "notes", "--provider", "fake", "--dimensions", "8", "--text-search", "english")
    ask(place, "upsert", "notes", "--id", "a", "--content", "apple pie recipe", "--metadata", "topic=food")
    ask(place, "upsert", "notes", "--id", "b", "--content", "how to debug a Go panic", "--metadata", "topic=code")
    return place


def test_find_revise_expire(notes):
    assert [hit["id"] for hit in ask(notes, "search", "notes", "apple", "--top-k", "2")["hits"]] == ["a", "b"]
    result = ask(notes, "upsert", "notes", "--id", "c", "--content", "how to debug a Go race", "--supersedes", "b")
    assert result == {
        "namespace": "notes",
        "ids": ["c"],
        "versions": [1],
        "superseded": [["b"]],
        "cache": {"hits": 0, "misses": 1},
    }
    assert [hit["id"] for hit in ask(notes, "search", "notes", "debugging", "--mode", "sparse")["hits"]] == ["c"]
    expire = ("expire", "notes", "--filter", "topic=food", "--action", "EXPIRE_ACTION_SOFT_DELETE", "--max-rows", "100")
    assert ask(notes, *expire) == {"affected": 1, "more": False, "applied": True}
    found = ask(notes, "search", "notes", "apple", "--include-invalidated", "--mode", "SEARCH_MODE_HYBRID")["hits"]
    assert found[0]["id"] == "a"
    assert ask(notes, "delete", "notes", "c", "--hard") == {"existed": [True]}


def test_keys_of_the_results(notes):
    hit = ask(notes, "search", "notes", "apple", "--include-payload", "--include-vector")["hits"][0]
    assert list(hit) == [
        "id", "score", "content", "metadata", "created_at", "valid_from", "valid_to", "deleted_at", "supersedes",
        "source", "version", "payload", "vector",
    ]  # fmt: skip
    result = ask(notes, "search", "notes", "apple", "--ids-only", "--include-vector")
    assert list(result) == ["namespace", "mode", "hits", "exact", "cache", "unreadable"]
    assert list(result["hits"][0]) == ["id", "score"]
    assert result["cache"] == {"hits": 1, "misses": 0}
    assert ask(notes, "history", "notes", "a")["entries"][0]["what"] == "upsert"
    assert ask(notes, "get", "notes", "b", "a")["records"][0]["id"] == "b"
    assert ask(notes, "namespaces")["namespaces"][0]["records"] == 2
    assert ask(notes, "stats", "notes")["counts"]["live"] == 2


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("search", "nowhere", "x"), 5),
        (("search", "notes"), 2),
        (("search", "notes", "x", "--vector", "[1,0,0,0,0,0,0,0]"), 2),
        (("search", "notes", "--vector", "[1,0]"), 2),
        (("search", "notes", "x", "--top-k", "1001"), 2),
        (("search", "notes", "x", "--where", "n > many"), 2),
        (("search", "notes", "x", "--as-of", "2026-01-02T03:04:05"), 2),
        (("search", "notes", "x", "--mode", "best"), 2),
        (("get", "notes", "a", "zzz"), 5),
        (("upsert", "notes", "--id", "a"), 2),
        (("upsert", "notes", "--id", "a", "--content", "x", "--if-version", "7"), 4),
        (("upsert", "notes", "--id", "new", "--content", "x", "--if-version", "1"), 4),
        (("upsert", "notes", "--records", "-", "--id", "a"), 2),
        (("upsert", "notes", "--content", "x", "--batch", "3"), 2),
        (("expire", "notes", "--action", "vanish", "--max-rows", "1"), 2),
        (("expire", "notes", "--action", "invalidate", "--max-rows", "0"), 2),
        (("expire", "notes", "--action", "invalidate"), 2),
        (("delete", "notes", "a", "--if-version", "0"), 2),
        (("create", "notes", "--provider", "fake", "--dimensions", "9"), 4),
        (("create", "Notes"), 4),
        (("create", "no.tes"), 2),
        (("create", "other", "--text-search", "klingon"), 2),
        (("create", "other", "--provider", "ollama", "--model", "unheard-of"), 2),
        (("create", "other", "--option", "colour=red"), 2),
        (("drop", "nowhere"), 5),
    ],
)
def test_exit_statuses(notes, words, status):
    assert fail(notes, *words)[0] == status


def test_what_is_refused_makes_nothing(place):
    assert fail(place, "search", "notes", "x")[1]["hint"] == "neosian semantic create notes"
    assert fail(place, "upsert", "notes", "--content", "x")[0] == 5
    assert ask(place, "namespaces") == {"namespaces": [], "unreadable": []}
    assert not place.root.exists()


def test_create_again_is_no_change(notes):
    again = ask(notes, "create", "notes", "--provider", "fake", "--dimensions", "8", "--text-search", "english")
    assert again["created"] is False
    assert ask(notes, "create", "notes")["dimensions"] == 8


def test_a_list_can_be_read_back(notes):
    listed = notes.run("semantic", "list", "notes", "--jsonl").stdout
    assert [json.loads(line)["type"] for line in listed.splitlines()] == ["record", "record", "page"]
    ask(notes, "create", "copy", "--provider", "fake", "--dimensions", "8")
    assert ask(notes, "upsert", "copy", "--records", "-", stdin=listed)["ids"] == ["a", "b"]
    assert (
        ask(notes, "list", "copy")["records"][0]["created_at"]
        == ask(notes, "list", "notes")["records"][0]["created_at"]
    )


def test_bad_lines_are_named_and_nothing_is_written(notes):
    lines = b'{"id":"x","content":"x"}\n\n{"id":"y","content":3}\n'
    status, error = fail(notes, "upsert", "notes", "--records", "-", stdin=lines)
    assert (status, error["details"]["index"], error["details"]["line"]) == (2, 1, 3)
    assert fail(notes, "get", "notes", "x")[0] == 5
    assert ask(notes, "upsert", "notes", "--records", "-", stdin=b"")["ids"] == []


def test_an_unknown_key_is_refused_whatever_it_holds(notes):
    for value in (b"1", b"null"):
        status, error = fail(notes, "upsert", "notes", "--records", "-", stdin=b'{"content":"x","colour":%s}\n' % value)
        assert (status, error["details"]["index"], "'colour'" in error["message"]) == (2, 0, True)


@pytest.mark.parametrize(
    "bad", [{"if_version": 7}, {"valid_to": "2001-01-01T00:00:00Z"}, {"colour": 1}, {"content": 3}]
)
def test_a_load_that_ends_early_tells_where_and_how_much_is_stored(notes, bad):
    records = [{"id": f"n{number}", "content": "x"} for number in range(8)]
    records[5].update(bad)
    lines = b"\n".join(json.dumps(record).encode() for record in records)
    details = fail(notes, "upsert", "notes", "--records", "-", "--batch", "2", stdin=lines)[1]["details"]
    assert {key: details[key] for key in ("index", "transactions", "stored")} == {
        "index": 5,
        "transactions": 2,
        "stored": 4,
    }
    listed = ask(notes, "list", "notes")["records"]
    assert [record["id"] for record in listed if record["id"] > "b"] == ["n0", "n1", "n2", "n3"]


def test_more_than_a_batch_wants_the_option(notes):
    (notes.home / "config.yaml").write_text("caps: {batch: 2}\n")
    lines = b"".join(b'{"content":"text %d"}\n' % number for number in range(5))
    assert "--batch 2" in fail(notes, "upsert", "notes", "--records", "-", stdin=lines)[1]["hint"]
    assert ask(notes, "upsert", "notes", "--records", "-", "--batch", "2", stdin=lines)["transactions"] == 3


def test_modes_of_all_files(notes):
    ask(notes, "search", "notes", "apple")
    for directory, _, names in os.walk(notes.root):
        assert stat.S_IMODE(os.stat(directory).st_mode) == 0o700
        for name in names:
            assert stat.S_IMODE(os.stat(os.path.join(directory, name)).st_mode) == 0o600


def test_previews_change_nothing(notes):
    assert ask(notes, "drop", "notes")["applied"] is False
    ask(notes, "delete", "notes", "a", "--hard")
    assert ask(notes, "compact", "notes")["vectors"] == 1
    assert ask(notes, "compact", "notes", "--write")["applied"] is True
    assert ask(notes, "compact", "notes")["vectors"] == 0
    assert ask(notes, "reindex", "notes")["records"] == 1
    assert ask(notes, "drop", "notes", "--write")["applied"] is True
    assert fail(notes, "search", "notes", "x")[0] == 5
    assert ask(notes, "create", "notes", "--provider", "fake", "--dimensions", "3")["created"] is True


def test_for_people(notes):
    told = notes.run("semantic", "search", "notes", "apple", "--explain")
    assert told.stdout.decode().splitlines()[0].split("\t")[1:] == ["a", "apple pie recipe", "topic=food"]
    assert b"lane direct" in told.stderr
    for verb in ("drop", "compact"):
        note, hint = notes.run("semantic", verb, "notes").stderr.decode().splitlines()
        assert "nothing was changed" in note
        assert "--write" in hint


def test_status_and_verify(notes):
    found = json.loads(notes.run("status", "--json").stdout)
    assert found["namespaces"] == [{"name": "notes", "provider": "fake", "dimensions": 8, "records": 2, "live": 2}]
    done = notes.run("verify", "--namespace", "notes", "--json")
    checked = json.loads(done.stdout)
    assert (done.returncode, checked["ok"], checked["checked"]["records"]) == (0, True, 2)
    vectors = notes.root / "semantic/notes/vectors/00000001.f32"
    vectors.write_bytes(b"\1" + vectors.read_bytes()[1:])
    done = notes.run("verify", "--json")
    assert done.returncode == 9
    assert [finding["code"] for finding in json.loads(done.stdout)["findings"]] == ["record_corrupt"]
    assert notes.run("verify", "--namespace", "none", "--json").returncode == 5


CONFIG = """
namespaces:
  - block: semantic
    name: notes
    embedder: {provider: PROVIDER, model: some-model, dimensions: 8, options: {base_url: "BASE", batch_size: 2}}
"""


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_configured_namespace_is_bound_by_its_first_write(place, provider):
    behaviour = Behaviour(8)
    with serving(behaviour) as base:
        (place.home / "config.yaml").write_text(CONFIG.replace("PROVIDER", provider).replace("BASE", base))
        assert ask(place, "search", "notes", "x", OPENAI_API_KEY=KEY)["hits"] == []
        assert not place.root.exists()
        lines = b'{"id":"a","content":"one"}\n{"id":"b","content":"two"}\n{"id":"c","content":"one"}\n'
        result = ask(place, "upsert", "notes", "--records", "-", stdin=lines, OPENAI_API_KEY=KEY)
        assert result["cache"] == {"hits": 1, "misses": 2}
        asked = len(behaviour.requests)
        found = ask(place, "search", "notes", "one")
        assert (found["cache"], [hit["id"] for hit in found["hits"]][:2]) == ({"hits": 1, "misses": 0}, ["a", "c"])
        assert len(behaviour.requests) == asked
    for path in place.root.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    (place.home / "config.yaml").write_text(CONFIG.replace("PROVIDER", "ollama").replace("some-model", "other"))
    status, error = fail(place, "search", "notes", "one")
    assert (status, error["code"]) in ((4, "conflict"), (2, "invalid_config"))


@pytest.mark.parametrize(("size", "requests"), [(100, [100, 50]), (7, [7] * 21 + [3])])
def test_a_request_has_as_many_texts_as_was_asked_for(place, size, requests):
    behaviour = Behaviour(8)
    lines = b"\n".join(b'{"content":"text %d"}' % number for number in range(150))
    with serving(behaviour) as base:
        options = ("--option", f"base_url={base}", "--option", f"batch_size={size}")
        ask(place, "create", "far", "--provider", "ollama", "--model", "m", "--dimensions", "8", *options)
        ask(place, "upsert", "far", "--records", "-", stdin=lines)
    assert [len(body["input"]) for _, _, body in behaviour.requests] == requests


def test_an_embedder_that_fails_leaves_everything_as_it_was(place):
    with serving(Behaviour(8, ["status:401"])) as base:
        (place.home / "config.yaml").write_text(CONFIG.replace("PROVIDER", "openai").replace("BASE", base))
        status, error = fail(place, "upsert", "notes", "--id", "a", "--content", "x", OPENAI_API_KEY=KEY)
        assert (status, error["details"]["status"]) == (1, 401)
        assert KEY not in str(error)
        assert fail(place, "upsert", "notes", "--id", "a", "--content", "x")[1]["code"] == "invalid_config"
    assert fail(place, "get", "notes", "a")[0] == 5


def test_an_address_that_only_a_store_names_is_used_where_it_is_this_machine(place):
    behaviour = Behaviour(8)
    with serving(behaviour) as base:
        options = ("--provider", "openai", "--model", "m", "--dimensions", "8", "--option", f"base_url={base}")
        ask(place, "create", "near", *options)
        ask(place, "upsert", "near", "--id", "a", "--content", "one", OPENAI_API_KEY=KEY)
    assert behaviour.requests


def test_an_address_that_only_a_store_names_gets_no_text_and_no_key(place):
    address = "http://far.invalid"
    options = ("--provider", "openai", "--model", "m", "--dimensions", "8", "--option", f"base_url={address}")
    done = place.run("semantic", "create", "far", *options)
    assert (done.returncode, address.encode() in done.stderr) == (0, True)
    for words in (("upsert", "far", "--id", "a", "--content", "x"), ("search", "far", "x")):
        status, error = fail(place, *words, OPENAI_API_KEY=KEY)
        assert (status, error["code"], "config.yaml" in error["hint"]) == (6, "permission_denied", True)
    ask(place, "upsert", "far", "--id", "a", "--vector", "[1,0,0,0,0,0,0,0]")
    reached = f"options: {{base_url: {address}}}"
    space = f"{{block: semantic, name: far, embedder: {{provider: openai, model: m, dimensions: 8, {reached}}}}}"
    (place.home / "config.yaml").write_text(f"namespaces: [{space}]\n")
    status, error = fail(place, "search", "far", "x")
    assert (status, error["code"], error["details"]["variable"]) == (2, "invalid_config", "OPENAI_API_KEY")


def test_a_backup_by_hard_links_stays_as_it_was(place):
    ask(place, "create", "notes", "--provider", "fake", "--dimensions", "8")
    ask(place, "upsert", "notes", "--id", "a", "--content", "one")
    backup = place.folder / "backup"
    subprocess.run(["cp", "-al", place.root, backup], check=True)
    before = {path: path.read_bytes() for path in backup.rglob("*") if path.is_file()}
    ask(place, "search", "notes", "two")
    ask(place, "upsert", "notes", "--id", "a", "--content", "three")
    ask(place, "delete", "notes", "a")
    ask(place, "delete", "notes", "a", "--hard")
    ask(place, "upsert", "notes", "--id", "b", "--content", "one")
    assert {path: path.read_bytes() for path in backup.rglob("*") if path.is_file()} == before
    assert ask(place, "search", "notes", "one")["cache"] == {"hits": 1, "misses": 0}


def test_several_processes_at_once(place):
    ask(place, "create", "notes", "--provider", "fake", "--dimensions", "8")
    env = {"NEOSIAN_HOME": str(place.home), "HOME": str(place.folder), "NEOSIAN_LOCK_TIMEOUT": "60"}
    writers = [
        start(
            NEOSIAN, "semantic", "upsert", "notes", "--id", "shared", "--content", f"text {number}", "--json", env=env
        )
        for number in range(6)
    ]
    readers = [start(NEOSIAN, "semantic", "search", "notes", "text", "--json", env=env) for _ in range(4)]
    versions = sorted(json.loads(child.communicate(timeout=120)[0])["versions"][0] for child in writers)
    assert versions == [1, 2, 3, 4, 5, 6]
    for child in readers:
        out, _ = child.communicate(timeout=120)
        assert child.returncode == 0
        assert len(json.loads(out)["hits"]) <= 1
    assert len(ask(place, "history", "notes", "shared")["entries"]) == 6
