"""Checks of chapter 07, the loops: random pairs, the final b, counting (lab sheet, Task 2.3)."""
from functools import cache, partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, task

CHAPTER = "07_smo"


# ---- random pairs ----------------------------------------------------------------------------------------------------
@cache
def separable_and_not(seeds: tuple[int, ...] = (0, 1)) -> list[tuple[np.ndarray, np.ndarray]]:
    """Small data sets on which 3000 random pairs come close to the optimum at C = 1."""
    sets = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        X = np.concatenate([rng.exponential(0.25, (10, 2)), rng.exponential(2.0, (10, 2))])
        sets.append((X, np.repeat([-1.0, 1.0], 10)))
    return sets


def dual(alpha: np.ndarray, y: np.ndarray, X: np.ndarray) -> float:
    """The dual value of alpha for the linear kernel."""
    w = (alpha * y) @ X
    return float(alpha.sum() - 0.5 * w @ w)


def best(X: np.ndarray, y: np.ndarray, C: float) -> float:
    """The best dual value for the linear kernel."""
    from svmlib import DualProblem, solve
    from svmlib.kernels import Linear

    return solve(DualProblem(Linear(), X, y, C=C), "qp", tol=1e-6).objective   # compiles nothing


@cache
def optimum(k: int, C: float) -> float:
    """The best dual value on data set k."""
    return best(*separable_and_not()[k], C)


def optima() -> list[float]:
    """All optima that the checks below need."""
    return [optimum(k, C) for k in (0, 1) for C in (1.0, 0.01)]


FINAL = [Mistake(key, message, hint, variant) for key, message, hint, variant in [
    ("b-sign", "The correction has the wrong sign: it doubles the mean error.",
     "f contains b. If f is too high by me, b is too high by me.",
     lambda a, y, f, b, C: (b + _mean(f - y, (a > 0) & (a < C)),)),
    ("b-all-support", "The mean runs over all support vectors; those with alpha = C may have slack and do not know b.",
     "Only 0 < alpha < C.", lambda a, y, f, b, C: (b - _mean(f - y, a > 0),)),
    ("b-all-points", "The mean runs over all points.", "Only points that lie on the margin, 0 < alpha < C, know b.",
     lambda a, y, f, b, C: (b - np.mean(f - y),)),
    ("b-one-point", "b is right for one margin vector; the task asks for the mean over all of them.", "np.mean",
     lambda a, y, f, b, C: (b - (f - y)[(a > 0) & (a < C)][0] if ((a > 0) & (a < C)).any() else b,)),
    ("b-labels", "The mean is that of y f - 1, not of f - y.", "Multiply the error by y, and its sign is lost.",
     lambda a, y, f, b, C: (b - _mean(y * f - 1, (a > 0) & (a < C)),)),
]]


CRUMBS = [Mistake("b-crumbs", "alpha that are 0 or C up to rounding are taken for margin vectors; such points may lie "
                  "far from the margin.", "Compare with a share of C: alpha > 1e-8 * C and alpha < C - 1e-8 * C.",
                  lambda a, y, f, b, C, low=low, high=high: (b - _mean(f - y, (a > low * C) & (a < C - high * C)),))
          for low, high in ((0.0, 0.0), (0.0, 1e-8), (1e-8, 0.0))]


def _mean(values: np.ndarray, where: np.ndarray) -> float:
    """Mean over some entries; 0 over none."""
    return float(values[where].mean()) if where.any() else 0.0


