"""The life of messages as a Hypothesis machine: a real root against a model, with a clock that steps back and forth.

The model says what the steps mean with a dict a message and no line of the store's. After every rule the listings of
the store must be what the model says, and at the end the index must be what the documents say.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.services import memory_erasure
from neosian_cli.store import mailbox
from tests.contract.mailroom import MINUTE, PROJECT, SCOPE, Mailroom

SESSIONS = st.sampled_from(["s1", "s1", "s2"])
Row = dict[str, Any]


class Refused(Exception):
    """The model's no, with its reason."""


def need(condition: object, reason: str) -> None:
    if not condition:
        raise Refused(reason)


class Model:
    """Messages by id. `tokens` names the newest claim's token; times are instants."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}

    def send(self, message_id: str, now: int, *, asks: bool, due: int | None, to: str | None) -> None:
        self.rows[message_id] = {
            "created": now, "due": due, "asks": asks or due is not None, "to": to, "n": 1, "state": "open",
            "read": False, "owner": None, "until": None, "token": None, "version": 1, "outcome": None,
        }  # fmt: skip

    def take(self, verb: str, message_id: str, now: int, session: str, n: int, **given: Any) -> None:
        row = self.rows[message_id]
        need(row["to"] in (None, session), "not_recipient")
        need(row["n"] == n, "stale_occurrence")
        before = dict(row)
        getattr(self, verb)(row, now, session, **given)
        if row != before:
            row["version"] += 1

    def is_due(self, row: Row, now: int) -> bool:
        return row["due"] is None or row["due"] <= now

    def lease(self, row: Row, now: int) -> bool:
        return row["owner"] is not None and now < row["until"]

    def free(self, row: Row) -> None:
        row.update(owner=None, until=None, token=None, read=False)

    def ack(self, row: Row, now: int, session: str) -> None:
        if not row["asks"]:
            need(row["state"] != "cancelled", "closed")
            row.update(state="done", read=True)
            return
        need(row["state"] == "open", "closed")
        need(self.is_due(row, now) or row["read"], "not_due")
        if row["owner"] is not None and not self.lease(row, now):
            self.free(row)
        row["read"] = True

    def claim(self, row: Row, now: int, session: str, token: str) -> None:
        need(row["state"] == "open", "closed")
        need(row["asks"], "not_actionable")
        if self.lease(row, now):
            need(row["owner"] == session, "claimed")
            row.update(until=max(row["until"], now + 30 * MINUTE), token=token)
        else:
            need(self.is_due(row, now), "not_due")
            row.update(owner=session, until=now + 30 * MINUTE, token=token, read=True)

    def held(self, row: Row, now: int, session: str, token: str) -> None:
        need(row["state"] == "open", "closed")
        need(row["asks"], "not_actionable")
        need(row["owner"] is not None, "lease_ended")
        need((row["owner"], row["token"]) == (session, token), "token_mismatch")
        need(self.lease(row, now), "lease_ended")

    def renew(self, row: Row, now: int, session: str, token: str) -> None:
        self.held(row, now, session, token)
        row["until"] = max(row["until"], now + 30 * MINUTE)
        row["renewed"] = row.get("renewed", 0) + 1

    def release(self, row: Row, now: int, session: str, token: str) -> None:
        self.held(row, now, session, token)
        self.free(row)

    def complete(self, row: Row, now: int, session: str, token: str, outcome: str) -> None:
        if row["state"] == "done" and (row["owner"], row["token"], row["outcome"]) == (session, token, outcome):
            return
        self.held(row, now, session, token)
        row.update(state="done", outcome=outcome)

    def snooze(self, row: Row, now: int, session: str, token: str, *, outcome: str, delay: int) -> None:
        self.held(row, now, session, token)
        self.free(row)
        row.update(n=row["n"] + 1, due=now + delay * times.SECOND, outcome=outcome)

    def cancel(self, row: Row, now: int, session: str) -> None:
        need(row["state"] != "done", "closed")
        if row["state"] == "open":
            row.update(state="cancelled", owner=None, token=None)

    def listed(self, status: str, now: int, session: str | None) -> list[str]:
        def shows(row: Row) -> bool:
            if row["to"] not in (None, session):
                return False
            is_open, due = row["state"] == "open", self.is_due(row, now)
            lapsed = row["owner"] is not None and not self.lease(row, now)
            return {
                "unread": is_open and due and (not row["read"] or lapsed),
                "open": is_open and due,
                "scheduled": is_open and not due,
                "closed": not is_open,
                "all": True,
            }[status]

        found = [(row["created"] if row["due"] is None else row["due"], row["created"], message_id)
                 for message_id, row in self.rows.items() if shows(row)]  # fmt: skip
        return [message_id for _, _, message_id in sorted(found)]


class MessagesMachine(RuleBasedStateMachine):
    """Most steps are taken where something can come of them: on an open message, and with a token on a held one."""

    messages = Bundle("messages")

    @initialize(target=messages)
    def begin(self) -> MultipleResults[str]:
        self.folder = Path(tempfile.mkdtemp(prefix="neosian-messages-"))
        self.room = Mailroom(self.folder / "root")
        self.model = Model()
        self.tokens: list[str] = ["none"]
        return multiple(*(self.send(True, None, None) for _ in range(2)))

    def teardown(self) -> None:
        if not hasattr(self, "folder"):
            return
        try:
            checked = {"messages": 0}
            assert list(mailbox.check(self.room.store, SCOPE, checked)) == []
            assert checked["messages"] == len(self.model.rows)
        finally:
            shutil.rmtree(self.folder)

    @rule(minutes=st.sampled_from([-45, -10, -10, 1, 1, 29, 31]))
    def step_the_clock(self, minutes: int) -> None:
        self.room.now += minutes * MINUTE

    @precondition(lambda self: len(self.model.rows) < 5)
    @rule(
        target=messages,
        asks=st.sampled_from([True, True, False]),
        delay=st.sampled_from([None, None, 1, 600]),
        to=st.sampled_from([None, None, None, "s1"]),
    )
    def another(self, asks: bool, delay: int | None, to: str | None) -> str:
        return self.send(asks, delay, to)

    def send(self, asks: bool, delay: int | None, to: str | None) -> str:
        sent = self.room.send(actionable=asks, delay=delay, conversation=to)
        due = None if delay is None else self.room.now + delay * times.SECOND
        self.model.send(sent["id"], self.room.now, asks=asks, due=due, to=to)
        return str(sent["id"])

    @rule(
        message=messages,
        session=SESSIONS,
        late=st.sampled_from([0, 0, 0, 0, 0, 0, 1, -1]),
        anywhere=st.sampled_from([False, False, True]),
    )
    def claim(self, message: str, session: str, late: int, anywhere: bool) -> None:
        usual = [found for found, row in self.model.rows.items() if row["asks"] and row["state"] == "open"]
        self.both("claim", message if anywhere or not usual else usual[0], session, late)

    @rule(message=messages, session=SESSIONS, verb=st.sampled_from(["ack", "ack", "ack", "ack", "cancel"]))
    def without_a_token(self, message: str, session: str, verb: str) -> None:
        self.both(verb, message, session, 0)

    @rule(
        message=messages,
        who=st.sampled_from(["owner", "owner", "owner", "owner", "owner", "another", "late", "stranger"]),
        verb=st.sampled_from(["renew", "renew", "renew", "release", "complete", "snooze"]),
        late=st.sampled_from([0, 0, 0, 0, 0, 0, 0, 0, -1]),
        outcome=st.sampled_from(["fixed", "still no fix"]),
    )
    def with_a_token(self, message: str, who: str, verb: str, late: int, outcome: str) -> None:
        """As the owner does it, or another session that has the token, or the owner with an earlier one."""
        held = [found for found, row in self.model.rows.items() if row["token"] and row["state"] == "open"]
        message = message if who == "stranger" or not held else held[0]
        row = self.model.rows.get(message)
        session, token = (row["owner"] or "s1", row["token"] or "none") if row else ("s1", "none")
        if who == "another":
            session = "s3" if session != "s3" else "s1"
        if who == "late":
            token = self.tokens[-2] if len(self.tokens) > 1 else "none"
        given: dict[str, Any] = {"token": token}
        given |= {"outcome": outcome} if verb in ("complete", "snooze") else {}
        given |= {"delay": 300} if verb == "snooze" else {}
        self.both(verb, message, session, late, **given)

    @rule(message=messages, what=st.sampled_from(["erase", "write", "write", "lose the index"]))
    def beside(self, message: str, what: str) -> None:
        """What goes on around the steps: an erased message is nowhere, and a lost index is made anew."""
        if what == "erase" and len(self.model.rows) > 3 and message in self.model.rows:
            memory_erasure.erase(self.room.store, PROJECT, f"messages/{message}", actor="cli:me", apply=True)
            del self.model.rows[message]
        elif what == "write":
            self.room.put("notes/a")
        elif what == "lose the index":
            self.room.index.unlink(missing_ok=True)

    def both(self, verb: str, message: str, session: str, late: int, **given: Any) -> None:
        """One step in the store and in the model, which must agree on what comes of it."""
        row = self.model.rows.get(message)
        occurrence = max(1, (row["n"] if row else 1) + late)
        expected = "not_found"
        found: Row = {}
        try:
            found = self.room.take(verb, message, session, occurrence, **given)
            reason = "made"
        except Failure as failure:
            reason = str(failure.details.get("reason", failure.code))
        if row is not None:
            if verb == "claim":
                given = {"token": found.get("token", "refused")}
            try:
                self.model.take(verb, message, self.room.now, session, occurrence, **given)
                expected = "made"
            except Refused as refused:
                expected = str(refused)
        assert reason == expected
        if reason == "made":
            self.tokens.extend([found["token"]] if "token" in found else [])
            self.compare(found)

    def compare(self, found: Row) -> None:
        row = self.model.rows[found["id"]]
        until = None if row["until"] is None or row["state"] != "open" else times.spell(row["until"])
        assert (found["status"], found["occurrence"], found["owner"], found["claim_until"], found["outcome"]) == (
            row["state"], row["n"], row["owner"], until, row["outcome"],
        )  # fmt: skip
        assert (found["read_by"] is not None) == row["read"]
        assert found["version"] == row["version"]

    @invariant()
    def listings_agree(self) -> None:
        if not hasattr(self, "room"):
            return
        for status in ("unread", "open", "scheduled", "closed", "all"):
            for session in (None, "s1"):
                page = self.room.page(status=status, session=session, limit=500)
                assert page["unreadable"] == []
                assert [item["id"] for item in page["items"]] == self.model.listed(status, self.room.now, session)
        for item in self.room.page(status="all", session="s1", limit=500)["items"]:
            self.compare(item)


MessagesMachine.TestCase.settings = settings(
    max_examples=500 if os.environ.get("NEOSIAN_SEARCH") else 40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestMessages = MessagesMachine.TestCase
