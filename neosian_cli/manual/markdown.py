"""The pages of the package as blocks, and those as man(7): as much of Markdown as the pages use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from neosian_cli.manual import roff

if TYPE_CHECKING:
    from collections.abc import Iterator

_ITEM = re.compile(r"( *)([*-]|\d+\.) +(.*)")
_INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)]+)\)")


class Block(NamedTuple):
    """`kind` is heading, text, code, table, item or number; `level` a heading's depth or an item's indent.

    `lines` are the lines of code, or the cells of a table's rows (its titles first), or one line of text.
    """

    kind: str
    lines: list[str]
    level: int = 0
    info: str = ""


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page, in order."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
        elif line.startswith("```"):
            end = lines.index("```", index + 1)
            yield Block("code", lines[index + 1 : end], info=line[3:].strip())
            index = end + 1
        elif line.startswith("    "):
            end = _run(lines, index, lambda known: known.startswith("    ") or not known.strip())
            yield Block("code", [known[4:] for known in lines[index:end]])
            index = end
        elif line.startswith("#"):
            depth = len(line) - len(line.lstrip("#"))
            yield Block("heading", [line[depth:].strip()], depth)
            index += 1
        elif line.startswith("|"):
            end = _run(lines, index, lambda known: known.startswith("|"))
            yield Block("table", [row for row in lines[index:end] if not re.fullmatch(r"[|:\- ]+", row) or row == line])
            index = end
        else:
            index, block = _words(lines, index)
            yield block


def _run(lines: list[str], start: int, belongs: object) -> int:
    """Where the lines from `start` on that belong together end, blank ones at the end left out."""
    end = start
    while end < len(lines) and belongs(lines[end]):  # type: ignore[operator]
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return end


def _words(lines: list[str], start: int) -> tuple[int, Block]:
    """A paragraph or an item of a list: its first line, and those that go on with it."""
    first = _ITEM.fullmatch(lines[start])
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _ITEM.fullmatch(lines[end]):
        if lines[end].startswith(("#", "|", "```")):
            break
        end += 1
    words = " ".join(line.strip() for line in lines[start:end])
    if first is None:
        return end, Block("text", [words])
    kind = "item" if first[2] in "*-" else "number"
    return end, Block(kind, [words[len(first[2]) :].strip()], len(first[1]), first[2])


def cells(row: str) -> list[str]:
    """The cells of a table's row; a bar with a backslash before it belongs to its cell."""
    parts = re.split(r"(?<!\\)\|", row.strip()[1:-1])
    return [part.strip().replace("\\|", "|") for part in parts]


def inline(text: str) -> str:
    """Running text with its marks as fonts: what is typed and what is stressed are bold."""
    made = ""
    end = 0
    for found in _INLINE.finditer(text):
        code, strong, stressed, label, target = found.groups()
        made += _between(text[end : found.start()])
        if code is not None:
            made += roff.bold(code)
        elif label is not None:
            made += f"{inline(label)} ({roff.literal(target)})"
        else:
            made += f"\\fB{_between(strong)}\\fR" if strong else f"\\fI{_between(stressed)}\\fR"
        end = found.end()
    made += _between(text[end:])
    return f"\\&{made}" if made[:1] in (".", "'") else made


def _between(text: str) -> str:
    return roff.plain(f"x{text}x")[1:-1]


def _table(block: Block) -> list[str]:
    """A list of what stands in the first column, each with the rest of its row."""
    titles, *rows = (cells(row) for row in block.lines)
    lines: list[str] = []
    for tag, *rest in rows:
        body = []
        for name, cell in zip(titles[1:], rest, strict=True):
            if cell:
                body += [inline(f"{name}: {cell}" if len(rest) > 1 and name else cell), ".br"]
        lines += roff.tagged(inline(tag) or "\\&", body[:-1])
    return lines


def _item(block: Block) -> list[str]:
    mark = ".IP \\(bu 2" if block.kind == "item" else f".IP {block.info} 4"
    shown = [mark, inline(block.lines[0])]
    return [f".RS {block.level}", *shown, ".RE"] if block.level else shown


def man(text: str) -> list[str]:
    """A page as the body of a manual page: its title left out, what stands before the first heading DESCRIPTION."""
    lines = [roff.section("Description")]
    for block in blocks(text):
        if block.kind == "heading" and block.level > 1:
            lines.append(roff.section(block.lines[0]) if block.level == 2 else roff.subsection(block.lines[0]))
        elif block.kind == "text":
            lines += roff.paragraph(inline(block.lines[0]))
        elif block.kind == "code":
            lines += roff.example(block.lines)
        elif block.kind == "table":
            lines += _table(block)
        elif block.kind in ("item", "number"):
            lines += _item(block)
    return _tidy(lines)


def _tidy(lines: list[str]) -> list[str]:
    """No paragraph begins right below a heading, where one stands already."""
    kept: list[str] = []
    for line in lines:
        if line == ".PP" and kept and kept[-1].startswith((".SH", ".SS")):
            continue
        kept.append(line)
    return kept
