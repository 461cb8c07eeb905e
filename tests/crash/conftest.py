from __future__ import annotations

import os
import shutil
import tempfile
from typing import TYPE_CHECKING

import pytest

from tests.crash.trial import Bench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.crash.scenarios import Scenario

MEMORY = "/dev/shm"


@pytest.fixture
def quick_place(tmp_path: Path) -> Iterator[str]:
    """A directory in memory where there is one: the models try thousands of roots."""
    if not os.access(MEMORY, os.W_OK):
        yield str(tmp_path)
        return
    place = tempfile.mkdtemp(prefix="neosian-", dir=MEMORY)
    try:
        yield place
    finally:
        shutil.rmtree(place)


@pytest.fixture
def bench_of(quick_place: str) -> Callable[[Scenario], Bench]:
    """A bench for a scenario; one a scenario and test."""
    return lambda scenario: Bench(scenario, os.path.join(quick_place, scenario.name))
