"""HTTP for embedders: one request, a bounded answer, four tries, and no word of the key in any message.

A try is repeated after a lost connection, a timeout, 429 and 5xx. Anything else that is not a 2xx ends at once. A
redirect is never followed: it would carry the key to an address that nobody configured.
"""

from __future__ import annotations

from neosian_cli.embedders.patience import bounded
from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from http.client import HTTPConnection, HTTPResponse
    from typing import Any, NamedTuple
else:
    from neosian_cli.model.value import NamedTuple

TRIES = 4
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0
SHOWN = 200
CHUNK = 1 << 16


class Clocks(NamedTuple):
    """Time as arguments: `sleep(seconds)`, `wall()` in seconds since 1970, `steady()` in seconds of a steady clock."""

    sleep: Callable[[float], None]
    wall: Callable[[], float]
    steady: Callable[[], float]


class _TryAgainError(Exception):
    """One try came to nothing; `pause` is what the server asked for in seconds."""

    def __init__(self, reason: str, pause: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.pause = pause


class Endpoint:
    """One address that takes JSON and answers JSON. `key` is sent as a bearer token and never shown."""

    def __init__(self, url: str, *, timeout: float, clocks: Clocks, key: str | None = None) -> None:
        from urllib.parse import urlsplit

        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port
        self._path = parts.path
        self._timeout = timeout
        self._clocks = clocks
        self._key = key
        self.name = f"{parts.scheme}://{parts.netloc}{parts.path}"

    def post(self, body: object, *, limit: int) -> Any:
        """The answer's JSON value; at most `limit` bytes of it are read. Raises `unavailable` or `io_error`."""
        import json

        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        answer = self._post_repeatedly(data, limit)
        try:
            return json.loads(answer)
        except (ValueError, RecursionError):
            raise self.unavailable("answered with something that is not JSON") from None

    def unavailable(self, what: str) -> Failure:
        return Failure("unavailable", f"the embedder at {self.name} {what}", hint="try again later")

    def _post_repeatedly(self, data: bytes, limit: int) -> bytes:
        for attempt in range(TRIES):
            try:
                return self._post_once(data, limit)
            except _TryAgainError as lost:
                if attempt == TRIES - 1:
                    raise self.unavailable(f"{lost.reason} ({TRIES} tries)") from None
                pause = FIRST_PAUSE * 2**attempt if lost.pause is None else lost.pause
                self._clocks.sleep(min(pause, LONGEST_PAUSE))
        raise AssertionError("unreachable")  # pragma: no cover

    def _post_once(self, data: bytes, limit: int) -> bytes:
        from http.client import HTTPException

        connection = self._connection()
        deadline = self._clocks.steady() + self._timeout
        connection.response_class = bounded(lambda: deadline - self._clocks.steady())
        try:
            connection.request("POST", self._path, data, self._headers())
            with connection.getresponse() as response:
                body = self._read(response, limit)
        except TimeoutError:
            raise _TryAgainError(f"did not answer within {self._timeout:g} s") from None
        except HTTPException as error:
            raise _TryAgainError(f"broke off its answer ({type(error).__name__})") from None
        except OSError as error:
            raise _TryAgainError(f"cannot be reached ({_reason(error)})") from None
        finally:
            connection.close()
        return self._judge(response, body)

    def _connection(self) -> HTTPConnection:
        from http.client import HTTPConnection, HTTPSConnection

        kind = HTTPSConnection if self._secure else HTTPConnection
        return kind(self._host, self._port, timeout=self._timeout)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "neosian"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        return headers

    def _read(self, response: HTTPResponse, limit: int) -> bytes:
        from http.client import IncompleteRead

        pieces: list[bytes] = []
        length = 0
        expected = response.length
        while piece := response.read1(CHUNK):
            pieces.append(piece)
            length += len(piece)
            if length > limit:
                raise Failure("unavailable", f"the embedder at {self.name} sent more than {limit} bytes")
        if expected is not None and length < expected:
            raise IncompleteRead(b"", expected - length)
        return b"".join(pieces)

    def _judge(self, response: HTTPResponse, body: bytes) -> bytes:
        status = response.status
        if 200 <= status < 300:
            return body
        reason = f"answered {status}: {self._excerpt(body)}" if body else f"answered {status}"
        if status == 429 or status >= 500:
            raise _TryAgainError(reason, self._asked_pause(response.getheader("Retry-After")))
        if 300 <= status < 400:
            reason = f"answered {status}, a redirect, which is not followed"
        raise Failure("io_error", f"the embedder at {self.name} {reason}", status=status, committed=False)

    def _asked_pause(self, header: str | None) -> float | None:
        """Seconds from `Retry-After`, a count or a date; None for anything else."""
        if header is None:
            return None
        text = header.strip()
        if text.isascii() and text.isdigit():
            return float(text[:9])
        from email.utils import parsedate_to_datetime

        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - self._clocks.wall())
        except (ValueError, OverflowError):
            return None

    def _excerpt(self, body: bytes) -> str:
        text = body[: 16 * SHOWN].decode("utf-8", "replace")
        if self._key:
            text = text.replace(self._key, "[key]")
        return ascii(text)[1:-1][:SHOWN]


def _reason(error: OSError) -> str:
    return ascii(error.strerror or type(error).__name__)[1:-1][:SHOWN]
