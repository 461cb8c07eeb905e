"""The two parsers of a command line: where the fast one answers, Typer gives the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from neosian_cli.commands import groups, typer_door
from neosian_cli.commands.dispatch import HelpWanted
from neosian_cli.commands.parse import parse
from neosian_cli.errors import Failure
from tests.cli.playground import ENTRIES, VERBS

GROUP = [verb for verb in VERBS if verb.group]


def words_for(verb):
    """Words that are likely to mean something to the verb, and some that are not."""
    flags = list(verb.lookup)
    odd = [
        "",
        "-",
        "--",
        "---",
        "-x",
        "-5",
        "--nope",
        "--lim",
        "-q",
        "-qq",
        "-q=1",
        "--help",
        "-h",
        "a=b",
        "--=",
        "x\udcff",
    ]
    word = st.one_of(
        st.sampled_from(flags),
        st.builds("{}={}".format, st.sampled_from(flags), st.sampled_from(["", "x", "1", "--", "a=b"])),
        st.sampled_from(["/a", "1", "a=b", "@file"]),
        st.sampled_from(odd),
        st.text(max_size=4),
    )
    return st.lists(word, max_size=7)


def by_typer(verb, words, entries):
    """What Typer makes of it: raw values, or why not."""
    names = [verb.group, verb.name] if verb.group else [verb.name]
    try:
        return typer_door.read([*names, *words], entries)[1]
    except (Failure, HelpWanted) as error:
        return error


def filled(verb, raw):
    """Raw values with what was not given spelled out as Typer spells it."""
    empty = {"flag": False}
    return {
        param.key: raw.get(param.key) or ([] if param.repeat else raw.get(param.key, empty.get(param.kind)))
        for param in verb.everything
        if param.kind != "rest"
    }


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_fast_parser_declines_or_agrees(data):
    verb = data.draw(st.sampled_from(GROUP), label="verb")
    words = data.draw(words_for(verb), label="words")
    fast = parse(verb, words)
    slow = by_typer(verb, words, ENTRIES)
    if fast is not None:
        assert isinstance(slow, dict), f"Typer refuses it: {slow}"
        assert filled(verb, fast) == slow


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_so_it_is_for_every_real_verb(data):
    verb = data.draw(st.sampled_from(list(groups.everything())), label="verb")
    words = data.draw(words_for(verb), label="words")
    fast = parse(verb, words)
    slow = by_typer(verb, words, groups.ENTRIES)
    if fast is not None:
        assert isinstance(slow, dict), f"Typer refuses it: {slow}"
        assert filled(verb, fast) == slow


def test_well_formed_lines_are_not_declined():
    """Else the agreement above would say nothing."""
    verb = VERBS[0]
    words = ["/a", "--limit", "3", "--content=x", "--extra", "a=b", "-q", "--from", "1", "--all"]
    fast = parse(verb, words)
    assert fast is not None
    assert filled(verb, fast) == by_typer(verb, words, ENTRIES)
