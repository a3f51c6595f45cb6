"""A hunt: twelve solvers of chapters 9 to 11, each with one line changed, which the certificate exposes.

No broken solver stands here: `bugs.toml` says what is changed, and the source of the printed functions is changed and
executed when a hunt asks for it.
"""
import functools
import inspect
import tomllib
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np

from svmcourse.live.own_rule import TooLong, deadline
from svmlib.dual import DualProblem
from svmlib.dual.certificate import Certificate
from svmlib.kernels import Gaussian, Kernel
from svmlib.solvers import plain_active_set, quadratic_program, smo, smo_lab_sheet

MOST = 200              # points
STEPS = {"smo": 10_000, "qp": 1, "active set": 2_000}       # after which a solver counts as one that does not end, and
SECONDS = 10.0          # after how long
SHARE = 0.01            # of the best W: the gap that exposes a bug; of the largest alpha: how far alpha may be outside
TOL = 1e-6
#: The functions that each solver consists of; a change is made in their source.
PARTS: dict[str, list[Callable]] = {
    "smo": [smo_lab_sheet.segment, smo_lab_sheet.best_value, smo_lab_sheet.snap, smo_lab_sheet.one_step,
            smo.select_pair, smo.plain_smo],
    "qp": [quadratic_program.dual_qp],
    "active set": [plain_active_set.free_system, plain_active_set.slide, plain_active_set.let_go,
                   plain_active_set.worst, plain_active_set.free_turns]}
_tries: Counter[int] = Counter()


class Bug(NamedTuple):
    """A broken solver: what stands in the right one and in its place; what it was, and hints, the later the plainer."""

    solver: str
    old: str
    new: str
    words: str
    hints: list[str]


class Verdict(NamedTuple):
    """What the certificate says of alpha and b: W, the gap, the worst violation of a point, what is wrong."""

    objective: float
    gap: float
    violation: float
    wrong: str


class Hunt:
    """Whether data expose a bug, the numbers that say so, and the sentences that a notebook shows."""

    def __init__(self, exposed: bool, verdict: Verdict, words: str) -> None:
        self.exposed, self.gap, self.violation, self.words = exposed, verdict.gap, verdict.violation, words

    def __repr__(self) -> str:
        return "\n".join(line if line.startswith(" ") else fill(line, 76) for line in self.words.splitlines())


@functools.cache
def bugs() -> list[Bug]:
    """The twelve, in their order."""
    text = (Path(__file__).parent / "bugs.toml").read_text(encoding="utf8")
    return [Bug(**entry) for entry in tomllib.loads(text)["bug"]]


def naive() -> tuple[np.ndarray, np.ndarray]:
    """Points on which all of them look right: two classes far apart, and room for each point."""
    grid = np.array([[x, y] for x in (0.0, 4.0, 8.0) for y in (0.0, 4.0)])
    X = np.vstack([grid, grid + np.array([16.0, 0.0])])
    return X + np.random.default_rng(0).uniform(-0.2, 0.2, X.shape), np.repeat([-1.0, 1.0], 6)


def hunt(k: int, X: Any, y: Any, C: float = 10.0, kernel: Kernel | None = None) -> Hunt:
    """Run the broken solver k (1 to 12) on points, and let the certificate judge what it returns.

    X (n, d), y (n,) in {-1, +1}: at most 200 points.  C > 0, finite.  kernel: Gaussian(sigma=1) where None.  Shown in a
    notebook, the result says whether the data expose the bug: which line it was; or else a hint, plainer at each try.
    Raises ValueError, naming the argument.

    >>> hunt(8, *naive()).exposed, hunt(8, [[0.0], [1.0], [2.0]], [1, -1, 1], C=0.5).exposed
    (False, True)
    """
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not 1 <= k <= len(bugs()):
        raise ValueError(f"k must be an integer from 1 to {len(bugs())}, the number of a bug, got {k!r}")
    if kernel is not None and not isinstance(kernel, Kernel):
        raise ValueError(f"kernel must be one of svmlib.kernels, got {kernel!r}")
    if not np.isscalar(C) or not np.isfinite(C):
        raise ValueError(f"C must be one finite number, got {C!r}")
    problem, bug = DualProblem(Gaussian(sigma=1.0) if kernel is None else kernel, X, y, C), bugs()[k - 1]
    if problem.n > MOST:
        raise ValueError(f"X must have at most {MOST} points, got {problem.n}")
    right = judged(problem, bug.solver, solver_of(bug.solver))
    if right.wrong:
        return Hunt(False, right, f"Bug {k} cannot be judged by these data. Of the solver without it, too, "
                    f"{right.wrong}. Choose data that are less extreme.")
    broken = judged(problem, bug.solver, solver_of(bug.solver, bug.old, bug.new), right.objective)
    if broken.wrong:
        return Hunt(True, broken, f"Bug {k} is exposed: {broken.wrong}. Without the bug the gap is "
                    f"{share(right.gap / right.objective)} of W.\n{bug.words}\n"
                    f"  right:   {shown(bug.old)}\n  bug {k}:{' ' * (k < 10)}  {shown(bug.new)}")
    _tries[k] += not np.array_equal(problem.X, naive()[0])       # with these everybody begins
    hint = bug.hints[min(max(_tries[k], 1), len(bug.hints)) - 1]
    return Hunt(False, broken, f"Bug {k} is not exposed, here it is right: α is feasible, and the gap is "
                f"{share(broken.gap / right.objective)} of W.\nHint: {hint}")


