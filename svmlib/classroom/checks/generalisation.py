"""Checks of chapter 12: the bounds of Theorems 15.7 and 15.8, and the measurements to hold against them."""
from collections.abc import Callable
from functools import partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, compare, task

CHAPTER = "12_why_margins_generalise"


# ---- the bound -------------------------------------------------------------------------------------------------------
def bound(gamma: float, rho: float, m: int, delta: float, how: str = "") -> tuple[float]:
    """Theorem 15.7: (2 rho/gamma + sqrt(2 ln(2/delta))) / sqrt m, or a known mistake."""
    luck = {"log10": np.sqrt(2 * np.log10(2 / delta)), "log-of-delta": np.sqrt(2 * np.log(1 / delta)),
            "no-inner-root": 2 * np.log(2 / delta), "one-of-two": np.sqrt(np.log(2 / delta)),
            "two-outside": 2 * np.sqrt(np.log(2 / delta)),
            }.get(how, np.sqrt(2 * np.log(2 / delta)))
    ratio = {"inverse": 2 * gamma / rho, "no-two": rho / gamma,
             "squared": 2 * (rho / gamma) ** 2}.get(how, 2 * rho / gamma)
    if how == "bias":
        ratio, luck = 4 * rho / gamma, np.sqrt(np.log(1 / delta) / 2)
    return (float({"over-m": (ratio + luck) / m, "first-only": ratio / np.sqrt(m) + luck,
                   "second-only": ratio + luck / np.sqrt(m)}.get(how, (ratio + luck) / np.sqrt(m))),)


BOUND = [Mistake(key, message, hint, partial(bound, how=key)) for key, message, hint in [
    ("over-m", "You divide by m; the bound falls like 1/√m.", "np.sqrt(m)"),
    ("first-only", "Only the first term is divided by √m.", "Brackets around the sum."),
    ("second-only", "Only the second term is divided by √m.", "Brackets around the sum."),
    ("log10", "This is the logarithm to the base 10; ln is the natural one.", "np.log"),
    ("log-of-delta", "The logarithm is that of 1/δ; the theorem has 2/δ.", "ln(2/δ)"),
    ("no-inner-root", "The root over 2 ln(2/δ) is missing.", "np.sqrt(2 * np.log(2 / delta))"),
    ("one-of-two", "The 2 under the root is missing.", "2 ln(2/δ)"),
    ("two-outside", "The 2 stands before the root; it belongs under it.", "np.sqrt(2 * np.log(2 / delta))"),
    ("inverse", "γ/ρ stands upside down: a wide margin should make the bound small.", "ρ/γ"),
    ("no-two", "The 2 before ρ/γ is missing.", "2ρ/γ"),
    ("squared", "ρ/γ is squared. That belongs to the number of points that are needed.", "2ρ/γ"),
    ("bias", "This is the bound for a machine with a bias; asked for is the homogeneous one.",
     "The theorem of the chapter with 2ρ/γ."),
]]

CASES = [(0.2, 1.0, 400, 0.05), (0.5, 3.0, 90, 0.1), (0.04, 0.7, 5000, 0.01)]


@task(CHAPTER, "The bound of the hard margin", BOUND)
def margin_bound(value: Answer) -> str:
    """`bound(gamma, rho, m, delta)` returns the bound of the homogeneous hard margin."""
    compare(value, CASES, bound, ("the bound",), BOUND)
    return "without the dimension."


def needed(gamma: float, rho: float, delta: float, error: float, how: str = "") -> tuple[float]:
    """The smallest whole m whose bound is below `error`, or a known mistake."""
    one = bound(gamma, rho, 1, delta)[0]
    m = {"no-square": one / error, "error-forgotten": one**2, "error-not-squared": one**2 / error,
         "times-error": (one * error) ** 2, "error-root": one**2 / np.sqrt(error)}.get(how, (one / error) ** 2)
    return (float({"not-whole": m, "floor": np.floor(m), "rounded": np.round(m)}.get(how, np.floor(m) + 1)),)


