"""Checks of chapter 09: the report's listing of the hard margin, corrected (6.1), and the intruders (6.3, 6.4)."""
from functools import cache
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, as_number, filled, refuse
from svmcourse.checking.mistakes import Cases, compared, generators, judged

CHAPTER = "09_quadratic_programming"


def clouds(count: int = 4) -> list[tuple[np.ndarray, np.ndarray]]:
    """Separable points (X, y), a few of each class, in an order that mixes the classes."""
    cases = []
    for seed, rng in enumerate(generators(count)):
        y = rng.permutation(np.repeat([-1.0, 1.0], 5 + seed))
        cases.append((rng.normal(size=(len(y), 2)) + np.outer(y, [3.0, 2.5]) + [1.0, 0.5], y))
    return cases


# ---- line 2 ----------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Line 2 (report, section 6.1): the matrix", ("Q",),
          "symmetric and positive semidefinite, as the solver needs it.")
def matrix_of_dual() -> Cases:
    """`matrix_q(X, y)` returns Q (n, n)."""
    return clouds()


# ---- lines 3 to 10 ---------------------------------------------------------------------------------------------------
@cache
def solved() -> list[tuple]:
    """(Q, y, alpha) of the clouds, alpha to rounding."""
    from svmlib import DualProblem, solve
    from svmlib.kernels import Linear

    problems = [(y, DualProblem(Linear(), X, y, C=np.inf)) for X, y in clouds()]
    return [(np.outer(y, y) * problem.K, y, solve(problem, "qp", tol=1e-8).alpha) for y, problem in problems]


@cache
def crowded() -> list[tuple]:
    """(Q, y, alpha) of clouds drawn 100 times smaller: their multipliers are 10,000 times larger, some hundreds."""
    return [(Q / 1e4, y, 1e4 * alpha) for Q, y, alpha in solved()[:2]]


@judged(CHAPTER, "Lines 3 to 10 (report, section 6.1): the program", seconds=5.0, prepare=solved)
def dual(solve_dual: Answer) -> str:
    """`solve_dual(Q, y)` returns alpha (n,)."""
    shares = []
    for Q, y, best in solved() + crowded():
        answer = solve_dual(Q, y)
        if isinstance(answer, dict):
            raise Wrong("status")
        alpha = as_array(answer, "alpha", y.shape)
        size = best.max()
        refuse({"zero": np.abs(alpha).max() < 1e-3 * min(size, 0.1),
                "with-labels": alpha.min() < -1e-4 * size < (alpha * y).min(),
                "negative-alpha": alpha.min() < -1e-4 * size,
                "balance": abs(alpha @ y) > 1e-4 * size})
        shares.append((alpha.sum() - alpha @ Q @ alpha / 2) / (best.sum() / 2))
        at_top = np.sum(alpha > alpha.max() * (1 - 1e-4))
        if shares[-1] < 1 - 1e-3 and at_top > 1 and alpha.max() < 0.99 * size and _bounded_fits(Q, y, alpha):
            raise Wrong("bounded")
    if min(shares) < 1 - 1e-3:
        raise Wrong("value")
    return "admissible and optimal on six data sets, with multipliers below 0.1 and of some hundreds."


def _bounded_fits(Q: np.ndarray, y: np.ndarray, alpha: np.ndarray) -> bool:
    """Whether alpha is the optimum with its largest entry as upper bound."""
    top, gradient = alpha.max(), y * (1 - Q @ alpha)
    low, high = alpha < 1e-4 * top, alpha > top * (1 - 1e-4)
    up = gradient[((y > 0) & ~high) | ((y < 0) & ~low)].max(initial=-np.inf)
    down = gradient[((y > 0) & ~low) | ((y < 0) & ~high)].min(initial=np.inf)
    return bool(up - down < 1e-2)


