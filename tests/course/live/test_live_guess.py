"""A figure that asks first: a line is drawn, a point chosen, a number named; the truth comes after the answer."""
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_browser import ROOT, bundle, write_page
from test_live_page import FIGURE, state_of

from svmcourse import live
from svmlib import SVC, SVR
from svmlib.data import separable_blobs
from svmlib.kernels import Gaussian, Linear

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
X, Y = separable_blobs(seed=1)
LINE = {"kind": "line", "question": "Draw the line.", "setting": {"C": 500}}
STATES: dict[str, dict[str, Any]] = {
    "machine": {**live.points_state(X, Y, pad=0.1), "kind": "machine", "alt": "Points.", "C": 0.01,
                "kernel": {"name": "linear"}, "controls": ["C"], "views": [], "ask": LINE},
    "turn": {**live.points_state(X, Y, pad=0.1, angle=75), "kind": "turn", "alt": "Points.", "ask": LINE},
    "number": state_of(40, ask={"kind": "number", "question": "How many?",
                                "setting": {"kernel": {"name": "gaussian", "sigma": 0.05}}}),
    "tube": {"kind": "tube", "x": np.linspace(-3, 3, 25).tolist(), "alt": "Points.", "C": 1, "epsilon": 0.1,
             "y": (np.sin(np.linspace(-3, 3, 25)) + 0.4 * np.cos(37 * np.arange(25))).tolist(),
             "kernel": {"name": "gaussian", "sigma": 0.7}, "limits": [-3.2, 3.2, -2, 2],
             "ask": {"kind": "point", "question": "Which will matter?", "setting": {"epsilon": 0.3}}},
}


class Asking:
    """A page with one figure that asks, and a chapter's summary."""

    def __init__(self, browser: Any, folder: Path, state: dict[str, Any], theme: str = "light", **options: Any) -> None:
        self.address = write_page(folder, bundle(), state, theme)
        path = folder / f"{theme}.html"
        style, script = ((ROOT / "book/_static" / name).read_text() for name in ("predict.css", "predict.js"))
        predict = f"<style>{style}</style><section id='summary'></section><script>{script}</script>"
        path.write_text(path.read_text().replace("</article>", f"{predict}</article>"))
        self.tab = browser.new_context(**{"viewport": {"width": 1280, "height": 1000}, **options}).new_page()
        self.bad: list[str] = []
        self.tab.on("pageerror", lambda error: self.bad.append(str(error)))
        self.tab.goto(self.address)
        self.rest()

    def rest(self) -> None:
        self.tab.wait_for_selector(".live-on .live-ask")
        self.tab.wait_for_timeout(600)

    def press(self, name: str) -> None:
        self.tab.get_by_role("button", name=name).click()
        self.tab.wait_for_timeout(500)

    @property
    def words(self) -> str:
        return str(self.tab.locator(".live-ask-result").text_content())

    @property
    def count(self) -> str:
        return str(self.tab.locator(".predict-count").text_content())

    def stroke(self, ends: list[list[float]], limits: list[float]) -> None:
        """Draw from one place of the plane to another, by hand; the plane shows a bit more than its limits."""
        box = self.tab.locator(".live-plane").first.bounding_box()
        x0, x1, y0, y1 = limits
        unit = min(box["width"] / (x1 - x0), box["height"] / (y1 - y0))
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        places = [(middle[0] + unit * (x - (x0 + x1) / 2), middle[1] - unit * (y - (y0 + y1) / 2)) for x, y in ends]
        self.tab.mouse.move(*places[0])
        self.tab.mouse.down()
        self.tab.mouse.move(*places[1], steps=8)
        self.tab.mouse.up()


def best_line(C: float, limits: list[float]) -> list[list[float]]:
    """Two places on svmlib's line, near the lower and the upper edge of the plane."""
    machine = SVC(Linear(), C=C, tol=1e-6).fit(X, Y)
    (w1, w2), b = machine.coef_[0], machine.intercept_[0]
    heights = [limits[2] + part * (limits[3] - limits[2]) for part in (0.06, 0.94)]
    return [[-(w2 * v + b) / w1, v] for v in heights]


@pytest.mark.parametrize("kind", ["machine", "turn"])
def test_a_line_is_drawn_by_hand_and_stands_beside_the_truth(kind: str, browser: Any, tmp_path: Path) -> None:
    state = STATES[kind]
    page = Asking(browser, tmp_path, state)
    assert page.tab.get_by_role("button", name="Commit").is_disabled()
    wrong = SVC(Linear(), C=500).fit(X, Y).coef_[0]
    assert abs(wrong[0]) > abs(wrong[1])           # a level line is not nearly the truth
    level = [[state["limits"][0] + 0.1, 0.0], [state["limits"][1] - 0.1, 0.1]]
    for right, ends in ((True, best_line(500, state["limits"])), (False, level)):
        page.press("Draw a line")
        page.stroke(ends, state["limits"])
        page.press("Commit")
        page.tab.wait_for_timeout(1000)
        assert page.words.startswith("Your line"), page.words
        assert ("ell drawn" in page.words) is right, page.words
        assert page.count == f"Your predictions in this chapter: you were right in {int(right)} of 1."
        assert page.tab.locator(".live-yours").get_attribute("d").startswith("M")
        if kind == "machine":
            assert page.tab.evaluate(f"{FIGURE}.machine.C") == 500      # the truth is what the figure shows now
        page.tab.reload()
        page.rest()
        assert "Your line" in page.words                     # kept
        page.press("Ask me again")
        assert page.words == ""
        assert page.count == ""
    assert page.bad == []


