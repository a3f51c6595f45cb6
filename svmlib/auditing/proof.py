"""What can be proved of one machine: how far it is from the optimum, from alpha and b alone.

Glossary: f = K beta + b with beta = y alpha is the machine's function on the points of its problem; * is an optimum, of
which w* is unique and b* may not be.  kappa_i = sqrt(k(x_i, x_i)) is how long point i is in feature space.

The bound, for a feasible alpha and any b, whose primal value P(w, b) and dual value W(alpha) differ by the gap:

1. P - |w|^2 / 2 is convex, so P(w, b) - P* >= |w - w*|^2 / 2; as much holds of W* - W(alpha), whose w is the same.  The
   sum of both is the gap, P* = W*:                                          |w - w*| <= radius = sqrt(gap)
2. So k-sums, g = f - b, are off by at most radius kappa_i, and so are the thresholds t_i = p_i - g_i.
3. b* minimises the primal value for w* alone: a sum of hinges with kinks at the t*_i.  Its slope at b is

        s - sum of hi_i over t*_i > b - sum of lo_i over t*_i < b        (s = total; at a kink, anything between)

   and no t_i that grows can lower where it crosses 0.  So the crossings for t + radius kappa and for t - radius kappa
   have all b* between them, and each end of the interval of the b* as well.
4. Of this w the b with the least gap may be taken.  A machine at a distance from such a one, in w or in b, adds the
   distance: where its b is another, where its alpha is not feasible, or where it is compared with a better solution.

Where two lengthened hard margins are meant, P is that of s (w, b), see svmlib.dual.certificate, and 1. is applied to
the two points s w and w: with D = (s - 1) |w| between them, |w - w*| <= D / 2 + sqrt(gap).
"""
from dataclasses import dataclass
from math import fsum, inf, sqrt
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem, KernelPoints, Solution
from svmlib.dual.gram import nearly_psd
from svmlib.kernels import Precomputed

AT = 1e-8                  # an alpha this close to a bound is at it, in the certificate's words
CRUMBS = 1e-12             # of sum(alpha), or of C: what a solver's own rounding leaves of y'alpha = total
UNIT = 2.0 ** -50          # a few roundings of a sum of three numbers, relative


@dataclass(frozen=True, eq=False)
class Proof:
    """What is known of (alpha, b) on one problem, see the module's words.

    f, alpha (n,): decision values, and the nearest feasible alpha, of which gap, objective and gap_bound are: the last
    with what rounding may hide.  violation (n,): by how much each point breaks its KKT condition, in units of f;
    violation_bound: the largest, with rounding.  tolerance: see the function.  outside: by how much some alpha leaves
    its box; sum_error: y'alpha - total.  rounding: of f, at most.  negative: an eigenvalue of K below 0, or 0.
    reach: how far f can be from the optimum's.
    """

    f: np.ndarray
    alpha: np.ndarray
    gap: float
    gap_bound: float
    objective: float
    violation: np.ndarray
    violation_bound: float
    tolerance: float
    outside: float
    sum_error: float
    rounding: float
    negative: float
    reach: "Reach"


@dataclass(frozen=True, eq=False)
class Reach:
    """How far a machine can be from the optima: its coefficients differ by beta (n,) from one with w* within radius.

    at_points (n,): how far f is at most from that of the nearest optimum, at the points.  b_range: all optimal b lie in
    it; b_certain: an interval of optimal b, None where there may be one alone.  biases: how far b is from another one,
    and how far that one is at most from an optimal one, for two others, itself and the best for the coefficients.
    """

    beta: np.ndarray
    biases: tuple[tuple[float, float], tuple[float, float]]
    radius: float
    at_points: np.ndarray
    b_range: tuple[float, float]
    b_certain: tuple[float, float] | None


def prove(problem: BoxProblem, alpha: np.ndarray, b: float, groups: tuple[np.ndarray, ...] = (),
          better: Solution | None = None) -> Proof:
    """What can be proved of alpha (n,) and b, however wrong they are.

    groups: sets of points within which a solver with more equations compares, all of them together where empty.
    better: a solution of the same problem that the decision values are compared with, in place of the gap alone.
    """
    outside = float(max(np.max(-alpha), np.max(alpha - problem.C), 0.0))
    sum_error = fsum((problem.y * alpha).tolist()) - problem.total
    near = feasible(problem, alpha, sum_error)
    own, off = _Place.of(problem, near), _Distance.between(problem, problem.y * (alpha - near))
    best, f = problem.certificate(near, own.g, b), own.g + b + off.change
    error = off.error + own.error
    violation = problem.certificate(near, f - b, b).violation
    worst = float(np.max(violation + error + UNIT * (np.abs(f) + abs(b) + np.abs(problem.p))))
    negative = problem.negative_eigenvalue(near)
    place = own if better is None else _Place.of(problem, better.alpha)
    return Proof(f, near, best.gap, own.gap_bound(b), best.objective, violation, worst,
                 tolerance(problem, near, f - b, groups), outside, sum_error, float(error.max()), negative,
                 reach(place, problem.y * (alpha - place.alpha), b, error, negative))


