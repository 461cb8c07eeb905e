"""`neosian docs`."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.commands.call import Call

TOPICS = {
    "changes": "the change feed: events, cursors, gaps, retention",
    "memory": "documents, their versions, conditions and erasure",
    "messaging": "messages: sending, claiming, retrying, and what delivery promises",
    "semantic": "records found by meaning, words and time; embedders, versions, two times",
    "config": "profiles, mounts, and where a setting comes from",
    "store": "the directory, what a change promises, backups",
    "scripting": "following a feed, retrying safely, use in CI",
    "exit-status": "every exit status and error code",
}


_TOPIC = {"type": "object", "properties": {"topic": {"enum": list(TOPICS)}, "about": {"type": "string"}}}
RESULT = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"topics": {"type": "array", "items": {**_TOPIC, "required": ["topic", "about"]}}},
            "required": ["topics"],
        },
        {
            "type": "object",
            "properties": {"topic": {"enum": list(TOPICS)}, "text": {"type": "string"}},
            "required": ["topic", "text"],
        },
    ],
}


def run(call: Call) -> int:
    topic = call.maybe("topic")
    if topic is None:
        rows = [{"topic": name, "about": about} for name, about in TOPICS.items()]
        call.output.result(
            {"topics": rows},
            lambda out: out.table(("topic", "about"), [(row["topic"], row["about"]) for row in rows]),
        )
        call.output.hint("neosian docs TOPIC")
        return 0
    from neosian_cli.render.page import show
    from neosian_cli.services.pages import page

    text = page(topic)
    call.output.result({"topic": topic, "text": text}, lambda out: show(out, text))
    return 0


VERBS = (
    Verb(
        None,
        "docs",
        "the pages that ship with the program",
        run=run,
        selection=False,
        params=(Argument("TOPIC", "which page; without it they are listed", required=False, choices=tuple(TOPICS)),),
        result=RESULT,
        examples=("neosian docs", "neosian docs changes | less"),
    ),
)
