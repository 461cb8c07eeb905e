"""The declaration of `config.yaml`: every key, its shape and its rules.

The strict reader and the JSON Schema both follow it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from neosian_cli.config import defaults, duration
from neosian_cli.config.shape import Boolean, Field, Integer, Listing, Section, Table, Text
from neosian_cli.errors import Failure
from neosian_cli.model import actor, grammar, mount, scope
from neosian_cli.model.namespace import MAX_DIMENSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.config.namespace import Caps, Embedder, EmbedderOptions, Namespace
    from neosian_cli.config.shape import Lines
    from neosian_cli.model.mount import Mount
    from neosian_cli.model.query import Planner

NAME = "(?!\\.{1,2}(/|#|$))[A-Za-z0-9_.-]{1,128}"
SCOPE_PATTERN = f"^[a-z][a-z0-9_]{{0,31}}:{NAME}(/[a-z][a-z0-9_]{{0,31}}:{NAME}){{0,7}}$"
ACTOR_PATTERN = f"^[a-z][a-z0-9_-]{{0,31}}:{NAME}(/[a-z][a-z0-9_-]{{0,31}}:{NAME}){{0,7}}(#(0|[1-9][0-9]*))?$"
NAMESPACE_PATTERN = "^[A-Za-z0-9_-]{1,63}$"
VARIABLE_PATTERN = "^[A-Za-z_][A-Za-z0-9_]*$"
URL_PATTERN = "^https?://[^/@?#\\s]+(/[^?#\\s]*)?$"
WORD_PATTERN = "^[A-Za-z0-9_.-]{1,64}$"
PROVIDERS = ("fake", "local", "ollama", "openai")
LARGEST_CAP = 1_000_000_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Profile:
    """What `profiles.NAME` says; None and no mounts where it says nothing. `lines` tells where each key stands."""

    root: str | None = None
    url: str | None = None
    actor: str | None = None
    mounts: tuple[Mount, ...] = ()
    lines: Lines = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Configuration:
    """A whole file, checked. `lines` tells where each top-level key stands, `cap_lines` where each cap does."""

    default_profile: str | None = None
    profiles: dict[str, Profile] = field(default_factory=dict)
    namespaces: tuple[Namespace, ...] = ()
    caps: Caps | None = None
    lines: Lines = field(default_factory=dict)
    cap_lines: Lines = field(default_factory=dict)


def _matched(pattern: str, what: str) -> Any:
    """A check by pattern whose message does not repeat the value, which may be a secret in the wrong place."""

    def check(text: str) -> str:
        import re

        if not re.fullmatch(pattern[1:-1], text, re.ASCII):
            raise Failure("invalid_argument", what)
        return text

    return check


def _printable(text: str) -> str:
    if not text.isprintable():
        raise Failure("invalid_argument", f"{grammar.excerpt(text)} holds characters that cannot be shown")
    return text


def _file_name(text: str) -> str:
    if "\0" in text:
        raise Failure("invalid_argument", f"{grammar.excerpt(text)} holds a NUL character")
    return text


def _options(values: dict[str, Any], _lines: Lines) -> EmbedderOptions:
    from neosian_cli.config.namespace import EmbedderOptions

    return EmbedderOptions(**{name: value for name, value in values.items() if value is not None})


def _embedder(values: dict[str, Any], _lines: Lines) -> Embedder:
    from neosian_cli.config.namespace import Embedder, EmbedderOptions

    return Embedder(
        provider=values["provider"],
        model=values["model"],
        dimensions=values["dimensions"],
        cache_size=values["cache_size"] or defaults.CACHE_SIZE,
        options=values["options"] or EmbedderOptions(),
    )


def _planner(values: dict[str, Any], _lines: Lines) -> Planner:
    from neosian_cli.model.query import Planner

    return Planner(**values)


def _namespace(values: dict[str, Any], lines: Lines) -> Namespace:
    from neosian_cli.config.namespace import Namespace
    from neosian_cli.model.query import Planner

    return Namespace(
        name=values["name"],
        embedder=values["embedder"],
        backend=values["backend"],
        text_search=values["text_search"],
        planner=values["planner"] or Planner(),
        line=lines[""],
    )


def _mount_name(text: str) -> str:
    grammar.check_name(text, "mount path", text)
    return text


def _mount(values: dict[str, Any], _lines: Lines) -> Mount:
    return mount.make(values["path"], values["scope"], values["mode"])


def _profile(values: dict[str, Any], lines: Lines) -> Profile:
    return Profile(values["root"], values["url"], values["actor"], values["mounts"] or (), lines)


def _caps(values: dict[str, Any], lines: Lines) -> tuple[Caps, Lines]:
    from neosian_cli.config.namespace import Caps

    return Caps(**values), lines


def _configuration(values: dict[str, Any], lines: Lines) -> Configuration:
    caps, cap_lines = values["caps"] or (None, {})
    return Configuration(
        default_profile=values["default_profile"],
        profiles=values["profiles"] or {},
        namespaces=values["namespaces"] or (),
        caps=caps,
        lines=lines,
        cap_lines=cap_lines,
    )


PROFILE_NAME = Text(check=_printable, longest=128)

OPTIONS = Section(
    {
        "api_key_env": Field(
            Text(
                _matched(VARIABLE_PATTERN, "must be the name of an environment variable, never the key itself"),
                VARIABLE_PATTERN,
            ),
            "the environment variable that holds the provider's key",
        ),
        "timeout": Field(Text(duration.seconds, duration.PATTERN), "how long one request may take, e.g. 30s"),
        "base_url": Field(
            Text(
                _matched(URL_PATTERN, "must be an http:// or https:// address without credentials and query"),
                URL_PATTERN,
            ),
            "where the provider is reached",
        ),
        "batch_size": Field(Integer(1, 4_096), f"texts in one request (default {defaults.BATCH_SIZE})"),
        "send_dimensions": Field(Boolean(), "whether the request names the dimensions"),
    },
    _options,
)

EMBEDDER = Section(
    {
        "provider": Field(Text(choices=PROVIDERS), "who turns text into vectors", required=True),
        "model": Field(Text(_printable, longest=256), "the provider's model"),
        "dimensions": Field(Integer(1, MAX_DIMENSIONS), "length of the vectors"),
        "cache_size": Field(
            Integer(-LARGEST_CAP, LARGEST_CAP),
            "embeddings kept on disk; 0 means the default, less than 0 none",
            default=defaults.CACHE_SIZE,
        ),
        "options": Field(OPTIONS, "how the provider is reached"),
    },
    _embedder,
    needs=(("provider", ("ollama", "openai"), "model"),),
)

PLANNER = Section(
    {
        "fetch_up_to": Field(
            Integer(0, LARGEST_CAP), "matching records whose vectors are fetched one by one", default=20_000
        ),
        "index_from": Field(
            Integer(0, LARGEST_CAP * 1000),
            "numbers (records by dimensions) from which an index is used",
            default=1 << 30,
        ),
        "index_ef": Field(
            Integer(10, 100_000), "how widely a search looks around in the index at the widest", default=1600
        ),
        "index_tail": Field(
            Integer(0, LARGEST_CAP), "records after the index from which it is made anew, at least", default=10_000
        ),
        "index_tail_percent": Field(Integer(0, 100), "and how many in a hundred of all records, at least", default=10),
        "index_dead_percent": Field(
            Integer(0, 100), "records of the index, in a hundred, that have gone before it is made anew", default=25
        ),
    },
    _planner,
)

NAMESPACE = Section(
    {
        "block": Field(Text(choices=("semantic",)), "the kind of namespace", required=True),
        "name": Field(
            Text(_matched(NAMESPACE_PATTERN, "must be 1 to 63 of the characters A-Z a-z 0-9 _ -"), NAMESPACE_PATTERN),
            "the name of the collection",
            required=True,
        ),
        "backend": Field(
            Text(_matched(WORD_PATTERN, "must be a word of A-Z a-z 0-9 _ . -"), WORD_PATTERN),
            "where the records are kept; files is the only one",
            default="files",
        ),
        "text_search": Field(
            Text(_matched(WORD_PATTERN, "must be simple or the name of a language"), WORD_PATTERN),
            "language of the lexical lane",
            default="simple",
        ),
        "embedder": Field(EMBEDDER, "the one embedder of the collection", required=True),
        "planner": Field(PLANNER, "how a search by meaning goes about it; answers are the same but for the index"),
    },
    _namespace,
)

MOUNT = Section(
    {
        "path": Field(
            Text(_mount_name, f"^{NAME}$"), "the name that the scope is shown under, one path segment", required=True
        ),
        "scope": Field(Text(scope.check, SCOPE_PATTERN, longest=512), "the scope", required=True),
        "mode": Field(
            Text(choices=mount.MODES),
            "rw; ro takes no writes; eo edits of what exists, and erasure",
            default="rw",
        ),
    },
    _mount,
)

PROFILE = Section(
    {
        "root": Field(Text(_file_name), "the store's directory; relative to this file's folder, ~ is the home"),
        "url": Field(Text(_printable), "a served store"),
        "actor": Field(Text(actor.check, ACTOR_PATTERN, longest=512), "who is recorded on what is written"),
        "mounts": Field(Listing(MOUNT, distinct="path"), "the scopes that are shown, each under its name"),
    },
    _profile,
    apart=(("root", "url"),),
)

CAPS = Section(
    {
        "top_k": Field(Integer(1, LARGEST_CAP), "largest --top-k of a search", default=defaults.TOP_K),
        "rerank_candidate_k": Field(
            Integer(1, LARGEST_CAP),
            "largest --rerank-candidate-k of a search",
            default=defaults.RERANK_CANDIDATE_K,
        ),
        "max_rows": Field(Integer(1, LARGEST_CAP), "largest --max-rows of an expire", default=defaults.MAX_ROWS),
        "batch": Field(Integer(1, LARGEST_CAP), "most records of one upsert transaction", default=defaults.BATCH),
    },
    _caps,
)

CONFIG = Section(
    {
        "default_profile": Field(PROFILE_NAME, "the profile when none is chosen"),
        "profiles": Field(Table(PROFILE_NAME, PROFILE), "stores, actors and mounts under a name"),
        "namespaces": Field(Listing(NAMESPACE, distinct="name", fold=True), "semantic collections"),
        "caps": Field(CAPS, "limits on what a request may ask for"),
    },
    _configuration,
)
