"""Removing records for good: no byte of what they said stays below the root.

Their lines become marks that hold id and version alone, so that a later record of that id goes on counting; the chain
is made anew from there. Their rows in the vector files become zeros, their embeddings leave the cache, and whatever
else is derived goes whole.
"""

from __future__ import annotations

import zlib

from neosian_cli.store import log as logs
from neosian_cli.store.lines import line_before
from neosian_cli.store.semantic import cache, entries, recordlog, rewriting
from neosian_cli.store.semantic.entries import Entry
from neosian_cli.store.semantic.recordlog import Lines, Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.disk.tree import File, Tree
    from neosian_cli.store.log import Head, Log
    from neosian_cli.store.semantic.writing import NamespaceWriter


def erase(writer: NamespaceWriter, root: str, ids: Sequence[str]) -> None:
    """Remove every version and change of these records, and commit. The writer has no other changes, and is done."""
    transaction, namespace, head = writer.transaction, writer.namespace, writer.head
    doomed, rows, texts = _doomed(writer, set(ids))
    first = logs.segment_start(min(doomed), 0)
    writer.close()

    kept = cache.Cache(root, transaction.tree, namespace.name)
    kept.forget([cache.key_of(namespace.binding, text) for text in texts])
    kept.close()
    rewriting.discard_derived(transaction, namespace.name)

    rewriting.blank_vectors(transaction, namespace, rows)
    chain, size = _before(transaction.tree, writer.log, head, first)
    start = chain or logs.genesis(head.stream)
    rewriter = rewriting.LogRewriter(transaction, writer.log, head.stream, first=first, chain=start, size=size)
    lines = recordlog.scan(transaction.tree, writer.log, head, Position(first - 1, 0, chain))
    for placed, line in recordlog.with_bytes(transaction.tree, writer.log, lines):
        if placed.sequence in doomed:
            name, version = doomed[placed.sequence]
            rewriter.add(entries.encode(Entry(placed.sequence, entries.ERASED, name, version, 0)))
        elif not line:
            rewriter.skip()
        elif placed.entry is None:
            rewriter.keep(line)
        else:
            rewriter.add(line[logs.PREFIX : -1])
    rewriter.finish(head.last_created_at)
    rewriting.store_generation(transaction, namespace)
    transaction.commit()


def _doomed(writer: NamespaceWriter, ids: set[str]) -> tuple[dict[int, tuple[str, int]], list[int], set[str]]:
    """The lines to go (by number: id and version), the vector rows, and the texts whose embeddings go."""
    run = writer.catalogue.connection.execute
    doomed: dict[int, tuple[str, int]] = {}
    rows: list[int] = []
    texts: set[str] = set()
    lines = Lines(writer.transaction.tree, writer.log, writer.head)
    try:
        for name in ids:
            last = 0
            versions = run("SELECT * FROM version WHERE id = ? ORDER BY number", (name,)).fetchall()
            for row in versions:
                doomed[row["sequence"]] = (name, row["number"])
                last = row["number"]
                rows.append(row["vector"])
                entry = lines.read(row["sequence"], row["offset"], row["size"])
                if entry is not None and entry.record is not None and entry.record.content:
                    texts.add(entry.record.content)
                for change in run("SELECT sequence FROM change WHERE version = ?", (row["sequence"],)):
                    doomed[change["sequence"]] = (name, row["number"])
            for row in run("SELECT sequence FROM unreadable WHERE id = ?", (name,)):
                doomed[row["sequence"]] = (name, last)
    finally:
        lines.close()
    return doomed, rows, texts


def _before(tree: Tree, log: Log, head: Head, first: int) -> tuple[str, int]:
    """The chain before the segment that `first` begins ("" where it is not known), and the bytes of all before it."""
    size = 0
    chain = logs.genesis(head.stream)
    for _, last, path in logs.segment_paths(log, 0, first - 1):
        chain = ""
        file = tree.open_file(path)
        if file is not None:
            with file:
                size += file.size
                if last == first - 1:
                    chain = _last_chain(file)
    return chain, size


def _last_chain(file: File) -> str:
    try:
        line = line_before(file, file.size)[1]
        return line[9:25].decode("ascii") if int(line[:8], 16) == zlib.crc32(line[9:-1]) else ""
    except ValueError:
        return ""
