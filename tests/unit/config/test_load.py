from __future__ import annotations

import pytest

from neosian_cli.config.load import embedder_options, load
from neosian_cli.config.namespace import Caps, Embedder, EmbedderOptions, Namespace
from neosian_cli.errors import Failure
from neosian_cli.model.mount import Mount

FULL = """\
default_profile: work
profiles:
  work:
    root: ~/work/state
    actor: cli:me
    mounts:
      - {path: project, scope: "user:me/proj:erp"}
      - {path: policies, scope: "org:acme/kb:all", mode: ro}
  far:
    url: https://far.example
namespaces:
  - block: semantic
    name: notes
    backend: files
    text_search: english
    embedder:
      provider: openai
      model: text-embedding-3-small
      dimensions: 1536
      cache_size: 0
      options:
        {api_key_env: OPENAI_API_KEY, timeout: 1m30s, base_url: "http://h:1/v1", batch_size: 8, send_dimensions: true}
  - block: semantic
    name: plain
    embedder: {provider: fake, cache_size: -1}
caps: {top_k: 7}
"""


def failure(text):
    with pytest.raises(Failure) as caught:
        load("/h/config.yaml", text)
    assert caught.value.code == "invalid_config"
    assert caught.value.exit_status == 2
    return caught.value


def test_a_whole_file():
    found = load("/h/config.yaml", FULL)
    assert found.default_profile == "work"
    work = found.profiles["work"]
    assert (work.root, work.url, work.actor) == ("~/work/state", None, "cli:me")
    assert work.mounts == (
        Mount("project", "user:me/proj:erp", "rw"),
        Mount("policies", "org:acme/kb:all", "ro"),
    )
    assert work.lines == {"": 4, "root": 4, "actor": 5, "mounts": 6}
    assert found.profiles["far"].url == "https://far.example"
    options = EmbedderOptions("OPENAI_API_KEY", 90.0, "http://h:1/v1", 8, send_dimensions=True)
    assert found.namespaces == (
        Namespace("notes", Embedder("openai", "text-embedding-3-small", 1536, 4096, options), "files", "english", 12),
        Namespace("plain", Embedder("fake", None, None, -1, EmbedderOptions()), "files", "simple", 23),
    )
    assert found.caps == Caps(top_k=7, rerank_candidate_k=1000, max_rows=100_000, batch=10_000)
    assert found.lines["caps"] == 26


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "{}", "profiles: {}\nnamespaces: []\ncaps: {}\n"])
def test_an_empty_file_is_all_defaults(text):
    found = load("/h/config.yaml", text)
    assert (found.default_profile, found.profiles, found.namespaces) == (None, {}, ())
    assert found.caps in (None, Caps())


