"""Messages: the record, what may stand in it, and its JSON.

A message is the content of the document `messages/<uuid>`. The hash of a claim's token is no field of the record: it
lies beside it, in the document's `extra`, so that no result of a verb can show it by accident.
"""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import codec, grammar, times
from neosian_cli.model.value import fields, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1
DIRECTORY = "messages"
TOKEN_KEY = "token_sha256"  # noqa: S105  # the name of a field
"""Where in the document's `extra` the hash of the claim's token stands."""

OPEN = "open"
DONE = "done"
CANCELLED = "cancelled"
STATES = (OPEN, DONE, CANCELLED)

UNREAD = "unread"
SCHEDULED = "scheduled"
CLOSED = "closed"
ALL = "all"
FILTERS = (UNREAD, OPEN, SCHEDULED, CLOSED, ALL)
"""What a listing may ask for. All but the last two are answered without looking at closed messages."""

HEX = frozenset("0123456789abcdef")
UUID_GROUPS = [8, 4, 4, 4, 12]


@value
class Context:
    """A document as it was when the message was sent."""

    scope: str
    path: str
    version: int


@value
class Message:
    """One message at one version. Times are instants; `occurrence` counts from 1 and grows when it is put off.

    `owner` and `claim_until` are the claim's, also after its end; `token_hash` is hex SHA-256.
    """

    id: str
    scope: str
    conversation: str | None
    turn: int | None
    source: str | None
    about: str | None
    about_turn: int | None
    context: Context | None
    change_id: str | None
    actor: str
    body: str
    created_at: times.Instant
    due_at: times.Instant | None
    actionable: bool
    occurrence: int = 1
    status: str = OPEN
    read_by: str | None = None
    read_at: times.Instant | None = None
    owner: str | None = None
    claim_until: times.Instant | None = None
    outcome: str | None = None
    token_hash: str | None = None

    def is_due(self, now: times.Instant) -> bool:
        """Without a due time it is due whatever the clock says."""
        return self.due_at is None or self.due_at <= now

    def is_claimed(self, now: times.Instant) -> bool:
        """Whether some session holds a lease that has not ended."""
        return self.owner is not None and self.claim_until is not None and now < self.claim_until

    def claim_has_ended(self, now: times.Instant) -> bool:
        """Whether a lease ran out without a word of its owner."""
        return self.status == OPEN and self.owner is not None and not self.is_claimed(now)

    def is_for(self, session: str | None) -> bool:
        """Whether the session (None: none is named) is one that the message is meant for."""
        return self.conversation is None or self.conversation == session

    def matches(self, wanted: str, now: times.Instant) -> bool:
        """Whether a listing of this kind shows it now."""
        if wanted == ALL:
            return True
        if wanted == CLOSED or self.status != OPEN:
            return wanted == CLOSED and self.status != OPEN
        if wanted == SCHEDULED:
            return not self.is_due(now)
        return self.is_due(now) and (wanted == OPEN or self.read_by is None or self.claim_has_ended(now))

    @property
    def path(self) -> str:
        return path_of(self.id)

    def record(self) -> dict[str, Any]:
        """The record as it is stored and shown, fields in the documented order."""
        return {"format": FORMAT, **{name: _outside(name, getattr(self, name)) for name in FIELDS}}

    def shown(self, version: int) -> dict[str, Any]:
        """The record with its document's version, as every verb shows it."""
        return {**self.record(), "version": version}


FIELDS = tuple(name for name in fields(Message) if name != "token_hash")
TIMES = ("created_at", "due_at", "read_at", "claim_until")


def _outside(name: str, value: Any) -> Any:
    if isinstance(value, Context):
        return {"scope": value.scope, "path": value.path, "version": value.version}
    return times.spell(value) if name in TIMES and value is not None else value


def path_of(message_id: str) -> str:
    """The document path of a message."""
    return f"{DIRECTORY}/{message_id}"


def is_id(text: str) -> bool:
    """Whether it is a UUID as they are written here: 36 characters in lower case."""
    groups = text.split("-")
    return [len(group) for group in groups] == UUID_GROUPS and all(map(HEX.issuperset, groups))


def check_id(text: str) -> str:
    """A user's message id in lower case; raises `invalid_argument` for what is no UUID."""
    if is_id(lowered := text.lower()):
        return lowered
    raise Failure(
        "invalid_argument",
        f"{grammar.excerpt(text)} is no message id, which is a UUID",
        hint="neosian messages list shows the ids",
    )


def check_blank(text: str, what: str) -> str:
    """The text itself; raises `invalid_argument` where it says nothing."""
    if not text.strip():
        raise Failure("invalid_argument", f"the {what} is blank")
    return text


def encode(message: Message) -> tuple[str, dict[str, Any]]:
    """Content and extra of the message's document."""
    extra = {} if message.token_hash is None else {TOKEN_KEY: message.token_hash}
    return codec.readable(message.record()).decode(), extra


class NewerRecord(ValueError):
    """A record of a format that this program does not know."""


def decode(content: str, extra: dict[str, Any]) -> Message:
    """The message in a document's content and extra; raises ValueError (`NewerRecord` among them)."""
    value = codec.load_object(content.encode())
    form = value.get("format")
    if isinstance(form, int) and form > FORMAT:
        raise NewerRecord(f"has the format {form}, which a newer neosian reads")
    if form != FORMAT or isinstance(form, bool):
        raise ValueError("has no known format")
    value["token_hash"] = extra.get(TOKEN_KEY)
    fields: dict[str, Any] = {}
    for name, check in _CHECKS.items():
        try:
            fields[name] = check(value[name])
        except KeyError:
            raise ValueError(f"has no {name!r}") from None
        except _Wrong as wrong:
            raise ValueError(f"holds {wrong} as its {name}") from None
    message = Message(**fields)
    if (message.owner is None or message.status != OPEN) != (message.claim_until is None):
        raise ValueError("has an owner without a lease, or a lease without an owner")
    return message


class _Wrong(ValueError):
    pass


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong("no text")
    return value


def _id(value: Any) -> str:
    if not is_id(_text(value)):
        raise _Wrong("no UUID")
    return str(value)


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _Wrong("no count")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("no flag")
    return value


def _time(value: Any) -> times.Instant:
    try:
        return times.read(value)
    except (ValueError, IndexError):
        raise _Wrong("no time") from None


def _state(value: Any) -> str:
    if value not in STATES:
        raise _Wrong(f"none of {', '.join(STATES)}")
    return str(value)


def _context(value: Any) -> Context:
    if not isinstance(value, dict) or not {"scope", "path", "version"} <= value.keys():
        raise _Wrong("no reference to a document")
    return Context(_text(value["scope"]), _text(value["path"]), _count(value["version"]))


def _or_none(check: Any) -> Any:
    return lambda value: None if value is None else check(value)


_CHECKS: dict[str, Any] = {
    "id": _id,
    "scope": _text,
    "conversation": _or_none(_text),
    "turn": _or_none(_count),
    "source": _or_none(_text),
    "about": _or_none(_text),
    "about_turn": _or_none(_count),
    "context": _or_none(_context),
    "change_id": _or_none(_text),
    "actor": _text,
    "body": _text,
    "created_at": _time,
    "due_at": _or_none(_time),
    "actionable": _flag,
    "occurrence": _count,
    "status": _state,
    "read_by": _or_none(_text),
    "read_at": _or_none(_time),
    "owner": _or_none(_text),
    "claim_until": _or_none(_time),
    "outcome": _or_none(_text),
    "token_hash": _or_none(_text),
}
