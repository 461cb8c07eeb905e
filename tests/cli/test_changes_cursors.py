"""What a cursor is taken for, and in which order that is decided."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from neosian_cli.model.cursor import Cursor
from neosian_cli.store.log import genesis
from tests.cli.feed import Feed, sequences
from tests.cli.process import NEOSIAN, call
from tests.samples import SCOPE

OTHER_STREAM = "11111111-2222-4333-8444-555555555555"
SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


@pytest.fixture
def feed(tmp_path):
    feed = Feed(tmp_path / "store")
    feed.write("a", "b", "c")
    return feed


def made(feed, *, scope=SCOPE, stream=None, sequence=2, chain=None):
    """A cursor with a good checksum, whatever it says."""
    return Cursor(scope, stream or feed.head.stream, sequence, chain or genesis("nothing")).encode()


def test_a_cursor_is_a_short_safe_word(feed):
    for number in range(5):
        cursor = feed.cursor(number)
        assert cursor[0].isalpha()
        assert set(cursor) <= SAFE
        assert len(cursor) <= 80
    assert (
        feed.read("--limit", "2")["cursor"] == feed.read("--limit", "2", "--from", "start")["cursor"] == feed.cursor(2)
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "",
        lambda _: " ",
        lambda _: "null",
        lambda _: "n1_",
        lambda _: "x" * 2048,
        lambda _: "x" * 100_000,
        lambda _: "käse",
        lambda cursor: cursor + "\n",
        lambda cursor: cursor + " ",
        lambda cursor: " " + cursor,
        lambda cursor: cursor[:-1],
        lambda cursor: cursor + "A",
        lambda cursor: cursor[:20] + ("A" if cursor[20] != "A" else "B") + cursor[21:],
        lambda cursor: cursor.swapcase(),
        lambda cursor: cursor[:-2] + "==",
        lambda cursor: cursor[:30] + "+" + cursor[31:],
        lambda cursor: cursor[:30] + "/" + cursor[31:],
    ],
)
def test_what_is_no_cursor(feed, change):
    text = change(feed.cursor(2))
    for words in (("read", "--cursor", text), ("prune", "--through", text)):
        feed.refused(*words, status=2, code="invalid_cursor", reason="malformed")
    never = Feed(feed.root.parent / "never")
    never.refused("read", "--cursor", text, status=2, code="invalid_cursor", reason="malformed")


def test_bytes_that_are_no_text(feed):
    done = call(
        NEOSIAN, "changes", "read", "--json", "--cursor", b"\xff\xfe", "--root", str(feed.root), "--scope", SCOPE
    )
    assert done.returncode == 2
    assert json.loads(done.stderr)["error"]["code"] == "invalid_cursor"


def test_its_scope_comes_first(feed):
    """Of another scope and of another stream, ahead and of another history: it is the scope that counts."""
    cursor = made(feed, scope="user:you", stream=OTHER_STREAM, sequence=99)
    feed.refused("read", "--cursor", cursor, status=2, code="invalid_cursor", reason="scope")
    never = Feed(feed.root.parent / "never")
    never.refused("read", "--cursor", cursor, status=2, code="invalid_cursor", reason="scope")


def test_then_whether_there_is_a_stream(feed):
    cursor = made(feed, sequence=99)
    shutil.rmtree(feed.changes)
    assert feed.read("--cursor", cursor, status=3)["gap"] == "stream_reset"


def test_then_the_stream(feed):
    """Another stream with a sequence beyond the head is a reset, and not ahead."""
    for sequence in (0, 2, 99):
        page = feed.read("--cursor", made(feed, stream=OTHER_STREAM, sequence=sequence), status=3)
        assert (page["gap"], page["cursor"]) == ("stream_reset", page["earliest_cursor"])


def test_then_the_head(feed):
    error = feed.refused("read", "--cursor", made(feed, sequence=5), status=2, code="invalid_cursor", reason="ahead")
    assert (error["details"]["sequence"], error["details"]["head"]) == (5, 4)
    feed.refused("read", "--cursor", made(feed, sequence=2**64 - 1), status=2, code="invalid_cursor", reason="ahead")


def test_then_the_floor(feed):
    """Below the floor nothing is left to compare the chain with."""
    feed.prune(3)
    for sequence in (0, 2):
        assert feed.read("--cursor", made(feed, sequence=sequence), status=3)["gap"] == "retention"


@pytest.mark.parametrize("pruned", [0, 2])
def test_then_the_chain(feed, pruned):
    if pruned:
        feed.prune(pruned)
    for sequence in range(pruned, 5):
        page = feed.read("--cursor", made(feed, sequence=sequence), status=3)
        assert (page["gap"], page["cursor"]) == ("stream_reset", feed.cursor(pruned))
        assert sequences(feed.read("--cursor", feed.cursor(sequence))) == list(range(sequence + 1, 5))


def test_two_copies_that_were_both_written_to(feed, tmp_path):
    copy = Feed(tmp_path / "copy")
    feed.backup(copy.root)
    feed.write("here")
    copy.write("there")
    assert feed.read("--cursor", copy.cursor(5), status=3)["gap"] == "stream_reset"
    assert copy.read("--cursor", feed.cursor(5), status=3)["gap"] == "stream_reset"
    assert copy.read("--cursor", feed.cursor(4))["gap"] is None


def test_a_cursor_and_another_beginning_exclude_each_other(feed, tmp_path):
    file = tmp_path / "file"
    file.write_text(feed.cursor(2))
    cursor = feed.cursor(2)
    feed.refused("read", "--cursor", cursor, "--checkpoint", str(file), status=2, code="usage")
    feed.refused("read", "--cursor", cursor, "--from", "now", status=2, code="usage")


@pytest.mark.parametrize("limit", ["0", "101", "-1", "x", "1.5", ""])
def test_limits(feed, limit):
    done = feed.run("read", "--limit", limit, "--json")
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.parametrize("path", ["/memories/a", "/other", "memories", ""])
def test_only_the_root_of_a_mount_has_a_feed(feed, path):
    feed.refused("read", path, status=2, code="invalid_argument")


def test_the_mount_may_be_left_out_where_there_is_one(feed):
    assert feed.read("/memories") == feed.read()
    done = call(NEOSIAN, "changes", "read", "--json", "--root", str(feed.root), env={"HOME": str(feed.root.parent)})
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, error["code"]) == (2, "invalid_argument")
    assert "/project" in error["message"]


class TestSource:
    """Where a page comes from stands in it when that was chosen."""

    def test_by_option(self, feed):
        assert feed.read()["source"] == {"root": str(feed.root)}

    def test_by_environment(self, feed):
        env = {"NEOSIAN_ROOT": str(feed.root), "NEOSIAN_SCOPE": SCOPE}
        assert json.loads(call(NEOSIAN, "changes", "read", "--json", env=env).stdout)["source"] == {
            "root": str(feed.root)
        }

    def test_by_profile(self, feed):
        home = feed.root.parent / "home"
        home.mkdir()
        Path(home / "config.yaml").write_text(
            f"profiles:\n  work:\n    root: {feed.root}\n    mounts:\n      - {{path: project, scope: '{SCOPE}'}}\n",
        )
        done = call(NEOSIAN, "changes", "read", "--json", "--profile", "work", env={"NEOSIAN_HOME": str(home)})
        page = json.loads(done.stdout)
        assert (page["path"], page["source"]) == ("/project", {"profile": "work", "root": str(feed.root)})
        assert page["events"][1]["reference"] == "/project/a"

    def test_not_by_default(self, feed):
        home = feed.root.parent
        done = call(NEOSIAN, "changes", "read", "--json", "--scope", SCOPE, env={"NEOSIAN_HOME": str(home)})
        page = json.loads(done.stdout)
        assert len(page["events"]) == 4
        assert "source" not in page
