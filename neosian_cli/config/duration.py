"""Durations as configuration writes them: `500ms`, `30s`, `1m30s`, `2h`."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.grammar import excerpt

PATTERN = "^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h))+$"
LONGEST = 86_400.0
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(text: str) -> float:
    """The duration in seconds: more than nothing, at most a day; raises `invalid_argument`."""
    import re

    if not re.fullmatch(PATTERN[1:-1], text, re.ASCII):
        raise Failure("invalid_argument", f"{excerpt(text)} is not a duration such as 30s, 500ms or 1m30s")
    parts = re.findall(r"([0-9.]+)(ms|s|m|h)", text)
    total = sum(float(number) * UNITS[unit] for number, unit in parts)
    if not 0 < total <= LONGEST:
        raise Failure("invalid_argument", f"{excerpt(text)} is not between 0 and 24 hours")
    return total
