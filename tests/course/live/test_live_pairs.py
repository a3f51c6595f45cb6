"""The walk of the live figure of pairs against svmlib: the same pairs, the same steps; the best pairs, the same end."""
import json
from pathlib import Path
from typing import Any

import live_browser
import numpy as np
import pytest
from test_live_solver import LIVE, node

from svmlib import DualProblem, solve
from svmlib.data import disc_and_annulus, exponential_classes
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers.smo_lab_sheet import one_step, segment

PROGRAM = """
import { walk } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { setting, rule, pairs } = JSON.parse(text);
console.log(JSON.stringify(walk(setting, rule, pairs).map((frame) => ({ ...frame, alpha: [...frame.alpha] }))));
"""

BEGINS = "(text) => document.querySelector('.live-pairs-words').textContent.startsWith(text)"
CHOOSING = """
globalThis.requestAnimationFrame = (draw) => { draw(); return 0; };
globalThis.cancelAnimationFrame = () => {};
import { Walker } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const walker = new Walker({ ...JSON.parse(text), rule: "I choose" });
for (const pair of [[3, 25], [7, 30], [1, 38]]) { walker.choose(pair); walker.refresh(); }
walker.show(1);
walker.choose([9, 21]);
walker.refresh();
console.log(JSON.stringify({ chosen: walker.chosen, step: walker.step, W: walker.frames.map((frame) => frame.objective),
  ideal: walker.ideal }));
"""


def frames(X: np.ndarray, y: np.ndarray, kernel: dict[str, Any], C: float, rule: str,
           pairs: list[list[int]]) -> list[dict[str, Any]]:
    """What the figure shows, step by step."""
    setting = {"points": X.tolist(), "labels": y.tolist(), "kernel": kernel, "C": C}
    return json.loads(node("--input-type=module", "-e", PROGRAM % (LIVE / "walk.js").as_uri(),
                           given=json.dumps({"setting": setting, "rule": rule, "pairs": pairs})))


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("curved", [False, True])
def test_random_pairs_are_the_steps_of_svmlib(curved: bool, C: float) -> None:
    X, y = disc_and_annulus(seed=0) if curved else exponential_classes(seed=0)
    X = np.vstack([X, X[:3]])
    y = np.r_[y, -y[:3]]          # copies with the other label: steps without a top
    kernel, settings = (Gaussian(sigma=1.0), {"name": "gaussian", "sigma": 1.0}) if curved else (Linear(),
                                                                                                 {"name": "linear"})
    problem = DualProblem(kernel, X, y, C=C)
    rng = np.random.default_rng(1)
    pairs = [rng.choice(len(y), 2, replace=False).tolist() for _ in range(600)]
    seen = frames(X, y, settings, C, "random", pairs)
    assert len(seen) == 601
    alpha, f, b = np.zeros(len(y)), np.zeros(len(y)), 0.0
    for (i, j), frame in zip(pairs, seen[1:], strict=True):
        L, H = segment(i, j, alpha, y, np.full(len(y), C))
        step = frame["step"]
        assert (step["i"], step["j"]) == (i, j)
        assert step["before"] == pytest.approx([alpha[i], alpha[j]], abs=1e-9 * C)
        assert step["ends"] == pytest.approx([L, H], abs=1e-9 * C)
        before = alpha
        alpha, f, b = one_step(i, j, alpha, y, problem.K, f, C, b)
        assert frame["alpha"] == pytest.approx(alpha, abs=1e-9 * C)
        t = alpha[i] - before[i]
        gain = problem.objective(alpha) - problem.objective(before)
        assert step["slope"] * t - 0.5 * step["curvature"] * t * t == pytest.approx(gain, abs=1e-9 * (1 + C))
        assert frame["objective"] == pytest.approx(problem.objective(alpha), rel=1e-9, abs=1e-12)
        assert frame["gap"] == pytest.approx(problem.gap(np.array(frame["alpha"]), frame["b"]), rel=1e-6, abs=1e-9)


def test_the_best_pairs_end_at_the_optimum() -> None:
    X, y = exponential_classes(seed=0)
    for C in (0.01, 1.0, 100.0):
        best = solve(DualProblem(Linear(), X, y, C=C), tol=1e-9)
        seen = frames(X, y, {"name": "linear"}, C, "second order", [[0, 1]] * 1000)
        values = [frame["objective"] for frame in seen]
        assert 5 < len(seen) < 1000
        assert np.all(np.diff(values) > 0)
        assert values[-1] == pytest.approx(best.objective, rel=1e-6)
        for frame in seen[1:]:
            i, j = frame["step"]["i"], frame["step"]["j"]
            assert frame["alpha"][i] == frame["step"]["after"][0] != frame["step"]["before"][0]
            assert frame["alpha"][j] == frame["step"]["after"][1]


def test_the_readers_pairs_are_steps_and_going_back_forgets() -> None:
    """In the mode "I choose" each pair is an exact step; after a step back the next one takes the place of the old."""
    X, y = exponential_classes(seed=0)
    setting = {"points": X.tolist(), "labels": y.tolist(), "kernel": {"name": "linear"}, "C": 1.0,
               "pairs": [[0, 1]] * 400}
    seen = json.loads(node("--input-type=module", "-e", CHOOSING % (LIVE / "walk.js").as_uri(),
                           given=json.dumps(setting)))
    assert (seen["chosen"], seen["step"]) == ([[3, 25], [9, 21]], 2)
    problem, alpha, f, b, W = DualProblem(Linear(), X, y, C=1.0), np.zeros(40), np.zeros(40), 0.0, [0.0]
    for i, j in seen["chosen"]:
        alpha, f, b = one_step(i, j, alpha, y, problem.K, f, 1.0, b)
        W.append(problem.objective(alpha))
    assert seen["W"] == pytest.approx(W, rel=1e-9)
    best = solve(problem, tol=1e-9).objective
    assert seen["ideal"][-1] == pytest.approx(best, rel=1e-6)
    assert np.all(np.diff(seen["ideal"]) > 0)


