"""Checks of chapter 17: bytes, exponents, one round of the growing working set, and a linear machine without K."""
from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, compare, task

CHAPTER = "17_svms_at_scale"


# ---- bytes -----------------------------------------------------------------------------------------------------------
def gigabytes(n: int, each: int, how: str = "") -> tuple[float, float]:
    """GB of K, and of its lower triangle with the diagonal, in numbers of `each` bytes; or a known mistake."""
    size = {"always-8": 8.0, "bits": each / 8}.get(how, float(each))
    unit = {"GiB": 2.0**30, "MB": 1e6, "bytes": 1.0}.get(how, 1e9)
    part = {"half": n * n / 2, "no-diagonal": n * (n - 1) / 2, "not-halved": float(n) * n}.get(how, n * (n + 1) / 2)
    whole = float(n) if how == "one-row" else float(n) * n
    return whole * size / unit, part * size / unit


BYTES = [Mistake(key, message, hint, partial(gigabytes, how=key)) for key, message, hint in [
    ("GiB", "You divide by 2^30: these are GiB. A GB has 10^9 bytes.", "The two differ by 7 %."),
    ("MB", "These are MB; asked for are GB, 10^9 bytes.", "Divide by a thousand once more."),
    ("bytes", "These are bytes; asked for are GB.", "Divide by 10^9."),
    ("always-8", "The size of a number does not count in your answer: float32 would take as much as float64.",
     "`each` is the number of bytes of one number."),
    ("bits", "You divide by 8 as if `each` were bits; it is a number of bytes.", "float64: each = 8"),
    ("half", "The matrix is right. Half of it is not the triangle: the diagonal is needed whole.",
     "How many entries have column <= row? Count for n = 2."),
    ("no-diagonal", "The matrix is right. The triangle lacks its diagonal.", "How many entries have column <= row?"),
    ("not-halved", "The matrix is right; but K is symmetric, and the second number asks for one triangle.",
     "How many entries have column <= row?"),
    ("one-row", "The first number is that of one row; K has n of them.", "n rows of n numbers."),
]]


@task(CHAPTER, "The matrix that does not fit", BYTES)
def matrix_gigabytes(memory: Answer) -> str:
    """`gigabytes(n, each)` returns GB of K, and of its lower triangle with the diagonal."""
    compare(memory, [(3, 8), (2000, 4), (60_000, 8)], gigabytes, ("the matrix", "the triangle"), BYTES, tol=1e-12)
    return "28.8 GB for the training set of MNIST, and half of it is no way out."


