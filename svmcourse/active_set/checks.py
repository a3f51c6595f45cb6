"""Checks of chapter 11: one turn of the method, the method, the separator, the kernel's f (sheet 3)."""
from functools import cache
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, as_number, filled, refuse
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, generators, judged

CHAPTER = "11_active_set"


@compared(CHAPTER, "Task 1 (programming sheet), first step: the system of line 3", ("p", "mu", "lam"),
          "p stays on the working set, and the multipliers have their signs.")
def system() -> Cases:
    """`step(A, b, C, D, W, x)` returns p, mu, lam; W holds the indices of the columns of D that are held.

    Problems with two equations and two inequalities held, of five.
    """
    for rng in generators(4):
        R = rng.normal(size=(6, 6))
        yield (R @ R.T + np.eye(6), rng.normal(size=6), rng.normal(size=(6, 2)), rng.normal(size=(6, 5)),
               np.sort(rng.choice(5, 2, replace=False)), rng.normal(size=6))


@compared(CHAPTER, "Task 1 (programming sheet), second step: how far to go", ("t", "j"),
          "the first inactive constraint stops the step, and none beyond x + p does.")
def ratio() -> Cases:
    """`step_length(x, p, D, delta, active)` returns t and j, the constraint that stops the step, or -1.

    Cases stopped early, not stopped, and with none in the way; d'p = 0 on the active.
    """
    cases = []
    for seed, rng in enumerate(generators(14)):
        D, x = rng.integers(-3, 4, (3, 6)).astype(float), rng.integers(-2, 3, 3).astype(float)
        D[0, :2], active = 0.0, np.arange(6) < 2             # the first two depend on x2, x3 only; p along x1
        p = np.array([float(rng.choice([-2, -1, 1, 2])), 0.0, 0.0])
        D[0, 2 + seed % 3] = -np.sign(p[0]) * (1 + seed % 3)                         # at least one comes nearer
        delta = D.T @ x - np.where(active, 0.0, rng.uniform(0.2, 9.0, 6))              # no ties, and no ratio of 1
        cases.append((x, p, D, delta, active))
    x, p, D, delta, active = cases[0]
    D = D.copy()
    D[0, 2:] = np.sign(p[0])
    cases.append((x, p, D, D.T @ x - 1.0 * ~active, active))
    D, x = np.array([[-1e-17, 2.0, -1.0, 1.0], [3.0, 1.0, 1.0, 0.0]]), np.array([1.0, 2.0])
    room = np.array([0.0, 0.0, 0.5, 2.0])           # held up to rounding; without room, but left behind; on the way
    for p in (np.array([1.0, 0.0]), np.array([0.25, 0.0])):
        cases.append((x, p, D, D.T @ x - room, np.arange(4) < 1))
    D = D * [[1, -1, 1, 1], [1, 1, 1, 1]]                                  # the second is now ahead, without room
    cases.append((x, np.array([1.0, 0.0]), D, D.T @ x - room, np.arange(4) < 1))
    return cases


METHOD = Solved(CHAPTER, "aufgabe_1")


def example_16_4() -> tuple:
    """Nocedal and Wright's Example 16.4 in the sheet's form, with no equation."""
    D = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])
    return (2 * np.eye(2), np.array([2.0, 5.0]), np.zeros((2, 0)), D, np.array([-2.0, -6, -2, 0, 0]),
            np.array([2.0, 0.0]), 1e-9, 100)


@cache
def qp_cases() -> list[tuple]:
    """Example 16.4, and strictly convex problems with and without an equation, from inside and from an edge."""
    cases = [example_16_4()]
    for seed, rng in enumerate(generators(6)):
        R, x0 = rng.normal(size=(4, 4)), rng.normal(size=4)
        D = np.hstack([np.eye(4), -np.eye(4), rng.normal(size=(4, 3))])
        room = rng.uniform(0.1, 1.0, 11)
        if seed > 2:
            room[[0, 2, 9]] = 0.0
        cases.append((R @ R.T + np.eye(4), 6 * rng.normal(size=4), rng.normal(size=(4, seed % 2)), D,
                      D.T @ x0 - room, x0, 1e-9, 200))
    n = 60                                                           # each turn meets one more wall: over sixty turns
    box = np.hstack([np.eye(n), -np.eye(n)])
    cases.append((np.eye(n), np.linspace(2.0, 9.0, n), np.zeros((n, 0)), box, -np.ones(2 * n), np.zeros(n), 1e-9, 200))
    return cases


