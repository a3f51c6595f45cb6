"""Checks of chapter 17: one round of the growing working set, and a linear machine without K; costs from `sizes`."""
from functools import partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, compare, task
from svmlib.classroom.checks.sizes import CHAPTER, exponent, matrix_gigabytes, rows_in_cache

__all__ = ["exponent", "learn", "matrix_gigabytes", "movable", "rows_in_cache", "through_w", "worst_pair"]


# ---- one round -------------------------------------------------------------------------------------------------------
def state(seed: int, n: int = 12, C: float = 2.0) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """F, alpha (some at 0, some at C, some between), y and C."""
    rng = np.random.default_rng(seed)
    alpha = rng.permutation(np.r_[np.zeros(n // 3), np.full(n // 3, C), rng.uniform(0.2, 0.8 * C, n - 2 * (n // 3))])
    return rng.permutation(np.linspace(-3, 3, n)) + 0.1 * rng.normal(size=n), alpha, np.sign(rng.normal(size=n)), C


def may_move(alpha: np.ndarray, y: np.ndarray, C: float, how: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Where beta = y alpha may grow, and where it may shrink; or a known mistake."""
    free_up, free_low = alpha < C, alpha > 0
    everywhere = np.ones(len(y), bool)
    grows, shrinks = (everywhere if how == key else free for key, free in (("C-forgotten", free_up),
                                                                           ("zero-forgotten", free_low)))
    up, low = np.where(y > 0, grows, shrinks), np.where(y > 0, shrinks, grows)
    return {"y-forgotten": (free_up, free_low), "support-only": (free_low, free_low), "sets-exchanged": (low, up),
            "no-bounds": (everywhere, everywhere), "inside-only": (free_low & free_up,) * 2}.get(how, (up, low))


DIRECTIONS = [
    ("y-forgotten", "You ask which alpha may grow. Asked for is which beta = y alpha may: for y = -1, beta grows where "
     "alpha shrinks.", "For y = -1, exchange the two conditions."),
    ("support-only", "Only support vectors take part. A point with alpha = 0 on the wrong side of its margin is just "
     "what the check must find.", "Which points with alpha = 0 may move, and in which direction?"),
    ("no-bounds", "Every point takes part in both sets; one at a bound can move in one direction only.",
     "alpha = 0 can only grow, alpha = C only shrink."),
    ("inside-only", "Only points with 0 < alpha < C take part; one at a bound can still move in one direction.",
     "alpha = 0 can grow, alpha = C can shrink."),
    ("C-forgotten", "A point at alpha = C is moved beyond C.", "alpha may grow where it is below C."),
    ("zero-forgotten", "A point at alpha = 0 is moved below 0.", "alpha may shrink where it is above 0."),
    ("sets-exchanged", "The two sets are exchanged.", "For y = +1, beta grows with alpha."),
]
MOVES = [Mistake(*words, partial(may_move, how=words[0])) for words in DIRECTIONS]


@task(CHAPTER, "One round, first step: who may move", MOVES)
def movable(ask: Answer) -> str:
    """`movable(alpha, y, C)` returns two masks: where beta = y alpha may grow, and where it may shrink."""
    compare(ask, [state(seed)[1:] for seed in range(4)], may_move, ("up", "low"), MOVES)
    return "free points may do both, points at a bound one of the two."


def worst_of(F: np.ndarray, alpha: np.ndarray, y: np.ndarray, C: float, how: str = "") -> tuple[float, float, float]:
    """Smallest F where beta may grow, largest where it may shrink, and their difference; or a known mistake."""
    up, low = may_move(alpha, y, C, how)
    i, j = np.where(up, F, np.inf).argmin(), np.where(low, F, -np.inf).argmax()
    if how == "zeros":
        i, j = (F * up).argmin(), (F * low).argmax()
    if how == "best":
        i, j = np.where(up, F, -np.inf).argmax(), np.where(low, F, np.inf).argmin()
    gap = {"one-side": abs(F[j]), "sign": F[i] - F[j]}.get(how, F[j] - F[i])
    return (float(j), float(i), float(gap)) if how == "order" else (float(i), float(j), float(gap))


PAIR = [Mistake(*words, partial(worst_of, how=words[0])) for words in [
    *DIRECTIONS,
    ("zeros", "Points that may not move take part with F = 0. Where all F are positive the smallest is then one of "
     "those, and where all are negative the largest.", "np.inf can never be the smallest, -np.inf never the largest."),
    ("best", "This is the pair that violates least.", "argmin of F where beta may grow, argmax where it may shrink."),
    ("order", "i and j are exchanged.", "i is the one that may grow, with the smallest F."),
    ("sign", "i and j are right; the violation has the wrong sign.", "F[j] - F[i], positive where the pair violates."),
    ("one-side", "i and j are right; the violation is the difference of two values of F.", "F[j] - F[i]"),
]]


@task(CHAPTER, "One round: the worst pair", PAIR)
def worst_pair(find: Answer) -> str:
    """`worst_pair(F, alpha, y, C)` returns i, j and the violation."""
    cases = [state(seed) for seed in range(12)] + [(np.array([2.0, 3.0, 4.0]), np.array([0.5, 1.0, 0.2]),
                                                    np.array([1.0, 1.0, -1.0]), 1.0)]
    cases += [(F + shift, alpha, y, C) for F, alpha, y, C in cases[:4] for shift in (-8.0, 8.0)]  # all of one sign
    compare(find, cases, worst_of, ("i", "j", "the violation"), PAIR)
    return "the optimum is where no beta can grow at a smaller F than one can shrink."


def violators(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, float, int]:
    """Violations v, a working set S, the violation of the worst pair, and how many may join."""
    rng = np.random.default_rng(seed)
    v = rng.permutation(np.r_[rng.uniform(0.05, 2.5, 12), rng.uniform(-4, -0.01, n - 12)])
    S = rng.choice(n, 14, replace=False)
    v[S[:6]] = [1.9, 0.3, -0.02, -0.07, -0.31, -3.0]
    return v, S, (2.0, 0.2, 1.0, 0.4)[seed], (4, 30, 3, 5)[seed]


def next_set(v: np.ndarray, S: np.ndarray, worst: float, more: int, how: str = "") -> np.ndarray:
    """The next working set, sorted; or that of a known mistake."""
    near = {"constant": 0.1, "share": 0.2 * worst, "only-violators": 0.0}.get(how, max(0.1, 0.2 * worst))
    inside = {"keeps-all": v[S] > -np.inf, "keeps-none": v[S] > np.inf, "keeps-satisfied": v[S] < -near,
              "absolute": np.abs(v[S]) < near, "sign": v[S] > near}.get(how, v[S] > -near)
    rank = np.arange(len(v)) if how == "first" else np.argsort(v if how == "smallest" else -v, kind="stable")
    allowed = np.ones(len(v), bool) if how in ("fills-up", "smallest") else v > 0
    outside = allowed if how == "counts-S" else allowed & ~np.isin(np.arange(len(v)), S)
    new = rank[outside[rank]]
    return np.unique(np.r_[S[inside], new if how == "all" else new[:0] if how == "adds-none" else new[:more]])


NEXT = [Mistake(key, message, hint, partial(next_set, how=key)) for key, message, hint in [
    ("keeps-all", "All of S stays; who satisfies the condition clearly should leave.", "S[v[S] > …]"),
    ("keeps-none", "All of S leaves; the points that violate, or nearly do, should stay.", "S[v[S] > …]"),
    ("keeps-satisfied", "Of S those stay that satisfy their condition; it should be those that violate, or nearly do.",
     "A violation is positive."),
    ("absolute", "You compare |v|: a strong violator in S leaves.", "v > -…: violators are all above it."),
    ("sign", "The minus of the threshold is missing: only strong violators stay.", "-max(0.1, 0.2 * worst)"),
    ("only-violators", "Only violators stay. Those that nearly violate are on the margin and will be needed.",
     "The threshold is below zero."),
    ("constant", "The threshold is 0.1 throughout; it is a fifth of the worst where that is more.",
     "max(0.1, 0.2 * worst)"),
    ("share", "The threshold is a fifth of the worst throughout; it is at least 0.1.", "max(0.1, 0.2 * worst)"),
    ("fills-up", "Points that satisfy their condition join where there are few violators.", "Only v > 0."),
    ("smallest", "The points with the smallest v join, those that satisfy their condition best.",
     "Sort by -v: np.argsort sorts upwards."),
    ("first", "The first violators of the list join; asked for are those with the largest v.",
     "Sort before you cut: np.argsort(-v)."),
    ("counts-S", "Points that are in S already use up places of the new ones.", "Take out S first, then count."),
    ("all", "All violators join; asked for are the `more` worst.", "[:more]"),
    ("adds-none", "Nobody joins.", "The worst violators outside of S."),
]]


@task(CHAPTER, "One round: the next working set", NEXT)
def learn(make: Answer) -> str:
    """`learn(v, S, worst, more)` returns the indices of the next working set, in any order."""
    cases = [violators(seed) for seed in range(4)]
    got = []
    for v, S, worst, more in cases:
        answer = as_array(make(v, S, worst, more), "the set", (None,))
        if (answer % 1).any() or ((answer < 0) | (answer >= len(v))).any():
            raise Wrong("indices", f"The set holds indices of points, whole numbers from 0 to {len(v) - 1}.",
                        "S[mask] are indices; v[mask] are violations.")
        if len(np.unique(answer)) < len(answer):
            raise Wrong("twice", "Some points are twice in the set: the matrix K(S, S) would be singular.",
                        "np.unique, or add only points outside of S.")
        got.append(np.sort(answer))

    def same(how: str) -> bool:
        return all(np.array_equal(g, next_set(*case, how)) for g, case in zip(got, cases, strict=True))

    if not same(""):
        for mistake in NEXT:
            if same(mistake.key):
                raise mistake.wrong()
        missing = sum(len(np.setdiff1d(next_set(*case), g)) for g, case in zip(got, cases, strict=True))
        raise Wrong("unknown", f"In the four tests {missing} points are missing in all; others are too many, or none.",
                    "Two parts: who stays, and who joins.")
    return "violators stay, the worst of the others join, who is clearly satisfied leaves."


# ---- a linear machine without K --------------------------------------------------------------------------------------
def by_w(X: np.ndarray, y: np.ndarray, alpha: np.ndarray, how: str = "") -> tuple[np.ndarray, np.ndarray]:
    """w and F = K beta - y of the linear kernel, or a known mistake."""
    beta = alpha if how == "y-forgotten" else y * alpha
    w = beta @ X / (len(y) if how == "mean" else 1)
    F = {"without-y": X @ w, "plus-y": X @ w + y, "margin": y * (X @ w) - 1}.get(how, X @ w - y)
    return w, F


BY_W = [Mistake(key, message, hint, partial(by_w, how=key)) for key, message, hint in [
    ("y-forgotten", "y is missing in w.", "w = sum_i alpha_i y_i x_i"),
    ("mean", "w is a mean; it should be the sum.", "w = sum_i alpha_i y_i x_i"),
    ("without-y", "w is right; F is K beta - y, and y is missing.", "Subtract y."),
    ("plus-y", "w is right; in F, y is added.", "F = K beta - y"),
    ("margin", "w is right; F is K beta - y, without y in front.", "y f - 1 = y F: the same up to a sign, and not F."),
]]
MATRIX = Mistake("matrix", "At 200,000 points with two features your function needs more memory than there is: it "
                 "builds K, whose 320 GB this way should avoid.", "(X @ X.T) @ beta and X @ (X.T @ beta) are the same "
                 "numbers. Which brackets are cheaper?")


@task(CHAPTER, "A linear machine without K", [*BY_W, MATRIX])
def through_w(compute: Answer) -> str:
    """`through_w(X, y, alpha)` returns w and F = K beta - y, in memory and time proportional to n d."""
    def case(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
        return rng.normal(size=(n, d)), y, rng.choice([0.0, 0.3, 1.0], n)

    compare(compute, [case(0, 7, 3), case(1, 5, 2), case(2, 9, 4)], by_w, ("w", "F"), BY_W)
    try:
        compare(compute, [case(3, 200_000, 2)], by_w, ("w", "F"), BY_W)
    except Wrong as wrong:
        if wrong.key == "exception" and ("Memory" in wrong.message or "llocate" in wrong.message):
            raise MATRIX.wrong() from None
        raise
    return "200,000 points in a blink: n d operations, and no matrix."
