"""The index of open messages: what it costs, what it is told from its damage, and how it comes back."""

from __future__ import annotations

import errno
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from neosian_cli.disk.tree import Tree
from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.store import mailbox, open_messages
from neosian_cli.store.open_messages import Distrusted, Entry
from tests.contract.mailroom import MINUTE, NOON, SCOPE, Counted, Mailroom

if TYPE_CHECKING:
    from pathlib import Path

STREAM = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def room(tmp_path: Path) -> Mailroom:
    return Mailroom(tmp_path / "root")


class ReadOnly(Counted):
    """A file system on which nothing can be made."""

    def create(self, name: str, directory: int) -> int:
        raise OSError(errno.EROFS, "read-only file system")


def findings(room: Mailroom) -> list[str]:
    checked = {"messages": 0}
    return [f"{found.code} {found.path}: {found.message}" for found in mailbox.check(room.store, SCOPE, checked)]


def read(room: Mailroom) -> dict[str, Entry]:
    with room.store.reading() as tree:
        return open_messages.read(tree, SCOPE)


def test_a_message_costs_one_more_sync(room: Mailroom) -> None:
    first = room.send(actionable=True)["id"]
    room.calls.syncs = 0
    sent = room.send(actionable=True)["id"]
    assert room.calls.syncs == 11
    for verb, given in (("claim", {}), ("cancel", {})):
        room.calls.syncs = 0
        room.take(verb, sent, **given)
        assert room.calls.syncs == 10
    room.calls.syncs = 0
    room.send(message_id=first, actionable=True, body="look at this")
    room.take("cancel", sent)
    assert room.calls.syncs == 0


def test_closed_messages_leave_it(room: Mailroom) -> None:
    kept = room.send()["id"]
    for _ in range(300):
        room.take("cancel", room.send()["id"])
    assert room.index.stat().st_size < 200 * (open_messages.SLACK + 10)
    assert list(read(room)) == [kept]
    assert room.ids() == [kept]
    assert findings(room) == []


def test_it_stays_small_while_many_are_open(room: Mailroom) -> None:
    sent = [room.send(actionable=True)["id"] for _ in range(60)]
    for _ in range(5):
        for message_id in sent:
            room.take("renew", message_id, token=room.claim(message_id))
    assert len(room.index.read_bytes().splitlines()) <= 2 * 60 + open_messages.SLACK + 1
    assert set(read(room)) == set(sent)


def test_it_holds_no_word_of_a_message(room: Mailroom) -> None:
    sent = room.send("secret body", conversation="secretname", source="secretsource", actionable=True)
    token = room.claim(sent["id"], "secretname")
    room.take("snooze", sent["id"], "secretname", token=token, outcome="secret outcome", delay=5)
    assert b"secret" not in room.index.read_bytes()


def _remove(room: Mailroom) -> None:
    room.index.unlink()


def _remove_directory(room: Mailroom) -> None:
    shutil.rmtree(room.index.parent)


def _empty(room: Mailroom) -> None:
    room.index.write_bytes(b"")


def _cut_in_a_line(room: Mailroom) -> None:
    room.index.write_bytes(room.index.read_bytes()[:-40])


def _cut_after_a_line(room: Mailroom) -> None:
    room.index.write_bytes(b"".join(room.index.read_bytes().splitlines(keepends=True)[:-1]))


def _drop_a_line(room: Mailroom) -> None:
    lines = room.index.read_bytes().splitlines(keepends=True)
    room.index.write_bytes(b"".join(lines[:2] + lines[3:]))


def _swap_lines(room: Mailroom) -> None:
    lines = room.index.read_bytes().splitlines(keepends=True)
    room.index.write_bytes(b"".join([lines[0], lines[2], lines[1], *lines[3:]]))


