"""Where files or functions grow long, the cut is in the wrong place."""

import ast
import statistics

import pytest

from tests.arch.source import SOURCES, TOP, Source

MAX_LINES = 400
MAX_FUNCTION = 70
TESTS = sorted((TOP / "tests").rglob("*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_files_are_short(source):
    assert source.text.count("\n") < MAX_LINES


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(TOP)))
def test_tests_are_short_too(path):
    assert path.read_text().count("\n") < 2 * MAX_LINES


def lengths(source: Source) -> dict[str, int]:
    """The lines of each function, its docstring apart."""
    found = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            start = node.body[1].lineno if ast.get_docstring(node) and len(node.body) > 1 else node.body[0].lineno
            found[f"{source.name}.{node.name}:{node.lineno}"] = node.end_lineno - start + 1
    return found


def test_functions_are_short():
    every = {name: size for source in SOURCES for name, size in lengths(source).items()}
    assert statistics.median(every.values()) <= 12
    long = {name: size for name, size in every.items() if size > MAX_FUNCTION}
    assert not long


@pytest.mark.parametrize("source", SOURCES, ids=repr)
def test_modules_are_nouns_of_the_domain(source):
    assert not {"util", "utils", "helper", "helpers", "common", "misc", "tools"} & set(source.name.split("."))
    assert source.text.startswith(('"""', 'r"""')), f"{source.name} does not say what it is"
