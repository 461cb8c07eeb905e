"""How far an embedder's address reaches.

A store names the address that its namespace was created with, and the variable that holds the key; but a store may come
from somebody else. Texts and keys therefore go to an address that only the store names where it is this machine's own
or the provider's usual one; any other has to be in the operator's configuration.
"""

from __future__ import annotations

from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.embedders.port import Options

USUAL = {"openai": ("https", "api.openai.com")}
"""Scheme and host that a provider has when nothing is said."""


def is_known(provider: str, base_url: str | None) -> bool:
    """Whether a store's word is enough to send texts and a key to that address."""
    if base_url is None:
        return True
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    usual = (parts.scheme, host) == USUAL.get(provider) and port in (None, 443)
    return usual or _is_loopback(host)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_unknown(name: str, provider: str, options: Options) -> None:
    """Raise `permission_denied` for an address that the operator has not named; `options` are the store's."""
    if not is_known(provider, options.base_url):
        raise Failure(
            "permission_denied",
            f"only the store says that {name} sends its texts to {options.base_url}",
            hint=advice(name, options.base_url),
            namespace=name,
        )


def advice(name: str, base_url: str | None) -> str:
    """How an operator allows an address."""
    return f"name it under `namespaces` in config.yaml: name: {name}, embedder.options.base_url: {base_url}"
