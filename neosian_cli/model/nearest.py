"""The nearest of several names to one that is not among them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one that was probably meant; None when nothing is near. Case does not count."""
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for known in names:
        folded.setdefault(known.lower(), known)
    close = get_close_matches(name[:64].lower(), list(folded), n=1)
    return folded[close[0]] if close else None
