"""The process: arguments, environment, signals and descriptors are taken here and handed on."""

from __future__ import annotations

import os
import sys

from neosian_cli import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

FIRST_COLLECTION = 50_000
"""How many new objects start a search for cycles: more than a short call makes, and few enough for one that goes on."""


def main() -> NoReturn:
    """The entry point of `neosian`: the run, then the end of the process.

    What a run has to write it has written, and what it has opened the system closes. To take the interpreter apart
    before that is a tenth of what a short call costs, and is left out unless somebody is looking on.
    """
    import gc

    gc.set_threshold(FIRST_COLLECTION)
    status = run()
    if _debugging() or sys.gettrace() or sys.getprofile():
        sys.exit(status)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # closed, or never there
            continue
    os._exit(status)


def run() -> int:
    """One command line; the exit status."""
    argv = sys.argv[1:]
    try:
        if argv == ["--version"] and _answered_version():
            return 0
        from neosian_cli.app import main
        from neosian_cli.signals import Signals
        from neosian_cli.surroundings import Surroundings, plug_holes

        signals = Signals(handled=True)
        if not _debugging():
            # What Python has to say of exceptions that it cannot pass on is of no use to anyone.
            sys.unraisablehook = lambda unraisable: signals.unheard(unraisable.exc_value)
        return main(argv, Surroundings(os.environ, closed=plug_holes()), signals)
    except BaseException as error:  # noqa: BLE001  # no traceback, not even of a broken installation
        return _last_resort(argv, error)


def _debugging() -> bool:
    """As `app` reads the variable, which is not imported for `--version`."""
    return os.environ.get("NEOSIAN_DEBUG", "") not in ("", "0")


def _answered_version() -> bool:
    """The answer to the commonest question of scripts, with next to no imports; False leaves it to the others."""
    try:
        os.write(1, f"neosian {__version__}\n".encode())
    except OSError:
        return False
    return True


def _last_resort(argv: Sequence[str], error: BaseException) -> int:
    """The end of a run that did not come as far as the door, or was stopped again on its way out."""
    if isinstance(error, KeyboardInterrupt):
        return 130
    status: int = getattr(error, "exit_status", 1)
    if status == 1:
        message = f"{type(error).__name__}: {error}"
        if "--json" in argv or "--jsonl" in argv:
            import json

            told = {"code": "internal", "exit_status": 1, "message": message, "details": {}, "hint": None}
            message = json.dumps({"error": told})
        else:
            message = ascii(f"neosian: {message}")[1:-1]
        try:
            os.write(2, f"{message}\n".encode())
        except OSError:
            return status
    return status


if __name__ == "__main__":
    main()
