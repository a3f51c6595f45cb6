"""Checks of chapter 05, one turn of the method: the system of line 3, and how far to go (sheet 3, Aufgabe 1)."""
from functools import partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, compare, task

CHAPTER = "05_active_set"
Arrays = tuple[np.ndarray, ...]


def kkt_step(A: np.ndarray, b: np.ndarray, C: np.ndarray, D: np.ndarray, W: np.ndarray, x: np.ndarray,
             how: str = "") -> Arrays:
    """p, mu and lambda over W from line 3's system, or a known mistake."""
    N, n = np.hstack([C, D[:, W]]), len(b)
    r = b if how == "without-Ax" else A @ x - b if how == "gradient" else b - A @ x
    border = N if how == "plus" else -N
    rest = np.r_[C.T @ x, D[:, W].T @ x] if how == "target-not-zero" else np.zeros(N.shape[1])
    M = np.block([[A, border], [border.T, np.zeros((N.shape[1],) * 2)]])
    s = np.linalg.solve(M, np.r_[r, rest])
    mu, lam = s[n:n + C.shape[1]], s[n + C.shape[1]:]
    return (s[:n], lam, mu) if how == "order" else (s[:n] + x if how == "point" else s[:n], mu, lam)


STEP = [Mistake(key, message, hint, partial(kkt_step, how=key)) for key, message, hint in [
    ("plus", "p is right, but the multipliers have the wrong sign: the blocks C and D_W stand with a plus.",
     "The Lagrangian subtracts the constraints, so that the border of the matrix is -C, -D_W."),
    ("without-Ax", "The right-hand side is b, without A x: this is no step from x.", "b - A x"),
    ("gradient", "p has the wrong sign: it goes uphill.", "The right-hand side is b - A x, minus the gradient."),
    ("target-not-zero", "The step leaves the constraints that are held: the lower right-hand side should be 0.",
     "C'(x + p) = C'x, so C'p = 0, and the same for D_W."),
    ("point", "This is x + p, the point that is reached; expected is the step p.", "Subtract x."),
    ("order", "mu and lambda are exchanged.", "mu belongs to the columns of C, which come first."),
]]


def step_cases() -> list[tuple]:
    """Problems (A, b, C, D, W, x) with two equations and two inequalities held, of five."""
    cases = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        R = rng.normal(size=(6, 6))
        cases.append((R @ R.T + np.eye(6), rng.normal(size=6), rng.normal(size=(6, 2)), rng.normal(size=(6, 5)),
                      np.sort(rng.choice(5, 2, replace=False)), rng.normal(size=6)))
    return cases


@task(CHAPTER, "Aufgabe 1, first step: the system of line 3", STEP)
def system(step: Answer) -> str:
    """`step(A, b, C, D, W, x)` returns p, mu, lam; W holds the indices of the columns of D that are held."""
    compare(step, step_cases(), kkt_step, ("p", "mu", "lam"), STEP)
    return "p stays on the working set, and the multipliers have their signs."


def longest(x: np.ndarray, p: np.ndarray, D: np.ndarray, delta: np.ndarray, active: np.ndarray,
            how: str = "") -> tuple[float, float]:
    """t of line 13 over the inactive constraints, and which one stops it, -1 for none; or a known mistake."""
    slope = D.T @ p
    rows = np.flatnonzero({"printed": active, "held": active | True}.get(how, ~active))
    nearer = {"no-sign": slope != 0, "leaves": slope != 0, "uphill": slope > 0}.get(how, slope < 0)
    rows = rows[nearer[rows]]
    ratio = (delta - D.T @ x)[rows] / slope[rows]
    if how == "leaves":                                                             # only those with 0 <= ratio
        rows, ratio = rows[ratio >= 0], ratio[ratio >= 0]
    if how == "no-room":
        rows, ratio = rows[ratio > 0], ratio[ratio > 0]
    if not len(rows):
        return 1.0, -1
    if how == "ratio-sign":
        ratio = -ratio
    k = int(ratio.argmax() if how == "furthest" else ratio.argmin())
    t, j = float(ratio[k]), int(k if how == "place" else rows[k])
    if how == "no-cap":
        return t, j
    return (t, j) if t < 1 else (1.0, j if how == "always-joins" else -1)


RATIO = [Mistake(key, message, hint, partial(longest, how=key)) for key, message, hint in [
    ("printed", "The minimum runs over the working set, as line 13 is printed. There d_i'p = 0, so nothing stops the "
     "step, and it walks through the inactive constraints.", "i not in the working set."),
    ("no-sign", "Constraints that the step moves away from take part, too; their ratio is negative.",
     "Only those with d_i'p < 0 come nearer."),
    ("held", "A constraint that is held stops the step: rounding leaves its d_i'p at -1e-17, and its ratio is 0.",
     "Only those outside the working set: ~active."),
    ("leaves", "A constraint without room, from which the step moves away, stops it with t = 0.",
     "0 <= ratio is not enough, as 0 / d_i'p is 0 also where d_i'p > 0. Ask for d_i'p < 0."),
    ("no-room", "A constraint outside the working set that has no room does not stop the step, which violates it: "
     "its ratio is 0, and so is t.", "0 < ratio leaves it out. Ask for d_i'p < 0, and let 0 be a ratio."),
    ("uphill", "The constraints with d_i'p > 0 are taken: the step moves away from them.", "d_i'p < 0"),
    ("no-cap", "The step is longer than 1 where no constraint is met before: it jumps over the minimum.",
     "min(1, .): at x + p the minimum on the working set is reached."),
    ("always-joins", "t is right, but a constraint that lies beyond x + p does not stop the step: j is -1 there.",
     "Only a ratio below 1 stops it."),
    ("place", "t is right; j is the place among the candidates, not the number of the constraint.",
     "np.flatnonzero(mask)[k] is the number of the k-th True."),
    ("furthest", "The last constraint on the way is taken; the first one stops the step.", "The smallest ratio."),
    ("ratio-sign", "The ratio has the wrong sign.",
     "delta - d'x is negative inside, and so is d'p: their quotient is positive."),
]]


def ratio_cases() -> list[tuple]:
    """Cases (x, p, D, delta, active): stopped early, not stopped, and with none in the way; d'p = 0 on the active."""
    cases = []
    for seed in range(14):
        rng = np.random.default_rng(seed)
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


@task(CHAPTER, "Aufgabe 1, second step: how far to go", RATIO)
def ratio(step_length: Answer) -> str:
    """`step_length(x, p, D, delta, active)` returns t and j, the constraint that stops the step, or -1."""
    compare(step_length, ratio_cases(), longest, ("t", "j"), RATIO)
    return "the first inactive constraint stops the step, and none beyond x + p does."
