"""`neosian status` and `neosian verify`: looking at a root, and reading all of it."""

from __future__ import annotations

import json
import os

import pytest

from neosian_cli.store import layout
from tests.cli.process import NEOSIAN, call
from tests.samples import SCOPE, snapshot, write

BASE = layout.scope_directory(SCOPE)
PLAN = ".transactions/pending.json"


@pytest.fixture
def root(tmp_path):
    for path in ("notes/a", "notes/b", "notes/a", "x.json/y"):
        write(tmp_path / "store", path, f"the text of {path}\n")
    return tmp_path / "store"


def status(root, *more):
    done = call(NEOSIAN, "status", "--root", str(root), "--scope", SCOPE, "--json", *more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def verify(root, *more):
    done = call(NEOSIAN, "verify", "--root", str(root), "--json", *more)
    return done.returncode, json.loads(done.stdout or done.stderr)


def codes(found):
    return {(finding["code"], finding["severity"]) for finding in found["findings"]}


def test_status_of_a_store(root):
    found = status(root)
    assert list(found) == [
        "home", "root", "profile", "store", "mounts", "namespaces", "pending_plan", "lock", "findings",
    ]  # fmt: skip
    (mount,) = found["mounts"]
    assert (mount["path"], mount["scope"], mount["mode"], mount["documents"]) == ("/memories", SCOPE, "rw", 3)
    assert (mount["feed"]["floor"], mount["feed"]["head"]) == (0, 5)
    assert mount["feed"]["last_created_at"].endswith("Z")
    assert found["pending_plan"] is found["lock"] is None
    assert found["findings"] == found["namespaces"] == []


def test_status_and_verify_of_no_store_make_none(tmp_path):
    found = status(tmp_path / "none")
    assert found["store"] is None
    assert found["mounts"][0]["feed"] is None
    assert verify(tmp_path / "none")[0] == 0
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_store_is_answered_as_an_empty_one(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    assert status(tmp_path)["store"] is None
    done = call(NEOSIAN, "verify", "--root", str(tmp_path))
    assert done.returncode == 0
    assert b"holds no store" in done.stderr
    assert b"nothing to check" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_store_that_has_lost_its_marker_is_not_good(root):
    (root / "store.json").unlink()
    code, found = verify(root)
    assert (code, found["ok"]) == (9, False)
    assert [(finding["code"], finding["severity"]) for finding in found["findings"]] == [("not_a_store", "fault")]


def test_a_good_store_verifies(root):
    code, found = verify(root)
    assert (code, found["ok"], found["findings"]) == (0, True, [])
    assert found["checked"] == {
        "scopes": 1, "documents": 3, "versions": 4, "events": 5, "messages": 0, "namespaces": 0, "records": 0,
        "files": 10,
    }  # fmt: skip


def test_one_scope_alone(root):
    write(root, "elsewhere", "x", scope="user:other")
    assert verify(root, "--scope", "user:other")[1]["checked"]["events"] == 2
    assert verify(root, "--scope", "user:nobody")[1]["error"]["code"] == "not_found"
    assert verify(root, "--scope", "nonsense")[1]["error"]["code"] == "invalid_argument"


def damage(change):
    """A named way to damage a root."""
    return pytest.param(change, id=change.__name__)


def document_edited(root):
    path = root / BASE / "documents/notes/a.json"
    path.write_bytes(path.read_bytes().replace(b"the text", b"the test"))


def document_gone(root):
    (root / BASE / "documents/notes/a.json").unlink()


def document_emptied(root):
    (root / BASE / "documents/notes/a.json").write_bytes(b"")


def document_a_link(root):
    path = root / BASE / "documents/notes/a.json"
    path.rename(root.parent / "moved")
    path.symlink_to(root.parent / "moved")


def document_a_fifo(root):
    path = root / BASE / "documents/notes/a.json"
    path.unlink()
    os.mkfifo(path)


def document_a_directory(root):
    path = root / BASE / "documents/notes/a.json"
    path.unlink()
    path.mkdir()


def history_gone(root):
    (root / BASE / "versions/notes/a.jsonl").unlink()


def history_short(root):
    path = root / BASE / "versions/notes/a.jsonl"
    path.write_bytes(path.read_bytes()[:-7])


def history_row_lost(root):
    path = root / BASE / "versions/notes/a.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[1])


def history_flipped(root):
    path = root / BASE / "versions/notes/a.jsonl"
    data = bytearray(path.read_bytes())
    data[120] ^= 1
    path.write_bytes(data)


def documents_a_link(root):
    path = root / BASE / "documents"
    path.rename(root.parent / "documents")
    path.symlink_to(root.parent / "documents")


@pytest.mark.parametrize(
    "change",
    list(map(
        damage,
        [
            document_edited, document_gone, document_emptied, document_a_link, document_a_fifo, document_a_directory,
            history_gone, history_short, history_row_lost, history_flipped, documents_a_link,
        ],
    )),
)  # fmt: skip
def test_a_damaged_document_is_a_finding_and_hides_no_other(root, change):
    change(root)
    code, found = verify(root)
    assert (code, found["ok"]) == (9, False)
    assert ("document_corrupt", "fault") in codes(found)
    assert found["checked"]["events"] == 5
    if change is not documents_a_link:
        assert found["checked"]["documents"] >= 2


def segment(root):
    return root / BASE / ".changes/00000000000000000001.seg"


def segment_gone(root):
    segment(root).unlink()


def segment_short(root):
    segment(root).write_bytes(segment(root).read_bytes()[:-1])


def segment_long(root):
    segment(root).write_bytes(segment(root).read_bytes() + b"more\n")


def segment_flipped(root):
    data = bytearray(segment(root).read_bytes())
    data[200] ^= 4
    segment(root).write_bytes(data)


def segment_swapped(root):
    lines = segment(root).read_bytes().splitlines(keepends=True)
    lines[2], lines[3] = lines[3], lines[2]
    segment(root).write_bytes(b"".join(lines))


def head_gone(root):
    (root / BASE / ".changes/stream.json").unlink()


def head_flipped(root):
    path = root / BASE / ".changes/stream.json"
    data = bytearray(path.read_bytes())
    data[30] ^= 1
    path.write_bytes(data)


def head_a_link(root):
    path = root / BASE / ".changes/stream.json"
    path.rename(root.parent / "stream.json")
    path.symlink_to(root.parent / "stream.json")


@pytest.mark.parametrize(
    "change",
    list(map(
        damage,
        [
            segment_gone, segment_short, segment_long, segment_flipped, segment_swapped, head_gone, head_flipped,
            head_a_link,
        ],
    )),
)  # fmt: skip
def test_a_damaged_feed_is_a_finding_and_hides_no_document(root, change):
    change(root)
    code, found = verify(root)
    assert code == 9
    assert ("feed_corrupt", "fault") in codes(found)
    assert found["checked"]["documents"] == 3


def test_events_and_histories_are_held_against_each_other(root):
    path = root / BASE / "versions/notes/b.jsonl"
    path.unlink()
    (root / BASE / "documents/notes/b.json").unlink()
    code, found = verify(root)
    assert code == 9
    assert any("event 3 names a version that is in no history" in finding["message"] for finding in found["findings"])


def test_modes_and_strangers_are_warnings(root):
    (root / BASE / "documents/notes/a.json").chmod(0o644)
    (root / "letter.txt").write_text("dear")
    (root / ".transactions/~left").write_text("over")
    before = snapshot(root)
    code, found = verify(root)
    assert (code, found["ok"]) == (0, True)
    assert {finding["path"] for finding in found["findings"]} == {
        f"{BASE}/documents/notes/a.json", "letter.txt", ".transactions/~left",
    } | ({"letter.txt"})  # fmt: skip
    assert snapshot(root) == before
    root.chmod(0o755)
    assert ("permission_denied", "warning") in codes(status(root))


def test_a_refused_plan_is_what_both_name(root):
    (root / PLAN).write_bytes(b'{"checksum":"nonsense"}')
    (root / PLAN).chmod(0o600)
    before = snapshot(root)
    found = status(root)
    assert ("plan_refused", "fault") in codes(found)
    assert len(found["pending_plan"]["sha256"]) == 64
    code, found = verify(root)
    assert code == 9
    assert ("plan_refused", "fault") in codes(found)
    assert snapshot(root) == before


def test_a_store_of_a_newer_format_is_refused_whole(root):
    marker = json.loads((root / "store.json").read_bytes())
    for change in ({"format": 2}, {"requires": ["wings"]}):
        (root / "store.json").write_text(json.dumps({**marker, **change}))
        code, found = verify(root)
        assert (code, found["error"]["code"]) == (9, "format_unsupported")
        assert ("format_unsupported", "fault") in codes(status(root))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format":1}', '{"format":"1","requires":[]}', '{"format":true,"requires":[]}']
)
def test_a_damaged_marker_is_told(root, text):
    (root / "store.json").write_text(text)
    code, found = verify(root)
    assert (code, found["error"]["code"]) == (9, "not_a_store")


def test_for_people(root):
    done = call(NEOSIAN, "status", "--root", str(root), "--scope", SCOPE)
    assert f"/memories\t{SCOPE}\trw\t3\t5\t5\t" in done.stdout.decode()
    done = call(NEOSIAN, "verify", "--root", str(root))
    assert done.stdout.decode() == "good: 1 scope, 3 documents, 4 versions, 5 events, 10 files\n"
    document_edited(root)
    done = call(NEOSIAN, "verify", "--root", str(root))
    assert done.returncode == 9
    assert done.stdout.decode().splitlines()[-1].startswith("damaged: ")
