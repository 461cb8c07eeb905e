"""Semantic records as a script pays for them, against their peers, as ratios within one run.

    NEOSIAN_BENCH_PEERS=DIRECTORY [NEOSIAN_BENCH_SIZES=100000] python benchmarks/run.py semantic

1,000 and 10,000 records of 384 numbers with text and metadata, with NEOSIAN_BENCH_FULL=1 100,000 as well, or the sizes
that NEOSIAN_BENCH_SIZES names, with commas between. Figures are medians of interleaved whole processes with a warm page
cache; a multiple is one of `python -c pass` in the same run, in time of the processor (user and system).
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import vectors
from measure import PYTHON, median, milliseconds, processes, run_child, table
from peers import PEERS, interpreters

TOP = Path(__file__).resolve().parent.parent
DIMENSIONS = 384
ROUNDS = int(os.environ.get("NEOSIAN_BENCH_ROUNDS", "7"))
SIZES = [int(size) for size in os.environ.get("NEOSIAN_BENCH_SIZES", "").split(",") if size] or [
    *(1_000, 10_000),
    *((100_000,) if os.environ.get("NEOSIAN_BENCH_FULL") else ()),
]
BATCH = "10000"
INDEXED = f"""\
namespaces:
  - block: semantic
    name: n
    embedder: {{provider: fake, dimensions: {DIMENSIONS}}}
    planner: {{index_from: 1}}
"""
"""A namespace whose loads end with an index at any size."""


class Contest:
    """One size: what was loaded where, and the commands that are measured on it."""

    def __init__(self, place: Path, count: int) -> None:
        self.place = place
        self.count = count
        self.fields = vectors.write(place, vectors.clustered(count, DIMENSIONS))
        self.env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        self.env |= {"NEOSIAN_ROOT": str(place / "root"), "NEOSIAN_HOME": str(place / "home"), "PYTHONPATH": str(TOP)}
        self.command = [PYTHON, "-m", "neosian_cli", "semantic"]
        self.loads: list[tuple[object, ...]] = []

    def load(self) -> None:
        """Every contender takes in the records; the children's own figures are kept."""
        options = ["--provider", "fake", "--dimensions", str(DIMENSIONS), "-q"]
        run_child([*self.command, "create", "n", *options], self.env)
        upsert = ["upsert", "n", "--records", str(self.place / "records.jsonl"), "--batch", BATCH, "--json"]
        self._note("neosian", [*self.command, *upsert])
        (self.place / "indexed.yaml").write_text(INDEXED)
        indexed = ["--config", str(self.place / "indexed.yaml"), "--root", str(self.place / "indexed")]
        self._note("neosian, index built", [*self.command, *upsert, *indexed])
        for name, python in interpreters().items():
            self._note(name, [python, "-c", self._code(name, 0)])

    def _note(self, name: str, command: list[str]) -> None:
        sample = run_child(command, self.env)
        wall, cpu = sample.wall[0], sample.cpu[0]
        rates = (f"{self.count / wall:,.0f}", f"{self.count / cpu:,.0f}")
        self.loads.append((f"{self.count:,}", name, f"{wall:.1f}", f"{cpu:.1f}", *rates, sample.peak_kib // 1024))

    def _code(self, name: str, step: int) -> str:
        return (PEERS[name][step] or "").format(**self.fields, place=self.place / name)

    def searches(self) -> dict[str, list[str]]:
        """One-shot searches by what they ask for."""
        vector = ["--vector", f"@{self.place / 'query.json'}"]
        asked = {
            "dense, whole hits": vector,
            "dense, ids": [*vector, "--ids-only"],
            "sparse": ["w3 w500", "--mode", "sparse"],
            "hybrid": ["w3 w500", "--mode", "hybrid"],
            **{f"dense, 1 of {share}": [*vector, "--filter", f"{key}=1"] for key, share in vectors.SHARES.items()},
        }
        found = {f"neosian {what}": [*self.command, "search", "n", *words] for what, words in asked.items()}
        return found | {
            f"{name}, dense": [python, "-c", self._code(name, 1)] for name, python in interpreters().items()
        }

    def changes(self) -> dict[str, list[str]]:
        """One record more, by who takes it."""
        one = ["upsert", "n", "--id", "one", "--vector", f"@{self.place / 'query.json'}"]
        found = {"neosian": [*self.command, *one]}
        return found | {
            name: [python, "-c", self._code(name, 2)] for name, python in interpreters().items() if PEERS[name][2]
        }


def compare(contests: list[Contest], what: str, rounds: int) -> None:
    """All sizes in the same rounds, so that they can be set against each other."""
    rows = {("python -c pass", 0): [PYTHON, "-c", "pass"]}
    for contest in contests:
        rows |= {(name, contest.count): command for name, command in getattr(contest, what)().items()}
    env = contests[0].env
    commands = {key: _with_root(command, contests, key[1]) for key, command in rows.items()}
    samples = processes(commands, env, rounds)  # type: ignore[type-var]  # any key will do
    bare = median(samples["python -c pass", 0].cpu)  # type: ignore[index]
    told = []
    for (name, count), sample in samples.items():  # type: ignore[misc]
        cpu = median(sample.cpu)
        told.append((name, f"{count:,}", milliseconds(cpu), f"{cpu / bare:.1f}", milliseconds(median(sample.wall))))
    table(f"One-shot {what}", ("", "records", "CPU ms", "× bare", "clock ms"), told)


def _with_root(command: list[str], contests: list[Contest], count: int) -> list[str]:
    """The command on the root of its own size: one environment serves them all."""
    place = next((contest.place for contest in contests if contest.count == count), None)
    return [*command, "--root", str(place / "root")] if place and "neosian_cli" in command else command


def main() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("NEOSIAN_BENCH_DIR")) as directory:
        contests = []
        for count in SIZES:
            place = Path(directory) / str(count)
            place.mkdir()
            contest = Contest(place, count)
            contest.load()
            contests.append(contest)
        loads = [load for contest in contests for load in contest.loads]
        header = ("records", "", "clock s", "CPU s", "records/s", "records/CPU s", "peak MiB")
        table("Loads", header, loads)
        compare(contests, "searches", ROUNDS)
        compare(contests, "changes", ROUNDS)


if __name__ == "__main__":
    sys.path[:0] = [str(TOP)]
    main()
