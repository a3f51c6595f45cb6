"""The dual problem as a quadratic program for cvxopt: dense, and with a KKT solver that knows that K has low rank.

In u = alpha / t, with t chosen so that u and the matrix have entries near 1:

    minimise  1/2 u'Pu - 1'u,   P = t (y y') o K,      over   [ -I ] u <= [  0  ],   y'u = 0.
                                                              [  I ]      [ C/t ]

The rows of [I, C/t] with C = inf are left out.  K is centred first (k(x, z) measured from the mean of the points in
feature space), which changes nothing where y'u = 0 and keeps data far from the origin well conditioned.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from cvxopt import matrix
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotrf, dpotrs
from threadpoolctl import ThreadpoolController
from tqdm.auto import tqdm

from svmlib.dual import DualProblem, Solution
from svmlib.solvers.convex_concave import convex_concave, negative_curvature
from svmlib.solvers.crossover import centred, crossover, repair, snap
from svmlib.solvers.interior_point import InfeasibleError, Program, QPResult, UnboundedError, run, solve_qp

__all__ = ["InfeasibleError", "QPResult", "UnboundedError", "qp", "qp_low_rank", "solve_qp"]

Callback = Callable[[dict[str, Any]], Any]
Inverse = Callable[[np.ndarray], np.ndarray]


def qp(problem: DualProblem, *, tol: float = 1e-3, max_iter: int | None = None, callback: Callback | None = None,
       verbose: bool = False, history: bool = False) -> Solution:
    """Solve the dual as a dense QP with cvxopt (report, equations 2.25 and 3.4), O(n^3) an iteration.

    max_iter bounds the interior-point iterations (100 where None).  The method runs to the limit of float64
    whatever tol is; tol is what the certificate is held to.  history holds for each iteration: n_iter, alpha (inside
    the box, y'alpha = 0), objective W(alpha), bound (an upper bound of W where residual is 0), gap and residual.
    An indefinite kernel is solved to a stationary point by the convex-concave procedure.

    Returns a Solution whose sets of alpha = 0 and alpha = C are exact.  Raises NotSeparableError for a hard margin
    that does not exist.

    >>> from svmlib.kernels import Linear
    >>> s = qp(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0))
    >>> s.alpha.round(9), s.status
    (array([0.5, 0.5, 0. ]), 'optimal')
    """
    track = _Track(problem, callback, verbose, history, "qp")
    mu = negative_curvature(problem)
    with track:
        if mu:
            alpha = _indefinite(problem, mu, tol, max_iter, track)
            return track.solution(alpha, tol, curvature=-mu)
        result, t = _dense(problem, problem.K, np.ones(problem.n), max_iter, track)
        return track.solution(_cross(problem, result, t, track), tol)


def qp_low_rank(problem: DualProblem, *, tol: float = 1e-3, max_iter: int | None = None,
                callback: Callback | None = None, verbose: bool = False, history: bool = False) -> Solution:
    """Solve the dual for K = Phi Phi' with Phi (n, r), r << n, by cvxopt's `coneqp` in O(n r^2) an iteration.

    For the linear kernel Phi is X; for others that have finitely many features (Linear(A), Polynomial, their sums)
    it is a pivoted Cholesky factor.  K is never formed.  Arguments, history and result as for `qp`.

    Raises ValueError, naming the kernel, where the Gram matrix has no low rank.

    >>> from svmlib.kernels import Linear
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 3))
    >>> p = DualProblem(Linear(), X, np.where(X[:, 0] > 0, 1, -1), C=1.0)
    >>> s = qp_low_rank(p, tol=1e-6)
    >>> s.status, s.gap < 1e-6
    ('optimal', True)
    """
    track = _Track(problem, callback, verbose, history, "qp_low_rank")
    with track:
        Phi = _features(problem)
        Phi = Phi - Phi.mean(axis=0)
        t = _unit(problem, float(np.einsum("ij,ij->", Phi, Phi)) / problem.n)
        Z = np.sqrt(t) * problem.y * np.ascontiguousarray(Phi.T)         # one feature a row: long loops, not short ones
        program = _box_program(problem.y, problem.C / t, np.ones(problem.n), lambda u: (Z @ u) @ Z, _woodbury(Z))
        result = _run(problem, replace(program, refinement=0), t, max_iter, track)
        return track.solution(_cross(problem, result, t, track), tol)


def _woodbury(Z: np.ndarray) -> Callable[[np.ndarray], Inverse]:
    """D -> (r -> (diag D + Z'Z)^-1 r), with Z (d, n), in O(n d^2) and then O(n d) for each r; the last D counts."""
    E = np.empty_like(Z)

    def inverse(D: np.ndarray) -> Inverse:
        # H = D + Z'Z, and by the Woodbury identity
        #     H^-1 r = D^-1 r - D^-1 Z'(I + Z D^-1 Z')^-1 Z D^-1 r,
        # where the matrix in the middle is only d x d.
        np.divide(Z, D, out=E)
        middle, failed = dpotrf(np.eye(len(Z)) + E @ Z.T)               # cho_factor's checks would take as long
        if failed:
            raise np.linalg.LinAlgError("I + Z D^-1 Z' is not positive definite")
        return lambda r: r / D - dpotrs(middle, E @ r)[0] @ E

    return inverse


# ---- the program --------------------------------------------------------------------------------------------------
def _dense(problem: DualProblem, K: np.ndarray, p: np.ndarray, max_iter: int | None,
           track: _Track) -> tuple[QPResult, float]:
    """Solve min 1/2 alpha'Qalpha - p'alpha for a PSD K; returns the result in u and the unit t."""
    K = centred(K)
    t = _unit(problem, float(np.trace(K)) / problem.n)
    P = t * problem.y[:, None] * problem.y * K

    def inverse(D: np.ndarray) -> Inverse:
        H = P.copy()
        H.flat[::len(D) + 1] += D
        factor = cho_factor(H, lower=True, overwrite_a=True)
        return lambda r: cho_solve(factor, r)

    program = _box_program(problem.y, problem.C / t, p, lambda u: P @ u, inverse)
    return _run(problem, program, t, max_iter, track), t


def _box_program(y: np.ndarray, upper: np.ndarray, p: np.ndarray, P: Callable[[np.ndarray], np.ndarray],
                 inverse: Callable[[np.ndarray], Inverse]) -> Program:
    """min 1/2 u'Pu - p'u over 0 <= u <= upper, y'u = 0, for cvxopt; inverse(D) gives r -> (P + diag D)^-1 r."""
    n, finite = len(y), np.isfinite(upper)
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

    return Program(P, -p, G, Gt, np.r_[np.zeros(n), upper[capped]], lambda u: np.array([y @ u]), lambda v: y * v[0],
                   np.zeros(1), kkt)


def _unit(problem: DualProblem, diagonal: float) -> float:
    """Unit t of alpha: 1 / mean k(x, x), the size of a free alpha, or C where that is smaller."""
    t = 1.0 / diagonal if diagonal > 0 else 1.0
    return min(t, float(np.median(problem.C)))


def _run(problem: DualProblem, program: Program, t: float, max_iter: int | None, track: _Track) -> QPResult:
    """Start cvxopt from a point inside the box with y'u = 0, which every later iterate then keeps."""
    n, upper = problem.n, problem.C / t
    cap = np.minimum(upper, 1.0)
    sums = np.where(problem.y > 0, cap[problem.y > 0].sum(), cap[problem.y < 0].sum())
    u = 0.5 * sums.min() * cap / sums
    start = {"x": u, "s": np.r_[u, (upper - u)[~problem.hard]], "y": np.zeros(1), "z": np.ones(len(program.h))}
    return run(program, max_iter=100 if max_iter is None else int(max_iter), start=start,
               callback=lambda state: track.iteration(state, t, n))


@cache
def _blas() -> ThreadpoolController:
    """The BLAS libraries of numpy, scipy and cvxopt, looked up once."""
    return ThreadpoolController()


def _cross(problem: DualProblem, result: QPResult, t: float, track: _Track, indefinite: bool = False) -> np.ndarray:
    """alpha from u: with exact sets, or only feasible where the user had no patience."""
    track.interrupted |= result.status == "interrupted"
    if track.interrupted:
        return repair(problem, t * result.x)
    z_upper = np.zeros(problem.n)
    z_upper[~problem.hard] = result.z[problem.n:]
    return (snap if indefinite else crossover)(problem, t * result.x, result.z[:problem.n], z_upper)


def _indefinite(problem: DualProblem, mu: float, tol: float, max_iter: int | None, track: _Track) -> np.ndarray:
    """Stationary point for an indefinite K: convex programs with K + mu I."""
    shifted = problem.K + mu * np.eye(problem.n)

    def convex(p: np.ndarray, alpha: np.ndarray) -> np.ndarray | None:
        if track.interrupted:
            return None
        result, t = _dense(problem, shifted, p, max_iter, track)
        return _cross(problem, result, t, track, indefinite=True)

    return convex_concave(problem, mu, np.zeros(problem.n), 0.5 * tol, convex)


def _features(problem: DualProblem) -> np.ndarray:
    """Phi (n, r) with Phi Phi' = K: X itself, or a Cholesky factor with the largest remaining diagonal as pivot."""
    if problem.is_linear:
        return problem.X
    if problem.kernel.psd is False:
        raise ValueError(f'qp_low_rank needs a positive semidefinite kernel, got {problem.kernel!r}; use solver="qp"')
    n = problem.n
    limit = max(10, n // 3)
    rest = np.array(problem.kernel._diag(problem.X), dtype=np.float64)
    stop = 1e-14 * max(float(rest.max()), 1e-300) * n ** 0.5
    L = np.zeros((n, 0))
    while rest.max() > stop:
        if L.shape[1] == min(limit, n) and n > 10:
            raise ValueError(f"qp_low_rank needs a Gram matrix of low rank, but {problem.kernel!r} has more than "
                             f'{limit} independent features on these {n} points; use solver="qp" or "smo"')
        i = int(rest.argmax())
        given = "K" in problem.__dict__
        column = problem.K[:, i] if given else problem.kernel._block(problem.X, problem.X[i:i + 1])[:, 0]
        column = column - L @ L[i]
        L = np.column_stack([L, column / np.sqrt(rest[i])])
        rest = np.maximum(rest - L[:, -1] ** 2, 0.0)
        rest[i] = 0.0
    return L


class _Track:
    """What a solver tells of its way: history, callback and progress bar, in terms of alpha."""

    def __init__(self, problem: DualProblem, callback: Callback | None, verbose: bool, history: bool,
                 solver: str) -> None:
        self.problem, self.callback, self.keep, self.solver = problem, callback, history, solver
        self.bar = tqdm(desc=solver, unit=" iterations", disable=not verbose, leave=False)
        self.history: list[dict[str, Any]] = []
        self.n_iter = 0
        self.interrupted = False
        self.active = bool(callback or verbose or history)

    def __enter__(self) -> _Track:
        """One BLAS thread: numpy, scipy and cvxopt each bring a pool, and these would wait for each other's cores."""
        self.limit = _blas().limit(limits=1, user_api="blas")
        return self

    def __exit__(self, *error: object) -> None:
        self.limit.restore_original_limits()
        self.bar.close()

    def iteration(self, state: dict[str, Any], t: float, n: int) -> bool:
        """One interior-point iterate, translated back to alpha = t u and W = -t (1/2 u'Pu - p'u)."""
        self.n_iter += state["n_iter"] > 0
        if not self.active:
            return False
        entry = {"n_iter": self.n_iter, "alpha": t * state["x"][:n], "objective": -t * state["primal"],
                 "bound": -t * state["dual"], "gap": t * state["gap"], "residual": state["residual"]}
        if self.keep:
            self.history.append(entry)
        self.bar.update(1)
        self.bar.set_postfix(gap=f"{entry['gap']:.1e}")
        return self.callback is not None and bool(self.callback(dict(entry)))

    def solution(self, alpha: np.ndarray, tol: float, curvature: float = 0.0) -> Solution:
        """Certify alpha; the certificate withdraws "optimal" where it does not hold."""
        status = "interrupted" if self.interrupted else "optimal"
        return self.problem.solution(alpha, solver=self.solver, status=status, n_iter=self.n_iter, tol=tol,
                                     history=self.history, curvature=curvature)
