"""`python -m neosian_cli.manual [--check]`: write man pages, completions and `docs/cli.md` anew, or compare them.

For those who work on the program: it writes into the repository that it is run from, never into a store.
"""

from __future__ import annotations

import sys
from pathlib import Path

from neosian_cli.manual import made

TOP = Path(made.__file__).resolve().parents[2]
AGAIN = "run python -m neosian_cli.manual"


def stale(top: Path = TOP) -> list[str]:
    """What is missing, different or left over, in order."""
    expected = made.files()
    there = {
        str(path.relative_to(top)) for folder in made.FOLDERS for path in (top / folder).glob("*") if path.is_file()
    }
    left = {name for name in there - set(expected) if not name.endswith("/__init__.py")}
    differing = {
        name
        for name, text in expected.items()
        if not (top / name).is_file() or (top / name).read_text(encoding="utf-8") != text
    }
    return sorted(left | differing)


def write(top: Path = TOP) -> list[str]:
    """Make all files good; the names of those that were not."""
    names = stale(top)
    expected = made.files()
    for name in names:
        path = top / name
        if name in expected:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(expected[name], encoding="utf-8")
        else:
            path.unlink()
    return names


def main(words: list[str]) -> int:
    if words not in ([], ["--check"]):
        sys.stderr.write("usage: python -m neosian_cli.manual [--check]\n")
        return 2
    names = stale() if words else write()
    sys.stdout.write("".join(f"{name}\n" for name in names))
    if words and names:
        sys.stderr.write(f"the manual is not what it is made from: {AGAIN}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
