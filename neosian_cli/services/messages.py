"""Messages: sending one, looking at one, and taking the next step on one. Listing them is in `inbox`."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import lifecycle, message, mount
from neosian_cli.model.digest import sha256
from neosian_cli.model.message import OPEN, Context, Message
from neosian_cli.services.mailboxes import by_scope, find_mounts
from neosian_cli.store import documents, mailbox
from neosian_cli.store.documents import ScopeWriter
from neosian_cli.store.history import History

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.document import Version
    from neosian_cli.model.draft import Draft
    from neosian_cli.model.lifecycle import Step
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.root import Store
    from neosian_cli.store.transaction import Transaction


def hash_of(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()


def send(
    store: Store,
    mounts: Sequence[Mount],
    draft: Draft,
    *,
    actor: str,
    target: str | None = None,
    context: str | None = None,
    context_version: int | None = None,
    message_id: str | None = None,
) -> dict[str, Any]:
    """Store one message; its record. The same id and draft again is the message that is there already.

    Raises `invalid_argument`, `read_only`, `edit_only`, `not_found` for the context, or `conflict` with the reason
    `version_mismatch` or `exists`.
    """
    draft.check()
    if context_version is not None and context is None:
        raise Failure("invalid_argument", "--context-version says nothing without --context")
    wanted = None if message_id is None else message.check_id(message_id)
    chosen = _destination(mounts, target)
    chosen.require_writable(structural=True)
    reference = None if context is None else mount.locate_document(mounts, context)
    claimed = None if reference is None else (reference[0].scope, reference[1], context_version)
    with store.writing("messages send") as transaction:
        wanted = wanted or transaction.new_id()
        earlier = _sent_before(transaction.tree, chosen.scope, wanted, draft, claimed)
        if earlier is not None:
            return earlier
        captured = None if claimed is None else _capture(transaction.tree, *claimed)
        sent = draft.message(wanted, chosen.scope, actor, captured, transaction.now)
        row = _write(transaction, sent, None, actor, was_open=False)
    return sent.shown(row.version)


def _destination(mounts: Sequence[Mount], target: str | None) -> Mount:
    if target is None:
        if len(mounts) != 1:
            raise mount.unnamed(mounts, "--target")
        return mounts[0]
    found = find_mounts(mounts, target)
    return by_scope(found)[found[0].scope]


def _sent_before(
    tree: Tree, scope_text: str, message_id: str, draft: Draft, context: tuple[str, str, int | None] | None
) -> dict[str, Any] | None:
    """The message that an earlier try has stored; raises `exists` where the id is taken by something else."""
    path = message.path_of(message_id)
    document, row = documents.read(tree, scope_text, path)
    if row is None:
        return None
    if document is None or document.erased:
        raise _taken(message_id, "has been erased, and its id stays taken", "leave --id out, or give another one")
    first = documents.oldest(tree, scope_text, path)
    if first is None or not draft.is_of(mailbox.decode(scope_text, path, first.content, first.extra), context):
        shows = f"neosian messages view {message_id} shows it; leave --id out for a new message"
        raise _taken(message_id, "was sent with another content", shows)
    return mailbox.decode(scope_text, path, document.content, document.extra).shown(row.version)


def _taken(message_id: str, what: str, hint: str) -> Failure:
    return Failure.conflict("exists", f"message {message_id} {what}", hint=hint, id=message_id)


def _capture(tree: Tree, scope_text: str, path: str, version: int | None) -> Context:
    """The reference to a live document as it stands, under the lock that stores the message."""
    document, _ = documents.read(tree, scope_text, path)
    if document is None:
        what = f"the context {path} is no live document of {scope_text}"
        raise Failure("not_found", what, hint="neosian status shows the mounts of all scopes", path=path)
    if version is not None and version != document.version:
        raise Failure.conflict(
            "version_mismatch",
            f"the context {path} is at version {document.version}, not {version}",
            hint="look at the document again before sending",
            path=path,
            expected=version,
            actual=document.version,
        )
    return Context(scope_text, path, document.version)


def _write(
    transaction: Transaction, changed: Message, newest: Version | None, actor: str, *, was_open: bool
) -> Version:
    writer = ScopeWriter(transaction, changed.scope, actor)
    row = mailbox.write(transaction, writer, changed, newest, was_open=was_open)
    writer.commit()
    return row


def view(store: Store, mounts: Sequence[Mount], message_id: str, *, target: str | None = None) -> dict[str, Any]:
    """A message with its history, newest first. Raises `not_found`, `invalid_argument` or `document_corrupt`."""
    wanted = message.check_id(message_id)
    chosen = by_scope(find_mounts(mounts, target))
    with store.reading() as tree:
        found, row = _locate(tree, chosen, wanted)
        return {**found.shown(row.version), "history": _history(tree, found)}


def _history(tree: Tree, found: Message) -> list[dict[str, Any]]:
    history = History.open(tree, found.scope, found.path)
    if history is None:
        return []
    with history:
        return [
            {
                **mailbox.decode(found.scope, found.path, row.content, row.extra).shown(row.version),
                "changed_at": row.created_at,
                "changed_by": row.actor,
            }
            for row in history.newest_first()
            if row.is_live and not row.erased
        ]


def _locate(tree: Tree, chosen: dict[str, Mount], message_id: str) -> tuple[Message, Version]:
    """The one message of that id in the scopes; raises `not_found`, or `invalid_argument` where there are several."""
    found = [hit for name in chosen if (hit := mailbox.load(tree, name, message_id)) is not None]
    if not found:
        among = mount.choices(list(chosen.values()))
        hint = "neosian messages list --status all"
        raise Failure("not_found", f"no message {message_id} in {among}", hint=hint, id=message_id)
    if len(found) > 1:
        where = [chosen[hit[0].scope].root for hit in found]
        raise Failure(
            "invalid_argument",
            f"message {message_id} is in several mounts: {', '.join(where)}",
            hint=f"name one, e.g. --target {where[0]}",
        )
    return found[0]


def advance(
    store: Store,
    mounts: Sequence[Mount],
    message_id: str,
    step: Step,
    *,
    actor: str,
    token: str | None = None,
    target: str | None = None,
) -> dict[str, Any]:
    """Take one step on a message; its record, after a claim with `token`: the one given here, which nothing keeps.

    Raises `invalid_argument`, `not_found`, `read_only` or `conflict`.
    """
    step.check()
    wanted = message.check_id(message_id)
    chosen = by_scope(find_mounts(mounts, target))
    with store.reading() as tree:
        # Looked up before anything is made or locked: a message that is nowhere must leave no trace.
        found, _ = _locate(tree, chosen, wanted)
    chosen[found.scope].require_writable(structural=False)
    with store.writing(f"messages {step.verb}") as transaction:
        found, newest = _locate(transaction.tree, {found.scope: chosen[found.scope]}, wanted)
        changed = lifecycle.transition(found, step, transaction.now)
        version = newest.version
        if changed is not found:
            version = _write(transaction, changed, newest, actor, was_open=found.status == OPEN).version
    result = changed.shown(version)
    return {**result, "token": token} if step.verb == "claim" else result
