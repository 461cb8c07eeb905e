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
    """Seconds of every round; `cpu` is user and system time of a child process, where there is one.

    `peak_kib` is the most memory that it held, and at least what a bare Python holds.
    """

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak_kib: int = 0


# The kernel counts what a process held before it became another program: a child of this process, which may have
# loaded anything, would be told to have held that too. So a small process starts it, and measures.
STARTER = """
import os, sys, time
report = int(sys.argv[1])
os.set_inheritable(report, False)
began = time.perf_counter()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
elapsed = time.perf_counter() - began
code = os.waitstatus_to_exitcode(status)
os.write(report, f"{code} {elapsed} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}".encode())
"""


def run_child(command: Sequence[str], environment: dict[str, str], stdout: int = subprocess.DEVNULL) -> Samples:
    """One run of a command as a whole process; a failure ends the benchmark."""
    reader, writer = os.pipe()
    try:
        starter = subprocess.Popen(
            [PYTHON, "-I", "-S", "-c", STARTER, str(writer), *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            pass_fds=[writer],
        )
        os.close(writer)
        starter.wait()
        told = os.read(reader, 4096).decode().split()
    finally:
        os.close(reader)
    if not told or told[0] != "0":
        sys.exit(f"{command} ended with {told[0] if told else 'nothing said'}")
    return Samples([float(told[1])], [float(told[2])], int(told[3]))


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
