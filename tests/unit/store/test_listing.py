"""Listing: the order, the pages, what a page opens, and damage that hides nothing else."""

from __future__ import annotations

import itertools
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neosian_cli.errors import Failure
from neosian_cli.model import mount as mounts
from neosian_cli.services import memory_reading
from neosian_cli.store import listing
from neosian_cli.store.documents import ScopeWriter
from tests.contract.files import Files

MOUNT = mounts.make("project", "user:me")
TREE = "scopes/user%3Ame/documents"
NAMES = st.text("aZ.-_0", min_size=1, max_size=3).filter(lambda name: name not in (".", ".."))
PATHS = st.builds(
    "/".join, st.lists(st.one_of(NAMES, st.sampled_from(["x.json", "x", "x.jsonl"])), min_size=1, max_size=3)
)


def files_at(folder) -> Files:
    clock = itertools.count(1_700_000_000_000_000, 1_000_000)
    return Files(str(folder / "root"), lambda: next(clock))


def fill(files, paths):
    with files.store.writing("fill") as transaction:
        writer = ScopeWriter(transaction, MOUNT.scope, "cli:me")
        for path in paths:
            writer.write(path, path, {}, None)
        writer.commit()


def listed(files, **options):
    return [entry["path"] for entry in files.everything(MOUNT, **options)]


@settings(max_examples=60, deadline=None)
@given(
    st.sets(PATHS, min_size=1, max_size=12), st.integers(1, 4), st.sampled_from(["", "x", "a", "x.", "x/", "a/Z", "zz"])
)
def test_pages_are_the_paths_in_byte_order(tmp_path_factory, paths, limit, prefix):
    files = files_at(tmp_path_factory.mktemp("list"))
    fill(files, paths)
    expected = sorted((path for path in paths if path.startswith(prefix)), key=str.encode)
    assert listed(files, limit=limit, prefix=prefix) == expected


@settings(max_examples=60, deadline=None)
@given(st.sets(PATHS, min_size=1, max_size=12), PATHS, st.integers(1, 3))
def test_a_path_lists_what_is_at_or_below_it(tmp_path_factory, paths, below, limit):
    files = files_at(tmp_path_factory.mktemp("list"))
    fill(files, paths)
    expected = sorted(path for path in paths if path == below or path.startswith(f"{below}/"))
    assert listed(files, below=below, limit=limit) == expected


def test_prefixes_of_mounted_paths(tmp_path):
    files = files_at(tmp_path)
    fill(files, ["a", "notes/a", "notes/b", "notes-x"])
    assert listed(files, prefix="/project/notes/") == ["notes/a", "notes/b"]
    assert listed(files, prefix="/pro") == ["a", "notes-x", "notes/a", "notes/b"]
    assert listed(files, prefix="/other") == []
    assert listed(files, below="notes", prefix="notes/b") == ["notes/b"]


def test_messages_show_where_they_are_named(tmp_path):
    files = files_at(tmp_path)
    fill(files, ["a", "messages/1", "messages-x", "message-links/2", "z"])
    assert listed(files) == ["a", "messages-x", "z"]
    assert listed(files, prefix="m") == ["messages-x"]
    assert listed(files, prefix="messages/") == ["messages/1"]
    assert listed(files, prefix="/project/messages") == ["messages-x", "messages/1"]
    assert listed(files, below="message-links") == ["message-links/2"]


def test_a_list_goes_on_over_changes(tmp_path):
    """What comes before the cursor is not seen again, what comes after it is; the cursor's own document may go."""
    files = files_at(tmp_path)
    fill(files, ["b", "d", "f"])
    first = memory_reading.list_documents(files.store, MOUNT, limit=2)
    files.delete(MOUNT, "d", actor="cli:me")
    files.write(MOUNT, "a", "", actor="cli:me")
    files.write(MOUNT, "e", "", actor="cli:me")
    rest = memory_reading.list_documents(files.store, MOUNT, limit=2, cursor=first["next_cursor"])
    assert [entry["path"] for entry in rest["entries"]] == ["e", "f"]
    assert rest["next_cursor"] is None


