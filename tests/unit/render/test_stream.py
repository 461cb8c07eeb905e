import contextlib
import os
import signal
import threading

import pytest

from neosian_cli.errors import Failure
from neosian_cli.render.stream import ClosedPipe, Stream
from neosian_cli.signals import Interrupted, Signals


@pytest.fixture
def pipe():
    ends = list(os.pipe())
    yield ends
    for end in ends:
        with contextlib.suppress(OSError):
            os.close(end)


def drained(descriptor):
    """Read a pipe to its end in a thread; the list fills up."""
    got = []

    def read():
        while piece := os.read(descriptor, 65536):
            got.append(piece)

    thread = threading.Thread(target=read)
    thread.start()
    return thread, got


def test_all_bytes_go_out_over_short_writes(pipe):
    reader, writer = pipe
    os.set_blocking(writer, False)
    data = os.urandom(1 << 20)
    thread, got = drained(reader)
    Stream(writer).write(data)
    os.close(writer)
    thread.join()
    assert b"".join(got) == data


def test_lines_go_out_whole(pipe):
    reader, writer = pipe
    data = b"".join(b"%d %s\n" % (number, b"x" * 9000) for number in range(50))
    thread, got = drained(reader)
    Stream(writer).write_lines(data, Signals())
    os.close(writer)
    thread.join()
    assert b"".join(got) == data


def test_a_reader_that_has_gone(pipe):
    reader, writer = pipe
    os.close(reader)
    stream = Stream(writer)
    with pytest.raises(ClosedPipe):
        stream.write(b"x")
    with pytest.raises(ClosedPipe):
        stream.write_lines(b"x\n", Signals())
    stream.write_lines(b"y\n", Signals())
    assert stream.torn


@pytest.mark.parametrize("lines", [False, True])
def test_a_full_disk_is_told(lines):
    with open("/dev/full", "wb") as full:
        stream = Stream(full.fileno())
        with pytest.raises(Failure) as caught:
            stream.write_lines(b"x\n", Signals()) if lines else stream.write(b"x")
    assert caught.value.code == "output_failed"
    assert caught.value.details == {"errno": 28}


def test_a_closed_stream_takes_nothing():
    stream = Stream(1, closed=True)
    assert not stream.terminal
    with pytest.raises(Failure) as caught:
        stream.write(b"x")
    assert caught.value.code == "output_failed"
    stream.sync()


def test_sync_tells_of_a_bad_descriptor(pipe):
    os.close(pipe[1])
    with pytest.raises(Failure):
        Stream(pipe[1]).sync()


@pytest.mark.parametrize("size", [1, 4096, 4097, 1 << 20])
def test_nothing_comes_between_a_result_and_its_end(pipe, size):
    reader, writer = pipe
    signals = Signals()
    steps = []

    def done():
        signals.receive(15)
        signals.deafen()
        steps.append("done")

    data = os.urandom(size)
    thread, got = drained(reader)
    Stream(writer).write_result(data, signals, done)
    os.close(writer)
    thread.join()
    assert b"".join(got) == data
    assert steps == ["done"]


def test_a_signal_reaches_a_result_that_nobody_takes(pipe):
    """Ctrl-C at a program whose reader is stuck."""
    _, writer = pipe
    signals = Signals()
    stream = Stream(writer)

    def interrupt(*_):
        signals.receive(2)

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interrupted):
            stream.write_result(b"x" * (1 << 20), signals, lambda: None)
    finally:
        signal.signal(signal.SIGALRM, before)


class AlarmedSignals(Signals):
    """Receives a signal when the first piece has been written."""

    def __exit__(self, *error):
        if not self.stopping:
            self.receive(15)
        super().__exit__(*error)


def test_a_line_that_has_begun_is_finished(pipe):
    reader, writer = pipe
    data = b"a" * 10_000 + b"\n" + b"b" * 10 + b"\n"
    stream = Stream(writer)
    signals = AlarmedSignals()
    with pytest.raises(Interrupted):
        stream.write_lines(data, signals)
    stream.write_lines(b"last\n", signals)
    os.close(writer)
    assert os.read(reader, 1 << 20) == b"a" * 10_000 + b"\nlast\n"
    assert not stream.torn


def test_a_line_that_nobody_takes_is_given_up(pipe, monkeypatch):
    monkeypatch.setattr("neosian_cli.render.stream.PATIENCE", 10)
    reader, writer = pipe
    stream = Stream(writer)
    signals = AlarmedSignals()
    with pytest.raises(Interrupted):
        stream.write_lines(b"a" * (1 << 20) + b"\n", signals)
    assert stream.torn
    stream.write_lines(b"last\n", signals)
    os.close(writer)
    assert os.read(reader, 1 << 21).strip(b"a") == b""


def test_a_stuck_reader_does_not_hold_the_end_up(pipe, monkeypatch):
    monkeypatch.setattr("neosian_cli.render.stream.PATIENCE", 10)
    _, writer = pipe
    os.set_blocking(writer, False)
    while True:
        try:
            os.write(writer, b"f" * 4096)
        except BlockingIOError:
            break
    signals = Signals()
    signals.stopping = 15
    stream = Stream(writer)
    stream.write_lines(b"page\n", signals)
    assert stream.torn
