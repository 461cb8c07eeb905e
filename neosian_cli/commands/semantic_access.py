"""From the options of a call to what the semantic services take."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.model.grammar import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.commands.call import Call
    from neosian_cli.model.predicate import Predicate
    from neosian_cli.model.query import Selection
    from neosian_cli.model.times import Instant
    from neosian_cli.services.semantic.access import Access


def access(call: Call) -> Access:
    """The way to the namespace that the call names."""
    from neosian_cli.services.semantic.access import Access

    around = call.surroundings
    return Access(
        call.store,
        call.settings,
        call.string("ns"),
        environment=around.env,
        sleep=around.sleep,
        monotonic=around.monotonic,
    )


def pairs(texts: list[str], option: str) -> dict[str, str]:
    """`K=V` texts, split at the first `=`; raises `invalid_argument`."""
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise Failure("invalid_argument", f"{option} {excerpt(text)} is not of the form K=V")
        if key in found:
            raise Failure("invalid_argument", f"{option} gives {excerpt(key)} twice")
        found[key] = value
    return found


def time_of(call: Call, key: str) -> Instant | None:
    text = call.maybe(key)
    return None if text is None else times.parse(text, f"--{key.replace('_', '-')}")


def predicates(call: Call) -> tuple[Predicate, ...]:
    from neosian_cli.model import predicate

    filters = [predicate.parse_filter(text) for text in call.strings("filter")]
    return (*filters, *(predicate.parse_where(text) for text in call.strings("where")))


def all_matching(call: Call) -> Selection:
    """What matches the filters, in whatever state."""
    from neosian_cli.model.query import Selection

    return Selection(predicates(call), include_invalidated=True)


def renewed(call: Call, target: Access) -> dict[str, Any]:
    """After a load or a compaction: `index` and what became of it, where it was time for a new one."""
    from neosian_cli.services.semantic import indexing

    with call.output.progress("building the index") as progress:
        made = indexing.renew(target, progress.advance)
    return {} if made is None else {"index": made}
