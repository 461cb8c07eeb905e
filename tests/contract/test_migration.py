"""Stores that the Python package neosian 1.12.2 has written: all that fits is taken over, all else is named.

The store in `tests/data/neosian_1_12` was written by the real package, and `expected.json` is what its own library
reads from it; `write.py` beside them did both.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import shutil
import uuid
from pathlib import Path

import pytest

from neosian_cli.errors import Failure
from neosian_cli.model import mount as mounts
from neosian_cli.model import times
from neosian_cli.model.document import RESTORED
from neosian_cli.services import verify
from neosian_cli.services.archive import Choice, Tally
from neosian_cli.services.migration import import_file_store
from neosian_cli.store import documents, feed, layout
from neosian_cli.store.history import History
from neosian_cli.store.root import Store
from neosian_cli.store.seal import unseal
from tests.contract.mailroom import Counted, Mailroom

DATA = Path(__file__).parents[1] / "data" / "neosian_1_12"
EXPECTED = json.loads((DATA / "expected.json").read_text())
USER, PROJECT = "user:ann", "user:ann/proj:erp"
ANN = "user%3Aann"
SECRET = b"the secret that was redacted"


@pytest.fixture
def old(tmp_path):
    shutil.copytree(DATA / "store", tmp_path / "old")
    return tmp_path / "old"


@pytest.fixture
def store(tmp_path):
    now = times.parse("2026-01-02T03:10:00Z")
    return Store(str(tmp_path / "new"), now=lambda: now, new_id=lambda: str(uuid.uuid4()), calls=Counted())


def take(store, old, *scopes, tally=None):
    return import_file_store(store, str(old), Choice(scopes), tally or Tally())


def rows_of(store, scope, path):
    with store.reading() as tree, History.open(tree, scope, path) as history:
        return list(history.oldest_first())


def document_of(store, scope, path):
    with store.reading() as tree:
        return documents.read(tree, scope, path)[0]


def is_message(path):
    return path.startswith("messages/")


def test_everything_that_the_real_store_holds(store, old):
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}
    found = take(store, old)
    assert found["skipped"] == []
    assert [done["scope"] for done in found["scopes"]] == [USER, PROJECT]
    for done in found["scopes"]:
        scope = EXPECTED["scopes"][done["scope"]]
        assert done["documents"] == len(scope["documents"])
        assert done["versions"] == sum(map(len, scope["versions"].values()))
        assert done["erasures"] == len(scope["redactions"])
    checked = verify.verify(store, None)
    assert checked["findings"] == []
    assert checked["checked"]["versions"] == sum(done["versions"] for done in found["scopes"])
    assert before == {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}


@pytest.mark.parametrize("scope", [USER, PROJECT])
def test_documents_are_what_the_package_itself_reads(store, old, scope):
    take(store, old)
    for path, wanted in EXPECTED["scopes"][scope]["documents"].items():
        document = document_of(store, scope, path)
        for ours, theirs in ((document.created_at, "created_at"), (document.updated_at, "updated_at")):
            assert times.read(ours) == times.parse(wanted[theirs])
        assert (document.version, document.erased) == (wanted["version"], wanted["redacted"]), path
        assert document.actor == wanted["actor"] or (wanted["actor"] is None and document.actor == "unknown:unrecorded")
        if not is_message(path):
            assert document.content == wanted["content"]
            assert document.extra == wanted["extra"]


@pytest.mark.parametrize("scope", [USER, PROJECT])
def test_versions_are_what_the_package_itself_reads(store, old, scope):
    take(store, old)
    for path, wanted in EXPECTED["scopes"][scope]["versions"].items():
        rows = rows_of(store, scope, path)
        assert [(row.version, row.action, row.erased) for row in rows] == [(row[0], row[1], row[4]) for row in wanted]
        assert {row.sequence for row in rows} == {RESTORED}
        for row, (_, action, content, _, _) in zip(rows, wanted, strict=True):
            if not is_message(path):
                assert row.content == ("" if action == "deleted" else content)


def test_redactions_become_erasures(store, old, tmp_path):
    take(store, old)
    for scope in (USER, PROJECT):
        with store.reading() as tree:
            lines = tree.read(layout.erasures_file(scope)).splitlines(keepends=True)
            head = feed.read_head(tree, scope)
        assert head.head == 1
        rows = [unseal(line) for line in lines]
        assert [[row["path"], row["actor"], row["paths"]] for row in rows] == EXPECTED["scopes"][scope]["redactions"]
        assert {(row["documents"], row["versions"], row["sequence"]) for row in rows} == {(None, None, RESTORED)}
    for path in (tmp_path / "new").rglob("*"):
        assert not path.is_file() or SECRET not in path.read_bytes()


def test_messages_live_on(store, old, tmp_path):
    take(store, old)
    room = Mailroom(tmp_path / "new", [mounts.make("user", USER)])
    room.now = times.parse("2026-01-02T03:10:00Z")
    ids = EXPECTED["messages"]
    shown = {name: room.view(message_id) for name, message_id in ids.items() if name != "erased"}
    assert {name: message["status"] for name, message in shown.items() if message["status"] != "open"} == {
        "done": "done", "cancelled": "cancelled",
    }  # fmt: skip
    assert {name for name, message in shown.items() if message["due_at"]} == {"later", "snoozed"}
    assert (shown["acknowledged"]["read_by"], shown["released"]["read_by"]) == ("s1", None)
    assert (shown["snoozed"]["occurrence"], shown["snoozed"]["outcome"]) == (2, "tomorrow")
    assert (shown["for one"]["conversation"], shown["for one"]["turn"], shown["for one"]["about_turn"]) == ("c1", 3, 3)
    assert (shown["done"]["owner"], shown["done"]["outcome"]) == ("s1", "it is done")
    with pytest.raises(Failure) as caught:
        room.view(ids["erased"])
    assert caught.value.code == "not_found"
    assert set(room.ids("scheduled")) == {ids["later"], ids["snoozed"]}
    assert set(room.ids("unread")) == {ids[name] for name in ("plain", "wanted", "released", "wake")}


def test_a_lease_goes_on(store, old, tmp_path):
    message_id = EXPECTED["messages"]["claimed"]
    kept = json.loads((old / ANN / f"documents/messages/{message_id}.md").read_text().split("---\n", 2)[2])
    take(store, old)
    room = Mailroom(tmp_path / "new", [mounts.make("user", USER)])
    room.now = times.parse("2026-01-02T03:10:00Z")
    assert document_of(store, USER, f"messages/{message_id}").extra == {
        "token_sha256": hashlib.sha256(kept["claim_token"].encode()).hexdigest()
    }
    for path in (tmp_path / "new").rglob("*"):
        assert not path.is_file() or kept["claim_token"].encode() not in path.read_bytes()
    done = room.take("complete", message_id, token=kept["claim_token"], outcome="after the move")
    assert done["status"] == "done"
    assert verify.verify(store, None)["findings"] == []


def test_what_is_imported_goes_on(store, old):
    take(store, old)
    with store.writing("test") as transaction:
        _, newest = documents.read(transaction.tree, USER, "gone")
        writer = documents.ScopeWriter(transaction, USER, "cli:me")
        assert writer.write("gone", "back", {}, newest).version == 3
        writer.commit()
    assert verify.verify(store, None)["findings"] == []


def test_one_scope(store, old):
    (old / "stray").write_text("x")
    found = take(store, old, PROJECT)
    assert [done["scope"] for done in found["scopes"]] == [PROJECT]
    assert found["skipped"] == []
    with pytest.raises(Failure) as caught:
        take(store, old, "user:nobody")
    assert caught.value.code == "not_found"


def test_a_used_scope(store, old):
    take(store, old, PROJECT)
    with pytest.raises(Failure) as caught:
        take(store, old)
    assert caught.value.details["reason"] == "target_occupied"
    with store.reading() as tree:
        assert feed.read_head(tree, USER) is None


def test_no_file_store(store, tmp_path):
    (tmp_path / "empty").mkdir()
    for directory, code in (("missing", "not_found"), ("empty", "not_a_store")):
        with pytest.raises(Failure) as caught:
            take(store, tmp_path / directory)
        assert caught.value.code == code
    with pytest.raises(Failure) as caught:
        import_file_store(store, str(tmp_path / "empty"), Choice(namespaces=("n",)), Tally())
    assert caught.value.code == "invalid_argument"


def test_its_writers_are_waited_for(store, old):
    store.lock_timeout = 0
    with open(old / ".store.lock", "r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Failure) as caught:
            take(store, old)
    assert caught.value.code == "locked"


@pytest.mark.parametrize("kind", ["link", "directory", "fifo"])
def test_a_lock_that_is_no_plain_file(store, old, kind):
    lock = old / ".store.lock"
    lock.unlink(missing_ok=True)
    {"link": lambda: lock.symlink_to("elsewhere"), "directory": lock.mkdir, "fifo": lambda: os.mkfifo(lock)}[kind]()
    with pytest.raises(Failure) as caught:
        take(store, old)
    assert (caught.value.code, caught.value.details["file"]) == ("not_a_store", ".store.lock")


def test_our_root_may_lie_in_its_home(old):
    now = times.parse("2026-01-02T03:10:00Z")
    store = Store(str(old / "store"), now=lambda: now, new_id=lambda: str(uuid.uuid4()), calls=Counted())
    assert take(store, old)["skipped"] == []
    store = Store(str(old / "store2"), now=lambda: now, new_id=lambda: str(uuid.uuid4()), calls=Counted())
    assert [problem["path"] for problem in take(store, old)["skipped"]] == ["store"]
    store = Store(str(old), now=lambda: now, new_id=lambda: str(uuid.uuid4()), calls=Counted())
    with pytest.raises(Failure) as caught:
        take(store, old)
    assert caught.value.code == "invalid_argument"


def edit(file, old, new):
    text = file.read_bytes()
    assert old in text
    file.write_bytes(text.replace(old, new, 1))


def last_line(file, change):
    *lines, last = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines, change(last)]))


def planted(name, text):
    def act(old):
        file = old / ANN / "documents" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)

    return act


HEAD = b"---\nneosian_format: 1\nversion: 1\ncreated_at: 2026-01-02T03:04:05Z\nupdated_at: 2026-01-02T03:04:05Z\n"
PLAIN = f"{ANN}/documents/notes/plain.md"
ROWS = f"{ANN}/versions/notes/plain.jsonl"
BACK = f"{ANN}/versions/back.jsonl"
BACK_DOCUMENT = f"{ANN}/documents/back.md"
SOME_MESSAGE = f"messages/{EXPECTED['messages']['wanted']}"

# Each: what is done to the store, what is skipped for it, its code, and words of the message.
DAMAGES = {
    "no fence": (lambda old: edit(old / PLAIN, b"---\n", b"--\n"), PLAIN, "document_corrupt", "line ---"),
    "no end": (lambda old: (old / PLAIN).write_bytes(b"---\na: 1\n"), PLAIN, "document_corrupt", "second line"),
    "no YAML": (lambda old: edit(old / PLAIN, b"version: 2", b"version: ]"), PLAIN, "document_corrupt", "YAML"),
    "a list": (lambda old: (old / PLAIN).write_bytes(b"---\n- 1\n---\n"), PLAIN, "document_corrupt", "without keys"),
    "a newer document": (
        lambda old: edit(old / PLAIN, b"neosian_format: 1", b"neosian_format: 2"),
        PLAIN,
        "format_unsupported",
        "2",
    ),
    "no version": (lambda old: edit(old / PLAIN, b"version: 2", b"v: 2"), PLAIN, "document_corrupt", "no version"),
    "a naive time": (lambda old: edit(old / PLAIN, b"Z'", b"'"), PLAIN, "document_corrupt", "offset"),
    "an odd actor": (lambda old: edit(old / PLAIN, b"actor: ", b"actor: 4 #"), PLAIN, "document_corrupt", "actor"),
    "not UTF-8": (lambda old: edit(old / PLAIN, b"two", b"\xff"), PLAIN, "document_corrupt", "UTF-8"),
    "edited by hand": (lambda old: edit(old / PLAIN, b"two", b"six"), PLAIN, "document_corrupt", "agree on content"),
    "an older document": (
        lambda old: edit(old / PLAIN, b"version: 2", b"version: 1"),
        PLAIN,
        "document_corrupt",
        "agree on version",
    ),
    "lost document": (lambda old: (old / PLAIN).unlink(), PLAIN, "document_corrupt", "no document"),
    "lost history": (lambda old: (old / ROWS).unlink(), PLAIN, "document_corrupt", "no history"),
    "undeleted": (
        planted("gone.md", HEAD + b"---\nhere"),
        f"{ANN}/documents/gone.md",
        "document_corrupt",
        "deleted it",
    ),
    "a torn row": (lambda old: last_line(old / ROWS, lambda line: line[:-9]), PLAIN, "document_corrupt", "newline"),
    "half a row": (
        lambda old: last_line(old / ROWS, lambda line: line[:-9] + b"\n"),
        PLAIN,
        "document_corrupt",
        "line 2",
    ),
    "no object": (lambda old: last_line(old / ROWS, lambda _: b"[]\n"), PLAIN, "document_corrupt", "no object"),
    "a doubled row": (lambda old: last_line(old / ROWS, lambda line: line * 2), PLAIN, "document_corrupt", "where 3"),
    "a newer row": (
        lambda old: edit(old / ROWS, b'"neosian_format":1', b'"neosian_format":2'),
        PLAIN,
        "format_unsupported",
        "line 1",
    ),
    "a row of another path": (
        lambda old: edit(old / ROWS, b"notes/plain", b"notes/other"),
        PLAIN,
        "document_corrupt",
        "another path",
    ),
    "an odd action": (lambda old: edit(old / ROWS, b'"created"', b'"renamed"'), PLAIN, "document_corrupt", "unknown"),
    "an odd kind": (
        lambda old: edit(old / ROWS, b'"version":1', b'"version":"1"'),
        PLAIN,
        "document_corrupt",
        "line 1",
    ),
    "begins late": (lambda old: edit(old / ROWS, b'"created"', b'"modified"'), PLAIN, "document_corrupt", "creation"),
    "redacted in part": (
        lambda old: edit(old / ROWS, b'"redacted":false', b'"redacted":true'),
        PLAIN,
        "document_corrupt",
        "holds its text",
    ),
    "deletes other text": (
        lambda old: edit(old / BACK, b'"deleted","content":"first', b'"deleted","content":"worst'),
        BACK_DOCUMENT,
        "document_corrupt",
        "no version holds",
    ),
    "half a surrogate": (
        lambda old: last_line(old / ROWS, lambda line: line.replace(b"two", b"\\ud800")),
        PLAIN,
        "document_corrupt",
        "line 2",
    ),
    "a link": (
        lambda old: ((old / PLAIN).unlink(), (old / PLAIN).symlink_to("/etc/hostname")),
        PLAIN,
        "document_corrupt",
        "link",
    ),
    "a FIFO": (lambda old: ((old / ROWS).unlink(), os.mkfifo(old / ROWS)), ROWS, "document_corrupt", "plain"),
    "a message of the future": (
        lambda old: _message(old, b'"format": 1', b'"format": 2'),
        None,
        "format_unsupported",
        "format 2",
    ),
    "an unknown field": (lambda old: _message(old, b'"body":', b'"more": 1, "body":'), None, "unsupported", "more"),
    "a message elsewhere": (
        lambda old: _message(old, b'"user:ann"', b'"user:bob"'),
        None,
        "unsupported",
        "another place",
    ),
    "an unknown state": (
        lambda old: _message(old, b'"status": "open"', b'"status": "odd"'),
        None,
        "unsupported",
        "status",
    ),
    "no message": (
        planted("messages/note.md", HEAD + b"---\nhello"),
        f"{ANN}/documents/messages/note.md",
        "unsupported",
        "is none",
    ),
    "a message that is none": (
        planted(f"messages/{uuid.UUID(int=7)}.md", HEAD + b"---\nhello"),
        f"{ANN}/documents/messages/{uuid.UUID(int=7)}.md",
        "document_corrupt",
        "no message",
    ),
    "a crash's leftover": (
        planted(".neosian-tmp-x", SECRET),
        f"{ANN}/documents/.neosian-tmp-x",
        "unsupported",
        "temporary",
    ),
    "a stray file": (planted("readme.txt", b"x"), f"{ANN}/documents/readme.txt", "unsupported", "no document"),
    "a name out of the grammar": (
        planted("a b.md", HEAD + b"---\n"),
        f"{ANN}/documents/a b.md",
        "unsupported",
        "no document",
    ),
    "no scope": (lambda old: (old / "User%3Aann").mkdir(), "User%3Aann", "unsupported", "no part"),
    "a stray at the top": (lambda old: (old / "config.toml").write_text("x"), "config.toml", "unsupported", "no part"),
    "a conversation": (
        lambda old: (old / "conversations/c1").mkdir(parents=True),
        "conversations/c1",
        "unsupported",
        "turns",
    ),
    "a trail's line": (
        lambda old: last_line(old / ANN / "redactions.jsonl", lambda _: b"{}\n"),
        f"{ANN}/redactions.jsonl",
        "document_corrupt",
        "line 3",
    ),
    "a trail's time": (
        lambda old: last_line(old / ANN / "redactions.jsonl", lambda line: line.replace(b'Z"', b'"')),
        f"{ANN}/redactions.jsonl",
        "document_corrupt",
        "offset",
    ),
}


def _message(old, before, after):
    for file in (old / ANN / f"documents/{SOME_MESSAGE}.md", old / ANN / f"versions/{SOME_MESSAGE}.jsonl"):
        text = file.read_text()
        if file.suffix == ".jsonl":
            row = json.loads(text)
            row["content"] = row["content"].replace(before.decode(), after.decode(), 1)
            file.write_text(json.dumps(row) + "\n")
        else:
            edit(file, before, after)


@pytest.mark.parametrize("name", DAMAGES)
def test_what_does_not_fit_is_named_and_nothing_else_suffers(store, old, name):
    damage, file, code, words = DAMAGES[name]
    damage(old)
    found = take(store, old)
    assert len(found["skipped"]) == 1, found["skipped"]
    skipped = found["skipped"][0]
    assert skipped["path"] == (file or f"{ANN}/documents/{SOME_MESSAGE}.md")
    assert skipped["code"] == code, skipped
    assert skipped["message"].startswith(skipped["path"])
    assert words in skipped["message"], skipped["message"]
    assert [done["scope"] for done in found["scopes"]] == [USER, PROJECT]
    total = len(EXPECTED["scopes"][USER]["documents"])
    of_a_path = skipped["path"].endswith((".md", ".jsonl")) and "redactions" not in skipped["path"]
    lost = of_a_path and skipped["path"] not in {f"{ANN}/documents/{path}.md" for path in ("gone", "a b")}
    lost = lost and "messages/note" not in skipped["path"] and str(uuid.UUID(int=7)) not in skipped["path"]
    assert found["scopes"][0]["documents"] == total - lost
    assert verify.verify(store, None)["findings"] == []


# Each: a head of a document that was put there by hand, and its extra, or None where it is refused.
EXTRAS = [
    (b"n: 12\nx: 0x1f\nf: 1e3\nt: yes\nnothing: ~\n", {"n": 12, "x": 31, "f": "1e3", "t": True, "nothing": None}),
    (b"day: 2026-01-02\nat: 2026-01-02 03:04:05\n", {"day": "2026-01-02", "at": "2026-01-02 03:04:05"}),
    (b"s: &a [1, {k: v}]\nagain: *a\n", {"s": [1, {"k": "v"}], "again": [1, {"k": "v"}]}),
    (b"'quoted: key': \"\\u00e9\"\n", {"quoted: key": "é"}),
    (b"1: one\n", None),
    (b"yes: one\n", None),
    (b"a: 1\na: 2\n", None),
    (b"n: 99999999999999999999\n", None),
    (b"n: .nan\n", None),
    (b"n: -.inf\n", None),
    (b"n: !!binary aGVsbG8=\n", None),
    (b"n: !!set {a, b}\n", None),
    (b"n: !!python/name:os.system x\n", None),
    (b"n: &a [*a]\n", None),
    ((b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n"
     b"d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d]\n"), None),
    (b"deep: " + b"[" * 60 + b"]" * 60 + b"\n", None),
    (b"deeper: " + b"[" * 3000 + b"]" * 3000 + b"\n", None),
]  # fmt: skip


@pytest.mark.parametrize(("head", "extra"), EXTRAS, ids=range(len(EXTRAS)))
def test_keys_of_a_persons_own(store, old, head, extra):
    """A document that was put there by hand, in its first version, has no history to be compared with."""
    planted("by-hand.md", HEAD + head + b"---\nbody\n---\n")(old)
    found = take(store, old)
    if extra is None:
        assert [problem["code"] for problem in found["skipped"]] == ["document_corrupt"]
        return
    assert found["skipped"] == []
    document = document_of(store, USER, "by-hand")
    assert (document.version, document.content, document.extra) == (1, "body\n---\n", extra)
    assert (document.created_at, document.actor) == ("2026-01-02T03:04:05.000000Z", "unknown:unrecorded")


def test_names_that_trouble_the_old_store(store, old):
    """There a directory that ends in .md stands in the way of listings."""
    planted("z.md/y.md", HEAD + b"---\none")(old)
    planted("z.md/y.json.md", HEAD + b"---\ntwo")(old)
    assert take(store, old)["skipped"] == []
    assert document_of(store, USER, "z.md/y").content == "one"
    assert document_of(store, USER, "z.md/y.json").content == "two"


def test_bytes_of_any_kind(store, old):
    """NUL, line ends of all kinds and characters of many bytes come through as they are."""
    body = base64.b64decode("AA0KDQoKw6nigKgNDA==")
    planted("odd.md", HEAD + b"---\n" + body)(old)
    assert take(store, old)["skipped"] == []
    assert document_of(store, USER, "odd").content.encode() == body


def test_a_change_between_two_looks(store, old, monkeypatch):
    from neosian_cli.services import migration

    real = migration.restore

    def restore(*arguments, **options):
        edit(old / PLAIN, b"two", b"six")
        return real(*arguments, **options)

    monkeypatch.setattr(migration, "restore", restore)
    with pytest.raises(Failure) as caught:
        take(store, old, USER)
    assert caught.value.code == "document_corrupt"
    assert "changed while it was read" in caught.value.message
    assert not os.path.lexists(f"{store.root}/scopes")
