"""A semantic query as one value, which every lane is given: so that none forgets a filter."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model.value import fields, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.model.predicate import Predicate
    from neosian_cli.model.times import Instant

DENSE, SPARSE, HYBRID = MODES = ("dense", "sparse", "hybrid")
MODE_NAMES = {
    **{mode: mode for mode in MODES},
    "SEARCH_MODE_UNSPECIFIED": DENSE,
    "SEARCH_MODE_DENSE": DENSE,
    "SEARCH_MODE_SPARSE": SPARSE,
    "SEARCH_MODE_HYBRID": HYBRID,
}
INVALIDATE, SOFT_DELETE, HARD_DELETE = ACTIONS = ("invalidate", "soft-delete", "hard-delete")
ACTION_NAMES = {
    **{action: action for action in ACTIONS},
    "EXPIRE_ACTION_INVALIDATE": INVALIDATE,
    "EXPIRE_ACTION_SOFT_DELETE": SOFT_DELETE,
    "EXPIRE_ACTION_HARD_DELETE": HARD_DELETE,
}
DEFAULT_TOP_K = 10
DEFAULT_CANDIDATES = 50


@value
class Selection:
    """Which records count, before anything is ranked.

    `as_of` is the instant of validity and `known_at` the instant of knowledge; None is now. `created_after` and
    `created_before` are exclusive. `include_invalidated` lifts the demand that a record be live, and nothing else.
    """

    predicates: tuple[Predicate, ...] = ()
    as_of: Instant | None = None
    known_at: Instant | None = None
    include_invalidated: bool = False
    created_after: Instant | None = None
    created_before: Instant | None = None


@value
class Query:
    """`vector` is packed float32. `depth` is how many candidates a lane brings to the fusion."""

    mode: str
    text: str | None
    vector: bytes | None
    selection: Selection
    top_k: int
    depth: int
    exact: bool = False


@value
class Planner:
    """Where one way through the dense lane gives over to another.

    `fetch_up_to` records that are allowed, their vectors are fetched one by one; above, all are scanned. `index_from`
    numbers (rows by dimensions) on, a search goes through the index where there is one, and looks around in it
    `index_ef` wide at the widest. The other three say when an index is made anew: when more rows came after it than
    `index_tail` and than `index_tail_percent` of all, or when `index_dead_percent` of its records have gone. Measured,
    see docs/adr/0012 and 0013: at a million rows of 384 a scan took 0.3 s and loading the index 1.9 s; beyond 4 GiB of
    vectors a scan no longer stays in memory.
    """

    fetch_up_to: int = 20_000
    index_from: int = 1 << 30
    index_ef: int = 1600
    index_tail: int = 10_000
    index_tail_percent: int = 10
    index_dead_percent: int = 25

    def shown(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in fields(type(self))}


def check_mode(name: str) -> str:
    if name not in MODE_NAMES:
        raise Failure("invalid_argument", f"unknown mode {ascii(name)[:60]}", hint=f"one of {', '.join(MODES)}")
    return MODE_NAMES[name]


def check_action(name: str) -> str:
    if name not in ACTION_NAMES:
        raise Failure("invalid_argument", f"unknown action {ascii(name)[:60]}", hint=f"one of {', '.join(ACTIONS)}")
    return ACTION_NAMES[name]


def make_query(
    *,
    mode: str,
    text: str | None,
    vector: bytes | None,
    selection: Selection,
    top_k: int,
    rerank_candidate_k: int,
    top_k_cap: int,
    candidates_cap: int,
    exact: bool = False,
) -> Query:
    """A query whose parts fit together; 0 stands for a default. Raises `invalid_argument`."""
    mode = check_mode(mode)
    text = text or None
    if mode == DENSE and (text is None) == (vector is None):
        raise Failure("invalid_argument", "a dense search takes a text or a vector, exactly one of the two")
    if mode != DENSE and (text is None or vector is not None):
        raise Failure("invalid_argument", f"a {mode} search takes a text and no vector")
    top_k = check_cap("top_k", top_k, DEFAULT_TOP_K, top_k_cap)
    candidates = check_cap("rerank_candidate_k", rerank_candidate_k, DEFAULT_CANDIDATES, candidates_cap)
    return Query(mode, text, vector, selection, top_k, max(top_k, candidates), exact)


def check_cap(name: str, given: int, default: int, cap: int) -> int:
    """The value in force; more than the cap is refused, never cut."""
    if given < 0:
        raise Failure("invalid_argument", f"{name} cannot be negative")
    value = given or default
    if value > cap:
        raise Failure("invalid_argument", f"{name} {value} is above the cap of {cap}", given=value, cap=cap)
    return value
