"""The built site in a browser: sliders, search, downloads, dark mode, phones, accessibility, no other host."""

from __future__ import annotations

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update"]
# The theme's own: buttons and the skip link stand outside of landmarks.
THEME_VIOLATIONS = {"region"}

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]


def pages() -> list[str]:
    """The pages of _toc.yml, in order."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    found = [toc["root"]]

    def collect(node: Any) -> None:
        for key in ("parts", "chapters", "sections"):
            for child in node.get(key, []):
                if "file" in child:
                    found.append(child["file"])
                collect(child)

    collect(toc)
    return found


PAGES = pages()
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
# One chapter and one page of tables and lists hold all that has a colour; more would look at the same style again.
DARK = {*CHAPTERS[:1], "book/notation"}


def chromium() -> str | None:
    """Path of a Chromium, or None."""
    names = [os.environ.get("SVMLIB_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def site() -> Path:
    """The site, built if it is missing or older than its sources."""
    built = subprocess.run(
        [sys.executable, "-c", "from jupyter_book.cli.main import main; main()",
         "build", ".", "-W", "-n", "--keep-going"], cwd=ROOT, capture_output=True, text=True, timeout=1500, check=False)
    if built.returncode:
        lines = (built.stdout + built.stderr).splitlines()
        reasons = [line for line in lines if "WARNING" in line or "Error" in line] or lines[-20:]
        pytest.fail("the book does not build:\n" + "\n".join(reasons[:12]), pytrace=False)
    return SITE


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site on a local port."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium; without one the tests are skipped, but fail where CI=true."""
    path = chromium()
    if path is None:
        reason = "no Chromium: install it, or name it in SVMLIB_CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """What one visit of one page brought to light."""

    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    no_alt: list[str] = field(default_factory=list)
    overflow: list[str] = field(default_factory=list)
    violations: dict[str, Any] = field(default_factory=dict)
    dead_sliders: list[str] = field(default_factory=list)
    sliders: int = 0
    raw_math: list[str] = field(default_factory=list)
    download: str | None = None


def watch(tab: Any, visit: Visit, address: str) -> None:
    """Note errors in the console, requests to other hosts and files that are not there."""
    tab.on("console", lambda m: visit.errors.append(m.text) if m.type == "error" else None)
    tab.on("pageerror", lambda e: visit.errors.append(str(e)))
    tab.on("request", lambda r: visit.foreign.append(r.url) if not local(r.url, address) else None)
    tab.on("response", lambda r: visit.missing.append(r.url) if r.status >= 400 else None)


def local(url: str, address: str) -> bool:
    """Whether a request stays on this site."""
    return url.startswith((address, "data:", "blob:", "file:", "about:"))


def settle(tab: Any, url: str) -> None:
    """Open a page and wait until its mathematics is set."""
    tab.goto(url)
    tab.evaluate("() => window.MathJax?.startup?.promise")


def violations(tab: Any, **options: Any) -> dict[str, Any]:
    """axe-core's findings by rule, with the first elements of each."""
    from axe_playwright_python.sync_playwright import Axe

    # Without `preload`, axe would fetch the stylesheets' imports from wrong addresses.
    # Set formulas are thousands of elements each with nothing in them that a rule looks at.
    run = Axe().run(tab, context={"exclude": [["mjx-container"]]},
                    options={"resultTypes": ["violations"], "preload": False, **options})
    found = run.response["violations"]
    return {v["id"]: [node["html"][:160] for node in v["nodes"][:3]] for v in found
            if v["id"] not in THEME_VIOLATIONS}


