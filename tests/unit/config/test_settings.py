from __future__ import annotations

import os
import subprocess
import sys

import pytest

from neosian_cli.config import settings
from neosian_cli.config.namespace import Caps
from neosian_cli.errors import Failure
from neosian_cli.model.mount import Mount

CONFIG = """\
profiles:
  work:
    root: state
    actor: cli:boss
    mounts:
      - {path: project, scope: "user:me/proj:erp"}
      - {path: policies, scope: "org:acme/kb:all", mode: ro}
  far: {url: "https://me:pw@far.example/x?key=1"}
  bare: {}
  lost: {root: ~nobody-at-all/x}
namespaces:
  - {block: semantic, name: notes, embedder: {provider: fake}}
  - {block: semantic, name: vectors, backend: pg, embedder: {provider: fake}}
caps: {top_k: 5}
"""


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def env(home):
    return {"NEOSIAN_HOME": str(home), "HOME": str(home.parent), "LOGNAME": "ann"}


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "erp"
    folder.mkdir()
    return str(folder)


@pytest.fixture
def resolve(env, work):
    return lambda values=None, **variables: settings.resolve(values or {}, {**env, **variables}, cwd=work)


@pytest.fixture
def configured(home, resolve):
    (home / "config.yaml").write_text(CONFIG)
    return resolve


def failure(call, *arguments, **keywords):
    with pytest.raises(Failure) as caught:
        call(*arguments, **keywords)
    return caught.value


def test_defaults(home, resolve):
    found = resolve()
    assert found.home == str(home)
    assert found.config_file == str(home / "config.yaml")
    assert (found.configuration, found.profile, found.url) == (None, None, None)
    assert found.root == found.local_root() == str(home / "store")
    assert found.mounts == (Mount("user", "user:ann"), Mount("project", "user:ann/proj:erp"))
    assert (found.actor, found.lock_timeout) == ("cli:ann", 10.0)
    assert (found.namespaces, found.caps) == ((), Caps())
    assert found.source == {}
    assert found.origins == {
        "home": "environment NEOSIAN_HOME",
        "config": "default",
        "profile": "default",
        "root": "default",
        "mounts": "default",
        "actor": "default",
        "lock_timeout": "default",
        "namespaces": "default",
        "caps": "default",
    }


def test_home_without_the_variable(env, tmp_path, work):
    del env["NEOSIAN_HOME"]
    found = settings.resolve({}, env, cwd=work)
    assert found.home == str(tmp_path / ".neosian")
    assert found.origins["home"] == "default"


def test_an_option_beats_the_environment_beats_the_profile(configured, home, work):
    profile = {"profile": "work"}
    assert configured(profile).root == str(home / "state")
    assert configured(profile, NEOSIAN_ROOT="/env").root == "/env"
    assert configured({**profile, "root": "/opt"}, NEOSIAN_ROOT="/env").root == "/opt"

    assert configured(profile).actor == "cli:boss"
    assert configured(profile, NEOSIAN_ACTOR="cli:env").actor == "cli:env"
    assert configured({**profile, "actor": "cli:opt#3"}, NEOSIAN_ACTOR="cli:env").actor == "cli:opt#3"

    assert [mount.name for mount in configured(profile).mounts] == ["project", "policies"]
    assert configured(profile, NEOSIAN_SCOPE="a:env").mounts == (Mount("memories", "a:env"),)
    assert configured({**profile, "scope": "a:opt"}, NEOSIAN_SCOPE="a:env").mounts == (Mount("memories", "a:opt"),)
    spec = "scope=a:m,path=m,ro"
    assert configured({**profile, "mount": [spec]}, NEOSIAN_SCOPE="a:env").mounts == (Mount("m", "a:m", "ro"),)

    assert configured(NEOSIAN_PROFILE="work").profile == "work"
    assert configured({"profile": "far"}, NEOSIAN_PROFILE="work").profile == "far"


def test_origins_and_source(configured, home):
    file = home / "config.yaml"
    found = configured({"profile": "work", "lock_timeout": "0.5"}, NEOSIAN_ACTOR="cli:e")
    assert dict(found.origins) == {
        "home": "environment NEOSIAN_HOME",
        "config": "default",
        "profile": "option --profile",
        "root": f"profile work ({file}:3)",
        "mounts": f"profile work ({file}:5)",
        "actor": "environment NEOSIAN_ACTOR",
        "lock_timeout": "option --lock-timeout",
        "namespaces": f"file {file}:11",
        "caps": f"file {file}:14",
    }
    assert found.source == {"profile": "work", "root": str(home / "state")}
    assert configured({"root": "/x"}).source == {"root": "/x"}
    assert configured(NEOSIAN_ROOT="/x").source == {"root": "/x"}
    assert configured(NEOSIAN_ROOT="/x").origins["root"] == "environment NEOSIAN_ROOT"
    assert configured({"profile": "bare"}).source == {"profile": "bare"}
    assert configured().source == {}


