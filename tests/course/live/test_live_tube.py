"""The regression of the page, in node, against svmlib.SVR."""
import json
from typing import Any

import numpy as np
import pytest
from test_live_solver import LIVE, node

from svmcourse.live.settings import kernel_of
from svmlib import SVR, solve
from svmlib.dual import BoxProblem

PROGRAM = """
import { regress } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map((problem) => {
  const cold = regress(problem);
  const y = problem.y.map((v, i) => (i === 3 ? v + 2 : v)); // a drag there and back, from where it stands
  const away = regress({ ...problem, y, beta0: cold.beta });
  const back = regress({ ...problem, beta0: away.beta });
  return [cold, back].map((solution) => ({ ...solution, beta: [...solution.beta] }));
})));
"""


def drawn(seed: int) -> dict[str, Any]:
    """Two waves with noise, as in the chapter, under other settings."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 81))
    x = np.sort(rng.uniform(-3, 3, n))
    kernel = [{"name": "gaussian", "sigma": float(10 ** rng.uniform(-0.7, 0.5))}, {"name": "linear"},
              {"name": "polynomial", "Q": 3}][seed % 3]
    C = float(10 ** rng.uniform(-2, 2 if seed % 3 < 1 else 0))
    return {"x": x.tolist(), "y": (np.sin(2 * x) + 0.2 * rng.normal(size=n)).tolist(), "kernel": kernel, "C": C,
            "epsilon": float(rng.choice([0.0, 0.1, 0.2, 0.4, 0.8, 1.6]))}


@pytest.fixture(scope="module")
def solved() -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Problems, and what the page makes of them from nothing and after a drag."""
    given = [drawn(seed) for seed in range(60)]
    found = node("--input-type=module", "-e", PROGRAM % (LIVE / "regression.js").as_uri(), given=json.dumps(given))
    return list(zip(given, json.loads(found), strict=True))


def test_against_svmlib(solved: Any) -> None:
    fresh = np.linspace(-3, 3, 50)[:, None]
    for problem, found in solved:
        X, y, C, epsilon = np.array(problem["x"])[:, None], np.array(problem["y"]), problem["C"], problem["epsilon"]
        kernel = kernel_of(problem["kernel"])
        sign = np.repeat([1, -1], len(y))
        best = solve(BoxProblem(kernel, np.r_[X, X], sign, C=C, p=np.r_[y, y] - epsilon * sign), tol=1e-9)
        machine = SVR(kernel, C=C, epsilon=epsilon, tol=1e-9).fit(X, y)
        for one in found:
            beta = np.array(one["beta"])
            assert one["status"] == "optimal"
            assert np.abs(beta).max() <= C * (1 + 1e-12)
            assert abs(beta.sum()) <= 1e-9 * max(1, np.abs(beta).sum())
            assert one["objective"] == pytest.approx(best.objective, rel=1e-6, abs=1e-9)
            f = kernel(fresh, X) @ beta + one["b"]
            assert np.abs(f - machine.predict(fresh)).max() < 1e-4
            residual = np.maximum(0, np.abs(y - kernel(X) @ beta - one["b"]) - epsilon)
            primal = beta @ kernel(X) @ beta / 2 + C * residual.sum()
            assert one["gap"] == pytest.approx(primal - one["objective"], abs=1e-8 * max(1, primal))
            assert one["gap"] <= 1e-6 * max(1, best.objective)


@pytest.mark.parametrize(("change", "named"), [({"C": 0}, "C must be"), ({"epsilon": -1}, "epsilon must be"),
                                               ({"y": [1, 2]}, "y must hold"), ({"x": [0, None, 1]}, "finite")])
def test_bad_input_is_refused(change: dict[str, Any], named: str) -> None:
    problem = {"x": [0, 1, 2], "y": [0, 1, 0], "kernel": {"name": "linear"}, "C": 1, "epsilon": 0.1, **change}
    program = (f'import {{ regress }} from "{(LIVE / "regression.js").as_uri()}";'
               f"try {{ regress({json.dumps(problem)}); }} catch (error) {{ console.log(error.name, error.message); }}")
    said = node("--input-type=module", "-e", program)
    assert said.startswith("RangeError")
    assert named in said


WIDENED = """
import { regress } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map((problem) => {
  let found = regress(problem); // and a slider, to its end
  for (const epsilon of [0.3, 0.8, 3]) found = regress({ ...problem, epsilon, beta0: found.beta });
  return { ...found, beta: [...found.beta] };
})));
"""


def test_where_all_points_lie_in_the_tube_nothing_pulls() -> None:
    problems = [{**drawn(seed), "epsilon": 0.1, "kernel": {"name": "gaussian", "sigma": 0.7}} for seed in range(60)]
    found = node("--input-type=module", "-e", WIDENED % (LIVE / "regression.js").as_uri(), given=json.dumps(problems))
    for one in json.loads(found):
        assert one["objective"] == one["gap"] == 0
        assert not any(one["beta"])
