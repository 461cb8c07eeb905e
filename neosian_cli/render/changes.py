"""The change feed for people: events as rows, gaps with what to do about them, consumers, bars."""

from __future__ import annotations

from neosian_cli.render.text import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from neosian_cli.render.output import Output
    from neosian_cli.render.table import Cell

    Value = dict[str, Any]

COLUMNS = (">seq", "=what", ">version", "=when", "path")
WIDTHS = (-8, 12, -7, 20)
STYLES = {
    "created": "green",
    "modified": "blue",
    "deleted": "red",
    "renamed": "yellow",
    "erased": "magenta",
    "scope_erased": "magenta",
    "scope_reset": "cyan",
}
LETTERS = {
    "created": "c",
    "modified": "m",
    "deleted": "d",
    "renamed": "r",
    "erased": "e",
    "scope_erased": "E",
    "scope_reset": "s",
}
REASONS = {
    "untracked": "the feed of {path} has not begun: nothing was written there since it could be tracked",
    "retention": "events of {path} that come after the cursor were pruned; something may have been missed",
    "stream_reset": "the cursor is of another stream or history of {path}: the store was replaced or restored",
}


def short(kind: str) -> str:
    """A kind without what all have in common."""
    return kind.removeprefix("state.").removeprefix("document_")


def _cells(out: Output, event: Value) -> tuple[Cell, ...]:
    """A row of an event; on a terminal its time to the second, so that paths have room."""
    kind = short(event["kind"])
    path = event.get("reference") or event.get("reason") or ""
    if "previous_reference" in event:
        path = f"{event['previous_reference']} -> {path}"
    version = str(event.get("version", ""))
    time = f"{event['created_at'][:19]}Z" if out.out.terminal else event["created_at"]
    return str(event["sequence"]), (kind, STYLES.get(kind, "")), version, time, path


def page(out: Output, value: Value) -> None:
    """One page: a table, and on a terminal the cursor below it."""
    if value["gap"] is not None:
        out.facts(_gap_facts(value))
        return
    if value["events"]:
        out.table(COLUMNS, [_cells(out, event) for event in value["events"]])
    if out.out.terminal:
        more = "there is more" if value["has_more"] else "the end for now"
        out.say(("cursor", "bold"), " ", value["cursor"], " ", (f"({more})", "dim"))


def heading(out: Output) -> None:
    """What stands above the rows of a stream on a terminal."""
    if out.out.terminal:
        _aligned(out, ((title.lstrip(">="), "bold") for title in COLUMNS))


def rows(out: Output, events: Iterable[Value]) -> None:
    """Rows of a stream: columns of a fixed width on a terminal, tabs elsewhere."""
    for event in events:
        if out.out.terminal:
            _aligned(out, _cells(out, event))
        else:
            out.table(COLUMNS, [_cells(out, event)])


def _aligned(out: Output, row: Iterable[Cell]) -> None:
    *cells, path = row
    out.say(*(_padded(cell, width) for cell, width in zip(cells, WIDTHS, strict=True)), path)


def _padded(cell: Cell, width: int) -> Cell:
    text, style = (cell, "") if isinstance(cell, str) else cell
    text = text.rjust(-width) if width < 0 else text.ljust(width)
    return f"{text}  ", style


def last_line(out: Output, value: Value) -> None:
    """Where a stream of rows ends."""
    if value["gap"] is not None:
        out.facts(_gap_facts(value))
    elif out.out.terminal:
        out.say(("cursor", "bold"), " ", value["cursor"])
    else:
        out.table((), [("cursor", value["cursor"])])


def _gap_facts(value: Value) -> list[tuple[str, Cell]]:
    names = {"stream": "stream", "earliest_cursor": "floor", "head_cursor": "head", "cursor": "cursor"}
    known: list[tuple[str, Cell]] = [(shown, value[key]) for key, shown in names.items() if value[key]]
    return [("gap", (value["gap"], "bold yellow")), *known]


