"""Unified diffs of two texts, as diff -u and git write them, a missing last newline told as they do."""

from __future__ import annotations

from neosian_cli.model.body import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONTEXT = 3
NO_NEWLINE = "\\ No newline at end of file\n"


def diff(old: str, new: str, old_label: str, new_label: str) -> str:
    """The diff with three lines of context; empty where the texts are equal."""
    if old == new:
        return ""
    before, after = lines_of(old), lines_of(new)
    head, tail = _common_ends(before, after)
    hunks = _hunks(before, after, head, tail)
    return "".join((f"--- {old_label}\n", f"+++ {new_label}\n", *hunks))


def _common_ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines both begin with, and end with, but for the context that hunks show."""
    shortest = min(len(before), len(after))
    head = 0
    while head < shortest and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shortest - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return max(0, head - CONTEXT), max(0, tail - CONTEXT)


def _hunks(before: Sequence[str], after: Sequence[str], head: int, tail: int) -> Iterator[str]:
    """Hunks of what stands between the common ends; comparing those too would only cost time."""
    from difflib import SequenceMatcher

    before_end, after_end = len(before) - tail, len(after) - tail
    matcher = SequenceMatcher(None, before[head:before_end], after[head:after_end])
    for group in matcher.get_grouped_opcodes(CONTEXT):
        (_, from_low, _, to_low, _), (_, _, from_high, _, to_high) = group[0], group[-1]
        yield f"@@ -{_range(head + from_low, head + from_high)} +{_range(head + to_low, head + to_high)} @@\n"
        for tag, low, high, new_low, new_high in group:
            if tag == "equal":
                yield from _marked(" ", before[head + low : head + high])
                continue
            yield from _marked("-", before[head + low : head + high])
            yield from _marked("+", after[head + new_low : head + new_high])


def _range(low: int, high: int) -> str:
    """Line numbers of a hunk: one line needs no length, none stands after the line before it."""
    if high - low == 1:
        return str(low + 1)
    return f"{low + 1 if high > low else low},{high - low}"


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line
        if not line.endswith("\n"):
            yield "\n" + NO_NEWLINE
