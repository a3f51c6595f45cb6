"""Chapter 11: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
import pytest
from course.checking.both_ways import Answers
from scipy.optimize import LinearConstraint, minimize

from svmcourse.active_set import checks as check
from svmlib import DualProblem, solve
from svmlib.data import xs_linear
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers.active_set_general import minimize_qp

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the system of line 3
def step(A, b, C, D, W, x, *, border=-1):
    N = np.column_stack([C, D[:, W]])
    k, n, m = N.shape[1], len(x), C.shape[1]
    M = np.zeros((n + k, n + k))
    M[:n, :n], M[:n, n:], M[n:, :n] = A, border * N, border * N.T
    s = np.linalg.solve(M, np.concatenate([b - A @ x, np.zeros(k)]))
    return s[:n], s[n:n + m], s[n + m:]


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


wrong("system", "plus")(lambda *a: step(*a, border=1))
wrong("system", "parts")(lambda *a: step(*a)[0])
wrong("system", "shape")(lambda A, b, C, D, W, x: step(A, b, C, D, np.arange(4), x))
wrong("system", "exception")(lambda A, b, C, D, W, x: np.linalg.solve(np.block([[A, -C, -D]]), b - A @ x))


# ---- line 13
@right("ratio")
def step_length(x, p, D, delta, active):
    slope, short = p @ D, delta - x @ D
    with np.errstate(all="ignore"):
        r = np.where(~active & (slope < 0), short / slope, np.inf)
    return [min(1.0, r.min()), r.argmin() if r.min() < 1 else -1]


@right("ratio")
def in_a_loop(x, p, D, delta, active):
    t, j = 1.0, -1
    for i in range(len(delta)):
        slope = D[:, i] @ p
        if not active[i] and slope < 0 and (reached := (delta[i] - D[:, i] @ x) / slope) < t:
            t, j = reached, i
    return t, j


wrong("ratio", "held")(lambda x, p, D, delta, active: step_length(x, p, D, delta, active & False))
wrong("ratio", "parts")(lambda *a: step_length(*a)[0])


# ---- Aufgabe 1
def method(A, b, C, D, delta, x0, tol, maxIter, *, cut=True, add=True, equations=True, early=None):
    x, active = np.array(x0, float), np.abs(D.T @ x0 - delta) < 1e-12
    for k in range(maxIter):
        E = C if equations else C[:, :0]
        p, _, lam = step(A, b, E, D, np.flatnonzero(active), x)
        if np.linalg.norm(p) < tol:
            if all(lam >= -1e-12):
                return x
            active[np.flatnonzero(active)[np.argmin(lam)]] = False
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
wrong("aufgabe_1", "one-step")(activeSet(early=0))
wrong("aufgabe_1", "equation")(activeSet(equations=False))
wrong("aufgabe_1", "few-turns")(activeSet(early=2))
wrong("aufgabe_1", "few-turns")(activeSet(early=4))                    # at most five turns, whatever maxIter is
wrong("aufgabe_1", "few-turns")(activeSet(early=15))
wrong("aufgabe_1", "few-turns")(activeSet(early=40))
wrong("aufgabe_1", "not-optimal")(lambda A, b, C, D, delta, x0, tol, maxIter: x0)
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
def decision(Z, X, y, lam, w0, sigma, exponent=lambda r, s: -r ** 2 / (2 * s ** 2)):
    K = np.exp(exponent(np.linalg.norm(Z[:, None] - X, axis=2), sigma))
    return K @ (lam * y) / np.sqrt(2 * np.pi * sigma ** 2) - w0


right("aufgabe_3")(decision)
right("aufgabe_3")(lambda Z, X, y, lam, w0, sigma: Gaussian(sigma=sigma, normalized=True)(Z, X) @ (y * lam) - w0)


@right("aufgabe_3")
def with_loops(Z, X, y, lam, w0, sigma):
    def k(x, z):
        return np.exp(-sum((x - z) ** 2) / (2 * sigma ** 2)) / np.sqrt(2 * np.pi) / sigma
    return [sum(lam[i] * y[i] * k(X[i], z) for i in range(len(y)) if lam[i] > 0) - w0 for z in Z]


wrong("aufgabe_3", "sigma")(lambda *a: decision(*a, exponent=lambda r, s: -r ** 2 / (2 * s)))
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