def advice(out: Output, value: Value, file: str | None, *, streamed: bool) -> None:
    """What a person does next, on stderr; a stream of rows has ended with its cursor already."""
    path, gap = value["path"], value["gap"]
    if gap is None:
        if not value["events"]:
            out.note(f"nothing new in {path}")
        if not out.out.terminal and not streamed:
            out.note(f"cursor {value['cursor']}")
        if value["has_more"] and file is None:
            out.hint(f"neosian changes read {path} --cursor {value['cursor']}")
        return
    out.note(REASONS[gap].format(path=path))
    if gap == "untracked":
        out.hint(f"the first write begins the feed: neosian memory write {path}/notes/first --content 'hello'")
        out.hint(f"from then on, state and cursor to start from: neosian changes snapshot {path}")
        return
    out.hint(f"1. take the state as it is now: neosian changes snapshot {path} --jsonl")
    out.hint("2. apply it to what you keep: by path and version; what it does not list is gone")
    if file is None:
        out.hint(f"3. go on from the snapshot's cursor: neosian changes read {path} --cursor CURSOR")
    else:
        import shlex

        force = " --force" if gap == "stream_reset" else ""
        saving = f"neosian changes checkpoint {shlex.quote(file)} {path} --advance CURSOR{force}"
        out.hint(f"3. save the snapshot's cursor, and go on: {saving}")


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _state(state: str) -> Cell:
    return state, "green" if state == "ok" else "bold yellow"


def checkpoint(out: Output, value: Value) -> None:
    out.facts(
        [
            ("file", value["file"]),
            ("stands at", _number(value["sequence"])),
            ("head", _number(value["head"])),
            ("behind by", _number(value["lag"])),
            ("state", _state(value["state"])),
            ("cursor", value["cursor"]),
        ],
    )


def status(out: Output, value: Value) -> None:
    """The feed's facts, then a row for each consumer."""
    out.facts(
        [
            ("feed", f"{value['path']} ({value['scope']})"),
            ("stream", value["stream"] or "not begun"),
            ("floor", _number(value["floor"])),
            ("head", _number(value["head"])),
            (
                "retained",
                count(value["retained"], "event")
                + ", "
                + ", ".join(count(value[key], key.removesuffix("s")) for key in ("bytes", "segments")),
            ),
            ("last event", value["last_created_at"] or "-"),
            ("head cursor", value["head_cursor"] or "-"),
        ],
    )
    if value["consumers"]:
        if out.out.terminal:
            out.say("")
        columns = ("consumer", ">at", ">behind", ">above floor", "state")
        out.table(columns, map(_consumer, value["consumers"]))


def _consumer(value: Value) -> tuple[Cell, ...]:
    numbers = (value["sequence"], value["lag"], value["headroom"])
    return value["file"], *map(_number, numbers), _state(value["state"])


def prune(out: Output, value: Value) -> None:
    verb = "removed" if value["applied"] else "would remove"
    out.say(f"{verb} {count(value['count'], 'event')} of {value['path']}")
    out.facts([("floor", value["floor"])])


def verification(out: Output, value: Value) -> None:
    span = f", {value['first']} to {value['last']}" if value["events"] else ""
    if value["ok"]:
        out.say(("ok", "green"), f"  {value['path']}: {count(value['events'], 'event')}{span}")
    for finding in value["findings"]:
        out.say((finding["code"], "bold red"), f"  {finding['message']}")


def documents(out: Output, items: Iterable[Value], *, first: bool) -> None:
    """Rows of a snapshot; above the first ones stands what they are, on a terminal."""
    if first and out.out.terminal:
        out.say(_padded(("version", "bold"), -7), ("path", "bold"))
    for item in items:
        if out.out.terminal:
            out.say(_padded(str(item["version"]), -7), item["mounted_path"])
        else:
            out.table((), [(item["mounted_path"], str(item["version"]))])


def snapshot_end(out: Output, value: Value) -> None:
    """Where a snapshot ends: the cursor to go on with, and what could not be read."""
    for item in value["unreadable"]:
        out.note(f"unreadable: {item['message']}")
    if value["gap"] is not None:
        out.note(REASONS[value["gap"]].format(path=value["path"]))
        out.hint(f"the first write begins the feed: neosian memory write {value['path']}/notes/first --content 'hello'")
        return
    if out.out.terminal:
        out.say(("cursor", "bold"), " ", value["cursor"])
    else:
        out.table((), [("cursor", value["cursor"])])
    out.hint(f"neosian changes read {value['path']} --cursor {value['cursor']}")


