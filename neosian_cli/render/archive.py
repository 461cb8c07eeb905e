"""Exports and imports for people."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.render.output import Output

SHOWN = 10
"""How many problems are named; a program reads them all."""


def show(out: Output, found: dict[str, Any]) -> None:
    """A row for each scope, then one for each namespace."""
    if found["scopes"]:
        out.table(
            ("scope", ">documents", ">versions", ">erasures"),
            [_row(done, "scope", "documents", "versions", "erasures") for done in found["scopes"]],
        )
    if found["namespaces"]:
        out.table(
            ("namespace", ">versions", ">changes"),
            [_row(done, "namespace", "versions", "changes") for done in found["namespaces"]],
        )
    if not found["scopes"] and not found["namespaces"]:
        out.note("there was nothing to take along")


def _row(done: dict[str, Any], name: str, *counts: str) -> tuple[str, ...]:
    return (str(done[name]), *(f"{done[count]:,}" for count in counts))


def name_problems(out: Output, problems: Sequence[dict[str, Any]], what: str) -> None:
    """Say on stderr what was left out, and why."""
    for problem in problems[:SHOWN]:
        out.note(f"{what}: {problem['message']}")
    if len(problems) > SHOWN:
        out.note(f"and {len(problems) - SHOWN:,} more; --json names them all")
