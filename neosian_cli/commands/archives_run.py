"""What `export` and `import` do."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from neosian_cli.errors import Failure
from neosian_cli.render import archive as render
from neosian_cli.services import archive as service
from neosian_cli.signals import NAMES, Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.commands.call import Call


def export(call: Call) -> int:
    directory, tally = _directory(call), service.Tally()
    with _telling(tally), call.output.progress("exporting") as progress:
        found = service.export(
            call.store,
            directory,
            _choice(call),
            tally,
            lenient=call.flag("skip_damaged"),
            advance=progress.advance,
        )
    call.changed = True
    return _show(call, found, "unreadable", f"left out of {directory}")


def import_(call: Call) -> int:
    directory, tally = _directory(call), service.Tally()
    with _telling(tally), call.output.progress("importing") as progress:
        if call.string("from") == "neosian":
            from neosian_cli.services.migration import import_file_store

            found = import_file_store(call.store, directory, _choice(call), tally, advance=progress.advance)
        else:
            found = service.import_archive(call.store, directory, _choice(call), tally, advance=progress.advance)
    return _show(call, found, "skipped", "not imported")


def _directory(call: Call) -> str:
    given = call.string("dir")
    if not given:
        raise Failure("invalid_argument", "DIR is empty")
    return os.path.abspath(given)


def _choice(call: Call) -> service.Choice:
    return service.Choice(tuple(call.strings("scope")), tuple(call.strings("namespace")))


def _show(call: Call, found: dict[str, Any], problems: str, what: str) -> int:
    call.output.result(found, lambda out: render.show(out, found))
    render.name_problems(call.output, found[problems], what)
    return 0


@contextmanager
def _telling(tally: service.Tally) -> Iterator[None]:
    """Say of whatever stops the work how far it has come."""
    try:
        yield
    except Failure as failure:
        if tally.transactions:
            failure.details.update(tally.told())
        raise
    except Interrupted as stop:
        done = f"; {tally.transactions} done" if tally.transactions else ""
        told = Failure("interrupted", f"stopped by {NAMES[stop.number]}{done}", signal=NAMES[stop.number])
        told.exit_status = stop.exit_status
        told.details.update(tally.told())
        raise told from None
