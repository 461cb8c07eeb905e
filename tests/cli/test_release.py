"""What is released: the sdist and the wheel made from it, installed into an empty environment and used from there."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import neosian_cli
from neosian_cli.commands import groups
from tests.cli.process import TOP, environment

# What an unpacked source may hold beside what is released: none of it may be looked at.
OURS = ("neosian_cli", "man", "completions", "docs", "tests", "scripts", "benchmarks", "requirements")
PAGES = sorted(path.name for path in (TOP / "man").iterdir())


def run(*words: str | Path, **more) -> str:
    ended = subprocess.run(words, capture_output=True, text=True, timeout=300, **more)
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with both, from a copy without anything that lies about here."""
    found = importlib.metadata.version("setuptools") if importlib.util.find_spec("setuptools") else "0"
    if int(found.partition(".")[0]) < 77:
        pytest.skip(f"setuptools is {found}, and 77 is needed to build")
    source, dist = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in OURS:
        shutil.copytree(TOP / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in TOP.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, source)
    script = "import sys, setuptools.build_meta as backend; backend.build_sdist(sys.argv[1])"
    run(sys.executable, "-c", script, dist, cwd=source, env=environment(PYTHONPATH=_beside()))
    (sdist,) = dist.glob("*.tar.gz")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", dist, sdist,
        cwd=dist, env=environment(PYTHONPATH=_beside()))  # fmt: skip
    return dist


def _beside() -> str:
    """Where this process finds packages, without the sources that it tests."""
    return os.pathsep.join(place for place in sys.path if place.endswith(("-packages", "-tools")))


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """An environment with the wheel alone; what it depends on is found where this process has it."""
    home = tmp_path_factory.mktemp("env")
    run(sys.executable, "-m", "venv", "--without-pip", home)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "beside.pth").write_text("\n".join(_beside().split(os.pathsep)) + "\n")
    (wheel,) = built.glob("*.whl")
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", home / "bin/python",
        "install", "--no-deps", "--no-index", wheel, env=environment(PYTHONPATH=_beside()), cwd=home)  # fmt: skip
    return home


def use(installed: Path, *words: str | Path, **more) -> str:
    env = environment(PATH=f"{installed}/bin:{os.environ['PATH']}", HOME=str(installed), LOGNAME="ann")
    env.pop("PYTHONPATH")
    return run(*words, env=env, cwd=installed, **more)


def test_the_sdist_holds_all_that_is_needed(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"man/{name}" for name in PAGES} <= names
    assert {"completions/_neosian", "docs/cli.md", "tests/cli/test_release.py", "scripts/demo.sh", "Makefile"} <= names
    assert not [name for name in names if "__pycache__" in name]


def test_the_wheel_holds_man_pages_completions_and_pages(built):
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"neosian_cli/pages/changes.md", "neosian_cli/completions/_neosian", "neosian_cli/py.typed"} <= set(names)
    assert {Path(name).name for name in names if "/share/man/" in name} == set(PAGES)
    assert not [name for name in names if name.startswith("tests")]


def test_it_runs_from_there(installed):
    where = use(installed, installed / "bin/python", "-c", "import neosian_cli; print(neosian_cli.__file__)")
    assert where.startswith(str(installed))
    assert use(installed, "neosian", "--version") == f"neosian {neosian_cli.__version__}\n"


def test_the_demonstration_runs_from_there(installed):
    shown = use(installed, "sh", TOP / "scripts/demo.sh")
    assert "$ neosian verify" in shown
    assert "Traceback" not in shown


def test_all_that_it_prints_of_its_own_is_there(installed):
    topics = use(installed, "neosian", "docs").splitlines()
    for line in topics:
        assert use(installed, "neosian", "docs", line.partition("\t")[0]).startswith("# ")
    for shell in ("bash", "zsh", "fish"):
        assert "neosian" in use(installed, "neosian", "completion", shell)
    (schema,) = (entry.verbs[0] for entry in groups.ENTRIES if entry.name == "schema")
    for name in schema.arguments[0].choices:
        assert '"$schema"' in use(installed, "neosian", "schema", name)


def test_man_and_shells_find_theirs(installed):
    assert (installed / "share/man/man1/neosian.1").is_file()
    assert (installed / "share/man/man5/neosian-store.5").is_file()
    assert (installed / "share/man/man7/neosian-exit-status.7").is_file()
    for name in (
        "bash-completion/completions/neosian.bash", "zsh/site-functions/_neosian",
        "fish/vendor_completions.d/neosian.fish",
    ):  # fmt: skip
        assert (installed / "share" / name).is_file()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_extras_are_put_where_the_system_looks(tmp_path):
    run("make", "-s", "install-extras", "PREFIX=/usr", f"DESTDIR={tmp_path}", cwd=TOP)
    share = tmp_path / "usr/share"
    for section in "157":
        there = sorted(path.name for path in (share / f"man/man{section}").iterdir())
        assert there == [name for name in PAGES if name.endswith(f".{section}")]
    for file, place in (
        ("neosian.bash", "bash-completion/completions/neosian"),
        ("_neosian", "zsh/site-functions/_neosian"),
        ("neosian.fish", "fish/vendor_completions.d/neosian.fish"),
    ):
        assert (share / place).read_bytes() == (TOP / "completions" / file).read_bytes()
