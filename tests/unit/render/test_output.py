import io
import json
import os
import pty

import pytest

from neosian_cli.errors import Failure
from neosian_cli.render.output import CHUNK, HUMAN, JSON, JSONL, Output
from neosian_cli.render.stream import Stream
from neosian_cli.signals import Signals


class Rig:
    """An output into two files."""

    def __init__(self, directory, mode=HUMAN, *, env=None, quiet=False):
        self.paths = (directory / "out", directory / "err")
        self.files = [path.open("wb") for path in self.paths]
        out, err = (Stream(file.fileno()) for file in self.files)
        self.output = Output(out, err, Signals(), env or {}, mode=mode, quiet=quiet)

    def close(self):
        for file in self.files:
            file.close()

    @property
    def said(self):
        return tuple(path.read_text() for path in self.paths)


@pytest.fixture
def rig(tmp_path):
    rigs = []

    def make(*args, **more):
        rigs.append(Rig(tmp_path, *args, **more))
        return rigs[-1]

    yield make
    for made in rigs:
        made.close()


def test_a_result_waits_for_the_end(rig):
    made = rig(JSON)
    made.output.result({"b": 1, "a": "ü"}, lambda out: out.say("never"))
    assert made.said == ("", "")
    made.output.finish()
    assert made.said == ('{"b":1,"a":"ü"}\n', "")


def test_a_failure_leaves_stdout_empty(rig):
    made = rig()
    made.output.say("half")
    made.output.note("a note")
    made.output.discard()
    made.output.failure(Failure("not_found", "there is no /a\x1b\nb", hint="neosian memory list"))
    assert made.said == ("", "neosian: there is no /a\\x1b\\nb\nhint: neosian memory list\n")


def test_a_failure_for_a_program_is_one_line(rig):
    made = rig(JSONL)
    made.output.failure(Failure("not_found", "a\nb\udcff", path="/x\udcff"))
    assert made.said[0] == ""
    assert made.said[1].count("\n") == 1
    error = json.loads(made.said[1])["error"]
    assert list(error) == ["code", "exit_status", "message", "details", "hint"]
    assert error["details"] == {"path": "/x\\udcff"}


def test_a_failure_without_the_codec(rig, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "neosian_cli.model.codec", None)
    made = rig(JSON)
    made.output.failure(Failure("internal", "no orjson", cause=object))
    assert json.loads(made.said[1])["error"]["code"] == "internal"


def test_texts_for_people_are_escaped(rig):
    made = rig()
    made.output.say("a\x1b[2J\tb\n", ("c\r", "bold"))
    made.output.block("one\ntwo\x07")
    made.output.block("three\n")
    made.output.block("")
    made.output.finish()
    assert made.said[0] == "a\\x1b[2J\tb\\nc\\r\none\ntwo\\x07\nthree\n"


def test_a_document_goes_into_a_file_as_it_is(rig):
    made = rig()
    made.output.body("a\x1b\r\n\0é")
    made.output.finish()
    assert made.paths[0].read_bytes() == "a\x1b\r\n\0é".encode()


def test_listings(rig):
    value = {"mount": "/p", "entries": [{"path": "a"}, {"path": "b"}], "next_cursor": None}
    made = rig(JSON)
    made.output.listing(value, lambda _: None, items="entries", kind="entry")
    made.output.finish()
    assert json.loads(made.said[0]) == value
    made = rig(JSONL)
    made.output.listing(value, lambda _: None, items="entries", kind="entry")
    made.output.finish()
    assert made.said[0].split("\n") == [
        '{"type":"entry","path":"a"}',
        '{"type":"entry","path":"b"}',
        '{"type":"page","mount":"/p","next_cursor":null}',
        "",
    ]
    made = rig()
    made.output.listing(
        value, lambda out: out.table(("path",), [(e["path"],) for e in value["entries"]]), items="entries", kind="entry"
    )
    made.output.finish()
    assert made.said[0] == "a\nb\n"


def test_a_stream_flushes_when_told_and_when_there_is_much(rig):
    made = rig(JSONL)
    made.output.line({"n": 1})
    assert made.said[0] == ""
    made.output.line({"n": 2}, flush=True)
    assert made.said[0] == '{"n":1}\n{"n":2}\n'
    made.output.line({"n": "x" * CHUNK})
    assert made.said[0].endswith('x"}\n')