def share(part: float) -> str:
    """A share in percent."""
    return f"{100 * part:.2f} %"


def shown(line: str) -> str:
    """A change on one line."""
    return line.partition("\n")[0]


# ---- the judge -------------------------------------------------------------------------------------------------------
def judged(problem: DualProblem, kind: str, solve: Callable, best: float | None = None) -> Verdict:
    """The verdict on what a solver returns; best: the largest W there is, where that is known."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), deadline(SECONDS):
            warnings.simplefilter("ignore")
            alpha, b, ended = solve(problem)
    except TooLong:
        return Verdict(0.0, np.inf, np.inf, f"it was still running after {SECONDS:g} seconds")
    except Exception as error:
        return Verdict(0.0, np.inf, np.inf, f"it stopped with {type(error).__name__}, {error!s:.80}")
    if not np.isfinite([*alpha, b]).all():
        return Verdict(0.0, np.inf, np.inf, "it returns numbers that are not finite")
    proof = problem.certificate(np.clip(alpha, 0.0, problem.C), b=b)
    wrong = infeasible(problem, alpha) or loose(proof, proof.objective if best is None else best)
    if not ended:
        wrong = f"it has not ended after {STEPS[kind]:,} steps" + f"; by then {wrong}" * bool(wrong)
    return Verdict(proof.objective, proof.gap, proof.worst, wrong)


def infeasible(problem: DualProblem, alpha: np.ndarray) -> str:
    """How alpha leaves its box or its plane, by more than it may; else nothing."""
    outside = max(-alpha.min(), (alpha - problem.C).max(), abs(problem.y @ alpha))
    if outside <= SHARE * float(np.abs(alpha).max()):
        return ""
    return (f"α is not feasible. Its values go from {alpha.min():.3g} to {alpha.max():.3g} where C = "
            f"{problem.C.max():g}, and Σ α y = {problem.y @ alpha:.3g}")


def loose(proof: Certificate, best: float) -> str:
    """What the certificate says where its gap is more than it may be; else nothing."""
    if proof.gap <= SHARE * best:
        return ""
    return (f"the gap is {proof.gap:.3g}, where the best W is {best:.3g}. The worst violation is {proof.worst:.2g}, at "
            f"point {int(proof.violation.argmax())}")


# ---- the solvers -----------------------------------------------------------------------------------------------------
@functools.cache
def solver_of(kind: str, old: str = "", new: str = "") -> Callable[[DualProblem], tuple[np.ndarray, float, bool]]:
    """The printed solver of this kind, with `new` in the place of `old`: problem -> alpha, b, whether it has ended."""
    parts = [*PARTS[kind], quadratic_program.bias]
    text = "\n\n".join(source(part) for part in parts)
    if old not in text:
        raise ValueError(f"bugs.toml: the solver {kind!r} has no {old!r}")
    text = text.replace(old, new) if old else text
    scope: dict[str, Any] = {}
    for part in parts:
        scope.update(inspect.unwrap(part).__globals__)
    exec(compile(f"from __future__ import annotations\n\n{text}", f"<{kind}>", "exec"), scope)

    def solve(problem: DualProblem) -> tuple[np.ndarray, float, bool]:
        alpha, ended = RUNS[kind](scope, problem)
        return alpha, float(scope["bias"](problem.K, problem.y, alpha, float(problem.C[0]))), ended

    return solve


def source(function: Callable) -> str:
    """The source of a function as a chapter prints it, without decorators."""
    lines = inspect.getsource(inspect.unwrap(function)).splitlines()
    return "\n".join(line for line in lines if not line.startswith("@"))


def _last(states: Iterator, most: int) -> tuple[Any, bool]:
    """The last of so many states, and whether there are no more."""
    last = deque(islice(states, most), maxlen=1)
    return last[0] if last else None, next(states, None) is None


def _smo(scope: dict[str, Any], problem: DualProblem) -> tuple[np.ndarray, bool]:
    beta = np.zeros(problem.n)
    _, ended = _last(scope["plain_smo"](problem, beta, TOL), STEPS["smo"])
    return problem.y * beta, ended


def _qp(scope: dict[str, Any], problem: DualProblem) -> tuple[np.ndarray, bool]:
    return np.ravel(scope["dual_qp"](problem.kernel, problem.X, problem.y, float(problem.C[0]))["x"]), True


def _active_set(scope: dict[str, Any], problem: DualProblem) -> tuple[np.ndarray, bool]:
    state, ended = _last(scope["free_turns"](problem.K, problem.y, float(problem.C[0]), TOL), STEPS["active set"])
    return problem.y * (state[0] if state else np.zeros(problem.n)), ended


RUNS: dict[str, Callable[[dict[str, Any], DualProblem], tuple[np.ndarray, bool]]] = {
    "smo": _smo, "qp": _qp, "active set": _active_set}
