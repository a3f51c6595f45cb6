"""When a live figure takes the place of its picture, the page below it keeps still."""
import re
from pathlib import Path
from typing import Any

import live_figures
import pytest
from live_browser import ROOT, write_page
from test_live_page import state_of

from svmcourse import live
from svmcourse.mnist import reader
from svmlib.data import disc_and_annulus, separable_blobs

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
MOST = 0.05      # of the layout shift that a reader does not notice
ASIDE = 8        # pixels, a third of a line, that what stands below may move by
CLOCK = """window.moved = 0; window.first = null;
new PerformanceObserver(list => list.getEntries().forEach(e => { if (!e.hadRecentInput) window.moved += e.value; }))
  .observe({type: 'layout-shift', buffered: true});
document.addEventListener('DOMContentLoaded', () => { window.first = place(); });
window.place = () => document.querySelector('figcaption').getBoundingClientRect().top;
new MutationObserver((_, observer) => { if (!document.querySelector('.live-grip')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => {
    window.nameless = document.querySelectorAll('.live-panel > .live-root .live-grip:not([aria-label])').length; })); })
  .observe(document, {childList: true, subtree: true});"""


X, Y = separable_blobs(seed=1)
LIFTED = [x.tolist() for x in disc_and_annulus(seed=0)]
SMALL = {"views": ["alpha"], "controls": [], "ratio": 0.72,
         "may": {"move": True, "add": False, "remove": False, "toggle": False}}
STATES: dict[str, dict[str, Any]] = {      # of every kind, as the chapters have them
    "machine": state_of(30),
    "small": state_of(30, **SMALL),
    "many views": state_of(30, views=["alpha", "gram", "square", "section", "landscape"]),
    "hard": {**live.points_state(X, Y, pad=0.1, shows=["forces"]), "kind": "hard"},
    "hulls": {**live.points_state(X, Y, pad=0.1, shows=["hulls"]), "kind": "hard"},
    "turn": {**live.points_state(X, Y, pad=0.08, angle=75), "kind": "turn"},
    "unknowns": {"kind": "unknowns", "x": [0, 1, 3, 4], "labels": [-1, -1, 1, 1], "hand": [2.2, -4.2],
                 "limits": [-1, 5, -3.4, 3.4], "unknowns": [-0.6, 3.2, -7, 3]},
    "cut": {"kind": "cut", "points": LIFTED[0], "labels": LIFTED[1], "C": 10, "plane": {"h": 2.2, "p": 0.5, "q": -0.3}},
    "price": state_of(9, kind="price", views=[], kernel={"name": "linear"}, ranges={"C": {"least": 0.01, "most": 999}}),
    "path": state_of(30, kind="price", views=[], window=40, kernel={"name": "linear"},
                     named={"point": 3, "name": "intruder"}, ranges={"C": {"least": 0.1, "most": 2000}}),
    "gallery": state_of(30, kind="gallery", views=["landscape", "gram"], controls=["kernel", "C", "sigma", "Q"],
                        fresh={key: state_of(50, seed=2)[key] for key in ("points", "labels")}),
    "valley": state_of(30, kind="valley", views=[], controls=["sigma"], ranges={"sigma": {"least": 0.03, "most": 10}},
                       may={"move": True, "add": False, "remove": False, "toggle": False},
                       fresh={key: state_of(50, seed=2)[key] for key in ("points", "labels")}),
    "pairs": state_of(30, kind="pairs", kernel={"name": "linear"}, C=1, pairs=[[0, 1], [2, 3], [4, 20]], step=2,
                      mine={"pairs": [[0, 1]], "words": "my_rule: 1 step, and no more.", "wrong": False}),
    "central": {"kind": "central", "points": [[0, 0], [2, 0], [2.5, 1.5]], "labels": [-1, 1, 1], "mu": 0.5,
                "limits": [-1, 3.4, -0.9, 2.2], "quadrant": [-0.08, 1.35, -0.06, 0.75]},
    "walls": {"kind": "walls", "walls": [[1, -2, -2], [-1, -2, -6], [-1, 2, -2], [1, 0, 0], [0, 1, 0]],
              "cross": [1, 2.5], "at": [2, 0], "held": [2, 4], "limits": [-0.7, 4.5, -0.75, 3]},
    "tube": {"kind": "tube", "x": X[:, 0].tolist(), "y": X[:, 1].tolist(), "kernel": {"name": "gaussian", "sigma": 0.7},
             "C": 1, "epsilon": 0.2, "limits": [-3.2, 3.2, -3, 3]},
    "digits": {"kind": "digits", "drawings": reader.drawings(), "start": "a seven"},
}


def test_every_kind_is_looked_at() -> None:
    register = (ROOT / live_figures.SOURCES / "register.js").read_text(encoding="utf8")
    kinds = re.findall(r"^  (\w+): \w+Figure,", register, re.M)
    assert {*kinds, *live_figures.APART} == {state["kind"] for state in STATES.values()}


@pytest.mark.parametrize(("name", "width", "theme"), [
    pytest.param(name, width, theme, marks=() if (width == 390) == k % 2 else pytest.mark.thorough)
    for k, name in enumerate(STATES) for width, theme in ((1280, "light"), (390, "dark"))])
def test_nothing_moves(name: str, width: int, theme: str, browser: Any, script: str, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": width, "height": 2400})    # so high that all below the figure is seen
    tab.add_init_script(CLOCK)
    tab.goto(write_page(tmp_path, script, {"alt": "Points.", **STATES[name]}, theme))
    tab.wait_for_selector(".live-on .live-stage", state="attached")
    tab.wait_for_timeout(300)
    first, last, moved = tab.evaluate("[first, place(), moved]")
    assert tab.locator(".live-room").count() == 0
    print(f"{name}, {width}, {theme}: moved by {last - first:.1f} pixels, layout shift {moved:.4f}")
    assert first > 300          # the room is there before the script is
    assert abs(last - first) <= ASIDE
    assert moved < MOST
    if STATES[name]["kind"] not in live_figures.APART:          # which has a canvas, and no grips
        assert tab.evaluate("nameless") == 0, "a grip that one could reach before it had a name"
    tab.close()


def test_the_room_is_needed(browser: Any, script: str, tmp_path: Path) -> None:
    """What is measured above is there to be measured: without the room the page jumps."""
    address = write_page(tmp_path, script, STATES["machine"])
    path = tmp_path / "light.html"
    text = path.read_text(encoding="utf8")
    assert "(scripting:enabled)" in text
    path.write_text(text.replace("(scripting:enabled)", "(width:1px)"), encoding="utf8")
    tab = browser.new_page(viewport={"width": 1280, "height": 2400})
    tab.add_init_script(CLOCK)
    tab.goto(address)
    tab.wait_for_selector(".live-on .live-stage", state="attached")
    tab.wait_for_timeout(300)
    first, last = tab.evaluate("[first, place()]")
    assert last - first > 50
    tab.close()
