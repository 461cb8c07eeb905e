"""Documents for people."""

from __future__ import annotations

from neosian_cli.render.text import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from neosian_cli.render.output import Output
    from neosian_cli.render.table import Cell

    Result = Mapping[str, Any]

ACTIONS = {"created": "green", "modified": "yellow", "renamed": "cyan", "deleted": "red"}
_DIFF = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}


def changed(out: Output, result: Result) -> None:
    """What a verb did, in one line."""
    action = result["action"]
    words: list[Cell] = [(action, ACTIONS[action]), " ", (result["mounted_path"], "bold")]
    if action == "renamed":
        root = result["mounted_path"].removesuffix(result["path"])
        words[2:] = [root + result["previous_path"], " to ", (result["mounted_path"], "bold")]
    out.say(*words, f", version {result['version']}")


def entries(out: Output, result: Result) -> None:
    """A page of a list; what is unreadable goes to stderr."""
    rows = [
        (
            (entry["mounted_path"], "bold"),
            str(entry["version"]),
            entry["updated_at"],
            "erased" if entry["erased"] else str(entry["bytes"]),
            entry["actor"],
        )
        for entry in result["entries"]
    ]
    if rows:
        out.table(("path", ">version", "=updated", ">bytes", "actor"), rows)
    else:
        out.note(f"no documents here in {result['mount']}")
    for problem in result["unreadable"]:
        out.note(f"unreadable: {problem['path']} ({problem['code']}): {problem['message']}")
    if result["unreadable"]:
        out.hint("neosian verify")
    _next_page(out, result)


def _next_page(out: Output, result: Result) -> None:
    if result["next_cursor"] is not None:
        out.hint(f"there are more; the same command with --cursor {result['next_cursor']}")


def document(out: Output, result: Result) -> None:
    """The body alone, or numbered lines of it."""
    text = result["content"]
    if "lines" in result:
        text = _numbered(text, result["lines"]["first"], len(str(result["lines"]["last"])))
    out.body(text)
    if result["erased"]:
        out.note(f"version {result['version']} of {result['mounted_path']} was erased")


def _numbered(text: str, first: int, width: int) -> str:
    from neosian_cli.model.body import lines_of

    numbered = (
        f"{number:>{width}}\t{line.removesuffix(chr(10))}\n" for number, line in enumerate(lines_of(text), first)
    )
    return "".join(numbered)


def versions(out: Output, result: Result, *, bodies: bool) -> None:
    """A page of versions; with bodies each one whole on a terminal, on its own line in a pipe."""
    if bodies and out.out.terminal:
        for row in result["versions"]:
            out.say((f"version {row['version']}", "bold"), f"  {_what(row)}  {row['created_at']}  {row['actor']}")
            out.block(row["content"])
    else:
        columns = (">version", "=action", "=created", "actor")
        out.table((*columns, "content") if bodies else columns, _version_rows(result, bodies=bodies))
    _next_page(out, result)


def _version_rows(result: Result, *, bodies: bool) -> Iterable[tuple[Cell, ...]]:
    for row in result["versions"]:
        shown: tuple[Cell, ...] = (
            (str(row["version"]), "bold"),
            (_what(row), ACTIONS[row["action"]]),
            row["created_at"],
            row["actor"],
        )
        yield (*shown, row["content"]) if bodies else shown


def _what(row: Result) -> str:
    return f"{row['action']}, erased" if row["erased"] else str(row["action"])


def diff(out: Output, result: Result) -> None:
    """The diff as it is, with colours on a terminal."""
    if not result["diff"]:
        out.note(f"versions {result['from']} and {result['to']} have the same body")
    if not (out.coloured or out.out.terminal):
        out.body(result["diff"])
        return
    for number, line in enumerate(result["diff"].split("\n")[:-1]):
        out.say((line, "bold" if number < 2 else _DIFF.get(line[:1], "")))


def erased(out: Output, result: Result, place: str) -> None:
    """What was blanked or would be."""
    if not result["versions"]:
        out.say(f"nothing to erase in {place}")
        return
    documents, versions = count(result["documents"], "document"), count(result["versions"], "version")
    verb: Cell = ("erased", "red") if result["applied"] else "would erase"
    out.say(verb, f" {documents} and {versions} of ", (place, "bold"))
