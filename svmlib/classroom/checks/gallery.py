"""Checks of chapter 09: Gaussian and polynomial kernels, the prefactor of the programming sheet, the report's data."""
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, blank, compare, filled, task

CHAPTER = "09_gallery_of_kernels"


def pairs_of_sets(count: int = 3) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points X (5, 3) and Z (4, 3)."""
    drawn = (np.random.default_rng(seed).normal(size=(9, 3)) for seed in range(count))
    return [(P[:5], P[5:]) for P in drawn]


# ---- the polynomial kernel -------------------------------------------------------------------------------------------
def polynomial(X: np.ndarray, Z: np.ndarray, Q: int, a: float, b: float, how: str = "") -> tuple[np.ndarray]:
    """(a x'z + b)^Q, or a known mistake."""
    s = X @ Z.T
    values = {
        "": (a * s + b) ** Q, "b-outside": (a * s) ** Q + b, "a-outside": a * (s + b) ** Q,
        "without-a": (s + b) ** Q, "without-b": (a * s) ** Q, "coordinates": (a * X**Q) @ (Z**Q).T + b,
        "times-Q": Q * (a * s + b), "exchanged": (b * s + a) ** Q,
    }
    return (values[how],)


POLYNOMIAL = [Mistake(key, message, hint, partial(polynomial, how=key)) for key, message, hint in [
    ("b-outside", "b is added after the power.", "(a x'z + b) is the base."),
    ("a-outside", "a multiplies the power, not the inner product.", "(a x'z + b) is the base."),
    ("without-a", "a is missing.", "(a x'z + b)^Q"),
    ("without-b", "b is missing: this kernel has features of degree Q only.", "(a x'z + b)^Q"),
    ("coordinates", "The power is taken of each coordinate, before the inner product.",
     "First the inner product, one number for each pair; then the power."),
    ("times-Q", "This multiplies by Q.", "** is the power in Python."),
    ("exchanged", "a and b are exchanged.", "a multiplies, b is added."),
]]


@task(CHAPTER, "The polynomial kernel", POLYNOMIAL)
def polynomial_kernel(k: Answer) -> str:
    """`polynomial(X, Z, Q, a, b)` returns the values for all pairs, (n, m)."""
    numbers = ((2, 1.5, 0.5), (3, 0.5, 2.0), (4, 2.0, 1.0))
    cases = [(*points, *three) for points, three in zip(pairs_of_sets(), numbers, strict=True)]
    compare(k, cases, polynomial, ("K",), POLYNOMIAL)
    return "a row for each x, a column for each z."


# ---- the Gaussian ----------------------------------------------------------------------------------------------------
def gaussian(X: np.ndarray, Z: np.ndarray, sigma: float, how: str = "") -> tuple[np.ndarray]:
    """exp(-|x - z|^2 / (2 sigma^2)), or a known mistake."""
    difference = X[:, None] - Z[None]
    d2 = (difference**2).sum(axis=2)
    scale = 2 * sigma**2
    values = {
        "": np.exp(-d2 / scale), "plus": np.exp(d2 / scale), "sigma-not-squared": np.exp(-d2 / (2 * sigma)),
        "no-two": np.exp(-d2 / sigma**2), "four": np.exp(-d2 / (2 * sigma) ** 2),
        "prefactor": np.exp(-d2 / scale) / np.sqrt(2 * np.pi * sigma**2), "distance": np.exp(-np.sqrt(d2) / scale),
        "sum-first": np.exp(-difference.sum(axis=2) ** 2 / scale), "times": np.exp(-d2 * scale),
        "precedence": np.exp(-d2 / 2 * sigma**2), "mean": np.exp(-d2 / X.shape[1] / scale),
    }
    return (values[how],)


GAUSSIAN = [Mistake(key, message, hint, partial(gaussian, how=key)) for key, message, hint in [
    ("plus", "The minus sign is missing: the kernel grows with the distance.",
     "At distance 0 it is 1, far away 0. The report's formula (5.10) lacks the minus; do not follow it."),
    ("sigma-not-squared", "sigma is not squared.",
     "The lecture notes print 2 sigma although they call sigma² the variance; here it is 2 sigma²."),
    ("no-two", "The 2 in front of sigma² is missing.", "exp(-d² / (2 sigma²))"),
    ("four", "The 2 is squared as well: (2 sigma)² is 4 sigma².", "2 * sigma**2"),
    ("prefactor", "The values have the prefactor of the programming sheet; asked for is the kernel without it.",
     "At distance 0 the value is 1."),
    ("distance", "The distance is not squared.", "The sum of squares needs no root."),
    ("sum-first", "The differences are added before they are squared: opposite ones cancel.",
     "Square each coordinate of x - z, then add."),
    ("times", "The squared distance is multiplied by 2 sigma², not divided by it.", "A larger sigma reaches farther."),
    ("precedence", "-d2 / 2 * sigma**2 divides by 2 and multiplies by sigma².", "Brackets: d2 / (2 * sigma**2)"),
    ("mean", "This is the mean over the coordinates; |x - z|² is their sum.", ".sum(axis=2)"),
]]


@task(CHAPTER, "The Gaussian kernel", GAUSSIAN)
def gaussian_kernel(k: Answer) -> str:
    """`gaussian(X, Z, sigma)` returns the values for all pairs, (n, m)."""
    cases = [(X, Z, sigma) for (X, Z), sigma in zip(pairs_of_sets(), (0.7, 1.7, 2.6), strict=True)]
    compare(k, cases, gaussian, ("K",), GAUSSIAN)
    return "1 at distance 0, and falling."


# ---- the prefactor ---------------------------------------------------------------------------------------------------
def without_prefactor(C: float, alpha: np.ndarray, sigma: float, how: str = "") -> tuple[float, np.ndarray]:
    """C and alpha of the same machine with the kernel that has no prefactor, or a known mistake."""
    c = 1 / np.sqrt(2 * np.pi * sigma**2)
    c = {"no-root": c**2, "sigma-not-squared": 1 / np.sqrt(2 * np.pi * sigma), "inverse": 1 / c,
         "two-forgotten": 1 / np.sqrt(np.pi * sigma**2), "unchanged": 1.0}.get(how, c)
    return C if how == "C-unchanged" else c * C, (
        alpha if how == "alpha-unchanged" else alpha / c if how == "alpha-inverse" else c * alpha)


PREFACTOR = [Mistake(key, message, hint, partial(without_prefactor, how=key)) for key, message, hint in [
    ("inverse", "C and alpha are divided by the prefactor; they are to be multiplied by it.",
     "In f stands alpha c k: which alpha' makes alpha' k the same?"),
    ("unchanged", "Nothing changes in your answer. But with C as it was another machine comes out.",
     "The bound alpha <= C has to move with alpha."),
    ("alpha-unchanged", "C is right; alpha has to change, too.", "f = sum alpha y (c k) + b = sum alpha' y k + b"),
    ("C-unchanged", "alpha is right; its bound C has to change, too.", "alpha <= C becomes alpha' <= C'."),
    ("alpha-inverse", "C is right; alpha is divided where it should be multiplied.", "C is the bound of alpha: both "
     "change by the same factor."),
    ("no-root", "The root of the prefactor is missing.", "c = 1 / sqrt(2 pi sigma²)"),
    ("sigma-not-squared", "In the prefactor sigma is not squared.", "c = 1 / sqrt(2 pi sigma²)"),
    ("two-forgotten", "The 2 of the prefactor is missing.", "c = 1 / sqrt(2 pi sigma²)"),
]]


@task(CHAPTER, "Programming sheet, Aufgaben 3 and 4: the prefactor", PREFACTOR)
def prefactor(change: Answer) -> str:
    """`without_prefactor(C, alpha, sigma)` returns C and alpha of the same machine for the kernel without it."""
    cases = [(C, np.random.default_rng(k).choice([0.0, 0.4, 1.0], 6) * C, sigma)
             for k, (C, sigma) in enumerate(((10.0, 0.125), (10.0, 2.0), (3.0, 0.5)))]
    compare(change, cases, without_prefactor, ("C", "alpha"), PREFACTOR)
    return "C = 10 of the sheet is 31.9 for sigma = 0.125, and 2.0 for sigma = 2."


# ---- the report's experiments ----------------------------------------------------------------------------------------
#: Training errors on `km40m2` of (x'z + 1)^Q, Q = 1, …, 6, at C = 1000; a test computes them anew.
ERRORS = (13, 8, 4, 0, 0, 0)
#: The same at C = 1.
ERRORS_C_1 = (14, 7, 5, 0, 0, 0)
#: The same without the + 1.
ERRORS_HOMOGENEOUS = (13, 17, 10, 15, 8, 15)

REPORT_POLYNOMIALS = [
    Mistake("accuracy", "These are shares of right points; asked for are numbers of wrong ones.",
            "np.sum(machine.predict(X) != y)"),
    Mistake("share", "These are shares; asked for are numbers of wrong points, of 40.", "Multiply by 40."),
    Mistake("right-points", "These are numbers of right points.", "!= in the place of =="),
    Mistake("off-by-one", "The list begins with another degree: the first entry belongs to Q = 1.", "range(1, 7)"),
    Mistake("homogeneous", "These are the errors for (x'z)^Q, without + 1.", "a = b = 1"),
    Mistake("reversed", "The list runs from Q = 6 to Q = 1."),
    Mistake("C-is-one", "These are the errors with C = 1; the report's machines have C = 1000.",
            "SVC(kernel, C=1000): the default of C is 1."),
]


@task(CHAPTER, "Report, section 6.6: which degree", REPORT_POLYNOMIALS)
def report_6_6(errors: Any) -> str:
    """Numbers of training errors on KM40M2's stand-in for Q = 1, …, 6."""
    known = {m.key: m for m in REPORT_POLYNOMIALS}
    if errors is None or errors is Ellipsis or (isinstance(errors, (list, dict)) and not errors):
        raise blank("errors", variable=True) if errors is None or errors is Ellipsis else Wrong(
            "blank", "errors is empty: it is not written yet.", "errors.append(...) in the loop, once for each Q.")
    got = as_array(list(errors.values()) if isinstance(errors, dict) else errors, "errors", (6,))
    right = np.array(ERRORS, float)

    def near(target: Any, slack: float = 1.0) -> bool:
        return bool(np.all(np.abs(got - np.asarray(target)) <= slack))

    if near(ERRORS_C_1, 0.5):
        raise known["C-is-one"].wrong()
    if near(right) and not got[3:].any():
        return "of these degrees 4, 5 and 6 separate the training points."
    for key, target, slack in (
            ("homogeneous", ERRORS_HOMOGENEOUS, 1.0), ("reversed", right[::-1], 1.0),
            ("accuracy", 1 - right / 40, 0.026), ("share", right / 40, 0.026), ("right-points", 40 - right, 1.0)):
        if near(target, slack):
            raise known[key].wrong()
    if np.abs(got[1:] - right[:5]).max() <= 1 or np.abs(got[:5] - right[1:]).max() <= 1:
        raise known["off-by-one"].wrong()
    wrong = int(np.argmax(np.abs(got - right)))
    raise Wrong("unknown", f"The number for Q = {wrong + 1} is {got[wrong]:g}; a machine with C = 1000 and a = b = 1 "
                "makes another number of errors.", "Polynomial(Q=Q, a=1, b=1), trained on X, y of km40m2().")


ENCLOSED = [
    Mistake("always-plus", "One class is enclosed at one gamma, the other one at the other.",
            "Far from all points f is b: look at the sign of b for both."),
    Mistake("outside", "These are the classes outside; asked for is the one that is enclosed.",
            "Far away f = b, and the class of its sign is the one outside."),
    Mistake("b-itself", "These are the values of b; asked for is the class, +1 or -1.", "Its sign decides."),
    Mistake("b", "b belongs to other machines than those with C = 100 and gamma = 1 and 1.5.",
            "Gaussian(gamma=1.0), C = 100; intercept_ is b. gamma = 1.5 is not sigma = 1.5."),
]


@task(CHAPTER, "Report, section 6.7: who encloses whom", ENCLOSED)
def report_6_7(enclosed: Any, values_of_b: Any) -> str:
    """The enclosed class for gamma = 1 and 1.5, and b of both machines."""
    known = {m.key: m for m in ENCLOSED}
    filled(**{f"{name}[{k}]": v for name, values in (("enclosed", enclosed), ("values_of_b", values_of_b))
              if isinstance(values, (list, tuple)) for k, v in enumerate(values)})
    got, b = as_array(enclosed, "enclosed", (2,)), as_array(values_of_b, "values_of_b", (2,))
    b_right = np.allclose(b, [-0.089, 0.033], atol=0.012)
    if np.allclose(got, b):
        raise known["b-itself"].wrong()
    if got[0] == got[1]:
        raise known["always-plus"].wrong()
    if not b_right:
        raise known["b"].wrong()
    if got.tolist() == [-1, 1]:
        raise known["outside"].wrong()
    if got.tolist() != [1, -1]:
        raise Wrong("labels", "The classes are +1 and -1.")
    return "f goes to b far away, so the class of the other sign is bounded."
