"""SHA-256 with and without OpenSSL."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from neosian_cli.model import armour, digest
from tests.cli.process import environment

VECTORS = {
    b"": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    b"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
}
"""FIPS 180-4."""


@pytest.mark.parametrize("data", VECTORS, ids=repr)
@pytest.mark.parametrize("left", [0, digest.LITTLE])
def test_the_published_examples(data, left, monkeypatch):
    monkeypatch.setattr(digest, "_left", left)
    assert digest.sha256(data).hexdigest() == VECTORS[data]
    assert digest.sha256_of([data[:1], data[1:]]) == VECTORS[data]


def test_little_and_much_are_the_same_function(monkeypatch):
    monkeypatch.setattr(digest, "_left", 1000)
    for size in (0, 1, 63, 64, 900, 35, 1, 5000, 0, 7):
        data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
        made = digest.sha256(data)
        made.update(b"more")
        assert made.digest() == hashlib.sha256(data + b"more").digest()


def test_little_is_done_without_the_library():
    code = (
        "import sys; from neosian_cli.model import digest\n"
        "digest.sha256(bytes(digest.LITTLE)); assert '_hashlib' not in sys.modules\n"
        "digest.sha256(b'1'); assert 'hashlib' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], env=environment(), check=False).returncode == 0


def test_bytes_as_text():
    data = bytes(range(251, 256)) + b"\x00"
    assert armour.encode(data) == "+/z9/v8A"
    assert armour.decode("+/z9/v8A") == data
    assert armour.encode_word(data[:5]) == "-_z9_v8"
    assert armour.decode_word("-_z9_v8") == data[:5]
    assert (armour.encode(b""), armour.decode(""), armour.decode_word("")) == ("", b"", b"")


@pytest.mark.parametrize("text", ["a", "ab", "ab=", "ab==c", "a b=", "ab==\n", "é===", "-_8="])
def test_what_is_no_base64(text):
    with pytest.raises(ValueError):  # noqa: PT011  # the words are the parser's
        armour.decode(text)


@pytest.mark.parametrize("text", ["a", "+/8", "a b", "é"])
def test_what_is_no_word(text):
    with pytest.raises(ValueError):  # noqa: PT011
        armour.decode_word(text)
