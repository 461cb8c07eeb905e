"""Semantic records by brute force, in memory: the oracle. It shares no code with the program.

Everything that happened stands in one list; every question replays as much of it as it may know.
"""

from __future__ import annotations

import math
import re
import struct
from fractions import Fraction
from operator import itemgetter


class Refused(Exception):
    """What the program must refuse; `code` as the contract names it."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def cosine(left, right):
    dot = sum(Fraction(a) * Fraction(b) for a, b in zip(left, right, strict=True))
    norms = [math.sqrt(sum(Fraction(a) ** 2 for a in vector)) for vector in (left, right)]
    return float32(max(-1.0, min(1.0, float(dot) / norms[0] / norms[1])))


def words(text):
    return [word.lower() for word in re.findall(r"[^\W_]+", text)]


NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


def number(text):
    if len(text) > 1000 or not NUMBER.fullmatch(text):
        return None
    return Fraction(text)


def holds(metadata, condition):
    key, operator, value = condition
    if key not in metadata:
        return False
    stored = metadata[key]
    if operator == "=":
        return stored == value
    if operator == "!=":
        return stored != value
    if operator == "in":
        return stored in value
    left, right = number(stored), number(value)
    if left is None:
        return False
    return {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}[operator]


class Model:
    def __init__(self):
        self.log = []
        self.last = {}
        self.written = None

    # Replaying

    def records(self, known_at=None):
        """The newest version of every record, as far as lines up to `known_at` tell."""
        found = {}
        for written_at, what, name, value in self.log:
            if known_at is not None and written_at > known_at:
                break
            if what == "upsert":
                found[name] = dict(value)
            elif what == "erased":
                found.pop(name, None)
            else:
                found[name].update(value)
        return found

    def _begin(self, now):
        self.written = now if self.written is None else max(now, self.written + 1)
        return self.written

    # Changes

    def upsert(self, drafts, now):
        for draft in drafts:
            if None not in (draft.get("valid_from"), draft.get("valid_to")) and draft["valid_to"] < draft["valid_from"]:
                raise Refused("invalid_argument")
        written = self._begin(now)
        kept, last = list(self.log), dict(self.last)
        try:
            return [self._upsert(draft, now, written) for draft in drafts]
        except Refused:
            self.log, self.last = kept, last
            raise

    def _upsert(self, draft, now, written):
        state = self.records()
        name = draft["id"]
        before = state.get(name)
        wanted = draft.get("if_version")
        if wanted is not None and wanted != (before["version"] if before else 0):
            raise Refused("conflict")
        record = {
            "id": name,
            "content": draft.get("content", ""),
            "vector": draft["vector"],
            "metadata": draft.get("metadata", {}),
            "created_at": draft.get("created_at") or (before["created_at"] if before else now),
            "valid_from": now if draft.get("valid_from") is None else draft["valid_from"],
            "valid_to": draft.get("valid_to"),
            "deleted_at": draft.get("deleted_at"),
            "supersedes": list(draft.get("supersedes", [])),
            "version": self.last.get(name, 0) + 1,
        }
        if record["valid_to"] is not None and record["valid_to"] < record["valid_from"]:
            raise Refused("invalid_argument")
        self.last[name] = record["version"]
        self.log.append((written, "upsert", name, record))
        changed = []
        for other in dict.fromkeys(record["supersedes"]):
            target = self.records().get(other)
            if other == name or target is None or target["deleted_at"] is not None:
                continue
            if target["valid_to"] is None or target["valid_to"] > record["valid_from"]:
                self.log.append((written, "superseded", other, {"valid_to": record["valid_from"]}))
                changed.append(other)
        return name, record["version"], changed

    def delete(self, name, now, *, hard=False):
        written = self._begin(now)
        record = self.records().get(name)
        if record is None:
            return False
        if hard:
            self.log = [line for line in self.log if line[2] != name]
            return True
        if record["deleted_at"] is not None:
            return False
        self.log.append((written, "deleted", name, {"deleted_at": now}))
        return True

    def expire(self, conditions, action, most, now):
        written = self._begin(now)
        matching = [
            record
            for record in sorted(self.records().values(), key=itemgetter("created_at", "id"))
            if all(holds(record["metadata"], condition) for condition in conditions)
            and (action == "hard-delete" or record["deleted_at"] is None)
            and (action != "invalidate" or record["valid_to"] is None or record["valid_to"] > now)
        ]
        for record in matching[:most]:
            if action == "hard-delete":
                self.log = [line for line in self.log if line[2] != record["id"]]
            elif action == "invalidate":
                self.log.append((written, "invalidated", record["id"], {"valid_to": now}))
            else:
                self.log.append((written, "deleted", record["id"], {"deleted_at": now}))
        return min(len(matching), most), len(matching) > most

    # Questions

    def selected(
        self, *, now, as_of=None, known_at=None, conditions=(), include_invalidated=False, after=None, before=None
    ):
        known_at = known_at if known_at is not None and known_at < now else None
        at = as_of if as_of is not None else known_at if known_at is not None else now
        return {
            name: record
            for name, record in self.records(known_at).items()
            if all(holds(record["metadata"], condition) for condition in conditions)
            and (include_invalidated or live(record, at))
            and (after is None or record["created_at"] > after)
            and (before is None or record["created_at"] < before)
        }

    def dense(self, vector, allowed):
        scored = [(cosine(vector, record["vector"]), name) for name, record in allowed.items()]
        return sorted(scored, key=lambda pair: (-pair[0], pair[1].encode()))

    def sparse(self, query, allowed, *, now, known_at=None):
        known_at = known_at if known_at is not None and known_at < now else None
        texts = {name: words(record["content"]) for name, record in self.records(known_at).items()}
        total = len(texts)
        average = sum(map(len, texts.values())) / total if any(texts.values()) else 1
        scores = {}
        for unit in units(query):
            counts = {name: occurrences(unit, text) for name, text in texts.items()}
            holding = sum(count > 0 for count in counts.values())
            weight = math.log(1 + (total - holding + 0.5) / (holding + 0.5))
            for name, count in counts.items():
                if count:
                    part = weight * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(texts[name]) / average))
                    scores[name] = scores.get(name, 0) + part
        scored = [(float32(score), name) for name, score in scores.items() if name in allowed]
        return sorted(scored, key=lambda pair: (-pair[0], pair[1].encode()))

    def hybrid(self, dense, sparse):
        ranks = {}
        for lane in (dense, sparse):
            for rank, (_, name) in enumerate(lane, 1):
                ranks[name] = ranks.get(name, Fraction(0)) + Fraction(1, 60 + rank)
        scored = [(float32(float(score)), name) for name, score in ranks.items()]
        return sorted(scored, key=lambda pair: (-pair[0], pair[1].encode()))


def live(record, at):
    ended = record["valid_to"] is not None and at >= record["valid_to"]
    return record["deleted_at"] is None and record["valid_from"] <= at and not ended


def units(query):
    pieces = query.split('"')
    if len(pieces) % 2 == 0:
        pieces[-2:] = [pieces[-2] + " " + pieces[-1]]
    found = []
    for index, piece in enumerate(pieces):
        found += [tuple(words(piece))] if index % 2 and words(piece) else [(word,) for word in words(piece)]
    return list(dict.fromkeys(found))


def occurrences(unit, text):
    return sum(tuple(text[start : start + len(unit)]) == unit for start in range(len(text) - len(unit) + 1))
