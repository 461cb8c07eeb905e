"""Real shells that are asked to complete lines, each in one process for all lines, without a terminal in front.

Every answer is the list of whole words that would stand at the cursor, in the order that the shell has them. A file or
a directory stands there as the shell spells it, with or without a slash at its end.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.cli.process import TOP, environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SCRIPTS = TOP / "completions"


class Desk:
    """A home, a folder to work in and the program on the PATH; what is asked of the program is written down."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.work = folder / "erp"
        self.bin = folder / "bin"
        self.calls = folder / "calls"
        for path in (self.home, self.work, self.bin):
            path.mkdir()
        self.program(f'exec "{sys.executable}" -m neosian_cli "$@"')

    def program(self, body: str) -> None:
        """What `neosian` does from here on, as a line of sh."""
        path = self.bin / "neosian"
        path.write_text(f'#!/bin/sh\necho "$@" >> "{self.calls}"\n{body}\n')
        path.chmod(0o700)

    @property
    def asked(self) -> list[str]:
        """The calls of the program since the last time."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return lines

    def environment(self, **more: str) -> dict[str, str]:
        mine = {"NEOSIAN_HOME": str(self.home), "HOME": str(self.home), "LOGNAME": "ann"}
        return environment(**{**mine, "PATH": f"{self.bin}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", **more})

    def run(self, *words: str) -> str:
        ended = subprocess.run(
            ["neosian", *words], cwd=self.work, env=self.environment(), capture_output=True, text=True, timeout=60
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def script(self, program: Sequence[str], text: str, **more: str) -> str:
        """The output of a shell that runs `text`; it must end well and say nothing beside."""
        ended = subprocess.run(
            [*program, text], cwd=self.work, env=self.environment(**more), capture_output=True, text=True, timeout=120,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout


def _cut(line: str) -> tuple[list[str], str]:
    """The words of a line as readline cuts them, and what it leaves alone of the last one."""
    words: list[str] = []
    kept = ""
    for word in line.split(" "):
        pieces = [piece for piece in re.split(r"([=:]+)", word) if piece] or [""]
        words += pieces
        kept = word if set(pieces[-1]) <= set("=:") else word[: len(word) - len(pieces[-1])]
    return words, kept


def bash(desk: Desk, lines: Sequence[str], before: str | None = None) -> list[list[str]]:
    """`before` loads the script; it is sourced without it."""
    text = (before or f"source {SCRIPTS}/neosian.bash") + "\n"
    kept = []
    for line in lines:
        words, left = _cut(line)
        kept.append(left)
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        text += f"COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1} COMPREPLY=()\n"
        text += "_neosian neosian\nprintf '%s\\n' \"${COMPREPLY[@]}\"; echo =\n"
    answers = desk.script(["bash", "--norc", "--noprofile", "-c"], text).split("=\n")[:-1]
    return [[left + word for word in answer.splitlines() if word] for left, answer in zip(kept, answers, strict=True)]


def fish(desk: Desk, lines: Sequence[str]) -> list[list[str]]:
    text = f"source {SCRIPTS}/neosian.fish\n"
    for line in lines:
        quoted = "'" + line.replace("\\", "\\\\").replace("'", "\\'") + "'"
        text += f"complete -C {quoted}\necho =\n"
    answers = desk.script(["fish", "--no-config", "-c"], text).split("=\n")[:-1]
    assert len(answers) == len(lines)
    return [[word.partition("\t")[0] for word in answer.splitlines()] for answer in answers]


ZSHRC = r"""
fpath=("$SCRIPTS" $fpath)
autoload -Uz compinit
compinit -u -D
# Every match that is added is written down, with what stands before it.
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    local -a matches
    builtin compadd -O matches "$@"
    (( $#matches )) && print -rl -- "$IPREFIX"${^matches} >> "$ANSWERS"
    builtin compadd "$@"
}
zle -C one complete-word _main_complete
zle-line-init() {
    local line
    while IFS= read -r line; do
        BUFFER=$line CURSOR=$#line
        zle one
        print -r -- = >> "$ANSWERS"
    done < "$QUESTIONS"
    BUFFER=exit
    zle accept-line
}
zle -N zle-line-init
PS1=
"""


def zsh(desk: Desk, lines: Sequence[str]) -> list[list[str]]:
    folder = desk.folder / "zsh"
    folder.mkdir(exist_ok=True)
    (folder / ".zshrc").write_text(ZSHRC)
    (folder / "questions").write_text("".join(f"{line}\n" for line in lines))
    answers = folder / "answers"
    answers.unlink(missing_ok=True)
    names = {"ZDOTDIR": str(folder), "SCRIPTS": str(SCRIPTS), "ANSWERS": str(answers)}
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["zsh", "-d", "-i"], cwd=desk.work, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        env=desk.environment(QUESTIONS=str(folder / "questions"), **names),
    ):  # fmt: skip
        os.close(theirs)
        try:
            while os.read(ours, 65_536):
                pass
        except OSError:  # the other end is closed
            pass
        os.close(ours)
    told = answers.read_text().split("=\n")[:-1]
    assert len(told) == len(lines)
    return [answer.splitlines() for answer in told]
