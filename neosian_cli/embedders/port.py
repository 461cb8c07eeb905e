"""What an embedder is: texts in, vectors out.

A vector is its bytes: little-endian float32, `4 * dimensions` of them, finite, and of a norm above zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Embedder(Protocol):
    """One model of one provider. The same text gives the same vector, whether it is stored or searched for."""

    @property
    def dimensions(self) -> int: ...

    @property
    def at_once(self) -> int:
        """Texts that one call is best given: nothing is kept, told or heard of a signal before it has them all."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text, in order. Raises `unavailable` where a later try may succeed, else `io_error`."""
        ...


class Options(Protocol):
    """How a provider is reached. `timeout` in seconds for each try; `batch_size` texts a request.

    `send_dimensions` None: as the model needs; `base_url` and `api_key_env` None: the provider's own.
    """

    @property
    def api_key_env(self) -> str | None: ...

    @property
    def timeout(self) -> float: ...

    @property
    def base_url(self) -> str | None: ...

    @property
    def batch_size(self) -> int: ...

    @property
    def send_dimensions(self) -> bool | None: ...