@task(CHAPTER, "Task 2.3, first step: the final b", [*FINAL, CRUMBS[0]])
def final_bias(corrected: Answer) -> str:
    """`final_bias(alpha, y, f, b, C)` returns b; where no 0 < alpha < C it stays as it was."""
    cases = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = rng.choice([-1.0, 1.0], 10)
        cases.append((rng.choice([0.0, 0.4, 0.7, 2.0], 10), y, rng.normal(0, 2, 10), float(rng.normal()), 2.0))

    def right(a: np.ndarray, y: np.ndarray, f: np.ndarray, b: float, C: float) -> tuple[float]:
        return (b - _mean(f - y, (a > 1e-8 * C) & (a < C - 1e-8 * C)),)

    compare(corrected, cases, right, ("b",), FINAL)
    y = np.array([-1.0, 1.0])
    try:
        none = as_number(corrected(np.array([0.01, 0.01]), y, np.array([-0.2, 0.1]), 0.3, 0.01), "b")
    except Wrong as wrong:
        found = {"nan": "it is not a number", "blank": "nothing comes back"}.get(wrong.key, "there is an error")
        raise Wrong("b-nan", f"b is right where there are margin vectors. Where there are none, {found}.",
                    "At C = 0.01 this happens in nearly half of the draws of Task 2.2. Leave b as it "
                    "is then.") from None
    if abs(none - 0.3) > 1e-9:
        raise Wrong("b-none", "Where there is no margin vector b should stay as it was.")
    crumbs = np.array([0.0, 3e-13, 1e-12, 0.4, 0.4, 0.7, 1 - 1e-12, 1 - 3e-13, 1.0, 1.0])
    compare(corrected, [(C * crumbs[k:], y[k:], f[k:], b, C) for C in (2.0, 0.01) for k in (0, 6)
                        for _, y, f, b, _ in cases[:2]], right, ("b",), CRUMBS)
    return "b is right, and stays where there is no margin vector."


SMO = [
    Mistake("box", "Some alpha lie outside [0, C].", "The ends of the segment depend on C; is it the C you got?"),
    Mistake("sum", "The sum of y alpha is not 0.", "Do both alpha of a pair move in a step? Can i be the same as j? "
            "rng.choice(n, 2, replace=False) draws two different ones."),
    Mistake("not-started", "All alpha are 0: no step changes anything.",
            "Does your loop keep what one_step returns? alpha, f, b = one_step(...)"),
    Mistake("far-from-optimum", "After 3000 pairs the dual value is far from the optimum.",
            "Are i and j drawn from all points, anew in each step? Is f handed on from step to step?"),
    Mistake("gram-with-labels", "alpha solves another problem: K was multiplied by the labels before one_step got it.",
            "one_step multiplies by y itself: K is X X' alone."),
    Mistake("b-nan", "b is NaN: no alpha is between 0 and C, and a mean over nothing is NaN.",
            "Use final_bias, which knows this case."),
    Mistake("b-not-corrected", "alpha is right, b is not what the margin vectors say.",
            "After the last step b is corrected by the mean of f - y over 0 < alpha < C."),
    Mistake("b-crumbs", CRUMBS[0].message, CRUMBS[0].hint),
    Mistake("no-step", "With two points and a single step alpha stays 0 in all of twelve runs: no step is made.",
            "range(steps) has as many turns as steps says, range(1, steps) one fewer."),
    Mistake("same-pair", "With two points and a single step alpha stays 0 in some runs: the pair was i = j.",
            "rng.choice(n, 2, replace=False) draws two different indices, and each of the steps moves a pair."),
]


@task(CHAPTER, "Task 2.3: SMO with random pairs", SMO, seconds=10.0, prepare=optima)
def task_2_3(smo: Answer) -> str:
    """`smo(X, y, C, steps, rng)` returns alpha and b, for the linear kernel."""
    known = {m.key: m for m in SMO}
    for C in (1.0, 0.01):
        for k, (X, y) in enumerate(separable_and_not()):
            answer = smo(X, y, C, 3000, np.random.default_rng(1))
            if not isinstance(answer, (tuple, list)) or len(answer) != 2:
                raise Wrong("parts", f"{smo.name} should return alpha and b.", "return alpha, b")
            alpha = as_array(answer[0], "alpha", (len(y),))
            check_feasible(alpha, y, C, known)
            if dual(alpha, y, X) < 0.99 * optimum(k, C):
                raise known["gram-with-labels" if _solves_with_labels(alpha, X, y, C) else "far-from-optimum"].wrong()
            _check_bias(answer[1], alpha, X, y, C, known)
    two = np.array([[0.0], [2.0]]), np.array([-1.0, 1.0])
    moved = [as_array(smo(*two, 10.0, 1, np.random.default_rng(seed))[0], "alpha", (2,)).any() for seed in range(12)]
    if not all(moved):
        raise known["same-pair" if any(moved) else "no-step"].wrong()
    return "feasible, close to the optimum, and b is what the margin vectors say, where there are any."


def check_feasible(alpha: np.ndarray, y: np.ndarray, C: float, known: dict[str, Mistake]) -> None:
    """The box, the sum of y alpha, and that anything has moved at all."""
    if alpha.min() < -1e-9 or alpha.max() > C * (1 + 1e-9):
        raise known["box"].wrong()
    if abs(alpha @ y) > 1e-8 * max(1.0, alpha.sum()):
        raise known["sum"].wrong()
    if not alpha.any():
        raise known["not-started"].wrong()