@pytest.mark.browser
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("width", "theme"), [pytest.param(1280, "light", marks=pytest.mark.thorough), (320, "dark")])
def test_the_reader_chooses_by_mouse_finger_and_keyboard(browser: Any, tmp_path: Path, width: int, theme: str) -> None:
    X, y = np.array([[0.0, 0], [1, 4], [3, 1], [5, 3], [6, 0], [5, 6]]), np.array([-1, -1, -1, 1, 1, 1])
    state = {"kind": "pairs", "alt": "Six points", "points": X.tolist(), "labels": y.tolist(), "C": 1, "step": 0,
             "rule": "I choose", "kernel": {"name": "linear"}, "pairs": [[0, 1]] * 50, "limits": [-1, 7, -1, 7]}
    context = browser.new_context(viewport={"width": width, "height": 900}, has_touch=width == 320)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(live_browser.write_page(tmp_path, live_browser.bundle(), state, theme))
    page.wait_for_selector(".live-root .live-steps")
    words, point = page.locator(".live-pairs-words"), page.locator(".live-main .live-point")
    assert words.inner_text().startswith("Choose a point, then its partner.")
    for k, tells in ((2, "Point 3 waits for its partner"), (3, "Your 1 step: ")):
        at = point.nth(k).locator(".live-hit")
        if width == 320:
            at.tap(force=True)
        else:
            at.click(force=True)
        page.wait_for_function(BEGINS, arg=tells)
    assert "Step 1: points 3 and 4." in words.inner_text()
    assert page.locator(".live-race").get_attribute("aria-label").startswith("W over the steps: ")
    for k in (0, 5):                                              # the next pair by keyboard
        point.nth(k).focus()
        page.keyboard.press("Enter")
    page.wait_for_function(BEGINS, arg="Your 2 steps: ")
    assert "Step 2: points 1 and 6." in words.inner_text()
    point.nth(4).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Space")                                  # the same again: it is let go, and no step is taken
    assert words.inner_text().startswith("Your 2 steps: ")
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function("document.querySelector('.live-pairs-words').textContent.startsWith('Choose a point')")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert errors == []
    context.close()


@pytest.mark.browser
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("width", "theme"), [pytest.param(1280, "light", marks=pytest.mark.thorough), (320, "dark")])
def test_step_by_step_by_mouse_finger_and_keyboard(browser: Any, tmp_path: Path, width: int, theme: str) -> None:
    X, y = exponential_classes(seed=0)
    rng = np.random.default_rng(0)
    pairs = [rng.choice(40, 2, replace=False).tolist() for _ in range(200)]
    state = {"kind": "pairs", "alt": "A run with random pairs", "points": X.tolist(), "labels": y.tolist(), "C": 1,
             "kernel": {"name": "linear"}, "pairs": pairs, "step": 34, "limits": [-1, 7, -1, 10]}
    context = browser.new_context(viewport={"width": width, "height": 900}, has_touch=width == 320)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(live_browser.write_page(tmp_path, live_browser.bundle(), state, theme))
    page.wait_for_selector(".live-root .live-steps")
    words, steps = page.locator(".live-pairs-words"), page.get_by_label("steps taken")
    assert words.inner_text().startswith("Step 34: points 33 and 17. α of point 33 from 0 to 0.249: to the top")
    forward = page.get_by_role("button", name="Forward")
    if width == 320:
        forward.tap()
    else:
        forward.click()
    assert words.inner_text().startswith("Step 35: ")
    page.get_by_role("button", name="Back").click()
    assert words.inner_text().startswith("Step 34: ")
    steps.focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    assert words.inner_text().startswith("Step 33: ")
    assert steps.get_attribute("aria-valuetext") == "33 of 200"
    page.keyboard.press("ArrowRight")
    text = page.locator("[aria-label='The pair'] .live-text")
    assert "nowhere on the segment does it gain more" in text.inner_text()
    grip = page.locator(".live-views .live-grip")
    grip.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert "The step gains" in text.inner_text()                  # pulled away from the top, by keyboard
    box = grip.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 300, box["y"] + 300, steps=4)
    page.mouse.up()
    assert text.inner_text().startswith("α of point 33 = 0, α of point 17 = 0: a gain of 0.")   # no further than L
    point = page.locator(".live-main .live-point").nth(32)
    before = words.inner_text()
    point.focus()
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    page.wait_for_function("(before) => document.querySelector('.live-pairs-words').textContent !== before", arg=before)
    page.get_by_label("pairs", exact=True).select_option("second order")
    page.wait_for_function("document.querySelector('[aria-label=\"steps taken\"]').max < 100")
    steps.focus()
    page.keyboard.press("End")
    gap = page.evaluate("window.svmlibLive.figure(document.querySelector('.live-panel')).machine.solution.gap")
    assert 0 <= gap < 1e-4
    page.get_by_role("button", name="Reset").click()
    for place in ("pairs-words", "said"):
        page.wait_for_function(f"document.querySelector('.live-{place}').textContent.includes('Step 34: points 33')")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert errors == []
    context.close()
