"""`neosian version`."""

from __future__ import annotations

import sys

from neosian_cli import __version__
from neosian_cli.commands.declare import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call


def run(call: Call) -> int:
    result = {"version": __version__, "python": ".".join(str(part) for part in sys.version_info[:3])}
    call.output.result(result, lambda out: out.say(f"neosian {__version__}"))
    return 0


VERBS = (
    Verb(
        None,
        "version",
        "the version of the program",
        run=run,
        selection=False,
        examples=("neosian version --json",),
        result={
            "type": "object",
            "properties": {"version": {"type": "string"}, "python": {"type": "string"}},
            "required": ["version", "python"],
        },
    ),
)