def test_a_page_opens_nothing_before_its_beginning(tmp_path, monkeypatch):
    files = files_at(tmp_path)
    fill(files, [f"d{number:02}/x" for number in range(50)])
    opened = []
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda name, *rest, **more: (opened.append(str(name)), real(name, *rest, **more))[1]
    )
    page = listing.Window(after="d39/x", prefix="", reserved=False)
    with files.store.reading() as tree:
        found = listing.page(tree, MOUNT.scope, below="", window=page, limit=3)
    assert [entry.path for entry in found.entries] == ["d40/x", "d41/x", "d42/x"]
    assert not {f"d{number:02}" for number in range(39)} & set(opened)
    assert len(opened) < 25


def test_more_directories_than_a_process_may_open(tmp_path):
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    own = len(os.listdir("/proc/self/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (own + 240, hard))
    try:
        files = files_at(tmp_path)
        paths = [f"d{number:03}/x" for number in range(300)]
        fill(files, paths)
        assert listed(files, limit=500) == paths
        assert files.erase(MOUNT, None, actor="cli:me", apply=True, whole=True)["documents"] == 300
        assert files.view(MOUNT, "d299/x")["erased"]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


DAMAGE = {
    "flipped": (b"XX", "document_corrupt"),
    "newer": (b'{"format":2}', "format_unsupported"),
    "empty": (b"", "document_corrupt"),
    "array": (b"[]", "document_corrupt"),
    "other": (b'{"format":1}', "document_corrupt"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_bad_document_hides_no_other(tmp_path, damage):
    files = files_at(tmp_path)
    fill(files, ["a", "b", "c"])
    data, code = DAMAGE[damage]
    (tmp_path / "root" / TREE / "b.json").write_bytes(data)
    page = memory_reading.list_documents(files.store, MOUNT)
    assert [entry["path"] for entry in page["entries"]] == ["a", "c"]
    assert [(bad["path"], bad["code"]) for bad in page["unreadable"]] == [("b", code)]
    assert page["unreadable"][0]["message"]
    with pytest.raises(Failure) as caught:
        files.view(MOUNT, "b")
    assert caught.value.code == code


@pytest.mark.parametrize(
    "kind", ["link", "fifo", "directory", "gone", "stray", "bad name", "bytes", "linked directory"]
)
def test_a_strange_name_hides_no_other(tmp_path, kind):
    files = files_at(tmp_path)
    fill(files, ["a", "b", "b/c", "c"])
    top = tmp_path / "root" / TREE
    expected = {"b"}
    if kind in ("link", "fifo", "directory"):
        (top / "b.json").unlink()
    if kind == "link":
        (top / "b.json").symlink_to(top / "a.json")
    elif kind == "fifo":
        os.mkfifo(top / "b.json")
    elif kind == "directory":
        (top / "b.json").mkdir()
    elif kind == "gone":
        (tmp_path / "root/scopes/user%3Ame/versions/b.jsonl").unlink()
    elif kind == "stray":
        (top / "b").rename(top / "kept")
        (top / "b").write_text("stray")
        (top / "kept").rename(top / "d")
    elif kind == "bad name":
        (top / "b ad.json").write_text("{}")
        expected = {"b ad"}
    elif kind == "bytes":
        (tmp_path / "root" / os.fsdecode(os.fsencode(TREE) + b"/\xff.json")).write_text("{}")
        expected = {"\udcff"}
    else:
        (top / "b").rename(top / "kept")
        (top / "b").symlink_to(top / "kept")
        (top / "kept").rename(tmp_path / "outside")
    good, bad = [], []
    for page in files.pages(MOUNT, limit=1):
        good += [entry["path"] for entry in page["entries"]]
        bad += [problem["path"] for problem in page["unreadable"]]
    assert {"a", "c"} <= set(good)
    assert set(bad) >= expected
    assert len(bad) == len(set(bad))
    assert len(good) == len(set(good))
    if kind in ("stray", "bad name", "bytes", "linked directory"):
        assert "b" in good
    if kind in ("link", "fifo", "gone", "bytes", "bad name"):
        assert "b/c" in good


def test_a_page_of_nothing_but_damage_ends(tmp_path, monkeypatch):
    files = files_at(tmp_path)
    fill(files, [f"d{number}" for number in range(7)])
    for number in range(7):
        (tmp_path / "root" / TREE / f"d{number}.json").write_bytes(b"")
    monkeypatch.setattr(listing, "MAX_UNREADABLE", 3)
    assert [len(page["unreadable"]) for page in files.pages(MOUNT, limit=5)] == [3, 3, 1]


def test_nothing_is_made_by_listing(tmp_path):
    files = files_at(tmp_path)
    assert listed(files) == []
    assert not (tmp_path / "root").exists()