def _flip(room: Mailroom) -> None:
    data = bytearray(room.index.read_bytes())
    data[len(data) // 2] ^= 1
    room.index.write_bytes(data)


def _no_json(room: Mailroom) -> None:
    room.index.write_bytes(b"7b2d2f8e not json\n")


def _of_another_feed(room: Mailroom) -> None:
    room.index.write_bytes(open_messages.encode(read(room).values(), STREAM, 3))


def _ahead_of_the_feed(room: Mailroom) -> None:
    with room.store.reading() as tree:
        stream = json.loads(
            tree.read(f"scopes/{room.directory().relative_to(room.root / 'scopes')}/.changes/stream.json") or b""
        )["stream"]
    room.index.write_bytes(open_messages.encode(read(room).values(), stream, 99))


def _link(room: Mailroom) -> None:
    kept = room.index.rename(room.index.parent / "kept")
    room.index.symlink_to(kept)


DAMAGES = [
    _remove, _remove_directory, _empty, _cut_in_a_line, _cut_after_a_line, _drop_a_line, _swap_lines, _flip, _no_json,
    _of_another_feed, _ahead_of_the_feed, _link,
]  # fmt: skip


@pytest.fixture
def damaged(room: Mailroom, damage: Any) -> dict[str, Any]:
    """A room with four messages whose index is damaged then, and what the listings say."""
    sent = [room.send(actionable=True)["id"] for _ in range(4)]
    room.take("cancel", sent[3])
    before = {status: room.page(status=status) for status in ("unread", "open", "scheduled", "closed", "all")}
    damage(room)
    assert len(findings(room)) == 1
    return before


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_listing_mends_what_is_damaged(room: Mailroom, damaged: dict[str, Any]) -> None:
    assert room.page() == damaged["unread"]
    assert [note.endswith("made anew from the messages") for note in room.notes] == [True]
    assert findings(room) == []
    for status, page in damaged.items():
        assert room.page(status=status) == page
    assert len(room.notes) == 1


@pytest.mark.parametrize("damage", DAMAGES)
def test_where_it_cannot_be_mended_every_message_is_read(room: Mailroom, damaged: dict[str, Any]) -> None:
    room.calls = ReadOnly()
    for status, page in damaged.items():
        assert room.page(status=status) == page
    assert [note.endswith("all messages were read instead") for note in room.notes] == [True] * 3
    assert len(findings(room)) == 1


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_step_never_hides_damage(room: Mailroom, damaged: dict[str, Any]) -> None:
    first = damaged["unread"]["items"][0]["id"]
    room.take("ack", first)
    new = room.send()["id"]
    assert set(room.ids()) == {item["id"] for item in damaged["unread"]["items"]} - {first} | {new}
    assert findings(room) == []


@pytest.mark.parametrize("then", ["list", "send"])
@pytest.mark.parametrize("missed", ["send", "ack", "cancel"])
def test_an_old_copy_of_it_is_found(room: Mailroom, missed: str, then: str) -> None:
    """Whole in itself, but some step of a message came after it."""
    first = room.send(actionable=True)["id"]
    old = room.index.read_bytes()
    if missed == "send":
        room.send(actionable=True)
    else:
        room.take(missed, first)
    for number in range(5):
        room.put(f"notes/{number}")
    expected = [room.page(status=status) for status in ("unread", "open")]
    room.index.write_bytes(old)
    assert len(findings(room)) == 1
    if then == "list":
        assert [room.page(status=status) for status in ("unread", "open")] == expected
    else:
        room.send()
    assert findings(room) == []
    assert len(room.ids("all")) == len(room.ids("open")) + len(room.ids("closed"))


def test_an_entry_that_the_document_contradicts_is_not_believed(room: Mailroom) -> None:
    """Even an index that is whole and current in all that can be checked of it."""
    sent = [room.send(actionable=True)["id"] for _ in range(2)]
    room.take("ack", sent[0])
    known = read(room)
    other = known[sent[0]]
    forged = Entry(other.id, other.version, other.created_at, None, read=False, claim_until=None, conversation=None)
    with room.store.writing("test") as transaction:
        mailbox._cover(transaction, SCOPE, [forged, known[sent[1]]])
        transaction.commit()
    assert findings(room) == [
        f"document_corrupt scopes/user%3Ame/proj%3Aerp/.mailbox/open.log: is wrong about message {sent[0]}"
    ]
    assert room.ids() == [sent[1]]
    assert findings(room) == []


def test_a_newer_format_is_kept(room: Mailroom) -> None:
    """Listings look at the documents instead; a step, which would have to write on in it, is refused."""
    sent = room.send()["id"]
    newer = open_messages._line({"format": 2, "row": 0, "sequence": 2, "open": 0, "stream": STREAM}, 0)[0]
    room.index.write_bytes(newer)
    assert room.ids() == room.ids("open") == [sent]
    with pytest.raises(Failure) as raised:
        room.send()
    assert raised.value.code == "format_unsupported"
    assert room.index.read_bytes() == newer
    assert len(findings(room)) == 1
    assert len(room.ids("all")) == 1


def test_other_documents_do_not_make_it_stale(room: Mailroom) -> None:
    room.send()
    for number in range(20):
        room.put(f"notes/{number}")
    room.page()
    assert room.notes == []


def test_a_pruned_or_damaged_feed_does_not_hide_messages(room: Mailroom) -> None:
    sent = room.send()["id"]
    segment = next((room.directory() / ".changes").glob("*.seg"))
    room.put("notes/a")
    segment.write_bytes(b"x" * segment.stat().st_size)
    assert room.ids() == [sent]
    assert "cannot be compared with the feed" in room.notes[0]


def test_a_feed_that_is_a_link_does_not_hide_messages(room: Mailroom) -> None:
    sent = room.send()["id"]
    feed = room.directory() / ".changes"
    feed.rename(room.root / "moved")
    feed.symlink_to(room.root / "moved")
    assert room.ids() == [sent]
    assert len(findings(room)) == 1


def test_a_folder_of_messages_that_is_a_link_is_one_finding(room: Mailroom) -> None:
    sent = room.send()["id"]
    folder = room.document(sent).parent
    folder.rename(room.root / "moved")
    folder.symlink_to(room.root / "moved")
    assert len(findings(room)) == 1
    (bad,) = room.page(status="all")["unreadable"]
    assert (bad["path"], bad["code"]) == ("messages", "document_corrupt")
    assert [bad["id"] for bad in room.page()["unreadable"]] == [sent]


def test_a_damaged_message_hides_no_other(room: Mailroom) -> None:
    sent = sorted(room.send(actionable=True)["id"] for _ in range(5))
    room.document(sent[0]).write_bytes(b"{")
    room.document(sent[1]).write_text(room.document(sent[1]).read_text().replace('"format": 1', '"format": 9'))
    room.document(sent[2]).unlink()
    room.document(sent[2]).symlink_to("/dev/null")
    for status in ("unread", "open"):
        page = room.page(status=status)
        assert [item["id"] for item in page["items"]] == sent[3:]
        assert [(bad["id"], bad["code"]) for bad in page["unreadable"]] == [
            (sent[0], "document_corrupt"), (sent[1], "format_unsupported"), (sent[2], "document_corrupt"),
        ]  # fmt: skip
    for status in ("closed", "all"):
        assert {bad["id"] for bad in room.page(status=status)["unreadable"]} == set(sent[:3])
    assert room.page(status="scheduled")["unreadable"] == []
    room.index.unlink()
    for _ in range(2):
        assert {bad["id"] for bad in room.page()["unreadable"]} == set(sent[:3])
        room.send()
    assert len(room.notes) == 1


def test_unreadable_messages_count_for_a_page(room: Mailroom) -> None:
    sent = sorted(room.send(actionable=True)["id"] for _ in range(5))
    for message_id in sent[:3]:
        room.document(message_id).write_bytes(b"")
    page = room.page(limit=2)
    assert (page["items"], len(page["unreadable"])) == ([], 2)
    page = room.page(limit=2, cursor=page["next_cursor"])
    assert ([item["id"] for item in page["items"]], len(page["unreadable"])) == ([sent[3]], 1)
    page = room.page(limit=2, cursor=page["next_cursor"])
    assert ([item["id"] for item in page["items"]], page["next_cursor"]) == ([sent[4]], None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "0b0e7a54-61c5-4c1e-9d0a-6a3f4a1f2b3c"), ("id", "x"), ("scope", "user:other"), ("body", 5),
        ("occurrence", 0),
        ("occurrence", True), ("actionable", 1), ("created_at", "2026-01-01"), ("due_at", 5), ("status", "new"),
        ("context", {"scope": "s"}), ("context", []), ("owner", "s1"), ("claim_until", times.spell(NOON)), ("turn", 0),
        ("format", 2), ("format", True), ("format", None),
    ],
)  # fmt: skip
def test_a_record_that_is_none_is_unreadable(room: Mailroom, field: str, value: object) -> None:
    sent = room.send()
    record = {key: sent[key] for key in sent if key != "version"} | {field: value}
    room.put(f"messages/{sent['id']}", json.dumps(record))
    page = room.page(status="all")
    assert page["items"] == []
    code = "format_unsupported" if (field, value) == ("format", 2) else "document_corrupt"
    assert [(bad["id"], bad["code"]) for bad in page["unreadable"]] == [(sent["id"], code)]
    assert room.page()["unreadable"] == page["unreadable"]
    with pytest.raises(Failure) as raised:
        room.view(sent["id"])
    assert raised.value.code == code
    assert "Traceback" not in raised.value.message


