"""Timing that can be compared: every contender in turn, round after round, as the machine drifts."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PYTHON = sys.executable


@dataclass
class Samples:
    """Seconds of every round; `cpu` is user and system time of a child process, where there is one."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak_kib: int = 0


def run_child(command: Sequence[str], environment: dict[str, str], stdout: int = subprocess.DEVNULL) -> Samples:
    """One run of a command as a whole process; a failure ends the benchmark."""
    began = time.perf_counter()
    child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=stdout)
    _, status, usage = os.wait4(child.pid, 0)
    elapsed = time.perf_counter() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command} ended with {child.returncode}")
    return Samples([elapsed], [usage.ru_utime + usage.ru_stime], usage.ru_maxrss)


def processes(contenders: dict[str, Sequence[str]], environment: dict[str, str], rounds: int) -> dict[str, Samples]:
    """Every command once a round, after one round that is not counted."""
    found = {name: Samples() for name in contenders}
    for number in range(rounds + 1):
        for name, command in contenders.items():
            sample = run_child(command, environment)
            if number:
                found[name].wall += sample.wall
                found[name].cpu += sample.cpu
                found[name].peak_kib = max(found[name].peak_kib, sample.peak_kib)
    return found


def calls(contenders: dict[str, Callable[[], object]], rounds: int, warm_up: int = 3) -> dict[str, Samples]:
    """Every call once a round, in this process, after some rounds that are not counted."""
    found = {name: Samples() for name in contenders}
    for number in range(rounds + warm_up):
        for name, call in contenders.items():
            began = time.perf_counter()
            call()
            elapsed = time.perf_counter() - began
            if number >= warm_up:
                found[name].wall.append(elapsed)
    return found


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table on stdout."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    sys.stdout.flush()


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f}"
