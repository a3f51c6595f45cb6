"""How a page comes: one style sheet, one script, text first, and nothing moves when the rest comes late."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from browsing import ALL, CHAPTERS, DRAWN, MARKS, fresh, settle

pytestmark = MARKS


def test_the_style_sheet_has_all_in_its_order_and_names_what_is_there(site: Path) -> None:
    """As its parts stood; before it stands what scripts are told about a page."""
    for page in ALL:
        html = (site / f"{page}.html").read_text(encoding="utf8")
        assert html.index("DOCUMENTATION_OPTIONS = ") < html.index('<link rel="stylesheet"'), page
        assert 'src="_static/documentation_options.js' not in html, page
    style = (site / "_static" / "bundle.css").read_text(encoding="utf8")
    assert "@import" not in style
    assert re.findall('content: ?"[\ue000-\uf8ff]', style) == [], "letters of an icon font that the site has not"
    assert style.index("table.indextable") < style.index("--pst-") < style.index("KaTeX_Main") < style.index("@page")
    named = re.findall(r"url\(([\w./-]+)(?:\?v=\w+)?\)", style)
    assert len(named) > 20
    assert [name for name in named if not (site / "_static" / name).exists()] == []


@pytest.mark.parametrize("page", ["notebooks/04_soft_margin", "notebooks/02_hard_margin"])
def test_late_fonts_come_in_without_a_shift(browser: Any, address: str, page: str) -> None:
    """On a slow line text stands in a system font of the same measures; then the book's own font takes its place."""
    tab = fresh(browser)
    tab.route("**/fonts/source-*", lambda route: (time.sleep(0.4), route.continue_()))
    tab.goto(f"{address}/{page}.html", wait_until="commit")
    tab.wait_for_selector(".bd-article p")
    tab.wait_for_function("document.fonts.check('18px \"Source Serif\"')")
    tab.evaluate("() => document.fonts.ready.then(() => 0)")
    tab.evaluate(DRAWN)
    assert tab.evaluate("window.moved") < 0.02
    tab.context.close()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", ["notebooks/02_hard_margin", "notebooks/01_intuition"])
def test_late_pictures_find_their_room(browser: Any, address: str, page: str, width: int) -> None:
    """A picture has its height before it is there: nothing below it moves when it comes."""
    tab = fresh(browser)
    tab.set_viewport_size({"width": width, "height": 844})
    tab.route("**/_images/**", lambda route: (time.sleep(0.6), route.continue_()))
    tab.goto(f"{address}/{page}.html", wait_until="load")
    tab.evaluate(DRAWN)
    assert tab.evaluate("window.moved") < 0.02, tab.evaluate("window.movers")
    tab.context.close()


def test_a_page_from_a_file_has_the_books_fonts(browser: Any, site: Path) -> None:
    tab = fresh(browser)
    tab.goto((site / "notebooks/02_hard_margin.html").as_uri())
    tab.wait_for_function("document.fonts.check('18px \"Source Serif\"')")
    tab.context.close()


def test_a_dark_page_is_dark_before_its_script_comes(browser: Any, address: str) -> None:
    context = browser.new_context(color_scheme="dark")
    tab = context.new_page()
    tab.add_init_script("""document.addEventListener('readystatechange', () => {
        window.first ??= document.body && getComputedStyle(document.body).backgroundColor; })""")
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    assert tab.evaluate("window.first") == tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()


def test_sections_and_drawings_out_of_sight_wait_until_the_page_stands(browser: Any, address: str) -> None:
    """They wait, they come without being scrolled to, and whoever links into the page waits for no section."""
    page = next(page for page in CHAPTERS if "05_" in page)
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.add_init_script("""document.addEventListener('DOMContentLoaded', () => { window.waiting =
        [...document.querySelectorAll('.bd-article > section > section')]
          .filter(s => getComputedStyle(s).contentVisibility === 'auto').length;
        window.eager = [...document.querySelectorAll('.drawn img')].filter(i => i.loading !== 'lazy').length })""")
    tab.goto(f"{address}/{page}.html")
    assert tab.evaluate("window.waiting") > 5
    assert tab.evaluate("window.eager") == 0
    tab.wait_for_function("document.documentElement.classList.contains('whole')")
    assert not tab.evaluate("""[...document.querySelectorAll('.bd-article section section')]
        .some(s => getComputedStyle(s).contentVisibility === 'auto')""")
    tab.wait_for_function("[...document.querySelectorAll('.drawn img')].every(i => i.complete && i.naturalWidth)")
    assert tab.evaluate("document.querySelectorAll('.drawn img').length > 10 && scrollY === 0")
    tab.goto("about:blank")
    tab.goto(f"{address}/{page}.html#as-flat")
    assert tab.evaluate("window.waiting") == 0
    tab.close()


def test_page_without_javascript_shows_formulas_and_text(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{address}/{CHAPTERS[1]}.html")
    assert tab.locator(".formula .katex-html").first.bounding_box()["height"] > 10
    assert tab.locator(".bd-article a").first.evaluate("e => getComputedStyle(e).color") != "rgb(0, 0, 0)"
    assert fonts_of(tab, ".bd-article > section > p:not(.subtitle)") == {"Source Serif 4"}
    context.close()


def fonts_of(tab: Any, selector: str) -> set[str]:
    """The fonts that the letters of an element are drawn with."""
    session = tab.context.new_cdp_session(tab)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})
    return {font["familyName"] for font in session.send("CSS.getPlatformFontsForNode", node)["fonts"]}


def test_code_colours_nothing_in_the_colour_of_the_text(site: Path) -> None:
    """Names, brackets and blanks are a sixth of a chapter's elements."""
    html = (site / f"{CHAPTERS[4]}.html").read_text(encoding="utf8")
    assert re.search(r'<span class="kn">from</span> ?<?', html)
    assert not re.search(r'<span class="(?:n|nn|p|w)">', html)


def test_the_theme_measures_nothing(site: Path) -> None:
    """It would lay out every block of the page, those out of sight too."""
    script = (site / "_static" / "bundle.js").read_text(encoding="utf8")
    assert "scrollWidth>" in script
    assert '["pre"' not in script


def test_nothing_is_named_twice_and_nothing_goes_without_a_name(site: Path) -> None:
    """What book/_ext/theme.py changes of the pages is gone from all of them."""
    left = re.compile(r'Toggle hidden content|doc-biblioentry|mathjax|<span class="pre">--|[Tt]hebe|THEBE|binder'
                      r'|togglebutton')
    for path in (path for path in site.rglob("*.html") if site / "_static" not in path.parents):
        html = path.read_text(encoding="utf8")
        assert left.findall(html) == [], path
        assert "<summary>" not in html[html.find("bd-docs-nav"):].partition("</nav>")[0], path
