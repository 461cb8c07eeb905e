"""The picture of the terminal in the README: real commands, run in a real terminal, drawn as an SVG.

    python scripts/picture.py            write docs/first-minute.svg anew
    python scripts/picture.py --check    exit 1 where the commands print something else than the picture shows

What differs from run to run (times, identifiers, cursors) is replaced by what has the same length and is always the
same. The picture needs nothing beside itself: no font, no style sheet, no script.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from xml.sax.saxutils import escape, unescape

TOP = Path(__file__).resolve().parent.parent
PICTURE = TOP / "docs" / "first-minute.svg"
COLUMNS = 100
COMMANDS = (
    "memory write /project/notes/decision --content 'We keep the journal.'",
    "memory replace /project/notes/decision --old keep --new 'keep and test'",
    "memory view /project/notes/decision",
    "changes read /project --from start --checkpoint job.cursor --auto-advance",
    "messages send --target /project --body 'Review the decision' --actionable",
    "messages list --target /project",
    "semantic create facts",
    "semantic upsert facts --id rotation --content 'The deploy key rotates on Mondays'",
    "semantic upsert facts --id bread --content 'The bakery opens at seven'",
    "semantic search facts 'when do credentials change?'",
    "status",
)
MODEL = ("semantic",)
"""Commands of these groups, and what `status` says of their namespaces, need the embedding model that runs offline."""

SIZE, WIDTH, HEIGHT, PAD, BAR = 14, 8.43, 20, 18, 34
GROUND, BAR_GROUND, TEXT, PROMPT, MUTED = "#0f1419", "#1b222b", "#d5dbe3", "#7fd18c", "#8b96a5"
COLOURS = {
    "31": "#f07178", "32": "#7fd18c", "33": "#e6c06c", "34": "#6cb6f5", "35": "#c792ea", "36": "#5fcfcf",
}  # fmt: skip
TITLE = "neosian: the first minute"
BUTTONS = ("#f07178", "#e6c06c", "#7fd18c")
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m")
PROGRESS = re.compile(r"\x1b\[\?25l.*?\x1b\[\?25h\r?(\x1b\[1A)?(\x1b\[2K)?", re.DOTALL)
TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?Z")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
CURSOR = re.compile(r"n1_[A-Za-z0-9_-]{60}")


def run(words: list[str], home: str, folder: str) -> str:
    """What one command sends to a terminal, its progress bars taken away."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, COLUMNS, 0, 0))
    kept = {name: os.environ[name] for name in ("PATH", "COVERAGE_PROCESS_START") if name in os.environ}
    env = {
        **kept,
        "HOME": home,
        "NEOSIAN_HOME": home,
        "LOGNAME": "me",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(TOP),
    }
    child = subprocess.Popen(
        [sys.executable, "-m", "neosian_cli", *words], stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=folder
    )
    os.close(theirs)
    sent = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        sent += piece
    os.close(ours)
    if child.wait():
        raise SystemExit(f"neosian {shlex.join(words)} ended with {child.returncode}:\n{sent.decode()}")
    text = PROGRESS.sub("", sent.decode().replace("\r\n", "\n"))
    return text if text.endswith("\n") else text + "\n"


def session(*, with_model: bool = True) -> str:
    """Prompts and answers as they come, with always the same times, identifiers and cursors."""
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, "erp")
        os.mkdir(folder)
        shown = []
        for command in COMMANDS:
            words = shlex.split(command)
            if with_model or words[0] not in MODEL:
                shown.append(f"\x1b[32m$\x1b[0m neosian {command}\n{run(words, top, folder)}")
    return settled("\n".join(shown).replace(top, "~/.neosian"))


def settled(text: str) -> str:
    """A text whose times, identifiers and cursors depend on nothing but their order."""
    times: dict[str, str] = {}
    names: dict[str, str] = {}

    def time(found: re.Match[str]) -> str:
        part = ".000000" if "." in found[0] else ""
        return times.setdefault(found[0], f"2026-01-02T09:30:{len(times) % 60:02d}{part}Z")

    def name(found: re.Match[str]) -> str:
        number = len(names) + 1
        return names.setdefault(
            found[0], f"{number * 0x9E3779B1 % 2**32:08x}-7c1d-4e0a-9f3b-{number * 0x5DEECE66D:012x}"
        )

    return CURSOR.sub("n1_" + "AbCdEfGhIjKlMnOpQrSt" * 3, UUID.sub(name, TIME.sub(time, text)))


