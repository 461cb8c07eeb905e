"""What `export` and `import` do."""

from __future__ import annotations

import os
from contextlib import contextmanager

from neosian_cli.errors import Failure
from neosian_cli.render import archive as render
from neosian_cli.services import archive as service
from neosian_cli.signals import NAMES, Interrupted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from neosian_cli.commands.call import Call


def export(call: Call) -> int:
    directory, tally = _directory(call), service.Tally()
    with _telling(call, tally), call.output.progress("exporting") as progress:
        found = service.export(
            call.store,
            directory,
            _choice(call),
            tally,
            lenient=call.flag("skip_damaged"),
            advance=progress.advance,
        )
    return _show(call, found, "unreadable", f"left out of {directory}")


def import_(call: Call) -> int:
    directory, tally = _directory(call), service.Tally()
    with _telling(call, tally), call.output.progress("importing") as progress:
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
def _telling(call: Call, tally: service.Tally) -> Iterator[None]:
    """Say of whatever stops the work how far it has come."""
    try:
        yield
    except Failure as failure:
        if tally.scopes or tally.namespaces:
            failure.details.update(_told(call, tally))
        raise
    except Interrupted as stop:
        told = _told(call, tally)
        done = ", ".join(map(str, [*told["scopes"], *told["namespaces"]]))
        text = f"stopped by {NAMES[stop.number]}; done so far: {done or 'nothing'}"
        stopped = Failure("interrupted", text, signal=NAMES[stop.number], **told)
        stopped.exit_status = stop.exit_status
        raise stopped from None
    finally:
        call.changed = tally.whole


def _told(call: Call, tally: service.Tally) -> dict[str, Any]:
    """What an import has made stays; what an export has written is worth nothing without the rest."""
    if call.verb.name == "export":
        return tally.told()
    made = call.store.commits
    return {"transactions": made, **tally.told(made)}