NEEDED = [Mistake(key, message, hint, partial(needed, how=key)) for key, message, hint in [
    ("floor", "One point too few: with your m the bound is still above.", "Round up."),
    ("rounded", "You round to the nearest whole number: where it is the one below, the bound is still above `error`.",
     "Round up."),
    ("not-whole", "This m is no whole number.", "Round up."),
    ("no-square", "The square is missing: half the error takes four times as many points.",
     "√m stands in the bound; solve for m."),
    ("error-forgotten", "This is the m for a bound below 1, whatever error is asked for.", "error enters."),
    ("error-not-squared", "The error enters without its square.", "√m > (…)/error; square both sides."),
    ("times-error", "A smaller error should take more points: you multiply where you should divide.",
     "√m > (…)/error"),
    ("error-root", "The error enters by its root; it should enter by its square.", "√m > (…)/error, squared."),
]]


@task(CHAPTER, "Points until the bound says something", NEEDED)
def points_needed(count: Answer) -> str:
    """`points_needed(gamma, rho, delta, error)` returns the smallest m with a bound below error."""
    cases = [(0.2, 1.0, 0.05, 1.0), (0.5, 1.0, 0.05, 0.1), (0.13, 2.0, 0.1, 0.3), (0.5, 1.0, 0.05, 1.0)]
    compare(count, cases, needed, ("m",), NEEDED)
    return "the bound is one for each distribution with this γ and ρ."


# ---- gamma and rho ---------------------------------------------------------------------------------------------------
def gamma_rho(w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float, float]:
    """gamma and rho of the uniform distribution on the points for the plane (w, b), or a known mistake."""
    f, norms = y * (X @ w + b), np.linalg.norm(X, axis=1)
    size = {"not-divided": 1.0, "squared-norm": w @ w,
            "norm-with-b": np.sqrt(w @ w + b * b)}.get(how, np.linalg.norm(w))
    gamma = {"full-band": 2 * f.min() / size, "mean-margin": f.mean() / size, "unsigned": np.abs(f).min() / size,
             "without-b": (y * (X @ w)).min() / size,
             "b-not-divided": (y * (X @ w / size + b)).min()}.get(how, f.min() / size)
    rho = {"mean-length": norms.mean(), "coordinate": np.abs(X).max(), "squared": norms.max() ** 2,
           "centred": np.linalg.norm(X - X.mean(axis=0), axis=1).max(), "shortest": norms.min(),
           "matrix-norm": np.linalg.norm(X)}.get(how, norms.max())
    return float(gamma), float(rho)


GAMMA = [Mistake(key, message, hint, partial(gamma_rho, how=key)) for key, message, hint in [
    ("not-divided", "In the definition |w| = 1; your γ is that of a w of another length.", "Divide by |w|."),
    ("squared-norm", "γ is divided by |w|²; the distance of a point is y f / |w|.", "np.linalg.norm(w)"),
    ("norm-with-b", "The length is that of (w, b); b has no part in it.", "np.linalg.norm(w)"),
    ("full-band", "This is the whole band; γ is the distance from its middle.", "No factor 2."),
    ("mean-margin", "This is the mean of the distances; the definition asks for all points, so the smallest counts.",
     "min"),
    ("unsigned", "A point on the wrong side makes γ negative; here it counts as if it were right.", "y f, not |f|"),
    ("without-b", "b is missing in γ.", "y (w'x + b)"),
    ("b-not-divided", "w is divided by its length, but b is not: that moves the plane.", "(w'x + b) / |w|"),
    ("mean-length", "γ is right. ρ bounds the length of every point; this is the mean length.", "max"),
    ("coordinate", "γ is right. This is the largest coordinate; ρ bounds the length |x|.",
     "np.linalg.norm(X, axis=1)"),
    ("squared", "γ is right. This is ρ².", "A root."),
    ("centred", "γ is right. ρ is measured from the origin, not from the mean of the points.", "|x|"),
    ("shortest", "γ is right. This is the shortest point; ρ is the length of the longest.", "max"),
    ("matrix-norm", "γ is right. This is the norm of the whole matrix; ρ is the length of one row, the longest.",
     "axis=1"),
]]


