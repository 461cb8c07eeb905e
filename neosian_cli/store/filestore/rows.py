"""Histories and trails of redaction, line by line, as versions and erasures of this program.

A history is taken over whole or not at all. It must count 1, 2, 3 … as here, and its newest version must be what the
document says: a crash of the other program can leave them apart, and which of the two is right nobody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from neosian_cli.model import codec
from neosian_cli.model import message as messages
from neosian_cli.model.document import RESTORED, Version
from neosian_cli.store.filestore import mail
from neosian_cli.store.filestore.unfit import NEWER, NO_PLACE, NOBODY, Unfit, instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neosian_cli.store.filestore.matter import Live

FORMAT = 1
ACTIONS = ("created", "modified", "deleted")


class Row(NamedTuple):
    """One line of a history."""

    version: int
    action: str
    content: str
    actor: str | None
    created_at: str
    redacted: bool


def versions(scope: str, path: str, lines: Iterable[bytes], live: Live | None) -> Iterator[Version]:
    """The versions of a path, oldest first; `live` is its document, if there is one. Raises `Unfit`, perhaps late."""
    born = content = ""
    waiting: Row | None = None
    for number, line in enumerate(lines, 1):
        row = _row(line, path, number)
        if waiting is not None:
            yield _version(scope, path, waiting, born, {})
        if row.action == "created":
            born = row.created_at
        if not born:
            raise Unfit("begins with a version that is no creation")
        if row.action == "deleted" and row.content not in ("", content):
            raise Unfit(f"deletes, with version {row.version}, text that no version holds")
        content, waiting = row.content, row
    if waiting is None:
        waiting = _planted(live)
        born = waiting.created_at
    _compare(waiting, born, live)
    yield _version(scope, path, waiting, born, {} if live is None or live.redacted else live.extra)


def _row(line: bytes, path: str, number: int) -> Row:
    """The line of this number, which is also its version; raises `Unfit`."""
    value = _object(line, f"line {number}")
    form = value.get("neosian_format")
    if isinstance(form, int) and form > FORMAT:
        raise Unfit(f"has the format {form} in line {number}", NEWER)
    kinds = {"version": int, "action": str, "content": str, "actor": str | None, "redacted": bool, "path": str}
    redacted = value.setdefault("redacted", False)
    if form != FORMAT or not all(isinstance(value.get(name, 0), kind) for name, kind in kinds.items()):
        raise Unfit(f"is damaged in line {number}")
    if value["path"] != path or value["action"] not in ACTIONS:
        raise Unfit(f"is of another path, or does something unknown, in line {number}")
    if value["version"] != number:
        raise Unfit(f"has version {value['version']} where {number} belongs; here versions count from 1 without holes")
    if redacted and value["content"]:
        raise Unfit(f"says of version {number} that it is redacted, and holds its text")
    created_at = instant(value.get("created_at"), f"created_at in line {number}")
    return Row(number, value["action"], value["content"], value.get("actor"), created_at, redacted)


def _object(line: bytes, where: str) -> dict[str, Any]:
    if not line.endswith(b"\n"):
        raise Unfit(f"is cut off in {where}")
    try:
        value = codec.ingest(line)
    except ValueError as error:
        raise Unfit(f"is damaged in {where}: {error}") from None
    if not isinstance(value, dict):
        raise Unfit(f"is damaged in {where}: no object")
    return value


def _planted(live: Live | None) -> Row:
    """The only version of a document that was put there by hand, without a history."""
    if live is None:
        raise Unfit("is empty")
    if live.version != 1 or live.created_at != live.updated_at:
        raise Unfit("has no history, and is not in its first version")
    if live.redacted and live.content:
        raise Unfit("is marked as redacted, and holds its text")
    return Row(1, "created", live.content, live.actor, live.created_at, live.redacted)


def _compare(row: Row, born: str, live: Live | None) -> None:
    """Refuse a history whose newest version is not what the document says."""
    if row.action == "deleted":
        if live is not None:
            raise Unfit(f"is there, though its history says that version {row.version} deleted it")
        return
    if live is None:
        raise Unfit(f"has no document, though its history says that version {row.version} is live")
    said = (live.version, live.content, live.actor, live.redacted, live.updated_at, live.created_at)
    known = (row.version, row.content, row.actor, row.redacted, row.created_at, born)
    names = ("version", "content", "actor", "redacted", "updated_at", "created_at")
    wrong = [name for name, ours, theirs in zip(names, said, known, strict=True) if ours != theirs]
    if wrong:
        raise Unfit(f"and its history do not agree on {', '.join(wrong)}")


def _version(scope: str, path: str, row: Row, born: str, extra: dict[str, Any]) -> Version:
    gone = row.action == "deleted"
    content = "" if gone else row.content
    if path.startswith(f"{messages.DIRECTORY}/") and path.count("/") == 1:
        if not messages.is_id(path.partition("/")[2]):
            raise Unfit("stands among the messages and is none", NO_PLACE)
        if not gone and not row.redacted:
            content, extra = mail.convert(scope, path, content, extra)
    actor = NOBODY if row.actor is None else row.actor
    return Version(path, row.version, row.action, content, extra, actor, row.created_at, born, row.redacted, RESTORED)


def erasures(lines: Iterable[bytes]) -> Iterator[dict[str, Any] | Unfit]:
    """The rows of a trail as this program keeps them, or what is wrong with each.

    How many documents and versions one blanked it does not tell, only how many paths it met.
    """
    for number, line in enumerate(lines, 1):
        try:
            value = _object(line, f"line {number}")
            actor, path, count = value.get("actor"), value.get("path"), value.get("count")
            right = isinstance(actor, str | None) and isinstance(path, str | None) and isinstance(count, int)
            if not right:
                raise Unfit(f"is damaged in line {number}")
            created_at = instant(value.get("ts"), f"ts in line {number}")
        except Unfit as unfit:
            yield unfit
        else:
            yield {
                "format": FORMAT,
                "path": path,
                "actor": NOBODY if actor is None else actor,
                "created_at": created_at,
                "documents": None,
                "versions": None,
                "paths": count,
                "sequence": RESTORED,
            }
