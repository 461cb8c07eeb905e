"""Files of a store forged by somebody who knows the format: other values, and every checksum and chain made to hold."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Change = Callable[[Any], Any]

MARK = b',"crc32":"'
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u2066\r\n\x00\x08\x7f\x85\u2028"

TEXTS: tuple[Any, ...] = (EVIL, "", "../../../outside", "a/../../b", "/etc/passwd", "x" * 5000, 5, None, ["a"], {})
NUMBERS: tuple[Any, ...] = (
    -1, 0, 2**53, 2**63 - 1, 2**63, 2**64, 10**400, -(10**400), 1.5, 1e308, float("inf"), float("nan"), "7", None, True,
    [], {},
)  # fmt: skip


def dumps(value: object) -> bytes:
    """Compact JSON that may hold what no JSON does: NaN, and numbers of any size."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _sealed(value: dict[str, Any]) -> bytes:
    value.pop("crc32", None)
    body = dumps(value)[:-1]
    return body + MARK + b'%08x"}\n' % zlib.crc32(body)


class Lines:
    """Sealed lines, lines whose checksum runs on, or chained ones: the JSON of each, and how they are joined again."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.values = [json.loads(self._json(line)) for line in file.read_bytes().splitlines()]

    def _json(self, line: bytes) -> bytes:
        if self.file.suffix == ".seg":
            return line[26:]
        return line[9:] if self.file.suffix == ".log" else line

    def write(self, first_chain: str) -> str:
        """The last chain, where the lines are chained."""
        out, chain, running = [], first_chain, 0
        for value in self.values:
            data = dumps(value)
            if self.file.suffix == ".seg":
                chain = hashlib.sha256(bytes.fromhex(chain) + data).hexdigest()[:16]
                body = chain.encode() + b" " + data
                out.append(b"%08x %s\n" % (zlib.crc32(body), body))
            elif self.file.suffix == ".log":
                running = zlib.crc32(data, running)
                out.append(b"%08x %s\n" % (running, data))
            else:
                out.append(_sealed(value) if "crc32" in value else data + b"\n")
        self.file.write_bytes(b"".join(out))
        return chain


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a value that has nothing in it."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            if key not in ("crc32", "checksum"):
                yield from leaves(item, (*way, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, (*way, index))
    else:
        yield way


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        value = value[step]
    return value


def put(value: Any, way: tuple[Any, ...], new: Any) -> None:
    at(value, way[:-1])[way[-1]] = new


class Forged:
    """One value of one file replaced: `file` is relative to the home, `way` leads to the value in its `row`.

    What else speaks of the value follows: a document's newest row says what the document says, a log's head how it
    ends. `inner` is a way within a message, which stands in a document's content.
    """

    def __init__(self, file: Path, row: int, way: tuple[Any, ...], value: Any, *, inner: tuple[Any, ...] = ()) -> None:
        self.file, self.row, self.way, self.value, self.inner = file, row, way, value, inner

    def __repr__(self) -> str:
        way = ".".join(str(step) for step in self.way + self.inner)
        return f"{self.file} row {self.row} {way} = {ascii(self.value)[:60]}"

    def forge(self, home: Path) -> None:
        place = home / self.file
        if place.name == "pending.json":
            self._plan(place)
        elif place.suffix == ".json" and "documents" in place.parts:
            self._document(place)
        elif place.suffix == ".json":
            value = json.loads(place.read_text())
            self._change(value)
            place.write_bytes(_sealed(value) if "crc32" in value else dumps(value))
        else:
            self._lines(place)

    def _change(self, value: Any) -> None:
        if self.inner:
            message = json.loads(at(value, self.way))
            put(message, self.inner, self.value)
            put(value, self.way, dumps(message).decode())
        else:
            put(value, self.way, self.value)

    def _document(self, place: Path) -> None:
        value = json.loads(place.read_text())
        self._change(value)
        place.write_bytes(dumps(value))
        history = Lines(_history_of(place))
        key = {"updated_at": "created_at", "created_at": "document_created_at"}.get(self.way[0], self.way[0])
        if key in history.values[-1]:
            history.values[-1][key] = value[self.way[0]]
            history.write("")

    def _lines(self, place: Path) -> None:
        lines = Lines(place)
        self._change(lines.values[self.row])
        if place.suffix != ".seg":
            lines.write("")
            return
        beside = place.parent / "stream.json"
        head_file = beside if beside.exists() else place.parent.parent / "log.json"
        head = json.loads(head_file.read_text())
        head["head_chain"] = lines.write(head["floor_chain"])
        head["bytes"] = head["segment_bytes"] = place.stat().st_size
        head_file.write_bytes(_sealed(head))

    def _plan(self, place: Path) -> None:
        value = json.loads(place.read_text())
        del value["checksum"]
        self._change(value)
        place.write_bytes(sealed_plan(value))


def sealed_plan(value: dict[str, Any]) -> bytes:
    body = dumps(value)[1:]
    return b'{"checksum":"%s",' % hashlib.sha256(body).hexdigest().encode() + body


def _history_of(document: Path) -> Path:
    parts = ["versions" if part == "documents" else part for part in document.with_suffix(".jsonl").parts]
    return document.__class__(*parts)


def forgeries(home: Path) -> Iterator[Forged]:
    """Every value of every kind of row of every file, replaced by everything of its kind that an enemy thinks of."""
    known: set[object] = set()
    for place in sorted(home.rglob("*")):
        file = place.relative_to(home)
        if place.suffix == ".json":
            rows = [json.loads(place.read_text())]
        elif place.suffix in (".jsonl", ".seg", ".log") and place.is_file():
            rows = Lines(place).values
        else:
            continue
        for row, value in enumerate(rows):
            kind = (file.parent, file.suffix, *sorted(value), value.get("what"), value.get("kind"), value.get("status"))
            if kind in known:
                continue
            known.add(kind)
            for way in leaves(value):
                yield from (Forged(file, row, way, new) for new in _worse(at(value, way)))
                text = at(value, way)
                if way == ("content",) and isinstance(text, str) and text.startswith("{"):
                    message = json.loads(text)
                    for inner in leaves(message):
                        for new in _worse(at(message, inner)):
                            yield Forged(file, row, way, new, inner=inner)


def _worse(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str):
        return TEXTS
    if isinstance(value, int | float) and not isinstance(value, bool):
        return NUMBERS
    return (*TEXTS[:3], *NUMBERS[:5], True)
