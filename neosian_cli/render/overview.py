"""`status` and `verify` for people."""

from __future__ import annotations

from neosian_cli.render.text import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.render.output import Output
    from neosian_cli.render.table import Cell

ROWS = 10
"""Rows of a screen's 24 that are left for mounts, namespaces and findings beside what stands around them."""
STYLE = {"fault": "red", "warning": "yellow", "repaired": "green"}


def show_status(out: Output, found: dict[str, Any]) -> None:
    """At most a screen: the store, its mounts, what is under way, what needs attention."""
    pairs: list[tuple[str, Cell]] = [("root", found["root"] + _absence(found)), ("home", found["home"])]
    if found["profile"]:
        pairs.append(("profile", found["profile"]))
    if found["lock"]:
        pairs.append(("lock", (_holder(found["lock"]), "yellow")))
    if found["pending_plan"]:
        pairs.append(("pending", (_plan(found["pending_plan"]), "yellow")))
    out.facts(pairs)
    out.say()
    lists = [found[name] for name in ("mounts", "namespaces", "findings")]
    shown = _shares([len(rows) for rows in lists]) if out.out.terminal else [len(rows) for rows in lists]
    mounts, namespaces, findings = (rows[:most] for rows, most in zip(lists, shown, strict=True))
    out.table(
        ("mount", "scope", "=mode", ">documents", ">events", ">head", "=last change"),
        [_mount(mount) for mount in mounts],
    )
    _rest(out, len(lists[0]) - len(mounts), "mount")
    if namespaces:
        out.say()
        out.table(
            ("namespace", ">live", ">records"),
            [(space["name"], f"{space['live']:,}", f"{space['records']:,}") for space in namespaces],
        )
        _rest(out, len(lists[1]) - len(namespaces), "namespace")
    if findings:
        out.say()
        show_findings(out, findings)
        _rest(out, len(lists[2]) - len(findings), "finding")
        out.hint("neosian verify reads everything and says more")


def _shares(wanted: list[int]) -> list[int]:
    """How many rows of each list a screen has room for: one after the other gets one more, until it is full."""
    given = [0] * len(wanted)
    for _ in range(ROWS):
        hungry = [at for at, number in enumerate(wanted) if given[at] < number]
        if hungry:
            given[min(hungry, key=given.__getitem__)] += 1
    return given


def _rest(out: Output, number: int, what: str) -> None:
    if number:
        out.say((f"and {count(number, what)} more: --json names them all", "dim"))


def show_verification(out: Output, found: dict[str, Any]) -> None:
    """What was read, and each finding; those that were repaired last."""
    show_findings(out, [*found["findings"], *found.get("repaired", ())])
    counted = ", ".join(count(number, what.removesuffix("s")) for what, number in found["checked"].items() if number)
    if found["ok"] and not counted:
        out.say("nothing to check: no store is here, or nothing in it")
        return
    verdict: Cell = ("good", "green") if found["ok"] else ("damaged", "bold red")
    out.say(verdict, f": {counted or 'nothing could be read'}")


def show_findings(out: Output, findings: list[dict[str, Any]]) -> None:
    """One row a finding, faults, warnings and what was repaired told apart."""
    if findings:
        out.table(("=severity", "=code", "path", "what"), [_finding(finding) for finding in findings])


def _finding(finding: dict[str, Any]) -> tuple[Cell, ...]:
    done = finding.get("repair")
    severity = "repaired" if done else finding["severity"]
    # The path stands beside it already.
    message = finding["message"].removeprefix(f"{finding['path']} ") if finding["path"] else finding["message"]
    message = f"{message}; {done}" if done else message
    return ((severity, STYLE[severity]), finding["code"], finding["path"], message)


def _absence(found: dict[str, Any]) -> str:
    """Why there is no store to look at; nothing where there is one."""
    if found["store"]:
        return ""
    if any(finding["severity"] == "fault" or finding["code"] == "not_a_store" for finding in found["findings"]):
        return "  (not usable as a store, see below)"
    return "  (no store yet: the first write makes it)"


def _holder(lock: dict[str, Any]) -> str:
    who = f"process {lock['pid']}" if lock["pid"] else "another process"
    return f"{who} holds it ({lock['mode']})" + (f": neosian {lock['verb']}" if lock["verb"] else "")


def _plan(plan: dict[str, Any]) -> str:
    if "refused" in plan:
        return f"{plan['file']} {plan['refused']}: refused"
    return f"neosian {plan['verb']}, begun {plan['created_at']}: the next command finishes it"


def _mount(mount: dict[str, Any]) -> tuple[Cell, ...]:
    feed = mount["feed"]
    if "documents" not in mount:
        return (mount["path"], mount["scope"], mount["mode"], "?", "?", "?", "?")
    documents = f"{mount['documents']:,}"
    if feed is None:
        return (mount["path"], mount["scope"], mount["mode"], documents, "-", "-", "never")
    events = f"{feed['head'] - feed['floor']:,}"
    return (
        mount["path"],
        mount["scope"],
        mount["mode"],
        documents,
        events,
        str(feed["head"]),
        feed["last_created_at"] or "never",
    )
