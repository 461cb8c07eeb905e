"""Namespaces: collections of semantic records, each bound once to an embedder, a dimension and a language of words."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.grammar import DIGITS, LOWER, excerpt
from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from neosian_cli.model.times import Instant

CHARACTERS = LOWER | DIGITS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_-")
MAX_NAME = 63
MAX_DIMENSIONS = 65_536
SIMPLE = "simple"
_SNOWBALL = (
    "arabic armenian basque catalan danish dutch english finnish french german greek hindi hungarian indonesian irish "
    "italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil turkish yiddish"
)
LANGUAGES = frozenset(_SNOWBALL.split())
"""The Snowball stemmers by name."""
NO_OPTIONS: Mapping[str, object] = {}


@value
class Binding:
    """What a namespace is bound to for good."""

    provider: str
    model: str
    dimensions: int
    text_search: str = SIMPLE


@value
class Namespace:
    """A namespace that exists.

    `generation` counts the times that history was rewritten (a hard delete, a compaction): what was read under one
    generation must not be written under another. Knowledge before `history_floor` is gone. `options` tell how the
    embedder is reached where no configuration does; no key is among them, only the name of its variable.
    """

    name: str
    binding: Binding
    created_at: Instant
    generation: int = 0
    history_floor: Instant | None = None
    options: Mapping[str, object] = NO_OPTIONS


def check_name(text: str) -> str:
    """`[A-Za-z0-9_-]{1,63}`; raises `invalid_argument`."""
    if not text or len(text) > MAX_NAME or not CHARACTERS.issuperset(text):
        raise Failure("invalid_argument", f"namespace {excerpt(text)} is not 1 to {MAX_NAME} of A-Z a-z 0-9 _ -")
    return text


def check_text_search(text: str) -> str:
    """`simple` or a Snowball language; raises `invalid_argument`."""
    if text != SIMPLE and text not in LANGUAGES:
        raise Failure(
            "invalid_argument",
            f"unknown text_search {excerpt(text)}",
            hint=f"{SIMPLE}, or one of {', '.join(sorted(LANGUAGES))}",
        )
    return text
