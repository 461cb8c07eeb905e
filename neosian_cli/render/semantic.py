"""Semantic records for people."""

from __future__ import annotations

from neosian_cli.render.text import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from neosian_cli.render.output import Output
    from neosian_cli.render.table import Cell

MOST = 20
"""Stored records that have a line each on a terminal."""
START = 60
"""Columns of a content that a row shows."""
STYLES = {"live": "", "future": "cyan", "invalid": "dim", "deleted": "red"}


def _start(out: Output, text: str) -> str:
    """The beginning of a content on one line; whole in a pipe, where nothing is cut."""
    if not out.out.terminal:
        return text
    from neosian_cli.render.table import shortened

    return shortened(text, START)


def _metadata(record: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(record["metadata"].items()))


def _table(out: Output, columns: Sequence[str], rows: Sequence[Sequence[Cell]], below: Sequence[str] = ()) -> None:
    """A table whose last column is left out on a terminal where it holds nothing."""
    last = [row[-1] if isinstance(row[-1], str) else row[-1][0] for row in rows]
    if out.out.terminal and not any(last):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    out.table(columns, rows, below=below)


def hits(out: Output, value: Mapping[str, Any]) -> None:
    found = value["hits"]
    if found and "content" not in found[0]:
        out.table((">score", "id"), [(f"{hit['score']:.4f}", hit["id"]) for hit in found])
        return
    rows = [(f"{hit['score']:.4f}", hit["id"], _start(out, hit["content"]), (_metadata(hit), "dim")) for hit in found]
    _table(out, (">score", "id", "content", "metadata"), rows)
    if not found:
        out.note("no hits")


def explained(explain: Mapping[str, Any]) -> Iterator[str]:
    """One line a lane."""
    yield count(explain["records"], "record")
    for lane in ("dense", "sparse", "index"):
        if lane in explain:
            yield f"{lane}: " + ", ".join(f"{key} {item}" for key, item in _figures(explain[lane]))


def _figures(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What there is to say of a lane or an index; the command is said as a hint."""
    for key, item in told.items():
        if item is not None and key != "command":
            yield key, _plain(item)


def _validity(record: Mapping[str, Any]) -> str:
    """From when to when a record is valid, where that is not simply from its creation on."""
    begins, ends = record["valid_from"], record["valid_to"]
    if ends is None and begins == record["created_at"]:
        return ""
    return f"{begins}.." if ends is None else f"{begins}..{ends}"


def records(out: Output, value: Mapping[str, Any]) -> None:
    found = value["records"]
    if out.out.terminal and any(map(_validity, found)):
        below = [f"  valid {told}" if (told := _validity(record)) else "" for record in found]
    else:
        below = []
    rows = [
        (
            record["id"],
            f"{record['version']}",
            (record["state"], STYLES[record["state"]]),
            record["created_at"],
            _start(out, record["content"]),
            (_metadata(record), "dim"),
        )
        for record in found
    ]
    _table(out, ("id", ">version", "=state", "=created", "content", "metadata"), rows, below)


def upserted(out: Output, value: Mapping[str, Any]) -> None:
    stored = len(value["ids"])
    if out.out.terminal and stored > MOST:
        superseded = sum(map(len, value["superseded"]))
        out.say(f"stored {count(stored, 'record')}" + (f", {superseded:,} superseded" if superseded else ""))
        return
    rows = [
        (name, f"{version}", " ".join(superseded))
        for name, version, superseded in zip(value["ids"], value["versions"], value["superseded"], strict=True)
    ]
    _table(out, ("id", ">version", "superseded"), rows)


def deleted(out: Output, ids: Sequence[str], value: Mapping[str, Any], *, hard: bool) -> None:
    done = "removed for good" if hard and out.out.terminal else "deleted"
    rows = [(name, done if existed else "was not there") for name, existed in zip(ids, value["existed"], strict=True)]
    out.table(("id", "result"), rows)


def expired(out: Output, value: Mapping[str, Any]) -> None:
    doing = "changed" if value["applied"] else "would be changed"
    out.say(f"{count(value['affected'], 'record')} {doing}")


def history(out: Output, value: Mapping[str, Any]) -> None:
    rows = []
    for entry in value["entries"]:
        what = entry["what"]
        if what == "upsert":
            told = _start(out, entry["content"])
            if out.out.terminal and (validity := _validity(entry)):
                told = f"{told}  (valid {validity})"
        elif what == "deleted":
            told = f"deleted at {entry['deleted_at']}"
        else:
            told = f"valid to {entry['valid_to']}" + (f", by {entry['by']}" if "by" in entry else "")
        rows.append((entry["written_at"], what, f"{entry['version']}", told))
    out.table(("=written", "what", ">version", "says"), rows)


def created(out: Output, value: Mapping[str, Any]) -> None:
    bound = f"{value['provider']} {value['model']}, {value['dimensions']} dimensions"
    if value["created"]:
        out.say(("created", "green"), " ", (value["namespace"], "bold"), f": {bound}")
    else:
        out.say((value["namespace"], "bold"), f" is there already: {bound}")


def namespaces(out: Output, value: Mapping[str, Any]) -> None:
    rows = [
        (
            found["namespace"],
            found["provider"],
            found["model"],
            f"{found['dimensions']}",
            found["text_search"],
            f"{found['records']}",
            f"{found['live']}",
        )
        for found in value["namespaces"]
    ]
    out.table(("namespace", "provider", "model", ">dimensions", "words", ">records", ">live"), rows)


def figures(out: Output, value: Mapping[str, Any]) -> None:
    """Names and values, one a line; what is nested under its name and the outer one's."""
    rows: list[tuple[str, Cell]] = []
    for key, item in value.items():
        if isinstance(item, dict):
            rows += [(f"{key} {inner}".replace("_", " "), _plain(figure)) for inner, figure in item.items()]
        else:
            rows.append((key.replace("_", " "), _plain(item)))
    out.facts(rows)


def _plain(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value}"
