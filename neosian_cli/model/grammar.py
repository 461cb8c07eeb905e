"""Characters and lengths that names may have: the part that scopes, paths, actors and mounts share."""

from __future__ import annotations

from neosian_cli.errors import Failure

LOWER = frozenset("abcdefghijklmnopqrstuvwxyz")
DIGITS = frozenset("0123456789")
NAME = LOWER | DIGITS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ_.-")
TYPE = LOWER | DIGITS | frozenset("_")
KIND = TYPE | frozenset("-")

MAX_NAME = 128
MAX_TYPE = 32
MAX_WHOLE = 512


def excerpt(text: str) -> str:
    """`text` as it may stand in a message: quoted, what cannot be printed escaped, at most about 60 characters."""
    shown = repr(text)
    return shown if len(shown) <= 60 else f"{shown[:56]}…{shown[0]}"


def check_name(segment: str, what: str, whole: str) -> None:
    """One name: `[A-Za-z0-9_.-]{1,128}`, never `.` or `..`; raises `invalid_argument` that names the segment."""
    if not segment:
        raise Failure("invalid_argument", f"{what} {excerpt(whole)} has an empty segment", segment=segment)
    if segment in (".", ".."):
        raise Failure("invalid_argument", f"{what} {excerpt(whole)} has the segment '{segment}'", segment=segment)
    if not NAME.issuperset(segment):
        reason = "holds other characters than A-Z a-z 0-9 _ . -"
    elif len(segment) > MAX_NAME:
        reason = f"is longer than {MAX_NAME} characters"
    else:
        return
    raise Failure(
        "invalid_argument",
        f"segment {excerpt(segment)} of {what} {excerpt(whole)} {reason}",
        segment=segment[:MAX_WHOLE],
    )


def check_typed(segment: str, what: str, whole: str, characters: frozenset[str]) -> None:
    """One `type:id` segment; raises `invalid_argument` that names it."""
    kind, colon, name = segment.partition(":")
    if not colon or not kind or kind[0] not in LOWER or not characters.issuperset(kind) or len(kind) > MAX_TYPE:
        raise Failure(
            "invalid_argument",
            f"segment {excerpt(segment)} of {what} {excerpt(whole)} is not of the form type:id",
            hint="a type is a lower-case word such as user, proj or org",
            segment=segment[:MAX_WHOLE],
        )
    check_name(name, what, whole)


def check_length(text: str, what: str) -> None:
    """At most 512 characters in all, and not empty."""
    if not text:
        raise Failure("invalid_argument", f"{what} is empty")
    if len(text) > MAX_WHOLE:
        raise Failure("invalid_argument", f"{what} {excerpt(text)} is longer than {MAX_WHOLE} characters")
