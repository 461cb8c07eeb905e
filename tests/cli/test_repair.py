"""`verify --repair-derived` through the real command: every kind of damage, what it says, and the answers after it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import uuid

import jsonschema
import pytest

from neosian_cli.app import main
from neosian_cli.commands.interface import document
from neosian_cli.signals import Signals
from neosian_cli.store import renewal
from neosian_cli.store.finding import INDEX, Target
from neosian_cli.store.root import Store
from neosian_cli.store.semantic import index
from neosian_cli.surroundings import Surroundings
from tests.cli.process import TOP, environment
from tests.cli.workspace import Workspace

STRUCK = (sys.executable, "-m", "tests.cli.struck")
SCOPE = "user:ann/proj:erp"
MAILBOX = "scopes/user%3Aann/proj%3Aerp/.mailbox/open.log"
DERIVED = "semantic/notes/derived"
REPAIR = ("verify", "--repair-derived", "--json")
QUESTIONS = (
    ("semantic", "search", "notes", "some words"),
    ("semantic", "search", "notes", '"words about"', "--mode", "sparse"),
    ("semantic", "search", "notes", "boats", "--mode", "hybrid", "--filter", "kind=b"),
    ("semantic", "list", "notes", "--include-invalidated"),
    ("semantic", "history", "notes", "a"),
    ("messages", "list", "--status", "all"),
    ("messages", "list"),
    ("memory", "list", "/project"),
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    made = Workspace(tmp_path_factory.mktemp("filled"))
    good(made, "memory", "write", "/project/notes/a", "--content", "one")
    for body in ("first", "second"):
        good(made, "messages", "send", "--target", "/project", "--body", body)
    good(made, "semantic", "create", "notes", "--provider", "fake", "--dimensions", "8", "--text-search", "simple")
    for name, text in (("a", "some words about boats"), ("b", "words about trains"), ("a", "other words about boats")):
        good(made, "semantic", "upsert", "notes", "--id", name, "--content", text, "--metadata", f"kind={name}")
    good(made, "semantic", "delete", "notes", "b")
    good(made, "semantic", "upsert", "notes", "--id", "c", "--content", "boats", "--metadata", "kind=b")
    many = made.folder / "many"
    many.write_text("".join(json.dumps({"id": f"n{at}", "content": f"number {at}"}) + "\n" for at in range(60)))
    good(made, "semantic", "upsert", "notes", "--records", str(many))
    assert good(made, "semantic", "reindex", "notes", "--index")["index"]["state"] == "current"
    return made, answers(made)


@pytest.fixture
def workspace(filled, tmp_path):
    made = Workspace(tmp_path)
    shutil.copytree(filled[0].root, made.root)
    return made


def door(workspace, *words):
    """Status, stdout and stderr of a command that runs in this process, through the real door."""
    out, err = workspace.folder / "out", workspace.folder / "err"
    mounts = [word for scope, name in (("user:ann", "user"), (SCOPE, "project")) for word in mount(scope, name)]
    chosen = mounts if words[0] in ("memory", "messages") else []
    with out.open("wb") as stdout, err.open("wb") as stderr:
        env = {"HOME": str(workspace.folder), "NEOSIAN_HOME": str(workspace.home), "LOGNAME": "ann"}
        given = Surroundings(env, stdout=stdout.fileno(), stderr=stderr.fileno())
        status = main([*words, *chosen], given, Signals())
    return status, out.read_bytes(), err.read_bytes()


def mount(scope, name):
    return "--mount", f"scope={scope},path={name}"


def good(workspace, *words):
    status, out, err = door(workspace, *words, "--json")
    assert status == 0, err
    return json.loads(out)


def answers(workspace):
    found = [good(workspace, *words) for words in QUESTIONS]
    for answer in found:
        answer.pop("cache", None)
    return found


def result(workspace, *words, status=0, real=False):
    """The result of `verify`, which ends with that status; `real` runs the program as a user does."""
    if real:
        done = workspace.run(*words)
        told = done.returncode, done.stdout, done.stderr
    else:
        told = door(workspace, *words)
    assert (told[0], told[2]) == (status, b""), told
    found = json.loads(told[1])
    jsonschema.validate(found, {**document(), "$ref": "#/$defs/result.verify"})
    return found


def truth(root):
    """Every byte that is not derived."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not any(part in str(path) for part in ("/derived/", "/.mailbox/", "/.transactions/"))
    }


