"""Whatever stands in config.yaml, it is read or refused; and the strict reader agrees with its JSON Schema."""

from __future__ import annotations

import jsonschema
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from neosian_cli.config import schema
from neosian_cli.config.load import load
from neosian_cli.errors import Failure

FILE = jsonschema.Draft202012Validator(schema.document())

words = st.sampled_from(
    ["a", "work", "notes", "a:b", "cli:me", "user:me/proj:x", "..", "/x", "~", "rw", "ro", "fake", "openai", "semantic",
     "files", "30s", "0x1", "KEY", "http://h", "true", "12", "", "no"],
)  # fmt: skip
scalars = st.one_of(words, st.integers(-3, 3), st.booleans(), st.none(), st.sampled_from([0.5, 1e300]))
keys = st.sampled_from(
    ["default_profile", "profiles", "namespaces", "caps", "root", "url", "actor", "mounts", "path", "scope", "mode",
     "block", "name", "backend", "text_search", "embedder", "provider", "model", "dimensions", "cache_size", "options",
     "timeout", "batch_size", "send_dimensions", "top_k", "batch", "work", "extra"],
)  # fmt: skip
anything = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4))


def mostly(good):
    """A value that is usually of the right kind."""
    return st.integers(0, 15).flatmap(lambda chance: good if chance else scalars)


def section(required, **optional):
    return st.fixed_dictionaries(
        {name: mostly(good) for name, good in required.items()},
        optional={name: mostly(good) for name, good in optional.items()},
    )


mounts = st.lists(
    section(
        {"path": st.sampled_from("abc"), "scope": st.sampled_from(["a:b", "user:me/proj:x"])},
        mode=st.sampled_from(["rw", "ro", "eo"]),
    ),
    max_size=2,
    unique_by=lambda mount: repr(mount["path"]),
)
profile = section({}, root=st.just("~/x"), url=st.just("http://h"), actor=st.just("cli:me"), mounts=mounts)
options = section({}, timeout=st.just("30s"), batch_size=st.integers(0, 9), api_key_env=st.just("K"))
embedder = section(
    {"provider": st.sampled_from(["fake", "local", "openai", "ollama"])},
    model=st.just("m"),
    dimensions=st.integers(0, 9),
    options=options,
)
namespaces = st.lists(
    section(
        {"block": st.just("semantic"), "name": st.sampled_from("xyz"), "embedder": embedder},
        backend=st.just("files"),
        text_search=st.just("english"),
        planner=section(
            {},
            fetch_up_to=st.integers(-1, 9),
            index_from=st.integers(0, 9),
            index_ef=st.integers(9, 11),
            index_tail=st.integers(-1, 9),
            index_tail_percent=st.integers(99, 101),
            index_dead_percent=st.integers(0, 9),
        ),
    ),
    max_size=2,
    unique_by=lambda space: str(space["name"]).lower(),
)
files = section(
    {},
    profiles=st.dictionaries(st.sampled_from(["work", "a b"]), profile, max_size=2),
    namespaces=namespaces,
    caps=section({}, top_k=st.integers(0, 9), batch=st.integers(1, 9)),
)
strange = st.tuples(files, st.dictionaries(keys, anything, max_size=2)).map(lambda both: {**both[0], **both[1]})


def read(text):
    """Whether the text is taken; a refusal must name its place."""
    try:
        load("/c.yaml", text)
    except Failure as refusal:
        failure = refusal
    else:
        return True
    assert failure.code == "invalid_config"
    assert failure.details["file"] == "/c.yaml"
    assert failure.details["line"] is None or 1 <= failure.details["line"] <= len(text) + 1
    assert failure.message.isprintable()
    return False


@given(st.one_of(files, files, files, strange, anything))
@settings(max_examples=300, deadline=None)
def test_the_reader_and_the_schema_agree(value):
    if isinstance(value, dict):
        value.pop("default_profile", None)  # whether it names a profile is beyond a schema
    text = yaml.safe_dump(value, allow_unicode=True)
    assert read(text) == FILE.is_valid(yaml.safe_load(text))


@given(st.text(alphabet=st.sampled_from("ab:-{}[],&*!|>'\"%#@`? \n\t0~<="), max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_text_leads_to_anything_but_a_refusal(text):
    read(text)


@given(
    files,
    st.integers(0, 10**6),
    st.sampled_from(["\t", "*x", "&x ", "!!str ", "- ", ":", "}", '"', "\\", "\x85", "\u2028"]),
)
def test_a_good_file_with_a_slip(value, place, slip):
    text = yaml.safe_dump(value)
    place %= len(text) + 1
    read(text[:place] + slip + text[place:])
