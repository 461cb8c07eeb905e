"""The file that hnswlib saves, looked through before hnswlib loads it: it checks nothing itself.

A checksum tells damage, not malice: a store may come from anybody. hnswlib follows the numbers of neighbours in the
file without a look at them, so one that is too large, or that leads to a node which is not on that level, would have it
read, and jump, anywhere in memory. Layout, little-endian: a header of 96 bytes; for every node 4 bytes that begin with
how many neighbours it has, their numbers, its vector and its label; then for every node the size of its upper levels
and, for each of these, 4 bytes and numbers as before.
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HEADER = struct.Struct("<6QiI3QdQ")
SIZE = struct.Struct("<I")
AT_ONCE = 1 << 16
LEVELS = 64
"""More than a graph of any size has: each level has a fraction of the nodes of the one below."""


def is_sound(data: Any, nodes: int, dimensions: int, links: int) -> bool:
    """Whether a file of so many nodes, vectors and links a node leads nowhere outside itself."""
    if len(data) < HEADER.size:
        return False
    offset, most, count, size, label, vector, top, entry, upper, lowest, asked, _, _ = HEADER.unpack_from(data)
    at = 4 + 4 * 2 * links
    shape = (offset, most, count, size, label, vector, upper, lowest, asked)
    if shape != (0, count, nodes, at + 4 * dimensions + 8, at + 4 * dimensions, at, links, 2 * links, links):
        return False
    if not (nodes > 0 and 0 <= top < LEVELS and entry < nodes and len(data) >= HEADER.size + nodes * size):
        return False
    if not _lowest_is_sound(data, nodes, size, 2 * links):
        return False
    levels = _levels(data, HEADER.size + nodes * size, nodes, 4 + 4 * links)
    return levels is not None and levels[0][entry] >= top and _upper_is_sound(data, *levels, links)


def _lowest_is_sound(data: Any, nodes: int, size: int, most: int) -> bool:
    """Whether every neighbour on the lowest level is a node."""
    import numpy as np

    node = np.dtype(
        {"names": ["held", "links"], "formats": ["<u2", ("<u4", most)], "offsets": [0, 4], "itemsize": size}
    )
    table = np.frombuffer(data, node, nodes, HEADER.size)
    for start in range(0, nodes, AT_ONCE):
        part = table[start : start + AT_ONCE]
        within = np.arange(most) < part["held"][:, None]
        if part["held"].max() > most or (within & (part["links"] >= nodes)).any():
            return False
    return True


def _levels(data: Any, place: int, nodes: int, size: int) -> tuple[Any, list[tuple[int, int]]] | None:
    """The level of every node, and where the upper ones of each that has some begin; None if the file ends amiss."""
    import numpy as np

    levels = np.zeros(nodes, "i8")
    begins = []
    end = len(data)
    for number in range(nodes):
        if place + SIZE.size > end:
            return None
        (held,) = SIZE.unpack_from(data, place)
        place += SIZE.size
        if held:
            levels[number], rest = divmod(held, size)
            if rest or place + held > end:
                return None
            begins.append((number, place))
            place += held
    return (levels, begins) if place == end else None


def _upper_is_sound(data: Any, levels: Any, begins: list[tuple[int, int]], links: int) -> bool:
    """Whether every neighbour on an upper level is a node that is on that level too."""
    import numpy as np

    words = np.frombuffer(data, "<u4", len(data) // 4)  # all that the file is made of is whole words
    numbers, places = np.array(begins, "i8").reshape(-1, 2).T
    for level in range(1, int(levels.max()) + 1):
        starts = places[levels[numbers] >= level] // 4 + (level - 1) * (1 + links)
        for start in range(0, len(starts), AT_ONCE):
            lists = words[starts[start : start + AT_ONCE, None] + np.arange(1 + links)]
            held = lists[:, 0] & 0xFFFF
            within = np.arange(links) < held[:, None]
            if held.max() > links or (within & (lists[:, 1:] >= len(levels))).any():
                return False
            reached = levels[np.where(within, lists[:, 1:], 0)]
            if (within & (reached < level)).any():
                return False
    return True