# What is to be seen in the page itself, gathered in one call.
LOOK = """() => ({
  no_alt: [...document.querySelectorAll('.bd-article img')]
    .filter(i => !(i.alt || '').trim() || /^(\\.\\.\\/)*_images\\//.test(i.alt)).map(i => i.src.slice(0, 80)),
  raw_math: [...document.querySelectorAll('.bd-article p, .bd-article figcaption')]
    .map(p => p.innerText).filter(t => /\\\\[(]|\\$[^$]+\\$/.test(t)).slice(0, 3),
  download: document.querySelector("a.btn-download-source-button[href$='.ipynb']")?.href ?? null,
})"""
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('main *')]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map(e => e.tagName + '.' + e.className)"""
# One word for the picture shown (frames differ in their ends: a PNG closes with its checksums), the texts, the height.
STATE = """figure => [figure.querySelector('img').src.slice(-120) + figure.querySelector('img').src.length,
  document.activeElement.getAttribute('aria-valuetext'), document.activeElement.nextElementSibling.value,
  Math.round(figure.getBoundingClientRect().height)]"""


@pytest.fixture(scope="module")
def visits(browser: Any, address: str) -> Any:
    """Visit a page once, as wide as a desktop and then as narrow as a phone; every test reads the same notes."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")

    @functools.cache
    def visit(page: str) -> Visit:
        notes = Visit()
        tab = context.new_page()
        watch(tab, notes, address)
        settle(tab, f"{address}/{page}.html")
        for name, seen in tab.evaluate(LOOK).items():
            setattr(notes, name, seen)
        try_sliders(tab, notes)
        notes.violations = violations(tab)
        if page in DARK:
            tab.evaluate("document.documentElement.dataset.theme = 'dark'")
            tab.wait_for_timeout(500)  # the theme fades its colours over
            dark = violations(tab, runOnly={"type": "rule", "values": ["color-contrast"]})
            notes.violations |= {f"{rule} (dark)": nodes for rule, nodes in dark.items()}
        tab.set_viewport_size({"width": 390, "height": 844})
        notes.overflow = tab.evaluate(TOO_WIDE)
        tab.close()
        return notes

    return visit


def try_sliders(tab: Any, notes: Visit) -> None:
    """Move every slider by keyboard over its whole range and see whether picture, value and text follow."""
    for figure in tab.locator("figure.explore").element_handles():
        for slider in figure.query_selector_all("input[type=range]"):
            notes.sliders += 1
            name, last = slider.get_attribute("aria-label"), int(slider.get_attribute("max"))
            slider.focus()
            tab.keyboard.press("Home")
            states = [figure.evaluate(STATE)]
            for _ in range(last):
                tab.keyboard.press("ArrowRight")
                states.append(figure.evaluate(STATE))
            pictures, spoken, shown, heights = (set(column) for column in zip(*states, strict=True))
            if len(pictures) < 2 or len(spoken) <= last or any(state[1] != state[2] for state in states):
                notes.dead_sliders.append(f"{name}: {len(pictures)} pictures, spoken {spoken}, shown {shown}")
            if len(heights) > 1:
                notes.dead_sliders.append(f"{name}: the page jumps, the figure is {sorted(heights)} pixels high")


@pytest.mark.parametrize("page", [*PAGES, "search"])
def test_asks_no_other_host_for_anything(visits: Any, page: str) -> None:
    assert visits(page).foreign == []


@pytest.mark.parametrize("page", [*PAGES, "search"])
def test_no_error_in_the_console_and_no_missing_file(visits: Any, page: str) -> None:
    notes = visits(page)
    assert notes.missing == []
    assert notes.errors == []


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_has_alternative_text(visits: Any, page: str) -> None:
    assert visits(page).no_alt == []


@pytest.mark.parametrize("page", PAGES)
def test_mathematics_is_set(visits: Any, page: str) -> None:
    assert visits(page).raw_math == []


@pytest.mark.parametrize("page", PAGES)
def test_fits_a_phone(visits: Any, page: str) -> None:
    assert visits(page).overflow == []


@pytest.mark.parametrize("page", PAGES)
def test_accessible_in_light_and_dark(visits: Any, page: str) -> None:
    assert visits(page).violations == {}


