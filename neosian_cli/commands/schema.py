"""`neosian schema`: the shapes of what the tool prints and reads."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from neosian_cli.commands.call import Call

# Each name with the function that makes the schema, as "module:function".
SCHEMAS = {
    "changes": "neosian_cli.services.changes.schema:document",
    "cli": "neosian_cli.commands.interface:document",
    "config": "neosian_cli.config.schema:document",
    "messages": "neosian_cli.services.message_schema:document",
    "records": "neosian_cli.services.semantic.schema:document",
}


def document(name: str) -> Mapping[str, object]:
    """The JSON Schema of that name."""
    module, _, function = SCHEMAS[name].partition(":")
    make: Callable[[], Mapping[str, object]] = getattr(__import__(module, fromlist=[function]), function)
    return make()


def run(call: Call) -> int:
    schema = document(call.string("name"))

    def indented() -> None:
        import json

        call.output.raw(json.dumps(schema, indent=2, ensure_ascii=False).encode() + b"\n")

    call.output.result(schema, lambda _: indented())
    return 0


VERBS = (
    Verb(
        None,
        "schema",
        "JSON Schema of what the tool prints and reads",
        run=run,
        params=(Argument("NAME", "which schema", choices=tuple(SCHEMAS)),),
        description="Print a JSON Schema (2020-12). With --json it stands on one line.",
        selection=False,
        examples=("neosian schema cli",),
        result={"type": "object", "required": ["$schema"]},
    ),
)
