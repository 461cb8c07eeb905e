"""The messages verbs on a real root, with a clock that a test may set, and no syncs to wait for."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from neosian_cli.disk.calls import Calls
from neosian_cli.model import mount as mounts
from neosian_cli.model import times
from neosian_cli.model.draft import Draft
from neosian_cli.model.lifecycle import Step
from neosian_cli.services import inbox, messages
from neosian_cli.store import documents
from neosian_cli.store.root import Store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from neosian_cli.model.mount import Mount

NOON = times.parse("2026-03-01T12:00:00Z")
MINUTE = 60 * times.SECOND
SCOPE = "user:me/proj:erp"
PROJECT = mounts.make("project", SCOPE)
OTHER = mounts.make("other", "user:me/proj:other")
ME = "cli:me"


class Counted(Calls):
    """Counts the syncs instead of waiting for them."""

    def __init__(self) -> None:
        self.syncs = 0

    def sync_file(self, descriptor: int) -> None:
        self.syncs += 1

    def sync_directory(self, descriptor: int) -> None:
        self.syncs += 1


class Mailroom:
    """One root and the mounts on it. `now` is an instant that the test moves; every verb opens the store anew."""

    def __init__(self, root: Path, mounts: Sequence[Mount] = (PROJECT,)) -> None:
        self.root = root
        self.mounts = list(mounts)
        self.now = NOON
        self.calls = Counted()
        self.notes: list[str] = []

    @property
    def store(self) -> Store:
        made = Store(
            str(self.root), now=lambda: self.now, new_id=lambda: str(uuid.uuid4()), lock_timeout=5, calls=self.calls
        )
        made.notes = self.notes
        return made

    def send(self, body: str = "look at this", *, actor: str = ME, **given: Any) -> dict[str, Any]:
        about_sending = ("target", "context", "context_version", "message_id")
        options = {name: given.pop(name) for name in about_sending if name in given}
        return messages.send(self.store, self.mounts, Draft(body, **given), actor=actor, **options)

    def view(self, message_id: str, **options: Any) -> dict[str, Any]:
        return messages.view(self.store, self.mounts, message_id, **options)

    def page(self, **options: Any) -> dict[str, Any]:
        return inbox.list_messages(self.store, self.mounts, **options)

    def ids(self, status: str = "unread", **options: Any) -> list[str]:
        """The ids of a whole listing that must hold nothing unreadable, two a page."""
        found: list[str] = []
        cursor = None
        while True:
            page = self.page(status=status, limit=2, cursor=cursor, **options)
            assert page["unreadable"] == []
            found += [item["id"] for item in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                return found

    def take(
        self, verb: str, message_id: str, session: str = "s1", occurrence: int = 1, **given: Any
    ) -> dict[str, Any]:
        """One step; `token` is the one that the session shows."""
        target = given.pop("target", None)
        actor = given.pop("actor", ME)
        shown = given.pop("token", None)
        token = str(uuid.uuid4()) if verb == "claim" else None
        step = Step(
            verb,
            session,
            occurrence,
            token_hash=shown and messages.hash_of(shown),
            new_token_hash=token and messages.hash_of(token),
            **given,
        )
        return messages.advance(self.store, self.mounts, message_id, step, actor=actor, token=token, target=target)

    def claim(self, message_id: str, session: str = "s1", occurrence: int = 1) -> str:
        """The token of a claim."""
        token: str = self.take("claim", message_id, session, occurrence)["token"]
        return token

    def put(self, path: str, content: str = "x", scope: str = SCOPE) -> int:
        """A document's next version, beside the messages."""
        with self.store.writing("test") as transaction:
            _, newest = documents.read(transaction.tree, scope, path)
            writer = documents.ScopeWriter(transaction, scope, ME)
            row = writer.write(path, content, {}, newest)
            writer.commit()
        return row.version

    def drop(self, path: str, scope: str = SCOPE) -> None:
        with self.store.writing("test") as transaction:
            _, newest = documents.read(transaction.tree, scope, path)
            assert newest is not None
            writer = documents.ScopeWriter(transaction, scope, ME)
            writer.delete(path, newest)
            writer.commit()

    def directory(self, scope: str = SCOPE) -> Path:
        return self.root / "scopes" / scope.replace(":", "%3A")

    @property
    def index(self) -> Path:
        return self.directory() / ".mailbox" / "open.log"

    def document(self, message_id: str) -> Path:
        return self.directory() / "documents" / "messages" / f"{message_id}.json"
