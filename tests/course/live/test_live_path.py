"""The paths alpha(C) of the page, in node, against svmlib at many C."""
import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from planar_problems import decision, dual_of
from test_live_solver import LIVE, node

from svmlib import solve
from svmlib.data import exponential_classes, xs_linear

PROGRAM = """
import { alphaAt, alphaPath } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map(({ problem, most, finest, at }) => {
  const nodes = alphaPath(problem, most, finest);
  return { nodes: nodes.map((each) => ({ ...each, alpha: [...each.alpha] })),
    at: at.map((C) => [...alphaAt(nodes, C)]) };
})));
"""
LINEAR, GAUSSIAN = {"name": "linear"}, {"name": "gaussian", "sigma": 0.8}


def cases() -> list[dict[str, Any]]:
    """The chapter's points and others, with C in which nobody looked before."""
    sets = [(*xs_linear(outlier=True), LINEAR, 40.0), (*xs_linear(outlier=True), LINEAR, 1200.0),
            (*exponential_classes(seed=28), LINEAR, 10.0), (*exponential_classes(seed=3), GAUSSIAN, 30.0)]
    rng = np.random.default_rng(4)
    return [{"problem": {"points": X.tolist(), "labels": y.tolist(), "kernel": kernel,
                         "fresh": rng.uniform(X.min(axis=0), X.max(axis=0), (50, 2)).tolist()},
             "most": most, "finest": most / 420, "at": np.sort(rng.uniform(0.003 * most, most, 25)).tolist()}
            for X, y, kernel, most in sets]


@pytest.fixture(scope="module")
def paths() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Cases with what node makes of them."""
    given = cases()
    found = json.loads(node("--input-type=module", "-e", PROGRAM % (LIVE / "path.js").as_uri(),
                            given=json.dumps(given)))
    return list(zip(given, found, strict=True))


@pytest.mark.parametrize("k", range(4))
def test_on_a_path_every_machine_is_the_best(k: int, paths: list[Any]) -> None:
    case, path = paths[k]
    starts = np.array([each["C"] for each in path["nodes"]])
    straight = 0
    for C, alpha in zip(case["at"], np.array(path["at"]), strict=True):
        left = path["nodes"][np.searchsorted(starts, C) - 1]
        right = path["nodes"][np.searchsorted(starts, C)]
        dual = dual_of(case["problem"] | {"C": C})
        best = solve(dual, tol=1e-10)
        assert alpha.min() >= 0
        assert alpha.max() <= C * (1 + 1e-12)
        assert abs(dual.y @ alpha) < 1e-9 * alpha.sum()
        if left["kinds"] != right["kinds"]:      # a bend between two nodes: near, but not on it
            assert dual.objective(alpha) == pytest.approx(best.objective, rel=1e-3)
            continue
        straight += 1
        assert dual.objective(alpha) == pytest.approx(best.objective, rel=1e-6)
        assert np.abs(decision(case["problem"] | {"C": C}, alpha, best.b)
                      - decision(case["problem"] | {"C": C}, best.alpha, best.b)).max() < 1e-4
    assert straight > 18


@pytest.mark.parametrize("k", range(4))
def test_nodes_stand_close_where_a_path_bends_and_nowhere_else(k: int, paths: list[Any]) -> None:
    case, path = paths[k]
    nodes = path["nodes"]
    assert nodes[0]["C"] == 0
    assert nodes[-1]["C"] == case["most"]
    for left, right in pairwise(nodes[1:]):
        assert left["kinds"] == right["kinds"] or right["C"] - left["C"] <= case["finest"]
    assert len({each["kinds"] for each in nodes}) > 5
    assert len(nodes) < 160
