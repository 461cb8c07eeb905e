"""Messages for people."""

from __future__ import annotations

from neosian_cli.model import times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from neosian_cli.model.times import Instant
    from neosian_cli.render.output import Output
    from neosian_cli.render.table import Cell

    Record = Mapping[str, Any]

STYLES = {"unread": "bold", "claimed": "yellow", "done": "green", "cancelled": "dim", "scheduled": "cyan"}
COLUMNS = ("=id", "=due", "=state", ">occurrence")
BESIDE_THE_BODY = 36 + 27 + 9 + 3 * 2
"""Columns of a row on a terminal before its body: id, due time, state and the gaps."""
OF_OCCURRENCES = 10 + 2
"""As many more where an occurrence is shown, which it is where one is not the first."""
SHORTEST_BODY = 24
"""Where a row leaves less room, the body stands on a line of its own below."""
INDENT = "  "

DID = {
    "sent": "sent",
    "ack": "acknowledged",
    "claim": "claimed",
    "renew": "renewed",
    "release": "released",
    "complete": "completed",
    "snooze": "snoozed",
    "cancel": "cancelled",
}


def state(record: Record, now: Instant) -> str:
    """One word for how a message stands."""
    if record["status"] != "open":
        return str(record["status"])
    if record["due_at"] is not None and times.read(record["due_at"]) > now:
        return "scheduled"
    if record["owner"] is not None:
        return "claimed" if times.read(record["claim_until"]) > now else "unread"
    return "unread" if record["read_by"] is None else "read"


def listing(output: Output, records: Sequence[Record], now: Instant) -> None:
    """A row a message: id, due time, state, occurrence, body; in a pipe in full."""
    if not output.out.terminal:
        output.table((*COLUMNS, "body"), [(*_row(record, now), record["body"]) for record in records])
        return
    if not records:
        output.say(("no messages", "dim"))
        return
    from neosian_cli.render.table import shortened

    several = any(record["occurrence"] != 1 for record in records)
    columns = COLUMNS if several else COLUMNS[:-1]
    cells = [_row(record, now)[: len(columns)] for record in records]
    room = output.out.width - BESIDE_THE_BODY - OF_OCCURRENCES * several
    if room >= SHORTEST_BODY:
        rows = [(*row, shortened(record["body"], room)) for row, record in zip(cells, records, strict=True)]
        output.table((*columns, "body"), rows)
        return
    bodies = [shortened(record["body"], output.out.width - len(INDENT)) for record in records]
    output.table(columns, cells, below=[INDENT + body for body in bodies])


def _row(record: Record, now: Instant) -> tuple[Cell, ...]:
    word = state(record, now)
    return (
        record["id"],
        record["due_at"] or record["created_at"],
        (word, STYLES.get(word, "")),
        str(record["occurrence"]),
    )


def said(output: Output, verb: str, record: Record) -> None:
    """What a step has done; after a claim the token too, on a line of its own."""
    output.say(f"{DID[verb]} ", record["id"], f" (occurrence {record['occurrence']}, {record['status']})")
    if verb in ("claim", "renew"):
        output.say("until ", record["claim_until"])
    if record["due_at"] and verb in ("sent", "snooze"):
        output.say("due ", record["due_at"])
    if "token" in record:
        output.say("token ", record["token"])


def whole(output: Output, seen: Record, now: Instant) -> None:
    """All that is known of a message, then its body, then its history; in a pipe a row a field."""
    fields = [
        (name, _text(value))
        for name, value in seen.items()
        if name not in ("format", "body", "history") and value is not None
    ]
    fields.append(("state", state(seen, now)))
    steps = [
        (str(past["version"]), past["changed_at"], past["changed_by"], _what(past, before))
        for past, before in zip(seen["history"], [*seen["history"][1:], None], strict=True)
    ]
    if not output.out.terminal:
        output.table((), [*fields, ("body", seen["body"]), *(("history", *row) for row in steps)])
        return
    output.facts(fields)
    output.say("")
    output.block(seen["body"])
    output.say("")
    output.table((">version", "=changed", "by", "what"), steps)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['scope']} {value['path']} (version {value['version']})"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _what(past: Record, before: Record | None) -> str:
    """The step that led from the version before to this one, as far as the two tell."""
    if before is None:
        return "sent"
    if past["status"] == "cancelled":
        return "cancelled"
    if past["status"] == "done":
        outcome = past["outcome"] if past["actionable"] else None
        return f"completed by {past['owner']}: {outcome}" if outcome else f"acknowledged by {past['read_by']}"
    if past["occurrence"] != before["occurrence"]:
        return f"snoozed until {past['due_at']}: {past['outcome']}"
    if past["owner"] is None:
        return f"acknowledged by {past['read_by']}" if past["read_by"] else "released"
    return f"claimed by {past['owner']} until {past['claim_until']}"
