"""Syncs that overlap: all of them happen, an error is not lost, and a machine without threads does without."""

from __future__ import annotations

import _thread
import errno
import os
import threading

import pytest

from neosian_cli.disk.calls import AT_ONCE, REAL, Overlapping


class Noted(Overlapping):
    """Remembers what was synced, in which thread; some descriptors fail."""

    def __init__(self, failing=()):
        self.synced = []
        self.failing = failing
        self.guard = threading.Lock()

    def sync_file(self, descriptor):
        self.note("file", descriptor)

    def sync_directory(self, descriptor):
        self.note("directory", descriptor)

    def note(self, kind, descriptor):
        with self.guard:
            self.synced.append((kind, descriptor, threading.get_ident()))
        if descriptor in self.failing:
            raise OSError(errno.EIO, f"descriptor {descriptor}")


@pytest.mark.parametrize(("files", "directories"), [(0, 0), (1, 0), (0, 1), (3, 2), (40, 9)])
def test_everything_is_synced_once(files, directories):
    calls = Noted()
    calls.sync_together(range(files), range(100, 100 + directories))
    done = sorted((kind, descriptor) for kind, descriptor, _ in calls.synced)
    expected = [("file", number) for number in range(files)] + [("directory", 100 + n) for n in range(directories)]
    assert done == sorted(expected)


def test_they_overlap():
    meeting = threading.Barrier(AT_ONCE, timeout=30)

    class Meeting(Overlapping):
        def sync_file(self, descriptor):
            meeting.wait()

    Meeting().sync_together(range(AT_ONCE), [])
    assert not meeting.broken


@pytest.mark.parametrize("failing", [{0}, {5}, {101}, set(range(6))])
def test_an_error_is_raised_once_all_have_ended(failing):
    calls = Noted(failing)
    with pytest.raises(OSError, match="descriptor") as caught:
        calls.sync_together(range(6), [100, 101])
    assert caught.value.errno == errno.EIO
    assert len(calls.synced) == 8


def test_without_threads_they_are_made_in_turn(monkeypatch):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    calls = Noted()
    calls.sync_together(range(6), [])
    assert {thread for _, _, thread in calls.synced} == {threading.get_ident()}
    assert len(calls.synced) == 6


def test_the_real_calls_overlap(tmp_path):
    assert isinstance(REAL, Overlapping)
    descriptors = [os.open(tmp_path / str(number), os.O_CREAT | os.O_RDWR) for number in range(8)]
    directory = os.open(tmp_path, os.O_RDONLY)
    REAL.sync_together(descriptors, [directory])
    os.close(descriptors[0])
    with pytest.raises(OSError, match="Bad file descriptor"):
        REAL.sync_together(descriptors, [directory])
    for descriptor in [*descriptors[1:], directory]:
        os.close(descriptor)
