"""Sending and listing messages as closed ones pile up: 20 are open, all others are closed.

NEOSIAN_BENCH_PEER names the program of another mailbox with the verbs `messages send` and `messages list` and the
options --root and --scope, such as PyPI's neosian 1.12.2 in an environment of its own; it is then measured in the same
rounds, with up to 1,000 messages, since it reads them all.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import replace
from typing import TYPE_CHECKING

import measure
import samples

from neosian_cli.model import message, mount
from neosian_cli.model.draft import Draft
from neosian_cli.model.lifecycle import Step
from neosian_cli.services import inbox, messages
from neosian_cli.store import mailbox
from neosian_cli.store.documents import ScopeWriter
from neosian_cli.store.open_messages import entry_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from neosian_cli.store.root import Store

OPEN = 20
SIZES = (10, 1_000, 100_000)
ROUNDS = 30
PROCESS_ROUNDS = 15
BODY = "Look at the build: it has been red since the last merge.\n"
MOUNTS = [mount.make("memories", samples.SCOPE)]
PEER_LIMIT = 1_000


def fill(root: str, closed: int, opened: int = OPEN) -> None:
    """Messages that were sent and acknowledged, and then some that are open."""
    store = samples.open_store(root, samples.Unsynced())
    for start in range(0, closed, samples.PER_TRANSACTION):
        with store.writing("sample") as transaction:
            writer = ScopeWriter(transaction, samples.SCOPE, "cli:bench")
            for _ in range(start, min(start + samples.PER_TRANSACTION, closed)):
                made = Draft(BODY).message(transaction.new_id(), samples.SCOPE, "cli:bench", None, transaction.now)
                row = writer.write(made.path, *message.encode(made), None)
                done = replace(made, status=message.DONE, read_by="s", read_at=transaction.now)
                writer.write(made.path, *message.encode(done), row)
            writer.commit()
    _open(store, opened)


def _open(store: Store, count: int) -> None:
    with store.writing("sample") as transaction:
        writer = ScopeWriter(transaction, samples.SCOPE, "cli:bench")
        entries = []
        for _ in range(count):
            made = Draft(BODY).message(transaction.new_id(), samples.SCOPE, "cli:bench", None, transaction.now)
            row = writer.write(made.path, *message.encode(made), None)
            entries.append(entry_of(made, row.version))
        mailbox.put_index(transaction, samples.SCOPE, entries, writer.feed.stream, writer.feed.next_sequence - 1)
        writer.commit()


def send(root: str) -> None:
    """A message more, and closed again, so that as many are open as before."""
    store = samples.open_store(root)
    sent = messages.send(store, MOUNTS, Draft(BODY), actor="cli:bench")
    messages.advance(store, MOUNTS, sent["id"], Step("ack", "s", 1), actor="cli:bench")


def listing(root: str, status: str, **options: object) -> Callable[[], None]:
    def run() -> None:
        inbox.list_messages(samples.open_store(root), MOUNTS, status=status, **options)  # type: ignore[arg-type]

    return run


def in_process(roots: dict[int, str]) -> None:
    contenders: dict[str, Callable[[], None]] = {}
    for size, root in roots.items():
        contenders[f"send {size}"] = lambda root=root: send(root)  # type: ignore[misc]
        for status in ("unread", "open", "scheduled"):
            contenders[f"{status} {size}"] = listing(root, status)
    found = measure.calls(contenders, ROUNDS)
    columns = ("send", "unread", "open", "scheduled")
    measure.table(
        f"Messages in one process, {OPEN} open, ms (median of {ROUNDS})",
        ("messages", "send and ack", *(f"list --status {status}" for status in columns[1:])),
        [(f"{size:,}", *(_ms(found[f"{name} {size}"]) for name in columns)) for size in roots],
    )


def many_open(folder: str) -> None:
    roots = {}
    for size in (100, 10_000):
        roots[size] = f"{folder}/open-{size}"
        fill(roots[size], 0, size)
    contenders: dict[str, Callable[[], None]] = {}
    for size, root in roots.items():
        contenders[f"send {size}"] = lambda root=root: send(root)  # type: ignore[misc]
        contenders[f"list {size}"] = listing(root, "unread")
    found = measure.calls(contenders, ROUNDS)
    measure.table(
        f"Messages in one process, all open, ms (median of {ROUNDS})",
        ("open", "send and ack", "list, a page of 50"),
        [(f"{size:,}", _ms(found[f"send {size}"]), _ms(found[f"list {size}"])) for size in roots],
    )


def whole_processes(folder: str, roots: dict[int, str]) -> None:
    environment = {"PATH": os.environ["PATH"], "NEOSIAN_HOME": folder, "HOME": folder}
    environment |= {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
    ours = [measure.PYTHON, "-m", "neosian_cli"]
    contenders: dict[str, list[str]] = {"python -c pass": [measure.PYTHON, "-c", "pass"]}
    for size, root in roots.items():
        place = ["--root", root, "--scope", samples.SCOPE]
        contenders[f"send, {size:,} messages"] = [*ours, "messages", "send", "--body", BODY, *place]
        contenders[f"list, {size:,} messages"] = [*ours, "messages", "list", "--json", *place]
    peer = os.environ.get("NEOSIAN_BENCH_PEER")
    for size in [size for size in roots if peer and size <= PEER_LIMIT]:
        place = ["--root", f"{folder}/peer-{size}", "--scope", samples.SCOPE]
        for _ in range(size):
            command = [str(peer), "messages", "send", "--body", BODY, *place]
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        contenders[f"peer: send, {size:,} messages"] = [str(peer), "messages", "send", "--body", BODY, *place]
        contenders[f"peer: list, {size:,} messages"] = [str(peer), "messages", "list", "--json", *place]
    found = measure.processes(contenders, environment, PROCESS_ROUNDS)
    bare = measure.median(found["python -c pass"].cpu)
    measure.table(
        f"Messages as whole processes, {OPEN} open at first (median of {PROCESS_ROUNDS})",
        ("command", "CPU ms", "× bare Python", "wall ms"),
        [
            (
                name,
                measure.milliseconds(measure.median(sample.cpu)),
                f"{measure.median(sample.cpu) / bare:.2f}",
                measure.milliseconds(measure.median(sample.wall)),
            )
            for name, sample in found.items()
        ],
    )
    if not peer:
        print("\nNo peer was measured: NEOSIAN_BENCH_PEER is not set.")


def _ms(sample: measure.Samples) -> str:
    return measure.milliseconds(measure.median(sample.wall))


def main() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("NEOSIAN_BENCH_DIR")) as folder:
        roots = {}
        for size in SIZES:
            roots[size] = f"{folder}/messages-{size}"
            fill(roots[size], max(0, size - OPEN), min(size, OPEN))
        in_process(roots)
        many_open(folder)
        whole_processes(folder, roots)


if __name__ == "__main__":
    main()
