"""Prune, status, stats, snapshot and verify, beside what the states of a feed show."""

from __future__ import annotations

import json

import jsonschema
import pytest

from neosian_cli.model import times
from neosian_cli.store import layout
from tests.cli.feed import MOUNT, Feed, sequences
from tests.cli.process import NEOSIAN, call
from tests.cli.test_changes_cursors import OTHER_STREAM, made
from tests.samples import SCOPE, open_store, write


@pytest.fixture
def feed(tmp_path):
    feed = Feed(tmp_path / "store")
    feed.write("a", "b", "c", "d")
    return feed


class TestPrune:
    @pytest.mark.parametrize(("mode", "code"), [("ro", "read_only"), ("eo", "edit_only")])
    @pytest.mark.parametrize("write", [(), ("--write",)], ids=["preview", "write"])
    def test_needs_a_mount_that_it_may_change(self, feed, mode, code, write):
        mount = ("--mount", f"scope={SCOPE},path=shared,{mode}")
        words = ("changes", "prune", "/shared", "--through", feed.cursor(2), *write, "--root", str(feed.root), *mount)
        done = call(NEOSIAN, *words, "--json")
        assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (6, code)
        assert feed.head.floor == 0

    def test_all_of_very_many(self, feed):
        feed.write_many("e", 24_995)
        through = feed.cursor(25_000)
        preview = feed.json("prune", "--through", through, "--all")
        assert (preview["count"], preview["has_more"], preview["floor"]) == (25_000, False, through)
        found = feed.json("prune", "--through", through, "--all", "--write")
        assert (found["count"], found["has_more"], found["floor"]) == (25_000, False, through)

    def test_inside_a_segment(self, feed):
        feed.write_many("e", 8_995)
        for through in (1, 4_096, 4_097, 5_000, 8_999):
            cursor = feed.cursor(through)
            feed.json("prune", "--through", cursor, "--write")
            page = feed.read("--limit", "1")
            assert sequences(page) == [through + 1]
            found = feed.json("verify")
            assert (found["ok"], found["first"], found["last"]) == (True, through + 1, 9_000)
            sizes = sum(path.stat().st_size for path in feed.changes.glob("*.seg"))
            assert feed.json("status")["bytes"] == sizes

    def test_documents_stay(self, feed):
        feed.prune(5)
        assert feed.json("view", f"{MOUNT}/a", group="memory")["version"] == 1
        assert len(feed.json("list", group="memory")["entries"]) == 4

    def test_the_events_are_gone_from_the_disk(self, feed):
        feed.write("secret-name")
        feed.write("other")
        feed.prune(6)
        files = [path for path in feed.root.rglob("*") if path.is_file() and ".changes" in str(path)]
        assert files
        assert all(b"secret-name" not in path.read_bytes() for path in files)

    def test_not_past_a_consumer(self, feed, tmp_path):
        slow, quick = tmp_path / "slow", tmp_path / "quick"
        slow.write_text(feed.cursor(2))
        quick.write_text(feed.cursor(5))
        both = ("--not-past", str(quick), "--not-past", str(slow))
        for doing in ((), ("--write",)):
            words = ("prune", "--through", feed.cursor(3), *both, *doing)
            error = feed.refused(*words, status=4, code="conflict", reason="checkpoint_behind")
            assert feed.cursor(2) in error["hint"]
        assert feed.json("prune", "--through", feed.cursor(2), *both, "--write")["count"] == 2
        slow.write_text(feed.cursor(2))
        assert feed.json("prune", "--through", feed.cursor(5), "--not-past", str(quick), "--write")["count"] == 3

    def test_a_checkpoint_that_is_none_always_refuses(self, feed, tmp_path):
        file = tmp_path / "place"
        words = ("prune", "--through", feed.cursor(1), "--not-past", str(file), "--write")
        feed.refused(*words, status=5, code="not_found")
        file.touch()
        feed.refused(*words, status=5, code="not_found")
        for content, reason in (
            ("nonsense", "malformed"),
            (made(feed, scope="user:you"), "scope"),
            (made(feed, stream=OTHER_STREAM), "stream_reset"),
            (made(feed, sequence=3), "stream_reset"),
            (made(feed, sequence=99), "ahead"),
        ):
            file.write_text(content)
            feed.refused(*words, status=2, code="invalid_cursor", reason=reason)
        assert feed.head.floor == 0

    def test_it_needs_a_cursor(self, feed):
        feed.refused("prune", status=2, code="usage")
        feed.refused("prune", "--through", "", status=2, code="invalid_cursor", reason="malformed")

    def test_a_middle_segment_that_is_missing(self, feed):
        feed.write_many("e", 20_000)
        through = feed.cursor(20_000)
        (feed.changes / "00000000000000012289.seg").unlink()
        before = sorted(path.name for path in feed.changes.iterdir())
        for doing in ((), ("--write",)):
            feed.refused("prune", "--through", through, "--all", *doing, status=9, code="feed_corrupt")
        assert before == sorted(path.name for path in feed.changes.iterdir())

    def test_damage_is_not_pruned_away(self, feed):
        segment = next(feed.changes.glob("*.seg"))
        segment.write_bytes(segment.read_bytes().replace(b'"path":"b"', b'"path":"x"'))
        feed.refused("prune", "--through", feed.cursor(5), "--write", status=9, code="feed_corrupt")
        assert feed.head.floor == 0


