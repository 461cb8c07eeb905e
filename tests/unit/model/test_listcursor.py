from __future__ import annotations

import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neosian_cli.errors import Failure
from neosian_cli.model import listcursor
from neosian_cli.model.cursor import Cursor

GOOD = listcursor.encode("documents", "user:me", "notes/a")


def reason(text, kind="documents", of="user:me"):
    with pytest.raises(Failure) as caught:
        listcursor.decode(text, kind, of)
    assert caught.value.code == "invalid_cursor"
    return caught.value.details["reason"]


@given(st.text(max_size=600))
def test_a_key_comes_back(key):
    word = listcursor.encode("documents", "user:me", key)
    assert listcursor.decode(word, "documents", "user:me") == key
    assert set(word) <= set(string.ascii_letters + string.digits + "._-")
    assert word[0].isalpha()


def test_a_name_that_is_no_text_comes_back():
    word = listcursor.encode("documents", "user:me", "bad-\udcff/")
    assert listcursor.decode(word, "documents", "user:me") == "bad-\udcff/"


def test_the_longest_path_fits():
    assert len(listcursor.encode("documents", "user:me", "a" * 512)) < 2048


@pytest.mark.parametrize(
    "text",
    ["", "l1_", "l1_A", "l1_====", "x" + GOOD, GOOD + "A", GOOD + "=", GOOD[:-1], GOOD.upper(), GOOD + "\n", "l1_é"],
)  # fmt: skip
def test_a_damaged_word_is_malformed(text):
    assert reason(text) == "malformed"


def test_every_changed_character_is_found():
    for index in range(len(GOOD)):
        other = "A" if GOOD[index] != "A" else "B"
        assert reason(GOOD[:index] + other + GOOD[index + 1 :]) == "malformed"


def test_bits_behind_the_last_byte_are_found():
    """Base64 leaves bits unused; the same position must be one word."""
    for key in ("a", "ab", "abc"):
        word = listcursor.encode("documents", "user:me", key)
        last = listcursor.encode("documents", "user:me", key)[-1]
        alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
        for other in set(alphabet) - {last}:
            with pytest.raises(Failure):
                listcursor.decode(word[:-1] + other, "documents", "user:me")


def test_another_list_is_told():
    assert reason(GOOD, of="user:other") == "scope"
    assert reason(GOOD, kind="versions") == "scope"


def test_a_feed_cursor_is_none():
    assert reason(Cursor("user:me", "0" * 32, 1, "0" * 16).encode()) == "malformed"


def test_a_newer_version_is_refused():
    import base64

    data = b"\x02" + base64.b64decode(GOOD[3:] + "=" * (-len(GOOD[3:]) % 4), altchars=b"-_")[1:-4]
    word = base64.urlsafe_b64encode(data + zlib.crc32(data).to_bytes(4, "big")).decode().rstrip("=")
    assert reason("l1_" + word) == "malformed"


def test_an_endless_word_is_malformed():
    assert reason("l1_" + "A" * 9000) == "malformed"
