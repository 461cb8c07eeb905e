"""Instants: whole microseconds since 1970 in UTC inside, one RFC 3339 spelling outside.

`2026-01-02T03:04:05.000000Z` is the only spelling that is written. Years 0001 to 9999.
"""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.grammar import excerpt

Instant = int

SECOND = 1_000_000
DAY = 86_400 * SECOND
# Days from 0000-03-01 to 1970-01-01 in the proleptic Gregorian calendar.
EPOCH_DAYS = 719_468
FIRST = -62_135_596_800 * SECOND
LAST = 253_402_300_800 * SECOND - 1


CLOCK_UP_TO = LAST - 366 * DAY
"""The last instant that a clock may show: what is put off from then on can still be spelled."""


def plausible(instant: Instant) -> Instant:
    """A clock's instant itself; raises `io_error` where nothing that bears it could be read back."""
    if FIRST <= instant <= CLOCK_UP_TO:
        return instant
    raise Failure(
        "io_error",
        "the clock of this machine stands outside the years 1 to 9998, so no time can be recorded",
        hint="set it right: date --set",
    )


def date_of(days: int) -> tuple[int, int, int]:
    """Year, month and day of a count of days since 1970-01-01 (Hinnant, "low-level date algorithms")."""
    shifted = days + EPOCH_DAYS
    era, day_of_era = divmod(shifted, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    return year_of_era + era * 400 + (month <= 2), month, day


def days_of(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01; the inverse of `date_of`."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - EPOCH_DAYS


def spell(instant: Instant) -> str:
    """The one spelling of an instant."""
    days, rest = divmod(instant, DAY)
    year, month, day = date_of(days)
    seconds, micros = divmod(rest, SECOND)
    hour, seconds = divmod(seconds, 3600)
    minute, second = divmod(seconds, 60)
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{micros:06d}Z"


def _number(text: str, low: int, high: int) -> int:
    """A run of ASCII digits within bounds; raises ValueError."""
    if not (text.isascii() and text.isdigit()) or not low <= int(text) <= high:
        raise ValueError(text)
    return int(text)


def _days_in(year: int, month: int) -> int:
    following = (year, month + 1) if month < 12 else (year + 1, 1)
    return days_of(*following, 1) - days_of(year, month, 1)


def _parse(text: str) -> Instant:
    if len(text) < 20 or text[4] + text[7] + text[13] + text[16] != "--::" or text[10] not in "Tt ":
        raise ValueError(text)
    year = _number(text[:4], 1, 9999)
    month = _number(text[5:7], 1, 12)
    day = _number(text[8:10], 1, _days_in(year, month))
    clock = (
        _number(text[11:13], 0, 23) * 3600 + _number(text[14:16], 0, 59) * 60 + _number(text[17:19], 0, 59)
    ) * SECOND
    rest = text[19:]
    if rest[0] == ".":
        digits = 1
        while digits < len(rest) and rest[digits].isdigit() and rest[digits].isascii():
            digits += 1
        fraction = rest[1:digits]
        _number(fraction, 0, 10 ** len(fraction))
        clock += int(fraction[:6].ljust(6, "0"))
        rest = rest[digits:]
    if rest in ("Z", "z"):
        offset = 0
    else:
        if len(rest) != 6 or rest[0] not in "+-" or rest[3] != ":":
            raise ValueError(text)
        offset = (_number(rest[1:3], 0, 23) * 60 + _number(rest[4:6], 0, 59)) * 60 * SECOND
        offset = -offset if rest[0] == "-" else offset
    instant = days_of(year, month, day) * DAY + clock - offset
    if not FIRST <= instant <= LAST:
        raise ValueError(text)
    return instant


def _hint(text: str) -> str:
    """How the time that was probably meant is written: midnight of a day, UTC where no offset was given."""
    day, _, clock = text.replace(" ", "T").partition("T")
    for meant in (f"{day}T{clock or '00:00:00'}Z", f"{day}T{clock}:00Z"):
        try:
            _parse(meant)
        except (ValueError, IndexError):
            continue
        return f"write it as {meant}, or with another offset, as in {meant[:-1]}+01:00"
    return "write it as 2026-01-02T03:04:05Z or 2026-01-02T03:04:05+01:00"


def parse(text: str, what: str = "time") -> Instant:
    """An RFC 3339 time with an offset; digits beyond microseconds are cut. Raises `invalid_argument`."""
    try:
        return _parse(text)
    except (ValueError, IndexError):
        raise Failure(
            "invalid_argument",
            f"{what} {excerpt(text)} is not an RFC 3339 time with an offset",
            hint=_hint(text),
        ) from None


def is_shaped(text: str) -> bool:
    """Whether a text has the shape of a spelled time: what is shown without being reckoned with needs no more."""
    return (
        len(text) == 27
        and text.isascii()
        and text[4] + text[7] + text[10] + text[13] + text[16] == "--T::"
        and text[26] == "Z"
    )


def read(value: object) -> Instant:
    """An instant from disk, in the one spelling that is written; raises ValueError for anything else."""
    if not isinstance(value, str) or len(value) != 27 or spell(instant := _parse(value)) != value:
        raise ValueError(f"not a time: {excerpt(str(value))}")
    return instant
