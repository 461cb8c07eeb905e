"""A program with the real door and made-up verbs, for what no real verb does on demand: fail, hang, write too much."""

from __future__ import annotations

import os
import sys
import time

from neosian_cli.app import main
from neosian_cli.commands.declare import Argument, Flag, Option, Rest, Verb
from neosian_cli.commands.groups import Entry
from neosian_cli.errors import Failure
from neosian_cli.signals import Interrupted, Signals
from neosian_cli.surroundings import Surroundings, plug_holes


class PretendStore:
    """As much of a store as the door looks at."""

    def __init__(self, commits=0, uncertain=False):
        self.commits = commits
        self.uncertain = uncertain
        self.notes = ["the store has something to say"]


def show(call):
    """Print the values as they arrived."""
    texts = {key: call._texts[key] for key in call._texts}
    shown = {key: value.hex() if isinstance(value, bytes) else value for key, value in texts.items()}
    call.output.result({"values": dict(call.values), "texts": shown}, lambda out: out.say(repr(dict(call.values))))
    return 0


def change(call):
    """Commit, then print as many bytes as asked for."""
    call._store = PretendStore(commits=1)
    size = call.integer("size")
    call.output.result({"text": "x" * size}, lambda out: out.raw(b"x" * size + b"\n"))
    return 0


def look(call):
    """Print without a change."""
    size = call.integer("size")
    call.output.result({"text": "x" * size}, lambda out: out.raw(b"x" * size + b"\n"))
    call.output.note("that was all")
    call.output.hint("neosian look again")
    return call.integer("status")


def fail(call):
    """Say something, then raise what is asked for."""
    call.output.raw(b"half a result")
    call.output.note("a note that must not stand beside a failure")
    if call.flag("committed"):
        call._store = PretendStore(commits=1)
    if call.flag("uncertain"):
        call._store = PretendStore(uncertain=True)
    kind = call.string("kind")
    if kind == "recursion":
        return fail_deeper(call)
    if kind == "import":
        import nothing_of_this_name  # noqa: F401
    raise {
        "failure": Failure.conflict("exists", "it is there\x1b[31m already", hint="neosian look", path="/a"),
        "io": OSError(5, "Input/output error", "/tmp/\udcff"),
        "denied": PermissionError(13, "Permission denied", b"/root/\xffx"),
        "readonly": OSError(30, "Read-only file system"),
        "memory": MemoryError(),
        "value": ValueError("a fault"),
        "keyboard": KeyboardInterrupt(),
        "exit": SystemExit(0),
    }[kind]


def fail_deeper(call):
    return fail_deeper(call) + 1


def wait(call):
    """Tell that it has begun, then sleep; before or after a pretended commit."""
    call._store = PretendStore(commits=int(call.flag("committed")), uncertain=call.flag("uncertain"))
    os.write(2, b"begun\n")
    time.sleep(60)
    return 0


def follow(call):
    """Print numbered lines for ever, and a last one when told to stop."""
    number = 0
    try:
        while True:
            number += 1
            call.output.line({"type": "event", "number": number, "pad": "p" * call.integer("pad")}, flush=True)
            if call.flag("slow"):
                time.sleep(0.01)
    except Interrupted:
        call.output.line({"type": "page", "number": number}, flush=True)
        raise


def listing(call):
    rows = [{"path": f"/p/{number}\t\x1b", "bytes": number} for number in range(call.integer("count"))]
    value = {"mount": "/p", "entries": rows, "next_cursor": None}
    call.output.listing(
        value,
        lambda out: out.table(("path", ">bytes"), [((row["path"], "bold"), str(row["bytes"])) for row in rows]),
        items="entries",
        kind="entry",
    )
    return 0


def run_rest(call):
    call.output.result({"command": call.values["command"]}, lambda out: out.say(" ".join(call.values["command"])))
    return 0


def work(call):
    with call.output.progress("working", total=3) as progress:
        for _ in range(3):
            time.sleep(0.3)
            progress.advance()
    call.output.say("done")
    return 0


SIZE = Option("--size", kind="int", low=0, default=10, help="bytes to print")
STATES = (Flag("--committed", help="as if committed"), Flag("--uncertain", help="as if nobody knew"))

VERBS = (
    Verb(
        "play",
        "show",
        "print what was given",
        run="tests.cli.playground:show",
        aliases=("display",),
        params=(
            Argument("PATH", "where", required=False, complete="path"),
            Option("--limit", kind="int", low=1, high=500, default=50, help="how many"),
            Option("--ratio", kind="float", low=0, help="a number"),
            Option("--action", choices=("invalidate", "soft-delete", "hard-delete"), help="what to do"),
            Option("--content", kind="text", help="a text"),
            Option("--old", kind="text", help="another text"),
            Option("--payload", kind="bytes", help="bytes"),
            Option("--records", kind="source", help="a file"),
            Option("--extra", repeat=True, metavar="K=V", help="pairs"),
            Option("--from", metavar="N", help="a word of Python as a key"),
            Flag("--all", help="everything"),
        ),
        jsonl=True,
        exclusive=(("action", "all"),),
        examples=("neosian play show /a --limit 3",),
    ),
    Verb("play", "need", "needs much", run=show, params=(
        Argument("NS", "a namespace"),
        Argument("ID", "ids", repeat=True),
        Option("--must", required=True, help="needed"),
    )),
    Verb("play", "change", "change and print", run=change, params=(SIZE,), mutates=True),
    Verb("play", "prune", "preview or change", run=change, params=(SIZE,), preview=True),
    Verb("play", "look", "print", run=look, params=(SIZE, Option("--status", kind="int", default=0, help="exit with"))),
    Verb("play", "fail", "fail", run=fail, params=(Argument("KIND", "how"), *STATES), mutates=True),
    Verb("play", "wait", "sleep", run=wait, params=STATES, mutates=True),
    Verb("play", "follow", "go on for ever", run=follow, jsonl=True, params=(
        Option("--pad", kind="int", default=10, help="bytes of padding"),
        Flag("--slow", help="a hundred lines a second"),
    )),
    Verb("play", "list", "list", run=listing, jsonl=True, params=(
        Option("--count", kind="int", default=2, help="rows"),
    )),
    Verb("play", "work", "long work", run=work),
    Verb(None, "hold", "run a command", run=run_rest, params=(Rest("COMMAND", "what to run"),)),
)  # fmt: skip

ENTRIES = (
    Entry("play", "tests.cli.playground", "verbs to play with", group=True),
    Entry("hold", "tests.cli.playground", "run a command"),
    Entry("broken", "tests.cli.no_such_module", "a group that cannot be imported", group=True),
)

if __name__ == "__main__":
    surroundings = Surroundings(os.environ, closed=plug_holes())
    sys.exit(main(sys.argv[1:], surroundings, Signals(handled=True), ENTRIES))
