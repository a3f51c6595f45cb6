"""The book on paper: light, open where proofs are, closed where solutions are, with its own fonts and addresses."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path
from typing import Any

import pdf
import pytest
from browsing import CHAPTERS, MARKS, settle
from pypdf import PdfReader

pytestmark = [*MARKS, pytest.mark.long]


def test_paper_is_light_with_proofs_open_and_numbers_kept(browser: Any, address: str) -> None:
    page = next(p for p in CHAPTERS if "03_" in p)
    context = browser.new_context(color_scheme="dark")
    tab = context.new_page()
    settle(tab, f"{address}/{page}.html")
    tab.emulate_media(media="print", color_scheme="dark")
    black, white = tab.evaluate("""() => [getComputedStyle(document.querySelector('h1')).color,
        getComputedStyle(document.body).backgroundColor]""")
    assert black == "rgb(0, 0, 0)"
    assert "255, 255, 255" in white
    assert tab.locator("h1 .section-number").first.is_visible()
    hidden = tab.evaluate("""() => [...document.querySelectorAll('details.proof p')]
        .filter(p => p.getBoundingClientRect().height === 0).length""")
    assert hidden == 0
    pale = tab.evaluate("""() => [...document.querySelectorAll('.bd-article .highlight span')].filter(span => {
        const [r, g, b] = getComputedStyle(span).color.match(/[\\d.]+/g).map(c => (c / 255) ** 2.2);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.25;   // less than 3:1 on white
    }).map(span => span.textContent).slice(0, 5)""")
    assert pale == [], "code on paper has the colours of a dark page"
    tab.set_viewport_size({"width": 600, "height": 900})   # as a sheet of A4 is
    narrow = tab.evaluate("""() => [...document.querySelectorAll('.light-form source')]
        .filter(source => matchMedia(source.media).matches).length""")
    assert narrow == 0, "on paper panels stand beside each other, as the captions say"
    left, text, caption = tab.evaluate("""() => { const size = e => parseFloat(getComputedStyle(e).fontSize);
        const article = document.querySelector('.bd-article'), caption = article.querySelector('figcaption p');
        return [article.getBoundingClientRect().left, size(article), size(caption)] }""")
    assert left == 0, "the text begins where the margin of the paper ends"
    assert 0.75 * text < caption < 0.9 * text, "a caption is smaller than the text, as on the screen"
    context.close()


@pytest.mark.parametrize("opened", [False, True])
def test_a_printed_exercise_gives_nothing_away(browser: Any, address: str, opened: bool) -> None:
    tab = browser.new_page(viewport={"width": 600, "height": 900})
    settle(tab, f"{address}/notebooks/exercises/10_smo.html")
    tab.evaluate("opened => document.querySelectorAll('details').forEach(block => { block.open = opened })", opened)
    tab.emulate_media(media="print")
    hints, told = tab.evaluate("""() => {
        const folds = [...document.querySelectorAll('.bd-article details')].filter(fold => fold.checkVisibility());
        const heads = folds.map(fold => fold.querySelector('summary')), height = e => e.getBoundingClientRect().height;
        const open = folds.filter((fold, k) => height(fold) > height(heads[k]) + 12);
        return [heads.map(head => head.innerText.trim()), open.length];
    }""")
    assert told == 0
    assert len(hints) > 10
    assert {hint[:6] for hint in hints} == {"Hint 1", "Hint 2"}
    tab.close()


def test_figures_in_print_show_their_setting_and_no_sliders(browser: Any, address: str, moving: str) -> None:
    tab = browser.new_page()
    settle(tab, f"{address}/{moving}.html")
    tab.emulate_media(media="print")
    figure = tab.locator("figure.explore").first
    assert not figure.locator("input").first.is_visible()
    assert figure.locator(".explore-setting").is_visible()
    tab.close()


def test_paper_names_no_address_of_this_machine(browser: Any, address: str) -> None:
    _, printed = pdf.print_page(browser, f"{address}/book/preface.html")
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(printed)).pages)
    assert "https://ADDRESS-OF-THE-COURSE/kit/svmlib-" in text
    assert "127.0.0.1" not in text
    assert "COURSE-ADDRESS" not in text


def test_paper_waits_for_its_fonts(browser: Any, address: str) -> None:
    class Slow:
        @staticmethod
        def new_page(**options: Any) -> Any:
            """A tab that gets its fonts late."""
            tab = browser.new_page(**options)
            tab.route("**/*.woff2*", lambda route: (time.sleep(0.2), route.continue_()))
            return tab

    _, printed = pdf.print_page(Slow, f"{address}/book/instructors.html")
    fonts = {str(font.get_object().get("/BaseFont", "Source Sans, whose weights vary")) for page in
             PdfReader(io.BytesIO(printed)).pages for font in page["/Resources"]["/Font"].values()}
    assert any("SourceSerif4-Regular" in name for name in fonts)
    assert [name for name in fonts if not re.search("Source|KaTeX", name)] == []


def test_the_cheat_sheet_is_one_sheet(browser: Any, address: str, site: Path) -> None:
    _, printed = pdf.print_page(browser, f"{address}/book/cheat_sheet.html")
    [sheet] = PdfReader(io.BytesIO(printed)).pages
    for words in ("Cheat sheet", "The dual", "Five mistakes", "from sklearn.svm import SVC"):
        assert words in sheet.extract_text()
    [offered] = PdfReader(site / "kit" / "svm-cheat-sheet.pdf").pages
    assert offered.extract_text().count("Five mistakes") == 1
    assert 'href="../kit/svm-cheat-sheet.pdf"' in (site / "book/cheat_sheet.html").read_text(encoding="utf8")
