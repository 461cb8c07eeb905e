"""Rows for people: laid out by rich on a terminal, separated by tabs in a pipe.

A cell is a text, or a pair of a text and a style (see `colour`). Every cell is escaped here and stays on its line.
A title says how its column is laid out: one that begins with `>` is set to the right, one that begins with `=` keeps
its cells whole. Both are folded only where folding paths and texts makes too little room.
"""

from __future__ import annotations

from neosian_cli.render.text import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    Cell = str | tuple[str, str]

GAP = "  "
LEAST = 8
"""Characters that a folded column keeps before those give way that are kept whole."""


def _split(cell: Cell) -> tuple[str, str]:
    text, style = (cell, "") if isinstance(cell, str) else cell
    return line(text), style


def tabbed(rows: Iterable[Sequence[Cell]]) -> str:
    """One line a row, cells separated by tabs; nothing is cut, wrapped or coloured."""
    return "".join("\t".join(_split(cell)[0] for cell in row) + "\n" for row in rows)


def laid_out(columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, width: int, coloured: bool) -> str:
    """A table of at most `width` columns of characters; what does not fit is folded, and nothing is lost."""
    import io

    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    titles = [title.lstrip(">=") for title in columns]
    shown = [[_split(cell) for cell in row] for row in rows]
    natural = [max(cell_len(title), *(cell_len(row[at][0]) for row in shown), 0) for at, title in enumerate(titles)]
    kept = [title.startswith((">", "=")) for title in columns]
    widths = _widths(natural, kept, width - len(GAP) * (len(columns) - 1))
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, len(GAP), 0, 0))
    for title, mark, size in zip(titles, columns, widths, strict=True):
        justify: Literal["left", "right"] = "right" if mark.startswith(">") else "left"
        table.add_column(Text(title), justify=justify, overflow="fold", width=size)
    for cells in shown:
        table.add_row(*(Text(text, style=style) for text, style in cells))
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=coloured,
        no_color=not coloured,
        color_system="standard" if coloured else None,
        legacy_windows=False,
        _environ={},
    )
    console.print(table)
    return "".join(text.rstrip(" ") + "\n" for text in stream.getvalue().split("\n")[:-1])


def _widths(natural: Sequence[int], kept: Sequence[bool], room: int) -> list[int]:
    """The widths of columns that fit into `room`: the widest gives way first, those to be kept whole last."""
    widths = [min(size, max(room, 1)) for size in natural]
    for least, giving in ((LEAST, [at for at, keeps in enumerate(kept) if not keeps]), (1, range(len(widths)))):
        while sum(widths) > room:
            at = max(giving, key=widths.__getitem__, default=None)
            if at is None or widths[at] <= least:
                break
            widths[at] -= 1
    return widths
