"""Errors over σ, drawn by the hand: slider, line, keys, buttons, against svmlib; another machine begins a new line."""
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_browser import write_page
from test_live_page import Page
from test_live_solver import LIVE, node

from svmlib import SVC
from svmlib.data import disc_and_annulus
from svmlib.kernels import Gaussian

X, Y = disc_and_annulus(seed=0)
FRESH, TRUTH = disc_and_annulus(seed=1000, n=300)
STATE: dict[str, Any] = {
    "kind": "valley", "alt": "Points.", "points": X.round(4).tolist(), "labels": Y.astype(int).tolist(), "C": 10,
    "kernel": {"name": "gaussian", "sigma": 0.03}, "limits": [-2.2, 2.2, -2.2, 2.2], "views": [], "controls": ["sigma"],
    "ranges": {"sigma": {"least": 0.03, "most": 10}}, "may": {"add": False, "remove": False, "toggle": False},
    "fresh": {"points": FRESH.round(4).tolist(), "labels": TRUTH.astype(int).tolist()}}
SEEN = """() => Object.fromEntries(['here', 'there'].map((which) => [which,
  [...document.querySelectorAll(`g.live-valley-${which} circle`)]
    .map((dot) => [dot.cx, dot.cy].map((one) => one.baseVal.value))]))"""


def errors(sigma: float) -> tuple[float, float]:
    """Of svmlib's machine, on its points and on the fresh ones."""
    clf = SVC(Gaussian(sigma=sigma), C=10, tol=1e-8).fit(X.round(4), Y)
    return 1 - clf.score(X.round(4), Y), 1 - clf.score(FRESH.round(4), TRUTH)


def test_visits_stand_in_order_and_each_once() -> None:
    program = (f'import {{ visited }} from "{(LIVE / "valley.js").as_uri()}"; let all = [];'
               "for (const [sigma, there] of [[1, 5], [0.1, 6], [3, 7], [1, 8]])"
               "  all = visited(all, { sigma, here: 0, there });"
               "console.log(all.map(({ sigma, there }) => `${sigma} ${there}`).join(', '));")
    assert node("--input-type=module", "-e", program).strip() == "0.1 6, 1 8, 3 7"


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_the_hand_draws_the_valley(browser: Any, script: str, tmp_path: Path) -> None:
    page = Page(browser, write_page(tmp_path, script, STATE))
    plane = page.tab.locator(".live-valley .live-plane")
    slider = page.tab.get_by_label("σ", exact=True)

    def dots() -> int:
        found = page.tab.evaluate(SEEN)
        assert len(found["here"]) == len(found["there"])
        return len(found["here"])

    def told() -> list[float]:
        words = plane.get_attribute("aria-label")
        sigma, here, there = re.search(r"At σ = ([\d.]+) ([\d.]+) % .* and ([\d.]+) %", words).groups()
        assert page.value("kernel.sigma") == pytest.approx(float(sigma), rel=1e-2)
        return [float(here) / 100, float(there) / 100]

    assert dots() == 1
    assert told() == pytest.approx(errors(0.03), abs=5e-3)
    slider.focus()                                                       # by the slider's keys
    for _ in range(3):
        page.tab.keyboard.press("ArrowRight")
        page.tab.wait_for_timeout(60)
    assert dots() == 4
    box = plane.bounding_box()                                           # by mouse: the upright line
    start = page.tab.locator(".live-valley .live-grip").bounding_box()
    x, y = start["x"] + start["width"] / 2, box["y"] + box["height"] / 2
    page.tab.mouse.move(x, y)
    page.tab.mouse.down()
    page.tab.mouse.move(box["x"] + 0.55 * box["width"], y, steps=12)
    page.tab.mouse.up()
    page.rest()
    assert dots() > 8
    sigma = page.value("kernel.sigma")
    assert sigma == pytest.approx(10 ** (np.log10(0.03) - 0.4 + 0.55 * (np.log10(10 / 0.03) + 0.48)), rel=0.1)
    assert told() == pytest.approx(errors(sigma), abs=7e-3)
    assert "fresh points are wrong" in " ".join(page.tab.locator(".live-said").all_text_contents())
    before = sigma
    page.tab.keyboard.press("ArrowLeft")                                 # by the line's keys
    page.rest()
    assert page.value("kernel.sigma") < before
    page.tab.get_by_role("button", name="Draw all of it").click()
    page.rest()
    assert dots() > 31
    drawn = page.tab.evaluate(SEEN)
    xs, ys = np.array(drawn["there"]).T
    assert (np.diff(xs) > 0).all()
    assert ys[:3].mean() < ys.max() - 50 > ys[-3:].mean()                # a valley: pixels count downwards
    page.tab.get_by_role("button", name="Wipe it").click()
    assert dots() == 1
    page.tab.get_by_role("button", name="Draw all of it").click()
    page.tab.locator(".live-point").first.focus()                        # a point moves: these are other machines
    page.tab.keyboard.press("ArrowUp")
    page.rest()
    assert dots() == 1
    assert page.tab.evaluate("document.documentElement.scrollWidth") == 1280
    assert page.bad == []