def reach(place: "_Place", beta: np.ndarray, b: float, error: np.ndarray, negative: float) -> Reach:
    """The Reach of a machine with bias b whose coefficients differ by beta (n,) from feasible ones; error: of its f."""
    problem, t = place.problem, place.problem.p - place.g
    best = float(np.clip(b, *crossings(problem, t)))                # of the biases with the least gap, the nearest
    radius = inf if negative else place.radius(best)
    (low_least, low_most), (high_least, high_most) = place.biases(radius)
    near, best_near = (max(0.0, low_most - each, each - high_least) for each in (b, best))
    off = _Distance.between(problem, beta)
    change = np.minimum(np.abs(off.change) + near, np.abs(off.change + b - best) + best_near)
    length = radius * place.size if radius < inf else np.full(len(beta), inf)
    at_points = change + off.error + error + place.error + length + UNIT * (abs(b) + abs(best))
    return Reach(beta, ((0.0, near), (b - best, best_near)), radius, at_points, (low_least, high_most),
                 (low_most, high_least) if low_most < high_least else None)


def reach_of(problem: BoxProblem, proof: Proof, X: Any) -> np.ndarray:
    """How far f is at most from that of the nearest optimum, at other points X (m, d).

    Raises ValueError where the kernel is not known to be PSD, and is not on the points and these together.
    """
    kernel, found = problem.kernel, proof.reach
    if isinstance(kernel, Precomputed):
        raise ValueError("X: a Gram matrix does not hold k(x, x) of other points; the bounds at the training points "
                         "are in decision_bound")
    X = kernel.points(X, "X")
    if not kernel.psd:
        both = np.concatenate([problem.distinct.X, X])
        if not nearly_psd(kernel.block(both, both)):
            raise ValueError("X: the kernel is not positive semidefinite on the points and these together, so the gap "
                             "says nothing of decision values")
    size = np.sqrt(np.abs(kernel.diagonal(X)))
    rows = np.flatnonzero(found.beta)
    change = kernel.block(X, problem.X[rows]) @ found.beta[rows] if len(rows) else np.zeros(len(size))
    error = rounding_of(problem, found.beta) + 2.0 * rounding_of(problem, proof.alpha)
    ways = [np.abs(change + shift) + near for shift, near in found.biases]
    return np.minimum(*ways) + (found.radius + error) * size


def feasible(problem: BoxProblem, alpha: np.ndarray, sum_error: float) -> np.ndarray:
    """The alpha itself where it is feasible but for rounding, or one near it that is."""
    from svmlib.dual.certificate import settled

    inside = settled(np.clip(alpha, 0.0, problem.C), problem.C)
    crumbs = CRUMBS * max(float(inside.sum()), float(problem.C[~problem.hard].max(initial=0.0)))
    left = max(abs(sum_error), float(np.max(np.abs(inside - alpha))))
    return inside if left <= crumbs else problem.feasible(inside)


def tolerance(problem: BoxProblem, alpha: np.ndarray, g: np.ndarray, groups: tuple[np.ndarray, ...] = ()) -> float:
    """max over I_low of F minus min over I_up of F, F = g - p, or 0: a solver with this tol could have stopped here.

    Within each of the groups, where there are any; what is within 1e-8 of a bound counts as at it.
    """
    from svmlib.dual.certificate import violating_pair

    edge = np.minimum(AT * max(float(alpha.max(initial=0.0)), 1e-300), AT * problem.C)
    at = np.where(alpha <= edge, 0.0, np.where(alpha >= problem.C - edge, problem.C, alpha))
    spans = [violating_pair((g - problem.p)[rows], (problem.y * at)[rows], problem.lo[rows], problem.hi[rows])
             for rows in groups or (np.arange(problem.n),) if len(rows)]
    return max([0.0, *(high - low for _, _, low, high in spans if np.isfinite(high - low))])


