"""Rows for people: laid out by rich on a terminal, separated by tabs in a pipe.

A cell is a text, or a pair of a text and a style (see `colour`). Every cell is escaped here and stays on its line.
"""

from __future__ import annotations

from neosian_cli.render.text import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Cell = str | tuple[str, str]


def _split(cell: Cell) -> tuple[str, str]:
    text, style = (cell, "") if isinstance(cell, str) else cell
    return line(text), style


def tabbed(rows: Iterable[Sequence[Cell]]) -> str:
    """One line a row, cells separated by tabs; nothing is cut, wrapped or coloured."""
    return "".join("\t".join(_split(cell)[0] for cell in row) + "\n" for row in rows)


def laid_out(columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, width: int, coloured: bool) -> str:
    """A table of at most `width` columns of characters. A column whose title begins with `>` is set to the right."""
    import io

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in columns:
        table.add_column(
            Text(title.removeprefix(">")),
            justify="right" if title.startswith(">") else "left",
            overflow="fold",
        )
    for row in rows:
        table.add_row(*(Text(text, style=style) for text, style in map(_split, row)))
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
