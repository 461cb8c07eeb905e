"""Actors: who writes, `kind:id` segments with an optional `#<turn>`."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import grammar
from neosian_cli.model.scope import MAX_SEGMENTS


def check(text: str) -> str:
    """The actor itself when it keeps the grammar; else `invalid_argument`."""
    grammar.check_length(text, "actor")
    name, mark, turn = text.partition("#")
    # A number has one spelling: two actors are the same writer only where they are the same text.
    if mark and (not turn or not grammar.DIGITS.issuperset(turn) or (turn[0] == "0" and turn != "0")):
        raise Failure(
            "invalid_argument",
            f"actor {grammar.excerpt(text)} has a turn that is not a whole number without leading zeros",
        )
    segments = name.split("/")
    if len(segments) > MAX_SEGMENTS:
        raise Failure("invalid_argument", f"actor {grammar.excerpt(text)} has more than {MAX_SEGMENTS} segments")
    for segment in segments:
        grammar.check_typed(segment, "actor", text, grammar.KIND)
    return text
