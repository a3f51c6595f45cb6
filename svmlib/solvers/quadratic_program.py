"""The dual problem as a quadratic program for cvxopt: chapter 09, "In the solver's words" and "The whole machine".

    minimise  1/2 alpha'P alpha + q'alpha,   P = (y y') o K,  q = -1,      over   G alpha <= h,   y'alpha = 0

with the rows -I <= 0 and, where C is finite, I <= C in G and h (equations qp-standard and qp-box).  `plain_qp` is this
and nothing else: what cvxopt says, and the bias that follows from it.  `qp` and `qp_low_rank` are exact and fast; what
makes them so stands below the line.
"""
from collections.abc import Callable
from typing import Any

import numpy as np
from cvxopt import matrix, solvers
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotrf, dpotrs

from svmlib.dual import BoxProblem, Solution
from svmlib.dual.gram import centre
from svmlib.kernels import Kernel
from svmlib.solvers.crossover import crossover
from svmlib.solvers.features import features
from svmlib.solvers.interior_point import Program, run
from svmlib.solvers.monitor import Callback, Monitor
from svmlib.threads import blas_limit

Inverse = Callable[[np.ndarray], np.ndarray]

# printed in 09_quadratic_programming
loose = {"show_progress": False}
# printed in 09_quadratic_programming; tolerances: of the gap, its share of the objective, the constraints
tight = loose | dict.fromkeys(("abstol", "reltol", "feastol"), 1e-10)


# printed in 09_quadratic_programming
def dual_qp(kernel: Kernel, X: Any, y: np.ndarray, C: float = np.inf, options: dict = tight) -> dict[str, Any]:
    """What cvxopt says of the dual problem, "x" is alpha; C = inf is the hard margin."""
    n = len(y)
    P, q = np.outer(y, y) * kernel(X), -np.ones(n)
    G, h = -np.eye(n), np.zeros(n)
    if np.isfinite(C):
        G, h = np.vstack([G, np.eye(n)]), np.r_[h, np.full(n, C)]
    parts = P, q, G, h, y[None, :], np.zeros(1)
    return solvers.qp(*map(matrix, parts), options=options)


# printed in 09_quadratic_programming
def bias(K: np.ndarray, y: np.ndarray, alpha: np.ndarray, C: float) -> float:
    """The mean of y - K (alpha y) over the free points; where there are none, the middle of what the others leave."""
    small = 1e-6 * min(C, alpha.max())
    zero, full = alpha <= small, alpha >= C - small
    free, v = ~(zero | full), y - K @ (alpha * y)
    if free.any():
        return np.mean(v[free])
    low = np.where(y > 0, zero, full)
    return (np.max(v[low]) + np.min(v[~low])) / 2


def plain_qp(kernel: Kernel, X: Any, y: np.ndarray, C: float = np.inf) -> tuple[np.ndarray, float]:
    """The machine as chapter 09 trains it: alpha (n,), none of them quite 0 or C, and b.  X, y arrays, C a number.

    >>> from svmlib.kernels import Linear
    >>> alpha, b = plain_qp(Linear(), np.array([[0.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0]), C=10.0)
    >>> alpha.round(6), round(float(b), 6)
    (array([0.5, 0.5, 0. ]), -1.0)
    """
    alpha = np.ravel(dual_qp(kernel, X, y, C)["x"])
    return alpha, bias(kernel(X), y, alpha, C)