def _solves_with_labels(alpha: np.ndarray, X: np.ndarray, y: np.ndarray, C: float) -> bool:
    """Whether alpha is nearly best for K = yy' o XX', so that the labels enter twice and drop out."""
    return bool(alpha.sum() - 0.5 * np.sum((alpha @ X) ** 2) > 0.97 * best(y[:, None] * X, y, C))


def _check_bias(b: Any, alpha: np.ndarray, X: np.ndarray, y: np.ndarray, C: float, known: dict[str, Mistake]) -> None:
    """Compare b with the mean over the margin vectors that alpha has."""
    try:
        b = as_number(b, "b")
    except Wrong as wrong:
        none = not ((alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)).any()
        raise known["b-nan"].wrong() if wrong.key == "nan" and none else wrong from None
    proposals = y - X @ ((alpha * y) @ X)
    for tol, key in ((1e-8 * C, ""), (1e-5 * C, ""), (1e-11 * C, ""), (0.0, "b-crumbs")):
        free = (alpha > tol) & (alpha < C - tol)
        if (not key and not free.any()) or (
                free.any() and abs(b - proposals[free].mean()) <= 1e-6 * max(1.0, abs(b))):
            if key:
                raise known[key].wrong()
            return
    raise known["b-not-corrected"].wrong()


COUNT = [
    Mistake("all-positive", "Points with a residue such as 1e-9 are counted as support vectors.",
            "A solver leaves tiny numbers in place of 0: compare with a small share of C, not with 0 or 1e-10."),
    Mistake("margin-is-support", "The margin vectors are those with 0 < alpha < C, fewer than the support vectors.",
            "alpha = C means that the point may lie inside the band."),
    Mistake("support-without-bounded", "Points with alpha = C are support vectors too.", "Support vectors: alpha > 0."),
    Mistake("margin-is-bounded", "You counted those at alpha = C as margin vectors.",
            "At C a point may have slack; on the margin are those strictly between."),
    Mistake("order", "The two numbers are exchanged.", "First the support vectors, then the margin vectors."),
    Mistake("residue-at-C", "A point with alpha = C up to rounding is counted as a margin vector.",
            "Compare with C (1 - 1e-6), not with C."),
]


@task(CHAPTER, "Task 2.3: counting support vectors", COUNT)
def count(counted: Answer) -> str:
    """`count(alpha, C)` returns the numbers of support vectors and of margin vectors."""
    def counts(alpha: np.ndarray, C: float, how: str = "") -> tuple[float, float]:
        low, high = 1e-6 * C, C * (1 - 1e-6)
        support, free, at_C = alpha > low, (alpha > low) & (alpha < high), alpha >= high
        return {
            "all-positive": ((alpha > 0).sum(), ((alpha > 0) & (alpha < C)).sum()),
            "margin-is-support": (support.sum(), support.sum()),
            "support-without-bounded": (free.sum(), free.sum()),
            "margin-is-bounded": (support.sum(), at_C.sum()),
            "order": (free.sum(), support.sum()),
            "residue-at-C": (support.sum(), ((alpha > low) & (alpha < C)).sum()),
        }.get(how, (support.sum(), free.sum()))

    residues = (np.array([0.0, 3e-10, 0.4, 1.0, 1 - 1e-12, 0.0, 2e-9, 1.0]), 1.0)
    clean = (np.array([0.0, 25.0, 100.0, 100.0, 100.0, 60.0, 0.0]), 100.0)
    small = (np.array([0.01, 0.01, 0.004, 0.0, 1e-12, 0.01]), 0.01)
    mistakes = [Mistake(m.key, m.message, m.hint, partial(counts, how=m.key)) for m in COUNT]
    tiny = [Mistake("all-positive", COUNT[0].message, COUNT[0].hint, partial(_threshold, low=low))
            for low in (0.0, 1e-10)]
    compare(counted, [residues, clean, small], counts, ("support", "margin"), [*mistakes, *tiny])
    return "right, with the residues of a solver too."


def _threshold(alpha: np.ndarray, C: float, low: float) -> tuple[float, float]:
    """Counts with an absolute threshold below and rounding at C allowed for."""
    return (alpha > low).sum(), ((alpha > low) & (alpha < C * (1 - 1e-6))).sum()
