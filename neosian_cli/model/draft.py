"""What a sender says of a message, before it has a scope, a time and a context."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import grammar, times
from neosian_cli.model.message import Context, Message, check_blank
from neosian_cli.model.value import value


@value
class Draft:
    """A message as it was asked for. `due_at` is an instant, `delay` seconds from the sending; at most one is given."""

    body: str
    conversation: str | None = None
    turn: int | None = None
    actionable: bool = False
    due_at: times.Instant | None = None
    delay: int | None = None
    change_id: str | None = None
    about: str | None = None
    about_turn: int | None = None
    source: str | None = None

    def check(self) -> Draft:
        """The draft itself; raises `invalid_argument`."""
        check_blank(self.body, "body")
        for name, option in ((self.conversation, "conversation"), (self.about, "about")):
            if name is not None:
                grammar.check_name(name, option, name)
        for given, needs, number in (("turn", "conversation", self.turn), ("about_turn", "about", self.about_turn)):
            shown = f"--{given.replace('_', '-')}"
            if number is not None and getattr(self, needs) is None:
                raise Failure("invalid_argument", f"{shown} says nothing without --{needs}")
            if number is not None and number < 1:
                raise Failure("invalid_argument", f"{shown} counts from 1")
        check_delay(self.due_at, self.delay)
        return self

    def message(self, message_id: str, scope: str, actor: str, context: Context | None, now: times.Instant) -> Message:
        """The message that is sent now; raises `invalid_argument` for a delay beyond the year 9999."""
        due_at = due(self.due_at, self.delay, now)
        return Message(
            id=message_id,
            scope=scope,
            conversation=self.conversation,
            turn=self.turn,
            source=self.source,
            about=self.about,
            about_turn=self.about_turn,
            context=context,
            change_id=self.change_id,
            actor=actor,
            body=self.body,
            created_at=now,
            due_at=due_at,
            actionable=self.actionable or due_at is not None,
        )

    def is_of(self, first: Message, context: tuple[str, str, int | None] | None) -> bool:
        """Whether a message, as it was first stored, is what this draft and context ask for.

        The context is scope, path and the version that was insisted on. What follows from the time of sending (the
        version of a context without such a version, a due time after a delay) is taken from the message.
        """
        again = self.message(first.id, first.scope, first.actor, first.context, first.created_at)
        if again != first:
            return False
        if first.context is None or context is None:
            return first.context is None and context is None
        scope, path, version = context
        return first.context == Context(scope, path, first.context.version if version is None else version)


def check_delay(due_at: times.Instant | None, delay: int | None) -> None:
    """At most one of the two, and a delay of at least a second; raises `invalid_argument`."""
    if due_at is not None and delay is not None:
        raise Failure("invalid_argument", "--due-at and --delay-seconds exclude each other")
    if delay is not None and delay < 1:
        raise Failure("invalid_argument", "--delay-seconds is at least 1")


def due(due_at: times.Instant | None, delay: int | None, now: times.Instant) -> times.Instant | None:
    """The instant that is meant; raises `invalid_argument` where it lies beyond the year 9999."""
    if delay is None:
        return due_at
    if now + delay * times.SECOND > times.LAST:
        raise Failure("invalid_argument", "--delay-seconds leads beyond the year 9999")
    return now + delay * times.SECOND
