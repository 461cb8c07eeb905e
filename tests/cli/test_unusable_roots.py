"""Roots that cannot be used, or not in part: what is wrong is named, and what is right is shown all the same."""

from __future__ import annotations

import ctypes
import json
import os

import pytest

from neosian_cli.store import layout
from tests.cli.process import NEOSIAN, call
from tests.samples import SCOPE, write

BASE = layout.scope_directory(SCOPE)
PLAN = ".transactions/pending.json"
DROP_FROM_BOUNDING_SET = 24
OVERRIDES = (1, 2)


def without_overrides():
    """In the child, before it becomes the program: root is bound by modes too."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in OVERRIDES:
            if libc.prctl(DROP_FROM_BOUNDING_SET, capability, 0, 0, 0) != 0:
                os._exit(99)


def neosian(root, *words, **more):
    scope = () if words[0] == "verify" else ("--scope", SCOPE)
    return call(NEOSIAN, *words, "--root", str(root), *scope, **more)


@pytest.fixture
def root(tmp_path):
    for path in ("notes/a", "notes/b", "c"):
        write(tmp_path / "store", path, f"the text of {path}\n")
    return tmp_path / "store"


@pytest.fixture
def bound(root):
    """`neosian` as a user whom modes bind."""
    probe = root.parent / "probe"
    probe.touch(0o000)
    if call(("cat",), str(probe), preexec_fn=without_overrides).returncode != 1:
        pytest.skip("modes do not bind this user")

    def run(*words):
        return neosian(root, *words, preexec_fn=without_overrides)

    return run


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/null", path)])
def test_a_lock_that_is_no_plain_file(root, make):
    (root / ".lock").unlink()
    make(root / ".lock")
    before = sorted(root.rglob("*"))
    for words in (
        ("memory", "list"), ("memory", "write", "/memories/x", "--content", "x"), ("changes", "read"),
        ("verify",), ("lock", "--", "true"),
    ):  # fmt: skip
        at = words.index("--") if "--" in words else len(words)
        done = call(NEOSIAN, *words[:at], "--json", "--root", str(root), "--scope", SCOPE, *words[at:])
        assert (done.returncode, done.stdout) == (9, b""), words
        error = json.loads(done.stderr)["error"]
        assert (error["code"], error["message"]) == ("not_a_store", ".lock is not a plain file")
        assert error["hint"]
    assert sorted(root.rglob("*")) == before
    found = json.loads(neosian(root, "status", "--json").stdout)["findings"]
    assert [(finding["code"], finding["severity"]) for finding in found] == [("not_a_store", "fault")]


def test_a_newer_format_is_judged_by_its_number_alone(root):
    (root / "store.json").write_text('{"format":2,"all":"else is unknown"}')
    done = neosian(root, "memory", "list", "--json")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (9, "format_unsupported")


def test_status_promises_no_first_write_where_there_will_be_none(root, tmp_path):
    promise = b"the first write makes it"
    assert promise in neosian(tmp_path / "none", "status").stdout
    (tmp_path / "alien").mkdir()
    (tmp_path / "alien/letter.txt").write_text("dear")
    (root / "store.json").write_text("{")
    for unusable in (root, tmp_path / "alien", "/dev/null"):
        shown = neosian(unusable, "status")
        assert shown.returncode == 0
        assert promise not in shown.stdout
        assert b"not_a_store" in shown.stdout


def test_a_refused_plan_is_named_to_people_with_its_digest(root):
    (root / PLAN).write_bytes(b'{"checksum":"nonsense"}')
    (root / PLAN).chmod(0o600)
    details = json.loads(neosian(root, "memory", "list", "--json").stderr)["error"]["details"]
    line, hint = neosian(root, "memory", "list").stderr.decode().splitlines()
    assert line.startswith(f"neosian: the pending plan {PLAN} ")
    assert f"(SHA-256 {details['sha256']})" in line
    assert hint.startswith("hint: ")
    (finding,) = json.loads(neosian(root, "verify", "--json").stdout or b"{}").get("findings") or [None]
    assert finding["path"] == PLAN
    assert details["sha256"] in finding["message"]


def test_a_refused_plan_names_itself_once(root):
    (root / PLAN).mkdir()
    assert neosian(root, "memory", "list").stderr.decode().count(PLAN) == 1


UNREADABLE = {
    "a document": f"{BASE}/documents/notes/a.json",
    "a history": f"{BASE}/versions/notes/a.jsonl",
    "a folder of documents": f"{BASE}/documents/notes",
    "a folder of histories": f"{BASE}/versions/notes",
    "the head of the feed": f"{BASE}/.changes/stream.json",
    "the feed": f"{BASE}/.changes",
    "a scope": BASE,
    "a user": BASE.rpartition("/")[0],
}


@pytest.mark.parametrize("name", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_may_not_be_read_is_a_finding_and_hides_no_other(root, bound, name):
    write(root, "elsewhere", "x", scope="org:acme")
    (root / name).chmod(0o000)
    try:
        done = bound("verify", "--json")
    finally:
        (root / name).chmod(0o700)
    assert done.returncode == 9, done.stderr
    found = json.loads(done.stdout)
    assert found["ok"] is False
    assert ("permission_denied", name) in {(finding["code"], finding["path"]) for finding in found["findings"]}
    assert len(found["findings"]) == len({tuple(finding.items()) for finding in found["findings"]})
    assert found["checked"]["documents"] >= 1, "the other scope at least"


def test_a_denied_document_is_named_whole(root, bound):
    name = f"{BASE}/documents/notes/a.json"
    (root / name).chmod(0o000)
    done = bound("memory", "view", "/memories/notes/a")
    assert done.returncode == 6
    assert f"({root}/{name})" in done.stderr.decode()
    assert bound("memory", "view", "/memories/notes/b").returncode == 0


def test_a_plan_that_may_not_be_read_is_refused(root, bound):
    (root / PLAN).write_bytes(b"secret")
    (root / PLAN).chmod(0o000)
    done = bound("memory", "list", "--json")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (9, "plan_refused")


def test_the_mode_of_the_root_itself(root):
    root.chmod(0o750)
    found = json.loads(neosian(root, "verify", "--json").stdout)
    assert found["ok"] is True
    assert [(finding["code"], finding["path"]) for finding in found["findings"]] == [("permission_denied", str(root))]
