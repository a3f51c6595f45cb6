"""Chapter 05: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
import pytest
from classroom.checks.both_ways import Answers
from scipy.optimize import LinearConstraint, minimize

from svmlib import DualProblem, solve
from svmlib.classroom.checks import active_set as check
from svmlib.data import xs_linear
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers.active_set_general import minimize_qp

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the system of line 3
def step(A, b, C, D, W, x, *, border=-1, gradient=lambda A, b, x: b - A @ x, held=0):
    N = np.column_stack([C, D[:, W]])
    k, n, m = N.shape[1], len(x), C.shape[1]
    M = np.zeros((n + k, n + k))
    M[:n, :n], M[:n, n:], M[n:, :n] = A, border * N, border * N.T
    s = np.linalg.solve(M, np.concatenate([gradient(A, b, x), held * N.T @ x]))
    return s[:n], s[n:n + m], s[n + m:]


def stepping(**parts):
    return lambda *arguments: step(*arguments, **parts)


right("system")(step)


@right("system")
def by_null_space(A, b, C, D, W, x):
    N = np.hstack([C, D[:, W]])
    Z = np.linalg.svd(N.T)[2][N.shape[1]:].T
    p = Z @ np.linalg.solve(Z.T @ A @ Z, Z.T @ (b - A @ x))
    both = np.linalg.lstsq(N, A @ (x + p) - b)[0]
    return [p, both[:2].tolist(), both[2:]]


@right("system")
def by_elimination(A, b, C, D, W, x):
    N, inverse = np.hstack([C, D[:, W]]), np.linalg.inv(A)
    m = np.linalg.solve(N.T @ inverse @ N, -N.T @ inverse @ (b - A @ x))
    return inverse @ (b - A @ x + N @ m), m[:2], m[2:]


wrong("system", "plus")(stepping(border=1))
wrong("system", "without-Ax")(stepping(gradient=lambda A, b, x: b))
wrong("system", "gradient")(stepping(gradient=lambda A, b, x: A @ x - b))
wrong("system", "target-not-zero")(stepping(held=1))
wrong("system", "point")(lambda A, b, C, D, W, x: (x + step(A, b, C, D, W, x)[0], *step(A, b, C, D, W, x)[1:]))
wrong("system", "order")(lambda *a: (step(*a)[0], step(*a)[2], step(*a)[1]))
wrong("system", "parts")(lambda *a: step(*a)[0])
wrong("system", "shape")(lambda A, b, C, D, W, x: step(A, b, C, D, np.arange(4), x))
wrong("system", "exception")(lambda A, b, C, D, W, x: np.linalg.solve(np.block([[A, -C, -D]]), b - A @ x))


# ---- line 13
def step_length(x, p, D, delta, active, *, inside=False, only=lambda s: s < 0, cap=True, joins=False, place=False,
                pick=np.argmin, sign=1):
    slope = D.T @ p
    candidates = [i for i in range(len(delta)) if inside in (None, active[i]) and only(slope[i])]
    if not candidates:
        return 1, -1
    ratios = [sign * (delta[i] - D[:, i] @ x) / slope[i] for i in candidates]
    k = pick(ratios)
    j = k if place else candidates[k]
    if cap and ratios[k] >= 1:
        return 1, j if joins else -1
    return ratios[k], j


def length(**parts):
    return lambda *arguments: step_length(*arguments, **parts)


right("ratio")(step_length)


@right("ratio")
def vectorised(x, p, D, delta, active):
    slope, short = p @ D, delta - x @ D
    with np.errstate(all="ignore"):
        r = np.where(~active & (slope < 0), short / slope, np.inf)
    return [min(1.0, r.min()), r.argmin() if r.min() < 1 else -1]


@right("ratio")
def in_a_loop(x, p, D, delta, active, held=False, only=lambda s: s < 0, room=lambda r: r >= 0):
    t, j = 1.0, -1
    for i in range(len(delta)):
        slope = D[:, i] @ p
        if (held or not active[i]) and only(slope):
            reached = (delta[i] - D[:, i] @ x) / slope
            if room(reached) and reached < t:
                t, j = reached, i
    return t, j


wrong("ratio", "printed")(length(inside=True))
wrong("ratio", "no-sign")(length(only=lambda s: s != 0))
wrong("ratio", "held")(length(inside=None))
wrong("ratio", "held")(lambda *a: in_a_loop(*a, held=True))
wrong("ratio", "leaves")(lambda *a: in_a_loop(*a, only=lambda s: s != 0))
wrong("ratio", "held")(lambda *a: in_a_loop(*a, held=True, only=lambda s: s != 0))
wrong("ratio", "no-room")(lambda *a: in_a_loop(*a, room=lambda r: r > 0))
wrong("ratio", "no-room")(lambda *a: in_a_loop(*a, only=lambda s: s != 0, room=lambda r: r > 0))
wrong("ratio", "uphill")(length(only=lambda s: s > 0))
wrong("ratio", "no-cap")(length(cap=False))
wrong("ratio", "always-joins")(length(joins=True))
wrong("ratio", "place")(length(place=True))
wrong("ratio", "furthest")(length(pick=np.argmax))
wrong("ratio", "ratio-sign")(length(sign=-1))
wrong("ratio", "parts")(lambda *a: step_length(*a)[0])


# ---- Aufgabe 1
def method(A, b, C, D, delta, x0, tol, maxIter, *, cut=True, add=True, drop=np.argmin, stop=False, sign=1,
           equations=True, early=None):
    x, active = np.array(x0, float), np.abs(D.T @ x0 - delta) < 1e-12
    for k in range(maxIter):
        E = C if equations else C[:, :0]
        p, _, lam = step(A, b, E, D, np.flatnonzero(active), x)
        if np.linalg.norm(p) < tol:
            lam = sign * lam
            if stop or all(lam >= -1e-12):
                return x
            active[np.flatnonzero(active)[drop(lam)]] = False
        else:
            t, j = step_length(x, p, D, delta, active)
            x = x + (t if cut else 1) * p
            if add and j >= 0:
                active[j] = True
        if k == early:
            return x
    return x


def activeSet(**parts):
    return lambda *arguments: method(*arguments, **parts)


right("aufgabe_1")(method)


@right("aufgabe_1")
def of_the_library(A, b, C, D, delta, x0, tol, maxIter):
    return minimize_qp(A, b, C, C.T @ x0, D, delta, x0, tol).x.tolist()


@right("aufgabe_1")
def by_another_method(A, b, C, D, delta, x0, tol, maxIter):
    limits = [LinearConstraint(D.T, delta)] + ([LinearConstraint(C.T, C.T @ x0, C.T @ x0)] if C.size else [])
    return minimize(lambda x: 0.5 * x @ A @ x - b @ x, x0, jac=lambda x: A @ x - b, method="SLSQP",
                    constraints=limits, options={"ftol": 1e-14, "maxiter": 500}).x


wrong("aufgabe_1", "line-13")(activeSet(cut=False, add=False))
wrong("aufgabe_1", "line-13")(activeSet(cut=False))
wrong("aufgabe_1", "never-drops")(activeSet(stop=True))
wrong("aufgabe_1", "drops-largest")(activeSet(drop=np.argmax))
wrong("aufgabe_1", "never-drops")(activeSet(sign=-1))
wrong("aufgabe_1", "never-adds")(activeSet(add=False))
wrong("aufgabe_1", "one-step")(activeSet(early=0))
wrong("aufgabe_1", "equation")(activeSet(equations=False))
wrong("aufgabe_1", "not-optimal")(activeSet(early=2))
wrong("aufgabe_1", "line-13")(lambda A, b, C, D, delta, x0, tol, n: np.linalg.solve(
    np.block([[A, -C], [C.T, np.zeros((C.shape[1],) * 2)]]), np.r_[b, C.T @ x0])[:len(b)])


# ---- Aufgabe 2
X, Y = xs_linear()
MACHINE = solve(DualProblem(Linear(), X, Y, C=np.inf), "qp", tol=1e-9)
LAM = MACHINE.alpha
W = (LAM * Y) @ X
W0, SUPPORT = -MACHINE.b, MACHINE.support
right("aufgabe_2")((W, W0, SUPPORT))
right("aufgabe_2")((W.tolist(), np.array([W0]), sorted(SUPPORT.tolist(), reverse=True)))
right("aufgabe_2")((W[:, None], W0, np.array(LAM) > 1e-6 * max(LAM)))
wrong("aufgabe_2", "w0-sign")((W, -W0, SUPPORT))
wrong("aufgabe_2", "active-is-support")((W, W0, np.flatnonzero(LAM == 0)))
wrong("aufgabe_2", "w-zero")(((LAM * Y)[LAM == 0] @ X[LAM == 0], W0, SUPPORT))
wrong("aufgabe_2", "without-y")((LAM @ X, W0, SUPPORT))
wrong("aufgabe_2", "w-sign")((-W, -W0, SUPPORT))
wrong("aufgabe_2", "unit")((W / np.linalg.norm(W), W0 / np.linalg.norm(W), SUPPORT))
wrong("aufgabe_2", "tiny-lambda")((W, W0, [*SUPPORT, 3, 5]))
wrong("aufgabe_2", "third-forgotten")((W, W0, np.array(LAM) > 0.01 * max(LAM)))
wrong("aufgabe_2", "w-unknown")((1.1 * W, W0, SUPPORT))
wrong("aufgabe_2", "w0-unknown")((W, W0 + 1, SUPPORT))
wrong("aufgabe_2", "support-unknown")((W, W0, SUPPORT + 1))


# ---- Aufgabe 3
def decision(Z, X, y, lam, w0, sigma, *, exponent=lambda r, s: -r ** 2 / (2 * s ** 2), prefactor=-1, labels=True,
             offset=-1):
    r = np.linalg.norm(Z[:, None] - X, axis=2)
    K = np.exp(exponent(r, sigma)) * np.sqrt(2 * np.pi * sigma ** 2) ** prefactor
    return K @ (lam * (y if labels else 1)) + offset * w0


def deciding(**parts):
    return lambda *arguments: decision(*arguments, **parts)


right("aufgabe_3")(decision)
right("aufgabe_3")(lambda Z, X, y, lam, w0, sigma: Gaussian(sigma=sigma, normalized=True)(Z, X) @ (y * lam) - w0)


@right("aufgabe_3")
def with_loops(Z, X, y, lam, w0, sigma):
    def k(x, z):
        return np.exp(-sum((x - z) ** 2) / (2 * sigma ** 2)) / np.sqrt(2 * np.pi) / sigma
    return [sum(lam[i] * y[i] * k(X[i], z) for i in range(len(y)) if lam[i] > 0) - w0 for z in Z]


wrong("aufgabe_3", "plus")(deciding(exponent=lambda r, s: r ** 2 / (2 * s ** 2)))
wrong("aufgabe_3", "sigma")(deciding(exponent=lambda r, s: -r ** 2 / (2 * s)))
wrong("aufgabe_3", "no-two")(deciding(exponent=lambda r, s: -r ** 2 / s ** 2))
wrong("aufgabe_3", "not-squared")(deciding(exponent=lambda r, s: -r / (2 * s ** 2)))
wrong("aufgabe_3", "no-prefactor")(deciding(prefactor=0))
wrong("aufgabe_3", "prefactor-upside-down")(deciding(prefactor=1))
wrong("aufgabe_3", "without-y")(deciding(labels=False))
wrong("aufgabe_3", "w0-sign")(deciding(offset=1))
wrong("aufgabe_3", "shape")(lambda Z, X, y, lam, w0, sigma: decision(X, X, y, lam, w0, sigma))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"aufgabe_2": (None, None, None)})


def test_what_is_still_none_is_named():
    assert "Still None: w0, support." in check.aufgabe_2.judge(W, None, None).message
    assert "Still None: w." in check.aufgabe_2.judge(None, W0, SUPPORT).message


def test_the_stored_machine_is_that_of_the_data():
    assert pytest.approx(W, rel=1e-4) == check.W_LINEAR
    assert pytest.approx(W0, rel=1e-4) == check.W0_LINEAR
    assert tuple(SUPPORT) == check.SUPPORT_LINEAR
    assert pytest.approx(LAM @ X, rel=1e-4) == check.W_WITHOUT_LABELS