class TestStatus:
    def test_of_a_feed(self, feed):
        found = feed.json("status")
        assert list(found) == [
            "format", "path", "scope", "stream", "floor", "head", "retained", "segments", "bytes", "last_created_at",
            "earliest_cursor", "head_cursor", "consumers",
        ]  # fmt: skip
        assert (found["floor"], found["head"], found["retained"], found["segments"]) == (0, 5, 5, 1)
        assert (found["earliest_cursor"], found["head_cursor"]) == (feed.cursor(0), feed.cursor(5))
        assert found["last_created_at"] == feed.read()["events"][-1]["created_at"]

    def test_of_nothing(self, tmp_path):
        feed = Feed(tmp_path / "none")
        found = feed.json("status")
        assert (found["stream"], found["head"], found["retained"], found["bytes"]) == (None, None, 0, 0)
        assert not feed.root.exists()

    def test_of_its_consumers(self, feed, tmp_path):
        files = {}
        for name, cursor in (
            ("good", feed.cursor(4)),
            ("at-floor", feed.cursor(2)),
            ("late", feed.cursor(1)),
            ("elsewhere", made(feed, stream=OTHER_STREAM)),
            ("ahead", made(feed, sequence=9)),
        ):
            files[name] = tmp_path / name
            files[name].write_text(cursor + "\n")
        feed.prune(2)
        words = [word for file in files.values() for word in ("--checkpoint", str(file))]
        found = [tuple(consumer.values()) for consumer in feed.json("status", *words)["consumers"]]
        names = [str(file) for file in files.values()]
        assert found == [
            (names[0], 4, 1, 2, "ok"),
            (names[1], 2, 3, 0, "ok"),
            (names[2], 1, 4, -1, "retention"),
            (names[3], 2, None, None, "stream_reset"),
            (names[4], 9, None, None, "ahead"),
        ]

    def test_of_a_consumer_that_is_none(self, feed, tmp_path):
        feed.refused("status", "--checkpoint", str(tmp_path / "x"), status=5, code="not_found")
        (tmp_path / "x").write_text("x")
        words = ("status", "--checkpoint", str(tmp_path / "x"))
        feed.refused(*words, status=2, code="invalid_cursor", reason="malformed")

    @pytest.mark.parametrize("through", [0, 1, 4_095, 4_096, 4_097, 9_000])
    def test_segments_are_counted_without_looking(self, feed, through):
        feed.write_many("e", 8_995)
        if through:
            feed.prune(through)
        assert feed.json("status")["segments"] == len(list(feed.changes.glob("*.seg")))


