"""The look through a graph's file: what hnswlib saves is sound, and nothing that leads out of it is."""

from __future__ import annotations

import struct

import hnswlib
import numpy as np
import pytest

from neosian_cli.store.semantic import graphfile

DIMENSIONS, LINKS = 4, 16
NODE = 4 + 4 * 2 * LINKS + 4 * DIMENSIONS + 8
UPPER = 4 + 4 * LINKS


def saved(path, nodes):
    graph = hnswlib.Index("cosine", DIMENSIONS)
    graph.init_index(nodes, M=LINKS, ef_construction=50, random_seed=7)
    graph.add_items(np.random.default_rng(1).normal(size=(nodes, DIMENSIONS)), np.arange(nodes), num_threads=1)
    graph.save_index(str(path))
    return path.read_bytes()


def is_sound(data, nodes=400):
    return graphfile.is_sound(data, nodes, DIMENSIONS, LINKS)


@pytest.mark.parametrize("nodes", [1, 2, 17, 3000])
def test_what_hnswlib_saves_is_sound(tmp_path, nodes):
    assert is_sound(saved(tmp_path / "graph", nodes), nodes)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return saved(tmp_path_factory.mktemp("graph") / "graph", 400)


def with_number(data, place, form, number):
    changed = bytearray(data)
    struct.pack_into(form, changed, place, number)
    return bytes(changed)


def upper(data):
    """The number of each node with upper levels, where these begin, and how many there are."""
    place = 96 + 400 * NODE
    for number in range(400):
        (size,) = struct.unpack_from("<I", data, place)
        place += 4
        if size:
            yield number, place, size // UPPER
        place += size


@pytest.mark.parametrize("given", [{"nodes": 399}, {"nodes": 401}, {"nodes": 0}, {"dimensions": 5}, {"links": 24}])
def test_another_shape_than_the_manifest_says(data, given):
    assert not graphfile.is_sound(data, **{"nodes": 400, "dimensions": DIMENSIONS, "links": LINKS, **given})


@pytest.mark.parametrize("place", [*range(0, 48, 8), 48, 52, *range(56, 80, 8)])
def test_a_header_that_says_otherwise(data, place):
    assert not is_sound(with_number(data, place, "<I", 0x7FFFFFFF))


def test_more_or_less_than_a_whole_file(data):
    assert not is_sound(b"")
    for length in (50, 96, 96 + 7 * NODE, 96 + 400 * NODE, len(data) - 4, len(data) - 1):
        assert not is_sound(data[:length])
    assert not is_sound(data + bytes(4))


@pytest.mark.parametrize("node", [0, 199, 399])
def test_the_lowest_level(data, node):
    place = 96 + node * NODE
    assert not is_sound(with_number(data, place, "<H", 2 * LINKS + 1))
    assert not is_sound(with_number(data, place + 4, "<I", 400))
    # What stands behind the neighbours that a node has is not followed.
    (held,) = struct.unpack_from("<H", data, place)
    if held < 2 * LINKS:
        assert is_sound(with_number(data, place + 4 + 4 * held, "<I", 400))


def test_the_upper_levels(data):
    tall = list(upper(data))
    assert len(tall) > 3
    low = next(number for number in range(400) if number not in {node for node, _, _ in tall})
    for _, place, _ in tall:
        assert not is_sound(with_number(data, place, "<H", LINKS + 1))
        assert not is_sound(with_number(data, place - 4, "<I", UPPER - 4))
        if struct.unpack_from("<H", data, place)[0]:
            assert not is_sound(with_number(data, place + 4, "<I", 400))
            assert not is_sound(with_number(data, place + 4, "<I", low))


def test_the_entry(data):
    low = next(number for number in range(400) if number not in {node for node, _, _ in upper(data)})
    assert not is_sound(with_number(data, 52, "<I", low))
    assert not is_sound(with_number(data, 52, "<I", 400))
    (top,) = struct.unpack_from("<i", data, 48)
    assert top > 0
    assert not is_sound(with_number(data, 48, "<i", top + 1))
    assert not is_sound(with_number(data, 48, "<i", -1))
