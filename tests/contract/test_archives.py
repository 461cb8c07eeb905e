"""Archives of scopes through the services: what comes back, what is refused, what an erasure in the middle does."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager

import pytest

from neosian_cli.disk.calls import Calls
from neosian_cli.errors import Failure
from neosian_cli.journal import plan
from neosian_cli.model import mount as mounts
from neosian_cli.services import archive, verify
from neosian_cli.services.archive import Choice, Tally
from neosian_cli.store import feed, log, restoration, snapshot
from neosian_cli.store.root import Store
from tests.contract.files import Files
from tests.contract.mailroom import Counted
from tests.samples import Clock

ME, PROJECT = mounts.make("user", "user:me"), mounts.make("project", "user:me/proj:erp")
ALL = Choice()
SECRET = "the secret that goes"


class Place(Files):
    """A root whose syncs are not waited for."""

    def __init__(self, root, clock):
        super().__init__(str(root), clock)
        self.calls = Counted()

    def put(self, mount, path, content, **more):
        return self.write(mount, path, content, actor="cli:me", **more)

    def export(self, to, choice=ALL, **options):
        return archive.export(self.store, str(to), choice, Tally(), **options)

    def take(self, from_, choice=ALL, **options):
        return archive.import_archive(self.store, str(from_), choice, Tally(), **options)

    def state(self, mount):
        """What a user can see of a mount, histories included."""
        entries = self.everything(mount)
        paths = {entry["path"] for entry in entries} | {"gone", "moved", "note"}
        seen = {}
        for path in sorted(paths):
            try:
                seen[path] = self.history(mount, path)
            except Failure as failure:
                seen[path] = failure.code
        return entries, seen

    def head(self, mount):
        with self.store.reading() as tree:
            return feed.read_head(tree, mount.scope)

    def verified(self):
        found = verify.verify(self.store, None)
        assert found["findings"] == []
        return found["checked"]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def source(tmp_path, clock):
    place = Place(tmp_path / "source", clock)
    place.put(ME, "note", "one")
    place.put(ME, "note", "two", extra={"k": "v"})
    place.put(ME, "x.json/y", "in a directory that looks like a file")
    place.put(ME, "gone", "soon")
    place.delete(ME, "gone", actor="cli:you")
    place.put(ME, "moving", "along")
    place.rename(ME, "moving", ME, "moved", actor="cli:me")
    place.put(ME, "secret", SECRET)
    place.erase(ME, "secret", actor="cli:ops", apply=True)
    place.put(PROJECT, "note", "of the project\n" * 1000)
    return place


@pytest.fixture
def target(tmp_path, clock):
    return Place(tmp_path / "target", clock)


def refused(act, code, **details):
    with pytest.raises(Failure) as caught:
        act()
    assert caught.value.code == code, caught.value.message
    assert details.items() <= caught.value.details.items()
    return caught.value


def files_of(place):
    return {path: path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def test_there_and_back(source, target, tmp_path):
    exported = source.export(tmp_path / "archive")
    assert exported == {
        "scopes": [
            {"scope": "user:me", "documents": 4, "versions": 9, "erasures": 1},
            {"scope": "user:me/proj:erp", "documents": 1, "versions": 1, "erasures": 0},
        ],
        "namespaces": [],
        "unreadable": [],
    }
    copy = Place(tmp_path / "archive", source.now)
    checked = copy.verified()
    assert (checked["scopes"], checked["documents"], checked["versions"], checked["events"]) == (2, 5, 10, 2)
    imported = target.take(tmp_path / "archive")
    assert imported == {"scopes": exported["scopes"], "namespaces": [], "skipped": []}
    target.verified()
    for mount in (ME, PROJECT):
        assert source.state(mount) == copy.state(mount) == target.state(mount)
        assert target.feed(mount) == [{"kind": feed.SCOPE_RESET, "reason": feed.RESTORED}]
        assert len({place.head(mount).stream for place in (source, copy, target)}) == 3
    assert not target.holds(SECRET)


def test_an_archive_is_a_store_to_go_on_with(source, tmp_path):
    source.export(tmp_path / "archive")
    copy = Place(tmp_path / "archive", source.now)
    assert copy.put(ME, "note", "three")["version"] == 3
    assert copy.put(ME, "gone", "again")["version"] == 3
    copy.erase(ME, "moved", actor="cli:ops", apply=True)
    assert [event["kind"] for event in copy.feed(ME)][1:] == [feed.MODIFIED, feed.CREATED, feed.ERASED]
    copy.verified()
    source.export(tmp_path / "other")
    copy.export(tmp_path / "again")
    Place(tmp_path / "again", source.now).verified()


def test_versions_of_an_archive_name_no_event(source, tmp_path):
    source.export(tmp_path / "archive")
    lines = [
        json.loads(line) for path in (tmp_path / "archive").rglob("*.jsonl") for line in path.read_bytes().splitlines()
    ]
    assert len(lines) == 11
    assert {line["sequence"] for line in lines} == {0}


def test_a_version_without_an_event_is_a_fault_where_nothing_was_restored(source, tmp_path):
    source.export(tmp_path / "archive")
    scope = "scopes/user%3Ame"
    for name in ("versions/note.jsonl", "documents/note.json", "erasures.jsonl"):
        shutil.copyfile(tmp_path / "archive" / scope / name, tmp_path / "source" / scope / name)
    messages = [finding["message"] for finding in verify.verify(source.store, None)["findings"]]
    assert any("version 1 names no event, though it did not come with an archive" in message for message in messages)
    assert any(message.startswith("names no event") for message in messages)


def test_only_what_was_chosen(source, target, tmp_path):
    assert [done["scope"] for done in source.export(tmp_path / "one", Choice((PROJECT.scope,)))["scopes"]] == [
        PROJECT.scope
    ]
    source.export(tmp_path / "both")
    assert [done["scope"] for done in target.take(tmp_path / "both", Choice((ME.scope,)))["scopes"]] == [ME.scope]
    assert target.everything(PROJECT) == []
    target.take(tmp_path / "one")
    target.verified()


@pytest.mark.parametrize("act", ["export", "take"])
def test_a_scope_that_is_not_there(source, target, tmp_path, act):
    source.export(tmp_path / "archive")
    acts = {
        "export": lambda: source.export(tmp_path / "new", Choice(("user:nobody",))),
        "take": lambda: target.take(tmp_path / "archive", Choice(("user:nobody",))),
    }
    refused(acts[act], "not_found", scope="user:nobody")
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("kind", ["full", "file", "store", "dangling"])
def test_an_occupied_directory(source, tmp_path, kind):
    place = tmp_path / "there"
    if kind == "file":
        place.write_text("mine")
    elif kind == "dangling":
        place.symlink_to(tmp_path / "nowhere")
    else:
        place.mkdir()
        (place / ("store.json" if kind == "store" else "mine")).write_text("mine")
    refused(lambda: source.export(place), "conflict", reason="target_occupied")
    if place.is_dir():
        assert len(list(place.iterdir())) == 1


def test_an_empty_directory_will_do(source, tmp_path):
    (tmp_path / "empty").mkdir(mode=0o700)
    source.export(tmp_path / "empty")
    Place(tmp_path / "empty", source.now).verified()


@pytest.mark.parametrize("used", ["document", "deleted", "erasures", "stream", "mailbox"])
def test_a_scope_that_was_used(source, target, tmp_path, used):
    source.export(tmp_path / "archive")
    scope = tmp_path / "target" / "scopes" / "user%3Ame" / "proj%3Aerp"
    target.put(mounts.make("other", "user:other"), "a", "b")
    if used in ("document", "deleted"):
        target.put(PROJECT, "a", "b")
        if used == "deleted":
            target.delete(PROJECT, "a", actor="cli:me")
    else:
        names = {"erasures": "erasures.jsonl", "stream": ".changes/stream.json", "mailbox": ".mailbox/open.log"}
        (scope / names[used]).parent.mkdir(parents=True)
        (scope / names[used]).write_bytes(b"")
    before = files_of(tmp_path / "target")
    refused(lambda: target.take(tmp_path / "archive"), "conflict", reason="target_occupied", scope=PROJECT.scope)
    assert files_of(tmp_path / "target") == before


def test_a_scope_below_or_above_a_used_one_is_free(source, target, tmp_path):
    source.export(tmp_path / "archive")
    target.put(ME, "a", "b")
    target.take(tmp_path / "archive", Choice((PROJECT.scope,)))
    target.verified()


def test_the_store_itself_and_what_lies_within(source, tmp_path):
    inside, around = f"{source.root}/inside", str(tmp_path)
    for directory in (source.root, inside, around, f"{source.root}/../source"):
        refused(lambda: source.export(directory), "invalid_argument")  # noqa: B023
        refused(lambda: source.take(directory), "invalid_argument")  # noqa: B023
    (tmp_path / "link").symlink_to(source.root)
    refused(lambda: source.take(tmp_path / "link"), "invalid_argument")


def test_what_is_no_archive(target, tmp_path):
    refused(lambda: target.take(tmp_path / "missing"), "not_found")
    (tmp_path / "empty").mkdir()
    refused(lambda: target.take(tmp_path / "empty"), "not_a_store")
    refused(lambda: target.export(tmp_path / "new"), "not_found")
    assert not (tmp_path / "target").exists()


def test_an_archive_of_nothing(tmp_path, source, target):
    shutil.rmtree(tmp_path / "source" / "scopes")
    assert source.export(tmp_path / "archive") == {"scopes": [], "namespaces": [], "unreadable": []}
    assert target.take(tmp_path / "archive") == {"scopes": [], "namespaces": [], "skipped": []}
    assert not (tmp_path / "target").exists()


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


DAMAGED = [
    "documents/note.json",
    "versions/note.jsonl",
    "versions/gone.jsonl",
    "erasures.jsonl",
    ".changes/stream.json",
    ".changes/00000000000000000001.seg",
]


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_archive_is_refused_whole(source, target, tmp_path, name):
    source.export(tmp_path / "archive")
    file = f"scopes/user%3Ame/{name}"
    flip(tmp_path / "archive" / file)
    failure = refused(lambda: target.take(tmp_path / "archive"), _code(name), file=file)
    assert file in failure.message
    assert not (tmp_path / "target").exists()


def test_damage_in_the_last_scope_is_found_before_the_first_is_written(source, target, tmp_path):
    source.export(tmp_path / "archive")
    flip(tmp_path / "archive" / "scopes/user%3Ame/proj%3Aerp/versions/note.jsonl")
    refused(lambda: target.take(tmp_path / "archive"), "document_corrupt")
    assert not (tmp_path / "target").exists()


def _code(name):
    return "feed_corrupt" if name.startswith(".changes") else "document_corrupt"


@pytest.mark.parametrize("name", DAMAGED[:4])
def test_an_export_is_never_thinner_than_it_says(source, tmp_path, name):
    flip(tmp_path / "source" / "scopes/user%3Ame" / name)
    failure = refused(
        lambda: source.export(tmp_path / "archive"), "document_corrupt", archive=str(tmp_path / "archive")
    )
    assert name in failure.message
    assert not (tmp_path / "archive" / "store.json").exists()


@pytest.mark.parametrize("name", DAMAGED[:4])
def test_what_is_damaged_can_be_left_out(source, target, tmp_path, name):
    flip(tmp_path / "source" / "scopes/user%3Ame" / name)
    found = source.export(tmp_path / "archive", lenient=True)
    assert [problem["code"] for problem in found["unreadable"]] == ["document_corrupt"]
    assert name in found["unreadable"][0]["message"]
    Place(tmp_path / "archive", source.now).verified()
    target.take(tmp_path / "archive")
    kept = {entry["path"] for entry in target.everything(ME)}
    assert kept == {"moved", "note", "secret", "x.json/y"} - ({"note"} if name == "versions/note.jsonl" else set())


@pytest.mark.parametrize("name", DAMAGED[4:])
def test_an_export_is_the_way_out_of_a_damaged_feed(source, target, tmp_path, name):
    state = source.state(ME)
    flip(tmp_path / "source" / "scopes/user%3Ame" / name)
    source.export(tmp_path / "archive")
    target.take(tmp_path / "archive")
    target.verified()
    assert target.state(ME) == state


def test_what_is_written_meanwhile_is_not_in_it(source, tmp_path, monkeypatch):
    """Every history as it stood at the first look, though it grows before it is read."""
    monkeypatch.setattr(snapshot, "AT_ONCE", 1)
    written = []

    def write_on(*_):
        if not written:
            written.append(source.put(ME, "x.json/y", "later"))
            source.put(ME, "zzz", "new")

    state = source.state(ME)
    source.export(tmp_path / "archive", advance=write_on)
    assert written
    copy = Place(tmp_path / "archive", source.now)
    copy.verified()
    assert copy.state(ME) == state


def test_an_erasure_in_the_middle_begins_anew(source, tmp_path, monkeypatch):
    monkeypatch.setattr(snapshot, "AT_ONCE", 1)
    monkeypatch.setattr(restoration, "SLICE", 2)
    source.put(ME, "aaa", SECRET)
    erased = []

    def erase(*_):
        if not erased:
            erased.append(source.erase(ME, "aaa", actor="cli:ops", apply=True))

    found = source.export(tmp_path / "archive", advance=erase)
    assert found["scopes"][0]["erasures"] == 2
    copy = Place(tmp_path / "archive", source.now)
    assert not copy.holds(SECRET)
    copy.verified()
    assert copy.state(ME) == source.state(ME)


@pytest.mark.parametrize("act", ["export", "take"])
def test_after_too_many_erasures_the_lock_is_held_throughout(source, target, tmp_path, monkeypatch, act):
    monkeypatch.setattr(snapshot, "AT_ONCE", 1)
    for number in range(9):
        source.put(ME, f"a{number}", SECRET)
    erased = []

    def erase(*_):
        store = source.store
        store.lock_timeout = 0
        with pytest.raises(Failure) if len(erased) == archive.TRIES else nothing():
            archive_erase(store, f"a{len(erased)}")
            erased.append(1)

    acts = {"export": lambda: source.export(tmp_path / "out", Choice((ME.scope,)), advance=erase), "take": lambda: None}
    if act == "take":
        target.take(source.root, Choice((ME.scope,)), advance=erase)
    acts[act]()
    assert len(erased) == archive.TRIES
    copy = Place(tmp_path / "out", source.now) if act == "export" else target
    copy.verified()
    assert copy.state(ME) == source.state(ME)


@contextmanager
def nothing():
    yield


def archive_erase(store, path):
    from neosian_cli.services import memory_erasure

    memory_erasure.erase(store, ME, path, actor="cli:ops", apply=True)


def test_many_files_are_written_in_slices_and_staged(source, target, tmp_path, monkeypatch):
    monkeypatch.setattr(restoration, "SLICE", 3)
    monkeypatch.setattr(restoration, "BUDGET", 600)
    for number in range(20):
        source.put(PROJECT, f"many/{number}", f"{number}")
    source.export(tmp_path / "archive")
    copy = Place(tmp_path / "archive", source.now)
    copy.verified()
    target.take(tmp_path / "archive")
    target.verified()
    assert source.state(PROJECT) == copy.state(PROJECT) == target.state(PROJECT)


def test_a_scope_of_more_files_than_a_plan_can_name(source, target, tmp_path, monkeypatch):
    source.export(tmp_path / "archive")
    monkeypatch.setattr(plan, "MAX_BYTES", 3000)
    failure = refused(lambda: target.take(tmp_path / "archive"), "unsupported")
    assert failure.hint.endswith(f"--root {tmp_path / 'archive'}")
    monkeypatch.undo()
    assert target.everything(ME) == target.everything(PROJECT) == []
    target.take(tmp_path / "archive")
    target.verified()


class Stopped(BaseException):
    pass


class Stop(Calls):
    """Stops, or fails, at one call that changes something."""

    def __init__(self, at, error=None):
        self.at = at
        self.error = error
        self.count = 0


def _counted(name):
    def call(self, *arguments):
        self.count += 1
        if self.count == self.at or (self.count > self.at and self.error is None):
            raise self.error or Stopped
        return None if name.startswith("sync") else getattr(super(Stop, self), name)(*arguments)

    return call


for _name in [name for name in vars(Calls) if not name.startswith("_")]:
    setattr(Stop, _name, _counted(_name))


def steps_of(act):
    calls = Stop(1 << 30)
    act(calls)
    return calls.count


@pytest.mark.parametrize("error", [None, OSError(28, "No space left on device")], ids=["stopped", "full"])
def test_an_export_that_ends_early_leaves_nothing_that_looks_whole(source, tmp_path, monkeypatch, error):
    monkeypatch.setattr(restoration, "SLICE", 3)

    def export(calls, name):
        store = source.store
        store.calls = calls
        archive.export(store, str(tmp_path / name), ALL, Tally())

    whole = 0
    count = steps_of(lambda calls: export(calls, "whole"))
    assert count > 60
    for at in range(1, count + 1):
        directory = tmp_path / str(at)
        before = open_descriptors()
        with pytest.raises(Stopped if error is None else Failure) as caught:
            export(Stop(at, error), str(at))
        # The exception is still held, with all its frames: whatever it kept open would be so.
        assert open_descriptors() == before
        if error is not None:
            assert caught.value.code == "io_error"
        copy = Place(directory, source.now)
        with copy.store.reading() as tree:
            if not tree.exists:
                continue
        whole += 1
        assert copy.verified()["documents"] == 5
        assert copy.state(ME) == source.state(ME)
    assert 0 < whole < 10


def open_descriptors():
    return len(os.listdir("/proc/self/fd"))


def test_an_import_that_ends_early_has_whole_scopes_only(source, target, tmp_path):
    source.export(tmp_path / "archive")

    def take(calls, name):
        store = Store(str(tmp_path / name), now=source.now, new_id=source.store.new_id, calls=calls)
        archive.import_archive(store, str(tmp_path / "archive"), ALL, Tally())

    states = {mount: source.state(mount) for mount in (ME, PROJECT)}
    seen = set()
    for at in range(1, steps_of(lambda calls: take(calls, "whole")) + 1):
        with pytest.raises(Stopped):
            take(Stop(at), str(at))
        place = Place(tmp_path / str(at), source.now)
        with place.store.reading() as tree:
            there = tuple(feed.read_head(tree, mount.scope) is not None for mount in (ME, PROJECT))
        for mount, made in zip((ME, PROJECT), there, strict=True):
            if made:
                assert place.state(mount) == states[mount]
        if any(there):
            place.put(mounts.make("other", "user:other"), "sweeps", "x")
            place.verified()
        seen.add(there)
    assert seen == {(False, False), (True, False), (True, True)}


def test_a_failure_tells_how_far_it_came(source, tmp_path):
    source.export(tmp_path / "archive")
    tally = Tally()

    def break_it(_done, total):
        if total > 6:
            raise Failure("io_error", "enough")

    with pytest.raises(Failure):
        archive.import_archive(
            Place(tmp_path / "target", source.now).store, str(tmp_path / "archive"), ALL, tally, advance=break_it
        )
    assert tally.told(1) == {"scopes": [ME.scope], "namespaces": []}


def test_a_cursor_of_the_source_is_of_another_stream(source, target, tmp_path):
    source.export(tmp_path / "archive")
    target.take(tmp_path / "archive")
    head = source.head(ME)
    with source.store.reading() as tree:
        chain = log.Reader(tree, feed.log_of(ME.scope), head).chain_at(1)
    assert chain != target.head(ME).head_chain
    assert target.head(ME).head == 1
