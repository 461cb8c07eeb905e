"""Real cuts: a mounted file system is cut off from its device at every step, mounted again, and recovered."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.crash import mutants, scenarios
from tests.crash.mounts import Mounted, mounted
from tests.crash.seam import Steps
from tests.crash.trial import Bench, Broken, copy_with_links, in_child

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.root


class Cut(Steps):
    """Cuts the file system off before step number `at`, and ends the process."""

    def __init__(self, at: int, disk: Mounted) -> None:
        super().__init__()
        self.at = at
        self.disk = disk

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        if len(self.trace) + 1 == self.at:
            self.disk.cut()
            os._exit(0)
        return super().step(kind, perform, *arguments)


def cut_at_every_step(bench: Bench, disk: Mounted) -> int:
    for at in range(1, len(bench.trace) + 2):
        with bench.place() as place:
            with bench.root() as prepared:
                copy_with_links(os.path.dirname(prepared), place)
            os.sync()
            root = f"{place}/root"
            if in_child(lambda: bench.scenario.run(root, Cut(at, disk))):  # noqa: B023
                raise Broken(f"{bench.scenario} fails before step {at}")
            if at > len(bench.trace):
                disk.cut()
            disk.unmount()
            disk.mount()
            bench.judge(root, f"cut before step {at}", only=bench.after if at > len(bench.trace) else None)
    return len(bench.trace) + 1


LATER = [pytest.param(name, marks=pytest.mark.long) for name in ("first-write", "rename", "every-step", "staged")]


@pytest.mark.parametrize("kind", ["ext4", "xfs"])
@pytest.mark.parametrize("name", ["overwrite", *LATER])
def test_a_real_cut_at_every_step(name: str, kind: str, tmp_path: Path) -> None:
    with mounted(str(tmp_path), kind) as disk:
        bench = Bench(scenarios.named(name), f"{disk.point}/bench")
        assert cut_at_every_step(bench, disk) > 20


@pytest.mark.parametrize("kind", ["ext4", "xfs"])
@pytest.mark.parametrize(
    "mutant",
    [
        mutants.plan_not_synced,
        pytest.param(mutants.put_not_synced, marks=pytest.mark.long),
        pytest.param(mutants.append_not_synced, marks=pytest.mark.long),
    ],
)
def test_real_cuts_find_what_is_not_synced(
    mutant: Callable[[pytest.MonkeyPatch], None], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mounted(str(tmp_path), kind) as disk:
        # A new name: where one is replaced, ext4 writes the data before the rename by itself.
        bench = Bench(scenarios.named("create"), f"{disk.point}/bench")
        mutant(monkeypatch)
        with pytest.raises(Broken):
            cut_at_every_step(bench, disk)
