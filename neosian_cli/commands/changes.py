"""`neosian changes`: the verbs of the change feed, as data. What they do stands in modules that load when called."""

from __future__ import annotations

from neosian_cli.commands.declare import Argument, Flag, Option, Verb

READ = "neosian_cli.commands.changes_read"
UPKEEP = "neosian_cli.commands.changes_upkeep"
SCHEMA = "neosian_cli.services.changes.schema"

PATH = Argument(
    "PATH",
    "the mount whose feed is meant, such as /project; may be left out where there is one mount",
    required=False,
    complete="mount",
)

VERBS = (
    Verb(
        "changes",
        "read",
        "what has happened in a mount since a cursor",
        run=f"{READ}:run",
        jsonl=True,
        params=(
            PATH,
            Option("--cursor", kind="cursor", metavar="CURSOR", help="go on after the page whose cursor this is"),
            Option("--checkpoint", kind="file", complete="file", help="go on where the consumer of this file stands"),
            Option(
                "--from",
                choices=("start", "now"),
                help="where to begin without a cursor: the oldest event that is retained, or the head",
            ),
            Option("--limit", kind="int", low=1, high=100, default=50, help="how many events a page has at most"),
            Flag("--all", help="go on, page after page, to the head as it stands at the start"),
            Flag("--follow", help="go on for ever: print events as they come"),
            Option(
                "--interval",
                kind="float",
                low=0.01,
                high=86_400,
                metavar="SECONDS",
                help="with --follow: how often to look; 1.0 by default",
            ),
            Option(
                "--timeout",
                kind="float",
                low=0,
                high=1_000_000_000,
                metavar="SECONDS",
                help="with --follow: end after this time in all",
            ),
            Flag("--auto-advance", help="save each page's cursor in the checkpoint file once the page is written out"),
            Flag("--gap-ok", help="exit with 0 on a gap too: for those who take it from the page"),
        ),
        exclusive=(("cursor", "checkpoint"), ("cursor", "from"), ("all", "follow")),
        description=(
            "Print up to LIMIT events after a cursor, oldest first, and the cursor after them. Without a cursor it "
            "begins with the oldest event that is retained. The same cursor gives the same events again, until they "
            "are pruned. A gap (exit 3) means that events may have been missed: nothing is consumed, and the page "
            "says which kind of gap it is."
        ),
        examples=(
            "neosian changes read /project",
            "neosian changes read /project --cursor CURSOR --json",
            "neosian changes read /project --checkpoint work.cursor --from start --all --jsonl",
            "neosian changes read /project --follow --jsonl | while read -r line; do …; done",
        ),
        exits=(3, 9),
        result=f"{SCHEMA}:PAGE",
    ),
    Verb(
        "changes",
        "checkpoint",
        "show or move the place that a consumer keeps in a file",
        run=f"{UPKEEP}:checkpoint",
        params=(
            Argument("FILE", "the checkpoint file", kind="file", complete="file"),
            PATH,
            Option("--advance", kind="cursor", metavar="CURSOR", help="save this cursor: the work up to it is done"),
            Flag("--force", help="move it back, or to another stream or history, after a reconciliation"),
        ),
        mutates=lambda values: values["advance"] is not None,
        description=(
            "Without --advance, print what the file holds and how far behind the feed that is. With it, replace the "
            "file atomically; it is then readable by its owner only."
        ),
        examples=(
            "neosian changes checkpoint work.cursor /project",
            "neosian changes checkpoint work.cursor /project --advance CURSOR",
        ),
        exits=(4, 5),
        result=f"{SCHEMA}:CHECKPOINT",
    ),
    Verb(
        "changes",
        "snapshot",
        "the state to start from after a gap, and the cursor to go on with",
        run=f"{UPKEEP}:snapshot",
        jsonl=True,
        params=(PATH,),
        description=(
            "Take the head's cursor, then list the live documents. Every version that is listed is at least as new as "
            "the cursor; what changes meanwhile comes again as an event with its version."
        ),
        examples=("neosian changes snapshot /project --jsonl",),
        exits=(3, 9),
        result=f"{SCHEMA}:SNAPSHOT",
    ),
    Verb(
        "changes",
        "status",
        "how far a feed goes, and how far its consumers are",
        run=f"{UPKEEP}:status",
        params=(
            PATH,
            Option("--checkpoint", kind="file", repeat=True, complete="file", help="a consumer's checkpoint file"),
        ),
        examples=("neosian changes status /project --checkpoint work.cursor",),
        exits=(5, 9),
        result=f"{SCHEMA}:STATUS",
    ),
    Verb(
        "changes",
        "stats",
        "retained events by time, kind and path",
        run=f"{UPKEEP}:stats",
        params=(
            PATH,
            Option("--since", metavar="TIME", help="count events from this time on, as in 2026-01-02T03:04:05Z"),
            Option("--until", metavar="TIME", help="count events before this time"),
            Option("--by", choices=("hour", "day", "month"), default="day", help="how long a bar's time is"),
        ),
        description="Read all retained events and draw them: a bar a stretch of time (UTC), and the busiest paths.",
        examples=("neosian changes stats /project --by hour --since 2026-01-02T00:00:00Z",),
        exits=(9,),
        result=f"{SCHEMA}:STATS",
    ),
    Verb(
        "changes",
        "verify",
        "read a whole feed and check that nothing in it is damaged or missing",
        run=f"{UPKEEP}:verify",
        params=(PATH,),
        examples=("neosian changes verify /project",),
        exits=(9,),
        result=f"{SCHEMA}:VERIFY",
    ),
    Verb(
        "changes",
        "prune",
        "remove events that every consumer has passed",
        run=f"{UPKEEP}:prune",
        preview=True,
        params=(
            PATH,
            Option(
                "--through",
                required=True,
                kind="cursor",
                metavar="CURSOR",
                help="the last event to remove, as its cursor",
            ),
            Flag("--all", help="go on where more than 10,000 events are to be removed"),
            Option(
                "--not-past",
                kind="file",
                repeat=True,
                complete="file",
                help="refuse to remove what the consumer of this checkpoint file has not seen",
            ),
        ),
        description=(
            "Remove the events up to and including the cursor's, at most 10,000 in one call, for good. Documents, "
            "their versions and the numbering stay. Nothing prunes a feed by itself."
        ),
        examples=(
            "neosian changes prune /project --through CURSOR",
            "neosian changes prune /project --through CURSOR --not-past work.cursor --all --write",
        ),
        exits=(4, 5, 6, 9),
        result=f"{SCHEMA}:PRUNE",
    ),
)
