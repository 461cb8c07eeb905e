"""File systems of our own, on loop devices and in memory, for those who may mount them."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

GOING_DOWN = 0x8004587D
"""The ioctl that cuts a file system off from its device, ext4 and xfs alike."""
NO_LOG_FLUSH = 2
SIZES = {"ext4": 64 << 20, "xfs": 320 << 20}


def run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


def skip_unless_mountable(kind: str) -> None:
    """Skip with the reason why no such file system can be mounted here."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    if kind == "tmpfs":
        return
    if not shutil.which(f"mkfs.{kind}"):
        pytest.skip(f"there is no mkfs.{kind}")
    if not os.path.exists("/dev/loop-control"):
        pytest.skip("there are no loop devices")


class Mounted:
    """A file system in a file, and where it is mounted."""

    def __init__(self, place: str, kind: str) -> None:
        self.image = f"{place}/image"
        self.point = f"{place}/mounted"
        self.is_mounted = False
        os.mkdir(self.point)
        with open(self.image, "wb") as file:
            file.truncate(SIZES[kind])
        run(f"mkfs.{kind}", "-q", self.image)
        self.mount()

    def mount(self) -> None:
        try:
            run("mount", "-o", "loop", self.image, self.point)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"cannot mount: {error.stderr.decode().strip()}")
        self.is_mounted = True

    def unmount(self) -> None:
        """Of use after a cut too, when the file system does not even tell any more that it is one."""
        if self.is_mounted:
            self.is_mounted = False
            run("umount", self.point)

    def cut(self) -> None:
        """What a power cut does: nothing that is not on the device yet gets there any more."""
        descriptor = os.open(self.point, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.ioctl(descriptor, GOING_DOWN, NO_LOG_FLUSH.to_bytes(4, "little"))
        finally:
            os.close(descriptor)


@contextmanager
def mounted(place: str, kind: str) -> Iterator[Mounted]:
    skip_unless_mountable(kind)
    made = Mounted(place, kind)
    try:
        yield made
    finally:
        made.unmount()


@contextmanager
def in_memory(place: str, size: int) -> Iterator[str]:
    """A file system of so many bytes."""
    skip_unless_mountable("tmpfs")
    os.mkdir(f"{place}/small")
    try:
        run("mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "neosian", f"{place}/small")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"cannot mount: {error.stderr.decode().strip()}")
    try:
        yield f"{place}/small"
    finally:
        run("umount", f"{place}/small")