@pytest.mark.parametrize("page", PAGES)
def test_every_slider_moves_its_picture_by_keyboard(visits: Any, site: Path, page: str) -> None:
    notes = visits(page)
    html = (site / f"{page}.html").read_text(encoding="utf8")
    assert notes.sliders == html.count('type="range"')
    assert notes.dead_sliders == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_chapter_calls_explore_and_gets_its_sliders(visits: Any, page: str) -> None:
    cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf8"))["cells"]
    calls = sum("".join(cell["source"]).count("explore(") for cell in cells if cell["cell_type"] == "code")
    assert (visits(page).sliders > 0) == (calls > 0)


def test_pages_name_no_other_host_for_scripts_styles_or_fonts(site: Path) -> None:
    import re

    named = re.compile(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["'](?:https?:)?//[^"']+""")
    found = {page.name: named.findall(page.read_text(encoding="utf8")) for page in site.rglob("*.html")}
    assert {name: urls for name, urls in found.items() if urls} == {}


def test_search_finds_margin(browser: Any, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}/search.html?q=margin")
    # Sphinx lists the results one by one: wait for the one that matters, not for the first.
    tab.wait_for_selector('#search-results li > a[href*="book/glossary.html"]', timeout=15_000)
    tab.close()


@pytest.mark.parametrize("page", CHAPTERS)
def test_download_link_leads_to_the_notebook_of_the_chapter(visits: Any, address: str, site: Path, page: str) -> None:
    link = visits(page).download
    assert link is not None
    assert link.startswith(address)
    offered = site / link.removeprefix(address).lstrip("/")
    assert json.loads(offered.read_text(encoding="utf8")) == json.loads(
        (ROOT / f"{page}.ipynb").read_text(encoding="utf8"))


def test_download_button_saves_the_notebook(browser: Any, address: str) -> None:
    page = CHAPTERS[0]
    tab = browser.new_page()
    tab.goto(f"{address}/{page}.html")
    tab.get_by_role("button", name="Download this page").click()
    with tab.expect_download() as started:
        tab.locator("a.btn-download-source-button[href$='.ipynb']").click()
    got = Path(started.value.path()).read_text(encoding="utf8")
    assert started.value.suggested_filename == Path(page).name + ".ipynb"
    assert json.loads(got) == json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf8"))
    tab.close()


def test_the_front_page_leads_to_the_preface(browser: Any, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}/index.html")
    tab.wait_for_url("**/book/preface.html")
    assert tab.locator("h1").first.inner_text().startswith("Support vector machines")
    tab.close()


def explorable(site: Path) -> str | None:
    """The first chapter with a figure that moves."""
    return next((p for p in CHAPTERS if 'class="explore"' in (site / f"{p}.html").read_text(encoding="utf8")), None)


@pytest.fixture
def moving(site: Path) -> str:
    """A page with a figure that moves."""
    page = explorable(site)
    if page is None:
        pytest.skip("no chapter in _toc.yml has a figure that moves")
    return page


def test_sliders_work_from_a_file(browser: Any, site: Path, moving: str) -> None:
    notes = Visit()
    tab = browser.new_page()
    watch(tab, notes, "file:")
    settle(tab, (site / f"{moving}.html").as_uri())
    try_sliders(tab, notes)
    assert notes.sliders > 0
    assert (notes.dead_sliders, notes.foreign, notes.errors) == ([], [], [])
    tab.close()


def test_figures_without_javascript_show_the_starting_frame(browser: Any, address: str, moving: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{address}/{moving}.html")
    figure = tab.locator("figure.explore").first
    assert figure.locator("img").bounding_box()["height"] > 100
    assert not figure.locator("input").first.is_visible()
    assert " = " in figure.locator(".explore-setting").inner_text()
    context.close()


def test_figures_in_print_show_their_setting_and_no_sliders(browser: Any, address: str, moving: str) -> None:
    tab = browser.new_page()
    settle(tab, f"{address}/{moving}.html")
    tab.emulate_media(media="print")
    figure = tab.locator("figure.explore").first
    assert not figure.locator("input").first.is_visible()
    assert figure.locator(".explore-setting").is_visible()
    tab.close()
