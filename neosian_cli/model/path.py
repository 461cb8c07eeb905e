"""Document paths: names joined by `/` inside one scope."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import grammar

MAX_SEGMENTS = 16
RESERVED = ("messages", "message-links")


def check(text: str) -> str:
    """The path itself when it keeps the grammar: 1 to 16 segments, at most 512 characters; else `invalid_argument`."""
    grammar.check_length(text, "path")
    segments = text.split("/")
    if len(segments) > MAX_SEGMENTS:
        raise Failure("invalid_argument", f"path {grammar.excerpt(text)} has more than {MAX_SEGMENTS} segments")
    for segment in segments:
        grammar.check_name(segment, "path", text)
    return text


def is_reserved(text: str) -> bool:
    """Whether the path belongs to the mailbox, where memory verbs change nothing."""
    return text.split("/", 1)[0] in RESERVED
