"""One interrupted mutation, its recovery, and the judgement: the state before or the state after, nothing else."""

from __future__ import annotations

import os
import shutil
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from neosian_cli.disk.calls import REAL
from neosian_cli.errors import Failure
from tests.crash.scenarios import open_store
from tests.crash.seam import Steps, Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neosian_cli.disk.calls import Calls
    from tests.crash.scenarios import Scenario

Files = dict[str, bytes]


class Broken(AssertionError):
    """The protocol did not keep its promise."""


def snapshot(root: str, *, everything: bool = False) -> Files:
    """The bytes of every file of a root but the lock and those of the transaction directory."""
    found: Files = {}
    for directory, below, names in os.walk(root):
        relative = os.path.relpath(directory, root)
        if relative == "." and not everything:
            below[:] = [name for name in below if name != ".transactions"]
            names = [name for name in names if name != ".lock"]  # noqa: PLW2901  # the walk goes on with its own
        for name in names:
            with open(os.path.join(directory, name), "rb") as file:
                found[os.path.normpath(os.path.join(relative, name))] = file.read()
    return found


def leftovers(root: str) -> list[str]:
    try:
        return sorted(os.listdir(f"{root}/.transactions"))
    except FileNotFoundError:
        return []


class Bench:
    """A scenario with its two right outcomes, and roots in the state before to try it on."""

    def __init__(self, scenario: Scenario, directory: str) -> None:
        self.scenario = scenario
        self.directory = directory
        self._count = 0
        self._template = f"{directory}/template"
        os.makedirs(self._template)
        scenario.prepare(f"{self._template}/root")
        self.before = snapshot(f"{self._template}/root")
        with self.root() as root:
            counted = Steps()
            scenario.run(root, counted)
            self.trace = counted.trace
            self.after = snapshot(root)
            if leftovers(root):
                raise Broken(f"a good run leaves {leftovers(root)}")

    @contextmanager
    def place(self) -> Iterator[str]:
        """An empty directory of its own, removed afterwards."""
        self._count += 1
        place = f"{self.directory}/{self._count}"
        os.mkdir(place, 0o700)
        try:
            yield place
        finally:
            shutil.rmtree(place)

    @contextmanager
    def root(self) -> Iterator[str]:
        """A root in the state before, in a place of its own; second names outside it are kept."""
        with self.place() as place:
            copy_with_links(self._template, place)
            yield f"{place}/root"

    def judge(self, root: str, what: str, *, only: Files | None = None) -> None:
        """Recover by a read, then let the next mutation sweep; raises `Broken` where anything is wrong.

        `only` narrows the right outcomes to one.
        """
        try:
            with open_store(root, seed=7).reading():
                pass
            self.judge_state(root, what, only=only)
            if os.path.isdir(root):
                with open_store(root, seed=8).writing("memory write"):
                    pass
                self.judge_state(root, f"{what}, and a sweep", only=only)
                if leftovers(root):
                    raise Broken(f"{self.scenario}: {what}: leaves {leftovers(root)}")
        except Failure as failure:
            raise Broken(f"{self.scenario}: {what}: {failure.code}: {failure.message}") from failure

    def judge_state(self, root: str, what: str, *, only: Files | None = None) -> None:
        found = snapshot(root)
        if found not in ([self.before, self.after] if only is None else [only]):
            changed = sorted(
                f"{path} ({_difference(path, found, self.before, self.after)})"
                for path in found.keys() | self.before.keys() | self.after.keys()
                if found.get(path) != self.after.get(path)
            )
            raise Broken(f"{self.scenario}: {what}: neither before nor after: {', '.join(changed)}")
        if os.path.lexists(f"{root}/.transactions/pending.json"):
            raise Broken(f"{self.scenario}: {what}: the plan is still there")


def _difference(path: str, found: Files, before: Files, after: Files) -> str:
    if path not in found:
        return "missing"
    if found[path] == before.get(path):
        return "as before"
    return f"{len(found[path])} bytes, {len(after.get(path, b''))} expected"


def copy_with_links(source: str, target: str) -> None:
    """Copy a tree; names of one file are names of one file in the copy."""
    copies: dict[int, str] = {}
    for directory, below, names in os.walk(source):
        relative = os.path.relpath(directory, source)
        for name in below:
            os.mkdir(os.path.join(target, relative, name), 0o700)
        for name in names:
            origin, copy = os.path.join(directory, name), os.path.join(target, relative, name)
            inode = os.stat(origin).st_ino
            if inode in copies:
                os.link(copies[inode], copy)
            else:
                copies[inode] = copy
                shutil.copyfile(origin, copy)
                os.chmod(copy, 0o600)


def in_child(act: Callable[[], None]) -> int:
    """Run something in a forked child; its wait status: 0, 256 after an exception, or the signal that ended it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads; the child uses none of them
        child = os.fork()
    if not child:
        status = 1
        try:
            act()
            status = 0
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def stopped(act: Callable[[Calls], None], calls: Calls = REAL) -> bool:
    """Whether an act in this process was stopped before its end."""
    try:
        act(calls)
    except Stopped:
        return True
    return False
