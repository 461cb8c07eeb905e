"""Any sequence of changes, asked about in every way, against the model, while clocks jump and derived files go."""

from __future__ import annotations

import shutil
import struct
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from neosian_cli.embedders.fake import FakeEmbedder
from neosian_cli.errors import Failure
from neosian_cli.model.predicate import Predicate
from tests.contract.semantic.backend import FilesBackend
from tests.contract.semantic.model import Model, Refused

IDS = st.sampled_from(["a", "b", "c", "d", "\u00e9", "e\u0301", "z" * 20])
VECTORS = st.sampled_from(
    [[1.0, 0, 0], [0.0, 1, 0], [1.0, 1, 0], [0.5, 0.25, -1], [-1.0, 0, 0], [3e30, 1e-30, 2.0], [2.0, 0, 0]],
)
CONTENTS = st.sampled_from(
    [
        "",
        "apple pie",
        "apple apple tart",
        "pie chart",
        "Äpfel und Birnen",
        "multi-agent c++ x:y",
        "日本語 apple",
        "pie apple",
    ]
)
VALUES = st.sampled_from(["1", "2", "10", "1e1", "-0.5", "9007199254740993", "9007199254740992", "red", "", "a=b\n"])
METADATA = st.dictionaries(st.sampled_from(["k", "n", "size"]), VALUES, max_size=2)
OFFSETS = st.integers(-30, 30)
MOMENTS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("valid_from", "valid_to", "created_at", "deleted_at"), OFFSETS)
)
KEYS = st.sampled_from(["k", "n"])
BOUNDS = st.sampled_from(["0", "1.0", "10e0", "9007199254740992", "-1"])
CONDITIONS = st.lists(
    st.one_of(
        st.tuples(KEYS, st.sampled_from(["=", "!="]), VALUES),
        st.tuples(KEYS, st.just("in"), st.lists(VALUES, min_size=1, max_size=3)),
        st.tuples(KEYS, st.sampled_from([">", ">=", "<", "<="]), BOUNDS),
    ),
    max_size=2,
)
QUERIES = st.sampled_from(
    [
        "apple",
        "pie apple",
        '"apple pie"',
        'tart "pie',
        "multi-agent",
        "c++",
        "x:y *",
        "äpfel",
        "nothing",
        "* ()",
        '"" pie',
    ]
)
SEARCH = {
    "mode": st.sampled_from(["dense", "sparse", "hybrid"]),
    "query": QUERIES,
    "vector": VECTORS,
    "top_k": st.integers(1, 4),
    "conditions": CONDITIONS,
    "as_of": st.one_of(st.none(), OFFSETS),
    "known_at": st.one_of(st.none(), st.integers(-90, 5)),
    "include": st.booleans(),
    "after": st.one_of(st.none(), OFFSETS),
}
DRAFTS = st.lists(
    st.tuples(
        IDS,
        VECTORS,
        CONTENTS,
        METADATA,
        st.lists(IDS, max_size=2),
        MOMENTS,
        st.sampled_from([None, None, None, 0, 1, 2]),
    ),
    min_size=1,
    max_size=4,
)


def predicates(conditions):
    return tuple(
        Predicate(key, operator, tuple(value) if operator == "in" else (value,)) for key, operator, value in conditions
    )


class Records(RuleBasedStateMachine):
    @initialize()
    def begin(self):
        self.directory = Path(tempfile.mkdtemp())
        self.notes = FilesBackend(self.directory / "root")
        self.model = Model()

    def teardown(self):
        if hasattr(self, "directory"):
            shutil.rmtree(self.directory)

    def time(self, offset):
        return None if offset is None else self.notes.clock + offset

    @rule(drafts=DRAFTS)
    def upsert(self, drafts):
        made = []
        for name, vector, content, metadata, supersedes, moments, if_version in drafts:
            draft = {"id": name, "vector": vector, "content": content, "metadata": metadata, "supersedes": supersedes}
            draft |= {key: self.time(offset) for key, offset in moments.items()}
            made.append(draft if if_version is None else draft | {"if_version": if_version})
        try:
            expected = self.model.upsert(made, self.notes.clock)
        except Refused as refused:
            self.refuse(made, refused.code)
            return
        result = self.notes.upsert(made)
        assert list(zip(result["ids"], result["versions"], result["superseded"], strict=True)) == expected

    def refuse(self, made, code):
        with pytest.raises(Failure) as caught:
            self.notes.upsert(made)
        assert caught.value.code == code

    @rule(name=IDS, hard=st.booleans())
    def delete(self, name, hard):
        assert self.notes.delete(name, hard=hard) == [self.model.delete(name, self.notes.clock, hard=hard)]

    @rule(
        action=st.sampled_from(["invalidate", "soft-delete", "hard-delete"]),
        conditions=CONDITIONS,
        most=st.integers(1, 3),
    )
    def expire(self, action, conditions, most):
        expected = self.model.expire(conditions, action, most, self.notes.clock)
        result = self.notes.expire(action, most, where=predicates(conditions))
        assert (result["affected"], result["more"]) == expected

    @rule(step=st.integers(-20, 60))
    def tick(self, step):
        self.notes.clock += step

    @rule()
    def lose_derived(self):
        self.notes.lose_derived()

    @rule()
    def compact(self):
        self.notes.compact()

    def selected(self, conditions, as_of, known_at, include, after):
        """What the model selects, and the same selection for the backend."""
        given = {"include_invalidated": include, "as_of": self.time(as_of), "known_at": self.time(known_at)}
        expected = self.model.selected(now=self.notes.clock, conditions=conditions, after=self.time(after), **given)
        return expected, {"where": predicates(conditions), "created_after": self.time(after), **given}

    @rule(**SEARCH)
    def search(self, mode, query, vector, top_k, conditions, as_of, known_at, include, after):  # noqa: PLR0917
        allowed, selection = self.selected(conditions, as_of, known_at, include, after)
        if mode == "dense":
            expected = self.model.dense(vector, allowed)
            result = self.notes.search(vector=vector, top_k=top_k, **selection)
        else:
            expected = self.model.sparse(query, allowed, now=self.notes.clock, known_at=self.time(known_at))
            if mode == "hybrid":
                embedded = struct.unpack("<3f", FakeEmbedder(3).embed([query])[0])
                expected = self.model.hybrid(self.model.dense(embedded, allowed), expected)
            result = self.notes.search(query, mode=mode, top_k=top_k, **selection)
        assert result["unreadable"] == []
        assert_same_ranking([(hit["score"], hit["id"]) for hit in result["hits"]], expected, top_k)
        for hit in result["hits"]:
            record = allowed[hit["id"]]
            assert all(hit[key] == record[key] for key in ("version", "content", "metadata", "supersedes"))

    @rule(conditions=CONDITIONS, include=st.booleans())
    def list(self, conditions, include):
        allowed, selection = self.selected(conditions, None, None, include, None)
        expected = sorted(allowed, key=lambda name: (allowed[name]["created_at"], name.encode()))
        assert [record["id"] for record in self.notes.list(**selection)["records"]] == expected


def assert_same_ranking(found, expected, top_k):
    """The best of the expected in their order; scores may differ by what the last bit of a float32 allows."""
    assert len(found) == min(top_k, len(expected))
    scores = {name: score for score, name in expected}
    for (score, name), (wanted, _) in zip(found, expected, strict=False):
        slack = 2e-7 * max(1, abs(wanted))
        assert abs(score - wanted) <= slack
        assert abs(score - scores[name]) <= slack
    assert found == sorted(found, key=lambda pair: (-pair[0], pair[1].encode()))


Records.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=25,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
TestRecords = Records.TestCase
