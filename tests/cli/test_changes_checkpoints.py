"""A consumer's place in a file: who writes it, when, and what is never done to it."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from tests.cli.feed import MOUNT, Feed, sequences
from tests.cli.test_changes_cursors import OTHER_STREAM, made


@pytest.fixture
def feed(tmp_path):
    feed = Feed(tmp_path / "store")
    feed.write("a", "b", "c")
    return feed


@pytest.fixture
def file(tmp_path):
    return tmp_path / "place"


def place(feed, file, number):
    file.write_text(feed.cursor(number) + "\n")


def advance(feed, file, cursor, *more, **how):
    return feed.json("checkpoint", str(file), "--advance", cursor, *more, **how)


class TestReading:
    def test_from_where_it_stands(self, feed, file):
        place(feed, file, 2)
        assert sequences(feed.read("--checkpoint", str(file))) == [3, 4]
        assert file.read_text() == feed.cursor(2) + "\n"

    def test_with_and_without_its_newline(self, feed, file):
        file.write_text(feed.cursor(3))
        assert sequences(feed.read("--checkpoint", str(file))) == [4]

    @pytest.mark.parametrize("end", ["\n\n", "\r\n", " ", " \n", "\0", "\nx"], ids=repr)
    def test_with_anything_else_after_it(self, feed, file, end):
        file.write_bytes(feed.cursor(3).encode() + end.encode())
        feed.refused("read", "--checkpoint", str(file), status=2, code="invalid_cursor", reason="malformed")

    @pytest.mark.parametrize(
        "content", [b"\n", b"null\n", b"\xff", b"x" * 100_000, b"\xef\xbb\xbf"], ids=lambda c: repr(c[:9])
    )
    def test_that_is_none(self, feed, file, content):
        """A file with something else in it is no fresh start, whatever stands beside."""
        file.write_bytes(content)
        for more in ((), ("--from", "start")):
            feed.refused("read", "--checkpoint", str(file), *more, status=2, code="invalid_cursor", reason="malformed")

    @pytest.mark.parametrize("exists", [False, True])
    def test_missing_or_empty(self, feed, file, exists):
        if exists:
            file.touch()
        error = feed.refused("read", "--checkpoint", str(file), status=5, code="not_found")
        assert "--from" in error["hint"]
        for other in (("checkpoint", str(file)), ("status", "--checkpoint", str(file)),
                      ("prune", "--through", feed.cursor(2), "--not-past", str(file))):  # fmt: skip
            error = feed.refused(*other, status=5, code="not_found")
            assert f"{file} {MOUNT} --advance CURSOR" in error["hint"], "these verbs have no --from"
        assert sequences(feed.read("--checkpoint", str(file), "--from", "start")) == [1, 2, 3, 4]
        assert sequences(feed.read("--checkpoint", str(file), "--from", "now")) == []
        assert file.exists() == exists

    def test_from_counts_only_where_there_is_none(self, feed, file):
        place(feed, file, 3)
        for start in ("start", "now"):
            assert sequences(feed.read("--checkpoint", str(file), "--from", start)) == [4]

    def test_of_another_scope(self, feed, file):
        file.write_text(made(feed, scope="user:you"))
        feed.refused("read", "--checkpoint", str(file), status=2, code="invalid_cursor", reason="scope")

    def test_that_is_no_plain_file(self, feed, file):
        real = file.with_name("real")
        place(feed, real, 2)
        file.symlink_to(real)
        feed.refused("read", "--checkpoint", str(file), status=2, code="invalid_argument")
        feed.refused("checkpoint", str(file), "--advance", feed.cursor(3), status=2, code="invalid_argument")
        fifo = file.with_name("fifo")
        os.mkfifo(fifo)
        feed.refused("read", "--checkpoint", str(fifo), status=2, code="invalid_argument")
        feed.refused("read", "--checkpoint", str(file.parent), status=2, code="invalid_argument")
        assert real.read_text() == feed.cursor(2) + "\n"


class TestAutoAdvance:
    def test_saves_the_page(self, feed, file):
        done = feed.read("--checkpoint", str(file), "--from", "start", "--auto-advance", "--limit", "3")
        assert sequences(done) == [1, 2, 3]
        assert file.read_text() == feed.cursor(3) + "\n"
        assert sequences(feed.read("--checkpoint", str(file), "--auto-advance")) == [4]
        assert file.read_text() == feed.cursor(4) + "\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert [path.name for path in file.parent.iterdir() if path.name.startswith(".neosian")] == []

    @pytest.mark.parametrize("words", [("--all",), ("--follow", "--timeout", "0")], ids=" ".join)
    def test_saves_in_streams(self, feed, file, words):
        lines = feed.lines(
            "read", "--checkpoint", str(file), "--from", "start", "--auto-advance", *words, "--limit", "1"
        )
        assert len(lines) == 5 if "--all" in words else 2
        assert file.read_text() == lines[-1]["cursor"] + "\n"

    def test_saves_an_empty_beginning(self, feed, file):
        feed.read("--checkpoint", str(file), "--from", "now", "--auto-advance")
        assert file.read_text() == feed.cursor(4) + "\n"

    def test_never_on_a_gap(self, feed, file):
        place(feed, file, 1)
        feed.prune(2)
        for more in ((), ("--gap-ok",)):
            status = 0 if more else 3
            assert feed.read("--checkpoint", str(file), "--auto-advance", *more, status=status)["gap"] == "retention"
            feed.lines("read", "--checkpoint", str(file), "--auto-advance", "--all", *more, status=status)
            feed.lines("read", "--checkpoint", str(file), "--auto-advance", "--follow", *more, status=status)
        assert file.read_text() != feed.cursor(2) + "\n"
        fresh = file.with_name("fresh")
        never = Feed(feed.root.parent / "never")
        never.read("--checkpoint", str(fresh), "--from", "start", "--auto-advance", status=3)
        assert not fresh.exists()

    def test_never_on_an_error(self, feed, file):
        place(feed, file, 1)
        before = file.read_bytes()
        segment = next(feed.changes.glob("*.seg"))
        segment.write_bytes(segment.read_bytes().replace(b'"path":"c"', b'"path":"x"'))
        feed.refused("read", "--checkpoint", str(file), "--auto-advance", status=9, code="feed_corrupt")
        assert file.read_bytes() == before

    @pytest.mark.parametrize(
        "words", [("--json",), ("--jsonl",), ("--jsonl", "--all"), ("--jsonl", "--follow"), ()], ids=repr
    )
    def test_never_when_the_page_could_not_be_written(self, feed, file, words):
        place(feed, file, 1)
        before = file.read_bytes()
        with open("/dev/full", "wb") as full:
            done = feed.run("read", "--checkpoint", str(file), "--auto-advance", *words, stdout=full)
        assert done.returncode == 74
        assert file.read_bytes() == before

    def test_where_it_cannot_be_saved(self, feed, tmp_path):
        missing = tmp_path / "no" / "place"
        done = feed.run("read", "--checkpoint", str(missing), "--from", "start", "--auto-advance", "--jsonl")
        assert (done.returncode, done.stdout) == (5, b""), "told before anything is printed"
        assert f"mkdir -p {missing.parent}" in done.stderr.decode()

    @pytest.mark.parametrize("more", [(), ("--from", "start"), ("--from", "now", "--auto-advance")])
    def test_a_file_without_a_name(self, feed, more):
        feed.refused("read", "--checkpoint", "", *more, status=2, code="invalid_argument")


class TestAdvancing:
    def test_the_first_time(self, feed, file):
        found = advance(feed, file, feed.cursor(2))
        assert found == {
            "format": 1, "file": str(file), "path": MOUNT, "scope": feed.scope, "cursor": feed.cursor(2),
            "sequence": 2, "head": 4, "lag": 2, "state": "ok",
        }  # fmt: skip
        assert list(found)[:4] == ["format", "file", "path", "scope"]
        assert file.read_text() == feed.cursor(2) + "\n"
        assert file.stat().st_mode & 0o777 == 0o600

    def test_on_and_on_and_again(self, feed, file):
        file.write_text(feed.cursor(1))
        file.chmod(0o644)
        for number in (2, 2, 4, 4):
            assert advance(feed, file, feed.cursor(number))["sequence"] == number
        assert file.stat().st_mode & 0o777 == 0o600

    def test_not_back(self, feed, file):
        place(feed, file, 3)
        cursor = feed.cursor(2)
        error = feed.refused(
            "checkpoint", str(file), "--advance", cursor, status=4, code="conflict", reason="checkpoint_behind"
        )
        assert "--force" in error["hint"]
        assert file.read_text() == feed.cursor(3) + "\n"
        assert advance(feed, file, cursor, "--force")["sequence"] == 2

    def test_not_to_another_stream(self, feed, file):
        place(feed, file, 3)
        shutil.rmtree(feed.changes)
        feed.write("a", "b", "c", "d")
        cursor = feed.cursor(5)
        words = ("checkpoint", str(file), "--advance", cursor)
        feed.refused(*words, status=4, code="conflict", reason="checkpoint_behind")
        assert feed.json("checkpoint", str(file))["state"] == "stream_reset"
        assert feed.json(*words, "--force")["state"] == "ok"

    def test_not_to_another_history(self, feed, file):
        """The same stream and sequence, but another chain: a restored backup that was written on."""
        file.write_text(made(feed, sequence=4))
        words = ("checkpoint", str(file), "--advance", feed.cursor(4))
        feed.refused(*words, status=4, code="conflict", reason="checkpoint_behind")
        assert feed.json(*words, "--force")["state"] == "ok"

    def test_not_by_a_cursor_that_is_not_of_the_feed(self, feed, file):
        for cursor in (made(feed, stream=OTHER_STREAM), made(feed, sequence=3)):
            words = ("checkpoint", str(file), "--advance", cursor)
            feed.refused(*words, status=4, code="conflict", reason="checkpoint_behind")
        for cursor, reason in (
            (made(feed, scope="user:you"), "scope"),
            (made(feed, sequence=9), "ahead"),
            ("x", "malformed"),
            ("", "malformed"),
        ):
            for more in ((), ("--force",)):
                words = ("checkpoint", str(file), "--advance", cursor, *more)
                feed.refused(*words, status=2, code="invalid_cursor", reason=reason)
        assert not file.exists()

    @pytest.mark.parametrize("more", [(), ("--force",)], ids=repr)
    def test_never_over_a_file_that_is_none(self, feed, file, more):
        file.write_text("precious\n")
        words = ("checkpoint", str(file), "--advance", feed.cursor(2), *more)
        feed.refused(*words, status=2, code="invalid_cursor", reason="malformed")
        file.write_text(made(feed, scope="user:you"))
        feed.refused(*words, status=2, code="invalid_cursor", reason="scope")
        assert file.read_text() == made(feed, scope="user:you")

    def test_in_no_directory(self, feed, tmp_path):
        feed.refused("checkpoint", str(tmp_path / "no" / "x"), "--advance", feed.cursor(1), status=5, code="not_found")

    def test_force_alone_means_nothing(self, feed, file):
        place(feed, file, 1)
        feed.refused("checkpoint", str(file), "--force", status=2, code="usage")

    def test_told_to_nobody(self, feed, file):
        """It is saved, and the failure says so."""
        with open("/dev/full", "wb") as full:
            done = feed.run("checkpoint", str(file), "--advance", feed.cursor(2), "--json", stdout=full)
        assert done.returncode == 74
        assert json.loads(done.stderr)["error"]["details"]["committed"] is True
        assert file.read_text() == feed.cursor(2) + "\n"


class TestShowing:
    def test_how_far_behind(self, feed, file):
        place(feed, file, 1)
        found = feed.json("checkpoint", str(file))
        assert (found["sequence"], found["head"], found["lag"], found["state"]) == (1, 4, 3, "ok")

    def test_below_the_floor(self, feed, file):
        place(feed, file, 1)
        feed.prune(3)
        found = feed.json("checkpoint", str(file))
        assert (found["lag"], found["state"]) == (3, "retention")

    def test_ahead(self, feed, file):
        file.write_text(made(feed, sequence=9))
        found = feed.json("checkpoint", str(file))
        assert (found["lag"], found["state"]) == (None, "ahead")

    @pytest.mark.parametrize("exists", [False, True])
    def test_missing_or_empty(self, feed, file, exists):
        if exists:
            file.touch()
        feed.refused("checkpoint", str(file), status=5, code="not_found")

    def test_of_a_store_that_is_not_there(self, feed, file):
        place(feed, file, 2)
        found = Feed(feed.root.parent / "never").json("checkpoint", str(file))
        assert (found["head"], found["lag"], found["state"]) == (None, None, "stream_reset")


def test_a_name_that_is_no_text(feed, tmp_path):
    file = os.fsencode(tmp_path) + b"/pl\xffce"
    done = feed.run("checkpoint", file, "--advance", feed.cursor(2), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["file"].endswith("pl\\xffce")
    with open(file, encoding="ascii") as saved:
        assert saved.read() == feed.cursor(2) + "\n"