class TestStats:
    @pytest.fixture
    def feed(self, tmp_path):
        feed = Feed(tmp_path / "store")
        for path, time in (
            ("a", "2026-01-01T23:59:59Z"),
            ("a", "2026-01-02T00:00:00Z"),
            ("b", "2026-01-02T00:30:00Z"),
            ("a", "2026-02-01T00:00:00Z"),
        ):
            write(open_store(feed.root, now=lambda: times.parse(time)), path, "x")  # noqa: B023  # called at once
        return feed

    def test_by_day(self, feed):
        found = feed.json("stats")
        assert list(found) == ["format", "path", "scope", "by", "buckets", "paths"]
        assert found["by"] == "day"
        assert found["buckets"] == [
            {
                "start": "2026-01-01T00:00:00.000000Z",
                "total": 2,
                "kinds": {"state.document_created": 1, "state.scope_reset": 1},
            },
            {
                "start": "2026-01-02T00:00:00.000000Z",
                "total": 2,
                "kinds": {"state.document_created": 1, "state.document_modified": 1},
            },
            {"start": "2026-02-01T00:00:00.000000Z", "total": 1, "kinds": {"state.document_modified": 1}},
        ]
        assert found["paths"] == [{"path": "a", "events": 3}, {"path": "b", "events": 1}]

    @pytest.mark.parametrize(
        ("by", "starts"),
        [
            ("hour", ["2026-01-01T23", "2026-01-02T00", "2026-02-01T00"]),
            ("month", ["2026-01-01T00", "2026-02-01T00"]),
        ],
    )
    def test_by_other_times(self, feed, by, starts):
        assert [bucket["start"] for bucket in feed.json("stats", "--by", by)["buckets"]] == [
            f"{start}:00:00.000000Z" for start in starts
        ]

    def test_between(self, feed):
        words = ("--since", "2026-01-02T01:00:00+01:00", "--until", "2026-02-01T00:00:00Z")
        assert [bucket["total"] for bucket in feed.json("stats", *words)["buckets"]] == [2]
        feed.refused("stats", "--since", "2026-01-02", status=2, code="invalid_argument")
        feed.refused("stats", *words[2:], "--since", "2027-01-01T00:00:00Z", status=2, code="invalid_argument")

    def test_of_nothing(self, tmp_path):
        found = Feed(tmp_path / "none").json("stats")
        assert (found["buckets"], found["paths"]) == ([], [])


class TestSnapshot:
    def test_of_documents(self, feed):
        feed.write("a", "z/y")
        *documents, page = feed.lines("snapshot")
        assert documents == [
            {"type": "document", "path": path, "mounted_path": f"{MOUNT}/{path}", "version": version}
            for path, version in (("a", 2), ("b", 1), ("c", 1), ("d", 1), ("z/y", 1))
        ]
        assert (page["type"], page["cursor"], page["stream"]) == ("page", feed.cursor(7), feed.head.stream)
        assert (page["gap"], page["unreadable"]) == (None, [])
        whole = feed.json("snapshot")
        assert [{"type": "document", **item} for item in whole["documents"]] == documents
        assert feed.read("--cursor", page["cursor"])["events"] == []

    def test_of_nothing(self, tmp_path):
        feed = Feed(tmp_path / "none")
        (page,) = feed.lines("snapshot", status=3)
        assert (page["gap"], page["cursor"], page["stream"]) == ("untracked", None, None)
        assert not feed.root.exists()

    def test_a_damaged_document_hides_no_other(self, feed):
        (feed.root / layout.document_file(SCOPE, "b")).write_text("{")
        (feed.root / layout.document_file(SCOPE, "c")).unlink()
        (feed.root / layout.document_file(SCOPE, "c")).symlink_to("d.json")
        *documents, page = feed.lines("snapshot")
        assert [document["path"] for document in documents] == ["a", "d"]
        assert [(item["path"], item["code"]) for item in page["unreadable"]] == [
            ("b", "document_corrupt"),
            ("c", "document_corrupt"),
        ]


