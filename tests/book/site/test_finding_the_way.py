"""Where to begin, what comes next, what has been read, and the way home."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import findable
import pytest
from browsing import CHAPTERS, MARKS, PAGES, ROOT, settle, violations

pytestmark = MARKS


def test_the_front_page_leads_to_the_preface(browser: Any, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}/index.html")
    tab.wait_for_url("**/book/preface.html")
    assert tab.locator("h1").first.inner_text().startswith("Support vector machines")
    tab.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_the_first_screen_says_where_to_begin(browser: Any, address: str, width: int, height: int) -> None:
    tab = browser.new_context(viewport={"width": width, "height": height}).new_page()
    tab.goto(f"{address}/book/preface.html")
    tab.wait_for_selector("figure#fig-front .live-grip")
    button = tab.locator("a.start-button")
    assert button.count() == 1
    chapter = (ROOT / f"{CHAPTERS[0]}.ipynb").read_text(encoding="utf8")
    minutes = re.findall(r"about (\d+) minutes", chapter)[0]
    assert button.inner_text() == f"Start, {minutes} minutes"
    for what in ("h1", "a.start-button", "figure#fig-front .live-stage"):
        box = tab.locator(what).first.bounding_box()
        assert 0 <= box["y"] < box["y"] + box["height"] <= height, f"{what} ends at {box['y'] + box['height']}"
    assert tab.locator(f".map-{'wide' if width > 640 else 'narrow'} a:visible").count() == len(CHAPTERS)
    assert tab.locator(".concept-map a:visible").count() == len(CHAPTERS)
    tab.locator(".concept-map a:visible").nth(2).focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/{CHAPTERS[2]}.html")
    tab.context.close()


def test_exercises_follow_their_chapter_in_the_contents(site: Path) -> None:
    html = (site / "notebooks/04_soft_margin.html").read_text(encoding="utf8")
    contents = html[html.index("bd-docs-nav"):].partition("</nav>")[0]
    found = re.findall(r'<a [^>]*href="([^"#]*)"[^>]*>([^<]*)</a>', contents)
    links = [(Path(href).name, text.strip()) for href, text in found]
    at = [text for _, text in links].index("5. Feature maps and the kernel trick")
    assert links[at + 1] == ("05_feature_maps_and_the_kernel_trick.html", "Exercises")
    assert sum(text == "Exercises" for _, text in links) == len(CHAPTERS)
    assert 'aria-label="Pages of 5. Feature maps and the kernel trick"' in contents


def test_next_and_previous_say_what_they_answer(site: Path) -> None:
    said = findable.described(ROOT)
    text = (site / f"{CHAPTERS[1]}.html").read_text(encoding="utf8")
    asked = [unescape(found) for found in re.findall(r'class="prev-next-question">([^<]*)<', text)]
    assert asked == ["Can you do it yourself? Chapter 1", "Can you do it yourself? Chapter 2"]
    after = (site / f"{PAGES[PAGES.index(CHAPTERS[1]) + 1]}.html").read_text(encoding="utf8")
    assert unescape(after).count(said[CHAPTERS[2]]["question"]) == 1


def test_the_book_remembers_what_has_been_read_and_solved(browser: Any, address: str) -> None:
    tab = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    chapter, exercises = CHAPTERS[0], next(page for page in PAGES if "exercises/02" in page)
    settle(tab, f"{address}/{chapter}.html")
    left = tab.locator(".left-to-read")
    minutes = tab.locator("meta[name=minutes]").get_attribute("content")
    assert left.inner_text() == f"about {minutes} min"
    kept = "JSON.parse(localStorage.getItem('svmlib-progress'))"
    assert tab.evaluate(kept) is None, "nothing has been read yet"
    tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tab.wait_for_function(f"{kept}?.read.length === 1")
    assert left.inner_text() in ("nearly done", "about 10 min left", "about 15 min left")
    settle(tab, f"{address}/{exercises}.html")
    boxes = tab.locator(".task-solved input")
    assert boxes.count() == tab.evaluate("document.body.innerText.match(/^\\d+ points? · (?!about)/gm).length")
    boxes.first.check()
    settle(tab, f"{address}/book/preface.html")
    told = tab.locator(".course-progress")
    assert told.inner_text().startswith(f"You have read 1 of {len(CHAPTERS)} chapters and solved 1 task.")
    assert tab.locator(".course-map .is-read").get_attribute("href") == f"../{chapter}.html"
    assert violations(tab) == {}
    told.locator("button").click()
    assert not told.is_visible()
    assert tab.evaluate(kept) is None
    tab.context.close()


def test_a_lost_reader_is_led_home(browser: Any, address: str, site: Path) -> None:
    tab = browser.new_page()
    lost = (site / "404.html").read_text(encoding="utf8")
    tab.route("**/no/such/page.html", lambda route: route.fulfill(status=404, content_type="text/html", body=lost))
    tab.goto(f"{address}/no/such/page.html")
    tab.wait_for_function("top => document.querySelector('a').href.startsWith(top)", arg=f"{address}/book/")
    assert tab.locator("a").first.evaluate("link => link.href") == f"{address}/book/preface.html"
    assert tab.locator("form").evaluate("form => form.action") == f"{address}/search.html"
    assert violations(tab) == {}
    tab.close()