@judged(CHAPTER, "Task 1 (programming sheet): the active-set method", seconds=5.0)
def aufgabe_1(active_set_method: Answer) -> str:
    """`activeSet(A, b, C, D, delta, x0, tol, maxIter)` returns x."""
    try:
        METHOD.compare(active_set_method, qp_cases(), ("x",))
    except Wrong as wrong:
        if wrong.key not in ("unknown", "sign", "factor"):
            raise
    else:
        return "(1.4, 1.7) in the polygon, and right on seven more, with and without an equation."
    for case in qp_cases():
        C, D, delta, x0 = case[2:6]
        x = as_array(active_set_method(*case), "x", x0.shape)
        refuse({"equation": np.abs(C.T @ (x - x0)).max(initial=0.0) > 1e-5,
                "line-13": (D.T @ x - delta).min() < -1e-5})
    walls = int(np.sum(np.abs(x) > 1 - 1e-9))                                           # of the last case, the box
    raise Wrong("few-turns" if 0 < walls < len(x) else "not-optimal")


#: The machine on `xs_linear` without its outlier: w, the sheet's w0, and the support vectors; a test computes it anew.
W_LINEAR, W0_LINEAR, SUPPORT_LINEAR = np.array([8.7829, -3.1535]), 2.3643, (2, 7, 28)
#: The sum of lambda_i x_i there: w without the labels.
W_WITHOUT_LABELS = np.array([28.089, 12.942])


@judged(CHAPTER, "Task 2 (programming sheet): the linear separator")
def aufgabe_2(normal: Any, offset: Any, support: Any) -> str:
    """w, w0 and the indices of the support vectors on `xs_linear`."""
    filled(w=normal, w0=offset, support=support)
    w, w0 = as_array(normal, "w", (2,)), as_number(offset, "w0")
    mask = np.asarray(support)
    indices = np.flatnonzero(mask) if mask.dtype == bool else as_array(support, "the support vectors", (None,))
    chosen = {int(k) for k in indices}
    right = set(SUPPORT_LINEAR)
    if not np.abs(w).max() > 1e-6:
        raise Wrong("w-zero")
    refuse({key: np.allclose(w, value, rtol=5e-3) for key, value in {
        "w-sign": -W_LINEAR, "unit": W_LINEAR / np.linalg.norm(W_LINEAR), "without-y": W_WITHOUT_LABELS}.items()})
    if not np.allclose(w, W_LINEAR, rtol=5e-3):
        raise Wrong("w-unknown", f"w = ({w[0]:.4f}, {w[1]:.4f}) is not the normal of the widest band.",
                    "The half margin 1/|w| should be 0.1072. Has your method converged, and is y'lambda = 0?")
    if np.isclose(w0, -W0_LINEAR, rtol=5e-3):
        raise Wrong("w0-sign")
    if not np.isclose(w0, W0_LINEAR, rtol=5e-3):
        raise Wrong("w0-unknown", f"w is right, but w0 = {w0:.4f} is not.", "y_i (w'x_i - w0) = 1 where lambda_i > 0.")
    refuse({"active-is-support": chosen == set(range(40)) - right,
            "tiny-lambda": chosen > right,
            "third-forgotten": chosen == {2, 7}})
    if chosen != right:
        raise Wrong("support-unknown", f"w and w0 are right; the support vectors are not {sorted(chosen)[:6]}.",
                    "Indices count from 0.")
    return "three points hold the line, and the half margin is 0.1072."


@compared(CHAPTER, "Task 3 (programming sheet): the decision function", ("f",), "right, for each sigma.")
def aufgabe_3() -> Cases:
    """`decision(Z, X, y, lam, w0, sigma)` returns f at the rows of Z."""
    for seed, sigma in enumerate((0.25, 0.5, 1.5)):
        rng = generator(seed)
        yield (rng.random((5, 2)), rng.random((8, 2)), rng.choice([-1.0, 1.0], 8),
               rng.choice([0.0, 0.5, 2.0], 8), float(rng.normal()), sigma)
