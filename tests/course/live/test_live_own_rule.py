"""A rule of the reader's own for the pairs of SMO: what it is told, how it fails, and that the figure replays it."""
import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_browser import ROOT, write_page
from test_live_pairs import BEGINS, frames
from test_live_solver import LIVE, node

from svmcourse import live
from svmcourse.live import own_rule
from svmcourse.live.own_rule import TOL, run, two_clouds
from svmlib import DualProblem, solve
from svmlib.data import disc_and_annulus
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers.smo import select_pair

X, Y, DRAWN = two_clouds()
STALE = """
globalThis.requestAnimationFrame = (draw) => { draw(); return 0; };
globalThis.cancelAnimationFrame = () => {};
import { Walker } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const walker = new Walker(JSON.parse(text));
const seen = [[walker.stale, walker.byMine.length, walker.step]];
walker.change({ C: 2 });
seen.push([walker.stale, walker.byMine.length, walker.step]);
walker.step = 5;
walker.change({ C: 1 });
seen.push([walker.stale, walker.byMine.length, walker.step]);
console.log(JSON.stringify(seen));
"""


def first_order(K: np.ndarray, F: np.ndarray, up: np.ndarray, low: np.ndarray) -> tuple[Any, Any]:
    """The two that quarrel most."""
    return np.where(up, F, np.inf).argmin(), np.where(low, F, -np.inf).argmax()


def destructive(K: np.ndarray, F: np.ndarray, up: np.ndarray, low: np.ndarray) -> tuple[Any, Any]:
    """As first_order, and leaves its arguments in a mess."""
    pair = first_order(K, F, up, low)
    F[:], up[:], low[:] = 0, False, False
    return pair


def endless(*_: Any) -> None:
    while True: pass  # noqa: E701


def fails(after: int) -> Callable:
    """first_order, which divides by zero at a later step."""
    steps = iter(range(after, -1, -1))
    return lambda *seen: (1 // next(steps) and None) or first_order(*seen)


@pytest.mark.parametrize(("kernel", "C", "data"), [(Linear(), 1.0, (X, Y)), (Linear(), 0.05, (X, Y)),
                                                   (Gaussian(sigma=1.0), 10.0, disc_and_annulus(seed=0, n=30))])
def test_a_rule_walks_to_the_optimum_and_the_page_replays_it(kernel: Any, C: float, data: Any) -> None:
    problem = DualProblem(kernel, *data, C=C)
    race = run(problem, first_order)
    assert not race.wrong
    assert race.words == f"first_order: {len(race.pairs)} steps, and no two points quarrel any more."
    assert race.gaps[0] == pytest.approx(C * problem.n)
    assert race.gaps[-1] <= TOL * C * problem.n
    replayed = frames(*data, live.settings.settings_of(kernel), C, "my rule", [list(pair) for pair in race.pairs])
    assert [frame["gap"] for frame in replayed] == pytest.approx(race.gaps, rel=1e-6, abs=1e-8 * C * problem.n)
    best = solve(problem, tol=1e-9).objective
    assert replayed[-1]["objective"] == pytest.approx(best, rel=1e-6)


def test_the_rule_of_the_chapter_is_a_rule() -> None:
    assert len(run(DualProblem(Linear(), X, Y, C=1.0), select_pair).pairs) == 16


def test_a_rule_cannot_spoil_the_run() -> None:
    problem = DualProblem(Linear(), X, Y, C=1.0)
    assert run(problem, destructive).pairs == run(problem, first_order).pairs
    words = run(problem, lambda K, F, up, low: K.fill(0)).words
    assert words.endswith("ValueError: assignment destination is read-only")
    assert problem.K.flags.writeable


@pytest.mark.parametrize(("rule", "steps", "words"), [
    (lambda *seen: None, 0, "Step 1: the rule returned None, which does not begin with two integers, i and j."),
    (lambda *seen: (1,), 0, "Step 1: the rule returned (1,), which does not begin with two integers"),
    (lambda *seen: (0.0, 1.0), 0, "Step 1: the rule returned (0.0, 1.0), which does not begin with two integers"),
    (lambda *seen: np.zeros((2, 2)), 0, "Step 1: the rule returned array"),
    (lambda *seen: (3, 3), 0, "Step 1: the rule chose point 3 twice."),
    (lambda *seen: (0, 24), 0, "Step 1: the rule chose i = 0 and j = 24; there are points 0 to 23."),
    (lambda *seen: (-1, 3), 0, "Step 1: the rule chose i = -1 and j = 3; there are points 0 to 23."),
    (lambda K, F: (0, 1), 0, "Step 1: the rule stopped with TypeError: "),
    (lambda *seen: (0, 12), 1, "Step 2: the rule chooses i = 0 and j = 12, again and again, and the two cannot move."),
    (lambda *seen: (0, 1), 0, "Step 1: the rule chooses i = 0 and j = 1, again and again, and the two cannot move."),
    (fails(after=4), 4, "Step 5: the rule stopped with ZeroDivisionError: "),
])
def test_what_goes_wrong_is_said_and_the_steps_before_are_kept(rule: Callable, steps: int, words: str) -> None:
    race = run(DualProblem(Linear(), X, Y, C=1.0), rule)
    assert race.words.startswith(words)
    assert (race.wrong, len(race.pairs), len(race.gaps)) == (True, steps, steps + 1)


def test_a_rule_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_rule, "SECONDS", 0.2)
    race = run(DualProblem(Linear(), X, Y, C=1.0), endless)
    assert race.words == "Step 1: endless was still running after 0.2 seconds, and was stopped."
    assert (race.wrong, race.pairs, len(race.gaps)) == (True, [], 1)


