"""Checks of chapter 11, one turn of the method: the system of line 3, and how far to go (sheet 3, Aufgabe 1)."""

import numpy as np

from svmlib.classroom.checking.mistakes import Cases, compared, generators

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
