import os

import pytest

from neosian_cli.commands.call import Call
from neosian_cli.commands.values import settle
from neosian_cli.errors import Failure
from neosian_cli.surroundings import Surroundings
from tests.cli.playground import VERBS

SHOW = VERBS[0]


def made(stdin=b"", closed=frozenset(), **raw):
    """A call whose stdin holds those bytes, its inputs read."""
    reader, writer = os.pipe()
    try:
        os.write(writer, stdin)
        os.close(writer)
        call = Call(SHOW, settle(SHOW, raw), Surroundings({}, stdin=reader, closed=closed), None, None)
        call.read_inputs()
        return call, b"".join(call.pieces("records")) if raw.get("records") else None
    finally:
        os.close(reader)


def refused(**more):
    with pytest.raises(Failure) as caught:
        made(**more)
    return caught.value


def test_texts_as_they_are():
    call, _ = made(content="plain", payload="ü")
    assert call.text("content") == "plain"
    assert call.text("old") is None
    assert call.data("payload") == "ü".encode()


def test_stdin():
    assert made("a\r\n\0é".encode(), content="-")[0].text("content") == "a\r\n\0é"
    assert made(b"", content="-")[0].text("content") == ""
    assert made(b"\xff\0", payload="-")[0].data("payload") == b"\xff\0"
    assert made(b"line\n", records="-")[1] == b"line\n"


def test_files(tmp_path):
    file = tmp_path / "a file"
    file.write_bytes(b"\xef\xbb\xbfbody\n")
    assert made(content=f"@{file}")[0].text("content") == "\ufeffbody\n"
    assert made(payload=f"@{file}")[0].data("payload") == file.read_bytes()
    assert made(records=str(file))[1] == made(records=f"@{file}")[1] == file.read_bytes()


def test_a_doubled_sign_is_a_literal():
    call, _ = made(content="@@x", payload="@@@")
    assert call.text("content") == "@x"
    assert call.data("payload") == b"@@"


def test_stdin_can_be_read_once():
    failure = refused(content="-", old="-")
    assert failure.code == "invalid_argument"
    assert failure.message == "--content and --old: only one can be read from stdin"
    assert refused(content="-", records="-").code == "invalid_argument"
    # A path or a cursor of this name has nothing to do with stdin.
    made(b"x", content="-", path="-")


def test_a_closed_stdin_is_no_empty_text():
    reader, writer = os.pipe()
    os.close(writer)
    try:
        call = Call(
            SHOW, settle(SHOW, {"content": "-"}), Surroundings({}, stdin=reader, closed=frozenset({reader})), None, None
        )
        with pytest.raises(Failure) as caught:
            call.read_inputs()
    finally:
        os.close(reader)
    assert caught.value.code == "invalid_argument"


def test_bytes_that_are_not_utf8(tmp_path):
    file = tmp_path / "latin"
    file.write_bytes(b"caf\xe9")
    assert refused(content=f"@{file}").message == f"--content: byte 3 of {file} is not UTF-8"
    failure = refused(stdin=b"\xff", content="-")
    assert (failure.code, failure.details["offset"]) == ("invalid_argument", 0)


def test_files_that_cannot_be_read(tmp_path):
    assert refused(content=f"@{tmp_path}/none").code == "not_found"
    assert refused(content=f"@{tmp_path}/none/none").code == "not_found"
    assert refused(content="@").code == "not_found"
    assert refused(content=f"@{tmp_path}").code == "invalid_argument"
    assert refused(content="@" + "x" * 5000).code == "invalid_argument"
    assert refused(records=f"{tmp_path}/none").code == "not_found"
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert refused(content=f"@{loop}").code == "invalid_argument"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_that_may_not_be_read(tmp_path):
    file = tmp_path / "secret"
    file.touch(0o000)
    assert refused(content=f"@{file}").code == "permission_denied"


def test_accessors():
    call, _ = made(path="/a", limit="7", ratio="1.5", extra=["a=b"], all=True)
    assert call.string("path") == "/a"
    assert call.maybe("action") is None
    assert call.maybe("path") == "/a"
    assert call.integer("limit") == 7
    assert call.maybe_integer("limit") == 7
    assert call.maybe_real("ratio") == 1.5
    assert call.strings("extra") == ["a=b"]
    assert call.flag("all")
    assert call.given("path")
    assert not call.given("content")
    assert call.remarks() == []