def test_a_profile_that_says_nothing_leaves_the_defaults(configured, home):
    found = configured({"profile": "bare"})
    assert found.root == str(home / "store")
    assert [mount.root for mount in found.mounts] == ["/user", "/project"]
    assert found.actor == "cli:ann"


def test_the_default_profile(configured, home):
    file = home / "config.yaml"
    file.write_text(CONFIG + "default_profile: work\n")
    found = configured()
    assert (found.profile, found.root) == ("work", str(home / "state"))
    assert found.origins["profile"] == f"default_profile ({file}:15)"
    assert found.source == {"profile": "work", "root": str(home / "state")}
    assert configured({"profile": "bare"}).profile == "bare"


def test_relative_roots(configured, tmp_path, work):
    assert configured({"root": "x"}).root == f"{work}/x"
    assert configured(NEOSIAN_ROOT="./x/").root == f"{work}/x"
    assert configured({"root": "~/x"}).root == f"{tmp_path}/x"
    elsewhere = tmp_path / "etc"
    elsewhere.mkdir()
    (elsewhere / "n.yaml").write_text("profiles: {w: {root: ../state}, h: {root: ~/state}}\n")
    assert configured({"config": "../etc/n.yaml", "profile": "w"}).root == f"{tmp_path}/state"
    assert configured({"config": "../etc/n.yaml", "profile": "h"}).root == f"{tmp_path}/state"


def test_a_profile_root_that_leads_nowhere(configured, home):
    found = failure(configured, {"profile": "lost"})
    assert found.code == "invalid_config"
    assert found.details == {"file": str(home / "config.yaml"), "line": 10, "key": "profiles.lost.root"}
    assert configured({"profile": "work"}).profile == "work"


def test_the_file_can_be_chosen(resolve, tmp_path, home):
    (home / "config.yaml").write_text("broken: [")
    other = tmp_path / "o.yaml"
    other.write_text("caps: {batch: 3}\n")
    assert resolve({"config": str(other)}).caps.batch == 3
    assert resolve(NEOSIAN_CONFIG=str(other)).origins["config"] == "environment NEOSIAN_CONFIG"
    assert resolve({"config": str(other)}, NEOSIAN_CONFIG="/none").origins["config"] == "option --config"
    assert resolve({"config": os.devnull}).configuration is not None
    assert failure(resolve).code == "invalid_config"
    assert failure(resolve, {"config": str(tmp_path / "none")}).code == "not_found"
    assert failure(resolve, NEOSIAN_CONFIG=str(tmp_path / "none")).exit_status == 5


@pytest.mark.parametrize(
    ("values", "variables", "code"),
    [
        ({"root": "/a", "url": "http://b"}, {}, "usage"),
        ({"scope": "a:b", "mount": ["scope=a:b,path=c"]}, {}, "usage"),
        ({}, {"NEOSIAN_ROOT": "/a", "NEOSIAN_URL": "http://b"}, "invalid_argument"),
    ],
)
def test_contradictions(resolve, values, variables, code):
    found = failure(resolve, values, **variables)
    assert (found.code, found.exit_status) == (code, 2)


def test_an_option_silences_every_variable_of_its_choice(resolve):
    both = {"NEOSIAN_ROOT": "/a", "NEOSIAN_URL": "http://b"}
    assert resolve({"root": "/c"}, **both).root == "/c"
    assert resolve({"url": "http://c"}, **both).url == "http://c"
    assert resolve({"root": "/c"}, NEOSIAN_URL="http://b").url is None
    assert resolve({"mount": ["scope=a:b,path=c"]}, NEOSIAN_SCOPE="not a scope").mounts[0].name == "c"


def test_a_location_of_the_environment_replaces_the_profiles_other_one(configured):
    assert configured({"profile": "far"}, NEOSIAN_ROOT="/a").url is None
    assert configured({"profile": "work"}, NEOSIAN_URL="http://b").root is None


def test_empty_variables_are_unset_and_empty_options_are_mistakes(resolve, home):
    names = ("PROFILE", "ROOT", "URL", "SCOPE", "ACTOR", "CONFIG", "LOCK_TIMEOUT")
    found = resolve({"mount": []}, **{f"NEOSIAN_{name}": "" for name in names})
    assert found.root == str(home / "store")
    assert set(found.origins.values()) == {"default", "environment NEOSIAN_HOME"}
    for name in ("profile", "root", "url", "scope", "actor", "config", "lock_timeout"):
        refused = failure(resolve, {name: ""})
        assert refused.code == "invalid_argument"
        assert "--" + name.replace("_", "-") in refused.message


