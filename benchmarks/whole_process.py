"""Whole processes: what a script pays for one call, against Python's own start, in one run."""

from __future__ import annotations

import json
import os
import random
import tempfile
from pathlib import Path

import measure
import samples

ROUNDS = 25
RECORDS = 100
DIMENSIONS = 384


def add_namespace(neosian: list[str], folder: Path, environment: dict[str, str]) -> None:
    """A namespace `n` of some records with vectors, and one vector more in a file."""
    chance = random.Random(1)
    vectors = [[round(chance.uniform(-1, 1), 6) for _ in range(DIMENSIONS)] for _ in range(RECORDS + 1)]
    (folder / "query.json").write_text(json.dumps(vectors.pop()))
    lines = (json.dumps({"id": f"r{number}", "vector": vector}) for number, vector in enumerate(vectors))
    (folder / "records.jsonl").write_text("\n".join(lines))
    options = ["--provider", "fake", "--dimensions", str(DIMENSIONS), "-q"]
    measure.run_child([*neosian, "semantic", "create", "n", *options], environment)
    measure.run_child([*neosian, "semantic", "upsert", "n", "--records", str(folder / "records.jsonl")], environment)


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
        add_namespace(neosian, Path(folder), environment)
        vector = ["--vector", f"@{folder}/query.json"]
        found = measure.processes(
            {
                "python -c pass": [measure.PYTHON, "-c", "pass"],
                'python -c "import typer"': [measure.PYTHON, "-c", "import typer"],
                "neosian --version": [*neosian, "--version"],
                "neosian changes read": [*neosian, "changes", "read", "-q"],
                "neosian memory view": [*neosian, "memory", "view", "/memories/notes/1"],
                "neosian memory write": [*neosian, "memory", "write", "/memories/notes/1", "--content", "hello"],
                "neosian messages send": [*neosian, "messages", "send", "--body", "hello"],
                "neosian semantic search": [*neosian, "semantic", "search", "n", *vector],
                "neosian semantic upsert": [*neosian, "semantic", "upsert", "n", "--id", "one", *vector],
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
