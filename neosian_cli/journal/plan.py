"""The redo plan as a value: its steps, its bytes on disk, and what makes it unsafe.

A plan is a list of physical steps. Each can be done again and gives the same files, so recovery needs to know nothing
of what the files mean. The encoded plan is one JSON object whose first key is the SHA-256 of all that follows it:

    {"checksum":"<64 hex>","format":1,"id":…,"created_at":…,"verb":…,"steps":[…]}

Bytes stand inline as text where they are UTF-8, else in base64, or in a staged file beside the plan, which the step
names with its size and SHA-256.
"""

from __future__ import annotations

from neosian_cli.model import armour, codec, digest
from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FORMAT = 1
MAX_BYTES = 64 << 20
TAIL = 4096
"""How many bytes before an append's offset its digest covers."""

NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.%-")
TOPS = ("scopes", "semantic")
MARKER = "store.json"


class PlanRefused(Exception):
    """A plan that must not be carried out; `digest` is the SHA-256 of its file where that could be read."""

    def __init__(self, reason: str, digest: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.digest = digest


@value
class Staged:
    """Bytes that wait in `.transactions/<name>`, already synced; `size` in bytes, `digest` their SHA-256 in hex."""

    name: str
    size: int
    digest: str


@value
class Put:
    """The file gets this content, whole and new."""

    path: str
    content: bytes


@value
class Append:
    """The file, cut to `offset` bytes, gets this content after them; `before` is the digest of the bytes before."""

    path: str
    offset: int
    before: str
    content: bytes | Staged


@value
class Adopt:
    """A staged file becomes the target."""

    path: str
    staged: Staged


@value
class Remove:
    """The name goes, if it is there."""

    path: str


Step = Put | Append | Adopt | Remove


@value
class Plan:
    """`created_at` is the spelled time and `verb` the words of the command: both only describe."""

    id: str
    created_at: str
    verb: str
    steps: tuple[Step, ...]

    @property
    def staged(self) -> frozenset[str]:
        """Names of the staged files that some step needs."""
        return frozenset(
            source.name
            for step in self.steps
            for source in (getattr(step, "staged", None), getattr(step, "content", None))
            if isinstance(source, Staged)
        )


def sha256(data: bytes) -> str:
    """The SHA-256, in hex, of little data."""
    return digest.sha256(data).hexdigest()


def encode(plan: Plan) -> bytes:
    """The bytes of `pending.json`; the caller checks them against `MAX_BYTES`."""
    body = codec.dumps(
        {
            "format": FORMAT,
            "id": plan.id,
            "created_at": plan.created_at,
            "verb": plan.verb,
            "steps": [_encode_step(step) for step in plan.steps],
        },
    )
    return b'{"checksum":"%s",' % sha256(body[1:]).encode() + body[1:]


def decode(data: bytes) -> Plan:
    """The plan, every step of it checked; raises `PlanRefused` with the reason."""
    try:
        return _decode(data)
    except (ValueError, KeyError, TypeError) as error:
        raise PlanRefused(f"is not a plan: {error}") from None


def check_path(path: object) -> str:
    """A target's path, relative and inside the store; raises `PlanRefused`."""
    if isinstance(path, str):
        parts = path.split("/")
        inside = path == MARKER or (len(parts) > 1 and parts[0] in TOPS)
        if inside and all(part and part not in (".", "..") and NAME.issuperset(part) for part in parts):
            return path
    raise PlanRefused(f"names a path outside the store: {ascii(path)[:200]}")


def _encode_step(step: Step) -> dict[str, object]:
    if isinstance(step, Put):
        return {"do": "put", "path": step.path, **_encode_content(step.content)}
    if isinstance(step, Append):
        return {
            "do": "append",
            "path": step.path,
            "offset": step.offset,
            "before": step.before,
            **_encode_content(step.content),
        }
    if isinstance(step, Adopt):
        return {"do": "adopt", "path": step.path, **_encode_content(step.staged)}
    return {"do": "remove", "path": step.path}


def _encode_content(content: bytes | Staged) -> dict[str, object]:
    if isinstance(content, Staged):
        return {"staged": content.name, "size": content.size, "sha256": content.digest}
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": armour.encode(content)}


def _decode(data: bytes) -> Plan:
    if len(data) > MAX_BYTES:
        raise PlanRefused("is larger than a plan can be")
    if data[:13] != b'{"checksum":"' or data[77:79] != b'",':
        raise PlanRefused("does not begin with a checksum")
    if data[13:77].decode("ascii", "replace") != sha256(data[79:]):
        raise PlanRefused("does not match its checksum")
    value = codec.loads(b"{" + data[79:])
    if value["format"] != FORMAT:
        raise PlanRefused(f"has the unknown format {ascii(value['format'])[:40]}")
    plan = Plan(
        _text(value, "id"),
        _text(value, "created_at"),
        _text(value, "verb"),
        tuple(_decode_step(step) for step in value["steps"]),
    )
    paths = {step.path for step in plan.steps}
    if len(paths) != len(plan.steps):
        raise PlanRefused("names a path twice")
    if any(parent in paths for path in paths for parent in _parents(path)):
        raise PlanRefused("names both a file and what would lie in it")
    return plan


def _parents(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _decode_step(step: dict[str, Any]) -> Step:
    kind, path = step["do"], check_path(step["path"])
    if kind == "put":
        return Put(path, _inline(step))
    if kind == "append":
        content = _staged(step) if "staged" in step else _inline(step)
        return Append(path, _count(step, "offset"), _text(step, "before"), content)
    if kind == "adopt":
        return Adopt(path, _staged(step))
    if kind == "remove":
        return Remove(path)
    raise PlanRefused(f"has the unknown step {ascii(kind)[:40]}")


def _inline(step: dict[str, Any]) -> bytes:
    if "text" in step:
        return _text(step, "text").encode()
    return armour.decode(_text(step, "base64"))


def _staged(step: dict[str, Any]) -> Staged:
    name = _text(step, "staged")
    if not name.startswith("~") or "/" in name or not NAME.issuperset(name[1:]):
        raise PlanRefused(f"names the staged file {ascii(name)[:80]}")
    return Staged(name, _count(step, "size"), _text(step, "sha256"))


def _text(value: dict[str, Any], key: str) -> str:
    if not isinstance(value[key], str):
        raise PlanRefused(f"has a {key} that is no text")
    return str(value[key])


def _count(value: dict[str, Any], key: str) -> int:
    number = value[key]
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise PlanRefused(f"has a {key} that is no count")
    return number
