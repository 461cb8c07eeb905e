"""The verbs of the change feed beside `read`: a consumer's place, the feed's state, and its upkeep."""

from __future__ import annotations

from neosian_cli.model.mount import locate_root
from neosian_cli.render import changes as render
from neosian_cli.render.output import HUMAN, JSONL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call
    from neosian_cli.model.mount import Mount

GAP = 3
FAULT = 9


def _mount(call: Call) -> Mount:
    return locate_root(call.settings.mounts, call.maybe("path"))


def _refuse_swapped(call: Call, file: str) -> None:
    """A mount in the place of the file: a file of that name is hardly meant, and could not be told from it later."""
    from shlex import quote

    from neosian_cli.errors import Failure

    other = call.maybe("path")
    if file not in [mount.root for mount in call.settings.mounts] or (other or "").startswith("/"):
        return
    words = [other or "FILE", file, *call.chosen("advance"), *(["--force"] if call.flag("force") else [])]
    hint = " ".join(["neosian changes checkpoint", *(word if word[:2] == "--" else quote(word) for word in words)])
    raise Failure("usage", "changes checkpoint: FILE comes first, then the mount", hint=hint)


def checkpoint(call: Call) -> int:
    from neosian_cli.errors import Failure
    from neosian_cli.services.changes import checkpoint as service

    file, cursor = call.string("file"), call.maybe("advance")
    _refuse_swapped(call, file)
    if cursor is None:
        if call.flag("force"):
            raise Failure("usage", "changes checkpoint: --force belongs to --advance CURSOR")
        value = service.show(call.store, _mount(call), file)
    else:
        value = service.advance(
            call.store,
            _mount(call),
            file,
            cursor,
            force=call.flag("force"),
            new_token=call.surroundings.new_uuid,
        )
        call.changed = True
    call.output.result(value, lambda out: render.checkpoint(out, value))
    return 0


def snapshot(call: Call) -> int:
    from neosian_cli.services.changes.snapshot import Snapshot

    out = call.output
    taken = Snapshot(call.store, _mount(call))
    if out.mode == JSONL:
        for document in taken:
            out.line({"type": "document", **document})
        page = taken.page()
        out.line({"type": "page", **page})
    elif out.mode == HUMAN:
        with out.progress("reading documents", taken.total) as progress:
            for number, document in enumerate(taken):
                render.documents(out, [document], first=number == 0)
                progress.advance()
        page = taken.page()
        render.snapshot_end(out, page)
    else:
        documents = list(taken)
        page = taken.page()
        out.result(_with_documents(page, documents), lambda _: None)
    return 0 if page["gap"] is None else GAP


def _with_documents(page: dict[str, object], documents: list[dict[str, object]]) -> dict[str, object]:
    value: dict[str, object] = {}
    for key, item in page.items():
        if key == "cursor":
            value["documents"] = documents
        value[key] = item
    return value


def status(call: Call) -> int:
    from neosian_cli.services.changes import status as service

    value = service.status(call.store, _mount(call), call.strings("checkpoint"))
    call.output.result(value, lambda out: render.status(out, value))
    return 0


def stats(call: Call) -> int:
    from neosian_cli.model import times
    from neosian_cli.services.changes import statistics

    bounds = {
        key: None if (text := call.maybe(key)) is None else times.parse(text, f"--{key}") for key in ("since", "until")
    }
    mount = _mount(call)
    with call.output.progress("reading events") as progress:
        value = statistics.count(call.store, mount, by=call.string("by"), **bounds, advance=progress.advance)
    call.output.result(value, lambda out: render.statistics(out, value))
    if not value["buckets"]:
        call.output.note(f"no events in {mount.root}")
    return 0


def verify(call: Call) -> int:
    from neosian_cli.services.changes import verification

    mount = _mount(call)
    with call.output.progress("checking events") as progress:
        value = verification.verify(call.store, mount, advance=progress.advance)
    call.output.result(value, lambda out: render.verification(out, value))
    if value["ok"]:
        return 0
    call.output.hint(verification.WAY_OUT)
    return FAULT


def prune(call: Call) -> int:
    from neosian_cli.commands.stopped import Stopped, telling
    from neosian_cli.render.text import count
    from neosian_cli.services.changes import pruning
    from neosian_cli.services.instalments import Instalments

    mount = _mount(call)
    write = call.flag("write")
    done = Instalments()

    def how_far() -> Stopped:
        done.settle(call.store.commits)
        if not write or not done.count:
            return Stopped("nothing was changed")
        text = f"{count(done.count, 'event')} removed in {count(done.transactions, 'transaction')}"
        more = "the same command goes on" if call.flag("all") else None
        return Stopped(text, more, {"transactions": done.transactions, "removed": done.count})

    with telling(call, how_far), call.output.progress("removing events") as progress:
        value = pruning.prune(
            call.store,
            mount,
            call.string("through"),
            write=write,
            everything=call.flag("all"),
            not_past=call.strings("not_past"),
            advance=progress.advance,
            done=done,
        )
    call.idle = not value["count"]
    call.output.result(value, lambda out: render.prune(out, value))
    if value["has_more"]:
        call.output.hint("more remains up to the cursor; --all goes on until nothing does")
    return 0