# ---- what makes it exact and fast -----------------------------------------------------------------------------------
# The problem of any total and p, in u = alpha / t, with t chosen so that u and the matrix have entries near 1, and
# q = y o p (1 for a classifier):
#
#     minimise  1/2 u'Pu - q'u,   P = t (y y') o K,      over   [ -I ] u <= [  0  ],   y'u = total / t.
#                                                               [  I ]      [ C/t ]
#
# The rows of [I, C/t] with C = inf are left out.  K is centred first (k(x, z) measured from the mean of the points in
# feature space), which changes nothing but p where y'u is kept, and keeps data far from the origin well conditioned.
def qp(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None, callback: Callback | None = None,
       verbose: bool = False, history: bool | str = False) -> Solution:
    """Solve the dual as a dense QP with cvxopt (report, equations 2.25 and 3.4), O(n^3) per iteration.

    max_iter bounds the interior-point iterations (100 where None).  The method runs to the limit of float64
    whatever tol is; tol is what the certificate is held to.  callback(state) has for each iteration n_iter, alpha
    (inside the box, y'alpha = 0), objective W(alpha), bound (an upper bound of W where residual is 0), gap and
    residual; returning True stops.  history=True keeps these dicts without alpha, history="alpha" with it.

    Returns a Solution whose sets of alpha = 0 and alpha = C are exact.  Raises NotSeparableError for a hard margin
    that does not exist, ValueError for an indefinite Gram matrix.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> s = qp(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0))
    >>> s.alpha.round(9), s.status
    (array([0.5, 0.5, 0. ]), 'optimal')
    """
    problem.require_convex("qp")
    gram = Dense(problem.distinct.K, problem.n // problem.distinct.n)
    return _solve(problem, gram, tol, max_iter, Monitor("qp", callback, verbose, history))


def qp_low_rank(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None,
                callback: Callback | None = None, verbose: bool = False, history: bool | str = False) -> Solution:
    """Solve the dual for K = Phi Phi' with Phi (n, r), r << n, by cvxopt's `coneqp` in O(n r^2) per iteration.

    For the linear kernel Phi is X; for others that have finitely many features (Linear(A), Polynomial, their sums)
    it is a pivoted Cholesky factor.  K is formed only where small and not known to be PSD.  All else is as for `qp`.

    Raises ValueError, naming the kernel, where the Gram matrix has no low rank or is indefinite.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 3))
    >>> p = DualProblem(Linear(), X, np.where(X[:, 0] > 0, 1, -1), C=1.0)
    >>> s = qp_low_rank(p, tol=1e-6)
    >>> s.status, s.gap < 1e-6
    ('optimal', True)
    """
    with blas_limit():
        gram = LowRank(features(problem))
    return _solve(problem, gram, tol, max_iter, Monitor("qp_low_rank", callback, verbose, history))


class Dense:
    """A Gram matrix K (m, m), centred: K_ij = centred K_ij + pull_i + pull_j + height, for n = copies m variables."""

    refinement = 1                                       # corrections of each solution of a KKT system by its residual

    def __init__(self, K: np.ndarray, copies: int = 1) -> None:
        self.K, self.copies = np.array(K, dtype=np.float64, order="C"), copies
        mean = centre(self.K)[2]
        self.height = float(mean.mean())
        self.pull, self.diagonal = np.tile(mean - self.height, copies), np.tile(self.K.diagonal(), copies)

    def times(self, beta: np.ndarray) -> np.ndarray:
        """K beta (n,)."""
        return np.tile(self.K @ beta.reshape(self.copies, -1).sum(axis=0), self.copies)

    def block(self, rows: np.ndarray) -> np.ndarray:
        """K of these variables (k, k), a copy."""
        points = rows % len(self.K)
        return self.K[np.ix_(points, points)]

    def inverse(self, y: np.ndarray, t: float) -> Callable[[np.ndarray], Inverse]:
        """D -> (r -> (P + diag D)^-1 r), by one factor of the size of K.

        With z = y u and s = sum of z over the variables of a point, (P + diag D) u = r says D z = y r - t K s.  Divided
        by D and summed this is (t K + E) s = E sum(y r / D), where 1 / E = sum(1 / D); s then gives each z.
        """
        tK, y = t * self.K, y.reshape(self.copies, -1)

        def inverse(D: np.ndarray) -> Inverse:
            """A Cholesky factor, and what it does to r."""
            D = D.reshape(y.shape)
            least, smallest = D.min(axis=0), D.argmin(axis=0)[None]
            E = least / (least / D).sum(axis=0)
            H = tK.copy()
            H.flat[::len(H) + 1] += E
            factor = cho_factor(H, lower=True, overwrite_a=True)

            def solve(r: np.ndarray) -> np.ndarray:
                """u; of each point, the z with the smallest D is what the others leave of s, which keeps its digits."""
                yr = y * r.reshape(y.shape)
                mean = (E / D * yr).sum(axis=0)
                s = cho_solve(factor, mean)
                z = (yr - mean + E * s) / D
                np.put_along_axis(z, smallest, 0.0, axis=0)
                np.put_along_axis(z, smallest, s - z.sum(axis=0), axis=0)
                return (y * z).ravel()

            return solve

        return inverse


class LowRank:
    """K = Phi Phi' from features Phi (n, r), centred; nothing larger is formed."""

    refinement = 0

    def __init__(self, Phi: np.ndarray) -> None:
        mean = Phi.mean(axis=0)
        self.Z = np.ascontiguousarray((Phi - mean).T)                    # one feature a row: long loops, not short ones
        self.height, self.pull = float(mean @ mean), mean @ self.Z
        self.diagonal = np.einsum("ij,ij->j", self.Z, self.Z)

    def times(self, beta: np.ndarray) -> np.ndarray:
        """K beta (n,)."""
        return (self.Z @ beta) @ self.Z

    def block(self, rows: np.ndarray) -> np.ndarray:
        """K of these points (k, k)."""
        return self.Z[:, rows].T @ self.Z[:, rows]

    def inverse(self, y: np.ndarray, t: float) -> Callable[[np.ndarray], Inverse]:
        """D -> (r -> (P + diag D)^-1 r), in O(n r^2) and then O(n r) for each r; the last D counts."""
        Z = np.sqrt(t) * y * self.Z
        E = np.empty_like(Z)

        def inverse(D: np.ndarray) -> Inverse:
            # H = D + Z'Z, and by the Woodbury identity
            #     H^-1 r = D^-1 r - D^-1 Z'(I + Z D^-1 Z')^-1 Z D^-1 r,
            # where the matrix in the middle is only r x r.
            np.divide(Z, D, out=E)
            middle, failed = dpotrf(np.eye(len(Z)) + E @ Z.T)           # cho_factor's checks would take as long
            if failed:
                raise np.linalg.LinAlgError("I + Z D^-1 Z' is not positive definite")
            return lambda r: r / D - dpotrs(middle, E @ r)[0] @ E

        return inverse


def _solve(problem: BoxProblem, gram: Dense | LowRank, tol: float, max_iter: int | None, monitor: Monitor) -> Solution:
    """Run cvxopt, put alpha on its bounds, certify; the certificate withdraws "optimal" where it does not hold."""
    y, total, p = problem.y, problem.total, problem.p - problem.total * gram.pull
    size = float(gram.diagonal.mean())
    t = min(1.0 / size if size > 0 else 1.0, float(np.median(problem.C)))       # the size of a free alpha, or C
    offset = 0.5 * total ** 2 * gram.height                                     # what centring takes from W

    def tell(iterate: dict[str, Any]) -> dict[str, Any]:
        """An iterate in terms of alpha = t u and W = -t (1/2 u'Pu - q'u)."""
        return {"n_iter": iterate["n_iter"], "objective": -t * iterate["objective"] - offset,
                "bound": -t * iterate["dual"] - offset, "gap": t * iterate["gap"], "residual": iterate["residual"],
                "alpha": t * iterate["x"]}

    # One BLAS thread: numpy, scipy and cvxopt each bring a pool, and these would wait for each other's cores.
    with blas_limit():
        program = _box_program(y, problem.C / t, y * p, total / t, gram, t)
        u = _inside(y, problem.C / t, total / t)
        if not ((u > 0) & (t * u < problem.C)).all():                  # the box and the equation leave one point
            with monitor:
                alpha = problem.feasible(t * u)
            return problem.solution(alpha, solver=monitor.solver, status="optimal", n_iter=0, tol=tol)
        start = {"x": u, "s": program.h - program.G(u), "y": np.zeros(1), "z": np.ones(len(program.h))}
        result = run(program, monitor, max_iter=max_iter, start=start, tell=tell)
        alpha = problem.feasible(t * result.x)
        with monitor:
            if not monitor.status:
                z_upper = np.zeros(problem.n)
                z_upper[~problem.hard] = result.z[problem.n:]
                alpha = crossover(problem, gram, p, t * result.x, result.z[:problem.n], z_upper)
    return problem.solution(alpha, solver=monitor.solver, status=monitor.status or "optimal", n_iter=result.n_iter,
                            tol=tol, history=monitor.history)


def _box_program(y: np.ndarray, upper: np.ndarray, q: np.ndarray, total: float, gram: Dense | LowRank,
                 t: float) -> Program:
    """min 1/2 u'Pu - q'u over 0 <= u <= upper, y'u = total, for cvxopt, with P = t (y y') o K."""
    n, finite, inverse = len(y), np.isfinite(upper), gram.inverse(y, t)
    capped = slice(None) if finite.all() else np.flatnonzero(finite)

    def G(u: np.ndarray) -> np.ndarray:
        return np.concatenate((-u, u[capped]))

    def Gt(z: np.ndarray) -> np.ndarray:
        out = -z[:n]
        out[capped] += z[n:]
        return out

    def kkt(W: dict) -> Callable[[matrix, matrix, matrix], None]:
        # With the scaling W = diag(d), cvxopt asks at each iteration for the solution of
        #
        #     [ P   y   G'  ] [ u ]   [ r_u ]
        #     [ y'  0   0   ] [ v ] = [ r_v ],     and wants  u, v, W w.
        #     [ G   0  -W^2 ] [ w ]   [ r_w ]
        #
        # Third row:   w = W^-2 (G u - r_w).
        # First row:   H u + y v = r,   H = P + G'W^-2 G = P + diag(D),   r = r_u + G'W^-2 r_w,
        #              where D_i = 1/d_i^2 of the lower bound + 1/d_i^2 of the upper bound.
        # Second row:  y'H^-1 (r - y v) = r_v,   so   v = (y'H^-1 r - r_v) / y'H^-1 y.
        d = np.array(W["d"])[:, 0]
        weight = 1.0 / (d * d)
        D = weight[:n].copy()
        D[capped] += weight[n:]
        solve = inverse(D)
        Hy = solve(y)
        yHy = float(y @ Hy)

        def f(bx: matrix, by: matrix, bz: matrix) -> None:
            r_u, r_v, r_w = (np.asarray(m)[:, 0] for m in (bx, by, bz))       # views: written in place
            Hr = solve(r_u + Gt(weight * r_w))
            v = float(y @ Hr - r_v[0]) / yHy
            u = Hr - v * Hy
            r_u[:], r_v[0] = u, v
            r_w[:] = (G(u) - r_w) / d

        return f

    return Program(lambda u: t * y * gram.times(y * u), -q, G, Gt, np.r_[np.zeros(n), upper[capped]], y[None],
                   np.array([total]), kkt, gram.refinement)


def _inside(y: np.ndarray, upper: np.ndarray, total: float) -> np.ndarray:
    """A start for cvxopt inside the box with y'u = total, which every later iterate then keeps."""
    cap = np.minimum(upper, 1.0) if total == 0.0 else upper
    plus, minus = cap[y > 0].sum(), cap[y < 0].sum()
    more, less = max(total, 0.0), max(-total, 0.0)
    both = 0.5 * min(plus - more, minus - less)
    return cap * np.where(y > 0, (both + more) / max(plus, 1e-300), (both + less) / max(minus, 1e-300))
