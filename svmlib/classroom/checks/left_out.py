"""Checks of chapter 18: the tube, its dual and its support, one class; from `scores`, probabilities and sparse rows.

The loops and fits are in `scores`, the formulas here; an exercise sees one module.
"""
from functools import partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, compare, task
from svmlib.classroom.checks.scores import csr_product, held_out, platt

__all__ = ["csr_product", "fewest", "held_out", "platt", "tube_kinds", "tube_loss", "tube_predict", "tube_problem"]

CHAPTER = "18_regression_novelty_probability"


# ---- the tube --------------------------------------------------------------------------------------------------------
def readings(seed: int, n: int = 9) -> tuple[np.ndarray, np.ndarray, float]:
    """Targets, values of f above and below them, and epsilon."""
    rng = np.random.default_rng(seed)
    y = 3 * rng.normal(size=n)
    return y, y + rng.permutation(np.linspace(-1.3, 1.2, n)), (0.3, 0.5, 0.8)[seed]


def loss(y: np.ndarray, f: np.ndarray, epsilon: float, how: str = "") -> tuple[np.ndarray]:
    """max(0, |y - f| - epsilon), or a known mistake."""
    r = np.abs(y - f)
    over = np.maximum(0, r - epsilon)
    values = {
        "no-max": r - epsilon, "jump": np.where(r > epsilon, r, 0), "squared": over**2, "no-tube": r,
        "above-only": np.maximum(0, y - f - epsilon), "below-only": np.maximum(0, f - y - epsilon),
        "hinge": np.maximum(0, 1 - y * f), "half": np.maximum(0, r - epsilon / 2), "capped": np.minimum(r, epsilon),
        "plus": r + epsilon,
    }
    return (values.get(how, over),)


LOSS = [Mistake(key, message, hint, partial(loss, how=key)) for key, message, hint in [
    ("no-max", "Points inside the tube have a negative loss.", "They cost nothing."),
    ("jump", "The loss jumps at the edge of the tube: epsilon is not subtracted outside.", "At |y - f| = epsilon it is "
     "0, and it grows from there."),
    ("squared", "The loss is squared.", "Outside of the tube it is linear."),
    ("no-tube", "The tube is missing: every deviation costs.", "Up to epsilon nothing is paid."),
    ("above-only", "Only points above the tube pay.", "A deviation counts in both directions."),
    ("below-only", "Only points below the tube pay.", "A deviation counts in both directions."),
    ("hinge", "This is the hinge loss, for labels; here y is a number to be met.", "What counts is y - f."),
    ("half", "Your tube is half as wide: epsilon is the distance from f to the edge.", "From f - epsilon to "
     "f + epsilon."),
    ("capped", "The loss is the part inside the tube; asked for is the part outside.", "max, not min."),
    ("plus", "epsilon is added.", "What is within epsilon is free."),
]]


@task(CHAPTER, "The loss of the tube", LOSS)
def tube_loss(cost: Answer) -> str:
    """`tube_loss(y, f, epsilon)` returns the loss of each point."""
    compare(cost, [readings(seed) for seed in range(3)], loss, ("the loss",), LOSS)
    return "free inside, linear outside."


def doubled(y: np.ndarray, epsilon: float, C: float, how: str = "") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """p, lo and hi of the doubled problem, upward copies first; or a known mistake."""
    e, zero, full = np.full(len(y), epsilon), np.zeros(len(y)), np.full(len(y), C)
    ps: dict[str, np.ndarray] = {
        "epsilon-sign": np.r_[y + e, y - e], "epsilon-same": np.r_[y - e, y - e], "no-epsilon": np.r_[y, y],
        "negated": np.r_[y - e, -y - e], "sign-of-p": -np.r_[y - e, y + e], "": np.r_[y - e, y + e],
    }
    lo, hi = {"alpha-box": (np.r_[zero, zero], np.r_[full, full]), "wide": (-np.r_[full, full], np.r_[full, full]),
              "boxes-exchanged": (np.r_[-full, zero], np.r_[zero, full]),
              "upside-down": (np.r_[zero, zero], np.r_[full, -full])}.get(how, (np.r_[zero, -full], np.r_[full, zero]))
    if how == "order":
        return np.r_[y + e, y - e], np.r_[-full, zero], np.r_[zero, full]
    if how == "interleaved":
        turns = np.arange(2 * len(y)).reshape(2, -1).T.ravel()
        return ps[""][turns], lo[turns], hi[turns]
    return ps.get(how, ps[""]), lo, hi


