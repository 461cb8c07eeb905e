import pytest

from neosian_cli.commands.declare import Argument, Flag, Option, Verb
from neosian_cli.commands.values import coerce, nearest, settle
from neosian_cli.errors import Failure

LIMIT = Option("--limit", kind="int", low=1, high=500, default=50, help="")
WAIT = Option("--wait", kind="float", low=0, help="")
ACTION = Option("--action", choices=("invalidate", "soft-delete"), help="")
FILE = Option("--file", kind="file", help="")


def refused(param, text):
    with pytest.raises(Failure) as caught:
        coerce(param, text)
    assert caught.value.code == "invalid_argument"
    assert caught.value.details["argument"] == param.label
    return caught.value.message


@pytest.mark.parametrize(("text", "value"), [("1", 1), ("500", 500), ("+7", 7), ("0050", 50)])
def test_whole_numbers(text, value):
    assert coerce(LIMIT, text) == value


@pytest.mark.parametrize("text", ["", "x", "1.0", "1_0", " 1", "1 ", "٣", "²", "--1", "0x10", "1e2", "9" * 31, "-"])
def test_what_is_no_whole_number(text):
    assert text[:40] in refused(LIMIT, text)


def test_bounds_are_named():
    assert refused(LIMIT, "0") == "--limit: '0' is not between 1 and 500"
    assert refused(LIMIT, "-1") == "--limit: '-1' is not between 1 and 500"
    assert refused(LIMIT, "501").endswith("between 1 and 500")
    assert refused(WAIT, "-0.5") == "--wait: '-0.5' is not at least 0"
    assert refused(Option("--most", kind="int", high=3, help=""), "4") == "--most: '4' is not at most 3"


@pytest.mark.parametrize(("text", "value"), [("0", 0.0), ("1.5", 1.5), ("1e2", 100.0), (".5", 0.5), ("5.", 5.0)])
def test_numbers(text, value):
    assert coerce(WAIT, text) == value


@pytest.mark.parametrize("text", ["", "nan", "inf", "-inf", "1e999", "1_0", " 1", "e", "1e", "٣", "0x1p3"])
def test_what_is_no_number(text):
    refused(WAIT, text)


def test_choices():
    assert coerce(ACTION, "invalidate") == "invalidate"
    assert "did you mean soft-delete?" in refused(ACTION, "softdelete")
    assert "is none of invalidate, soft-delete" in refused(ACTION, "zzz")
    refused(ACTION, "INVALIDATE")


def test_bytes_that_are_not_utf8_only_in_names_of_files():
    assert coerce(FILE, "/tmp/\udcff") == "/tmp/\udcff"
    for param in (Argument("PATH", ""), LIMIT, WAIT, ACTION, Option("--content", kind="text", help="")):
        assert refused(param, "a\udcff").endswith("is not UTF-8")


def test_long_values_are_shortened_in_messages():
    assert len(refused(ACTION, "x" * 10_000)) < 200


def test_nearest():
    names = ["list", "view", "write", "versions", "--limit"]
    assert nearest("veiw", names) == "view"
    assert nearest("wirte", names) == "write"
    assert nearest("vers", names) == "versions"
    assert nearest("--limt", names) == "--limit"
    assert nearest("zzz", names) is None
    assert nearest("v", names) is None


VERB = Verb(
    "g",
    "v",
    "",
    run=lambda _: 0,
    params=(
        Argument("NS", ""),
        Argument("ID", "", repeat=True, required=False),
        LIMIT,
        ACTION,
        Option("--must", required=True, help=""),
        Option("--extra", repeat=True, help=""),
        Flag("--all", help=""),
    ),
    jsonl=True,
    exclusive=(("action", "all"),),
)


def test_settled_values_are_complete():
    values = settle(VERB, {"ns": "a", "must": "", "limit": "7"})
    assert values["ns"] == "a"
    assert values["id"] == []
    assert values["must"] == ""
    assert values["limit"] == 7
    assert values["action"] is None
    assert values["extra"] == []
    assert values["all"] is False
    assert set(values) == {param.key for param in VERB.everything}
    assert settle(VERB, {"ns": "a", "must": "x"})["limit"] == 50


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"must": "x"}, "g v: NS is missing"),
        ({"ns": "a"}, "g v: --must is missing"),
        ({"ns": "a", "must": "x", "action": "invalidate", "all": True}, "g v: --action and --all exclude each other"),
        ({"ns": "a", "must": "x", "json": True, "jsonl": True}, "g v: --json and --jsonl exclude each other"),
        ({"ns": "a", "must": "x", "action": "", "all": True}, "g v: --action and --all exclude each other"),
    ],
)
def test_what_cannot_be_settled(raw, message):
    with pytest.raises(Failure) as caught:
        settle(VERB, raw)
    assert (caught.value.code, caught.value.message) == ("usage", message)
    assert caught.value.hint == "neosian g v --help"
