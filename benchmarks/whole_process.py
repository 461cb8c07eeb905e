"""Whole processes: what a script pays for one call, against Python's own start, in one run."""

from __future__ import annotations

import os
import tempfile

import measure
import samples

ROUNDS = 25


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = f"{folder}/store"
        store = samples.open_store(root)
        for number in range(20):
            samples.write(store, f"notes/{number}")
        environment = {
            "PATH": os.environ["PATH"],
            "NEOSIAN_HOME": folder,
            "NEOSIAN_ROOT": root,
            "NEOSIAN_SCOPE": samples.SCOPE,
        }
        if "PYTHONPATH" in os.environ:
            environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
        neosian = [measure.PYTHON, "-m", "neosian_cli"]
        found = measure.processes(
            {
                "python -c pass": [measure.PYTHON, "-c", "pass"],
                'python -c "import typer"': [measure.PYTHON, "-c", "import typer"],
                "neosian --version": [*neosian, "--version"],
                "neosian changes read": [*neosian, "changes", "read", "-q"],
                "neosian memory view": [*neosian, "memory", "view", "/memories/notes/1"],
                "neosian memory write": [*neosian, "memory", "write", "/memories/notes/1", "--content", "hello"],
            },
            environment,
            ROUNDS,
        )
    bare = measure.median(found["python -c pass"].cpu)
    measure.table(
        f"Whole processes, median of {ROUNDS} interleaved rounds",
        ("command", "CPU ms", "× bare Python", "wall ms", "peak MiB"),
        [
            (
                name,
                measure.milliseconds(measure.median(sample.cpu)),
                f"{measure.median(sample.cpu) / bare:.2f}",
                measure.milliseconds(measure.median(sample.wall)),
                sample.peak_kib // 1024,
            )
            for name, sample in found.items()
        ],
    )


if __name__ == "__main__":
    main()