def test_a_line_by_keyboard(browser: Any, tmp_path: Path) -> None:
    page = Asking(browser, tmp_path, STATES["machine"])
    page.tab.get_by_role("button", name="Draw a line").press("Enter")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.tab.evaluate(focused).startswith("First end of your line")
    page.tab.keyboard.press("ArrowRight")
    moved = page.tab.locator(".live-yours").get_attribute("d")
    page.tab.keyboard.press("PageDown")
    assert page.tab.evaluate(focused).startswith("Second end of your line")
    page.tab.keyboard.press("ArrowLeft")
    assert page.tab.locator(".live-yours").get_attribute("d") != moved
    page.tab.get_by_role("button", name="Commit").press("Enter")
    page.tab.wait_for_timeout(400)
    assert page.words.startswith("Your line and the machine's part on")
    assert page.tab.evaluate("document.activeElement.textContent") == "Ask me again"
    assert page.tab.locator(".live-grip").count() == len(X)  # the handles are gone
    assert page.bad == []


def test_the_share_on_which_line_and_machine_part(browser: Any, tmp_path: Path) -> None:
    state = STATES["machine"]
    page = Asking(browser, tmp_path, state)
    page.press("Draw a line")
    page.stroke([[0.3, -1.5], [0.5, 1.5]], state["limits"])
    page.press("Commit")
    [kept] = json.loads(page.tab.evaluate("localStorage.getItem('svmlib-predict:light.html')")).values()
    (p, q), machine = kept["value"], SVC(Linear(), C=500, tol=1e-6).fit(X, Y)
    x0, x1, y0, y1 = page.tab.evaluate(f"{FIGURE}.stage.shown")
    grid = np.random.default_rng(0).uniform([x0, y0], [x1, y1], (40_000, 2))
    side = (q[0] - p[0]) * (grid[:, 1] - p[1]) - (q[1] - p[1]) * (grid[:, 0] - p[0]) > 0
    part = float(np.mean(side != (machine.decision_function(grid) > 0)))
    said = float(page.words.split("part on ")[1].split(" %")[0])
    assert said == pytest.approx(100 * min(part, 1 - part), abs=1.5)


def test_a_number(browser: Any, tmp_path: Path) -> None:
    state = STATES["number"]
    machine = SVC(Gaussian(sigma=0.05), C=state["C"], tol=1e-8).fit(np.array(state["points"]), state["labels"])
    truth = len(machine.support_)
    page = Asking(browser, tmp_path, state)
    for said, right in ((truth, True), (truth - 20, False)):
        page.tab.locator(".live-ask input").fill(str(said))
        page.tab.keyboard.press("Enter")
        page.tab.wait_for_timeout(400)
        assert f"It is {truth} of 40" in page.words
        assert ("exactly right" in page.words) is right
        page.press("Ask me again")
    assert page.bad == []


def test_a_point_by_finger(browser: Any, tmp_path: Path) -> None:
    state = STATES["tube"]
    fit = SVR(Gaussian(sigma=0.7), C=1, epsilon=0.3, tol=1e-8).fit(np.array(state["x"])[:, None], state["y"])
    page = Asking(browser, tmp_path, state, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for i, right in ((int(fit.support_[0]), True), (next(k for k in range(25) if k not in fit.support_), False)):
        box = page.tab.locator(".live-grip .live-hit").nth(i).bounding_box()
        page.tab.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.tab.wait_for_timeout(300)
        assert page.tab.locator(".live-ask-hint").inner_text().startswith(f"Point {i + 1},")
        page.tab.get_by_role("button", name="Commit").tap()
        page.tab.wait_for_timeout(500)
        assert page.words.startswith(f"Point {i + 1} of 25")
        assert page.words.endswith("Right.") is right
        assert page.tab.locator(".live-guess-mark").is_visible()
        page.tab.get_by_role("button", name="Ask me again").tap()
        page.tab.wait_for_timeout(400)
    assert page.bad == []


@pytest.mark.parametrize(("kind", "width", "theme"),
                         [pytest.param("machine", 320, "light", marks=pytest.mark.thorough), ("number", 390, "dark"),
                          pytest.param("tube", 1280, "light", marks=pytest.mark.thorough)])
def test_accessible(kind: str, width: int, theme: str, browser: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = Asking(browser, tmp_path, STATES[kind], theme, viewport={"width": width, "height": 900})
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page.tab, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found.response["violations"]] == []


@pytest.mark.parametrize("ask", [{"kind": "curve", "question": "?"}, {"kind": "line", "question": " "}, {}])
def test_bad_questions_are_refused(ask: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="ask must have a kind among line, point, number"):
        live.stage(X, Y, alt="Points.", ask=ask)


def test_a_kind_that_cannot_ask_this_ends_the_build() -> None:
    import live_figures
    from sphinx.errors import ExtensionError

    with pytest.raises(ExtensionError, match="this figure can ask for line, not for point"):
        live_figures.rooms(ROOT, [{**STATES["turn"], "ask": {"kind": "point", "question": "Which?"}}])
