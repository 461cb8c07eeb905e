"""Calls that count, stop, fail or tear at a chosen step."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from neosian_cli.disk.calls import Calls

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Stopped(BaseException):
    """The process is gone, as far as the disk can tell: nothing that it would do after this is done."""


class Steps(Calls):
    """Every call that changes something, as one numbered step; `trace` holds their kinds."""

    def __init__(self) -> None:
        self.trace: list[str] = []

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        self.trace.append(kind)
        return perform(*arguments)

    def create(self, name: str, directory: int) -> int:
        return self.step("create", super().create, name, directory)

    def write(self, descriptor: int, data: memoryview, offset: int) -> int:
        return self.step("write", super().write, descriptor, data, offset)

    def truncate(self, descriptor: int, size: int) -> None:
        self.step("truncate", super().truncate, descriptor, size)

    def sync_file(self, descriptor: int) -> None:
        self.step("sync_file", super().sync_file, descriptor)

    def sync_directory(self, descriptor: int) -> None:
        self.step("sync_directory", super().sync_directory, descriptor)

    def rename(self, name: str, directory: int, new_name: str, new_directory: int) -> None:
        self.step("rename", super().rename, name, directory, new_name, new_directory)

    def unlink(self, name: str, directory: int) -> None:
        self.step("unlink", super().unlink, name, directory)

    def make_directory(self, name: str, directory: int) -> None:
        self.step("make_directory", super().make_directory, name, directory)


def raise_stopped() -> None:
    raise Stopped


def kill_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Stop(Steps):
    """Stops before step number `at` (from 1), or in the middle of it where it is a write and `torn` is set."""

    def __init__(self, at: int, die: Callable[[], None] = raise_stopped, *, torn: bool = False) -> None:
        super().__init__()
        self.at = at
        self.die = die
        self.torn = torn

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        number = len(self.trace) + 1
        if number >= self.at:
            if number == self.at and self.torn and kind == "write":
                descriptor, data, offset = arguments
                perform(descriptor, data[: len(data) // 2], offset)
            if number > self.at or not self.torn or kind == "write":
                self.die()
        return super().step(kind, perform, *arguments)


class Fail(Steps):
    """Fails step number `at` with an error number; `happens` says that it has its effect all the same.

    `after` holds the kinds of the steps that were tried afterwards.
    """

    def __init__(self, at: int, error: int, *, happens: bool = False, only: str = "") -> None:
        super().__init__()
        self.at = at
        self.error = error
        self.happens = happens
        self.only = only
        self.failed: str | None = None
        self.after: list[str] = []

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        if self.failed:
            self.after.append(kind)
        elif len(self.trace) + 1 == self.at and kind.startswith(self.only):
            self.failed = kind
            if self.happens:
                perform(*arguments)
            raise OSError(self.error, os.strerror(self.error))
        return super().step(kind, perform, *arguments)


class Short(Steps):
    """Takes at most `most` bytes a write, as a nearly full disk or a signal makes it happen."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def step(self, kind: str, perform: Callable[..., Any], *arguments: Any) -> Any:
        if kind == "write":
            descriptor, data, offset = arguments
            arguments = (descriptor, data[: self.most], offset)
        return super().step(kind, perform, *arguments)
