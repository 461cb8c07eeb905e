"""What every embedder does, and what the remote ones do when their server does not."""

from __future__ import annotations

import struct
from email.utils import formatdate

import pytest

from neosian_cli.config.namespace import EmbedderOptions
from neosian_cli.embedders import local, table
from neosian_cli.embedders.fake import FakeEmbedder
from neosian_cli.errors import Failure
from tests.contract.embedder_server import KEY, Behaviour, Clock, serving

DIMENSIONS = 8
REMOTE = ("ollama", "openai")


def remote(provider, base, clock, **options):
    given = EmbedderOptions(base_url=base, **{"timeout": 5.0, **options})
    environment = {"OPENAI_API_KEY": KEY, "OTHER_KEY": "other"}
    return table.make(provider, "some-model", DIMENSIONS, given, clocks=clock.clocks(), environment=environment)


@pytest.fixture(params=table.PROVIDERS)
def embedder(request):
    if request.param == "fake":
        yield FakeEmbedder(DIMENSIONS)
    elif request.param == "local":
        if not local.is_installed():
            pytest.skip("neosian-cli[local] is not installed here")
        yield local.LocalEmbedder()
    else:
        with serving(Behaviour(DIMENSIONS)) as base:
            yield remote(request.param, base, Clock(), batch_size=2)


def failure_of(provider, plan, *, clock=None, texts=("one", "two"), **options):
    behaviour = Behaviour(DIMENSIONS, plan)
    with serving(behaviour) as base, pytest.raises(Failure) as caught:
        remote(provider, base, clock or Clock(), **options).embed(texts)
    assert provider == "ollama" or KEY not in str(caught.value.envelope())
    return caught.value, behaviour


# All of them


def test_one_vector_a_text_in_order(embedder):
    texts = ["apple", "", "pie \0 x", "日本語", "apple"]
    vectors = embedder.embed(texts)
    assert [len(vector) for vector in vectors] == [4 * embedder.dimensions] * len(texts)
    assert vectors[0] == vectors[4]
    assert len(set(vectors)) == 4
    assert [embedder.embed([text])[0] for text in texts] == vectors


def test_vectors_can_be_used(embedder):
    for vector in embedder.embed(["a text", "x" * 100_000]):
        components = struct.unpack(f"<{embedder.dimensions}f", vector)
        assert all(abs(component) < 1e30 for component in components)
        assert any(components)


def test_nothing_for_nothing(embedder):
    assert embedder.embed([]) == []


# fake


def test_fake_is_the_published_function():
    apple, empty = FakeEmbedder(8).embed(["Apple", ""])
    expected = [
        0.407434464,
        -0.357695520,
        0.512099981,
        0.293817759,
        0.280729979,
        -0.308817357,
        0.104792409,
        -0.415110737,
    ]
    assert struct.unpack("<8f", apple) == pytest.approx(expected, abs=1e-9)
    expected = [
        -0.264464885,
        -0.465972275,
        0.315107435,
        -0.394227356,
        0.433016717,
        -0.222102135,
        -0.433636516,
        -0.182610929,
    ]
    assert struct.unpack("<8f", empty) == pytest.approx(expected, abs=1e-9)
    assert FakeEmbedder(3).embed(["apple"])[0] != apple[:12]


# The protocol


def test_ollama_is_asked_as_it_wants_it():
    behaviour = Behaviour(DIMENSIONS)
    with serving(behaviour) as base:
        remote("ollama", base, Clock(), batch_size=2).embed(["a", "b", "c"])
    assert [(path, body) for path, _, body in behaviour.requests] == [
        ("/api/embed", {"model": "some-model", "input": ["a", "b"]}),
        ("/api/embed", {"model": "some-model", "input": ["c"]}),
    ]


@pytest.mark.parametrize("base_path", ["", "/v1", "/v1/"])
def test_openai_is_asked_as_it_wants_it(base_path):
    behaviour = Behaviour(DIMENSIONS)
    with serving(behaviour) as base:
        vectors = remote("openai", base + base_path, Clock(), send_dimensions=True).embed(["a", "b"])
    path, headers, body = behaviour.requests[0]
    assert path == "/v1/embeddings"
    assert body == {"model": "some-model", "input": ["a", "b"], "dimensions": DIMENSIONS}
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert vectors == FakeEmbedder(DIMENSIONS).embed(["a", "b"])


@pytest.mark.parametrize(
    ("model", "given", "sent"),
    [("text-embedding-3-small", None, True), ("ada", None, False), ("text-embedding-3-large", False, False)],
)
def test_dimensions_are_sent_to_models_that_take_them(model, given, sent):
    behaviour = Behaviour(DIMENSIONS)
    with serving(behaviour) as base:
        options = EmbedderOptions(base_url=base, send_dimensions=given)
        made = table.make(
            "openai", model, DIMENSIONS, options, clocks=Clock().clocks(), environment={"OPENAI_API_KEY": KEY}
        )
        made.embed(["a"])
    assert ("dimensions" in behaviour.requests[0][2]) is sent