def test_notes_come_last_and_only_for_people(rig):
    made = rig()
    made.output.note("a\nnote")
    made.output.hint("neosian docs")
    assert made.said[1] == ""
    made.output.finish()
    assert made.said[1] == "neosian: a\\nnote\nhint: neosian docs\n"
    for mode, quiet in ((HUMAN, True), (JSON, False), (JSONL, False)):
        made = rig(mode, quiet=quiet)
        made.output.note("a note")
        made.output.hint("a hint")
        made.output.finish()
        assert made.said == ("", "")


def test_surrogates_in_a_result_are_shown(rig):
    made = rig(JSON)
    made.output.result({"root": "/a\udcff"}, lambda _: None)
    made.output.finish()
    assert json.loads(made.said[0]) == {"root": "/a\\udcff"}


def test_colour_is_forced_into_a_file_only_when_asked(rig):
    made = rig(env={"FORCE_COLOR": "1"})
    made.output.say(("x", "red"))
    made.output.table(("path",), [(("y", "red"),)])
    made.output.finish()
    assert made.said[0] == "\x1b[31mx\x1b[0m\ny\n"


def test_a_stderr_that_takes_nothing_is_passed_over(tmp_path):
    with open("/dev/full", "wb") as full, (tmp_path / "out").open("wb") as out:
        output = Output(Stream(out.fileno()), Stream(full.fileno()), Signals(), {})
        output.note("unheard")
        output.finish()
        output.failure(Failure("not_found", "unheard"))


def test_on_a_terminal(monkeypatch):
    parent, child = pty.openpty()
    try:
        output = Output(Stream(child), Stream(child), Signals(), {"TERM": "xterm"})
        output.table(("path", ">n"), [("/a", "1")])
        output.body("b\x1b\n")
        output.note("noted")
        output.finish()
        shown = ""
        while "noted" not in shown:
            shown += os.read(parent, 65536).decode()
    finally:
        os.close(parent)
        os.close(child)
    assert "path" in shown
    assert "b\\x1b" in shown
    assert "\x1b[1mneosian:\x1b[0m noted" in shown
    assert output.out.width == 80


class Terminal(io.StringIO):
    pass


@pytest.mark.parametrize("shown", [False, True])
def test_progress_shows_itself_after_its_delay(monkeypatch, shown):
    from neosian_cli.render import progress

    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    with progress.Progress("loading", None, shown=shown, coloured=False) as bar:
        bar.advance(2, total=3)
        if shown:
            bar._timer.join()
        bar.advance()
    assert ("loading" in stream.getvalue()) is shown
    assert ("3/3" in stream.getvalue()) is shown


def test_within_progress_no_other_is_shown(rig):
    output = rig(HUMAN).output
    output.err._terminal = True
    with output.progress("importing") as outer:
        assert outer._shown
        with output.progress("finishing an interrupted change") as inner:
            assert not inner._shown
        with output.progress("building") as inner:
            assert not inner._shown
    with output.progress("building") as after:
        assert after._shown


def test_quick_work_shows_no_progress(monkeypatch):
    from neosian_cli.render import progress

    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "DELAY", 1000.0)
    with progress.Progress("loading", 3, shown=True, coloured=False) as bar:
        bar.advance()
    assert stream.getvalue() == ""


def test_progress_is_for_a_person_at_a_terminal(rig):
    for mode, env in ((JSON, {}), (JSONL, {}), (HUMAN, {})):
        with rig(mode, env=env).output.progress("loading") as bar:
            assert not bar._shown


def test_a_step_before_the_work_is_shown_until_it_is_complete(monkeypatch):
    from neosian_cli.render import progress

    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    with progress.Progress("storing", None, shown=True, coloured=False, least=2) as bar:
        step = bar.first("embedding")
        step(0, 3000)
        bar._timer.join()
        step(128)
        assert bar._state() == ("embedding", 128, 3000)
        bar._bar.refresh()
        step(2872)
        assert bar._state() == ("storing", 0, None)
        bar.advance(5, 3000)
    shown = stream.getvalue()
    assert shown.index("128/3000") < shown.rindex("storing")


def test_work_of_too_few_things_shows_no_progress(monkeypatch):
    from neosian_cli.render import progress

    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    for total, bar_is_there in ((1, False), (2, True)):
        made = progress.Progress("storing", None, shown=True, coloured=False, least=2)
        made.advance(0, total)
        with made:
            made._timer.join()
            made.first("embedding")(0, 1)
        assert (stream.getvalue() != "") is bar_is_there
