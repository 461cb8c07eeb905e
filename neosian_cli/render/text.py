r"""Text that came from outside, made safe to show.

A terminal obeys control characters, so every text that a store, a file or an argument brought in passes `escape`
before it is shown to a person. What is shown for a character is what Python would write for it: `\x1b`, `\u202e`.
"""

from __future__ import annotations

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Marks that reorder what stands around them, and the two separators that some terminals break lines at.
_BIDI = (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_JSON = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), *_BIDI)}
_tables: dict[str, dict[int, str]] = {}


def _table(keep: str) -> dict[int, str]:
    """What each control character is replaced by; made once for each set of kept characters."""
    table = _tables.get(keep)
    if table is None:
        controls = (*range(0x20), *range(0x7F, 0xA0))
        table = {code: _SHORT.get(chr(code), f"\\x{code:02x}") for code in controls}
        table.update({code: f"\\u{code:04x}" for code in _BIDI})
        for kept in keep:
            table.pop(ord(kept), None)
        _tables[keep] = table
    return table


def whole(text: str) -> str:
    """`text` with its lone surrogates (bytes that were not UTF-8) written out, so that it can be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def escape(text: str, keep: str = "\n\t") -> str:
    """`text` with control characters, marks that reorder text and lone surrogates shown as escapes, but for `keep`."""
    if text.isprintable():
        return text
    return whole(text).translate(_table(keep))


def line(text: str) -> str:
    """`text` on one line: newlines and tabs are shown as escapes too."""
    return escape(text, "")


def encodable(value: object) -> object:
    """A JSON value whose every text can be written as UTF-8."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(item) for item in value]
    return value


def inert(data: bytes) -> bytes:
    """JSON whose strings hold no character that a terminal obeys: those that JSON lets stand are escaped too."""
    text = data.decode()
    if text.removesuffix("\n").isprintable():
        return data
    return text.translate(_JSON).encode()


def count(number: int, what: str) -> str:
    """A number with what it counts, in the plural where it is not one: `1 event`, `4,096 events`."""
    return f"{number:,} {what if number == 1 else what + 's'}"
