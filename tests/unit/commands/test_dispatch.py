import pytest

from neosian_cli.commands.dispatch import HelpWanted, machine_reads, read
from neosian_cli.errors import Failure
from tests.cli.playground import ENTRIES


def called(*argv):
    verb, values = read(argv, ENTRIES)
    return verb.title, {key: value for key, value in values.items() if value not in (None, False, [])}


def failed(*argv):
    with pytest.raises(Failure) as caught:
        read(argv, ENTRIES)
    assert caught.value.code in ("usage", "invalid_argument")
    return caught.value


def helped(*argv):
    with pytest.raises(HelpWanted) as caught:
        read(argv, ENTRIES)
    return caught.value.text


@pytest.mark.parametrize("name", ["show", "display"])
def test_verbs_and_their_aliases(name):
    assert called("play", name, "/a") == ("play show", {"path": "/a", "limit": 50})


def test_usual_options_may_stand_before_the_verb():
    expected = ("play show", {"path": "/a", "limit": 50, "root": "r", "json": True, "quiet": True})
    assert called("--root", "r", "--json", "play", "-q", "show", "/a") == expected
    assert called("play", "--root=r", "show", "/a", "--json", "-q") == expected
    assert called("--mount", "a", "play", "--mount", "b", "show", "--mount", "c")[1]["mount"] == ["a", "b", "c"]


def test_the_later_of_two_counts():
    assert called("--root", "first", "play", "show", "--root", "second")[1]["root"] == "second"


def test_rest_is_taken_as_it_is():
    assert called("hold", "--root", "r", "--", "ls", "--root", "--") == (
        "hold",
        {"root": "r", "command": ["ls", "--root", "--"]},
    )
    assert failed("hold", "ls").message.startswith("hold: unexpected extra argument")
    assert failed("hold").message == failed("hold", "--").message == "hold: COMMAND after -- is missing"


@pytest.mark.parametrize(
    ("argv", "message", "hint"),
    [
        ((), "a command is missing; there are play, hold, broken", "neosian --help"),
        (("--json",), "a command is missing; there are play, hold, broken", "neosian --help"),
        (("plya",), "there is no command 'plya'; did you mean 'play'?", "neosian play --help"),
        (("zzz",), "there is no command 'zzz'", "neosian --help"),
        (("--nope",), "there is no option '--nope'", "neosian --help"),
        (("play", "shwo"), "play: there is no command 'shwo'; did you mean 'show'?", "neosian play show --help"),
        (("play", "dsplay"), "play: there is no command 'dsplay'; did you mean 'display'?", None),
        (("play", "--nope"), "play: there is no option '--nope'", "neosian play --help"),
        (("play", "show", "--limt", "3"), "play show: there is no option '--limt'; did you mean --limit?", None),
        (("play", "show", "--lim", "3"), "play show: there is no option '--lim'; did you mean --limit?", None),
        (("play", "show", "-z"), "play show: there is no option '-z'", "neosian play show --help"),
        (("play", "show", "--limit"), "play show: option '--limit' requires an argument", "neosian play show --help"),
        (("play", "show", "--all=1"), "play show: option '--all' does not take a value", "neosian play show --help"),
        (("play", "show", "a", "b"), "play show: unexpected extra argument(s) (b)", "neosian play show --help"),
        (("play", "show", "-qh=1"), "play show: there is no option '-='", "neosian play show --help"),
    ],
)
def test_what_is_wrong_is_named(argv, message, hint):
    failure = failed(*argv)
    assert failure.message == message
    if hint:
        assert failure.hint == hint


def test_options_are_not_abbreviated():
    assert failed("play", "show", "--js").details == {"nearest": "--json"}


def test_help_of_every_level():
    top = helped("--help")
    assert helped("-h") == helped("help") == helped("--json", "--help") == top
    assert "Usage: neosian COMMAND" in top
    assert "verbs to play with" in top
    group = helped("play", "--help")
    assert helped("help", "play") == helped("--root", "x", "play", "-h") == group
    assert "print what was given" in group
    assert "display" not in group
    verb = helped("play", "show", "--help")
    assert helped("help", "play", "show") == helped("play", "display", "-h") == verb
    for shown in ("--limit N", "1 to 500; default 50", "[$NEOSIAN_ROOT]", "Also called: display", "Examples:"):
        assert shown in verb
    assert "[--action invalidate|soft-delete|hard-delete]" in verb


def test_help_of_the_first_level_imports_no_group():
    assert "a group that cannot be imported" in helped("--help")


def test_version():
    assert read(["--version"])[0].name == "version"
    assert read(["-V", "--json"])[1]["json"] is True


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["a", "--json"], True),
        (["a", "--jsonl"], True),
        (["a"], False),
        (["a", "--", "--json"], False),
        (["a", "--json", "--"], True),
        (["a", "--json=1"], False),
    ],
)
def test_who_reads_errors(argv, expected):
    assert machine_reads(argv) is expected
