"""The states that a feed can be in, as a reader and a pruner meet them.

P(n) is the cursor at sequence n, F the last pruned sequence, H the head.
"""

from __future__ import annotations

import shutil

import pytest

from neosian_cli.model.cursor import Cursor
from neosian_cli.store.log import genesis
from tests.cli.feed import MOUNT, Feed, kinds, sequences
from tests.samples import SCOPE

STRANGER = Cursor(SCOPE, "11111111-2222-4333-8444-555555555555", 3, genesis("x")).encode()
"""A good cursor of the scope, of a stream that never was here."""


@pytest.fixture
def feed(tmp_path):
    return Feed(tmp_path / "store")


@pytest.fixture
def five(feed):
    """H=5: the marker, and four documents."""
    feed.write("a", "b", "c", "d")
    return feed


def position(feed, page):
    """Cursor, head and earliest cursor as sequences, after a look at the keys."""
    assert [key for key in page if key != "source"] == [
        "format", "path", "scope", "stream", "events", "cursor", "head_cursor", "earliest_cursor", "has_more", "gap",
    ]  # fmt: skip
    assert (page["format"], page["path"], page["scope"]) == (1, MOUNT, SCOPE)
    head = feed.head
    assert page["stream"] == (head.stream if head else None)
    known = {None: None}
    if head:
        known |= {feed.cursor(number): number for number in range(head.floor, head.head + 1)}
    return tuple(known[page[key]] for key in ("cursor", "head_cursor", "earliest_cursor"))


def check_gap(feed, page, gap, where):
    assert (page["gap"], page["events"], page["has_more"]) == (gap, [], False)
    assert position(feed, page) == where


NOWHERE = (None, None, None)


@pytest.mark.parametrize("words", [(), ("--from", "start"), ("--from", "now")], ids=" ".join)
def test_never_written(feed, words):
    check_gap(feed, feed.read(*words, status=3), "untracked", NOWHERE)
    assert not feed.root.exists()


def test_never_written_and_a_cursor(feed):
    check_gap(feed, feed.read("--cursor", STRANGER, status=3), "stream_reset", NOWHERE)


def test_what_changes_nothing_begins_no_stream(feed):
    feed.refused("delete", f"{MOUNT}/a", group="memory", status=5, code="not_found")
    feed.run("erase", MOUNT, "--all", "--write", group="memory")
    check_gap(feed, feed.read(status=3), "untracked", NOWHERE)


def test_the_first_write(feed):
    feed.write("a")
    page = feed.read()
    assert sequences(page) == [1, 2]
    assert kinds(page) == ["scope_reset", "document_created"]
    assert page["events"][0]["reason"] == "tracking_started"
    assert position(feed, page) == (2, 2, 0)
    assert (page["has_more"], page["gap"]) == (False, None)


def test_the_first_write_page_by_page(feed):
    feed.write("a")
    page = feed.read("--limit", "1")
    assert sequences(page) == [1]
    assert page["has_more"] is True
    assert position(feed, page) == (1, 2, 0)
    again = feed.read("--cursor", page["cursor"])
    assert sequences(again) == [2]
    assert position(feed, again) == (2, 2, 0)


def test_from_the_cursor_before_everything(feed):
    feed.write("a")
    assert feed.read("--cursor", feed.cursor(0)) == feed.read()


@pytest.mark.parametrize("pruned", [0, 2])
def test_at_the_head(five, pruned):
    if pruned:
        five.prune(pruned)
    for words in (("--cursor", five.cursor(5)), ("--from", "now")):
        page = five.read(*words)
        assert (page["events"], page["has_more"], page["gap"]) == ([], False, None)
        assert position(five, page) == (5, 5, pruned)


def test_a_preview_of_a_prune(five):
    before = {path: path.read_bytes() for path in five.root.rglob("*") if path.is_file()}
    found = five.json("prune", "--through", five.cursor(2))
    assert found == {
        "format": 1, "path": MOUNT, "scope": SCOPE, "stream": five.head.stream, "count": 2,
        "floor": five.cursor(2), "has_more": False, "applied": False,
    }  # fmt: skip
    assert before == {path: path.read_bytes() for path in five.root.rglob("*") if path.is_file()}


def test_a_prune(five):
    through = five.cursor(2)
    found = five.json("prune", "--through", through, "--write")
    assert (found["count"], found["floor"], found["has_more"], found["applied"]) == (2, through, False, True)
    for words in ((), ("--cursor", through)):
        page = five.read(*words)
        assert sequences(page) == [3, 4, 5]
        assert position(five, page) == (5, 5, 2)


