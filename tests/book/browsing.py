"""The built site and a browser over it: the pages there are, tabs, and what to wait for before one looks."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update"]
#: of every module here: the first test waits until the site is built
MARKS = [pytest.mark.browser, pytest.mark.timeout(3600)]


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


#: The first page, one of tables, chapters with live figures and with sliders, an exercise, a text, none of them long:
#: these are looked at closely in each run of the tests, the others if they have changed.
CLOSELY = ("book/preface", "book/cheat_sheet", "notebooks/01_intuition", "notebooks/14_more_than_two_classes",
           "notebooks/exercises/10_smo", "book/history")
PAGES = pages()
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/") and "exercises" not in page]
STORIES = {"book/fifteen_minutes": "en", "book/fuenfzehn_minuten": "de"}     # as full of figures as a chapter
ALL = [*PAGES, "genindex", "prf-prf", "search"]  # every page that the build writes


def chromium() -> str | None:
    """Path of a Chromium, or None."""
    names = [os.environ.get("SVMLIB_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


@dataclass
class Notes:
    """What goes wrong in a tab: errors in the console, requests to other hosts, files that are not there."""

    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def watch(tab: Any, notes: Notes, address: str) -> None:
    """Note from now on what goes wrong in a tab on the site at this address."""
    tab.on("console", lambda m: notes.errors.append(m.text) if m.type == "error" else None)
    tab.on("pageerror", lambda e: notes.errors.append(str(e)))
    tab.on("request", lambda r: notes.foreign.append(r.url) if not local(r.url, address) else None)
    tab.on("response", lambda r: notes.missing.append(r.url) if r.status >= 400 else None)


def local(url: str, address: str) -> bool:
    """Whether a request stays on this site."""
    return url.startswith((address, "data:", "blob:", "file:", "about:"))


def settle(tab: Any, url: str) -> None:
    """Open a page and wait until it is whole."""
    tab.goto(url)
    whole(tab)


def whole(tab: Any) -> None:
    """Wait for the script and the fonts of a page, and for the sections and drawings that wait out of sight."""
    tab.wait_for_function("window.bootstrap && document.documentElement.classList.contains('whole')")
    tab.wait_for_function("[...document.images].every(image => image.complete)")
    tab.evaluate("() => document.fonts.ready.then(() => 0)")


def violations(tab: Any, within: str | None = None) -> dict[str, Any]:
    """axe-core's findings by rule, AA and best practice, with the first elements of each; in some places alone."""
    from axe_playwright_python.sync_playwright import Axe

    # Without `preload`, axe would fetch the stylesheets' imports from wrong addresses.
    run = Axe().run(tab, context=within, options={"resultTypes": ["violations"], "preload": False})
    return {v["id"]: [node["html"][:160] for node in v["nodes"][:3]] for v in run.response["violations"]}


TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('main *')]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scrolls'))
  .slice(0, 5).map(e => e.tagName + '.' + e.className)"""
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
