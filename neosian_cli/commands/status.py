"""`neosian status`."""

from __future__ import annotations

from neosian_cli.commands.declare import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call


def run(call: Call) -> int:
    from neosian_cli.render import overview
    from neosian_cli.services.status import status

    settings = call.settings
    found = status(call.store, settings.home, settings.profile, settings.mounts)
    call.output.result(found, lambda out: overview.show_status(out, found))
    return 0


VERBS = (
    Verb(
        None,
        "status",
        "what is here, who holds the lock, what needs attention",
        run=run,
        result="neosian_cli.services.overview_schema:STATUS",
        description="Changes and recovers nothing, and answers whatever state the store is in. Exit 0 whenever it "
        "could look; what it found wrong stands under findings.",
        examples=("neosian status", "neosian status --json | jq '.findings[]'"),
    ),
)