@pytest.mark.parametrize("number", [1, 0])
def test_a_cursor_below_the_floor(five, number):
    cursor = five.cursor(number)
    five.prune(2)
    check_gap(five, five.read("--cursor", cursor, status=3), "retention", (2, 5, 2))


def test_all_pruned(five):
    five.prune(5)
    for words in ((), ("--cursor", five.cursor(5))):
        page = five.read(*words)
        assert (page["events"], page["has_more"], page["gap"]) == ([], False, None)
        assert position(five, page) == (5, 5, 5)


def test_all_pruned_and_an_old_cursor(five):
    cursor = five.cursor(3)
    five.prune(5)
    check_gap(five, five.read("--cursor", cursor, status=3), "retention", (5, 5, 5))


def test_all_pruned_and_written_on(five):
    stream, cursor = five.head.stream, five.cursor(5)
    five.prune(5)
    five.write("e")
    page = five.read("--cursor", cursor)
    assert (sequences(page), kinds(page)) == ([6], ["document_created"])
    assert page["stream"] == stream
    assert position(five, page) == (6, 6, 5)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_prune_of_what_is_gone(five, number):
    cursor = five.cursor(number)
    five.prune(3)
    for more in ((), ("--write",), ("--all", "--write")):
        found = five.json("prune", "--through", cursor, *more)
        assert (found["count"], found["floor"], found["has_more"]) == (0, five.cursor(3), False)
    assert five.head.floor == 3


def test_a_prune_by_a_cursor_that_does_not_fit(five, tmp_path):
    five.backup(tmp_path / "backup")
    five.write("e", "f")
    ahead = five.cursor(7)
    five.restore(tmp_path / "backup")
    five.refused("prune", "--through", ahead, "--write", status=2, code="invalid_cursor", reason="ahead")
    five.refused("prune", "--through", STRANGER, "--write", status=2, code="invalid_cursor", reason="stream_reset")
    five.write("g", "h", "i")
    five.refused("prune", "--through", ahead, "--write", status=2, code="invalid_cursor", reason="stream_reset")
    never = Feed(tmp_path / "never")
    never.refused("prune", "--through", STRANGER, "--write", status=2, code="invalid_cursor", reason="untracked")
    assert not never.root.exists()
    assert five.head.floor == 0


def test_a_prune_of_very_many(feed):
    feed.write_many("a", 24_999)
    through, first, second = feed.cursor(25_000), feed.cursor(10_000), feed.cursor(20_000)
    preview = feed.json("prune", "--through", through)
    assert (preview["count"], preview["has_more"], preview["floor"]) == (10_000, True, first)
    for count, floor, more in ((10_000, first, True), (10_000, second, True), (5_000, through, False)):
        found = feed.json("prune", "--through", through, "--write")
        assert (found["count"], found["floor"], found["has_more"]) == (count, floor, more)
    assert [path.name for path in feed.changes.iterdir()] == ["stream.json"]


def test_an_erased_scope(five):
    old = five.cursor(2)
    found = five.json("erase", MOUNT, "--all", "--write", group="memory")
    assert (found["documents"], found["versions"]) == (4, 4)
    page = five.read("--cursor", old)
    assert sequences(page) == [3, 4, 5, 6]
    assert page["events"][0]["path"] == "b"
    assert kinds(page)[-1] == "scope_erased"
    assert not {"path", "version", "reason"} & set(page["events"][-1])
    assert page["events"][-1]["reference"] is None


def test_a_scope_erased_again(five):
    five.json("erase", MOUNT, "--all", "--write", group="memory")
    before = {path: path.read_bytes() for path in five.root.rglob("*") if path.is_file()}
    found = five.json("erase", MOUNT, "--all", "--write", group="memory")
    assert (found["documents"], found["versions"]) == (0, 0)
    assert five.head.head == 6
    assert before == {path: path.read_bytes() for path in five.root.rglob("*") if path.is_file()}


