"""What the Predict boxes of this chapter ask, computed."""
import json
import re
from pathlib import Path

import numpy as np

from svmlib import DualProblem
from svmlib.data import xs_linear
from svmlib.kernels import Linear
from svmlib.solvers.active_set_general import minimize_qp

CHAPTER = Path(__file__).resolve().parents[3] / "notebooks/11_active_set.ipynb"


def answers() -> list[float | str]:
    return [turns_to_the_nearest_point(), step_that_raises_most(), sets_at_all_prices()]


def stored(cell_id: str) -> str:
    """What a cell of the chapter prints, which nbval guards."""
    cells = json.loads(CHAPTER.read_text(encoding="utf8"))["cells"]
    [cell] = [cell for cell in cells if cell["id"] == cell_id]
    return "".join("".join(output.get("text", "") or output["data"]["text/plain"]) for output in cell["outputs"])


def turns_to_the_nearest_point() -> float:
    """How many turns the method takes from the room's corner."""
    D, delta = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]]), [-2.0, -6, -2, 0, 0]
    return float(minimize_qp(2 * np.eye(2), [2.0, 5.0], None, None, D, delta, [2.0, 0.0]).n_iter)


def step_that_raises_most() -> str:
    """In the run from the balanced start."""
    problem = DualProblem(Linear(), *xs_linear(), C=np.inf)
    start = np.full(40, 1 / 20)
    path = minimize_qp(problem.Q, np.ones(40), problem.y, [0.0], np.eye(40), np.zeros(40), start, 1e-5).path
    best = int(np.argmax(np.diff([problem.objective(alpha) for alpha, _ in path]))) + 1
    late = best > len(path) - 11
    return "one of the last ten" if late else "one of the first ten" if best <= 10 else "one in the middle"


def sets_at_all_prices() -> float:
    """From what the cell below the box prints."""
    [count] = re.findall(r"(\d+) working sets", stored("kinks"))
    return float(count)
