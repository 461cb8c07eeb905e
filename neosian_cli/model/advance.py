"""How long work tells how far it has come: it calls what it was given, and knows nothing of terminals."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Advance(Protocol):
        """`count` more are done; a `total` is told as soon as it is known, and may grow. Must be cheap."""

        def __call__(self, count: int = 1, total: int | None = None, /) -> object: ...


def ignored(_count: int = 1, _total: int | None = None, /) -> None:
    """Nobody wants to know how far it has come."""
