from hypothesis import given
from hypothesis import strategies as st

from neosian_cli.render.text import encodable, escape, line, whole


def test_controls_become_visible():
    assert escape("a\x1b[31mb\x07\x7f\x9b") == "a\\x1b[31mb\\x07\\x7f\\x9b"
    assert escape("x\u202ey\u2066z\u200f\u061c") == "x\\u202ey\\u2066z\\u200f\\u061c"
    assert escape("a\r\nb\tc") == "a\\r\nb\tc"
    assert line("a\r\nb\tc") == "a\\r\\nb\\tc"
    assert line("one\u2028two") == "one\\u2028two"


def test_other_text_is_left_alone():
    for text in ("", "plain", "Größe 日本語 🙂", "a\u0301", "back\\slash", "zero\u200bwidth"):
        assert escape(text) == text


def test_bytes_that_were_not_utf8_are_shown():
    assert escape("a\udcffb") == "a\\udcffb"
    assert whole("a\ud800") == "a\\ud800"
    assert whole("é") == "é"


@given(st.text(alphabet=st.characters(exclude_categories=())), st.sampled_from(["", "\n", "\n\t"]))
def test_nothing_that_controls_a_terminal_is_left(text, keep):
    shown = escape(text, keep)
    shown.encode()
    for character in shown:
        code = ord(character)
        assert character in keep or (code >= 0x20 and not 0x7F <= code <= 0x9F)
        assert code not in range(0x202A, 0x202F)
        assert code not in range(0x2066, 0x206A)


def test_encodable_reaches_every_text():
    value = {"a\udcff": ["\udcff", ("x", 1, None, True, 2.5)]}
    assert encodable(value) == {"a\\udcff": ["\\udcff", ["x", 1, None, True, 2.5]]}
