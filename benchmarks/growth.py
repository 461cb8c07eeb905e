"""How costs grow with what a store holds: they should not.

Sizes stop at 10^5 events, 10^4 documents and 10^3 versions; NEOSIAN_BENCH_FULL=1 goes to 10^6, 10^5 and 10^4.
"""

from __future__ import annotations

import os
import tempfile

import measure
import samples

from neosian_cli.model import cursor
from neosian_cli.store import documents, feed, log
from neosian_cli.store.history import History

ROUNDS = 30
FULL = bool(os.environ.get("NEOSIAN_BENCH_FULL"))


def page(root: str, position: int) -> None:
    """A page of 100 events after a position, decoded cursor to last event."""
    with samples.open_store(root).reading() as tree:
        head = feed.read_head(tree, samples.SCOPE)
        if head is None:
            raise SystemExit("the sample has no feed")
        log.check_tail(tree, feed.log_of(samples.SCOPE), head)
        reader = log.Reader(tree, feed.log_of(samples.SCOPE), head)
        chain = reader.chain_at(position)
        word = cursor.Cursor(samples.SCOPE, head.stream, position, chain).encode()
        cursor.decode(word, samples.SCOPE)
        if len(reader.after(position, 100, chain)) != 100:
            raise SystemExit("the page is short")


def view(root: str, path: str) -> None:
    with samples.open_store(root).reading() as tree:
        documents.read(tree, samples.SCOPE, path)


def versions(root: str, path: str, below: int | None = None) -> None:
    """A page of 50 versions."""
    with samples.open_store(root).reading() as tree:
        history = History.open(tree, samples.SCOPE, path)
        if history is None:
            raise SystemExit("the sample has no history")
        with history:
            for _, _row in zip(range(50), history.newest_first(below), strict=False):
                pass


def by_events(folder: str) -> None:
    roots = {}
    for exponent in range(3, 7 if FULL else 6):
        roots[10**exponent] = f"{folder}/events-{exponent}"
        samples.add_events(roots[10**exponent], 10**exponent)
    found = measure.calls(
        {
            f"{name} {size}": (lambda root=root, place=place: page(root, place))
            for size, root in roots.items()
            for name, place in (("first", 0), ("middle", size // 2), ("last", size - 100))
        },
        ROUNDS,
    )
    measure.table(
        "A page of 100 events, ms",
        ("events retained", "from the floor", "from the middle", "the last"),
        [(f"{size:,}", *(_ms(found[f"{name} {size}"]) for name in ("first", "middle", "last"))) for size in roots],
    )


def by_documents(folder: str) -> None:
    roots = {}
    for exponent in range(6 if FULL else 5):
        size = 10**exponent
        roots[size] = f"{folder}/documents-{exponent}"
        samples.add_documents(roots[size], size)
    stores = {size: samples.open_store(root) for size, root in roots.items()}
    found = measure.calls(
        {
            f"{verb} {size}": call
            for size, root in roots.items()
            for verb, call in (
                ("write", lambda size=size: samples.write(stores[size], "docs/0/0", "a small body\n")),
                ("view", lambda root=root: view(root, "docs/0/0")),
                ("versions", lambda root=root: versions(root, "docs/0/0")),
            )
        },
        ROUNDS,
    )
    _table("documents", list(roots), found)


def by_versions(folder: str) -> None:
    roots = {}
    for exponent in range(5 if FULL else 4):
        size = 10**exponent
        roots[size] = f"{folder}/versions-{exponent}"
        samples.add_versions(roots[size], "notes/a", size)
    stores = {size: samples.open_store(root) for size, root in roots.items()}
    found = measure.calls(
        {
            f"{verb} {size}": call
            for size, root in roots.items()
            for verb, call in (
                ("write", lambda size=size: samples.write(stores[size], "notes/a", "a small body\n")),
                ("view", lambda root=root: view(root, "notes/a")),
                ("versions", lambda root=root, size=size: versions(root, "notes/a", size // 2 + 1)),
            )
        },
        ROUNDS,
    )
    _table("versions of one document", list(roots), found)


def _table(what: str, sizes: list[int], found: dict[str, measure.Samples]) -> None:
    measure.table(
        f"One document among many {what}, ms",
        (what, "write", "view", "versions"),
        [(f"{size:,}", *(_ms(found[f"{verb} {size}"]) for verb in ("write", "view", "versions"))) for size in sizes],
    )


def _ms(samples_of: measure.Samples) -> str:
    return measure.milliseconds(measure.median(samples_of.wall))


def main() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("NEOSIAN_BENCH_DIR")) as folder:
        by_events(folder)
        by_documents(folder)
        by_versions(folder)


if __name__ == "__main__":
    main()