def test_the_key_comes_from_the_named_variable():
    behaviour = Behaviour(DIMENSIONS)
    with serving(behaviour) as base:
        remote("openai", base, Clock(), api_key_env="OTHER_KEY").embed(["a"])
    assert behaviour.requests[0][1]["Authorization"] == "Bearer other"
    for value in ("", "two words", "line\nbreak", "schlüssel"):
        with pytest.raises(Failure) as caught:
            table.make(
                "openai", "m", 8, EmbedderOptions(), clocks=Clock().clocks(), environment={"OPENAI_API_KEY": value}
            )
        assert caught.value.code == "invalid_config"
        assert not value or value not in str(caught.value.envelope())


# Failures that pass


@pytest.mark.parametrize("provider", REMOTE)
@pytest.mark.parametrize("act", ["status:429", "status:500", "status:503", "half", "hang_up"])
def test_it_is_tried_four_times(provider, act):
    clock = Clock()
    behaviour = Behaviour(DIMENSIONS, [act, act, act, "answer"])
    with serving(behaviour) as base:
        assert remote(provider, base, clock).embed(["a"]) == FakeEmbedder(DIMENSIONS).embed(["a"])
    assert clock.slept == [0.5, 1.0, 2.0]
    failure, behaviour = failure_of(provider, [act])
    assert (failure.code, failure.exit_status, len(behaviour.requests)) == ("unavailable", 8, 4)


def test_a_server_that_is_not_there():
    clock = Clock()
    with pytest.raises(Failure) as caught:
        remote("ollama", "http://127.0.0.1:9", clock).embed(["a"])
    assert caught.value.code == "unavailable"
    assert len(clock.slept) == 3


@pytest.mark.parametrize(
    ("header", "pause"), [("7", 7.0), ("100000", 60.0), ("date", 20.0), ("nonsense", 0.5), ("-3", 0.5)]
)
def test_retry_after_is_heeded_within_bounds(header, pause):
    clock = Clock()
    if header == "date":
        header = formatdate(clock.wall + 20, usegmt=True)
    behaviour = Behaviour(DIMENSIONS, [f"status:429:{header}", "answer"])
    with serving(behaviour) as base:
        remote("openai", base, clock).embed(["a"])
    assert clock.slept == [pytest.approx(pause, abs=1)]


@pytest.mark.parametrize("act", ["never", "slow", "slow_line", "slow_headers", "slow_chunks"])
def test_a_server_that_does_not_come_to_an_end(act):
    failure, behaviour = failure_of("ollama", [act], timeout=0.1)
    assert failure.code == "unavailable"
    assert "0.1 s" in failure.message
    assert len(behaviour.requests) == 4


# Failures that stay


@pytest.mark.parametrize("provider", REMOTE)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_ends_at_once(provider, status):
    failure, behaviour = failure_of(provider, [f"status:{status}"])
    assert (failure.exit_status, len(behaviour.requests)) == (1, 1)
    assert str(status) in failure.message
    assert len(failure.message) < 400
    assert "\x1b" not in failure.message


@pytest.mark.parametrize("provider", REMOTE)
def test_a_redirect_is_not_followed(provider):
    failure, behaviour = failure_of(provider, ["redirect"])
    assert (failure.exit_status, len(behaviour.requests)) == (1, 1)
    assert "redirect" in failure.message


@pytest.mark.parametrize("provider", REMOTE)
@pytest.mark.parametrize("what", ["count", "dimensions", "nan", "huge", "text", "truth", "zeros", "empty", "list"])
def test_an_answer_with_something_wrong(provider, what):
    failure, behaviour = failure_of(provider, [f"changed:{what}"])
    assert (failure.code, len(behaviour.requests)) == ("unavailable", 1)


def test_indexes_must_be_each_once():
    assert failure_of("openai", ["changed:index"])[0].code == "unavailable"


@pytest.mark.parametrize("act", ["prose", "flood"])
def test_an_answer_that_is_none(act):
    assert failure_of("ollama", [act])[0].code == "unavailable"


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_remote_embedder_takes_as_many_at_once_as_it_is_told(provider):
    assert remote(provider, "http://127.0.0.1:9", Clock(), batch_size=7).at_once == 7


def test_the_local_embedder_takes_few_at_once():
    from neosian_cli.embedders.local import LocalEmbedder

    assert LocalEmbedder().at_once == 8
