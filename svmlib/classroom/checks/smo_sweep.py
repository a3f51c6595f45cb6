"""Checks of chapter 07, the KKT sweep (lab sheet, Task 2.5)."""
import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, task
from svmlib.classroom.checks.smo_runs import CHAPTER, check_feasible, dual, optima, optimum, separable_and_not

#: More, on which a sweep that waits for KKT_i = 0 exactly goes on for ever in every tenth run or so.
STUBBORN = (1, 5, 6, 9, 13)

KKT = [Mistake(key, message, hint, variant) for key, message, hint, variant in [
    ("exchanged", "alpha and C - alpha are exchanged.", "A point with alpha = 0 violates where y f < 1; "
     "which factor is then not 0?",
     lambda a, y, f, C: (a * np.maximum(0, 1 - y * f) + (C - a) * np.maximum(0, y * f - 1),)),
    ("without-y", "The labels are missing: f is compared with 1 for both classes.", "The margin of a point is y f.",
     lambda a, y, f, C: ((C - a) * np.maximum(0, 1 - f) + a * np.maximum(0, f - 1),)),
    ("no-max", "Without max(0, .) the two terms can be negative.", "A violation is never negative.",
     lambda a, y, f, C: ((C - a) * (1 - y * f) + a * (y * f - 1),)),
    ("one-term", "Only the first of the two terms is there.", "Points too far outside, with alpha > 0, violate too.",
     lambda a, y, f, C: ((C - a) * np.maximum(0, 1 - y * f),)),
    ("second-term", "Only the second of the two terms is there.", "Points inside the band with alpha < C violate, too.",
     lambda a, y, f, C: (a * np.maximum(0, y * f - 1),)),
    ("summed", "This is the sum over all points; expected is one number for each point.", "Leave out the sum.",
     lambda a, y, f, C: (np.full(len(a), np.sum((C - a) * np.maximum(0, 1 - y * f) + a * np.maximum(0, y * f - 1))),)),
]]


@task(CHAPTER, "Task 2.5, first step: the violation of a point", KKT)
def kkt(violation: Answer) -> str:
    """`kkt(alpha, y, f, C)` returns KKT_i for all points."""
    cases = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y, C = rng.choice([-1.0, 1.0], 12), float(rng.choice([0.5, 2.0]))
        cases.append((rng.choice([0.0, 0.3 * C, C], 12), y, rng.normal(0, 2, 12), C))
    compare(violation, cases, lambda a, y, f, C: ((C - a) * np.maximum(0, 1 - y * f) + a * np.maximum(0, y * f - 1),),
            ("KKT",), KKT)
    return "right; at an optimum all are 0."


SWEEP = [
    Mistake("never-stops", "On some data all 10,000 calls are used.", "Does the loop wait for KKT_i = 0 exactly? "
            "Rounding may keep it from becoming 0: compare with a tolerance such as 1e-6. Is one_step called only "
            "where KKT_i is above it?"),
    Mistake("stops-early", "The loop ends before the KKT conditions hold.",
            "End only after a whole pass over all i in which no KKT_i was above the tolerance."),
    Mistake("box", "Some alpha lie outside [0, C]."),
    Mistake("sum", "The sum of y alpha is not 0."),
    Mistake("not-started", "All alpha are 0.",
            "At the start no alpha is between 0 and C: draw j from all other points then."),
    Mistake("calls-not-counted", "The number of calls is not that of one_step.", "Count each call, not each pass."),
]


def goes_on(smo_kkt: Answer, X: np.ndarray, y: np.ndarray, seed: int) -> bool:
    """Whether all calls are used though the optimum is reached; a sweep stuck beside a crumb is another matter."""
    alpha, _, calls = smo_kkt(X, y, 1.0, np.random.default_rng(seed))
    p = y - X @ ((np.asarray(alpha) * y) @ X)
    low, high = np.asarray(alpha) < 1e-8, np.asarray(alpha) > 1 - 1e-8
    return bool(calls >= 10_000 and p[~((y > 0) & high | (y < 0) & low)].max()
                - p[~((y > 0) & low | (y < 0) & high)].min() < 1e-9)


@task(CHAPTER, "Task 2.5: the KKT sweep", SWEEP, seconds=10.0, prepare=optima)
def task_2_5(smo_kkt: Answer) -> str:
    """`smo_kkt(X, y, C, rng)` returns alpha, b and the number of calls of one_step."""
    known = {m.key: m for m in SWEEP}
    calls_of = []
    for k, (X, y) in enumerate(separable_and_not()):
        answer = smo_kkt(X, y, 1.0, np.random.default_rng(1))
        if not isinstance(answer, (tuple, list)) or len(answer) != 3:
            raise Wrong("parts", f"{smo_kkt.name} should return alpha, b and the number of calls.",
                        "return alpha, b, calls")
        alpha, calls = as_array(answer[0], "alpha", (len(y),)), as_number(answer[2], "the number of calls")
        as_number(answer[1], "b")
        check_feasible(alpha, y, 1.0, known)
        if dual(alpha, y, X) < (1 - 1e-3) * optimum(k, 1.0):
            raise known["never-stops" if calls >= 10_000 else "stops-early"].wrong()
        calls_of.append(calls)
    if max(calls_of) >= 10_000 or any(
            goes_on(smo_kkt, *more, seed) for more in separable_and_not(STUBBORN) for seed in range(12)):
        raise known["never-stops"].wrong()
    if min(calls_of) < 12:                              # in 12 runs on the second set: 22 to 44 calls, 5 to 10 passes
        raise known["calls-not-counted"].wrong()
    return f"close to the optimum after {' and '.join(f'{c:.0f}' for c in calls_of)} calls of one_step."
