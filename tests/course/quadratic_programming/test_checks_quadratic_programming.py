"""Chapter 09: answers as students write them, right in several ways and wrong in the known ones."""
import cvxopt
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.quadratic_programming import checks as check
from svmlib import SVC
from svmlib.data import blobs_with_intruders
from svmlib.kernels import Linear
from svmlib.solvers.interior_point import solve_qp

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong
cvxopt.solvers.options["show_progress"] = False


# ---- line 2
right("matrix_of_dual")(lambda X, y: (y[:, None] * X) @ (y[:, None] * X).T)


@right("matrix_of_dual")
def with_loops(X, y):
    return [[y[i] * y[j] * sum(X[i] * X[j]) for j in range(len(y))] for i in range(len(y))]


wrong("matrix_of_dual", "one-hot")(lambda X, y: np.diag(y * y * (X * X).sum(axis=1)))
wrong("matrix_of_dual", "shape")(lambda X, y: X.T @ X)


# ---- lines 3 to 10
def solve_dual(Q, y, *, c=-1.0, lower=-1.0, equality=None, ub=None, factor=1.0, box=True, raw=False):
    n = len(y)
    G, h = (lower * np.eye(n), np.zeros(n)) if box else (np.zeros((1, n)), np.zeros(1))
    if ub is not None:
        G, h = np.vstack([G, np.eye(n)]), np.r_[h, np.full(n, ub)]
    rest = () if equality is False else ((y if equality is None else np.ones(n))[None, :], np.zeros(1))
    parts = [cvxopt.matrix(np.asarray(a, float)) for a in (factor * Q, c * np.ones(n), G, h, *rest)]
    solution = cvxopt.solvers.qp(*parts)
    return solution if raw else np.array(solution["x"])


def program(**parts):
    return lambda Q, y: solve_dual(Q, y, **parts)


right("dual")(solve_dual)
right("dual")(lambda Q, y: solve_qp(Q, -np.ones(len(y)), -np.eye(len(y)), np.zeros(len(y)), [y], [0.0], tol=1e-8).x)
right("dual")(lambda Q, y: np.ravel(solve_dual(Q, y, ub=1e4)).tolist())
wrong("dual", "zero")(program(c=1.0))
wrong("dual", "zero")(program(lower=1.0))
wrong("dual", "zero")(program(equality=True))
wrong("dual", "balance")(program(equality=False))
wrong("dual", "bounded")(program(ub=0.02))
wrong("dual", "bounded")(program(ub=0.1))
wrong("dual", "bounded")(program(ub=1.0))
wrong("dual", "bounded")(program(ub=10.0))
wrong("dual", "bounded")(program(ub=100.0))
wrong("dual", "value")(program(factor=2.0))
wrong("dual", "value")(program(c=-0.5))
wrong("dual", "status")(program(raw=True))


wrong("dual", "with-labels")(lambda Q, y: y * np.ravel(solve_dual(Q, y)))


@wrong("dual", "negative-alpha")
def without_lines_4_and_5(Q, y):
    n = len(y)
    M = np.block([[Q + 1e-9 * np.eye(n), y[:, None]], [y[None, :], np.zeros((1, 1))]])
    return np.linalg.solve(M, np.r_[np.ones(n), 0])[:n]


@wrong("dual", "shape")
def with_multiplier(Q, y):
    return np.append(solve_dual(Q, y), 0)


# ---- when is a number zero?
right("zero")(lambda alpha: np.flatnonzero(alpha > 1e-6 * alpha.max()))
right("zero")(lambda alpha: alpha / np.max(alpha) > 1e-4)
right("zero")(lambda alpha: [k for k in range(len(alpha))[::-1] if alpha[k] > 1e-5 * max(alpha)])
right("zero")(lambda alpha: np.where(alpha > 1e-6 * sum(alpha)))
wrong("zero", "mean")(lambda alpha: np.flatnonzero(alpha > alpha.mean()))
wrong("zero", "type")(lambda alpha: alpha[alpha > 1e-6 * alpha.max()])


# ---- lines 11 and 12
@right("lines_11_12")
def of_the_largest(alpha, X, y):
    w, n = X.T @ (alpha * y), np.argmax(alpha)
    return w, y[n] - X[n] @ w


@right("lines_11_12")
def as_listed(alpha, X, y):
    w, n = np.zeros(2), int(np.argmax(alpha))
    for k in range(len(y)):
        if alpha[k] > 1e-5 * alpha[n]:
            w = w + alpha[k] * y[k] * X[k]
    return [w.tolist(), 1 / y[n] - w @ X[n]]


@wrong("lines_11_12", "y-is-one")
def of_the_margin(alpha, X, y):
    w = np.sum([a * s * x for a, s, x in zip(alpha, y, X, strict=True)], axis=0)
    return w, np.mean(1 - X[alpha > 1e-6 * alpha.max()] @ w)


wrong("lines_11_12", "parts")(lambda *a: of_the_largest(*a)[0])


# ---- sections 6.3 and 6.4
X, Y = blobs_with_intruders(seed=0)
SOFT = SVC(Linear(), C=1.0, tol=1e-8).fit(X, Y)
F = Y * SOFT.decision_function(X)
ERRORS, SLACK, SUPPORT = np.sum(F < 0), np.sum(F < 1 - 1e-4), len(SOFT.support_)
HARD = np.asarray(np.outer(Y, Y) * (X @ X.T))
STATUS = solve_dual(HARD, Y, raw=True)["status"]
right("section_6_4")((STATUS, ERRORS, SLACK))
right("section_6_4")(("primal infeasible", 2.0, [7]))
wrong("section_6_4", "optimal")(("optimal", ERRORS, SLACK))
wrong("section_6_4", "share")((STATUS, np.mean(F < 0), SLACK))
wrong("section_6_4", "right-ones")((STATUS, np.sum(F > 0), SLACK))
wrong("section_6_4", "slack-for-errors")((STATUS, SLACK, SLACK))
wrong("section_6_4", "support-for-slack")((STATUS, ERRORS, SUPPORT))
wrong("section_6_4", "rounding")((STATUS, ERRORS, SLACK + 1))
wrong("section_6_4", "errors-for-slack")((STATUS, ERRORS, ERRORS))
wrong("section_6_4", "errors-unknown")((STATUS, 5, SLACK))
wrong("section_6_4", "slack-unknown")((STATUS, ERRORS, 20))
wrong("section_6_4", "word")(("no solution", ERRORS, SLACK))
wrong("section_6_4", "type")((0, ERRORS, SLACK))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"section_6_4": (None, None, None)})


def test_what_is_still_none_is_named():
    assert "Still None: with_slack." in check.section_6_4.judge(STATUS, ERRORS, None).message
    assert "Still None: status, errors." in check.section_6_4.judge(None, ..., SLACK).message


def test_the_stored_counts_are_those_of_the_machine():
    assert {"errors": ERRORS, "slack": SLACK, "support": SUPPORT, "n": len(Y)} == check.COUNTS
    assert "optimal" not in STATUS
    assert np.flatnonzero(F < 0).tolist() == [40, 41]                   # the two intruders
