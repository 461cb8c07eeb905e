"""From text to words: runs of Unicode letters and digits, lower-cased, and in a language also stemmed.

`simple` keeps every word. A Snowball language drops the stop words of that language and stems the rest. A query is
split by the same rules; `"…"` in it asks for words in a row.
"""

from __future__ import annotations

import sys

from neosian_cli.errors import Failure
from neosian_cli.model.digest import sha256
from neosian_cli.model.namespace import SIMPLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHORT = 2000
"""Characters of a text that is split faster than `re` is imported."""
LONGEST = 160
"""Bytes of a word that the index holds as it is; a longer one stands there as its digest."""


class Splitter:
    """The rules of one namespace."""

    def __init__(self, text_search: str) -> None:
        self._stop = _stop_words(text_search)
        self._stem = _stemmer(text_search)

    def words(self, text: str) -> list[str]:
        """The words in order; stop words leave no gap."""
        lowered = [word.lower() for word in _runs(text)]
        if self._stop:
            lowered = [word for word in lowered if word not in self._stop]
        if self._stem is not None:
            lowered = self._stem(lowered)
        return [
            word if len(word) * 4 <= LONGEST or len(word.encode()) <= LONGEST else _digest(word) for word in lowered
        ]

    def units(self, query: str) -> list[tuple[str, ...]]:
        """What a query asks for, each once, in order: single words, and phrases of two words and more."""
        pieces = query.split('"')
        if len(pieces) % 2 == 0:
            # The last quote has no partner: it separates, and means nothing.
            pieces[-2:] = [f"{pieces[-2]} {pieces[-1]}"]
        found: dict[tuple[str, ...], None] = {}
        for index, piece in enumerate(pieces):
            words = self.words(piece)
            if index % 2 and words:
                found[tuple(words)] = None
            else:
                found.update(((word,), None) for word in words)
        return list(found)


def _stop_words(text_search: str) -> frozenset[str]:
    if text_search == SIMPLE:
        return frozenset()
    from neosian_cli.store.semantic.stopwords import STOP_WORDS

    return STOP_WORDS.get(text_search, frozenset())


def _runs(text: str) -> list[str]:
    """Runs of letters and digits. What `re` takes for a character of a word is what `isalnum` says, and `_`."""
    if len(text) <= SHORT and "re" not in sys.modules:
        return "".join([character if character.isalnum() else " " for character in text]).split()
    import re

    return re.findall(r"[^\W_]+", text)


def _stemmer(text_search: str) -> Callable[[list[str]], list[str]] | None:
    if text_search == SIMPLE:
        return None
    try:
        import Stemmer
    except ImportError:
        raise Failure(
            "unsupported",
            f"text_search {text_search} needs the package PyStemmer",
            hint="pip install PyStemmer",
        ) from None
    try:
        stemmer = Stemmer.Stemmer(text_search)
    except KeyError:
        raise Failure("unsupported", f"the installed PyStemmer does not know {text_search}") from None
    stem: Callable[[list[str]], list[str]] = stemmer.stemWords
    return stem


def _digest(word: str) -> str:
    return "0x" + sha256(word.encode()).hexdigest()
