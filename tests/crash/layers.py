"""The layers of the search for crashes, each a function that raises `Broken` and returns how many trials it made.

* `kills`: the process ends before every step, and in the middle of every write; memory and disk agree afterwards.
* `kills_in_recovery`: so does the process that recovers, at every step of its own.
* `power_cuts`: what is not synced is lost, in part or in any order; see `images`.
* `cuts_after_kill`: a process is killed, another recovers, and what that one left unsynced is lost.
* `failed_syncs`: a sync fails, and what it should have made durable is lost though later syncs are good.
* `promises`: what must hold of a good run beside its outcome.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from neosian_cli.errors import Failure
from tests.crash.images import Recorder, images
from tests.crash.scenarios import open_store
from tests.crash.seam import Fail, Stop, kill_process
from tests.crash.trial import Bench, Broken, in_child, leftovers, snapshot, stopped

if TYPE_CHECKING:
    from tests.crash.images import Bounds, Image

WEAK, ORDERED = "weak", "ordered"


def recover(root: str, calls: object) -> None:
    """What every verb does first."""
    with open_store(root, calls, seed=5).reading():
        pass


def points(bench: Bench) -> list[tuple[int, bool]]:
    """Every step to stop before, and every write to stop within."""
    numbered = list(enumerate(bench.trace, 1))
    return [(at, False) for at, _ in numbered] + [(at, True) for at, kind in numbered if kind == "write"]


def kills(bench: Bench, *, forked: bool = False) -> int:
    for at, torn in points(bench):
        with bench.root() as root:
            if forked:
                status = in_child(lambda: bench.scenario.run(root, Stop(at, kill_process, torn=torn)))  # noqa: B023
                if status != 9:
                    raise Broken(f"the child ended with {status}")
            else:
                stopped(lambda calls: bench.scenario.run(root, calls), Stop(at, torn=torn))
            bench.judge(root, f"stopped {'in' if torn else 'before'} step {at}")
    return len(points(bench))


def kills_in_recovery(bench: Bench, *, forked: bool = False, stride: int = 1) -> int:
    """With a stride, every so many steps of each recovery, beginning with another one each time."""
    trials = 0
    for at, torn in points(bench):
        again = at % stride + 1
        going = True
        while going:
            with bench.root() as root:
                stopped(lambda calls: bench.scenario.run(root, calls), Stop(at, torn=torn))
                if forked:
                    going = in_child(lambda: recover(root, Stop(again, kill_process))) == 9  # noqa: B023
                else:
                    going = stopped(lambda calls: recover(root, calls), Stop(again))
                bench.judge(root, f"stopped at step {at}, and recovery at step {again}")
            again += stride
            trials += 1
    return trials


def _try_images(bench: Bench, found: list[Image], what: str, only: dict[str, bytes] | None = None) -> int:
    for image in found:
        with bench.place() as place:
            image.build(place)
            if only is not None and os.path.lexists(f"{place}/root/.transactions/pending.json"):
                raise Broken(f"{bench.scenario}: {what}: the plan may come back after success")
            bench.judge(f"{place}/root", f"{what}: {image.what}", only=only)
    return len(found)


def power_cuts(bench: Bench, mode: str, bounds: Bounds) -> int:
    """Every prefix of a run, and every legal image after it; the whole run first, which finds most."""
    with bench.root() as root:
        recorder = Recorder(root)
        bench.scenario.run(root, recorder)
    finished = images(recorder, len(recorder.log), mode, bounds, set())
    trials = _try_images(bench, finished, f"{mode} cut after success", only=bench.after)
    seen: set[object] = set()
    for end in reversed(range(len(recorder.log))):
        trials += _try_images(bench, images(recorder, end, mode, bounds, seen), f"{mode} cut after step {end}")
    return trials


def cuts_after_kill(bench: Bench, mode: str, bounds: Bounds) -> int:
    """A kill at every step, a recovery, and a cut at every step of it and after it."""
    trials = 0
    seen: set[object] = set()
    stride = bounds.kills if bounds.kills == 1 else max(bounds.kills, len(bench.trace) // 3)
    for at in range(bench.trace.index("rename") + 2, len(bench.trace) + 1, stride):
        with bench.root() as root:
            recorder = Recorder(root, stop_at=at)
            stopped(lambda calls: bench.scenario.run(root, calls), recorder)
            recorder.stop_at = None
            start = len(recorder.log)
            recover(root, recorder)
            outcome = snapshot(root)
        if len(recorder.log) == start:
            continue
        what = f"stopped at step {at}, recovered, {mode} cut"
        for end in range(start + at % bounds.cuts, len(recorder.log), bounds.cuts):
            trials += _try_images(bench, images(recorder, end, mode, bounds, seen), f"{what} after step {end - start}")
        finished = images(recorder, len(recorder.log), mode, bounds, set())
        trials += _try_images(bench, finished, f"{what} after recovery", only=outcome)
    return trials


def failed_syncs(bench: Bench, mode: str, bounds: Bounds) -> int:
    """Every file sync fails in turn; another process recovers; what the failed sync was for is lost for good."""
    trials = 0
    for at, kind in enumerate(bench.trace, 1):
        if kind != "sync_file":
            continue
        with bench.root() as root:
            recorder = Recorder(root, fail_at=at)
            try:
                bench.scenario.run(root, recorder)
            except Failure:
                recorder.fail_at = None
            else:
                raise Broken("a failed sync was called a success")
            recover(root, recorder)
            outcome = snapshot(root)
        finished = images(recorder, len(recorder.log), mode, bounds, set())
        trials += _try_images(bench, finished, f"sync at step {at} failed, recovered, {mode} cut", only=outcome)
    return trials


def errors(bench: Bench, number: int) -> int:
    """Every step fails in turn: no success is reported, nothing is written after it, and the truth is told."""
    for at in range(1, len(bench.trace) + 1):
        for happens in (False, True):
            with bench.root() as root:
                calls = Fail(at, number, happens=happens)
                _fail_once(bench, root, calls)
                bench.judge(root, f"{errno.errorcode[number]} at step {at}")
    return 2 * len(bench.trace)


def _fail_once(bench: Bench, root: str, calls: Fail) -> None:
    what = f"{bench.scenario}: {errno.errorcode[calls.error]} at step {calls.at}"
    try:
        bench.scenario.run(root, calls)
    except Failure as failure:
        committed = failure.details["committed"]
        status = failure.exit_status
    else:
        raise Broken(f"{what}: called a success")
    if not status:
        raise Broken(f"{what}: exit status 0")
    if calls.after:
        raise Broken(f"{what}: goes on with {calls.after}")
    pending = "pending.json" in leftovers(root)
    done = snapshot(root) == bench.after
    right = {True: pending or done, False: not pending and not done, "unknown": pending}
    if not right[committed]:
        raise Broken(f"{what}: committed is {committed!r}, pending {pending}")


def refused_recovery_step(bench: Bench, number: int) -> int:
    """A recovery that fails at every step tells that this command changed nothing, and leaves the plan."""
    trials = 0
    commit_point = bench.trace.index("rename") + 2
    with bench.root() as root:
        stopped(lambda calls: bench.scenario.run(root, calls), Stop(commit_point))
        steps = Stop(1 << 20)
        recover(root, steps)
    for at in range(1, len(steps.trace) + 1):
        with bench.root() as root:
            stopped(lambda calls: bench.scenario.run(root, calls), Stop(commit_point))
            calls = Fail(at, number)
            try:
                recover(root, calls)
            except Failure as failure:
                if failure.details["committed"] is not False:
                    raise Broken(f"recovery failing at step {at} calls a change made") from failure
            else:
                raise Broken(f"recovery failing at step {at} is called a success")
            if calls.after:
                raise Broken(f"recovery failing at step {at} goes on with {calls.after}")
            bench.judge(root, f"recovery failed at step {at}", only=bench.after)
        trials += 1
    return trials