class TestAnImport:
    """From an archive of the scope into a root where it was never used."""

    @pytest.fixture
    def archive(self, five, tmp_path):
        five.run("export", str(tmp_path / "archive"), group=None)
        return tmp_path / "archive"

    @pytest.fixture
    def imported(self, archive, tmp_path):
        other = Feed(tmp_path / "other")
        done = other.run("import", str(archive), group=None)
        assert done.returncode == 0, done.stderr
        return other

    def test_read_from_the_start(self, imported):
        page = imported.read()
        assert kinds(page) == ["scope_reset"]
        assert page["events"][0]["reason"] == "restored"
        assert position(imported, page) == (1, 1, 0)
        assert (page["has_more"], page["gap"]) == (False, None)

    @pytest.mark.parametrize("number", [0, 1, 5])
    def test_a_cursor_of_the_source(self, five, imported, number):
        check_gap(imported, imported.read("--cursor", five.cursor(number), status=3), "stream_reset", (0, 1, 0))

    def test_the_next_write(self, imported):
        imported.write("a")
        assert kinds(imported.read()) == ["scope_reset", "document_modified"]

    @pytest.mark.parametrize("used", ["document", "history", "erasure", "stream"])
    def test_into_a_used_scope(self, archive, tmp_path, used):
        other = Feed(tmp_path / "other")
        other.write("a")
        kept = {"document": "documents", "history": "versions", "erasure": "erasures.jsonl", "stream": ".changes"}[used]
        if used == "erasure":
            other.json("erase", f"{MOUNT}/a", "--write", group="memory")
        for path in other.changes.parent.iterdir():
            if path.name != kept:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        before = {path: path.read_bytes() for path in other.root.rglob("*") if path.is_file()}
        other.refused("import", str(archive), group=None, status=4, code="conflict", reason="target_occupied")
        assert before == {path: path.read_bytes() for path in other.root.rglob("*") if path.is_file()}


class TestARestoredBackup:
    """Taken at H=5; the consumer had gone on to P9."""

    @pytest.fixture
    def lost(self, five, tmp_path):
        five.backup(tmp_path / "backup")
        five.write("e", "f", "g", "h")
        cursor = five.cursor(9)
        five.restore(tmp_path / "backup")
        return cursor

    def test_a_cursor_beyond_its_head(self, five, lost):
        error = five.refused("read", "--cursor", lost, status=2, code="invalid_cursor", reason="ahead")
        assert "restored" in error["message"]
        assert "changes snapshot" in error["hint"]

    def test_written_on_past_the_cursor(self, five, lost):
        five.write("p", "q", "r", "s", "t", "u")
        assert five.head.head == 11
        page = five.read("--cursor", lost, status=3)
        check_gap(five, page, "stream_reset", (0, 11, 0))

    def test_a_cursor_that_both_histories_share(self, five, lost):
        cursor = five.cursor(5)
        five.write("p", "q", "r", "s", "t", "u")
        assert sequences(five.read("--cursor", cursor)) == [6, 7, 8, 9, 10, 11]
        assert sequences(five.read("--cursor", five.cursor(3))) == list(range(4, 12))


def test_the_feed_removed_by_hand(five):
    cursor, stream = five.cursor(5), five.head.stream
    shutil.rmtree(five.changes)
    check_gap(five, five.read("--cursor", cursor, status=3), "stream_reset", NOWHERE)
    check_gap(five, five.read(status=3), "untracked", NOWHERE)
    five.write("e")
    page = five.read()
    assert kinds(page) == ["scope_reset", "document_created"]
    assert page["stream"] != stream
    check_gap(five, five.read("--cursor", cursor, status=3), "stream_reset", (0, 2, 0))


def cut_the_tail(feed):
    segment = max(feed.changes.glob("*.seg"))
    segment.write_bytes(segment.read_bytes()[:-1])


def drop_the_last_event(feed):
    segment = max(feed.changes.glob("*.seg"))
    segment.write_bytes(b"".join(segment.read_bytes().splitlines(keepends=True)[:-1]))


def drop_the_segment(feed):
    max(feed.changes.glob("*.seg")).unlink()


@pytest.mark.parametrize("damage", [cut_the_tail, drop_the_last_event, drop_the_segment])
def test_a_part_is_missing(five, damage):
    through, cursor = five.cursor(3), five.cursor(5)
    damage(five)
    for words in (("read",), ("read", "--cursor", cursor), ("prune", "--through", through, "--write")):
        error = five.refused(*words, status=9, code="feed_corrupt")
        assert error["details"]["file"].endswith("00000000000000000001.seg")
        assert "export" in error["hint"]
    five.refused("write", f"{MOUNT}/x", "--content", "y", group="memory", status=9, code="feed_corrupt")


def test_the_head_is_missing(five):
    cursor = five.cursor(5)
    (five.changes / "stream.json").unlink()
    for words in ((), ("--cursor", cursor)):
        five.refused("read", *words, status=9, code="feed_corrupt")
    five.refused("write", f"{MOUNT}/x", "--content", "y", group="memory", status=9, code="feed_corrupt")


def test_damage_in_one_scope_blocks_no_other(five):
    drop_the_segment(five)
    other = Feed(five.root, "user:you")
    done = other.run("write", f"{MOUNT}/a", "--content", "x", group="memory")
    assert done.returncode == 0, done.stderr
    assert sequences(other.read()) == [1, 2]
