from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from neosian_cli.model.occurrences import PLAIN, occurrences, period

LETTERS = st.text("ab", max_size=300)


@given(LETTERS, st.text("ab", min_size=1, max_size=6))
def test_every_occurrence_is_found(text, wanted):
    assert list(occurrences(text, wanted)) == [at for at in range(len(text)) if text.startswith(wanted, at)]


@given(st.text("ab", min_size=1, max_size=5), st.integers(1, 60), st.text("ab", max_size=9), st.integers(1, 40))
def test_dense_ones_too(piece, times, gap, wanted_times):
    """Runs of one piece, interrupted, make matches far beyond where the search changes its way."""
    text = (piece * times + gap) * 8
    wanted = piece * wanted_times
    assert list(occurrences(text, wanted)) == [at for at in range(len(text)) if text.startswith(wanted, at)]


def test_the_dense_way_is_taken():
    assert len(list(occurrences("a" * 500, "a" * 100))) == 401 > PLAIN


@given(st.text("abc", min_size=1, max_size=40))
def test_period_is_the_smallest_move_onto_itself(text):
    moves = [step for step in range(1, len(text) + 1) if text[step:] == text[: len(text) - step]]
    assert period(text) == moves[0]