@task(CHAPTER, "γ and ρ", GAMMA)
def margin_and_radius(measure: Answer) -> str:
    """`margin_and_radius(w, b, X, y)` returns gamma and rho."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        w, b, X = rng.normal(size=3) * 2, 0.7, rng.normal(size=(9, 3)) + 0.5
        f = X @ w + b
        y = np.where(f > 0, 1.0, -1.0)
        if seed == 2:
            y[np.argsort(np.abs(f))[3]] *= -1                               # a point on the wrong side
        cases.append((w, b, X, y))
    compare(measure, cases, gamma_rho, ("γ", "ρ"), GAMMA)
    return "their ratio has no units."


# ---- measuring -------------------------------------------------------------------------------------------------------
def cloud(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of two classes that overlap, in the plane."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], n)
    return rng.normal(size=(n, 2)) + 0.7 * y[:, None], y


class Nearest:
    """The label of the nearest training point: no training errors, and many others."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y = X, y

    def __call__(self, Z: np.ndarray) -> np.ndarray:
        return np.asarray(self.y[((Z[:, None] - self.X[None]) ** 2).sum(axis=2).argmin(axis=1)])


def measured(train: Callable, draw: Callable, m: int, seeds: list[int], how: str = "") -> tuple[np.ndarray]:
    """Share of errors on 2,000 fresh points for each seed, or a known mistake."""
    errors = []
    for seed in seeds:
        rule = train(*draw(seeds[0] if how == "one-training-set" else seed, m))
        Z, z = {"training": draw(seed, m), "same-seed": draw(seed, 2000), "few": draw(10_000 + seed, m),
                "one-test-set": draw(10_000 + seeds[0], 2000), "seed-forgotten": draw(10_000, 2000),
                }.get(how) or draw(10_000 + seed, 2000)
        wrong = rule(Z) != z
        errors.append({"accuracy": 1 - wrong.mean(), "counts": wrong.sum(), "percent": 100 * wrong.mean()}.get(
            how, wrong.mean()))
    return (np.array(errors, float),)


FRESH = [Mistake(key, message, hint, partial(measured, how=key)) for key, message, hint in [
    ("training", "These are errors on the training points. A rule that learns them by heart makes none.",
     "draw(10_000 + seed, 2000) gives fresh points."),
    ("same-seed", "Training and test points are drawn with the same seed: such points may be the same ones again.",
     "10_000 + seed for the test."),
    ("few", "The test has m points; asked for are 2,000, so that luck in the test is small.", "draw(…, 2000)"),
    ("one-test-set", "Each draw is tested on the same fresh points: one lucky test counts in all.", "10_000 + seed"),
    ("seed-forgotten", "Each draw is tested on the same fresh points: one lucky test counts in all.", "10_000 + seed"),
    ("one-training-set", "The training points are the same for all seeds: the spread is that of the test alone.",
     "Draw and train inside the loop."),
    ("accuracy", "These are shares of right answers; asked for are errors.", "!= in the place of =="),
    ("counts", "These are numbers of errors; asked for are shares.", "np.mean"),
    ("percent", "Give shares between 0 and 1, not percent.", "Do not multiply by 100."),
]]


@task(CHAPTER, "Errors on fresh points", FRESH)
def fresh_errors(errors: Answer) -> str:
    """`fresh_errors(train, draw, m, seeds)` returns an array with one share for each seed."""
    cases = [(Nearest, cloud, m, seeds) for m, seeds in ((20, [0, 1, 2, 3]), (40, [7, 5, 6]))]
    compare(errors, cases, measured, ("the errors",), FRESH)
    return "each draw has its own training points and its own test."


def interval(errors: np.ndarray, how: str = "") -> tuple[float, float]:
    """Mean, and half width of the 95 % interval of the mean; or a known mistake."""
    n, s = len(errors), errors.std(ddof=0 if how == "ddof" else 1)
    half = {"no-root": 1.96 * s, "no-root-ddof": 1.96 * errors.std(), "over-n": 1.96 * s / n,
            "one-sigma": s / np.sqrt(n), "whole": 2 * 1.96 * s / np.sqrt(n), "variance": 1.96 * s**2 / np.sqrt(n),
            "range": np.ptp(errors) / 2}.get(how, 1.96 * s / np.sqrt(n))
    return float(np.median(errors) if how == "median" else errors.mean()), float(half)


