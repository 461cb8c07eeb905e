"""What the messages verbs promise, through the services on a real root."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from neosian_cli.errors import Failure
from neosian_cli.model import codec, times
from neosian_cli.model import mount as mounts
from neosian_cli.model.message import FIELDS
from neosian_cli.services import memory_edits, memory_erasure
from neosian_cli.services.verify import verify
from neosian_cli.store import feed, log
from tests.contract.mailroom import MINUTE, NOON, OTHER, PROJECT, SCOPE, Mailroom

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTED = [
    "format", "id", "scope", "conversation", "turn", "source", "about", "about_turn", "context", "change_id", "actor",
    "body", "created_at", "due_at", "actionable", "occurrence", "status", "read_by", "read_at", "owner",
    "claim_until", "outcome",
]  # fmt: skip
ID = "0b0e7a54-61c5-4c1e-9d0a-6a3f4a1f2b3c"


@pytest.fixture
def room(tmp_path: Path) -> Mailroom:
    return Mailroom(tmp_path / "root")


def refused(reason: str) -> Any:
    return pytest.raises(Failure, check=lambda failure: failure.details.get("reason") == reason)


def failing(code: str) -> Any:
    return pytest.raises(Failure, check=lambda failure: failure.code == code)


def events(room: Mailroom, scope: str = SCOPE) -> list[dict[str, Any]]:
    with room.store.reading() as tree:
        head = feed.read_head(tree, scope)
        assert head is not None
        reader = log.Reader(tree, feed.log_of(scope), head)
        return [codec.loads(entry.data) for entry in reader.after(0, 1000, head.floor_chain)]


class TestSend:
    def test_the_record_has_the_documented_fields_in_order(self, room: Mailroom) -> None:
        sent = room.send("hello\n")
        assert list(sent) == [*DOCUMENTED, "version"]
        assert ["format", *FIELDS] == DOCUMENTED
        assert sent["format"] == 1
        assert sent["version"] == 1
        assert sent["scope"] == SCOPE
        assert sent["body"] == "hello\n"
        assert sent["actor"] == "cli:me"
        assert sent["created_at"] == times.spell(NOON)
        assert (sent["actionable"], sent["occurrence"], sent["status"]) == (False, 1, "open")
        unset = set(DOCUMENTED) - {k for k, v in sent.items() if v is not None}
        assert unset == {
            "conversation", "turn", "source", "about", "about_turn", "context", "change_id", "due_at", "read_by",
            "read_at", "owner", "claim_until", "outcome",
        }  # fmt: skip

    def test_it_is_an_ordinary_document_with_its_event(self, room: Mailroom) -> None:
        sent = room.send()
        token = room.take("ack", sent["id"])
        document = json.loads(room.document(sent["id"]).read_text())
        assert document["path"] == f"messages/{sent['id']}"
        record = json.loads(document["content"])
        assert list(record) == DOCUMENTED
        assert {**record, "version": 2} == token
        assert [(event["kind"], event.get("path"), event.get("version")) for event in events(room)] == [
            ("state.scope_reset", None, None),
            ("state.document_created", f"messages/{sent['id']}", 1),
            ("state.document_modified", f"messages/{sent['id']}", 2),
        ]

    def test_all_that_a_sender_says_is_stored_as_given(self, room: Mailroom) -> None:
        sent = room.send(
            "b", conversation="c1", turn=3, about="c0", about_turn=2, source="nightly job", change_id="a:7 é"
        )
        assert [sent[k] for k in ("conversation", "turn", "about", "about_turn", "source", "change_id")] == [
            "c1", 3, "c0", 2, "nightly job", "a:7 é",
        ]  # fmt: skip

    @pytest.mark.parametrize("given", [{"due_at": NOON + MINUTE}, {"delay": 60}])
    def test_a_due_time_makes_it_actionable(self, room: Mailroom, given: dict[str, int]) -> None:
        sent = room.send(**given)
        assert sent["actionable"] is True
        assert sent["due_at"] == "2026-03-01T12:01:00.000000Z"

    def test_a_due_time_in_the_past_is_taken(self, room: Mailroom) -> None:
        assert room.send(due_at=NOON - MINUTE)["id"] in room.ids()

    @pytest.mark.parametrize(
        "given",
        [
            {"body": " \n\t"},
            {"body": ""},
            {"turn": 1},
            {"conversation": "c", "turn": 0},
            {"about_turn": 1},
            {"about": "a", "about_turn": 0},
            {"conversation": ".."},
            {"conversation": "a b"},
            {"conversation": ""},
            {"about": "a/b"},
            {"due_at": NOON, "delay": 5},
            {"delay": 0},
            {"delay": -5},
            {"delay": 10**15},
            {"context_version": 1},
            {"context": "notes/a"},
            {"context": "/project"},
            {"context": "/elsewhere/a"},
            {"message_id": "7"},
            {"message_id": "0b0e7a54-61c5-4c1e-9d0a-6a3f4a1f2b3g"},
            {"target": "/elsewhere"},
            {"target": "/project/notes"},
            {"target": "user:nobody"},
            {"target": "project"},
        ],
    )
    def test_what_makes_no_sense_is_refused_and_leaves_nothing(self, room: Mailroom, given: dict[str, Any]) -> None:
        with failing("invalid_argument"):
            room.send(**given)
        assert not (room.root / "scopes").exists()

    def test_the_target_is_a_mount_or_its_scope(self, room: Mailroom) -> None:
        room.mounts = [PROJECT, OTHER]
        with failing("invalid_argument"):
            room.send()
        assert room.send(target="/other")["scope"] == OTHER.scope
        assert room.send(target=OTHER.scope)["scope"] == OTHER.scope

    @pytest.mark.parametrize(("mode", "code"), [("ro", "read_only"), ("eo", "edit_only")])
    def test_sending_needs_a_mount_that_takes_new_documents(self, room: Mailroom, mode: str, code: str) -> None:
        room.mounts = [mounts.make("project", SCOPE, mode)]
        with failing(code):
            room.send()
        assert not room.root.exists()


class TestContext:
    def test_it_is_captured_as_it_stands(self, room: Mailroom) -> None:
        room.mounts = [PROJECT, mounts.make("kb", OTHER.scope, "ro")]
        room.put("notes/a", scope=OTHER.scope)
        room.put("notes/a", scope=OTHER.scope)
        sent = room.send(target="/project", context="/kb/notes/a")
        assert sent["context"] == {"scope": OTHER.scope, "path": "notes/a", "version": 2}
        assert list(sent["context"]) == ["scope", "path", "version"]

    def test_a_version_that_is_not_the_present_one_is_refused(self, room: Mailroom) -> None:
        room.put("notes/a")
        assert room.send(context="/project/notes/a", context_version=1)["context"]["version"] == 1
        room.put("notes/a")
        with refused("version_mismatch") as raised:
            room.send(context="/project/notes/a", context_version=1)
        assert raised.value.details["actual"] == 2
        assert len(room.ids()) == 1

    def test_a_document_that_is_not_live_is_not_found(self, room: Mailroom) -> None:
        with failing("not_found"):
            room.send(context="/project/notes/a")
        room.put("notes/a")
        room.drop("notes/a")
        with failing("not_found"):
            room.send(context="/project/notes/a")


class TestRetry:
    def test_the_same_again_is_the_same_message(self, room: Mailroom) -> None:
        room.put("notes/a")
        given: dict[str, Any] = {"message_id": ID.upper(), "delay": 60, "context": "/project/notes/a", "source": "x"}
        sent = room.send("b", **given)
        assert sent["id"] == ID
        room.now += 5 * MINUTE
        room.put("notes/a")
        assert room.send("b", **given) == sent
        room.drop("notes/a")
        assert room.send("b", **given) == sent

    def test_a_message_that_went_on_is_still_the_same(self, room: Mailroom) -> None:
        room.send("b", message_id=ID, actionable=True)
        token = room.claim(ID)
        room.take("snooze", ID, token=token, outcome="still no fix", delay=60)
        again = room.send("b", message_id=ID, actionable=True)
        assert (again["version"], again["occurrence"]) == (3, 2)

    @pytest.mark.parametrize(
        "other",
        [
            {"body": "c"},
            {"actionable": True},
            {"conversation": "c"},
            {"delay": 60},
            {"source": "s"},
            {"context": "/project/notes/a"},
        ],
    )
    def test_another_content_exists_already(self, room: Mailroom, other: dict[str, Any]) -> None:
        room.put("notes/a")
        room.send("b", message_id=ID)
        with refused("exists"):
            room.send(**{"body": "b", "message_id": ID, **other})

    def test_a_context_version_that_was_not_captured_is_another_content(self, room: Mailroom) -> None:
        room.put("notes/a")
        room.send("b", message_id=ID, context="/project/notes/a")
        room.put("notes/a")
        with refused("exists"):
            room.send("b", message_id=ID, context="/project/notes/a", context_version=2)
        assert room.send("b", message_id=ID, context="/project/notes/a", context_version=1)["version"] == 1

    def test_the_id_of_a_deleted_message_is_taken(self, room: Mailroom) -> None:
        room.send("b", message_id=ID)
        room.drop(f"messages/{ID}")
        with refused("exists"):
            room.send("b", message_id=ID)


class TestList:
    def test_nothing_is_made_by_looking(self, room: Mailroom) -> None:
        assert room.page() == {"items": [], "next_cursor": None, "unreadable": []}
        assert not room.root.exists()

    def test_order_is_by_due_time_creation_and_id(self, room: Mailroom) -> None:
        late = room.send(due_at=NOON - MINUTE)["id"]
        early = room.send(due_at=NOON - 2 * MINUTE)["id"]
        plain = sorted(room.send()["id"] for _ in range(3))
        room.now += MINUTE
        last = room.send()["id"]
        assert room.ids() == [early, late, *plain, last]
        assert room.ids("open") == room.ids("all") == [early, late, *plain, last]

    def test_each_status_shows_its_own(self, room: Mailroom) -> None:
        unread = room.send(actionable=True)["id"]
        read = room.send(actionable=True)["id"]
        claimed = room.send(actionable=True)["id"]
        later = room.send(delay=3600)["id"]
        done, gone = room.send()["id"], room.send()["id"]
        room.take("ack", read)
        room.claim(claimed)
        room.take("ack", done)
        room.take("cancel", gone)
        assert set(room.ids()) == {unread}
        assert set(room.ids("open")) == {unread, read, claimed}
        assert room.ids("scheduled") == [later]
        assert set(room.ids("closed")) == {done, gone}
        assert set(room.ids("all")) == {unread, read, claimed, later, done, gone}
        room.now += 30 * MINUTE
        assert set(room.ids()) == {unread, claimed}
        room.now += 30 * MINUTE
        assert set(room.ids()) == {unread, claimed, later}

    def test_a_conversation_s_message_shows_only_with_that_session(self, room: Mailroom) -> None:
        mine, everyones = room.send(conversation="c1")["id"], room.send()["id"]
        for status in ("unread", "open", "all"):
            assert room.ids(status) == [everyones]
            assert set(room.ids(status, session="c1")) == {mine, everyones}
            assert room.ids(status, session="c2") == [everyones]

    def test_all_mounts_unless_one_is_named(self, room: Mailroom) -> None:
        room.mounts = [PROJECT, OTHER, mounts.make("again", SCOPE, "ro")]
        first = room.send(target="/project")["id"]
        room.now += 1
        second = room.send(target="/other")["id"]
        assert room.ids() == room.ids("all") == [first, second]
        assert room.ids(target="/other") == [second]
        assert room.ids(target=SCOPE) == [first]

    def test_reading_marks_nothing(self, room: Mailroom) -> None:
        sent = room.send()
        room.page(session="s1")
        room.view(sent["id"])
        assert room.page()["items"] == [sent]

    def test_a_page_goes_on_where_the_last_one_ended(self, room: Mailroom) -> None:
        sent = [room.send(actionable=True)["id"] for _ in range(7)]
        page = room.page(limit=3)
        room.take("cancel", page["items"][2]["id"])
        rest = room.page(limit=10, cursor=page["next_cursor"])
        assert rest["next_cursor"] is None
        assert [item["id"] for item in page["items"] + rest["items"]] == sorted(sent)

    @pytest.mark.parametrize("cursor", ["", "x", "m1_", "m1_" + "A" * 56, "n1_" + "A" * 60, "m1_é" + "A" * 55])
    def test_what_is_no_cursor_is_refused(self, room: Mailroom, cursor: str) -> None:
        with failing("invalid_cursor"):
            room.page(cursor=cursor)

    def test_a_cursor_is_for_one_listing(self, room: Mailroom) -> None:
        for _ in range(3):
            room.send()
        cursor = room.page(limit=1)["next_cursor"]
        with failing("invalid_cursor"):
            room.page(limit=1, cursor=cursor, status="open")
        with failing("invalid_cursor"):
            room.page(limit=1, cursor=cursor, session="s")
        flipped = cursor[:-1] + ("A" if cursor[-1] != "A" else "Q")
        with failing("invalid_cursor"):
            room.page(limit=1, cursor=flipped)


class TestView:
    def test_it_has_the_history_newest_first(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        token = room.claim(sent["id"])
        done = room.take("complete", sent["id"], token=token, outcome="fixed")
        seen = room.view(sent["id"])
        history = seen.pop("history")
        assert seen == done
        assert [item["version"] for item in history] == [3, 2, 1]
        assert history[0] == {**done, "changed_at": times.spell(NOON), "changed_by": "cli:me"}
        assert history[2] == {**sent, "changed_at": times.spell(NOON), "changed_by": "cli:me"}

    def test_unknown_and_erased_messages_are_not_found(self, room: Mailroom) -> None:
        with failing("not_found"):
            room.view(ID)
        with failing("not_found"):
            room.take("ack", ID)
        assert not room.root.exists()

    def test_a_message_in_two_scopes_needs_a_target(self, room: Mailroom) -> None:
        room.mounts = [PROJECT, OTHER]
        for target in ("/project", "/other"):
            room.send(target=target, message_id=ID)
        with failing("invalid_argument"):
            room.view(ID)
        with failing("invalid_argument"):
            room.take("ack", ID)
        assert room.view(ID, target="/other")["scope"] == OTHER.scope
        assert room.take("ack", ID, target="/other")["scope"] == OTHER.scope
        assert room.view(ID, target="/project")["status"] == "open"


class TestSteps:
    def test_an_acknowledged_information_is_closed_once(self, room: Mailroom) -> None:
        sent = room.send()
        acked = room.take("ack", sent["id"], "s1")
        assert (acked["status"], acked["read_by"], acked["read_at"]) == ("done", "s1", times.spell(NOON))
        room.now += 1
        assert room.take("ack", sent["id"], "s2") == acked
        assert len(events(room)) == 3

    def test_an_acknowledged_task_is_read_and_open(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        acked = room.take("ack", sent["id"], "s1")
        assert (acked["status"], acked["read_by"]) == ("open", "s1")
        assert room.take("ack", sent["id"], "s2") == acked

    def test_a_claim_whose_lease_ended_can_be_acknowledged_away(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        room.claim(sent["id"], "s1")
        room.now += 30 * MINUTE
        acked = room.take("ack", sent["id"], "s2")
        assert (acked["owner"], acked["claim_until"], acked["read_by"]) == (None, None, "s2")
        assert room.ids() == []
        assert room.ids("open") == [sent["id"]]

    def test_a_claim_is_a_lease_of_thirty_minutes(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        claimed = room.take("claim", sent["id"], "s1")
        assert list(claimed) == [*DOCUMENTED, "version", "token"]
        assert (claimed["owner"], claimed["read_by"]) == ("s1", "s1")
        assert claimed["claim_until"] == times.spell(NOON + 30 * MINUTE)
        room.now += 30 * MINUTE - 1
        with refused("claimed"):
            room.take("claim", sent["id"], "s2")
        room.now += 1
        assert room.take("claim", sent["id"], "s2")["owner"] == "s2"

    def test_the_owner_gets_a_new_token_and_a_new_lease(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        first = room.claim(sent["id"])
        room.now += MINUTE
        second = room.take("claim", sent["id"])
        assert second["token"] != first
        assert second["claim_until"] == times.spell(NOON + 31 * MINUTE)
        with refused("token_mismatch"):
            room.take("renew", sent["id"], token=first)
        room.now += MINUTE
        renewed = room.take("renew", sent["id"], token=second["token"])
        assert renewed["claim_until"] == times.spell(NOON + 32 * MINUTE)
        assert "token" not in renewed

    def test_a_late_owner_is_fenced(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        late = room.claim(sent["id"], "s1")
        room.now += 31 * MINUTE
        with refused("lease_ended"):
            room.take("complete", sent["id"], "s1", token=late, outcome="x")
        token = room.claim(sent["id"], "s2")
        with refused("token_mismatch"):
            room.take("complete", sent["id"], "s1", token=late, outcome="x")
        with refused("token_mismatch"):
            room.take("complete", sent["id"], "s1", token=token, outcome="x")
        room.take("snooze", sent["id"], "s2", token=token, outcome="still no fix", delay=1)
        with refused("stale_occurrence"):
            room.take("complete", sent["id"], "s1", token=late, outcome="x")

    def test_release_gives_it_back_unread(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        token = room.claim(sent["id"])
        released = room.take("release", sent["id"], token=token)
        assert [released[k] for k in ("owner", "claim_until", "read_by", "read_at")] == [None] * 4
        assert room.ids() == [sent["id"]]
        with refused("lease_ended"):
            room.take("complete", sent["id"], token=token, outcome="x")

    def test_complete_is_done_once(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        token = room.claim(sent["id"])
        done = room.take("complete", sent["id"], token=token, outcome="fixed")
        assert (done["status"], done["outcome"], done["owner"], done["claim_until"]) == ("done", "fixed", "s1", None)
        room.now += 60 * MINUTE
        assert room.take("complete", sent["id"], token=token, outcome="fixed") == done
        for other in ({"outcome": "other"}, {"session": "s2", "outcome": "fixed"}):
            with refused("closed"):
                room.take("complete", sent["id"], token=token, **other)
        with refused("closed"):
            room.take("cancel", sent["id"])
        with refused("closed"):
            room.take("ack", sent["id"])

    def test_snooze_puts_it_off(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        token = room.claim(sent["id"])
        put_off = room.take("snooze", sent["id"], token=token, outcome="still no fix", delay=600)
        assert (put_off["occurrence"], put_off["outcome"], put_off["status"]) == (2, "still no fix", "open")
        assert put_off["due_at"] == times.spell(NOON + 10 * MINUTE)
        assert [put_off[k] for k in ("owner", "claim_until", "read_by", "read_at")] == [None] * 4
        assert room.ids() == []
        with refused("not_due"):
            room.take("claim", sent["id"], occurrence=2)
        with refused("not_due"):
            room.take("ack", sent["id"], occurrence=2)
        room.now += 10 * MINUTE
        assert room.ids() == [sent["id"]]
        again = room.claim(sent["id"], "s2", 2)
        until = room.now + MINUTE
        assert room.take("snooze", sent["id"], "s2", 2, token=again, outcome="no", due_at=until)["occurrence"] == 3

    @pytest.mark.parametrize(
        "given", [{}, {"delay": 1, "due_at": NOON + MINUTE}, {"due_at": NOON}, {"delay": 0}, {"delay": 10**15}]
    )
    def test_a_snooze_ends_in_the_future(self, room: Mailroom, given: dict[str, int]) -> None:
        sent = room.send(actionable=True)
        token = room.claim(sent["id"])
        with failing("invalid_argument"):
            room.take("snooze", sent["id"], token=token, outcome="x", **given)
        assert room.view(sent["id"])["version"] == 2

    def test_cancel_needs_no_token_and_no_due_time(self, room: Mailroom) -> None:
        scheduled, claimed = room.send(delay=60)["id"], room.send(actionable=True)["id"]
        token = room.claim(claimed)
        assert room.take("cancel", scheduled, "s2")["status"] == "cancelled"
        gone = room.take("cancel", claimed, "s2")
        assert (gone["status"], gone["owner"], gone["claim_until"]) == ("cancelled", None, None)
        assert room.take("cancel", claimed, "s3") == gone
        for verb, given in (("complete", {"token": token, "outcome": "x"}), ("ack", {}), ("claim", {})):
            with refused("closed"):
                room.take(verb, claimed, **given)

    def test_an_information_cannot_be_claimed(self, room: Mailroom) -> None:
        with refused("not_actionable"):
            room.take("claim", room.send()["id"])

    @pytest.mark.parametrize("verb", ["ack", "claim", "renew", "release", "complete", "snooze", "cancel"])
    def test_every_step_is_for_recipients_who_have_seen_the_occurrence(self, room: Mailroom, verb: str) -> None:
        sent = room.send(conversation="s1", actionable=True)
        given: dict[str, Any] = {"token": "t", "outcome": "o"}
        given |= {"delay": 5} if verb == "snooze" else {}
        with refused("not_recipient"):
            room.take(verb, sent["id"], "s2", **given)
        with refused("stale_occurrence"):
            room.take(verb, sent["id"], "s1", 2, **given)
        assert room.view(sent["id"])["version"] == 1

    @pytest.mark.parametrize("verb", ["renew", "release", "complete", "snooze"])
    def test_a_step_on_a_claim_needs_its_token(self, room: Mailroom, verb: str) -> None:
        sent = room.send(actionable=True)
        given: dict[str, Any] = {"outcome": "o"} | ({"delay": 5} if verb == "snooze" else {})
        with failing("invalid_argument"):
            room.take(verb, sent["id"], **given)
        with refused("lease_ended"):
            room.take(verb, sent["id"], token="t", **given)
        room.claim(sent["id"])
        with refused("token_mismatch"):
            room.take(verb, sent["id"], token="t", **given)

    @pytest.mark.parametrize(
        "given",
        [
            {"session": ""}, {"session": "a b"}, {"occurrence": 0}, {"verb": "complete", "outcome": " "},
            {"verb": "complete"}, {"verb": "snooze", "delay": 5},
        ],
    )  # fmt: skip
    def test_what_makes_no_sense_is_refused(self, room: Mailroom, given: dict[str, Any]) -> None:
        sent = room.send(actionable=True)
        with failing("invalid_argument"):
            room.take(**{"verb": "ack", "message_id": sent["id"], "token": "t", **given})

    def test_steps_work_on_an_edit_only_mount_and_not_on_a_read_only_one(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        room.mounts = [mounts.make("project", SCOPE, "ro")]
        with failing("read_only"):
            room.take("claim", sent["id"])
        room.mounts = [mounts.make("project", SCOPE, "ro"), mounts.make("edit", SCOPE, "eo")]
        token = room.claim(sent["id"])
        assert room.take("complete", sent["id"], token=token, outcome="x")["status"] == "done"
        with failing("read_only"):
            room.take("ack", sent["id"], target="/project")


class TestClock:
    def test_a_clock_that_goes_back_does_not_lose_a_claim(self, room: Mailroom) -> None:
        sent = room.send(due_at=NOON)
        token = room.claim(sent["id"])
        room.now -= 120 * MINUTE
        renewed = room.take("renew", sent["id"], token=token)
        assert renewed["claim_until"] == times.spell(NOON + 30 * MINUTE)
        again = room.take("claim", sent["id"])
        assert again["claim_until"] == times.spell(NOON + 30 * MINUTE)
        with refused("claimed"):
            room.take("claim", sent["id"], "s2")
        assert room.take("complete", sent["id"], token=again["token"], outcome="x")["status"] == "done"

    def test_a_message_without_a_due_time_is_due_before_it_was_made(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        room.now -= 120 * MINUTE
        assert room.ids() == [sent["id"]]
        room.claim(sent["id"])


class TestSecrets:
    def test_a_token_is_in_no_file_and_in_no_other_answer(self, room: Mailroom) -> None:
        sent = room.send(actionable=True)
        token = room.claim(sent["id"])
        answers = [room.view(sent["id"]), room.page(status="open"), room.take("renew", sent["id"], token=token)]
        files = b"".join(path.read_bytes() for path in room.root.rglob("*") if path.is_file())
        assert token.encode() not in files
        assert token not in json.dumps(answers)
        assert "sha256" not in json.dumps(answers)


class TestErasure:
    def test_an_erased_message_is_nowhere(self, room: Mailroom) -> None:
        sent = [
            room.send(f"secretword {number}", actionable=True, conversation="secretname")["id"] for number in range(3)
        ]
        token = room.claim(sent[0], "secretname")
        room.take("snooze", sent[0], "secretname", token=token, outcome="secretoutcome", delay=60)
        room.take("cancel", sent[1], "secretname")
        for message_id in sent[:2]:
            erased = memory_erasure.erase(room.store, PROJECT, f"messages/{message_id}", actor="cli:me", apply=True)
            assert erased["documents"] == 1
        for message_id in sent[:2]:
            with failing("not_found"):
                room.view(message_id)
            with failing("not_found"):
                room.take("cancel", message_id, "secretname")
            with refused("exists"):
                room.send("secretword 0", message_id=message_id)
        for status in ("unread", "open", "all"):
            assert room.ids(status, session="secretname") == [sent[2]]
        assert room.ids("scheduled") == room.ids("closed") == []
        assert room.notes == []
        memory_erasure.erase(room.store, PROJECT, None, actor="cli:me", apply=True, whole=True)
        assert room.ids("all", session="secretname") == []
        assert b"secret" not in b"".join(path.read_bytes() for path in room.root.rglob("*") if path.is_file())

    def test_memory_verbs_leave_messages_alone(self, room: Mailroom) -> None:
        sent = room.send()
        with failing("reserved_path"):
            memory_edits.delete(room.store, PROJECT, sent_path(sent), actor="cli:me")
        assert room.ids() == [sent["id"]]


def sent_path(sent: dict[str, Any]) -> str:
    return f"messages/{sent['id']}"


class TestVerify:
    def test_a_sound_mailbox_has_no_findings(self, room: Mailroom) -> None:
        for _ in range(3):
            room.take("ack", room.send()["id"])
            room.send(actionable=True)
        found = verify(room.store, None)
        assert found["findings"] == []
        assert found["checked"]["messages"] == 6

    def test_damage_of_index_and_messages_is_named_once(self, room: Mailroom) -> None:
        first, second = room.send()["id"], room.send()["id"]
        room.put(f"messages/{first}", "{}")
        room.document(second).write_bytes(b"{")
        room.index.write_bytes(b"")
        found = verify(room.store, SCOPE)
        assert not found["ok"]
        assert sorted(finding["path"] for finding in found["findings"]) == sorted(
            [str(path.relative_to(room.root)) for path in (room.document(first), room.document(second), room.index)]
        )