@dataclass(frozen=True, eq=False)
class _Place:
    """A feasible alpha of a problem, with g = K beta, kappa, and the rounding of g, all (n,)."""

    problem: BoxProblem
    alpha: np.ndarray
    g: np.ndarray
    size: np.ndarray
    error: np.ndarray

    @classmethod
    def of(cls, problem: BoxProblem, alpha: np.ndarray) -> "_Place":
        """Of alpha, which must be feasible but for rounding."""
        size = np.sqrt(np.abs(problem.diag))
        return cls(problem, alpha, problem.times_K(problem.y * alpha), size,
                   size * rounding_of(problem, problem.y * alpha))

    def gap_bound(self, b: float) -> float:
        """The duality gap with rounding."""
        from svmlib.dual.certificate import bounded_gap

        problem = self.problem
        return bounded_gap(problem.y, problem.C, problem.p, problem.total, self.alpha, self.g, b, self.error)

    def radius(self, b: float) -> float:
        """|w - w*| is no larger: the root of the gap, and half of what a hard margin is lengthened by."""
        bound, problem = self.gap_bound(b), self.problem
        if not bound < inf:
            return inf
        out = sqrt(bound)
        if problem.hard.any():
            off = self.error + UNIT * (np.abs(self.g) + abs(b))
            least = float(np.min((problem.y * (self.g + b) - off)[problem.hard]))
            square = float((problem.y * self.alpha) @ self.g) + float(self.alpha @ self.error)
            out += 0.5 * max(1.0 / least - 1.0, 0.0) * sqrt(max(square, 0.0))
        return out * (1.0 + UNIT)

    def biases(self, radius: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Between what the lower end of the interval of optimal b lies, and the upper one, when w* is within radius."""
        if radius == inf:
            return (-inf, inf), (-inf, inf)
        t = self.problem.p - self.g
        spread = radius * self.size + self.error + UNIT * (np.abs(self.problem.p) + np.abs(self.g))
        lower, upper = crossings(self.problem, t - spread), crossings(self.problem, t + spread)
        return (lower[0], upper[0]), (lower[1], upper[1])


def crossings(problem: BoxProblem, t: np.ndarray) -> tuple[float, float]:
    """The least and the largest b that minimise the primal value for thresholds t (n,), with w as it is.

    Between them the slope is exactly 0, which only exact sums can tell: with one C for all it is a count of points.  A
    C = inf counts as more than all that is finite.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> crossings(DualProblem(Linear(), [[0.0], [2.0]], [-1, 1]), np.array([-1.0, 0.5]))
    (-1.0, 0.5)
    """
    order = np.argsort(-t, kind="stable")
    t, y = t[order], problem.y[order]
    C, total = exact(problem.C[order], problem.total)
    pull = -sum(c for c, sign in zip(C, y, strict=True) if sign < 0) - total
    least, most = -inf, -inf if pull < 0 else inf       # pull: the sum of beta - total for a b above all thresholds
    for threshold, c in zip(t, C, strict=True):         # b falls below one threshold after the other
        before, pull = pull, pull + c
        if before < 0 <= pull:
            most = threshold
        if before <= 0 < pull:
            least = threshold
            break
    return float(least), float(most)


def exact(C: np.ndarray, total: float) -> tuple[list[int], int]:
    """C (n,) and total in a unit in which all are whole numbers; C = inf as more than all others together.

    >>> exact(np.array([0.5, np.inf]), 0.25)
    ([2, 7], 1)
    """
    ratios = [(0.0 if c == inf else c).as_integer_ratio() for c in [*C.tolist(), total]]
    unit = max(bottom for _, bottom in ratios)                             # all are powers of 2
    *whole, s = [top * (unit // bottom) for top, bottom in ratios]
    more = 2 * (sum(whole) + abs(s)) + 1
    return [more if c == inf else w for c, w in zip(C.tolist(), whole, strict=True)], s


@dataclass(frozen=True)
class _Distance:
    """How far two machines are apart in f - b at the points (n,), and what rounding may hide of it (n,)."""

    change: np.ndarray
    error: np.ndarray

    @classmethod
    def between(cls, problem: BoxProblem, beta: np.ndarray) -> "_Distance":
        """Of machines whose coefficients differ by beta (n,)."""
        if not beta.any():
            return cls(np.zeros(problem.n), np.zeros(problem.n))
        change, size = problem.times_K(beta), np.sqrt(np.abs(problem.diag))
        return cls(change, rounding_of(problem, beta) * size + UNIT * np.abs(change))


def rounding_of(problem: KernelPoints, beta: np.ndarray) -> float:
    """What rounding may add to a value of K beta, in units of kappa_i."""
    from svmlib.dual.certificate import error_of

    return float(error_of(problem.kernel_error, problem.n)) * float(
        np.linalg.norm(np.sqrt(np.abs(problem.diag)) * beta))
