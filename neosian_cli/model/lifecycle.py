"""The life of a message: which step a session may take, and what the message is after it.

A lease runs by the operation's own clock. A clock that goes back lengthens a lease and never ends it early: a renewal
moves its end only forward, and who holds a lease is not asked again whether the message is due. So the claim is neither
lost nor doubled. Whoever comes late is fenced twice: by the token, of which every claim makes a new one, and by the
occurrence, which grows with every snooze.
"""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import draft, times
from neosian_cli.model.message import CANCELLED, DONE, OPEN, Message, check_blank
from neosian_cli.model.times import SECOND, Instant
from neosian_cli.model.value import replace, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LEASE = 30 * 60 * SECOND

STEPS = ("ack", "claim", "renew", "release", "complete", "snooze", "cancel")
WITH_TOKEN = ("renew", "release", "complete", "snooze")
WITH_OUTCOME = ("complete", "snooze")


@value
class Step:
    """One step that a session wants to take on the occurrence it has seen.

    `token_hash` is of the token that it shows, `new_token_hash` of the one that a claim would give it. A snooze has
    `due_at` (an instant) or `delay` (seconds).
    """

    verb: str
    session: str
    occurrence: int
    token_hash: str | None = None
    outcome: str | None = None
    due_at: Instant | None = None
    delay: int | None = None
    new_token_hash: str | None = None

    def check(self) -> Step:
        """The step itself where it can be understood; raises `invalid_argument`."""
        from neosian_cli.model import grammar

        grammar.check_name(self.session, "session", self.session)
        if self.occurrence < 1:
            raise Failure("invalid_argument", "--occurrence counts from 1")
        if self.verb in WITH_TOKEN and self.token_hash is None:
            raise Failure("invalid_argument", f"{self.verb} needs the --token of a claim")
        if self.verb in WITH_OUTCOME:
            check_blank(self.outcome or "", "outcome")
        if self.verb == "snooze":
            draft.check_delay(self.due_at, self.delay)
            if self.due_at is None and self.delay is None:
                raise Failure("invalid_argument", "snooze until when? give --delay-seconds or --due-at")
        return self


def transition(message: Message, step: Step, now: Instant) -> Message:
    """The message after the step; the same object where the step changes nothing.

    Raises `conflict` with the reason that keeps the step from being taken, or `invalid_argument` for a snooze that
    would end in the past.
    """
    if not message.is_for(step.session):
        raise _refused(message, "not_recipient", f"message {message.id} is for another conversation")
    if step.occurrence != message.occurrence:
        raise _refused(
            message,
            "stale_occurrence",
            f"message {message.id} is at occurrence {message.occurrence}, not {step.occurrence}",
        )
    return _TAKE[step.verb](message, step, now)


def _refused(message: Message, reason: str, text: str, **details: object) -> Failure:
    return Failure.conflict(
        reason,
        text,
        hint=f"neosian messages view {message.id} shows how it stands",
        id=message.id,
        occurrence=message.occurrence,
        status=message.status,
        **details,
    )


def _closed(message: Message) -> Failure:
    return _refused(message, "closed", f"message {message.id} is {message.status}")


def _not_due(message: Message) -> Failure:
    due_at = None if message.due_at is None else times.spell(message.due_at)
    return _refused(message, "not_due", f"message {message.id} is not due before {due_at}", due_at=due_at)


def _ack(message: Message, step: Step, now: Instant) -> Message:
    if not message.actionable:
        if message.status == CANCELLED:
            raise _closed(message)
        if message.status == DONE:
            return message
        return replace(message, status=DONE, read_by=step.session, read_at=now)
    if message.status != OPEN:
        raise _closed(message)
    if not message.is_due(now) and message.read_by is None:
        raise _not_due(message)
    if message.claim_has_ended(now):
        return replace(_free(message), read_by=step.session, read_at=now)
    if message.read_by is not None:
        return message
    return replace(message, read_by=step.session, read_at=now)


def _require_claimable(message: Message) -> None:
    if message.status != OPEN:
        raise _closed(message)
    if not message.actionable:
        raise _refused(message, "not_actionable", f"message {message.id} only informs; there is nothing to claim")


def _claim(message: Message, step: Step, now: Instant) -> Message:
    _require_claimable(message)
    until = now + LEASE
    if message.is_claimed(now):
        if message.owner != step.session:
            raise _claimed(message)
        return replace(message, claim_until=_later(message, until), token_hash=step.new_token_hash)
    if not message.is_due(now):
        raise _not_due(message)
    return replace(
        message,
        read_by=step.session,
        read_at=now,
        owner=step.session,
        claim_until=until,
        token_hash=step.new_token_hash,
    )


def _claimed(message: Message) -> Failure:
    until = None if message.claim_until is None else times.spell(message.claim_until)
    return _refused(
        message,
        "claimed",
        f"message {message.id} is claimed by {message.owner} until {until}",
        owner=message.owner,
        claim_until=until,
    )


def _later(message: Message, until: Instant) -> Instant:
    return until if message.claim_until is None else max(message.claim_until, until)


def _free(message: Message) -> Message:
    return replace(message, owner=None, claim_until=None, read_by=None, read_at=None, token_hash=None)


def _require_claim(message: Message, step: Step, now: Instant) -> None:
    """Refuse who does not hold the message now, with the token of the newest claim."""
    _require_claimable(message)
    if message.owner is None:
        raise _refused(message, "lease_ended", f"no session holds message {message.id}; claim it first")
    if message.owner != step.session or message.token_hash != step.token_hash:
        raise _refused(message, "token_mismatch", f"the token is not that of the newest claim of message {message.id}")
    if not message.is_claimed(now):
        until = None if message.claim_until is None else times.spell(message.claim_until)
        raise _refused(message, "lease_ended", f"the lease ended at {until}; claim the message again")


def _renew(message: Message, step: Step, now: Instant) -> Message:
    _require_claim(message, step, now)
    return replace(message, claim_until=_later(message, now + LEASE))


def _release(message: Message, step: Step, now: Instant) -> Message:
    _require_claim(message, step, now)
    return _free(message)


def _complete(message: Message, step: Step, now: Instant) -> Message:
    by_the_same = message.owner == step.session and message.token_hash == step.token_hash
    if message.status == DONE and by_the_same and message.outcome == step.outcome:
        return message
    _require_claim(message, step, now)
    return replace(message, status=DONE, outcome=step.outcome, claim_until=None)


def _snooze(message: Message, step: Step, now: Instant) -> Message:
    _require_claim(message, step, now)
    due_at = draft.due(step.due_at, step.delay, now)
    if due_at is None or due_at <= now:
        raise Failure("invalid_argument", f"a snooze ends in the future, and it is {times.spell(now)} now")
    return replace(_free(message), occurrence=message.occurrence + 1, due_at=due_at, outcome=step.outcome)


def _cancel(message: Message, _step: Step, _now: Instant) -> Message:
    if message.status == CANCELLED:
        return message
    if message.status == DONE:
        raise _closed(message)
    return replace(message, status=CANCELLED, owner=None, claim_until=None, token_hash=None)


_TAKE: dict[str, Callable[[Message, Step, Instant], Message]] = {
    "ack": _ack,
    "claim": _claim,
    "renew": _renew,
    "release": _release,
    "complete": _complete,
    "snooze": _snooze,
    "cancel": _cancel,
}
