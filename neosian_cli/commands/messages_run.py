"""What the verbs of the mailbox do."""

from __future__ import annotations

from neosian_cli.render.output import HUMAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.commands.call import Call


def _instant(call: Call, key: str) -> int | None:
    from neosian_cli.model import times

    text = call.maybe(key)
    return None if text is None else times.parse(text, f"--{key.replace('_', '-')}")


def send(call: Call) -> int:
    from neosian_cli.model.draft import Draft
    from neosian_cli.services import messages

    draft = Draft(
        body=call.text("body") or "",
        conversation=call.maybe("conversation"),
        turn=call.maybe_integer("turn"),
        actionable=call.flag("actionable"),
        due_at=_instant(call, "due_at"),
        delay=call.maybe_integer("delay_seconds"),
        change_id=call.maybe("change_id"),
        about=call.maybe("about"),
        about_turn=call.maybe_integer("about_turn"),
        source=call.maybe("source"),
    )
    sent = messages.send(
        call.store,
        call.settings.mounts,
        draft,
        actor=call.settings.actor,
        target=call.maybe("target"),
        context=call.maybe("context"),
        context_version=call.maybe_integer("context_version"),
        message_id=call.maybe("id"),
    )
    return _show(call, "sent", sent)


def step(call: Call) -> int:
    """Every verb that moves a message on."""
    from neosian_cli.model.lifecycle import Step
    from neosian_cli.services import messages

    verb = call.verb.name
    shown = call.maybe("token")
    token = call.surroundings.new_uuid() if verb == "claim" else None
    snoozes = verb == "snooze"
    wanted = Step(
        verb,
        call.string("session"),
        call.integer("occurrence"),
        token_hash=None if shown is None else messages.hash_of(shown),
        outcome=call.maybe("outcome") if "outcome" in call.values else None,
        due_at=_instant(call, "due_at") if snoozes else None,
        delay=call.maybe_integer("delay_seconds") if snoozes else None,
        new_token_hash=None if token is None else messages.hash_of(token),
    )
    changed = messages.advance(
        call.store,
        call.settings.mounts,
        call.string("id"),
        wanted,
        actor=call.settings.actor,
        token=token,
        target=call.maybe("target"),
    )
    if token is not None and call.output.err.terminal:  # a token has no place in a log
        from shlex import quote

        words = f"--session {quote(wanted.session)} --occurrence {changed['occurrence']} --token {token} --outcome …"
        call.output.hint(f"neosian messages complete {changed['id']} {words}")
    return _show(call, verb, changed)


def _show(call: Call, verb: str, record: dict[str, Any]) -> int:
    def human(_: object) -> None:
        from neosian_cli.render.messages import said

        said(call.output, verb, record)

    call.output.result(record, human)
    return 0


def view(call: Call) -> int:
    from neosian_cli.services import messages

    seen = messages.view(call.store, call.settings.mounts, call.string("id"), target=call.maybe("target"))

    def human(_: object) -> None:
        from neosian_cli.render.messages import whole

        whole(call.output, seen, call.now())

    call.output.result(seen, human)
    return 0


def list_messages(call: Call) -> int:
    from neosian_cli.services import inbox

    page = inbox.list_messages(
        call.store,
        call.settings.mounts,
        target=call.maybe("target"),
        status=call.string("status"),
        session=call.maybe("session"),
        limit=call.integer("limit"),
        cursor=call.maybe("cursor"),
    )

    def human(_: object) -> None:
        from neosian_cli.render.messages import listing

        listing(call.output, page["items"], call.now())

    call.output.listing(page, human, items="items", kind="message")
    if call.output.mode == HUMAN:
        _remark(call, page)
    return 0


def _remark(call: Call, page: dict[str, Any]) -> None:
    """What a person should know beside the rows."""
    for bad in page["unreadable"]:
        what = f"message {bad['id']}" if "id" in bad else bad["path"]
        call.output.note(f"{what} cannot be read: {bad['message']}")
    if page["unreadable"]:
        call.output.hint("neosian verify")
    if page["next_cursor"]:
        call.output.hint(f"there are more: go on with --cursor {page['next_cursor']}")
