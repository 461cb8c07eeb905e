"""Scopes: who a document belongs to, `type:id` segments joined by `/`."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import grammar

MAX_SEGMENTS = 8


def check(text: str) -> str:
    """The scope itself when it keeps the grammar: 1 to 8 segments, at most 512 characters; else `invalid_argument`."""
    grammar.check_length(text, "scope")
    segments = text.split("/")
    if len(segments) > MAX_SEGMENTS:
        raise Failure("invalid_argument", f"scope {grammar.excerpt(text)} has more than {MAX_SEGMENTS} segments")
    for segment in segments:
        grammar.check_typed(segment, "scope", text, grammar.TYPE)
    return text
