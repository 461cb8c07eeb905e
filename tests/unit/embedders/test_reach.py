"""Which addresses a store's word is enough for."""

from __future__ import annotations

import pytest

from neosian_cli.embedders import reach

NEAR = [
    ("openai", None),
    ("openai", "https://api.openai.com"),
    ("openai", "https://api.openai.com/v1"),
    ("openai", "https://api.openai.com:443/v1"),
    ("ollama", "http://localhost:11434"),
    ("ollama", "http://127.0.0.1:1"),
    ("openai", "http://127.9.9.9"),
    ("openai", "http://[::1]:80/v1"),
]
FAR = [
    ("openai", "http://api.openai.com"),
    ("openai", "https://api.openai.com:8443"),
    ("openai", "https://api.openai.com.example"),
    ("openai", "https://localhost.example"),
    ("openai", "http://127.0.0.1.example"),
    ("openai", "http://2130706433"),
    ("openai", "http://0.0.0.0"),
    ("openai", "http://[bad"),
    ("openai", "http://host:port"),
    ("ollama", "https://api.openai.com"),
    ("ollama", "http://10.0.0.1"),
]


@pytest.mark.parametrize(("provider", "address"), NEAR)
def test_known(provider, address):
    assert reach.is_known(provider, address)


@pytest.mark.parametrize(("provider", "address"), FAR)
def test_unknown(provider, address):
    assert not reach.is_known(provider, address)
