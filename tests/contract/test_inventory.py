"""Names and kinds below a root: what stands where the store has nothing, or something else, is found by `verify`."""

from __future__ import annotations

import os
import shutil

import pytest

from neosian_cli.config.settings import resolve
from neosian_cli.errors import Failure
from neosian_cli.services.semantic import namespaces
from neosian_cli.services.verify import verify
from neosian_cli.store import layout
from neosian_cli.store.semantic import binding
from tests.samples import SCOPE, open_store, write

BASE = layout.scope_directory(SCOPE)


@pytest.fixture
def root(tmp_path):
    top = tmp_path / "store"
    write(top, "notes/a", "one")
    write(top, "x.json/y", "two", scope="user:me")
    (top / "semantic/facts/records").mkdir(parents=True, mode=0o700)
    for directory in ("semantic", "semantic/facts"):
        os.chmod(top / directory, 0o700)
    return top


def found(root, scope=None):
    return [(each["severity"], each["code"], each["path"]) for each in verify(open_store(root), scope)["findings"]]


def test_what_a_store_makes_belongs_there(root):
    assert found(root) == []


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("scopes", "document_corrupt"),
        (BASE, "document_corrupt"),
        (f"{BASE}/documents", "document_corrupt"),
        (f"{BASE}/versions", "document_corrupt"),
        (f"{BASE}/.changes", "feed_corrupt"),
        ("semantic", "record_corrupt"),
        ("semantic/facts", "record_corrupt"),
        ("semantic/facts/records", "record_corrupt"),
    ],
)
def test_a_file_in_place_of_a_directory(root, path, code):
    shutil.rmtree(root / path)
    (root / path).touch(0o600)
    assert ("fault", code, path) in found(root)


@pytest.mark.parametrize("scope", [None, SCOPE])
@pytest.mark.parametrize("name", ["documents/b.json", "versions/b.jsonl", ".changes/00000000000000004097.seg"])
def test_a_directory_in_place_of_a_file(root, name, scope):
    (root / BASE / name).mkdir(mode=0o700)
    code = "feed_corrupt" if ".changes" in name else "document_corrupt"
    assert found(root, scope) == [("fault", code, f"{BASE}/{name}")]


@pytest.mark.parametrize(
    "directory", ["", "scopes", "scopes/user%3Ame", f"{BASE}/.changes", "semantic", "semantic/facts/records"]
)
@pytest.mark.parametrize("name", ["a.bak", "~1", "two words", "00000000000000000001.seg.bak"])
def test_a_stray_name_is_a_warning(root, directory, name):
    (root / directory / name).touch(0o600)
    path = f"{directory}/{name}".removeprefix("/")
    assert found(root) == [("warning", "not_a_store", path)]


def test_a_scope_below_is_left_to_its_own_audit(root):
    (root / BASE / "stray").touch(0o600)
    assert found(root, "user:me") == []
    assert [path for _, _, path in found(root, SCOPE)] == [f"{BASE}/stray"]


def test_a_root_that_has_lost_its_marker_is_not_good(root):
    (root / "store.json").unlink()
    assert found(root) == [("fault", "not_a_store", "store.json")]


def test_a_feed_that_is_gone_while_documents_stay(root):
    shutil.rmtree(root / BASE / ".changes")
    assert found(root) == [("warning", "feed_corrupt", f"{BASE}/.changes")]


def test_a_namespace_that_has_lost_its_binding_is_neither_forgotten_nor_made_again(root):
    (root / "semantic/facts/log.json").write_bytes(b"{}")
    os.chmod(root / "semantic/facts/log.json", 0o600)
    store = open_store(root)
    with store.reading() as tree:
        assert binding.names(tree) == ["facts"]
    assert ("fault", "record_corrupt", "semantic/facts/namespace.json") in found(root)
    settings = resolve({}, {"NEOSIAN_HOME": str(root)})
    (unreadable,) = namespaces.namespaces(store, settings)["unreadable"]
    assert (unreadable["id"], unreadable["code"]) == ("facts", "record_corrupt")
    with pytest.raises(Failure) as caught:
        namespaces.create(store, settings, "facts", namespaces.Wish("fake", None, None, None), options={})
    assert caught.value.code == "record_corrupt"
