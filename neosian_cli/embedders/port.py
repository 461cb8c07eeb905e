"""What an embedder is: texts in, vectors out.

A vector is its bytes: little-endian float32, `4 * dimensions` of them, finite, and of a norm above zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DEFAULT_BATCH = 64
DEFAULT_TIMEOUT = 30.0


class Embedder(Protocol):
    """One model of one provider. The same text gives the same vector, whether it is stored or searched for."""

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text, in order. Raises `unavailable` where a later try may succeed, else `io_error`."""
        ...


class Options:
    """What a namespace's configuration says of its embedder beyond provider, model and dimensions.

    `timeout` in seconds for each try; `batch_size` texts a request; `send_dimensions` None = as the model needs.
    """

    __slots__ = ("api_key_env", "base_url", "batch_size", "send_dimensions", "timeout")

    def __init__(
        self,
        *,
        api_key_env: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        base_url: str | None = None,
        batch_size: int = DEFAULT_BATCH,
        send_dimensions: bool | None = None,
    ) -> None:
        self.api_key_env = api_key_env
        self.timeout = timeout
        self.base_url = base_url
        self.batch_size = batch_size
        self.send_dimensions = send_dimensions


def read_options(given: Mapping[str, object]) -> Options:
    """Options from a configuration or from `--option K=V`, where every value is text; raises ValueError."""
    unknown = sorted(set(given) - set(Options.__slots__))
    if unknown:
        raise ValueError(f"unknown option {ascii(unknown[0])[:60]}; known are {', '.join(Options.__slots__)}")
    options = Options()
    if given.get("api_key_env") is not None:
        options.api_key_env = _variable(given["api_key_env"])
    if "timeout" in given:
        options.timeout = _duration(given["timeout"])
    if given.get("base_url") is not None:
        options.base_url = _base(given["base_url"])
    if "batch_size" in given:
        options.batch_size = _count(given["batch_size"])
    if "send_dimensions" in given:
        options.send_dimensions = _flag(given["send_dimensions"])
    return options


def _variable(value: object) -> str:
    name = str(value)
    if not name.isascii() or not name.isidentifier():
        # Not shown: someone who mistakes this option for the key itself would read it in a log.
        raise ValueError("api_key_env is not the name of an environment variable")
    return name


def _duration(value: object) -> float:
    """Seconds, as a number or as `500ms`, `30s`, `2m`."""
    text = str(value)
    for suffix, factor in (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)):
        if text.endswith(suffix):
            digits = text.removesuffix(suffix)
            if digits.isascii() and digits.replace(".", "", 1).isdigit() and 0 < float(digits) * factor <= 86_400:
                return float(digits) * factor
            break
    raise ValueError(f"timeout {ascii(text)[:60]} is not a duration such as 30s, 500ms or 2m")


def _base(value: object) -> str:
    from urllib.parse import urlsplit

    text = str(value)
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and not parts.fragment
        _ = parts.port
    except ValueError:
        good = False
    if not good or "@" in text or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("base_url is not of the form http://host:port/path (without user, query or fragment)")
    return text.rstrip("/")


def _count(value: object) -> int:
    text = str(value)
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) <= 100_000 and len(text) < 9):
        raise ValueError(f"batch_size {ascii(text)[:60]} is not a number from 1 to 100000")
    return int(text)


def _flag(value: object) -> bool:
    text = str(value).lower()
    if text not in ("true", "false"):
        raise ValueError(f"send_dimensions {ascii(text)[:60]} is neither true nor false")
    return text == "true"
