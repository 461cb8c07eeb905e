"""Namespaces: made, listed, looked after, removed."""

from __future__ import annotations

from neosian_cli.commands.semantic_access import access, pairs, renewed, time_of
from neosian_cli.render import semantic as render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call

UNTOUCHED = "the records are as they were"
AGAIN = "the same command begins anew; searches do without what is missing"


def create(call: Call) -> int:
    from neosian_cli.services.semantic import namespaces as service

    wish = service.Wish(
        call.maybe("provider"),
        call.maybe("model"),
        call.maybe_integer("dimensions"),
        call.maybe("text_search"),
    )
    options = pairs(call.strings("option"), "--option")
    value = service.create(call.store, call.settings, call.string("ns"), wish, options=options)
    call.output.result(value, lambda out: render.created(out, value))
    return 0


def namespaces(call: Call) -> int:
    from neosian_cli.services.semantic import namespaces as service

    value = service.namespaces(call.store, call.settings)
    call.output.listing(value, lambda out: render.namespaces(out, value), items="namespaces", kind="namespace")
    if not value["namespaces"]:
        call.output.hint("neosian semantic create NAME makes one")
    return 0


def stats(call: Call) -> int:
    from neosian_cli.services.semantic import upkeep as service

    value = service.stats(access(call))
    call.output.result(value, lambda out: render.figures(out, value))
    return 0


def compact(call: Call) -> int:
    from neosian_cli.services.semantic import upkeep as service

    write = call.flag("write")
    target = access(call)
    before = time_of(call, "history_before")
    with call.output.progress("compacting"):
        value = service.compact(target, before, write=write)
    if write:
        value |= renewed(call, target)
    call.output.result(value, lambda out: render.figures(out, value))
    return 0


def reindex(call: Call) -> int:
    from neosian_cli.commands.stopped import Stopped, telling
    from neosian_cli.services.semantic import upkeep as service

    with telling(call, lambda: Stopped(UNTOUCHED, AGAIN)), call.output.progress("building the index") as progress:
        value = service.reindex(access(call), with_graph=call.flag("index"), advance=progress.advance)
    call.output.result(value, lambda out: render.figures(out, value))
    return 0


def drop(call: Call) -> int:
    from neosian_cli.services.semantic import upkeep as service

    value = service.drop(access(call), write=call.flag("write"))
    call.output.result(value, lambda out: render.figures(out, value))
    return 0
