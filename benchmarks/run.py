"""Run the benchmarks, all or those that are named: `python benchmarks/run.py [whole_process commits growth …]`."""

from __future__ import annotations

import importlib
import platform
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

ALL = ("whole_process", "commits", "growth", "memory_peak", "messages", "semantic", "recall")


def main() -> None:
    print(f"{platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}")
    for name in sys.argv[1:] or ALL:
        importlib.import_module(name).main()


if __name__ == "__main__":
    main()
