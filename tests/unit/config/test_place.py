from __future__ import annotations

import os
import pwd

import pytest

from neosian_cli.config import place
from neosian_cli.errors import Failure

ENV = {"HOME": "/home/me"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/srv/state", "/srv/state"),
        ("/srv//state/./", "/srv/state"),
        ("/", "/"),
        ("state", "/work/here/state"),
        (".", "/work/here"),
        ("./~", "/work/here/~"),
        ("~", "/home/me"),
        ("~/", "/home/me"),
        ("~/state", "/home/me/state"),
        ("a b\nc", "/work/here/a b\nc"),
        ("-x", "/work/here/-x"),
    ],
)
def test_names_become_absolute(given, expected):
    assert place.absolute(given, ENV, "/work/here") == expected


def test_a_parent_is_the_real_one_and_other_links_stay(tmp_path):
    real = tmp_path / "real" / "inner"
    real.mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(real)
    assert place.absolute("link/state", ENV, str(tmp_path)) == str(link / "state")
    assert place.absolute("link/../state", ENV, str(tmp_path)) == str(tmp_path / "real" / "state")
    assert place.absolute("/..", ENV, str(tmp_path)) == "/"
    assert place.absolute("/../x", ENV, str(tmp_path)) == "/x"


def test_another_users_home():
    me = pwd.getpwuid(os.getuid())
    assert place.absolute(f"~{me.pw_name}/state", {}, "/") == os.path.join(me.pw_dir, "state")
    with pytest.raises(Failure, match="a user who does not exist") as caught:
        place.absolute("~no-such-user-here/state", ENV, "/")
    assert caught.value.code == "invalid_argument"


def test_home_comes_from_the_password_database_without_the_variable():
    expected = pwd.getpwuid(os.getuid()).pw_dir
    assert place.user_home({}) == expected
    assert place.user_home({"HOME": ""}) == expected


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 5)
    with pytest.raises(Failure, match="no home directory") as caught:
        place.program_home({})
    assert "NEOSIAN_HOME" in caught.value.hint
    assert place.program_home({"NEOSIAN_HOME": "/n"}) == "/n"


def test_program_home():
    assert place.program_home(ENV) == "/home/me/.neosian"
    assert place.program_home({**ENV, "NEOSIAN_HOME": ""}) == "/home/me/.neosian"
    assert place.program_home({**ENV, "NEOSIAN_HOME": "n"}, "/work") == "/work/n"


def test_a_nul_is_refused_and_any_other_byte_is_not():
    with pytest.raises(Failure, match="NUL") as caught:
        place.absolute("a\0b", ENV, "/w")
    assert caught.value.code == "invalid_argument"
    assert os.fsencode(place.absolute("caf\udce9", ENV, "/w")) == b"/w/caf\xe9"


def test_a_removed_current_folder(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(Failure) as caught:
        place.absolute("state", ENV)
    assert caught.value.code == "not_found"
    assert place.absolute("/state", ENV) == "/state"