def only(root, pattern):
    (found,) = (root / DERIVED).glob(pattern)
    return found


def flipped(path, at=None):
    """One bit changed: in the middle, or in the first of these bytes."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else data.index(at)] ^= 4
    path.write_bytes(data)


def short(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def newer(path):
    """The file as a later version would write it, its checksum in order."""
    from neosian_cli.store.seal import seal, unseal

    path.write_bytes(seal({**unseal(path.read_bytes()), "format": 2}))


def changed(path, *statements):
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def a_link(path):
    outside = next(parent for parent in path.parents if parent.name == "store").parent / "elsewhere"
    path.rename(outside)
    path.symlink_to(outside)


def a_fifo(path):
    path.unlink()
    os.mkfifo(path)


def newer_mailbox(path):
    import zlib

    body = path.read_bytes().split(b"\n")[0][9:].replace(b'"format":1', b'"format":2')
    path.write_bytes(b"%08x %s\n" % (zlib.crc32(body), body))


def rewritten(path, old, new):
    """Every row with other bytes in it, under good checksums."""
    import zlib

    running, lines = 0, []
    for line in path.read_bytes().splitlines():
        body = line[9:].replace(old, new)
        running = zlib.crc32(body, running)
        lines.append(b"%08x %s\n" % (running, body))
    path.write_bytes(b"".join(lines))


def mailbox_of_another_feed(path):
    rewritten(path, b'"stream":"', b'"stream":"0')


def wrong_about_a_message(path):
    rewritten(path, b'"read":false', b'"read":true')


MAILBOXES = {
    "gone": lambda path: path.unlink(),
    "short": short,
    "flipped": flipped,
    "empty": lambda path: path.write_bytes(b""),
    "of another feed": mailbox_of_another_feed,
    "behind": lambda path: path.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[:-2]) + b"\n"),
    "newer": newer_mailbox,
    "wrong": wrong_about_a_message,
    "a link": a_link,
    "a fifo": a_fifo,
}


def meta(name, value):
    return lambda root: changed(only(root, "catalogue-*"), f"UPDATE meta SET value = {value} WHERE name = '{name}'")


CATALOGUES = {
    "pointer flipped": lambda root: flipped(only(root, "catalogue.json")),
    "pointer short": lambda root: short(only(root, "catalogue.json")),
    "pointer newer": lambda root: newer(only(root, "catalogue.json")),
    "pointer a link": lambda root: a_link(only(root, "catalogue.json")),
    "gone": lambda root: only(root, "catalogue-*.sqlite").unlink(),
    "short": lambda root: short(only(root, "catalogue-*.sqlite")),
    "flipped": lambda root: flipped(only(root, "catalogue-*.sqlite"), b"kind"),
    "empty": lambda root: only(root, "catalogue-*.sqlite").write_bytes(b""),
    "a fifo": lambda root: a_fifo(only(root, "catalogue-*.sqlite")),
    "newer": meta("format", 2),
    "of another history": meta("chain", "'0'"),
    "of another stream": meta("stream", "'x'"),
    "of another generation": meta("generation", 9),
    "ahead": meta("sequence", 99),
    "miscounted": meta("records", 9),
    "wrong about a version": lambda root: changed(only(root, "catalogue-*"), "UPDATE version SET valid_to = 1"),
    "without a pair": lambda root: changed(only(root, "catalogue-*"), "DELETE FROM pair WHERE value = 'b'"),
    "without a change": lambda root: changed(only(root, "catalogue-*"), "DELETE FROM change"),
    "without words": lambda root: changed(
        only(root, "catalogue-*"), "INSERT INTO word (word, rowid, words) VALUES ('delete', 1, 'some words')"
    ),
    "with a word too many": lambda root: changed(
        only(root, "catalogue-*"), "INSERT INTO word (rowid, words) VALUES (99, 'boats')"
    ),
}  # fmt: skip
INDEXES = {
    "manifest flipped": lambda root: flipped(only(root, "index.json")),
    "manifest short": lambda root: short(only(root, "index.json")),
    "manifest newer": lambda root: newer(only(root, "index.json")),
    "gone": lambda root: only(root, "index-*.hnsw").unlink(),
    "short": lambda root: short(only(root, "index-*.hnsw")),
    "flipped": lambda root: flipped(only(root, "index-*.hnsw")),
    "a link": lambda root: a_link(only(root, "index-*.hnsw")),
}
CACHES = {
    "short": lambda root: short(only(root, "cache.sqlite")),
    "no database": lambda root: only(root, "cache.sqlite").write_bytes(b"no database at all" * 100),
    "of another shape": lambda root: changed(only(root, "cache.sqlite"), "DROP TABLE embedding"),
    "a fifo": lambda root: a_fifo(only(root, "cache.sqlite")),
    "with a damaged vector": lambda root: changed(
        only(root, "cache.sqlite"), "UPDATE embedding SET vector = zeroblob(32) WHERE number = 1"
    ),
    "with vectors that are texts": lambda root: changed(
        only(root, "cache.sqlite"), "UPDATE embedding SET vector = 'x'"
    ),
    "with a key that is no text": lambda root: changed(
        only(root, "cache.sqlite"), "UPDATE embedding SET key = x'00ff', vector = x'00' WHERE number = 1"
    ),
}
ALL = {
    **{f"mailbox {name}": lambda root, hurt=hurt: hurt(root / MAILBOX) for name, hurt in MAILBOXES.items()},
    **{f"catalogue {name}": hurt for name, hurt in CATALOGUES.items()},
    **{f"index {name}": hurt for name, hurt in INDEXES.items()},
    **{f"cache {name}": hurt for name, hurt in CACHES.items()},
}


@pytest.mark.parametrize("name", CACHES)
def test_a_damaged_cache_changes_no_answer(filled, workspace, name):
    CACHES[name](workspace.root)
    assert answers(workspace) == filled[1]


@pytest.mark.parametrize("name", ALL)
def test_damage_is_found_and_repaired_and_nothing_else_changes(filled, workspace, name):
    root = workspace.root
    ALL[name](root)
    before = truth(root)
    fault = name.startswith("mailbox") or "a link" in name or "a fifo" in name
    found = result(workspace, "verify", "--json", status=9 if fault else 0)
    assert found["findings"]
    assert all(finding["derived"] for finding in found["findings"])
    assert "repaired" not in found
    repaired = result(workspace, *REPAIR, real=True)
    assert (repaired["ok"], repaired["findings"]) == (True, [])
    assert [{key: each[key] for key in found["findings"][0]} for each in repaired["repaired"]] == found["findings"]
    done = "dropped" if name.startswith("cache") else "made anew"
    assert {each["repair"] for each in repaired["repaired"]} == {done}
    assert result(workspace, "verify", "--json")["findings"] == []
    assert truth(root) == before
    assert answers(workspace) == filled[1]
    assert not list((root / ".transactions").iterdir())


@pytest.mark.parametrize("gone", ["catalogue.json", "catalogue-*", "index.json", "*"])
def test_what_is_missing_is_made_too(filled, workspace, gone):
    """Missing is no finding of `verify`, as the next use would make it; here it is made now."""
    for path in (workspace.root / DERIVED).glob(gone):
        path.unlink()
    if gone == "catalogue.json":
        assert result(workspace, "verify", "--json")["findings"] == []
    repaired = result(workspace, *REPAIR)["repaired"]
    assert [each["path"] for each in repaired] == [
        f"{DERIVED}/index.json" if gone == "index.json" else f"{DERIVED}/catalogue.json"
    ]
    assert (workspace.root / DERIVED / "catalogue.json").exists()
    assert answers(workspace) == filled[1]


def test_a_catalogue_that_is_behind_is_made_anew(filled, workspace):
    """As a kill between the commit and the catalogue leaves it."""
    kept = only(workspace.root, "catalogue-*").read_bytes()
    good(workspace, "semantic", "upsert", "notes", "--id", "d", "--content", "late")
    name = only(workspace.root, "catalogue-*.sqlite")
    for path in (workspace.root / DERIVED).glob("catalogue-*"):
        path.unlink()
    name.write_bytes(kept)
    name.chmod(0o600)
    assert result(workspace, "verify", "--json")["findings"] == []
    (repaired,) = result(workspace, *REPAIR)["repaired"]
    assert repaired["message"] == "names a catalogue that is behind the log"
    assert good(workspace, "semantic", "get", "notes", "d")["records"][0]["content"] == "late"


def test_damaged_truth_stays_a_finding_beside_what_is_repaired(workspace):
    path = workspace.root / "scopes/user%3Aann/proj%3Aerp/documents/notes/a.json"
    path.write_bytes(path.read_bytes().replace(b"one", b"six"))
    short(workspace.root / MAILBOX)
    flipped(only(workspace.root, "catalogue.json"))
    before = truth(workspace.root)
    found = result(workspace, *REPAIR, status=9)
    assert found["ok"] is False
    assert [(each["code"], each["derived"]) for each in found["findings"]] == [("document_corrupt", False)]
    assert {each["path"] for each in found["repaired"]} == {MAILBOX, f"{DERIVED}/catalogue.json"}
    assert truth(workspace.root) == before


def test_what_cannot_be_made_from_damaged_truth_stays_a_finding(workspace):
    flipped(workspace.root / "scopes/user%3Aann/proj%3Aerp/.changes/stream.json")
    short(workspace.root / MAILBOX)
    flipped(workspace.root / "semantic/notes/log.json")
    short(only(workspace.root, "catalogue.json"))
    before = truth(workspace.root)
    found = result(workspace, *REPAIR, status=9)
    assert {each["path"] for each in found["findings"]} >= {MAILBOX}
    assert found["repaired"] == []
    assert truth(workspace.root) == before


def test_only_what_was_chosen_is_repaired(workspace):
    short(workspace.root / MAILBOX)
    flipped(only(workspace.root, "catalogue.json"))
    flipped(only(workspace.root, "index.json"))
    found = result(workspace, *REPAIR, "--namespace", "notes")
    assert {each["path"] for each in found["repaired"]} == {f"{DERIVED}/catalogue.json", f"{DERIVED}/index.json"}
    assert [each["path"] for each in result(workspace, *REPAIR, "--scope", SCOPE)["repaired"]] == [MAILBOX]
    assert result(workspace, *REPAIR)["repaired"] == []


def test_people_are_told_what_to_type_and_what_was_done(workspace):
    short(workspace.root / MAILBOX)
    workspace.root.rename(workspace.folder / "another store")
    root = str(workspace.folder / "another store")
    done = workspace.run("verify", "--root", root)
    assert done.returncode == 9
    hint = done.stderr.decode().splitlines()[-1]
    assert hint == f"hint: neosian verify --root '{root}' --repair-derived"
    command = hint.removeprefix("hint: neosian ")
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann")
    typed = subprocess.run(
        f"{sys.executable} -m neosian_cli {command}", shell=True, env=env, cwd=TOP, capture_output=True, check=True
    )
    lines = typed.stdout.decode().splitlines()
    assert lines[0] == f"repaired\tdocument_corrupt\t{MAILBOX}\tdoes not end with a whole line; made anew"
    assert lines[1].startswith("good: ")
    assert typed.stderr == b""


def test_no_store_is_made_and_a_refused_plan_stays(workspace, tmp_path):
    assert result(workspace, *REPAIR, "--root", str(tmp_path / "none"))["repaired"] == []
    assert not (tmp_path / "none").exists()
    plan = workspace.root / ".transactions/pending.json"
    plan.write_bytes(b'{"checksum":"nonsense"}')
    plan.chmod(0o600)
    short(workspace.root / MAILBOX)
    found = result(workspace, *REPAIR, status=9)
    assert [each["code"] for each in found["findings"]] == ["plan_refused"]
    assert found["repaired"] == []
    assert plan.read_bytes() == b'{"checksum":"nonsense"}'


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_root_that_may_not_be_written(workspace):
    short(workspace.root / MAILBOX)
    (workspace.root / ".lock").chmod(0o400)
    done = workspace.run(*REPAIR)
    assert json.loads(done.stderr)["error"]["code"] == "permission_denied"
    assert (done.returncode, done.stdout) == (6, b"")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_read_only_file_system_is_refused_before_all_is_read(workspace):
    short(workspace.root / MAILBOX)
    point = workspace.folder / "mounted"
    point.mkdir()
    bound = subprocess.run(["mount", "--bind", workspace.root, point], capture_output=True, check=False)
    if bound.returncode:
        pytest.skip(f"cannot mount: {bound.stderr.decode().strip()}")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", point], capture_output=True, check=True)
        done = workspace.run(*REPAIR, "--root", str(point))
        found = result(workspace, "verify", "--json", "--root", str(point), status=9)
    finally:
        subprocess.run(["umount", point], check=True)
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, done.stdout, error["code"]) == (6, b"", "read_only")
    assert [each["path"] for each in found["findings"]] == [MAILBOX]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("step", [1, 4, 8, 12, 18, 26])
def test_stopped_anywhere_it_leaves_a_good_store(filled, workspace, step, number):
    short(workspace.root / MAILBOX)
    short(only(workspace.root, "catalogue-*"))
    flipped(only(workspace.root, "index-*"))
    short(only(workspace.root, "cache.sqlite"))
    before = truth(workspace.root)
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann")
    words = [*STRUCK, str(step), str(int(number)), *REPAIR]
    done = subprocess.run(words, cwd=TOP, env=env, capture_output=True, timeout=120, check=False)
    assert b"Traceback" not in done.stderr
    if number != signal.SIGKILL and done.returncode:
        assert (done.returncode, done.stdout) == (128 + number, b"")
        error = json.loads(done.stderr)["error"]
        assert error["code"] == "interrupted"
        told = error["details"].get("repaired", [])
        assert error["details"]["committed"] is bool(told)
        assert "repaired" in error["message"]
        assert error["hint"] == ("the same command goes on" if told else "the same command begins anew")
    assert truth(workspace.root) == before
    left = result(workspace, *REPAIR)
    assert (left["ok"], left["findings"]) == (True, [])
    assert result(workspace, "verify", "--json")["findings"] == []
    assert answers(workspace) == filled[1]


def test_an_index_that_another_repair_has_named_stays(filled, monkeypatch):
    """The slower of two repairs has its own graph thrown away, and leaves the one that stands."""
    workspace, before = filled
    store = Store(str(workspace.root), now=lambda: time.time_ns() // 1000, new_id=lambda: str(uuid.uuid4()))
    named = []

    def slower(tree, namespace, manifest, new_id):
        tree.remove(f"{DERIVED}/{manifest.file}")
        return publish(tree, namespace, manifest, new_id)

    publish = index.publish
    flipped(only(workspace.root, "index-*"))
    built = renewal.construction.build

    def built_slowly(view, ef, advance):
        monkeypatch.setattr(renewal.construction, "build", built)
        renewal.renew(store, Target(INDEX, "notes"), [], lambda _: 1600)
        named.append(only(workspace.root, "index-*"))
        monkeypatch.setattr(index, "publish", slower)
        return built(view, ef, advance)

    monkeypatch.setattr(renewal.construction, "build", built_slowly)
    renewal.renew(store, Target(INDEX, "notes"), [], lambda _: 1600)
    assert [only(workspace.root, "index-*")] == named
    assert answers(workspace) == before


def test_readers_and_writers_go_on_beside_it(workspace):
    """They see good answers all the while, and what they write is there afterwards."""
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann")
    program = [sys.executable, "-m", "neosian_cli"]

    def start(*words):
        return subprocess.Popen(
            [*program, *words, "--lock-timeout", "60", "--json"],
            cwd=TOP, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    for turn in range(2):
        short(workspace.root / MAILBOX)
        short(only(workspace.root, "catalogue-*.sqlite"))
        flipped(only(workspace.root, "index-*"))
        scope = ("--mount", f"scope={SCOPE},path=project")
        running = [
            start("verify", "--repair-derived"),
            start("semantic", "upsert", "notes", "--id", f"x{turn}", "--content", "beside"),
            start("semantic", "search", "notes", "boats", "--mode", "hybrid"),
            start("messages", "send", *scope, "--body", f"beside {turn}"),
            start("verify", "--repair-derived"),
        ]
        for child in running:
            out, told = child.communicate(timeout=120)
            assert child.returncode == 0, told
            assert json.loads(out)
        left = result(workspace, *REPAIR)
        assert (left["ok"], left["findings"]) == (True, [])
    assert result(workspace, "verify", "--json")["checked"]["messages"] == 4
    assert len(good(workspace, "semantic", "get", "notes", "x0", "x1")["records"]) == 2
