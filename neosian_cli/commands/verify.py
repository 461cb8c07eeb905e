"""`neosian verify`."""

from __future__ import annotations

from neosian_cli.commands.declare import Flag, Option, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call
    from neosian_cli.commands.stopped import Stopped
    from neosian_cli.services.verify import Tally

FINDINGS = 9
WAY = "neosian verify --repair-derived"


def run(call: Call) -> int:
    from neosian_cli.commands.stopped import telling
    from neosian_cli.model import scope as scopes
    from neosian_cli.render import overview
    from neosian_cli.services import verify as service

    # The option names what is checked, not a mount: it is read before the selection would take it for one.
    only = call.maybe("scope")
    scope = None if only is None else scopes.check(only)
    namespace = call.maybe("namespace")
    repair, tally = call.flag("repair_derived"), service.Tally()
    with telling(call, lambda: _how_far(tally, repair=repair)), call.output.progress("verifying") as progress:
        try:
            if repair:
                found = service.repair(
                    call.store,
                    scope,
                    namespace,
                    tally,
                    ef_of=lambda name: call.settings.planner(name).index_ef,
                    advance=progress.advance,
                )
            else:
                found = service.verify(call.store, scope, namespace, advance=progress.advance)
        finally:
            call.changed = bool(tally.repaired)
    call.output.result(found, lambda out: overview.show_verification(out, found))
    if not repair and any(finding["derived"] for finding in found["findings"]):
        call.output.hint(" ".join((WAY, *call.chosen("scope", "namespace"))))
    return 0 if found["ok"] else FINDINGS


def _how_far(tally: Tally, *, repair: bool) -> Stopped:
    from neosian_cli.commands.stopped import Stopped

    if not repair:
        return Stopped("nothing was changed")
    if not tally.repaired:
        return Stopped("nothing was repaired")
    return Stopped(
        f"{len(tally.repaired)} of {tally.total} repaired", "the same command goes on", {"repaired": tally.repaired}
    )


VERBS = (
    Verb(
        None,
        "verify",
        "read everything and name all that is wrong",
        run=run,
        result="neosian_cli.services.overview_schema:VERIFIED",
        params=(
            Option("--namespace", metavar="NAME", complete="namespace", help="read only this namespace"),
            Flag("--repair-derived", help="make anew what is derived and damaged, behind or missing"),
        ),
        mutates=lambda values: bool(values["repair_derived"]),
        description="Finishes a good pending plan first, changes nothing else. Exit 9 with a fault; a warning alone is "
        "exit 0. With --scope only that scope is read. "
        "What is derived holds nothing of its own: catalogues, word and vector indexes, caches of embeddings, the "
        "indexes of open messages. With --repair-derived each finding about one of them is repaired and stands "
        "under repaired; documents, histories, events and records are left as they are, and what is wrong with "
        "them stays a finding. Readers and writers may go on meanwhile.",
        examples=(
            "neosian verify",
            "neosian verify --repair-derived",
            "neosian verify --json | jq -r '.findings[] | [.code, .path] | @tsv'",
        ),
        exits=(6, 9),
    ),
)
