"""Which pages are seen again after a change, and how."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from seen import MOST, Record

PAGES = [f"notebooks/{number:02}" for number in range(12)]
PAGE = ('<link href="bundle.css?v={style}"><article class="bd-article">{text}</article>'
        '<time class="built" datetime="{day}">{day}</time>')


def write(site: Path, page: str, style: str = "a1", text: str = "A chapter.", day: str = "2026-11-28") -> None:
    """A page, with the signs of style sheet and script in it."""
    (site / f"{page}.html").parent.mkdir(exist_ok=True)
    (site / f"{page}.html").write_text(PAGE.format(style=style, text=text, day=day), encoding="utf8")


def new_text(site: Path) -> None:
    write(site, PAGES[3], text="A chapter, changed.")


def new_style(site: Path) -> None:
    for page in PAGES:
        write(site, page, style="b2", text="A chapter, changed." if page == PAGES[3] else "A chapter.")


def new_day(site: Path) -> None:
    write(site, PAGES[3], day="2026-11-29")


def new_page(site: Path) -> None:
    write(site, "notebooks/12")


def new_everywhere(site: Path) -> None:
    for page in PAGES[:MOST + 1]:
        write(site, page, text="A chapter, changed.")


@pytest.mark.parametrize(("change", "seen"), [
    (lambda site: None, {}),
    (new_text, {PAGES[3]: "closely"}),
    (new_style, dict.fromkeys(PAGES, "glance") | {PAGES[3]: "closely"}),
    (new_day, {}),
    (new_page, {"notebooks/12": "closely"}),
    (new_everywhere, dict.fromkeys(PAGES[:MOST + 1], "glance")),
])
def test_what_has_changed_is_seen_again(tmp_path: Path, change: Callable[[Path], None], seen: dict[str, str]) -> None:
    record = Record(tmp_path, tmp_path / "seen")
    for page in PAGES:
        write(tmp_path, page)
    assert set(record.to_see(PAGES).values()) == {"glance"}       # a clone knows nothing
    for page in PAGES:
        record.good(page)
    change(tmp_path)
    pages = [*PAGES, *(page for page in seen if page not in PAGES)]
    assert {page: how for page, how in record.to_see(pages).items() if how} == seen


def test_a_clone_knows_what_was_committed(tmp_path: Path) -> None:
    committed = tmp_path / "seen.txt"
    here = Record(tmp_path, tmp_path / "here", committed=committed)
    for page in PAGES:
        write(tmp_path, page, text="Solved in 0.31 s, gap 4·10⁻⁹.")
        here.good(page)
    here.send(PAGES)
    new_text(tmp_path)
    write(tmp_path, PAGES[4], text="Solved in 12 s, gap 1.5·10⁻¹⁰.")      # measured anew
    clone = Record(tmp_path, tmp_path / "clone", committed=committed)
    assert {page: how for page, how in clone.to_see(PAGES).items() if how} == {PAGES[3]: "closely"}
    clone.good(PAGES[3])
    clone.send(PAGES)
    assert set(Record(tmp_path, tmp_path / "third", committed=committed).to_see(PAGES).values()) == {""}


def test_a_page_that_was_not_good_is_seen_until_it_is(tmp_path: Path) -> None:
    record = Record(tmp_path, tmp_path / "seen")
    for page in PAGES:
        write(tmp_path, page)
        record.good(page)
    new_text(tmp_path)
    assert [record.to_see(PAGES)[PAGES[3]] for _ in range(2)] == ["closely", "closely"]
    record.good(PAGES[3])
    assert record.to_see(PAGES)[PAGES[3]] == ""


def test_other_tests_see_all_pages_again(tmp_path: Path) -> None:
    write(tmp_path, PAGES[0])
    visits = tmp_path / "visiting.py"
    visits.write_text("# looks at widths")
    Record(tmp_path, tmp_path / "seen", [visits]).good(PAGES[0])
    assert Record(tmp_path, tmp_path / "seen", [visits]).to_see(PAGES[:1]) == {PAGES[0]: ""}
    visits.write_text("# looks at widths and heights")
    assert Record(tmp_path, tmp_path / "seen", [visits]).to_see(PAGES[:1]) == {PAGES[0]: "glance"}