def test_a_rule_that_never_arrives_is_stopped() -> None:
    """Random pairs, which often choose two that cannot move, are no mistake; they need more steps than they get."""
    rng = np.random.default_rng(0)
    race = run(DualProblem(Linear(), X, Y, C=1.0), lambda *seen: rng.choice(24, 2, replace=False), steps=300)
    assert race.words.startswith("the rule has not arrived after 300 steps: a gap of ")
    assert (race.wrong, len(race.pairs)) == (True, 300)
    sixteen = run(DualProblem(Linear(), X, Y, C=1.0), select_pair, steps=16)
    assert not sixteen.wrong                                       # the last step that is allowed arrives


@pytest.mark.parametrize(("given", "argument"), [
    ({"select": 3}, "select"), ({"select": first_order, "steps": 0}, "steps"), ({"select": first_order, "X": X}, "y"),
    ({"select": first_order, "C": np.inf}, "C"), ({"select": first_order, "C": [1.0, 2.0]}, "C"),
    ({"select": first_order, "X": [[0.0], [1.0]], "y": [-1, 1]}, "X"), ({"select": first_order, "kernel": 3}, "kernel"),
    ({"select": first_order, "X": X, "y": Y * 2}, "y"),
])
def test_other_arguments_are_refused_by_name(given: dict[str, Any], argument: str) -> None:
    with pytest.raises(ValueError, match=rf"^{argument} "):
        live.pairs(**given)


def test_the_points_are_those_of_the_chapter() -> None:
    cells = json.loads((ROOT / "notebooks/10_smo.ipynb").read_text(encoding="utf8"))["cells"]
    source = "".join(next(cell["source"] for cell in cells if cell["id"] == "explore-steps"))
    wanted = {"y", "X", "pairs"}
    lines = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)
             and wanted & {name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)}]
    scope: dict[str, Any] = {"np": np}
    exec(compile(ast.Module(lines, []), "chapter", "exec"), scope)
    assert np.array_equal(scope["X"], X)
    assert np.array_equal(scope["y"], Y)
    assert scope["pairs"] == DRAWN


def state_of_a_rule(monkeypatch: pytest.MonkeyPatch, rule: Callable) -> dict[str, Any]:
    """What the page gets."""
    monkeypatch.setenv("SVMLIB_STATIC", "1")
    return live.pairs(select=rule).state


def test_pairs_for_other_points_are_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of_a_rule(monkeypatch, first_order)
    steps = len(state["mine"]["pairs"])
    seen = json.loads(node("--input-type=module", "-e", STALE % (LIVE / "walk.js").as_uri(), given=json.dumps(state)))
    assert seen == [[False, steps + 1, steps], [True, 1, 0], [False, steps + 1, 5]]


@pytest.mark.browser
def test_the_race_on_a_page(browser: Any, script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rules side by side, a rule that has failed beside two that have not, and what dragging C says."""
    state = state_of_a_rule(monkeypatch, fails(after=4))
    page = browser.new_page(viewport={"width": 390, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(write_page(tmp_path, script, state))
    page.wait_for_selector(".live-root .live-race-table")
    assert page.locator(".live-race-wrong").inner_text() == state["mine"]["words"]
    rows = page.locator(".live-race-table tbody tr").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == ["random", "second order", "my rule"]
    problem = DualProblem(Linear(), X, Y, C=1.0)
    own, best = run(problem, fails(after=4)), run(problem, select_pair)
    least = 1e-3 * solve(problem, tol=1e-9).objective
    assert [row.split("\t")[2] for row in rows[1:]] == [str(np.flatnonzero(np.array(best.gaps) <= least)[0]), "–"]
    assert own.gaps[4] <= float(rows[2].split("\t")[1]) <= 1.1 * own.gaps[4]        # a bound, rounded up
    page.get_by_label("pairs", exact=True).select_option("second order")
    page.wait_for_function("document.querySelector('[aria-label=\"steps taken\"]').max === '16'")
    page.get_by_label("pairs", exact=True).select_option("my rule")
    page.get_by_label("C", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(BEGINS, arg="My rule chose for other points")
    assert page.locator(".live-race-table tbody tr").nth(2).inner_text().split("\t")[1:] == ["–", "–"]
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function(BEGINS, arg="Step 4: ")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert errors == []
    page.close()