CASES = [
    ("profile:\n", 1, "profile", "unknown key"),
    ("caps: {}\nprofiles:\n  a:\n    rot: /x\n", 4, "profiles.a.rot", "unknown key"),
    ("profiles:\n  a: {root: /x}\n  b: {}\n  a: {}\n", 4, "profiles.a", "line 2 already"),
    ("caps: {}\ncaps: {}\n", 2, "caps", "line 1 already"),
    ("caps:\n  top_k: 1\n  'top_k': 2\n", 3, "caps.top_k", "line 2 already"),
    ("profiles:\n  a:\n    root: 5\n", 3, "profiles.a.root", "must be text, not a number"),
    ("profiles:\n  a:\n    root: yes\n", 3, "profiles.a.root", "not a truth value"),
    ("profiles:\n  a:\n    root: ~\n", 3, "profiles.a.root", "not nothing"),
    ("profiles:\n  a:\n    root: ''\n", 3, "profiles.a.root", "is empty"),
    ('profiles:\n  a:\n    root: "\\0"\n', 3, "profiles.a.root", "NUL"),
    ("profiles:\n  a:\n    root: [x]\n", 3, "profiles.a.root", "not a list"),
    ("profiles: []\n", 1, "profiles", "must be a mapping"),
    ("profiles:\n", 1, "profiles", "not nothing"),
    ("profiles:\n  a:\n", 2, "profiles.a", "not nothing"),
    ("profiles: {1: {}}\n", 1, "profiles.1", "a key must be text"),
    ("profiles: {[x]: {}}\n", 1, "profiles.?", "a key must be text"),
    ("profiles: {'': {}}\n", 1, "profiles.", "is empty"),
    ('profiles: {"a\\e": {}}\n', 1, "profiles.a\x1b", "cannot be shown"),
    ("profiles:\n  a: {}\n  <<: {b: {}}\n", 3, "profiles.<<", "merge keys"),
    ("profiles:\n  a:\n    <<: {root: /x}\n", 3, "profiles.a.<<", "merge keys"),
    ("profiles:\n  a: {root: /x,\n    url: http://x}\n", 3, "profiles.a.url", "root and url"),
    ("profiles:\n  a: {url: http://x,\n    root: /x}\n", 3, "profiles.a.root", "root and url"),
    ("profiles:\n  a:\n    actor: Me\n", 3, "profiles.a.actor", "type:id"),
    ("profiles:\n  a:\n    mounts: {}\n", 3, "profiles.a.mounts", "must be a list"),
    ("profiles:\n  a:\n    mounts:\n    - x\n", 4, "profiles.a.mounts[0]", "must be a mapping"),
    ("profiles:\n  a:\n    mounts:\n    - path: x\n", 4, "profiles.a.mounts[0].scope", "is missing"),
    ("profiles:\n  a:\n    mounts:\n    - path: /x\n      scope: a:b\n", 4, "profiles.a.mounts[0].path", "'/x'"),
    ("profiles:\n  a:\n    mounts:\n    - path: x\n      scope: me\n", 5, "profiles.a.mounts[0].scope", "type:id"),
    (
        "profiles:\n  a:\n    mounts:\n    - {path: x, scope: a:b, mode: wr}\n",
        4,
        "profiles.a.mounts[0].mode",
        "rw, ro, eo",
    ),
    (
        "profiles:\n  a:\n    mounts:\n    - {path: x, scope: a:b}\n    - {path: x, scope: c:d}",
        5,
        "profiles.a.mounts[1].path",
        "stands on line 4",
    ),
    ("profiles:\n  a: {}\ndefault_profile: b\n", 3, "default_profile", "no profile 'b'"),
    ("default_profile: 1\n", 1, "default_profile", "must be text"),
    ("profiles: {a: {actor: %s}}\n" % ("cli:" + "x" * 600), 1, "profiles.a.actor", "longer than 512"),
    ("caps: {top_k: 0}\n", 1, "caps.top_k", "less than 1"),
    ("caps: {top_k: 1.5}\n", 1, "caps.top_k", "whole number"),
    ("caps: {top_k: '5'}\n", 1, "caps.top_k", "whole number, not text"),
    ("caps: {top_k: true}\n", 1, "caps.top_k", "whole number, not a truth value"),
    ("caps: {top_k: 010}\n", 1, "caps.top_k", "plain decimal"),
    ("caps: {top_k: 0x10}\n", 1, "caps.top_k", "plain decimal"),
    ("caps: {top_k: 1_0}\n", 1, "caps.top_k", "plain decimal"),
    ("caps: {top_k: 1:30}\n", 1, "caps.top_k", "plain decimal"),
    ("caps: {top_k: 99999999999999999999}\n", 1, "caps.top_k", "plain decimal"),
    ("caps: {top_k: 1000000001}\n", 1, "caps.top_k", "more than"),
    ("k" * 500 + ": 1\n", 1, "k" * 127 + "…", "unknown key"),
    ("- a\n", 1, None, "must be a mapping"),
    ("word\n", 1, None, "must be a mapping"),
]


@pytest.mark.parametrize(("text", "line", "key", "what"), CASES, ids=[str(index) for index in range(len(CASES))])
def test_every_fault_names_file_line_and_key(text, line, key, what):
    found = failure(text)
    assert found.details["file"] == "/h/config.yaml"
    assert (found.details["line"], found.details["key"]) == (line, key)
    assert found.message.startswith(f"/h/config.yaml:{line}: ")
    assert what in found.message
    assert found.message.isprintable()


SPACE = "namespaces:\n- block: semantic\n  name: notes\n  embedder:\n    provider: fake\n"
ONE = "- {block: semantic, name: %s, embedder: {provider: fake}}\n"


