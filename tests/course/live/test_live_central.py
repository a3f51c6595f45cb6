"""The central path of the live figure against the Newton step that chapter 09 prints; and the dot under the hand."""
import json
from pathlib import Path
from typing import Any

import live_browser
import numpy as np
import pytest
from test_live_solver import LIVE, node

from svmcourse.quadratic_programming.figures import ThreePoints
from svmlib import DualProblem, solve
from svmlib.kernels import Linear

PROGRAM = """
import { centralPoint } from "%s";
const [points, labels, all] = JSON.parse(process.argv[1]);
console.log(JSON.stringify(all.map((mu) => centralPoint(points, labels, mu))));
"""
STATE = {"kind": "central", "alt": "Three points and their multipliers", "points": [[0, 0], [2, 0], [2.5, 1.5]],
         "labels": [-1, 1, 1], "mu": 0.5, "limits": [-1, 3.4, -0.9, 2.2], "quadrant": [-0.08, 1.35, -0.06, 0.75]}


def test_the_path_is_that_of_the_chapter() -> None:
    three, all_mu = ThreePoints(), [4.0, 1.0, 0.3, 0.05, 1e-2, 1e-4]
    given = json.dumps([three.X.tolist(), three.y.tolist(), all_mu])
    program = PROGRAM % (LIVE / "central.js").as_uri()
    best = solve(DualProblem(Linear(), three.X, three.y, C=np.inf), tol=1e-10).objective
    for mu, seen in zip(all_mu, json.loads(node("--input-type=module", "-e", program, given)), strict=True):
        alpha, z, b = three.centre(mu)
        assert seen["alpha"] == pytest.approx(alpha, rel=1e-6)
        assert seen["z"] == pytest.approx(z, rel=1e-6)
        assert seen["w"] == pytest.approx((alpha * three.y) @ three.X, rel=1e-6, abs=1e-9)
        assert seen["b"] == pytest.approx(b, rel=1e-6)
        f = three.X @ np.array(seen["w"]) + seen["b"]
        assert three.y * f - 1 == pytest.approx(np.array(seen["z"]), rel=1e-5, abs=1e-9)     # z is the surplus
        assert 0 < best - seen["W"] < 3 * mu                                                 # what the figure says of W


@pytest.mark.browser
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("width", "theme"), [pytest.param(1280, "light", marks=pytest.mark.thorough), (390, "dark")])
def test_the_dot_goes_along_the_path(browser: Any, tmp_path: Path, width: int, theme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 1200})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(live_browser.write_page(tmp_path, live_browser.bundle(), STATE, theme))
    page.wait_for_selector(".live-root .live-central-words")
    words, grip = page.locator(".live-central-words"), page.locator(".live-grip")
    assert words.inner_text().startswith("μ = 0.5: α = (0.")
    grip.focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")                          # down is along the path, towards the wall
    assert words.inner_text().startswith("μ = 0.2: α = (0.")
    page.keyboard.press("ArrowRight")
    assert words.inner_text().startswith("μ = 0.26: ")
    box = grip.bounding_box()
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] - 40, at[1] + 400, steps=5)             # beyond the wall: it stays on the path, at its end
    page.mouse.up()
    assert float(page.evaluate("document.querySelector('.live-central-words').textContent.match(/μ = ([^:]+):/)[1]"
                               ".replace('·10⁻⁴', 'e-4').replace('10⁻⁴', '1e-4')")) < 0.01
    assert page.get_by_label("μ", exact=True).get_attribute("aria-valuetext")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert errors == []
    page.close()