DOUBLED = [Mistake(key, message, hint, partial(doubled, how=key)) for key, message, hint in [
    ("epsilon-sign", "The signs of epsilon are exchanged: the tube would have a negative width.",
     "Pulling up is worth it only from y - f > epsilon on."),
    ("epsilon-same", "Both copies have y - epsilon: pulling down gets no tube, but a subsidy.",
     "In beta = -alpha* the term -epsilon alpha* is +epsilon beta."),
    ("no-epsilon", "epsilon is missing in p.", "The linear term: y beta - epsilon (alpha + alpha*)."),
    ("negated", "For the downward copies y is negated, too. Its variable is -alpha*, with the minus in it already.",
     "y (alpha - alpha*) is y times the sum of both betas."),
    ("sign-of-p", "p has the wrong sign: the problem is 1/2 beta' K beta - p' beta.", "p is what pulls."),
    ("alpha-box", "Both boxes are [0, C]: those are the bounds of alpha and alpha*. The second variable is -alpha*.",
     "0 <= alpha* <= C, multiplied by -1."),
    ("wide", "Both boxes are [-C, C]: then each copy could pull both ways.", "One goes up only, the other down only."),
    ("boxes-exchanged", "The boxes are exchanged.", "The first n are alpha >= 0."),
    ("upside-down", "lo is above hi for the downward copies.", "-C is the smaller one."),
    ("interleaved", "The two copies of a point stand side by side; expected are first all upward copies, then all "
     "downward ones.", "np.r_[…, …] of two arrays, no loop that appends both."),
    ("order", "The downward copies come first; expected are the upward ones.", "First alpha, then -alpha*."),
]]


@task(CHAPTER, "The tube for a solver: each point twice", DOUBLED)
def tube_problem(make: Answer) -> str:
    """`tube_problem(y, epsilon, C)` returns p, lo and hi, each (2 n,), upward copies first."""
    cases = [(readings(seed)[0], epsilon, C) for seed, (epsilon, C) in enumerate(((0.3, 1.0), (0.1, 5.0), (0.7, 0.5)))]
    n, first = len(cases[0][0]), make(*cases[0])
    if isinstance(first, (tuple, list)) and len(first) == 3 and all(np.size(part) == n for part in first):
        raise Wrong("not-doubled", "The arrays have one entry a point; each point is there twice.",
                    "np.concatenate or np.r_ of the upward and the downward copies.")
    compare(make, cases, doubled, ("p", "lo", "hi"), DOUBLED)
    return "nothing new has to be solved."


def value(K: np.ndarray, pulls: np.ndarray, b: float, how: str = "") -> tuple[np.ndarray]:
    """K (alpha - alpha*) + b, or a known mistake."""
    up, down = np.split(pulls, 2)
    beta = {"sum": up + down, "reversed": down - up, "up-only": up, "interleaved": pulls[::2] - pulls[1::2]}.get(
        how, up - down)
    return (K @ beta + {"minus-b": -b, "no-b": 0.0, "b-each": b * beta.sum()}.get(how, b),)


VALUE = [Mistake(key, message, hint, partial(value, how=key)) for key, message, hint in [
    ("sum", "alpha and alpha* are added: one pulls up, the other down.", "beta = alpha - alpha*"),
    ("reversed", "beta has the wrong sign.", "beta = alpha - alpha*; alpha comes first."),
    ("up-only", "alpha* is missing: nothing pulls down.", "The second half of the array."),
    ("interleaved", "The array holds first all alpha, then all alpha*, not in turns.", "Cut it in the middle."),
    ("minus-b", "b is subtracted.", "f = K beta + b"),
    ("no-b", "b is missing.", "f = K beta + b"),
]]


@task(CHAPTER, "The regression function", VALUE)
def tube_predict(predict: Answer) -> str:
    """`predict(K, pulls, b)` returns f at m points; K (m, n), pulls (2 n,): alpha, then alpha*."""
    def case(seed: int, m: int, n: int) -> tuple[np.ndarray, np.ndarray, float]:
        rng = np.random.default_rng(seed)
        pulls = rng.uniform(0, 2, n) * (rng.random(n) < 0.7)
        up = rng.random(n) < 0.5
        return rng.normal(size=(m, n)), np.r_[pulls * up, pulls * ~up], rng.normal() + 2

    compare(predict, [case(0, 4, 6), case(1, 7, 8), case(2, 3, 10)], value, ("f",), VALUE)
    return "a sum over the points that pull."


def kind(y: np.ndarray, f: np.ndarray, epsilon: float, tol: float, how: str = "") -> tuple[np.ndarray]:
    """0 inside the tube, 1 on its edge within tol, 2 outside; or a known mistake."""
    r = y - f if how == "one-sided" else np.abs(y - f)
    width = epsilon / 2 if how == "half" else epsilon
    edge = np.zeros(len(y), bool) if how == "exact" else np.abs(r) <= tol if how == "centre" else abs(r - width) <= tol
    edge = {"outer-only": edge & (r >= width), "inner-only": edge & (r <= width)}.get(how, edge)
    kinds = np.where(edge, 1, np.where(r < width, 0, 2))
    kinds = {"exchanged": 2 - kinds, "edge-inside": np.where(kinds == 1, 0, kinds),
             "edge-outside": np.where(kinds == 1, 2, kinds), "support": np.where(kinds > 0, 1, 0)}.get(how, kinds)
    return (kinds.astype(float),)


