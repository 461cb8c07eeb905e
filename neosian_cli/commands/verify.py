"""`neosian verify`."""

from __future__ import annotations

from neosian_cli.commands.declare import Option, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call

FINDINGS = 9


def run(call: Call) -> int:
    from neosian_cli.model import scope as scopes
    from neosian_cli.render import overview
    from neosian_cli.services.verify import verify

    # The option names what is checked, not a mount: it is read before the selection would take it for one.
    only = call.maybe("scope")
    namespace = call.maybe("namespace")
    with call.output.progress("verifying"):
        found = verify(call.store, None if only is None else scopes.check(only), namespace)
    call.output.result(found, lambda out: overview.show_verification(out, found))
    return 0 if found["ok"] else FINDINGS


VERBS = (
    Verb(
        None,
        "verify",
        "read everything and name all that is wrong",
        run=run,
        result="neosian_cli.services.overview_schema:VERIFIED",
        params=(Option("--namespace", metavar="NAME", complete="namespace", help="read only this namespace"),),
        description="Finishes a good pending plan first, changes nothing else. Exit 9 with a fault; a warning alone is "
        "exit 0. With --scope only that scope is read.",
        examples=("neosian verify", "neosian verify --json | jq -r '.findings[] | [.code, .path] | @tsv'"),
        exits=(9,),
    ),
)