def statistics(out: Output, value: Value) -> None:
    """Bars by time, each made of its kinds, and the busiest paths; in a pipe `start kind count`, then `path count`."""
    if not value["buckets"]:
        return
    if not out.out.terminal:
        counted = [(bucket, kind) for bucket in value["buckets"] for kind in bucket["kinds"]]
        out.table((), [(b["start"], short(kind), str(b["kinds"][kind])) for b, kind in counted])
        out.say("")
        out.table((), [(f"{value['path']}/{item['path']}", str(item["events"])) for item in value["paths"]])
        return
    _bars(out, value)
    _legend(out, value)
    if value["paths"]:
        out.say("")
        most = value["paths"][0]["events"]
        rows = [
            (f"{value['path']}/{item['path']}", str(item["events"]), (_bar(item["events"], most), "blue"))
            for item in value["paths"]
        ]
        out.table(("path", ">events", "="), rows)


MOST_EMPTY = 3
"""So many buckets without events are drawn one by one; more are one row."""
SHARE = 16
"""Columns of a busy path's bar."""


def _bar(number: int, most: int) -> str:
    return "█" * max(1, round(SHARE * number / most))


def _legend(out: Output, value: Value) -> None:
    """What each piece of a bar stands for, and how many of it there are in all."""
    kinds: dict[str, int] = {}
    for bucket in value["buckets"]:
        for kind, number in bucket["kinds"].items():
            kinds[kind] = kinds.get(kind, 0) + number
    spans: list[Cell] = [(count(sum(kinds.values()), "event"), "bold")]
    for kind, number in kinds.items():
        spans += ["  ", _block(out, kind, 1), f" {number:,} {short(kind)}"]
    out.say(*spans)


def _bars(out: Output, value: Value) -> None:
    most = max(bucket["total"] for bucket in value["buckets"])
    from contextlib import suppress

    digits = len(str(most))
    room = max(10, out.out.width - LABEL - digits - 4)
    before = None
    for bucket in value["buckets"]:
        with suppress(ValueError):  # a forged event may bear a time that no calendar has
            _gap(out, value["by"], before, bucket["start"], digits)
        before = bucket["start"]
        pieces = _pieces(bucket["kinds"], bucket["total"], max(1, round(room * bucket["total"] / most)))
        bar = [_block(out, kind, length) for kind, length in pieces]
        out.say((bucket["start"], "dim"), "  ", str(bucket["total"]).rjust(digits), "  ", *bar)


LABEL = 27
"""Characters of a spelled time."""


def _gap(out: Output, by: str, before: str | None, start: str, digits: int) -> None:
    """The buckets without events between two that have some, so that time runs evenly down the page."""
    from neosian_cli.model import times

    if before is None:
        return
    missing: list[str] = []
    at = _next(by, before)
    while at < start and len(missing) <= MOST_EMPTY:
        missing.append(at)
        at = _next(by, at)
    if len(missing) <= MOST_EMPTY:
        for empty in missing:
            out.say((empty, "dim"), "  ", ("0".rjust(digits), "dim"))
        return
    days = (times.read(start) - times.read(missing[0])) // times.DAY
    span = count(days, "day") if days > 1 else "hours"
    out.say((f"{'⋮':>{LABEL}}", "dim"), "  ", (f"{span} without events", "dim"))


def _next(by: str, start: str) -> str:
    """The start of the bucket after the one that starts there."""
    from neosian_cli.model import times

    if by == "month":
        year, month = int(start[:4]), int(start[5:7])
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
        return f"{year:04d}-{month:02d}{start[7:]}"
    return times.spell(times.read(start) + (times.DAY if by == "day" else 3600 * times.SECOND))


def _block(out: Output, kind: str, length: int) -> Cell:
    name = short(kind)
    if out.coloured:
        return "█" * length, STYLES.get(name, "")
    return LETTERS.get(name, "*") * length


def _pieces(kinds: dict[str, int], total: int, length: int) -> list[tuple[str, int]]:
    """`length` divided among the kinds as their counts are, so that the pieces fill it exactly."""
    pieces = []
    passed = begun = 0
    for kind, number in kinds.items():
        passed += number
        end = round(length * passed / total)
        pieces.append((kind, end - begun))
        begun = end
    return pieces
