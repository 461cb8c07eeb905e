"""What a verb says that Ctrl-C, SIGTERM or SIGHUP has stopped in the middle of long work: how far it has come."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from neosian_cli.errors import Failure
from neosian_cli.signals import NAMES, Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neosian_cli.commands.call import Call


class Stopped(NamedTuple):
    """`text` tells what is done and what is not, `hint` how to go on; `details` the same for programs."""

    text: str
    hint: str | None = None
    details: dict[str, Any] | None = None


@contextmanager
def telling(call: Call, how_far: Callable[[], Stopped]) -> Iterator[None]:
    """Turn a signal into a failure that tells how far the work in the block has come, asked when it comes."""
    try:
        yield
    except Interrupted as stop:
        raise failure_of(call, stop, how_far()) from None


def failure_of(call: Call, stop: Interrupted, told: Stopped) -> Failure:
    """The failure that a signal is told as."""
    name = NAMES[stop.number]
    details = {"signal": name, "committed": call.committed, **(told.details or {})}
    stopped = Failure("interrupted", f"stopped by {name}; {told.text}", hint=told.hint, **details)
    stopped.exit_status = stop.exit_status
    return stopped
