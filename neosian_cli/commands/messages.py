"""`neosian messages`: the verbs of the mailbox, as data. What they do stands in a module that loads when called."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Flag, Option, Verb, paging

RUN = "neosian_cli.commands.messages_run"
SCHEMA = "neosian_cli.services.message_schema"

ID = Argument("ID", "the message", complete="message")
DUE = (
    Option("--due-at", metavar="TIME", help="when it becomes due, as 2026-01-02T03:04:05Z"),
    Option(
        "--delay-seconds", kind="int", low=1, high=10**12, metavar="N", help="how many seconds from now it becomes due"
    ),
)
ONE_DUE = (("due_at", "delay_seconds"),)
TARGET = Option(
    "--target", metavar="MOUNT|SCOPE", complete="mount", help="only this mount, such as /project, or this mounted scope"
)
SEEN = (
    Option("--session", metavar="ID", required=True, help="the session, or conversation, that takes the step"),
    Option(
        "--occurrence", kind="int", low=1, required=True, metavar="N", help="the occurrence of the message that it saw"
    ),
)
TOKEN = Option("--token", metavar="TOKEN", required=True, help="the token of its claim")
ANY_TOKEN = Option("--token", metavar="TOKEN", help="not needed here; taken so that scripts can always pass it")
OUTCOME = Option("--outcome", metavar="TEXT", required=True, help="what came of it")


def _step(
    name: str,
    summary: str,
    description: str,
    *,
    more: tuple[Option, ...] = (),
    token: Option = ANY_TOKEN,
    example: str = "",
    result: str = "SHOWN",
) -> Verb:
    shown = " --token TOKEN" if token is TOKEN else ""
    return Verb(
        "messages",
        name,
        summary,
        run=f"{RUN}:step",
        mutates=True,
        params=(ID, *SEEN, token, *more, TARGET),
        exclusive=ONE_DUE if name == "snooze" else (),
        description=description,
        examples=(f"neosian messages {name} ID --session ci --occurrence 1{shown}{example}",),
        exits=(4, 5, 6),
        result=f"{SCHEMA}:{result}",
    )


VERBS = (
    Verb(
        "messages",
        "send",
        "store a message for whoever reads the mount's mailbox",
        run=f"{RUN}:send",
        mutates=True,
        params=(
            Option(
                "--target",
                metavar="MOUNT|SCOPE",
                complete="mount",
                help="where to, such as /project; may be left out where there is one mount",
            ),
            Option("--body", kind="text", required=True, help="the message itself"),
            Option("--conversation", metavar="ID", help="for this session only"),
            Option("--turn", kind="int", low=1, metavar="N", help="a turn of that conversation"),
            Flag("--actionable", help="it asks for something: it can be claimed and completed"),
            *DUE,
            Option(
                "--context",
                metavar="PATH",
                complete="document",
                help="a live document, as /project/notes/a, whose present version is stored with the message",
            ),
            Option(
                "--context-version", kind="int", low=1, metavar="N", help="refuse unless the context is at this version"
            ),
            Option("--change-id", metavar="TEXT", help="what the sender says it belongs to, stored as given"),
            Option("--about", metavar="ID", help="a conversation that it is about"),
            Option("--about-turn", kind="int", low=1, metavar="N", help="a turn of that conversation"),
            Option("--source", metavar="TEXT", help="where it comes from, stored as given"),
            Option("--id", metavar="UUID", help="its id: sending it again with the same content changes nothing"),
        ),
        exclusive=ONE_DUE,
        description=(
            "Without --actionable and a due time a message informs: an ack closes it. With one of them it asks for "
            "something, and one session at a time can claim it once it is due."
        ),
        examples=(
            "neosian messages send --target /project --body 'main is red since 4f2c1' --actionable",
            "neosian messages send --body @report.txt --context /project/notes/decision --context-version 3",
        ),
        exits=(4, 5, 6),
        result=f"{SCHEMA}:SHOWN",
    ),
    Verb(
        "messages",
        "list",
        "messages by due time; those that are unread unless told otherwise",
        run=f"{RUN}:list_messages",
        jsonl=True,
        params=(
            TARGET,
            Option(
                "--status",
                choices=("unread", "open", "scheduled", "closed", "all"),
                default="unread",
                help="unread: due, and never read or its claim ended; open: due; scheduled: not yet due; "
                "closed: done or cancelled",
            ),
            Option("--session", metavar="ID", help="also what is for this session only"),
            *paging(),
        ),
        description="Looking marks nothing. Of unread, open and scheduled messages only those are read that are shown.",
        examples=(
            "neosian messages list",
            "neosian messages list --target /project --session ci --json",
        ),
        result=f"{SCHEMA}:LISTING",
    ),
    Verb(
        "messages",
        "view",
        "a message and its history",
        run=f"{RUN}:view",
        params=(ID, TARGET),
        examples=("neosian messages view ID --json",),
        exits=(5,),
        result=f"{SCHEMA}:VIEW",
    ),
    _step(
        "ack",
        "say that a message was read",
        "An informational message is closed by it. One that asks for something stays open and is no longer unread. A "
        "second ack changes nothing.",
    ),
    _step(
        "claim",
        "take a due message for half an hour",
        "Of all that try, one session gets it, with a token that is shown this once. The owner who claims again gets a "
        "new token and a new lease; the earlier token is then worth nothing.",
        result="CLAIMED",
    ),
    _step(
        "renew", "begin the lease anew", "The lease then ends half an hour from now, and never earlier.", token=TOKEN
    ),
    _step("release", "give a claimed message back", "It is unread again, for every session.", token=TOKEN),
    _step(
        "complete",
        "close a claimed message with its outcome",
        "The same again, by the same session with the same token and outcome, changes nothing.",
        token=TOKEN,
        more=(OUTCOME,),
        example=" --outcome fixed",
    ),
    _step(
        "snooze",
        "put a claimed message off",
        "It becomes due again later, as the next occurrence, unread and unclaimed, with the outcome of this one.",
        token=TOKEN,
        more=(OUTCOME, *DUE),
        example=" --outcome 'still no fix' --delay-seconds 3600",
    ),
    _step(
        "cancel",
        "close a message that is no longer wanted",
        "Neither a claim nor a due time stands in the way. A second cancel changes nothing.",
    ),
)
