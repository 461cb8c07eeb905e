"""The table of options: what must hold for every verb there is."""

import keyword

import pytest

from neosian_cli.commands import groups
from neosian_cli.commands.declare import KINDS, OUTPUT, SELECTION, Argument, Flag, Option, Rest, paging
from neosian_cli.errors import CODES, OTHER_STATUSES

VERBS = list(groups.everything())


@pytest.mark.parametrize("entry", groups.ENTRIES, ids=lambda entry: entry.name)
def test_entries_match_their_modules(entry):
    assert entry.verbs
    assert all((verb.group == entry.name) if entry.group else (verb.group is None) for verb in entry.verbs)
    if not entry.group:
        (verb,) = entry.verbs
        assert verb.summary == entry.help


def test_entries_are_sorted_and_unique():
    names = [entry.name for entry in groups.ENTRIES]
    assert names == sorted(set(names))


def test_no_verb_is_left_out():
    """A module's verbs are all reached through the table."""
    reached = {id(verb) for verb in VERBS}
    for entry in groups.ENTRIES:
        module = __import__(entry.module, fromlist=["VERBS"])
        assert all(id(verb) in reached for verb in module.VERBS)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.title)
def test_parameters_are_sound(verb):
    keys = [param.key for param in verb.everything]
    assert len(keys) == len(set(keys))
    flags = [flag for param in verb.everything if isinstance(param, Option | Flag) for flag in param.flags]
    assert len(flags) == len(set(flags))
    assert all(flag.startswith("--") or (len(flag) == 2 and flag[0] == "-") for flag in flags)
    assert {"-h", "--help"}.isdisjoint(flags)
    optional = [not argument.required for argument in verb.arguments]
    assert optional == sorted(optional), "a required argument after an optional one can never be given alone"
    assert not any(argument.repeat for argument in verb.arguments[:-1])
    assert verb.rest is None or not verb.arguments
    for param in verb.everything:
        assert isinstance(param, Argument | Option | Flag | Rest)
        assert param.help
        assert not param.help.endswith(".")
        if isinstance(param, Argument | Option):
            assert param.kind in KINDS
            assert (param.kind == "choice") == bool(param.choices)
            assert not (param.repeat and param.default is not None)
    assert all(set(group) <= set(keys) for group in verb.exclusive)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.title)
def test_words_are_sound(verb):
    assert verb.summary
    assert not verb.summary.endswith(".")
    assert verb.name not in verb.aliases
    assert all(status in OTHER_STATUSES or status in {number for number, _ in CODES.values()} for status in verb.exits)
    assert all(example.startswith(("neosian ", "$ ")) or "neosian " in example for example in verb.examples)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.title)
def test_run_can_be_found(verb):
    if isinstance(verb.run, str):
        module, _, name = verb.run.partition(":")
        assert callable(getattr(__import__(module, fromlist=[name]), name))
    else:
        assert callable(verb.run)


def test_names_are_unique_within_a_group():
    for entry in groups.ENTRIES:
        names = [name for verb in entry.verbs for name in (verb.name, *verb.aliases)]
        assert len(names) == len(set(names))


def test_every_selection_option_that_has_a_variable_names_it():
    assert {option.label: option.env for option in SELECTION} == {
        "--profile": "NEOSIAN_PROFILE",
        "--root": "NEOSIAN_ROOT",
        "--url": "NEOSIAN_URL",
        "--scope": "NEOSIAN_SCOPE",
        "--mount": None,
        "--actor": "NEOSIAN_ACTOR",
        "--config": "NEOSIAN_CONFIG",
        "--lock-timeout": "NEOSIAN_LOCK_TIMEOUT",
    }
    assert [flag.flags for flag in OUTPUT] == [("--json",), ("--quiet", "-q")]


def test_paging_is_the_same_everywhere():
    limit, cursor = paging()
    assert (limit.low, limit.high, limit.default) == (1, 500, 50)
    assert paging(100)[0].high == 100
    assert cursor.key == "cursor"


def test_keys_may_be_words_of_python():
    assert keyword.iskeyword(Option("--from", help="x").key)
