from neosian_cli.render.table import laid_out, shortened, tabbed

ROWS = [("/a/b", ("12", "dim")), ("tab\there\nthere\x1b[2J", "3")]


def test_tabbed_rows_stay_on_their_lines():
    assert tabbed(ROWS) == "/a/b\t12\ntab\\there\\nthere\\x1b[2J\t3\n"
    assert tabbed([]) == ""


def test_tabbed_rows_are_never_cut():
    long = "x" * 5000
    assert tabbed([(long, long)]) == f"{long}\t{long}\n"


def test_laid_out_has_a_header_and_aligned_columns():
    shown = laid_out(("path", ">bytes"), [("/a", "1"), ("/longer", "1000")], width=80, coloured=False)
    assert shown == "path     bytes\n/a           1\n/longer   1000\n"


def test_laid_out_fits_the_terminal_and_loses_nothing():
    path = "/project/" + "n" * 200
    for width in (20, 40, 80, 140):
        shown = laid_out(("path", "version"), [(path, "7")], width=width, coloured=False)
        assert all(len(text) <= width for text in shown.split("\n"))
        assert "".join(text[: width - 9].rstrip() for text in shown.split("\n")[1:]).count("n") == 200


def test_laid_out_takes_no_markup_and_no_control():
    shown = laid_out(("path",), [("[bold]x[/bold] :smile: \x1b[31m",)], width=80, coloured=True)
    assert "[bold]x[/bold] :smile: \\x1b[31m" in shown


def test_colour_only_where_it_is_wanted():
    rows = [(("x", "red"),)]
    assert "\x1b[" in laid_out(("path",), rows, width=80, coloured=True)
    assert "\x1b[" not in laid_out(("path",), rows, width=80, coloured=False)


def test_paths_are_folded_before_times():
    time = "2026-01-02T03:04:05.000000Z"
    for width in (60, 80, 140):
        shown = laid_out(
            ("path", "=when", ">bytes"), [("/project/" + "n" * 200, time, "1000")], width=width, coloured=False
        )
        assert f"  {time}   1000\n" in shown
        assert all(len(text) <= width for text in shown.split("\n"))


def test_where_nothing_else_helps_times_are_folded_too():
    rows = [("/project/a/b/c/d/e/f", "2026-01-02T03:04:05.000000Z", "1000")]
    shown = laid_out(("path", "=when", ">bytes"), rows, width=24, coloured=False)
    lines = shown.splitlines()[1:]
    assert all(len(text) <= 24 for text in lines)
    assert "".join(text[:8].strip() for text in lines) == rows[0][0]


def test_lines_below_rows():
    rows = [("a", "1"), ("bb", "2")]
    shown = laid_out(("id", ">n"), rows, width=20, coloured=False, below=["  first", "  \x1b[31msecond"])
    assert shown.splitlines() == ["id  n", "a   1", "  first", "bb  2", "  \\x1b[31msecond"]


def test_what_is_shortened_is_counted_as_it_is_shown():
    assert shortened("short\n text", 20) == "short text"
    assert shortened("漢字漢字漢字", 8) == "漢字漢…"
    assert shortened("a\x1b\x1b\x1b", 8) == "a\\x1b\\x…"