class TestVerify:
    def test_a_good_feed(self, feed):
        assert feed.json("verify") == {
            "format": 1, "path": MOUNT, "scope": SCOPE, "events": 5, "first": 1, "last": 5, "ok": True, "findings": [],
        }  # fmt: skip

    def test_nothing(self, tmp_path):
        found = Feed(tmp_path / "none").json("verify")
        assert (found["ok"], found["events"], found["first"]) == (True, 0, None)

    def test_damage(self, feed):
        segment = next(feed.changes.glob("*.seg"))
        good = segment.read_bytes()
        lines = good.splitlines(keepends=True)
        for damage in (
            good.replace(b'"path":"b"', b'"path":"x"'),
            b"".join([*lines[:2], lines[3], lines[2], *lines[4:]]),
            b"".join([*lines[:2], *lines[3:]]),
            b"".join([*lines[:3], *lines[2:]]),
            good[:-10],
            good + lines[-1],
            b"",
        ):
            segment.write_bytes(damage)
            found = feed.json("verify", status=9)
            assert found["ok"] is False
            (finding,) = found["findings"]
            assert (finding["code"], finding["severity"]) == ("feed_corrupt", "fault")
            assert finding["path"].endswith("00000000000000000001.seg")
        segment.write_bytes(good)
        assert feed.json("verify")["ok"]

    def test_a_segment_too_many(self, feed):
        (feed.changes / "00000000000000004097.seg").write_bytes(b"")
        assert feed.json("verify", status=9)["findings"][0]["code"] == "feed_corrupt"

    def test_a_missing_head(self, feed):
        (feed.changes / "stream.json").unlink()
        assert feed.json("verify", status=9)["findings"][0]["path"].endswith("stream.json")


def schema(name):
    done = call(NEOSIAN, "schema", "changes", "--json")
    document = json.loads(done.stdout)
    validator = jsonschema.Draft202012Validator
    validator.check_schema(document)
    return validator({**document, "$ref": f"#/$defs/{name}"})


class TestSchema:
    def test_pages(self, feed, tmp_path):
        page = schema("page")
        feed.json("rename", f"{MOUNT}/a", f"{MOUNT}/e", group="memory")
        feed.json("delete", f"{MOUNT}/b", group="memory")
        feed.json("erase", f"{MOUNT}/c", "--write", group="memory")
        feed.json("erase", MOUNT, "--all", "--write", group="memory")
        whole = feed.read()
        page.validate(whole)
        assert {event["kind"].rpartition(".")[2] for event in whole["events"]} >= {
            "document_renamed", "document_deleted", "document_erased", "scope_erased", "scope_reset",
        }  # fmt: skip
        cursor = feed.cursor(1)
        feed.prune(3)
        page.validate(feed.read("--cursor", cursor, status=3))
        page.validate(Feed(tmp_path / "none").read(status=3))
        with pytest.raises(jsonschema.ValidationError):
            page.validate({**whole, "gap": "retention"})

    def test_events(self, feed):
        event = schema("event")
        good = feed.read()["events"][1]
        event.validate(good)
        with pytest.raises(jsonschema.ValidationError):
            event.validate({**good, "reason": "restored"})
        with pytest.raises(jsonschema.ValidationError):
            event.validate({key: value for key, value in good.items() if key != "path"})

    def test_requests(self, feed):
        request = schema("request")
        request.validate({"path": "/project", "cursor": feed.cursor(2), "limit": 100})
        for wrong in (
            {"path": "/project", "limit": 101},
            {"path": "/project", "other": 1},
            {"path": "/p", "cursor": ""},
        ):
            with pytest.raises(jsonschema.ValidationError):
                request.validate(wrong)

    @pytest.mark.parametrize("verb", ["read", "status", "stats", "snapshot", "verify", "checkpoint", "prune"])
    def test_results(self, feed, tmp_path, verb):
        file = tmp_path / "place"
        file.write_text(feed.cursor(2))
        words = {
            "checkpoint": (str(file),),
            "status": ("--checkpoint", str(file)),
            "prune": ("--through", feed.cursor(2)),
        }.get(verb, ())
        document = json.loads(call(NEOSIAN, "schema", "cli", "--json").stdout)
        jsonschema.Draft202012Validator({**document["$defs"][f"result.changes.{verb}"]}).validate(
            feed.json(verb, *words)
        )
