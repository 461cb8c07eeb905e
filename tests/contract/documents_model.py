"""The memory verbs over a dict: no files, no locks, nothing durable. The oracle of the contract and of the machine.

It says what the verbs mean in the shortest way there is, and shares no line with the store.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from neosian_cli.errors import Failure
from neosian_cli.model import times

if TYPE_CHECKING:
    from collections.abc import Callable

    from neosian_cli.model.mount import Mount

Row = dict[str, Any]
RESERVED = ("messages", "message-links")


def refuse(code: str, **details: object) -> Failure:
    return Failure(code, "refused by the model", **details)


def conflict(reason: str, **details: object) -> Failure:
    return Failure.conflict(reason, "refused by the model", **details)


@dataclass
class Scope:
    """Rows of every path, oldest first, and the events of the feed."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    erasures: int = 0


class Model:
    """`now` gives an instant for every mutation."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.scopes: dict[str, Scope] = {}

    def copy(self) -> dict[str, Scope]:
        return copy.deepcopy(self.scopes)

    # State

    def scope(self, mount: Mount) -> Scope:
        return self.scopes.setdefault(mount.scope, Scope())

    def newest(self, mount: Mount, path: str) -> Row | None:
        rows = self.scope(mount).rows.get(path)
        return rows[-1] if rows else None

    def live(self, mount: Mount, path: str) -> Row | None:
        newest = self.newest(mount, path)
        return newest if newest and newest["action"] != "deleted" else None

    # Preconditions

    def permit(self, mount: Mount, path: str, *, structural: bool) -> None:
        if path.split("/", maxsplit=1)[0] in RESERVED:
            raise refuse("reserved_path")
        self.structural(mount, wanted=structural)

    def structural(self, mount: Mount, *, wanted: bool) -> None:
        if mount.mode == "ro":
            raise refuse("read_only")
        if wanted and mount.mode == "eo":
            raise refuse("edit_only")

    def at_version(self, mount: Mount, path: str, if_version: int | None) -> None:
        live = self.live(mount, path)
        actual = live["version"] if live else 0
        if if_version is not None and if_version != actual:
            raise conflict("version_mismatch", actual=actual)

    def must_live(self, mount: Mount, path: str, if_version: int | None) -> Row:
        live = self.live(mount, path)
        if live is None and not if_version:
            raise refuse("not_found")
        self.at_version(mount, path, if_version)
        assert live is not None
        return live

    # Making versions

    def event(self, mount: Mount, kind: str, **references: Any) -> int:
        events = self.scope(mount).events
        if not events:
            events.append({"kind": "state.scope_reset", "reason": "tracking_started"})
        events.append({"kind": f"state.{kind}", **references})
        return len(events)

    def add(self, mount: Mount, path: str, action: str, content: str, extra: Any, *, actor: str, now: str) -> Row:
        newest, live = self.newest(mount, path), self.live(mount, path)
        row = {
            "version": newest["version"] + 1 if newest else 1,
            "action": action,
            "content": content,
            "extra": extra,
            "actor": actor,
            "created_at": now,
            "born": live["born"] if live else now,
            "erased": False,
        }
        self.scope(mount).rows.setdefault(path, []).append(row)
        return row

    def changed(self, mount: Mount, path: str, row: Row, **more: object) -> dict[str, object]:
        result = {"scope": mount.scope, "path": path, "mounted_path": f"/{mount.name}/{path}"}
        return {**result, "version": row["version"], **more, "action": row["action"]}

    def put(self, mount: Mount, path: str, content: str, extra: Any, actor: str) -> dict[str, object]:
        action = "modified" if self.live(mount, path) else "created"
        row = self.add(mount, path, action, content, extra, actor=actor, now=times.spell(self.now()))
        self.event(mount, f"document_{action}", path=path, version=row["version"])
        return self.changed(mount, path, row)

    # The verbs

    def write(
        self,
        mount: Mount,
        path: str,
        content: str,
        *,
        actor: str,
        if_version: int | None = None,
        extra: dict[str, Any] | None = None,
    ) -> dict[str, object]:
        self.permit(mount, path, structural=False)
        self.at_version(mount, path, if_version)
        live = self.live(mount, path)
        self.structural(mount, wanted=live is None)
        kept = live["extra"] if live else {}
        return self.put(mount, path, content, kept if extra is None else extra, actor)

    def replace(
        self, mount: Mount, path: str, old: str, new: str, *, actor: str, if_version: int | None = None
    ) -> dict[str, object]:
        if not old:
            raise refuse("invalid_argument")
        self.permit(mount, path, structural=False)
        live = self.must_live(mount, path, if_version)
        content = live["content"]
        found = [at for at in range(len(content)) if content.startswith(old, at)]
        if len(found) != 1:
            lines = [content[:at].count("\n") + 1 for at in found]
            raise conflict("several_matches" if found else "no_match", count=len(found), lines=lines)
        body = content[: found[0]] + new + content[found[0] + len(old) :]
        return self.put(mount, path, body, live["extra"], actor)

    def insert(
        self, mount: Mount, path: str, line: int, text: str, *, actor: str, if_version: int | None = None
    ) -> dict[str, object]:
        if line < 0:
            raise refuse("invalid_argument")
        self.permit(mount, path, structural=False)
        live = self.must_live(mount, path, if_version)
        lines = live["content"].split("\n")
        if lines[-1] == "":
            lines.pop()
        if line > len(lines):
            raise conflict("line_out_of_range", lines=len(lines))
        ends_whole = live["content"].endswith("\n") or line == len(lines)
        lines[line:line] = (text.removesuffix("\n") if text.endswith("\n") else text).split("\n")
        return self.put(mount, path, "\n".join(lines) + ("\n" if ends_whole else ""), live["extra"], actor)

    def delete(self, mount: Mount, path: str, *, actor: str, if_version: int | None = None) -> dict[str, object]:
        self.permit(mount, path, structural=True)
        self.must_live(mount, path, if_version)
        return self.changed(mount, path, self.drop(mount, path, actor, times.spell(self.now())))

    def drop(self, mount: Mount, path: str, actor: str, now: str, *, event: bool = True) -> Row:
        row = self.add(mount, path, "deleted", "", {}, actor=actor, now=now)
        if event:
            self.event(mount, "document_deleted", path=path, version=row["version"])
        return row

    def rename(
        self,
        mount: Mount,
        path: str,
        new_mount: Mount,
        new_path: str,
        *,
        actor: str,
        if_version: int | None = None,
    ) -> dict[str, object]:
        if new_mount != mount:
            raise refuse("unsupported")
        self.permit(mount, path, structural=True)
        self.permit(mount, new_path, structural=True)
        live = self.must_live(mount, path, if_version)
        if taken := self.live(mount, new_path):
            raise conflict("exists", actual=taken["version"])
        now = times.spell(self.now())
        gone = self.drop(mount, path, actor, now, event=False)
        row = self.add(mount, new_path, "renamed", live["content"], live["extra"], actor=actor, now=now)
        row["erased"] = live["erased"]
        previous = {"previous_path": path, "previous_version": gone["version"]}
        self.event(mount, "document_renamed", path=new_path, version=row["version"], **previous)
        return self.changed(mount, new_path, row, **previous)

    def revert(self, mount: Mount, path: str, version: int, *, actor: str) -> dict[str, object]:
        self.permit(mount, path, structural=False)
        newest = self.newest(mount, path)
        if newest is None or version > newest["version"]:
            raise refuse("not_found")
        if version < newest["version"]:
            raise conflict("revert_stale")
        if newest["erased"]:
            raise conflict("erased")
        if newest["action"] in ("created", "renamed"):
            self.structural(mount, wanted=True)
            return self.changed(mount, path, self.drop(mount, path, actor, times.spell(self.now())))
        self.structural(mount, wanted=newest["action"] == "deleted")
        before = self.scope(mount).rows[path][-2]
        if before["erased"]:
            raise conflict("erased")
        return self.put(mount, path, before["content"], before["extra"], actor)

    def erase(
        self, mount: Mount, path: str | None, *, actor: str, apply: bool = False, whole: bool = False
    ) -> dict[str, object]:
        if (path is None) != whole:
            raise refuse("invalid_argument")
        self.structural(mount, wanted=False)
        scope = self.scope(mount)
        documents = versions = 0
        for each, rows in scope.rows.items():
            if path not in (None, each) or not any(row["content"] or row["extra"] for row in rows if not row["erased"]):
                continue
            live = self.live(mount, each)
            documents += live is not None and not live["erased"]
            versions += sum(not row["erased"] for row in rows)
            if apply:
                for row in rows:
                    row.update(content="", extra={}, erased=True)
        if apply and versions:
            scope.erasures += 1
            if path is None:
                self.event(mount, "scope_erased")
            else:
                self.event(mount, "document_erased", path=path)
        counts = {"documents": documents, "versions": versions, "applied": apply}
        return {"scope": mount.scope, "path": path, **counts}

    # Looking

    def view(self, mount: Mount, path: str, *, version: int | None = None) -> dict[str, object]:
        row = self.live(mount, path)
        if version is not None:
            rows = self.scope(mount).rows.get(path, [])
            row = rows[version - 1] if 0 < version <= len(rows) else None
            row = row if row and row["action"] != "deleted" else None
        if row is None:
            raise refuse("not_found")
        return {
            "scope": mount.scope,
            "path": path,
            "mounted_path": f"/{mount.name}/{path}",
            "version": row["version"],
            "created_at": row["born"],
            "updated_at": row["created_at"],
            "actor": row["actor"],
            "erased": row["erased"],
            "content": row["content"],
            "extra": row["extra"],
        }

    def everything(self, mount: Mount) -> list[dict[str, object]]:
        """What listing all pages gives."""
        found = []
        for path in sorted(self.scope(mount).rows):
            if self.live(mount, path):
                shown = self.view(mount, path)
                size = len(str(shown.pop("content")).encode())
                del shown["extra"], shown["scope"]
                found.append({**shown, "bytes": size})
        return found

    def history(self, mount: Mount, path: str) -> list[dict[str, object]]:
        """What all pages of versions with bodies give."""
        rows = self.scope(mount).rows.get(path)
        if rows is None:
            raise refuse("not_found")
        keys = ("version", "action", "actor", "created_at", "erased", "content", "extra")
        return [{key: row[key] for key in keys} for row in reversed(rows)]

    def feed(self, mount: Mount) -> list[dict[str, Any]]:
        return list(self.scope(mount).events)
