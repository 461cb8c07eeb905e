"""Messages of the other program as messages of this one.

What this program knows too is taken over as it stands. Three things are said otherwise here: a message that was due
when it was sent has no due time, a lease ends with the message, and of a claim's token only the hash is kept. What has
no counterpart, how a receiver is woken, is left out.
"""

from __future__ import annotations

from neosian_cli.model import codec
from neosian_cli.model import message as messages
from neosian_cli.model.digest import sha256
from neosian_cli.store.filestore.unfit import NEWER, NO_PLACE, Unfit, instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1
LEFT_OUT = frozenset({"delivery", "wake_owner", "wake_token", "wake_until", "wake_accepted"})
NEW = ("context", "change_id")
THEIRS = (frozenset(messages.FIELDS) - frozenset(NEW)) | LEFT_OUT | {"format", "claim_token"}


def convert(scope: str, path: str, content: str, extra: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Content and extra of the message's document here; raises `Unfit`."""
    value = _read(content)
    record = {name: value.get(name) for name in messages.FIELDS}
    for name in messages.TIMES:
        if record[name] is not None:
            record[name] = instant(record[name], name)
    if record["due_at"] == record["created_at"]:
        record["due_at"] = None
    hashed = {}
    if value.get("status") != messages.OPEN:
        record["claim_until"] = None
    elif isinstance(token := value.get("claim_token"), str):
        hashed[messages.TOKEN_KEY] = sha256(token.encode()).hexdigest()
    try:
        found = messages.decode(codec.dumps({"format": messages.FORMAT, **record}).decode(), hashed)
    except ValueError as error:
        raise Unfit(f"holds a message that cannot be one here: it {error}", NO_PLACE) from None
    if (found.scope, found.path) != (scope, path):
        raise Unfit("holds a message of another place", NO_PLACE)
    ours, own = messages.encode(found)
    return ours, {**extra, **own}


def _read(content: str) -> dict[str, Any]:
    try:
        value = codec.ingest(content)
    except ValueError as error:
        raise Unfit(f"holds no message: {error}") from None
    if not isinstance(value, dict):
        raise Unfit("holds no message")
    form = value.get("format", FORMAT)
    if isinstance(form, int) and form > FORMAT:
        raise Unfit(f"holds a message of the format {form}", NEWER)
    unknown = sorted(value.keys() - THEIRS)
    if unknown:
        raise Unfit(f"holds a message with the unknown key {unknown[0][:60]!a}", NO_PLACE)
    return value
