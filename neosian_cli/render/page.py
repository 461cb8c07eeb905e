"""A page of the manual on a terminal: prose and tables as wide as it is, code as it stands."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.render.output import Output

FENCE = "```"
INDENT = "    "


def show(out: Output, text: str) -> None:
    """Markdown of ours, laid out on a terminal; byte for byte elsewhere."""
    if not out.out.terminal:
        out.raw(text.encode())
        return
    import io

    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=out.out.width,
        force_terminal=out.coloured,
        no_color=not out.coloured,
        color_system="standard" if out.coloured else None,
        legacy_windows=False,
        theme=Theme({"markdown.code": "cyan"}),
        _environ={},
    )
    for piece, is_code in _pieces(text):
        if is_code:
            code = "\n".join(piece).rstrip("\n").split("\n")
            stream.write("\n" + "".join(f"{INDENT}{line}\n" if line else "\n" for line in code) + "\n")
        else:
            console.print(Markdown("\n".join(piece), hyperlinks=False))
    lines = [line.rstrip(" ") for line in stream.getvalue().split("\n")]
    out.raw("\n".join(lines).encode())


def _pieces(text: str) -> Iterator[tuple[list[str], bool]]:
    """The lines of each stretch of prose and of each block of code, which is not to be broken."""
    lines: list[str] = []
    in_code = fenced = False
    blank = True
    for line in text.splitlines():
        fence = line.startswith(FENCE)
        fenced ^= fence
        code = fenced or (line.startswith(INDENT) and (blank or in_code)) or (in_code and not line and not fence)
        if code != in_code and lines:
            yield lines, in_code
            lines = []
        if not fence:
            lines.append(line if fenced else line.removeprefix(INDENT) if code else line)
        in_code, blank = code, not line
    if lines:
        yield lines, in_code
