"""Why something of a file store is not taken over, and what several of its files share."""

from __future__ import annotations

from neosian_cli.model import times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

DAMAGED = "document_corrupt"
NEWER = "format_unsupported"
NO_PLACE = "unsupported"

NOBODY = "unknown:unrecorded"
"""The actor of what was written by nobody in particular: here every version has one."""


class Unfit(Exception):
    """One object is left behind; `reason` continues a sentence that begins with its file's name."""

    def __init__(self, reason: str, code: str = DAMAGED) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


def instant(value: object, name: str) -> str:
    """A time of ISO 8601 with an offset, in this program's spelling; raises `Unfit`."""
    from datetime import datetime

    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    if found is None or found.utcoffset() is None:
        raise Unfit(f"has a {name} that is no time with an offset")
    return times.spell(_since_1970(found))


def _since_1970(moment: datetime) -> int:
    from datetime import UTC, datetime, timedelta

    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
