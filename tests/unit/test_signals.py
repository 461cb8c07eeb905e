import pytest

from neosian_cli.signals import Interrupted, Signals


def test_a_signal_raises():
    signals = Signals()
    with pytest.raises(Interrupted) as caught:
        signals.receive(15)
    assert caught.value.exit_status == 143
    assert signals.stopping == 15


def test_no_room_takes_it_for_an_error():
    assert not issubclass(Interrupted, Exception)


def test_it_waits_for_the_end_of_a_hold():
    signals = Signals()
    steps = []

    def work():
        with signals:
            with signals:
                signals.receive(1)
                signals.receive(2)
                steps.append("inner")
            steps.append("outer")

    with pytest.raises(Interrupted) as caught:
        work()
    assert steps == ["inner", "outer"]
    assert caught.value.number == 1
    with signals:
        pass


def test_after_the_end_it_comes_too_late():
    signals = Signals()
    signals.deafen()
    signals.receive(2)
    assert not signals.stopping


def test_handlers_are_set_only_for_a_process():
    import signal

    before = signal.getsignal(signal.SIGTERM)
    Signals().install()
    assert signal.getsignal(signal.SIGTERM) is before


class Frame:
    """As much of a frame as the handler looks at."""

    def __init__(self, file, below=None):
        self.f_code = type("Code", (), {"co_filename": file})
        self.f_back = below


def test_an_import_is_not_broken_off():
    signals = Signals()
    again = []
    signals._postpone = lambda: again.append(1)
    signals.receive(15, Frame("orjson", Frame("<frozen importlib._bootstrap>", Frame("app.py"))))
    assert (again, signals.stopping) == ([1], 15)
    with pytest.raises(Interrupted):
        signals.check()
    with pytest.raises(Interrupted):
        signals.receive(15, Frame("app.py"))


def test_what_a_destructor_swallowed_is_sent_again():
    signals = Signals()
    again = []
    signals._postpone = lambda: again.append(1)
    signals.unheard(ValueError())
    signals.unheard(None)
    assert not again
    signals.unheard(Interrupted(2))
    assert again
    signals.deafen()
    signals.unheard(Interrupted(2))
    assert again == [1]
