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

    from rich.table import Table

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


def laid_out(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    width: int,
    coloured: bool,
    below: Sequence[str] = (),
) -> str:
    """A table of at most `width` columns of characters; what does not fit is folded, and nothing is lost.

    `below` has a line for each row, or none, that is shown under it from the left edge on.
    """
    import io

    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    titles = [title.lstrip(">=") for title in columns]
    shown = [[_split(cell) for cell in row] for row in rows]
    natural = [max(cell_len(title), *(cell_len(row[at][0]) for row in shown), 0) for at, title in enumerate(titles)]
    kept = [title.startswith((">", "=")) for title in columns]
    widths = _widths(natural, kept, width - len(GAP) * (len(columns) - 1))
    tables = [_grid(columns, widths, headed=True)]
    for number, cells in enumerate(shown):
        if number and below:
            tables.append(_grid(columns, widths, headed=False))
        tables[-1].add_row(*(Text(text, style=style) for text, style in cells))
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
    for number, table in enumerate(tables):
        console.print(table)
        stream.write(line(below[number]) + "\n" if below and below[number] else "")
    return "".join(text.rstrip(" ") + "\n" for text in stream.getvalue().split("\n")[:-1])


def _grid(columns: Sequence[str], widths: Sequence[int], *, headed: bool) -> Table:
    """An empty table of columns with these widths, as `laid_out` describes them."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, len(GAP), 0, 0), show_header=headed)
    for title, size in zip(columns, widths, strict=True):
        justify: Literal["left", "right"] = "right" if title.startswith(">") else "left"
        table.add_column(Text(title.lstrip(">=")), justify=justify, overflow="fold", width=size)
    return table


def shortened(text: str, room: int) -> str:
    """The beginning of a text on one line, as it is shown: at most `room` columns, counted after what is escaped."""
    from rich.cells import cell_len, set_cell_size

    shown = line(" ".join(text.split()))
    return shown if cell_len(shown) <= room else set_cell_size(shown, room - 1).rstrip(" ") + "…"


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
