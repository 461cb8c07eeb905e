"""Whether a stream is coloured, decided here alone, and the few colours there are."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}


def wanted(env: Mapping[str, str], *, terminal: bool) -> bool:
    """NO_COLOR, then FORCE_COLOR, then TERM=dumb, then whether the stream is a terminal."""
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return terminal and env.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    """`text` between the sequences that set and unset `style`: names of `STYLES`, separated by blanks."""
    if not style or not text:
        return text
    codes = ";".join(STYLES[name] for name in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m"
