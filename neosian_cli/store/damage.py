"""Which error a damaged or unsafe file below a root is."""

from __future__ import annotations

from neosian_cli.errors import Failure


def code_for(path: str) -> str:
    """The error code of the object that a file belongs to."""
    if path.startswith("semantic/"):
        return "record_corrupt"
    if "/.changes" in path:
        return "feed_corrupt"
    if path.startswith("scopes"):
        return "document_corrupt"
    return "not_a_store"


def damaged(file: str, reason: str, /, *, code: str | None = None, **details: object) -> Failure:
    """The failure for one file; `reason` continues a sentence that begins with the file's name."""
    code = code or code_for(file)
    return Failure(code, f"{file} {reason}", hint=None, file=file, **details)
