"""What holds on every page, seen in one visit of each.  Two classes share the pages, so that two workers share them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from browsing import ALL, CHAPTERS, CLOSELY, MARKS, PAGES, ROOT, STORIES
from test_downloads import edition, without_check
from visiting import MOVED, STILL, Visit

HEAVIEST = {True: 600, False: 350}               # kB of a chapter before a slider moves, of another page
AT_ONCE = {True: 2500, False: 5000}              # elements of a chapter or an exercise, of a page of tables
SEARCH = 400                                     # kB of the search page, which holds the words of all others
FORMULAS = (*CHAPTERS, "book/notation")          # long pages: they take as long as all others together

pytestmark = MARKS
Visits = Callable[[str], Visit]


def about(pages: Collection[str]) -> Any:
    """Make a test for these pages only."""
    def mark(test: Any) -> Any:
        test.about = pages
        return test

    return mark


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make each test for the pages of its class that it is about."""
    pages = getattr(metafunc.function, "about", ALL)
    metafunc.parametrize("page", [page for page in metafunc.cls.pages if page in pages])


class EveryPage:
    """The tests that a class gets for its pages."""

    pages: Collection[str]

    def test_asks_no_other_host_for_anything(self, visits: Visits, page: str) -> None:
        assert visits(page).foreign == []

    def test_no_error_in_the_console_and_no_missing_file(self, visits: Visits, page: str) -> None:
        notes = visits(page)
        assert notes.missing == []
        assert notes.errors == []

    @about(PAGES)
    def test_every_picture_has_alternative_text(self, visits: Visits, page: str) -> None:
        assert visits(page).no_alt == []

    def test_mathematics_is_set(self, visits: Visits, page: str) -> None:
        assert visits(page).raw_math == []

    def test_no_formula_is_cut_on_a_laptop(self, visits: Visits, page: str) -> None:
        assert visits(page).cut_formulas == []

    def test_fits_a_phone(self, visits: Visits, page: str) -> None:
        assert visits(page).overflow == []

    @about(PAGES)
    def test_arrows_and_words_are_in_their_places_on_a_phone(self, visits: Visits, page: str) -> None:
        assert visits(page).astray == []

    def test_accessible_in_light_and_dark(self, visits: Visits, page: str) -> None:
        assert visits(page).violations == {}

    def test_only_what_scrolls_is_a_tab_stop(self, visits: Visits, page: str) -> None:
        assert visits(page).idle_stops == []

    @about(CLOSELY)
    def test_every_slider_moves_its_picture_by_keyboard(self, visits: Visits, site: Path, page: str) -> None:
        notes = visits(page)
        html = (site / f"{page}.html").read_text(encoding="utf8")
        explorers = re.findall(r'<figure class="explore.*?</figure>', html, re.S)   # live figures have their own tests
        assert notes.sliders == sum(figure.count('type="range"') for figure in explorers)
        assert notes.dead_sliders == []

    def test_text_stands_before_what_is_far_below(self, visits: Visits, page: str) -> None:
        """A chapter has up to 17,000 elements, most of them in formulas: only the first screens are laid out."""
        assert visits(page).at_once <= AT_ONCE[page.startswith("notebooks/") or page in STORIES]

    def test_first_visit_is_light_and_still(self, visits: Visits, page: str) -> None:
        speed = visits(page)
        most = SEARCH if page == "search" else HEAVIEST[page in CHAPTERS or page in STORIES]
        bounds = {"kilobytes": most, "shift": MOVED, "deep_shift": STILL}
        reached = {name: round(getattr(speed, name), 3) for name in bounds}
        above = {name: figure for name, figure in reached.items() if figure > bounds[name]}
        assert above == {}, f"{page}: {reached}, {speed.movers}"


class TestOtherPages(EveryPage):
    """Exercises, reference, stories, and what the build adds."""

    pages = tuple(page for page in ALL if page not in FORMULAS)


class TestPagesOfFormulas(EveryPage):
    """The chapters, and the notation: what they hold besides has room, leads somewhere, and moves."""

    pages = FORMULAS

    def test_a_wide_page_has_room_for_all_tables_and_formulas(self, visits: Visits, page: str) -> None:
        assert visits(page).crowded == []

    @about([page for page in CHAPTERS if page in CLOSELY])
    def test_every_chapter_calls_explore_and_gets_its_sliders(self, visits: Visits, page: str) -> None:
        cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf8"))["cells"]
        calls = sum("".join(cell["source"]).count("explore(") for cell in cells if cell["cell_type"] == "code")
        assert (visits(page).sliders > 0) == (calls > 0)

    @about(CHAPTERS)
    def test_download_link_leads_to_the_notebook_of_the_chapter(self, visits: Visits, address: str, site: Path,
                                                                page: str) -> None:
        link = visits(page).download
        assert link is not None
        assert link.startswith(address)
        offered = site / link.removeprefix(address).lstrip("/")
        assert without_check(offered) == edition(page)