def plain(text: str) -> str:
    return SEQUENCE.sub("", text)


def spans(line: str) -> list[tuple[int, str, set[str]]]:
    """Pieces of a line: the column where each begins, its text, and the codes that are in force."""
    found: list[tuple[int, str, set[str]]] = []
    codes: set[str] = set()
    column = 0
    for number, part in enumerate(SEQUENCE.split(line)):
        if number % 2:
            codes = set() if part in ("", "0") else codes | set(part.split(";"))
        elif part:
            found.append((column, part, codes))
            column += len(part)
    return found


def drawn_line(line: str, y: float) -> list[str]:
    drawn = []
    for column, text, codes in spans(line):
        body = text.strip(" ")
        if not body:
            continue
        x = PAD + (column + len(text) - len(text.lstrip(" "))) * WIDTH
        colour = next((COLOURS[code] for code in sorted(codes) if code in COLOURS), MUTED if "2" in codes else TEXT)
        weight = ' font-weight="bold"' if "1" in codes else ""
        length = f' textLength="{len(body) * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
        drawn.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}"{weight}{length}>{escape(body)}</text>')
    return drawn


def svg(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    width = round(COLUMNS * WIDTH + 2 * PAD)
    height = BAR + len(lines) * HEIGHT + 2 * PAD - 6
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'role="img" aria-label="The first minute of neosian in a terminal">'
        ),
        f'<rect width="{width}" height="{height}" rx="10" fill="{GROUND}"/>',
        f'<path d="M0 {BAR}V10a10 10 0 0 1 10-10H{width - 10}a10 10 0 0 1 10 10V{BAR}z" fill="{BAR_GROUND}"/>',
        *(f'<circle cx="{20 + 20 * n}" cy="{BAR / 2:g}" r="6" fill="{fill}"/>' for n, fill in enumerate(BUTTONS)),
        (
            f'<g xml:space="preserve" font-size="{SIZE}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, '
            "'DejaVu Sans Mono', monospace\">"
        ),
        f'<text x="{width / 2:g}" y="{BAR / 2 + 5:g}" fill="{MUTED}" text-anchor="middle">{TITLE}</text>',
    ]
    for number, line in enumerate(lines):
        out += drawn_line(line, BAR + PAD + number * HEIGHT + SIZE - 4)
    return "\n".join([*out, "</g>", f"<desc>{escape(plain(text))}</desc>", "</svg>", ""])


def answers(text: str) -> dict[str, str]:
    """What each command of a session without colours says; scores are left out, they are the machine's arithmetic."""
    text = re.sub(r"\b0\.\d{4}\b", "0.####", re.sub(r"[ ]+$", "", text, flags=re.MULTILINE))
    blocks = (block.partition("\n") for block in text.removeprefix("$ ").rstrip("\n").split("\n\n$ "))
    return {command: said for command, _, said in blocks}


def drift(picture: str, *, with_model: bool = True) -> list[str]:
    """The commands that now say something else than in the picture; without the model those alone that need none."""
    drawn = answers(unescape(picture.partition("<desc>")[2].partition("</desc>")[0]))
    now = answers(plain(session(with_model=with_model)))
    wanted = [command for command in drawn if with_model or command.split()[1] not in (*MODEL, "status")]
    if with_model and drawn.keys() != now.keys():
        return sorted(drawn.keys() ^ now.keys())
    return [command for command in wanted if drawn[command] != now.get(command)]


def main() -> int:
    if "--check" not in sys.argv[1:]:
        PICTURE.write_text(svg(session()))
        return 0
    changed = drift(PICTURE.read_text())
    for command in changed:
        sys.stderr.write(f"{PICTURE.name} shows something else than this prints: {command}\n")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
