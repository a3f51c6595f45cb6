"""Checks of chapter 17 that need no machine: the bytes of K, its rows in a cache, and the exponent of a cost."""
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, compare, task

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
    room, both = mib * (10**6 if how.startswith("MB") else 2**20), how.removeprefix("MB-").removesuffix("-more")
    rows = room / (n * (8 if how == "always-8" else each))
    rows = {"fraction": rows, "rounded": float(round(rows)), "up": float(np.ceil(rows))}.get(both, float(rows // 1))
    if how == "numbers":
        rows = float(room // each)
    return (rows if how.endswith("more") or how == "more-than-n" else min(rows, float(n)),)


CACHE = [Mistake(key, message, hint, partial(cached, how=key)) for key, message, hint in [
    ("MB", "You count 10^6 bytes; the cache is given in MiB, 2^20 bytes each.", "A MiB is 2**20 bytes."),
    ("more-than-n", "Where the cache is large, you keep more rows than K has.", "min(…, n)"),
    ("fraction", "These are fractions of rows; half a row is of no use.", "The whole part only: //"),
    ("rounded", "You round to the nearest number: the last row may not fit.", "The whole part only: //"),
    ("up", "You round up: the last row does not fit.", "The whole part only: //"),
    ("always-8", "You count eight bytes a number, whatever `each` says.", "A row has n numbers of `each` bytes."),
    ("MB-more", "You count 10^6 bytes for a MiB, and where the cache is large you keep more rows than K has.",
     "A MiB is 2**20 bytes; and min(…, n)."),
    ("fraction-more", "These are fractions of rows, and where the cache is large they are more than K has.",
     "The whole part only: //; and min(…, n)."),
    ("rounded-more", "You round to the nearest number, and where the cache is large you keep more rows than K has.",
     "The whole part only: //; and min(…, n)."),
    ("MB-fraction", "You count 10^6 bytes for a MiB, and half a row is of no use.", "2**20 bytes, and the whole part."),
    ("MB-fraction-more", "You count 10^6 bytes for a MiB, keep fractions of rows, and more of them than K has.",
     "2**20 bytes, the whole part, and min(…, n)."),
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
    if how in ("exp-of-log10", "exp-of-log2"):
        return p, float(np.exp(c / np.log(10 if how == "exp-of-log10" else 2)))
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
    ("exp-of-log10", "The exponent is right. You took logarithms to base 10 and undid them with exp, which belongs to "
     "the natural one.", "10**c, or np.log throughout."),
    ("exp-of-log2", "The exponent is right. You took logarithms to base 2 and undid them with exp, which belongs to "
     "the natural one.", "2**c, or np.log throughout."),
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
