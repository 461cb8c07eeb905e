"""`neosian lock`: the root lock for as long as a command runs."""

from __future__ import annotations

import os

from neosian_cli.commands.declare import Rest, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from neosian_cli.commands.call import Call
    from neosian_cli.signals import Signals

SIGINT = 2
NO_SHELL = "neosian lock -- sh -c 'COMMAND' runs what only a shell knows: builtins, aliases, pipes"


def run(call: Call) -> int:
    command = call.strings("command")
    with call.store.held():
        return _run(command, call.surroundings.env, call.signals)


def _run(command: list[str], environment: Mapping[str, str], signals: Signals) -> int:
    """Start the command, pass on what would stop us, and wait for its end; its exit status as a shell has it."""
    from neosian_cli.signals import Interrupted

    child = 0
    while True:
        try:
            if not child:
                with signals:
                    child = _start(command, environment)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        except Interrupted as stop:
            if not child:
                raise
            # The terminal has sent its Ctrl-C to the command too; anything else was meant for both.
            if stop.number != SIGINT or not _in_foreground():
                os.kill(child, stop.number)
        else:
            return 128 - code if code < 0 else code


def _in_foreground() -> bool:
    """Whether a Ctrl-C of the terminal reaches this process, and with it the command."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def _start(command: list[str], environment: Mapping[str, str]) -> int:
    from neosian_cli.errors import Failure
    from neosian_cli.model.handlers import signals
    from neosian_cli.signals import NAMES

    # Where the end of a child is ignored, which is inherited, there is no status to wait for.
    signals.signal(signals.SIGCHLD, signals.SIG_DFL)
    try:
        return os.posix_spawnp(command[0], command, environment, setsigmask=(), setsigdef=list(NAMES))
    except FileNotFoundError:
        raise Failure("not_found", f"there is no command {command[0]}", hint=NO_SHELL, command=command[0]) from None
    except PermissionError:
        raise Failure("permission_denied", f"{command[0]} cannot be executed", command=command[0]) from None


VERBS = (
    Verb(
        None,
        "lock",
        "hold the store's lock while a command runs: a backup, a copy",
        run=run,
        params=(Rest("COMMAND", "the command and its arguments"),),
        description="Writers and readers wait until the command has ended. Exit status is the command's, 128 and the "
        "signal's number where a signal ended it. A neosian inside the command finds the same root locked.",
        examples=(
            "neosian lock -- tar -cf backup.tar -C ~/.neosian store",
            "neosian lock -- cp -al ~/.neosian/store backup",
        ),
    ),
)
