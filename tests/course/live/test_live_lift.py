"""The bowl of the page, in node: the circle below a cut, the machine's plane against svmlib, what a plane is worth."""
import json
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from test_live_solver import LIVE, node

from svmlib import SVC
from svmlib.data import disc_and_annulus
from svmlib.kernels import Linear
from svmlib.kernels.feature_maps import paraboloid

PROGRAM = """
import { above, circleOf, costOf, machineOnBowl, planeOf } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { points, labels, C, planes } = JSON.parse(text);
const best = machineOnBowl(points, labels, C);
console.log(JSON.stringify({ best, atBest: costOf(best.plane, points, labels, C).cost, planes: planes.map((plane) => ({
  ...circleOf(plane), back: planeOf(circleOf(plane).centre, circleOf(plane).square),
  above: points.map((t) => above(plane, t)), cost: costOf(plane, points, labels, C).cost })) }));
"""


@pytest.fixture(scope="module", params=[(0, 10.0), (1, 1.0), (2, 100.0)])
def bowl(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray, float, list[dict[str, float]], Any]:
    """Points, C, planes, and what node says of them."""
    seed, C = request.param
    X, y = disc_and_annulus(seed)
    rng = np.random.default_rng(seed)
    planes = [{"h": float(rng.uniform(-0.5, 4)), "p": float(rng.normal()), "q": float(rng.normal())} for _ in range(40)]
    planes.append({"h": -5.0, "p": 0.0, "q": 0.0})
    given = {"points": X.tolist(), "labels": y.tolist(), "C": C, "planes": planes}
    found = node("--input-type=module", "-e", PROGRAM % (LIVE / "lift.js").as_uri(), given=json.dumps(given))
    return X, y, C, planes, json.loads(found)


def test_the_circle_of_a_cut(bowl: Any) -> None:
    X, _, _, planes, found = bowl
    angle = np.linspace(0, 2 * np.pi, 50)
    for plane, one in zip(planes, found["planes"], strict=True):
        assert one["back"] == pytest.approx(plane, abs=1e-12)
        side = ((X - one["centre"]) ** 2).sum(axis=1) - one["square"]
        assert np.allclose(side, one["above"], atol=1e-12)     # outside the circle is above the plane
        if one["square"] > 0:
            rim = one["centre"] + np.sqrt(one["square"]) * np.c_[np.cos(angle), np.sin(angle)]
            assert np.allclose((rim**2).sum(axis=1), plane["h"] + rim @ [plane["p"], plane["q"]], atol=1e-12)
    assert found["planes"][-1]["square"] < 0


def test_the_machine_is_that_of_svmlib(bowl: Any) -> None:
    X, y, C, _, found = bowl
    clf = SVC(Linear(), C=C, tol=1e-10).fit(paraboloid(X), y)
    best = found["best"]
    assert best["objective"] == pytest.approx(clf.solutions_[0].objective, rel=1e-6)
    assert best["w"] == pytest.approx(clf.coef_[0], abs=1e-4)
    (w1, w2, w3), b = clf.coef_[0], clf.intercept_[0]
    assert [best["plane"][k] for k in "hpq"] == pytest.approx([-b / w3, -w1 / w3, -w2 / w3], abs=1e-5)


def test_a_plane_costs_what_its_best_scale_costs_and_never_less_than_the_machine(bowl: Any) -> None:
    _, y, C, planes, found = bowl
    for plane, one in zip(planes, found["planes"], strict=True):
        f = np.array(one["above"])
        length = 1 + plane["p"] ** 2 + plane["q"] ** 2

        def cost(s: float, f: np.ndarray = f, length: float = length) -> float:
            return s * s * length / 2 + C * np.maximum(0, 1 - s * y * f).sum()

        least = min(minimize_scalar(cost, bounds=(0, 60), method="bounded", options={"xatol": 1e-12}).fun, cost(0))
        assert one["cost"] == pytest.approx(least, rel=1e-7)
        assert one["cost"] >= found["best"]["objective"]
    assert found["atBest"] == pytest.approx(found["best"]["objective"], rel=1e-9)