SPACES = [
    (SPACE.replace("semantic", "graph"), 2, "namespaces[0].block", "none of semantic"),
    (SPACE.replace("notes", "no/tes"), 3, "namespaces[0].name", "1 to 63"),
    (SPACE.replace("notes", "n" * 64), 3, "namespaces[0].name", "1 to 63"),
    (SPACE.replace("fake", "opnai"), 5, "namespaces[0].embedder.provider", "none of fake"),
    (SPACE.replace("fake", "openai"), 5, "namespaces[0].embedder.model", "needs it"),
    (SPACE + "    dimensions: 0\n", 6, "namespaces[0].embedder.dimensions", "less than 1"),
    (SPACE + "    options: {timeout: 30}\n", 6, "namespaces[0].embedder.options.timeout", "must be text"),
    (SPACE + "    options: {timeout: 30 s}\n", 6, "namespaces[0].embedder.options.timeout", "30s"),
    (SPACE + "    options: {timeout: 0s}\n", 6, "namespaces[0].embedder.options.timeout", "24 hours"),
    (SPACE + "    options: {timeout: 25h}\n", 6, "namespaces[0].embedder.options.timeout", "24 hours"),
    (SPACE + "    options: {batch_size: 0}\n", 6, "namespaces[0].embedder.options.batch_size", "less than 1"),
    (
        SPACE + "    options: {send_dimensions: yes}\n",
        6,
        "namespaces[0].embedder.options.send_dimensions",
        "true or false",
    ),
    (
        SPACE + "    options: {send_dimensions: 1}\n",
        6,
        "namespaces[0].embedder.options.send_dimensions",
        "not a number",
    ),
    (SPACE + "    options: {base_url: ftp://x}\n", 6, "namespaces[0].embedder.options.base_url", "http"),
    (SPACE + "  text_search: ''\n", 6, "namespaces[0].text_search", "is empty"),
    ("namespaces:\n- block: semantic\n  name: notes\n", 2, "namespaces[0].embedder", "is missing"),
    ("namespaces:\n" + ONE % "a" + ONE % "b" + ONE % "a", 4, "namespaces[2].name", "stands on line 2"),
    ("namespaces:\n" + ONE % "Notes" + ONE % "notes", 3, "namespaces[1].name", "only in case from 'Notes'"),
]


@pytest.mark.parametrize(("text", "line", "key", "what"), SPACES)
def test_faults_of_namespaces(text, line, key, what):
    found = failure(text)
    assert (found.details["line"], found.details["key"]) == (line, key)
    assert what in found.message


def test_another_backend_is_refused_only_when_it_is_used():
    text = SPACE + "  backend: pg-main\n"
    (space,) = load("/h/config.yaml", text).namespaces
    with pytest.raises(Failure) as caught:
        space.require_backend()
    assert (caught.value.code, caught.value.exit_status) == ("unsupported", 7)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("profile: {}\n", "did you mean profiles?"),
        ("Caps: {}\n", "did you mean caps?"),
        ("zzz: {}\n", "the keys here are default_profile, profiles, namespaces, caps"),
        ("profiles:\n  a:\n    mounts:\n    - {path: x, scope: a:b, mode: row}\n", "did you mean rw?"),
        ("profiles: {work: {}}\ndefault_profile: wrok\n", "did you mean work?"),
        ("default_profile: zzz\n", None),
        ("profiles: {a: {root: 1e3, actor: 2026-01-02}}\n", 'put it in quotes if it is meant as text: "2026-01-02"'),
        ("profiles: {a: {root: ~}}\n", 'put it in quotes if it is meant as text: "~"'),
        ("profiles: {1: {}}\n", 'put it in quotes: "1"'),
    ],
)
def test_hints(text, hint):
    assert failure(text).hint == hint


def test_all_faults_are_told_in_the_order_of_lines():
    found = failure("caps:\n  top_k: 0\nprofiles:\n  a: {rot: /x, actor: 1}\nnamespace: []\n")
    assert found.message == "/h/config.yaml:2: caps.top_k: 0 is less than 1 (and 3 more)"
    assert [(other["line"], other["key"]) for other in found.details["others"]] == [
        (4, "profiles.a.rot"),
        (4, "profiles.a.actor"),
        (5, "namespace"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        SPACE + "    options: {api_key_env: sk-SECRET-0123}\n",
        SPACE + "    options: {api_key: sk-SECRET-0123}\n",
        SPACE + "    options: {base_url: 'http://me:SECRET@host/'}\n",
        SPACE + "    options: {base_url: 'http://host/?key=SECRET'}\n",
    ],
)
def test_a_key_in_the_wrong_place_is_not_repeated(text):
    found = failure(text)
    assert "SECRET" not in repr(found.envelope())
    assert "namespaces[0].embedder.options." in found.message


def test_options_of_the_command_line_keep_the_same_rules():
    given = {"timeout": "500ms", "batch_size": "8", "send_dimensions": "false", "api_key_env": "KEY"}
    assert embedder_options(given) == EmbedderOptions("KEY", 0.5, None, 8, send_dimensions=False)
    assert embedder_options({}) == EmbedderOptions()


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"batch": "8"}, "--option batch: unknown key"),
        ({"batch_size": "x"}, "--option batch_size: 'x' is not a plain decimal"),
        ({"batch_size": ""}, "--option batch_size: '' is not a plain decimal"),
        ({"send_dimensions": "maybe"}, "--option send_dimensions: 'maybe' must be written as true or false"),
        ({"timeout": "30"}, "--option timeout: '30' is not a duration"),
        ({"timeout": ""}, "--option timeout: is empty"),
    ],
)
def test_bad_options_of_the_command_line(given, what):
    with pytest.raises(Failure) as caught:
        embedder_options(given)
    assert caught.value.code == "invalid_argument"
    assert what in caught.value.message