def test_a_record_without_a_field_is_unreadable(room: Mailroom) -> None:
    sent = room.send()
    room.put(f"messages/{sent['id']}", '{"format": 1}')
    assert room.page()["unreadable"][0]["message"].endswith("it has no 'id'")


def test_forgetting_takes_messages_out(room: Mailroom) -> None:
    sent = [room.send(actionable=True, due_at=NOON - MINUTE)["id"] for _ in range(3)]
    for _ in range(2):
        with room.store.writing("test") as transaction:
            mailbox.forget(transaction, SCOPE, [f"messages/{sent[0]}", "notes/a"])
            transaction.commit()
        assert set(read(room)) == set(sent[1:])
    assert sent[0].encode() not in room.index.read_bytes()
    room.index.unlink()
    with room.store.writing("test") as transaction:
        mailbox.forget(transaction, SCOPE, [f"messages/{sent[0]}"])
        transaction.commit()
    assert set(read(room)) == set(sent[1:])


def test_rebuilding_where_there_is_nothing_makes_nothing(room: Mailroom) -> None:
    with room.store.writing("test") as transaction:
        mailbox.rebuild(transaction, SCOPE)
        transaction.commit()
    assert not (room.root / "scopes").exists()


def test_rebuilding_makes_the_same_index(room: Mailroom) -> None:
    for number in range(5):
        room.take("ack", room.send(actionable=number < 3, conversation=f"s{number}")["id"], f"s{number}")
    before = read(room)
    room.index.unlink()
    with room.store.writing("test") as transaction:
        mailbox.rebuild(transaction, SCOPE)
        transaction.commit()
    assert read(room) == before


def test_without_a_root_it_is_empty() -> None:
    assert open_messages.read(Tree(None), SCOPE) == {}


def test_an_empty_index_has_no_message(tmp_path: Path) -> None:
    data = open_messages.encode([], STREAM, 7)
    assert open_messages._rows(data, "x")[0]["open"] == 0
    with pytest.raises(Distrusted):
        open_messages._rows(data[:-1], "x")