# ---- when is a number zero? ------------------------------------------------------------------------------------------
def _as_mask(support_of: Any) -> Any:
    """The same set as numbers 0 and 1, one for each point, whether it is given as indices or as a mask."""
    def mask(alpha: np.ndarray) -> np.ndarray:
        answer = support_of(alpha)
        found = np.asarray(answer[0] if isinstance(answer, tuple) and len(answer) == 1 else answer)
        if found.dtype == bool:
            return as_array(found, "the mask", alpha.shape)
        indices = as_array(found, "the indices", (None,))
        if ((indices < 0) | (indices >= len(alpha)) | (indices != indices.round())).any():
            raise Wrong("type", "Expected are the indices of the support vectors, whole numbers from 0 to n - 1, or an "
                        "array of True and False.", "np.flatnonzero(condition)")
        return np.isin(np.arange(len(alpha)), indices).astype(float)

    return mask


@compared(CHAPTER, "When is a number zero?", ("the set of support vectors",),
          "right for large and for small alpha.", through=_as_mask)
def zero() -> Cases:
    """`support(alpha)` returns the indices of the support vectors, or a mask.

    Multipliers of several sizes, with the residues that cvxopt leaves, 1e-9 to 1e-8 of the largest.
    """
    for rng, size in zip(generators(4), (1.0, 4e4, 2e-4, 1.0), strict=True):
        alpha = size * 10 ** rng.uniform(-9, -8, 12)
        alpha[rng.choice(12, 4, replace=False)] = size * np.array([1.0, 0.7, 0.2, 0.004])
        yield (alpha,)


# ---- lines 11 and 12 -------------------------------------------------------------------------------------------------
@cache
def trained() -> list[tuple]:
    """(alpha, X, y) of the clouds, with residues, and no support vector in the first place."""
    cases = []
    for (X, y), (_, _, alpha) in zip(clouds(), solved(), strict=True):
        order = np.r_[np.flatnonzero(alpha == 0), np.flatnonzero(alpha)]
        residues = np.where(alpha == 0, alpha.max() * 10 ** np.linspace(-11.5, -8.0, len(y)), alpha)
        cases.append((residues[order], X[order], y[order]))
    return cases


@compared(CHAPTER, "Lines 11 and 12 (report, section 6.1): the machine", ("w", "b"),
          "right; all support vectors agree about b.", prepare=trained)
def lines_11_12() -> Cases:
    """`machine(alpha, X, y)` returns w and b of the hard margin."""
    return trained()


# ---- sections 6.3 and 6.4 --------------------------------------------------------------------------------------------
#: Numbers on blobs_with_intruders(seed=0) with C = 1: misclassified, with slack, support vectors; a test counts them.
COUNTS = {"errors": 2, "slack": 7, "support": 10, "n": 42}


@judged(CHAPTER, "Two intruders (report, section 6.4)")
def section_6_4(status: Any, errors: Any, with_slack: Any) -> str:
    """cvxopt's status for the hard margin, and for C = 1 the numbers of errors and of points with slack."""
    filled(status=status, errors=errors, with_slack=with_slack)
    if not isinstance(status, str):
        raise Wrong("type", f"The status should be cvxopt's word, but is {status!r:.40}.", "solution['status']")
    wrong, slack = as_number(errors, "the number of errors"), as_number(with_slack, "the number of points with slack")
    refuse({"optimal": "optimal" in status.lower(),
            "word": status.lower() not in ("unknown", "primal infeasible", "dual infeasible"),
            "share": abs(wrong - COUNTS["errors"] / COUNTS["n"]) < 1e-6,
            "right-ones": wrong == COUNTS["n"] - COUNTS["errors"],
            "slack-for-errors": wrong == COUNTS["slack"]})
    if wrong != COUNTS["errors"]:
        raise Wrong("errors-unknown", f"{wrong:g} misclassified points are not what C = 1 gives.",
                    "Is b from vectors with 0 < alpha < C, and is the bound alpha <= C in the program?")
    refuse({"support-for-slack": slack == COUNTS["support"],
            "rounding": COUNTS["slack"] < slack < COUNTS["support"],
            "errors-for-slack": slack == COUNTS["errors"]})
    if slack != COUNTS["slack"]:
        raise Wrong("slack-unknown", f"{slack:g} points with slack are not what C = 1 gives.", "max(0, 1 - y f)")
    return "no hard margin, and a soft one that gives up the two intruders only."