@pytest.mark.parametrize(
    ("values", "variables", "what"),
    [
        ({"scope": "me"}, {}, "option --scope"),
        ({}, {"NEOSIAN_SCOPE": "user:.."}, "environment NEOSIAN_SCOPE"),
        ({"mount": ["scope=a:b"]}, {}, "option --mount"),
        ({"mount": ["scope=a:b,path=x", "scope=a:c,path=x"]}, {}, "option --mount"),
        ({"actor": "Me"}, {}, "option --actor"),
        ({}, {"NEOSIAN_ACTOR": "cli:me#x"}, "environment NEOSIAN_ACTOR"),
        ({"root": "~nobody-at-all"}, {}, "option --root"),
        ({}, {"NEOSIAN_CONFIG": "~nobody-at-all"}, "environment NEOSIAN_CONFIG"),
        ({"lock_timeout": "-1"}, {}, "option --lock-timeout"),
        ({"lock_timeout": "nan"}, {}, "option --lock-timeout"),
        ({"lock_timeout": "1000000.5"}, {}, "option --lock-timeout"),
        ({"lock_timeout": "1e999"}, {}, "option --lock-timeout"),
        ({"lock_timeout": "."}, {}, "option --lock-timeout"),
        ({"lock_timeout": "٣"}, {}, "option --lock-timeout"),
        ({"lock_timeout": "9" * 400}, {}, "option --lock-timeout"),
        ({}, {"NEOSIAN_LOCK_TIMEOUT": "soon"}, "environment NEOSIAN_LOCK_TIMEOUT"),
    ],
)
def test_bad_values_name_what_gave_them(resolve, values, variables, what):
    found = failure(resolve, values, **variables)
    assert found.code == "invalid_argument"
    assert what in found.message


@pytest.mark.parametrize(
    ("given", "expected"),
    [("0", 0.0), ("2.5", 2.5), (".5", 0.5), ("3.", 3.0), ("1e3", 1000.0), (7, 7.0), (0.25, 0.25), (1e-05, 1e-05)],
)
def test_lock_timeouts(resolve, given, expected):
    assert resolve({"lock_timeout": given}).lock_timeout == expected


def test_an_unknown_profile(configured, resolve, home):
    found = failure(configured, {"profile": "wrk"})
    assert (found.code, found.exit_status, found.hint) == ("not_found", 5, "did you mean work?")
    assert found.details["profiles"] == ["work", "far", "bare", "lost"]
    assert failure(configured, NEOSIAN_PROFILE="zzz").hint == "the profiles are work, far, bare, lost"
    (home / "config.yaml").unlink()
    found = failure(resolve, {"profile": "work"})
    assert found.code == "not_found"
    assert str(home / "config.yaml") in found.message


def test_a_served_store_is_chosen_but_not_supported(configured):
    found = configured({"url": "https://me:secret@host/x"})
    assert (found.root, found.url) == (None, "https://***@host/x")
    refused = failure(found.local_root)
    assert (refused.code, refused.exit_status) == ("unsupported", 7)
    assert "secret" not in repr(refused.envelope())
    assert found.source == {"url": "https://***@host/x"}
    far = configured({"profile": "far"})
    assert far.url == "https://***@far.example/x?***"
    assert far.source == {"profile": "far", "url": "https://***@far.example/x?***"}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://host", "http://host"),
        ("http://host/a@b", "http://host/a@b"),
        ("http://a:b@c@host/p", "http://***@host/p"),
        ("me:pw@host", "***@host"),
        ("http://host#frag", "http://host?***"),
    ],
)
def test_addresses_are_shown_without_secrets(resolve, url, shown):
    assert resolve({"url": url}).url == shown


def test_the_token_is_no_setting(resolve):
    found = resolve(NEOSIAN_TOKEN="hush-hush")
    assert "hush-hush" not in repr([getattr(found, name) for name in found.__slots__])


def test_a_folder_without_a_name_matters_only_to_the_default_mounts(env):
    found = settings.resolve({}, env, cwd="/")
    assert found.root
    with pytest.raises(Failure, match="no name for a project"):
        _ = found.mounts
    assert settings.resolve({"scope": "a:b"}, env, cwd="/").mounts == (Mount("memories", "a:b"),)


def test_namespaces_are_found_by_name(configured):
    found = configured()
    assert found.namespace("notes").embedder.provider == "fake"
    assert found.namespace("Notes") is None
    refused = failure(found.namespace, "vectors")
    assert (refused.code, refused.details["backend"]) == ("unsupported", "pg")


def test_nothing_heavy_is_imported_without_a_file(env, work):
    program = (
        "import sys; from neosian_cli.config import settings; "
        f"settings.resolve({{}}, {env!r}, cwd={work!r}).mounts; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "neosian_cli.config.settings" in loaded
    heavy = {
        "yaml",
        "difflib",
        "typer",
        "json",
        "pwd",
        "datetime",
        "neosian_cli.config.sections",
        "neosian_cli.config.load",
    }
    assert not loaded & heavy