INTERVAL = [Mistake(key, message, hint, partial(interval, how=key)) for key, message, hint in [
    *((key, "This is the spread of single draws; their mean is more certain than one of them.",
       "Divide by the root of the number of draws.") for key in ("no-root", "no-root-ddof")),
    ("over-n", "You divide by the number of draws; it is its root.", "np.sqrt(len(errors))"),
    ("ddof", "The deviation is divided by n; about the draws' own mean it is n - 1.", "std(ddof=1)"),
    ("one-sigma", "The factor 1.96 is missing.", "1.96 makes it 95 %."),
    ("whole", "This is the whole width; asked for is the half.", "mean ± half"),
    ("variance", "This uses the variance; take its root.", "std"),
    ("range", "This is half of the range of the draws.", "The deviation, divided by the root of their number."),
    ("median", "The first number is the median; asked for is the mean.", "errors.mean()"),
]]


@task(CHAPTER, "Mean and interval", INTERVAL)
def mean_and_interval(value: Answer) -> str:
    """`mean_and_interval(errors)` returns the mean and the half width of its 95 % interval."""
    cases = [(np.random.default_rng(n).beta(2, 9, n),) for n in (5, 8, 12)]
    compare(value, cases, interval, ("the mean", "the half width"), INTERVAL)
    return "a mean without it is half a number."


# ---- the soft margin -------------------------------------------------------------------------------------------------
def choice(Bs: list[float], losses: list[float], rho: float, m: int, how: str = "") -> tuple[float, float]:
    """B with the smallest bound of Theorem 15.8, and its lambda; or a known mistake."""
    B, loss = np.array(Bs, float), np.array(losses, float)
    price = {"loss-only": 0.0, "no-root": 4 * rho * B / m, "no-two": 2 * rho * B * np.sqrt(1 / m), "half": rho * B
             * np.sqrt(2 / m)}.get(how, 2 * rho * B * np.sqrt(2 / m))
    best = int(np.argmin(price if how == "price-only" else loss + price))
    if how == "largest":
        best = int(np.argmax(loss + price))
    b = B[best]
    lam = {"lam-inverse": b / rho * np.sqrt(2 / m), "lam-no-root": rho / b * 2 / m,
           "lam-no-two": rho / b * np.sqrt(1 / m), "no-two": rho / b * np.sqrt(1 / m),
           "lam-C": b / (2 * rho * m * np.sqrt(2 / m))}.get(how, rho / b * np.sqrt(2 / m))
    return float(best if how == "index" else b), float(lam)


CHOICE = [Mistake(key, message, hint, partial(choice, how=key)) for key, message, hint in [
    ("loss-only", "This is the B of the smallest loss: the largest one. The price of a large B is missing.",
     "Add 2 ρ B sqrt(2/m)."),
    ("price-only", "This is the smallest B: the loss of the best competitor is missing.", "Add losses."),
    ("largest", "This is the B with the largest bound.", "argmin"),
    ("index", "The first number is a place in the list; asked for is B itself.", "Bs[i]"),
    ("half", "The price is halved: λ B² and 2 ρ²/(λ m) both contribute ρ B sqrt(2/m).", "2 ρ B sqrt(2/m)"),
    ("no-root", "The root over 2/m is missing in the price.", "np.sqrt(2 / m)"),
    ("no-two", "The root is that of 1/m; it should be that of 2/m.", "np.sqrt(2 / m)"),
    ("lam-inverse", "B is right. λ stands upside down: longer competitors need a smaller λ.", "ρ / B"),
    ("lam-no-root", "B is right. In λ the root over 2/m is missing.", "np.sqrt(2 / m)"),
    ("lam-no-two", "B is right. In λ the root is that of 1/m; it should be that of 2/m.", "np.sqrt(2 / m)"),
    ("lam-C", "B is right. The second number is C = 1/(2 λ m); asked for is λ.", "Return λ."),
]]


@task(CHAPTER, "The soft margin: which B", CHOICE)
def best_B(choose: Answer) -> str:
    """`best_B(Bs, losses, rho, m)` returns B with the smallest bound, and lambda."""
    Bs = [0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]
    losses = [0.4 + 0.6 / (1 + B) for B in Bs]
    cases = [(Bs, losses, 1.0, m) for m in (60, 300, 1500, 100_000)] + [(Bs, losses, 0.5, 500)]
    compare(choose, cases, choice, ("B", "λ"), CHOICE)
    return "chosen without looking at the sample."