KINDS = [Mistake(key, message, hint, partial(kind, how=key)) for key, message, hint in [
    ("one-sided", "You compare y - f without its absolute value: points below the tube count as inside.",
     "The tube has two edges."),
    ("exact", "Points within tol of the edge are not on it in your answer; a solver stops within a tolerance.",
     "Within tol of epsilon."),
    ("outer-only", "A point that lies inside the tube by less than tol is on the edge, too.",
     "abs(r - epsilon) <= tol"),
    ("inner-only", "A point that lies outside of the tube by less than tol is on the edge, too.",
     "abs(r - epsilon) <= tol"),
    ("centre", "Your edge is where f meets y; the edge of the tube is epsilon away from f.", "|y - f| near epsilon."),
    ("half", "Your tube is half as wide.", "epsilon is the distance from f to the edge."),
    ("exchanged", "Inside and outside are exchanged.", "0 is inside, 2 is outside."),
    ("edge-inside", "Points on the edge count as inside.", "They get a 1."),
    ("edge-outside", "Points on the edge count as outside.", "They get a 1."),
    ("support", "Edge and outside are not told apart; their |beta| differ: at most C, and C.", "0, 1 and 2."),
]]


@task(CHAPTER, "Inside, edge, outside", KINDS)
def tube_kinds(sort: Answer) -> str:
    """`kinds(y, f, epsilon, tol)` returns 0, 1 or 2 for each point."""
    def case(seed: int, epsilon: float, tol: float) -> tuple[np.ndarray, np.ndarray, float, float]:
        rng = np.random.default_rng(seed)
        near = epsilon + tol * np.array([-0.7, 0.6, 0.4, -0.5])
        r = np.r_[near * [1, 1, -1, -1], 0.1 * tol, epsilon * np.array([0.2, -0.6, 0.7, 1.5, -1.4, 2.0, -3.0])]
        y = rng.normal(size=len(r))
        return y, y - rng.permutation(r), epsilon, tol

    compare(sort, [case(0, 0.3, 1e-3), case(1, 1.0, 1e-2), case(2, 0.05, 1e-4)], kind, ("the kinds",), KINDS)
    return "those inside have no say."


# ---- one class -------------------------------------------------------------------------------------------------------
FEWEST = [Mistake(*words) for words in [
    ("sum-one", "The alpha add up to 1, as in the paper of 2001, where the bound is 1 / (nu n). Here the bound is 1.",
     "Multiply all by nu n."),
    ("nu-only", "The alpha add up to nu; they should add up to nu n.", "How many points are there?"),
    ("remainder-lost", "The sum is too small by a fraction of 1: nu n is not a whole number.",
     "One more point takes the rest."),
    ("rounded-up", "The sum is nu n rounded up.", "The last of the positive ones gets less than 1."),
    ("above-one", "Some alpha is above its bound 1.", "No point can carry more than 1."),
    ("negative", "Some alpha is negative.", "0 <= alpha <= 1"),
    ("uniform", "Every point carries nu. That is feasible, but asked for are as few positive ones as possible.",
     "Fill up one point after the other."),
    ("too-many", "Feasible, but with more positive alpha than necessary.", "Fill each up to 1 before the next begins."),
]]


@task(CHAPTER, "One class: with as few as possible", FEWEST)
def fewest(fill: Answer) -> str:
    """`fewest(n, nu)` returns alpha (n,), feasible, with as few positive entries as possible."""
    known = {m.key: m for m in FEWEST}
    for n, nu in ((7, 0.5), (83, 0.1), (40, 0.25), (6, 1.0), (9, 0.05)):
        alpha, aim = as_array(fill(n, nu), "alpha", (n,)), nu * n
        total, positive = alpha.sum(), int(np.sum(alpha > 1e-9))
        if alpha.min() < -1e-9:
            raise known["negative"].wrong()
        if alpha.max() > 1 + 1e-9:
            raise known["above-one"].wrong()
        if abs(total - aim) > 1e-9 * n:
            for key, other in (("sum-one", 1.0), ("nu-only", nu), ("remainder-lost", np.floor(aim)),
                               ("rounded-up", np.ceil(aim))):
                if abs(total - other) < 1e-9 * n:
                    raise known[key].wrong()
            raise Wrong("sum", f"For n = {n} and nu = {nu:g} the alpha add up to {total:.4g}.", "nu n")
        if positive > np.ceil(aim):
            raise known["uniform" if np.ptp(alpha) < 1e-9 else "too-many"].wrong()
    return "nu n rounded up is the least number of support vectors, nu n rounded down the most that can be at 1."
