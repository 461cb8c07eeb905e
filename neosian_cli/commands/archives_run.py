"""What `export` and `import` do."""

from __future__ import annotations

import os
import shlex

from neosian_cli.commands.stopped import Stopped, telling
from neosian_cli.errors import Failure
from neosian_cli.render import archive as render
from neosian_cli.services import archive as service

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.commands.call import Call

OF_ONE_OBJECT = ("document_corrupt", "record_corrupt", "format_unsupported")
"""What `--skip-damaged` leaves out."""


def export(call: Call) -> int:
    directory, tally = _directory(call), service.Tally()
    try:
        with telling(call, lambda: _how_far_out(call, directory, tally)), call.output.progress("exporting") as progress:
            found = service.export(
                call.store,
                directory,
                _choice(call),
                tally,
                lenient=call.flag("skip_damaged"),
                advance=progress.advance,
            )
    except Failure as failure:
        if tally.scopes or tally.namespaces:
            failure.details.update(tally.told())
        if failure.code in OF_ONE_OBJECT and not call.flag("skip_damaged"):
            failure.hint = _again(call, directory, "--skip-damaged")
        elif failure.code == "io_error" and not tally.whole and service.is_occupied(directory):
            failure.hint = _how_far_out(call, directory, tally).hint  # as it stands it would refuse its own remains
        raise
    finally:
        call.changed = tally.whole
    call.output.note(f"written to {directory}")
    return _show(call, found, "unreadable", f"left out of {directory}")


def _again(call: Call, directory: str, *more: str) -> str:
    """The command that exports once more, into the same directory, which a try that was stopped may have filled."""
    words = ["neosian", "export", shlex.quote(directory), *more, *call.chosen("scope", "namespace")]
    if service.is_occupied(directory):
        words[:0] = ["rm", "-r", shlex.quote(directory), "&&"]
    return " ".join(words)


def _how_far_out(call: Call, directory: str, tally: service.Tally) -> Stopped:
    """What an export has written is worth nothing without the rest."""
    call.changed = tally.whole
    if tally.whole:
        return Stopped(f"{directory} holds the whole archive", details=tally.told())
    more = ("--skip-damaged",) if call.flag("skip_damaged") else ()
    return Stopped(
        f"{tally.text()} written; {directory} holds no archive", _again(call, directory, *more), tally.told()
    )


def import_(call: Call) -> int:
    directory, tally = _directory(call), service.Tally()
    try:
        with telling(call, lambda: _how_far_in(call, directory, tally)), call.output.progress("importing") as progress:
            if call.string("from") == "neosian":
                from neosian_cli.services.migration import import_file_store

                found = import_file_store(call.store, directory, _choice(call), tally, advance=progress.advance)
            else:
                found = service.import_archive(call.store, directory, _choice(call), tally, advance=progress.advance)
    except Failure as failure:
        if tally.scopes or tally.namespaces:
            made = call.store.commits
            failure.details.update(transactions=made, **tally.told(made))
            if made and call.committed is True:  # as it stands it would refuse what it has made
                failure.hint = _how_far_in(call, directory, tally).hint or failure.hint
        raise
    call.output.note(f"written to {call.store.root}")
    return _show(call, found, "skipped", "not imported")


def _how_far_in(call: Call, directory: str, tally: service.Tally) -> Stopped:
    """What an import has made stays; the rest is named, since what was imported refuses to be imported again."""
    made = call.store.commits
    details = {"transactions": made, **tally.told(made)}
    if not made:
        return Stopped("nothing was changed", "the same command begins anew", details)
    scopes, names = tally.rest(made)
    if not scopes and not names:
        return Stopped(f"{tally.text(made)} imported, which is all", None, details)
    left = [word for scope in scopes for word in ("--scope", shlex.quote(scope))]
    left += [word for name in names for word in ("--namespace", shlex.quote(name))]
    words = ["neosian", "import", shlex.quote(directory), *left, *call.chosen("from")]
    return Stopped(f"{tally.text(made)} imported", " ".join(words), details)


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
