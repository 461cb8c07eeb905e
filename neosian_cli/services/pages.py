"""The texts that ship inside the package; the page on exit statuses is made from the table of errors."""

from __future__ import annotations

from neosian_cli.errors import CODES, CONFLICT_REASONS, HINTS, OTHER_STATUSES

EXIT_STATUS = "exit-status"


def page(topic: str) -> str:
    """The text of a page, Markdown; `topic` is one that there is."""
    if topic == EXIT_STATUS:
        return exit_status_page()
    from importlib.resources import files

    return (files("neosian_cli") / "pages" / f"{topic}.md").read_text(encoding="utf-8")


def completion(name: str) -> str:
    """The completion script of that file name."""
    from importlib.resources import files

    return (files("neosian_cli") / "completions" / name).read_text(encoding="utf-8")


def next_step(code: str) -> str:
    """What to do after a failure of that code, as far as that can be said of all of them."""
    return HINTS.get(code, "").format(verb="VERB")


def exit_status_page() -> str:
    """Every status and code, in the order of the statuses."""
    lines = [
        "# Exit status",
        "",
        "With 2 to 9 the failing transaction changed nothing. With 1, 74 and above 128 the error says in",
        "`details.committed` whether the change is made. A number that is not listed is a failure.",
        "",
        "With `--json` or `--jsonl` an error is one line on stderr:",
        "",
        '    {"error":{"code":"…","exit_status":N,"message":"…","details":{…},"hint":…}}',
        "",
        "| status | code | meaning | next |",
        "|---|---|---|---|",
    ]
    rows = [(status, "", meaning, "") for status, meaning in OTHER_STATUSES.items()]
    rows += [(status, f"`{code}`", meaning, next_step(code)) for code, (status, meaning) in CODES.items()]
    lines += [f"| {' | '.join(map(str, row))} |" for row in sorted(rows, key=lambda row: row[0])]
    lines += ["", "What stands under *next* is said where a failure has no better hint of its own."]
    reasons = ", ".join(f"`{reason}`" for reason in CONFLICT_REASONS)
    lines += ["", f"The reasons of a `conflict`, in `details.reason`: {reasons}.", ""]
    return "\n".join(lines)
