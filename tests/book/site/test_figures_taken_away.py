"""Use this figure: files that stand alone, with licence, address and a line to copy."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from browsing import CHAPTERS, MARKS, STORIES, settle, violations
from PIL import Image

pytestmark = [*MARKS, pytest.mark.long]


@pytest.mark.parametrize("page", [*CHAPTERS, *STORIES])
def test_each_figure_can_be_taken_away(site: Path, page: str) -> None:
    """By files that are there and stand alone, with the licence, an address in the page, and a line to copy."""
    html = (site / f"{page}.html").read_text(encoding="utf8")
    note = r' id="([^"]+)">(.*?)</{}>\s*(<details class="reuse.*?</details>)?'
    figures = [*re.findall('<figure class="[^"]*"' + note.format("figure"), html, re.S),
               *re.findall('<div class="drawn"' + note.format("div"), html, re.S)]
    assert len(figures) == html.count('class="drawn"') > 3
    taken = []
    for key, shown, note in figures:
        assert ("Bild verwenden" if STORIES.get(page) == "de" else "Use this figure") in note, f"{page}#{key}"
        vector, pixels, place, licence = re.findall('href="([^"]*)"', note)
        assert (place.partition("#")[2], licence) == (key, "https://creativecommons.org/licenses/by/4.0/")
        line = unescape(re.search('class="reuse-credit">(.*?)</span>', note)[1])
        number = re.search(r'caption-number">Fig\. ([\d.]+)', shown)
        assert (f"Figure {number[1]} in “" if number else "Bild in „" if "„" in line else "Figure in “") in line
        assert line.count("CC BY 4.0") == 1
        svg = ((site / page).parent / vector).read_text(encoding="utf8")
        ElementTree.fromstring(svg)
        assert "var(" not in svg
        assert re.findall(r'(?:href|src)="(?!#|data:)[^"]*|url\(["\']?(?!#|data:)|@import|<script', svg) == []
        assert line in unescape(svg)
        width, height = map(int, re.search(r'<img class="dark-light".*? width="(\d+)" height="(\d+)"', shown).groups())
        with Image.open((site / page).parent / pixels) as image:
            assert image.width >= 2 * width
            assert image.height >= 2 * height
            assert f"PNG, {image.width} × {image.height} " in note
        taken += [vector, pixels]
    assert len(set(taken)) == len(taken)


def test_no_file_of_a_figure_is_left_over(site: Path) -> None:
    named = {name for page in (*CHAPTERS, *STORIES) for name in
             re.findall(r'_images/figures/([\w-]+\.\w+)"', (site / f"{page}.html").read_text(encoding="utf8"))}
    assert {path.name for path in (site / "_images" / "figures").iterdir()} == named


def test_what_is_under_a_figure_needs_no_script_loads_nothing_and_is_not_printed(browser: Any, site: Path) -> None:
    for page, scheme in ((CHAPTERS[12], "light"), ("book/fuenfzehn_minuten", "dark")):
        context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
        tab = context.new_page()
        asked: list[str] = []
        tab.on("request", lambda request, asked=asked: asked.append(request.url))
        tab.goto((site / f"{page}.html").as_uri())
        notes = tab.locator("details.reuse")
        for note in (notes.first, notes.nth(3), notes.last):
            note.locator("summary").focus()
            tab.keyboard.press("Enter")
            assert note.locator("a").first.is_visible()
            places = [box.bounding_box() for box in note.locator("a, summary").all()]
            assert min(min(box["width"], box["height"]) for box in places) >= 24
        assert [url for url in asked if "/_images/figures/" in url] == []
        context.close()
        tab = browser.new_page(color_scheme=scheme)
        settle(tab, (site / f"{page}.html").as_uri())
        tab.evaluate("document.querySelectorAll('.reuse, #cite-page').forEach(note => { note.open = true; })")
        assert violations(tab, "details.reuse, #cite-page") == {}
        tab.emulate_media(media="print")
        assert tab.locator("details.reuse a:visible, #cite-page:visible").count() == 0
        tab.close()
