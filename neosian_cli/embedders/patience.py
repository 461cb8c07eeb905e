"""Answers over HTTP that end in time: a server that sends a byte now and then does not outlive the deadline.

A socket's own timeout is for each wait. Status line, headers and body are read by way of what looks at the time that
is left before each of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import io
    from collections.abc import Callable
    from http.client import HTTPResponse
    from socket import socket
    from typing import Any


def bounded(left: Callable[[], float]) -> Any:
    """What makes responses from sockets, as `HTTPConnection.response_class`; `left` tells the seconds that are left.

    Reading from them raises TimeoutError when there are none.
    """
    from http.client import HTTPResponse

    def made(sock: socket, *args: Any, **options: Any) -> HTTPResponse:
        import io

        response = HTTPResponse(sock, *args, **options)
        raw: Any = _Bounded(sock, response.fp.detach(), left)
        response.fp = io.BufferedReader(raw)
        return response

    return made


class _Bounded:
    """A raw stream of a socket, as far as a buffered reader asks for one; the socket stays open until it is closed."""

    def __init__(self, sock: socket, raw: io.RawIOBase, left: Callable[[], float]) -> None:
        self._sock = sock
        self._raw = raw
        self._left = left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        seconds = self._left()
        if seconds <= 0:
            raise TimeoutError
        self._sock.settimeout(seconds)
        return self._raw.readinto(buffer)

    def flush(self) -> None:
        """There is nothing that could be written."""

    def close(self) -> None:
        self._raw.close()

    @property
    def closed(self) -> bool:
        return self._raw.closed
