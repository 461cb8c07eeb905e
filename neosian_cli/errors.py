"""Every way to fail: one table of codes, exit statuses, meanings and hints, and the one exception that carries them.

The table is the single source for the program, the manual (`docs exit-status`, `neosian-exit-status(7)`), the
JSON Schema of the error envelope, and the tests that look for drift. A served door will add its status beside these.
"""

from __future__ import annotations

CODES: dict[str, tuple[int, str]] = {
    "io_error": (
        1,
        "the system refused a read or a write; details.committed tells whether the change is made",
    ),
    "internal": (1, "a fault of the program itself; details.committed tells whether a change is made"),
    "usage": (2, "the command line cannot be understood"),
    "invalid_argument": (2, "an argument's value is not allowed"),
    "invalid_cursor": (
        2,
        "the cursor is malformed, of another scope, or ahead of the feed; see details.reason",
    ),
    "invalid_config": (2, "config.yaml is wrong; file, line and key are named"),
    "conflict": (4, "a precondition failed; details.reason tells which"),
    "not_found": (5, "no such document, version, message, record, namespace, profile or file"),
    "read_only": (6, "the mount or the file system takes no writes"),
    "edit_only": (6, "the mount takes edits of what exists, but no create, delete or rename"),
    "reserved_path": (6, "the path is kept for messages; the messages verbs change it"),
    "permission_denied": (6, "the operating system does not let this user"),
    "unsupported": (7, "this store cannot do that"),
    "locked": (8, "another process holds the store; try again later"),
    "unavailable": (8, "an embedder or server cannot be reached, is overloaded or timed out; try again later"),
    "plan_refused": (9, "the pending plan is unsafe, unknown or damaged; an operator has to look"),
    "recovery_needed": (9, "a plan is pending and cannot be finished here, as the file system is read-only"),
    "feed_corrupt": (9, "retained events are damaged or missing"),
    "document_corrupt": (9, "a document or its history is damaged"),
    "record_corrupt": (9, "semantic records are damaged"),
    "not_a_store": (9, "the directory holds something else than a store"),
    "format_unsupported": (9, "written by a newer version of this program"),
    "output_failed": (74, "the result could not be written out; details.committed tells whether the change is made"),
    "interrupted": (130, "stopped by Ctrl-C (130), SIGTERM (143) or SIGHUP (129)"),
}

SHOWS_USE = "neosian {verb} --help"
TRY_AGAIN = "try again later"
LISTS_DAMAGE = "neosian verify lists all that is damaged"
SHOWS_SETTINGS = "neosian config show tells which root and mounts are in force, and why"

HINTS: dict[str, str] = {
    "internal": "set NEOSIAN_DEBUG=1 to see where",
    "usage": SHOWS_USE,
    "invalid_argument": SHOWS_USE,
    "invalid_cursor": "pass a cursor back exactly as it was printed",
    "invalid_config": "neosian docs config",
    "read_only": SHOWS_SETTINGS,
    "edit_only": SHOWS_SETTINGS,
    "reserved_path": "neosian messages --help",
    "permission_denied": "look at the owner and the mode of what is named, with ls -ld",
    "locked": "try again, or wait longer with --lock-timeout SECONDS",
    "unavailable": TRY_AGAIN,
    "plan_refused": "neosian verify says more; do not delete the file, it may hold the only copy",
    "recovery_needed": "mount it writable and run any neosian command on it",
    "feed_corrupt": "neosian export DIR --skip-damaged takes along all that is readable; import it into a fresh root",
    "document_corrupt": LISTS_DAMAGE,
    "record_corrupt": LISTS_DAMAGE,
    "not_a_store": "restore it from a backup, or choose another with --root",
    "format_unsupported": "neosian version tells which one this is; a newer one reads it",
}
"""What to do next where a failure knows nothing better; `{verb}` is the one that was called."""

OTHER_STATUSES: dict[int, str] = {
    0: "done; an empty page and a preview too",
    3: "a gap: nothing was consumed, reconcile (the page is printed all the same)",
    9: "findings of `verify`",
    129: "ended by SIGHUP",
    143: "ended by SIGTERM",
}

CONFLICT_REASONS = (
    "version_mismatch",
    "exists",
    "no_match",
    "several_matches",
    "line_out_of_range",
    "revert_stale",
    "erased",
    "stale_occurrence",
    "claimed",
    "lease_ended",
    "token_mismatch",
    "not_due",
    "not_actionable",
    "closed",
    "not_recipient",
    "target_occupied",
    "case_collision",
    "binding_changed",
    "checkpoint_behind",
)


class Failure(Exception):
    """What a user is told when something cannot be done.

    `message` is one sentence without a final dot; `hint` the command to run next, if there is one; `details` plain
    JSON values. Nothing in them may hold a secret. The exit status follows from the code alone, except for
    `interrupted`, whose status is 128 + the signal's number.
    """

    def __init__(self, code: str, message: str, *, hint: str | None = None, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.retyped: tuple[str, str] | None = None
        self.details: dict[str, object] = details
        self.exit_status = CODES[code][0]

    def instead(self, better: str, typed: str = "") -> Failure:
        """Have it hint at the command that was typed, with `better` for its word `typed`, or at its end; itself."""
        self.retyped = (typed, better)
        return self

    @classmethod
    def conflict(cls, reason: str, message: str, *, hint: str | None = None, **details: object) -> Failure:
        """A failed precondition; `reason` is one of `CONFLICT_REASONS`."""
        assert reason in CONFLICT_REASONS
        return cls("conflict", message, hint=hint, reason=reason, **details)

    def envelope(self) -> dict[str, object]:
        """The object that `--json` prints on stderr, keys in the documented order."""
        return {
            "error": {
                "code": self.code,
                "exit_status": self.exit_status,
                "message": self.message,
                "details": self.details,
                "hint": self.hint,
            },
        }
