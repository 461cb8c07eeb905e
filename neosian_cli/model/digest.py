"""SHA-256 as it is needed for little and for much.

Python carries the function in a module of its own, and in OpenSSL's library, which is several times as fast a byte and
takes a quarter of Python's own start to load. So the first megabyte of a process goes without that library.
"""

from __future__ import annotations

try:
    from _sha2 import sha256 as _carried  # type: ignore[import-not-found]  # since 3.12
except ImportError:
    try:
        from _sha256 import sha256 as _carried  # type: ignore[import-not-found]
    except ImportError:  # a Python that was built without
        from hashlib import sha256 as _carried

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class Hash(Protocol):
        def update(self, data: bytes, /) -> None: ...
        def digest(self) -> bytes: ...
        def hexdigest(self) -> str: ...


LITTLE = 1 << 20
_left = LITTLE


def sha256(data: bytes) -> Hash:
    """The hash object of these bytes."""
    global _left  # noqa: PLW0603  # what a process has hashed so far is its state
    if _left < len(data):
        from hashlib import sha256 as quick

        _left = 0
        return quick(data)
    _left -= len(data)
    made: Hash = _carried(data)
    return made


def sha256_of(pieces: Iterable[bytes]) -> str:
    """The SHA-256, in hex, of pieces one after the other, of which there may be many."""
    from hashlib import sha256 as quick

    digest = quick()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()
