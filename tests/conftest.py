"""What every test stands on."""

from __future__ import annotations

import signal


def pytest_configure(config):
    """Signals as a terminal's shell leaves them; a job in the background, or under nohup, ignores some.

    The program keeps ignored what was ignored when it started, so the tests of its signals would wait for ever.
    """
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, usual)
    if signal.getsignal(signal.SIGTERM) == signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
