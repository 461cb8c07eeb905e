from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neosian_cli.journal import plan as plans
from neosian_cli.journal.plan import Adopt, Append, Plan, PlanRefused, Put, Remove, Staged, Step

PATHS = st.lists(st.text("abAB09_.%-", min_size=1, max_size=8), min_size=1, max_size=4).map(
    lambda parts: "/".join(["scopes", *(part for part in parts if part not in (".", "..")), "x"])
)
STAGED = st.builds(Staged, st.text("abc019-", max_size=9).map("~{}".format), st.integers(0, 1 << 40), st.just("0" * 64))
STEPS = st.one_of(
    st.builds(Put, PATHS, st.binary(max_size=50)),
    st.builds(Append, PATHS, st.integers(0, 1 << 40), st.just("1" * 64), st.one_of(st.binary(max_size=50), STAGED)),
    st.builds(Adopt, PATHS, STAGED),
    st.builds(Remove, PATHS),
)


def conflict(plan: Plan) -> bool:
    paths = [step.path for step in plan.steps]
    return len(set(paths)) < len(paths) or any(one.startswith(f"{other}/") for one in paths for other in paths)


PLANS = st.builds(Plan, st.uuids().map(str), st.text(max_size=9), st.text(max_size=9), st.lists(STEPS).map(tuple))


@given(PLANS.filter(lambda plan: not conflict(plan)))
def test_there_and_back(plan: Plan) -> None:
    assert plans.decode(plans.encode(plan)) == plan


@given(PATHS, STEPS, st.sampled_from(["", "/below", "/below/it"]), st.booleans())
def test_two_steps_for_one_place_are_refused(path: str, step: Step, below: str, first: bool) -> None:
    steps = (Put(path, b"1"), step, Put(path + below, b"2"))
    with pytest.raises(PlanRefused, match="names"):
        plans.decode(plans.encode(Plan("p", "t", "v", steps if first else steps[::-1])))


@given(PLANS, st.integers(0), st.integers(1, 255))
def test_a_flipped_byte_is_refused(plan: Plan, where: int, flip: int) -> None:
    data = bytearray(plans.encode(plan))
    data[where % len(data)] ^= flip
    with pytest.raises(PlanRefused):
        plans.decode(bytes(data))


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_words(data: bytes) -> None:
    with pytest.raises(PlanRefused) as caught:
        plans.decode(data)
    assert caught.value.reason


@given(st.text(max_size=30))
def test_no_text_leads_out_of_the_store(path: str) -> None:
    try:
        found = plans.check_path(path)
    except PlanRefused:
        return
    assert found == plans.MARKER or found.startswith(("scopes/", "semantic/"))
    assert not {"", ".", ".."} & set(found.split("/"))


def test_a_plan_that_is_too_large_is_not_parsed() -> None:
    with pytest.raises(PlanRefused, match="larger"):
        plans.decode(bytes(plans.MAX_BYTES + 1))


def test_the_staged_files_that_are_needed() -> None:
    one, two = Staged("~1", 1, "0" * 64), Staged("~2", 1, "0" * 64)
    plan = Plan("p", "t", "v", (Adopt("scopes/a", one), Append("scopes/b", 0, "0" * 64, two), Put("scopes/c", b"")))
    assert plan.staged == {"~1", "~2"}