def cached(n: int, mib: float, each: int, how: str = "") -> tuple[float]:
    """Whole rows of K that fit into a cache of `mib` MiB, or a known mistake."""
    room = mib * (10**6 if how == "MB" else 2**20)
    rows = room / (n * (8 if how == "always-8" else each))
    rows = {"fraction": rows, "rounded": float(round(rows)), "up": float(np.ceil(rows))}.get(how, float(rows // 1))
    if how == "numbers":
        rows = float(room // each)
    return (rows if how == "more-than-n" else min(rows, float(n)),)


CACHE = [Mistake(key, message, hint, partial(cached, how=key)) for key, message, hint in [
    ("MB", "You count 10^6 bytes; the cache is given in MiB, 2^20 bytes each.", "A MiB is 2**20 bytes."),
    ("more-than-n", "Where the cache is large, you keep more rows than K has.", "min(…, n)"),
    ("fraction", "These are fractions of rows; half a row is of no use.", "The whole part only: //"),
    ("rounded", "You round to the nearest number: the last row may not fit.", "The whole part only: //"),
    ("up", "You round up: the last row does not fit.", "The whole part only: //"),
    ("always-8", "You count eight bytes a number, whatever `each` says.", "A row has n numbers of `each` bytes."),
    ("numbers", "This is how many numbers fit; a row has n of them.", "Divide by n, too."),
]]


@task(CHAPTER, "Rows in a cache", CACHE)
def rows_in_cache(fit: Answer) -> str:
    """`rows_in_cache(n, mib, each)` returns how many whole rows of K the cache holds."""
    compare(fit, [(60_000, 200, 4), (1000, 200, 8), (10_000, 100, 8), (50_000, 500, 4)], cached, ("the rows",), CACHE)
    return "873 of 60,000 rows in the 200 MiB that scikit-learn allows by default."


# ---- the exponent ----------------------------------------------------------------------------------------------------
def measured(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and costs that follow a power law with some scatter."""
    rng = np.random.default_rng(seed)
    n = np.array([500.0, 1000.0, 3000.0, 10_000.0, 25_000.0])[: 5 - seed % 2]
    return n, (3.0, 0.5, 12.0)[seed] * n ** (1.58, 2.1, 1.2)[seed] * np.exp(0.15 * rng.normal(size=len(n)))


def power_law(n: np.ndarray, cost: np.ndarray, how: str = "") -> tuple[float, float]:
    """p and c of the line ln cost = p ln n + ln c by least squares, or a known mistake."""
    x, z = np.log(n), np.log(cost)
    a, b = {"linear": (n, cost), "cost-only": (n, z), "n-only": (x, cost), "two-bases": (x, np.log10(cost)),
            "exchanged": (z, x), "end-points": (x[[0, -1]], z[[0, -1]])}.get(how, (x, z))
    p, c = (x @ z / (x @ x), 0.0) if how == "through-zero" else np.polyfit(a, b, 1)
    return (p, c) if how in ("c-is-log", "linear", "n-only") else (p, float(np.exp(c)))



EXPONENT = [Mistake(key, message, hint, partial(power_law, how=key)) for key, message, hint in [
    ("linear", "This is a straight line through the costs themselves: its slope is a cost for each point, no exponent.",
     "cost = c n^p becomes a straight line when you take logarithms, of both."),
    ("cost-only", "You take the logarithm of the cost alone: a line would be e^(p n), not n^p.", "That of n, too."),
    ("n-only", "You take the logarithm of n alone.", "The logarithm of the cost, too."),
    ("two-bases", "The cost has logarithms to base 10, n has natural ones: the slope is too small by a factor of 2.3.",
     "Any base will do, but the same for both."),
    ("exchanged", "n is fitted as a power of the cost.", "x is what you set, z what you measured."),
    ("through-zero", "Your line is forced through the origin, as if c were 1.", "A line has an intercept, too."),
    ("end-points", "Your line goes through the first and the last point; the others do not count.",
     "Least squares over all points: np.polyfit"),
    ("c-is-log", "The exponent is right. The intercept is the logarithm of c, not c.", "The inverse of the logarithm "
     "that you took."),
]]


@task(CHAPTER, "The exponent of a cost", EXPONENT)
def exponent(fit: Answer) -> str:
    """`power_law(n, cost)` returns p and c of cost = c n^p."""
    known = {m.key: m for m in EXPONENT}
    cases = [measured(seed) for seed in range(3)]
    answers: list[Any] = [fit(*case) for case in cases]
    if all(isinstance(a, (tuple, list, np.ndarray)) and len(a) == 2 for a in answers):
        p = np.array([np.ravel(np.asarray(a[0], float))[0] for a in answers])
        for key in ("linear", "cost-only", "n-only", "two-bases", "exchanged", "through-zero"):
            if np.allclose(p, [power_law(*case, key)[0] for case in cases], rtol=1e-6):
                raise known[key].wrong()                       # whatever c is
        if np.allclose(p, [power_law(*case)[1] for case in cases], rtol=1e-6):
            raise Wrong("order", "c and p are exchanged.", "return p, c")
    compare(fit, cases, power_law, ("p", "c"), EXPONENT)
    return "a slope of logarithms."


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
    if how == "best":
        i, j = np.where(up, F, -np.inf).argmax(), np.where(low, F, np.inf).argmin()
    gap = {"one-side": abs(F[j]), "sign": F[i] - F[j]}.get(how, F[j] - F[i])
    return (float(j), float(i), float(gap)) if how == "order" else (float(i), float(j), float(gap))


PAIR = [Mistake(*words, partial(worst_of, how=words[0])) for words in [
    *DIRECTIONS,
    ("best", "This is the pair that violates least.", "argmin of F where beta may grow, argmax where it may shrink."),
    ("order", "i and j are exchanged.", "i is the one that may grow, with the smallest F."),
    ("sign", "i and j are right; the violation has the wrong sign.", "F[j] - F[i], positive where the pair violates."),
    ("one-side", "i and j are right; the violation is the difference of two values of F.", "F[j] - F[i]"),
]]


@task(CHAPTER, "One round: the worst pair", PAIR)
def worst_pair(find: Answer) -> str:
    """`worst_pair(F, alpha, y, C)` returns i, j and the violation."""
    compare(find, [state(seed) for seed in range(12)], worst_of, ("i", "j", "the violation"), PAIR)
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
    rank = np.argsort(v if how == "smallest" else -v, kind="stable")
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
    return "who violates stays or joins, who is clearly satisfied leaves."


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
