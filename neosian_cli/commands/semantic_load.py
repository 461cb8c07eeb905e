"""Many records at once: how far a load is, how far it came where it ends early, and the index that it made stale."""

from __future__ import annotations

from neosian_cli.commands.semantic_access import renewed
from neosian_cli.commands.stopped import Stopped, telling
from neosian_cli.errors import Failure
from neosian_cli.model import records
from neosian_cli.render.text import count
from neosian_cli.services.instalments import Instalments
from neosian_cli.services.semantic import upsert as service

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from neosian_cli.commands.call import Call
    from neosian_cli.services.semantic.access import Access


def load(call: Call, target: Access, batch: int | None) -> dict[str, Any]:
    """What became of the records of a call, and of the index."""
    done, all_stored = Instalments(), False
    numbers: list[int] = []

    def how_far() -> Stopped:
        done.settle(call.store.commits)
        if not done.count:
            return Stopped("no record was stored", "the same command begins anew; what was embedded so far is kept")
        text = f"{count(done.count, 'record')} stored in {count(done.transactions, 'transaction')}"
        details = {"transactions": done.transactions, "stored": done.count}
        if all_stored or batch is None:
            return Stopped(f"{text}, which is all; the index was not made anew", None, details)
        return Stopped(text, f"leave out the first {count(done.count, 'record')} to go on", details)

    with telling(call, how_far):
        drafts = records.read(_lines(call.pieces("records")), service.dimensions_of(target), numbers)
        try:
            # One record is nothing to be counted, however long a model takes to be there.
            with call.output.progress("storing records", least=2) as progress:
                steps = {"advance": progress.advance, "embedded": progress.first("embedding")}
                value = service.upsert(target, drafts, batch=batch, done=done, **steps)
        except Failure as failure:
            index = failure.details.get("index")
            if isinstance(index, int) and index < len(numbers):
                failure.details["line"] = numbers[index]
            if done.count:
                failure.message += f"; {_kept(failure, done.count, numbers)}"
            raise
        all_stored = True
        return value | renewed(call, target)


def _kept(failure: Failure, stored: int, numbers: list[int]) -> str:
    """What a load that fails leaves, and where the rest of its text begins."""
    line = numbers[stored] if stored < len(numbers) else failure.details.get("line")
    place = f"line {line}" if line else f"record {stored}"
    which = " before it" if "index" in failure.details else ""
    return f"{count(stored, 'record')}{which} {'is' if stored == 1 else 'are'} stored: go on from {place}"


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest: list[bytes] = []
    for piece in pieces:
        first, *others = piece.split(b"\n")
        rest.append(first)
        for other in others:
            yield b"".join(rest) + b"\n"
            rest = [other]
    if last := b"".join(rest):
        yield last
