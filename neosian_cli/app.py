"""The one door: arguments in, exit status out; whatever happens inside becomes one of the failures in `errors`.

A verb's result is written when the verb has succeeded. Each failure that may come after a change says in
`details.committed` whether the change is made.
"""

from __future__ import annotations

from neosian_cli.render.output import HUMAN, JSON, JSONL, Output
from neosian_cli.render.stream import ClosedPipe, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neosian_cli.commands.call import Call
    from neosian_cli.commands.declare import Verb
    from neosian_cli.commands.groups import Entry
    from neosian_cli.signals import Signals
    from neosian_cli.surroundings import Surroundings

# The codes whose details tell whether a change is made.
TELLING = ("io_error", "internal", "output_failed", "interrupted")
# What a person is told of it, where the failure does not say so itself.
STATE: dict[object, str] = {
    True: "; the change is made",
    False: "; nothing was changed",
    "unknown": "; whether the change is made is not known",
}
# What to do after Ctrl-C and its like, by whether the change is made.
AFTER_A_STOP: dict[object, str] = {
    True: "neosian status shows how things stand",
    False: "the same command begins anew",
    "unknown": "neosian verify reads all that is there",
}


class Attempt:
    """What is known so far of one run, for the report of a failure."""

    __slots__ = ("argv", "call", "output", "signals", "surroundings")

    def __init__(
        self, surroundings: Surroundings, signals: Signals, argv: Sequence[str] = (), *, machine: bool = False
    ) -> None:
        self.argv = argv
        self.surroundings = surroundings
        self.signals = signals
        self.call: Call | None = None
        self.output = self.speak(JSON if machine else HUMAN)

    def speak(self, mode: str, *, quiet: bool = False) -> Output:
        """An output in that mode."""
        given = self.surroundings
        out = Stream(given.stdout, closed=given.stdout in given.closed)
        err = Stream(given.stderr, closed=given.stderr in given.closed)
        return Output(out, err, self.signals, given.env, mode=mode, quiet=quiet)


def main(
    argv: Sequence[str],
    surroundings: Surroundings,
    signals: Signals,
    entries: Sequence[Entry] | None = None,
) -> int:
    """Run one command line (without the program's name); the exit status. Never raises an Exception."""
    attempt: Attempt | None = None
    try:
        signals.install()
        from neosian_cli.commands import dispatch

        attempt = Attempt(surroundings, signals, argv, machine=dispatch.machine_reads(argv))
        return _run(attempt, argv, entries)
    except BaseException as error:  # noqa: BLE001  # the door: nothing passes
        signals.deafen()
        return _report(attempt or Attempt(surroundings, signals), error)


def _mode(values: Mapping[str, object]) -> str:
    return JSONL if values.get("jsonl") else JSON if values.get("json") else HUMAN


def _run(attempt: Attempt, argv: Sequence[str], entries: Sequence[Entry] | None) -> int:
    from neosian_cli.commands import dispatch, groups
    from neosian_cli.commands.call import Call

    try:
        verb, values = dispatch.read(argv, groups.ENTRIES if entries is None else entries)
    except dispatch.HelpWanted as wanted:
        attempt.output.raw(wanted.text.encode())
        attempt.output.finish(attempt.signals.deafen)
        return 0
    output = attempt.output = attempt.speak(_mode(values), quiet=bool(values["quiet"]))
    output.spell_hint = lambda hint: _spell(hint, verb, values)
    call = attempt.call = Call(verb, values, attempt.surroundings, output, attempt.signals)
    call.read_inputs()
    run = verb.run
    if isinstance(run, str):
        module, _, name = run.partition(":")
        run = getattr(__import__(module, fromlist=[name]), name)
    attempt.signals.check()
    status: int = run(call)
    for remark in call.remarks():
        output.note(remark)
    if verb.preview and not call.mutates and not call.idle:
        output.note("this was a preview, nothing was changed")
        output.hint("the same command with --write does it")
    output.finish(attempt.signals.deafen)
    return status


def _spell(hint: str, verb: Verb, values: Mapping[str, object]) -> str:
    """A hint whose commands find this call's store again."""
    from neosian_cli.commands.declare import SELECTION

    if not any(values.get(option.key) for option in SELECTION):
        return hint
    from neosian_cli.commands import again

    return again.spell(hint, verb, values)


def _report(attempt: Attempt, error: BaseException) -> int:
    """Say what went wrong; the exit status."""
    from neosian_cli import diagnosis
    from neosian_cli.errors import HINTS

    call = attempt.call
    if isinstance(error, ClosedPipe) and not (call is not None and call.mutates):
        return 0
    failure = diagnosis.failure_of(error)
    if failure.retyped is not None:
        from neosian_cli.commands import retyped

        failure.hint = retyped.hint(attempt.argv, *failure.retyped)
        attempt.output.spell_hint = str
    if failure.hint is None and failure.code in HINTS and call is not None:
        failure.hint = HINTS[failure.code].format(verb=call.verb.title)
    if failure.code in TELLING:
        says_so = "committed" in failure.details or failure.code == "io_error"
        failure.details.setdefault("committed", call.committed if call is not None else False)
        if not says_so and call is not None and call.mutates:
            failure.message += STATE[failure.details["committed"]]
        if failure.code == "interrupted" and call is not None and not call.values.get("follow"):
            failure.hint = failure.hint or AFTER_A_STOP[failure.details["committed"]]
    attempt.output.discard()
    if attempt.surroundings.env.get("NEOSIAN_DEBUG", "") not in ("", "0"):
        attempt.output.traceback(diagnosis.trace_of(error))
    attempt.output.failure(failure)
    return failure.exit_status
