"""The list of decisions names each page by its number and title."""

from __future__ import annotations

from tests.arch.source import TOP

DECISIONS = TOP / "docs" / "adr"


def test_every_page_is_on_the_list():
    listed = [line for line in (DECISIONS / "README.md").read_text().splitlines() if line.startswith("* ")]
    pages = sorted(DECISIONS.glob("0*.md"))
    titles = [page.read_text().splitlines()[0].removeprefix("# ").split(". ", 1) for page in pages]
    assert listed == [f"* [{n}]({page.name}) {title}" for page, (n, title) in zip(pages, titles, strict=True)]
    assert all(int(page.name[:4]) == int(n) for page, (n, _) in zip(pages, titles, strict=True))
