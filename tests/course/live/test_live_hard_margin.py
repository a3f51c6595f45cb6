"""Bridges, bands and forces of the live figures against svmlib: its machine, and its quadratic programs."""
import json
from typing import Any

import numpy as np
import pytest
from test_live_solver import LIVE, node

from svmcourse.intuition.figures import _band
from svmlib import SVC, DualProblem, NotSeparableError, solve
from svmlib.data import separable_blobs
from svmlib.data.planar import draw_xs_linear
from svmlib.kernels import Linear
from svmlib.solvers.interior_point import solve_qp

PROGRAM = """
import { forcesOn, Separator } from "%s";
import { bandAt } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map(({ points, labels }) => {
  const machine = new Separator({ points, labels, kernel: { name: "linear" }, C: 1 });
  const bands = [0, 30, 75, 208].map((angle) => bandAt(points, labels, angle));
  if (!machine.separable) return { problem: machine.problem, bands };
  const { bridge, w, b } = machine;
  return { bridge, alpha: [...machine.alpha], w, b, forces: forcesOn(machine), bands };
})));
"""


def draw(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The chapters' two kinds of points; every fourth sample has one of them moved into the other class."""
    X, y = separable_blobs(seed) if seed % 2 else draw_xs_linear(seed)
    if seed % 4 == 3:
        X[0] = X[y != y[0]].mean(axis=0)
    return X, y


@pytest.fixture(scope="module")
def samples() -> list[tuple[np.ndarray, np.ndarray]]:
    """The points."""
    return [draw(seed) for seed in range(80)]


@pytest.fixture(scope="module")
def found(samples: list[tuple[np.ndarray, np.ndarray]]) -> list[dict[str, Any]]:
    """What the page makes of them."""
    program = PROGRAM % ((LIVE / "separator.js").as_uri(), (LIVE / "turn.js").as_uri())
    given = json.dumps([{"points": X.tolist(), "labels": y.tolist()} for X, y in samples])
    return json.loads(node("--input-type=module", "-e", program, given=given))


def closest(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The closest points of the two hulls, by the chapter's quadratic program."""
    S, n = y[:, None] * X, len(y)
    A = np.array([y > 0, y < 0], float)
    a = solve_qp(S @ S.T, np.zeros(n), -np.eye(n), np.zeros(n), A, [1.0, 1.0], tol=1e-10).x
    return a[y > 0] @ X[y > 0], a[y < 0] @ X[y < 0]


def test_the_bridge_is_two_over_the_norm_of_w(samples: list[Any], found: list[dict[str, Any]]) -> None:
    separable = 0
    for (X, y), page in zip(samples, found, strict=True):
        machine = SVC(Linear(), C=np.inf, tol=1e-8)
        if "problem" in page:
            with pytest.raises(NotSeparableError):
                machine.fit(X, y)
            continue
        separable += 1
        machine.fit(X, y)
        assert page["bridge"]["length"] == pytest.approx(2 * machine.margin_, rel=1e-6)
        assert page["bridge"]["length"] == pytest.approx(2 / np.linalg.norm(machine.coef_[0]), rel=1e-6)
        np.testing.assert_allclose([*page["w"], page["b"]], [*machine.coef_[0], machine.intercept_[0]], rtol=1e-4,
                                   atol=1e-4)
        p, q = closest(X, y)
        np.testing.assert_allclose([page["bridge"]["p"], page["bridge"]["q"]], [p, q], atol=1e-4)
    assert 40 <= separable < len(samples)


def test_the_forces_are_the_multipliers_of_svmlib(samples: list[Any], found: list[dict[str, Any]]) -> None:
    for (X, y), page in zip(samples, found, strict=True):
        if "problem" in page:
            continue
        dual = DualProblem(Linear(), X, y, C=np.inf)
        alpha = solve(dual, tol=1e-10).alpha
        np.testing.assert_allclose(page["alpha"], alpha, atol=1e-5 * alpha.max())
        assert dual.gap(np.array(page["alpha"])) < 1e-6 * dual.objective(alpha)
        w = (alpha * y) @ X
        t = X @ [w[1], -w[0]] / np.linalg.norm(w)
        torque = (alpha * y) * (t - (alpha * t)[y > 0].sum() / alpha[y > 0].sum())
        for force in page["forces"]:
            assert force["torque"] == pytest.approx(torque[force["i"]], abs=1e-4 * alpha.max())
        assert sum(force["torque"] for force in page["forces"]) == pytest.approx(0, abs=1e-6 * alpha.max())


def test_turned_bands_are_the_chapters(samples: list[Any], found: list[dict[str, Any]]) -> None:
    for (X, y), page in zip(samples, found, strict=True):
        for degrees, band in zip((0, 30, 75, 208), page["bands"], strict=True):
            w, b, width = _band(X, y, degrees)
            assert [*band["u"], band["b"], band["width"]] == pytest.approx([*w, b, width], abs=1e-12)
            assert band["wrong"] == np.sum(y * (X @ w + b) <= 0)


def test_its_own_tests() -> None:
    assert "# fail 0" in node("--test", "--test-reporter=tap", "hard_margin.test.mjs")
