"""Writes the store beside this file, with the real thing: run it where neosian 1.12.2 is installed, which takes 3.12.

`write.py DIRECTORY` makes `DIRECTORY/store`, a store as its users have them, and `DIRECTORY/expected.json`, what its
own library reads from it. Only ids of messages differ from run to run.
"""

import asyncio
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from neosian._foundation.messaging.core import Mailbox
from neosian._foundation.messaging.types import MessageTarget
from neosian.memory import FileStore, MemoryConfig, Mount

USER, PROJECT = "user:ann", "user:ann/proj:erp"
SECRET = "the secret that was redacted"  # what a test looks for


class Clock:
    """A second and a bit later at every look."""

    def __init__(self):
        self.at = datetime(2026, 1, 2, 3, 4, 5, 250000, tzinfo=UTC)

    def now(self):
        self.at += timedelta(seconds=1, microseconds=7)
        return self.at


async def documents(store):
    await store.write(USER, "notes/plain", "one\n", actor="cli:ann")
    await store.write(USER, "notes/plain", "two\r\n", actor="conv:abc#4")
    await store.write(USER, "notes/fence", "---\nnot: the envelope\n---\nbody", actor=None)
    await store.write(USER, "notes/empty", "", actor="cli:ann")
    await store.write(USER, "Größe".encode("ascii", "ignore").decode() + ".md", "Grüße \u2028 \0 end", actor="cli:ann")
    await store.write(USER, "gone", "here", actor="cli:ann")
    await store.delete(USER, "gone", actor="cli:bob")
    await store.write(USER, "back", "first life", actor="cli:ann")
    await store.delete(USER, "back", actor="cli:ann")
    await store.write(USER, "back", "second life", actor="cli:ann")
    await store.write(USER, "old/name", "moved", actor="cli:ann")
    await store.rename(USER, "old/name", "new/name", actor="cli:ann")
    await store.write(USER, "secret", SECRET, actor="cli:ann")
    await store.redact(USER, path="secret", actor="cli:ops")
    await store.write(USER, "cleaned", SECRET, actor="cli:ann")
    await store.redact(USER, path="cleaned", actor="cli:ops")
    await store.write(USER, "cleaned", "clean again", actor="cli:ann")
    await store.write(PROJECT, "decision", "ship it", actor="cli:ann")
    await store.redact(PROJECT, actor="cli:ops")
    await store.write(PROJECT, "decision", "ship it later", actor="cli:ann")


async def extras(store, root):
    """Keys of a person's own in the envelope stay there when the document is written again."""
    await store.write(USER, "tagged", "v1", actor="cli:ann")
    file = root / "user%3Aann" / "documents" / "tagged.md"
    text = file.read_text()
    own = 'title: a title\ntags: [x, "y"]\nday: 2026-01-02\ndeep: {n: 1, f: 1.5, ok: true, none: null}\n'
    file.write_text(text.replace("---\nv1", own + "---\nv1"))
    await store.write(USER, "tagged", "v2", actor="cli:ann")


async def messages(store, clock):
    config = MemoryConfig(store=store, mounts=(Mount(scope=USER, mount_path="user"),))
    mailbox = Mailbox(config, session="s1", actor="cli:ann", clock=clock)
    sent = {}

    async def send(name, conversation=None, turn=None, **more):
        target = MessageTarget(USER, conversation, turn)
        receipt = await mailbox.send(target, f"body of {name}", **more)
        sent[name] = receipt.message.id
        return receipt.message

    async def step(action, message, **more):
        return (await mailbox.update(USER, message.id, action, occurrence=message.occurrence, **more)).message

    await send("plain")
    read = await send("acknowledged")
    await step("ack", read)
    await send("wanted", actionable=True)
    await send("later", delay_seconds=3600)
    await send("for one", conversation="c1", turn=3)
    claimed = await send("claimed", actionable=True)
    await step("claim", claimed)
    done = await step("claim", await send("done", actionable=True))
    await step("complete", done, token=done.claim_token, outcome="it is done")
    put_off = await step("claim", await send("snoozed", actionable=True))
    tomorrow = clock.at + timedelta(days=1)
    await step("snooze", put_off, token=put_off.claim_token, outcome="tomorrow", due_at=tomorrow)
    let_go = await step("claim", await send("released", actionable=True))
    await step("release", let_go, token=let_go.claim_token)
    await step("cancel", await send("cancelled"))
    await send("wake", delivery="wake", actionable=True)
    gone = await send("erased")
    await store.redact(USER, path=f"messages/{gone.id}", actor="cli:ops")
    return sent


async def read_back(store):
    """What the library reads: documents, versions oldest first, and acts of redaction."""
    found = {}
    for scope in (USER, PROJECT):
        live = {entry.path: await store.read(scope, entry.path) for entry in await store.list_documents(scope)}
        rows = {}
        for row in reversed(await store.history(scope)):
            rows.setdefault(row.path, []).append(row)
        found[scope] = {
            "documents": {
                path: {
                    "content": document.content,
                    "version": document.version,
                    "created_at": document.created_at.isoformat(timespec="microseconds"),
                    "updated_at": document.updated_at.isoformat(timespec="microseconds"),
                    "actor": document.actor,
                    "redacted": document.redacted,
                    "extra": {key: value if key != "day" else str(value) for key, value in document.extra.items()},
                }
                for path, document in sorted(live.items())
            },
            "versions": {
                path: [
                    [row.version, row.action, row.content, row.actor, row.redacted]
                    for row in sorted(history, key=lambda row: row.version)
                ]
                for path, history in sorted(rows.items())
            },
            "redactions": [[act.path, act.actor, act.count] for act in reversed(await store.redactions(scope))],
        }
    return found


async def main(directory):
    clock = Clock()
    root = directory / "store"
    store = FileStore(root, clock=clock)
    await documents(store)
    await extras(store, root)
    sent = await messages(store, clock)
    expected = {"messages": sent, "scopes": await read_back(store)}
    (directory / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
