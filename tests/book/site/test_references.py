"""Numbers, labels and links: they hold, they lead there, and they show what they lead to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browsing import ALL, CHAPTERS, MARKS, PAGES, ROOT, Notes, settle, violations, watch
from labels import Book

pytestmark = [*MARKS, pytest.mark.long]

REFERENCES = """() => [...document.querySelectorAll('.bd-article a.reference.internal[href*="#"]')]
  .map((link, at) => [at, link.getAttribute('href'), link.checkVisibility()])"""


def test_references_show_what_they_lead_to(browser: Any, address: str) -> None:
    """Under the pointer and under the keyboard's focus, until Escape; nothing from another host, nothing twice."""
    context = browser.new_context(viewport={"width": 1280, "height": 700}, reduced_motion="reduce")
    tab = context.new_page()
    notes = Notes()
    watch(tab, notes, address)
    settle(tab, f"{address}/notebooks/04_soft_margin.html")
    links, shown = tab.locator(".bd-article a.reference.internal[href*='#']"), tab.locator("#preview")
    kinds = {"equation": "#equation-soft-dual", "citation": "bibliography.html#", "theorem": "#soft-monotone",
             "figure": "#fig-"}
    seen = {}
    for kind, sign in kinds.items():
        place = next(at for at, href, visible in tab.evaluate(REFERENCES)
                     if sign in href and visible)
        links.nth(place).scroll_into_view_if_needed()
        links.nth(place).hover()
        shown.wait_for(state="visible")
        seen[kind] = shown.inner_text().strip()
        box = shown.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 1280
        tab.keyboard.press("Escape")
        assert not shown.is_visible()
        tab.mouse.move(2, 300)
    assert "(4." in seen["equation"]
    assert all(len(text) > 15 for text in seen.values()), seen
    citation = tab.locator(".bd-article a.reference.internal[href*='bibliography.html#']").first
    tab.keyboard.press("Tab")   # the keyboard is in use
    citation.focus()
    shown.wait_for(state="visible")
    assert citation.get_attribute("aria-describedby") == "preview"
    assert tab.locator("[id=preview]").count() == 1
    assert violations(tab, "#preview") == {}
    tab.keyboard.press("Tab")
    shown.wait_for(state="hidden")
    assert (notes.foreign, notes.errors, notes.missing) == ([], [], [])
    context.close()


def test_references_on_paper_and_in_a_file_are_links(browser: Any, site: Path) -> None:
    tab = browser.new_page()
    notes = Notes()
    watch(tab, notes, "file:")
    settle(tab, (site / "notebooks/04_soft_margin.html").as_uri())
    tab.keyboard.press("Tab")
    tab.locator(".bd-article a.reference.internal[href*='bibliography.html#']").first.focus()
    tab.wait_for_timeout(900)
    assert tab.locator("#preview:visible").count() == 0
    assert (notes.errors, notes.foreign) == ([], [])
    tab.close()


def test_a_link_to_a_figure_shows_the_figure(browser: Any, address: str) -> None:
    """Its picture has its height before the page scrolls to it."""
    page = next(page for page in CHAPTERS if "14_" in page)
    for width in (390, 1280):
        tab = browser.new_page(viewport={"width": width, "height": 800})
        settle(tab, f"{address}/{page}.html#fig-regions")
        tab.wait_for_timeout(300)
        assert 0 <= tab.evaluate("document.getElementById('fig-regions').getBoundingClientRect().top") < 200
        tab.close()


def test_a_link_into_the_page_leads_there(browser: Any, address: str) -> None:
    """Past sections that have not been laid out; and what one scrolls back to does not push the text away."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    page = next(page for page in CHAPTERS if "04_" in page)
    settle(tab, f"{address}/{page}.html#soft-monotone")
    where = "document.getElementById('soft-monotone').getBoundingClientRect().top"
    tab.wait_for_timeout(300)
    assert 0 <= tab.evaluate(where) < 120
    for _ in range(6):
        before = tab.evaluate(where)
        tab.mouse.move(600, 450)
        tab.mouse.wheel(0, -700)
        tab.wait_for_timeout(300)
        assert abs(tab.evaluate(where) - before - 700) < 40
    tab.close()


def test_numbers_and_labels_hold(site: Path) -> None:
    numbered = {}
    for page in CHAPTERS:
        html = (site / f"{page}.html").read_text(encoding="utf8")
        heading = re.search(r'<h1><span class="section-number">(\d+)\.', html)
        numbered[page] = int(heading[1]) if heading else None
    assert numbered == {page: int(Path(page).name[:2]) for page in CHAPTERS}
    texts = {page: re.sub(r"(?s)<(script|style|annotation)\b.*?</\1>|<[^>]+>", " ",
                          (site / f"{page}.html").read_text(encoding="utf8")) for page in ALL}
    label = re.compile(r' id="((?:equation|eq|fig|thm|lem|def)-[^"]+)"')
    labels = {found for page in ALL for found in label.findall((site / f"{page}.html").read_text(encoding="utf8"))}
    names = {found.removeprefix("equation-") for found in labels if "-" in found.removeprefix("equation-")}
    word = re.compile(r"(?<=[\s(])[^\s().,]+(?=[\s).,])")
    assert len(names) > 200
    assert [name for name in names if word.findall(f" {name} ") != [name]] == []
    assert {page: found for page, text in texts.items() if (found := names.intersection(word.findall(text)))} == {}


def test_notebooks_number_as_the_pages_do(site: Path) -> None:
    """Theorems, figures and formulas, of all chapters, by their labels."""
    counted = {place.anchor: place.name for place in Book(ROOT).places.values()
               if place.page in CHAPTERS and re.search(r"\d\.\d+\)?$", place.name)}
    assert len(counted) > 200
    mark = re.compile(r' id="([\w-]+)"|<span class="eqno">(\(\d+[\d.]+\))|caption-number">([A-Z][\w.]* \d+[\d.]+)')
    shown = {}
    for page in CHAPTERS:
        label = ""
        for name, *numbers in mark.findall((site / f"{page}.html").read_text(encoding="utf8")):
            if name in counted:
                label = name
            elif label and not name:    # the first number after a label is its own
                shown[label], label = "".join(numbers), ""
    assert shown == counted


def test_figures_of_exercises_have_numbers_of_their_own(site: Path) -> None:
    found = {}
    for page in (page for page in PAGES if "/exercises/" in page):
        html = (site / f"{page}.html").read_text(encoding="utf8")
        numbers = re.findall(r'caption-number">Fig\. ([^ <]+)', html)
        found[page] = numbers == [f"E{int(Path(page).name[:2])}.{k + 1}" for k in range(len(numbers))]
    assert all(found.values()), found


def test_the_glossary_leads_to_a_terms_first_place_and_back_from_german(site: Path) -> None:
    text = (site / "book/glossary.html").read_text(encoding="utf8")
    anchors = set(re.findall(r'id="(term-[^"]*)"', text))
    german = re.findall(r'<li><span lang="de">([^<]*)</span>: <a href="#([^"]*)">', text)
    assert {anchor for _, anchor in german} == anchors
    assert "Stützvektor" in dict(german)
    links = re.findall(r'<a class="[^"]*introduced[^"]*" href="\.\./(notebooks/(\d\d)_\w+)\.html#([^"]*)">'
                       r'Chapter (\d+)</a>', text)
    assert len(links) > 40
    for page, number, section, said in links:
        assert int(number) == int(said)
        assert f'id="{section}"' in (site / f"{page}.html").read_text(encoding="utf8")
