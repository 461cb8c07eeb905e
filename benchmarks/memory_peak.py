"""Peak memory of reading a whole feed as JSON lines: it should not follow the feed's length."""

from __future__ import annotations

import os
import tempfile

import measure
import samples

SIZES = (1000, 100_000, 1_000_000)


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            root = f"{folder}/{size}"
            samples.add_events(root, size)
            environment = {**os.environ, "NEOSIAN_HOME": folder, "NEOSIAN_ROOT": root, "NEOSIAN_SCOPE": samples.SCOPE}
            command = [measure.PYTHON, "-m", "neosian_cli", "changes", "read", "--all", "--jsonl"]
            sample = measure.run_child(command, environment)
            rows.append(
                (f"{size:,}", sample.peak_kib // 1024, f"{sample.wall[0]:.2f}", f"{size / sample.wall[0]:,.0f}")
            )
    measure.table("changes read --all --jsonl", ("events", "peak MiB", "seconds", "events a second"), rows)


if __name__ == "__main__":
    main()
