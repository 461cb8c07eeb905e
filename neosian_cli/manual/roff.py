"""Text for man(7): escapes, and the few macros that the pages are made of.

Only macros that both groff and mandoc know are used, and no line begins with a dot by chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DATED = "2026-11-30"
"""Of the pages; moved on with the version, so that the same source makes the same bytes."""

_MARKS = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}
_QUOTES = "'\""
"""Left to the formatter in running text."""


def plain(text: str) -> str:
    """`text` as running text, on one line."""
    return _guarded("".join(letter if letter in _QUOTES else _MARKS.get(letter, letter) for letter in _one_line(text)))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def literal(text: str) -> str:
    """`text` as it is typed: every character by itself."""
    return "".join(_MARKS.get(letter, letter) for letter in text)


def _guarded(line: str) -> str:
    return f"\\&{line}" if line[:1] in (".", "'") else line


def bold(text: str) -> str:
    return f"\\fB{literal(text)}\\fR"


def italic(text: str) -> str:
    return f"\\fI{literal(text)}\\fR"


def unbroken(text: str) -> str:
    """`text` that a line must not be broken in."""
    return text.replace(" ", "\\ ")


def title(name: str, section: int, about: str) -> list[str]:
    """The head of a page, with its NAME."""
    shown = literal(name)
    return [
        '.\\" Made by "python -m neosian_cli.manual": change what it is made from, not this file.',
        f'.TH {literal(name.upper())} {section} {DATED} "neosian {__version__}" "neosian manual"',
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{shown} \\- {plain(about)}",
    ]


def section(name: str) -> str:
    return f".SH {plain(name.upper())}"


def subsection(name: str) -> str:
    return f".SS {plain(name)}"


def paragraph(text: str) -> list[str]:
    """Running text, its inline marks already made."""
    return [".PP", text]


def tagged(tag: str, body: Sequence[str]) -> list[str]:
    """A tag and what it means."""
    return [".TP", tag, *(body or ["\\&"])]


def example(lines: Iterable[str]) -> list[str]:
    """Lines as they are typed or printed."""
    shown = [_guarded(literal(line)) for line in lines]
    return [".PP", ".RS 4", ".EX", *shown, ".EE", ".RE"]


def see_also(pages: Iterable[tuple[str, int]]) -> list[str]:
    """References to other pages, in the order of sections and names."""
    ordered = sorted(set(pages), key=lambda page: (page[1], page[0]))
    lines = [f".BR {literal(name)} ({number})," for name, number in ordered]
    return [section("See also"), *lines[:-1], lines[-1].rstrip(",")] if lines else []


def page(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
