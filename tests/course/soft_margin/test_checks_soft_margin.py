"""Chapter 04: answers as students write them, right in several ways and wrong in the known ones."""
import cvxopt
import numpy as np
import pytest
from course.checking.both_ways import Answers
from scipy import sparse

from svmcourse.soft_margin import checks as check
from svmlib import SVC
from svmlib.data import xs_linear
from svmlib.kernels import Linear

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- slack
right("slack")(lambda w, b, X, y: np.array([[max(0, 1 - s * (sum(w * x) + b))] for x, s in zip(X, y, strict=True)]))
right("slack")(lambda w, b, X, y: np.where(y * (X @ w + b) < 1, 1 - y * (X @ w + b), 0).tolist())
wrong("slack", "zero-one")(lambda w, b, X, y: np.sign(X @ w + b) != y)
wrong("slack", "type")(lambda w, b, X, y: "max(0, 1 - y f)")
wrong("slack", "shape")(lambda w, b, X, y: np.maximum(0, 1 - y[:, None] * (X * w + b)))


# ---- the quadratic program
@right("quadratic_program")
def to_qp(K, y, C):
    n = len(y)
    G, h = np.vstack([-np.eye(n), np.eye(n)]), np.r_[np.zeros(n), C * np.ones(n)]
    return np.outer(y, y) * K, -np.ones(n), G, h, y.reshape(1, -1), np.zeros(1)


@right("quadratic_program")
def upper_bounds_first(K, y, C):
    n = len(y)
    P = np.array([[y[i] * y[j] * K[i, j] for j in range(n)] for i in range(n)])
    G = np.vstack([np.eye(n), -np.eye(n)])
    return P, [-1.0] * n, G, np.r_[np.full(n, C), np.zeros(n)], -y[None, :], np.array([0.0])


@right("quadratic_program")
def as_cvxopt_wants_it(K, y, C):
    _, q, G, h, A, b = to_qp(K, y, C)
    return tuple(cvxopt.matrix(np.asarray(part, float)) for part in (np.diag(y) @ K @ np.diag(y), q, G, h, A, b))


right("quadratic_program")(lambda K, y, C: (*to_qp(K, y, C)[:5], 0.0))
right("quadratic_program")(lambda K, y, C: (*to_qp(K, y, C)[:2], *(7.0 * part for part in to_qp(K, y, C)[2:])))
right("quadratic_program")(lambda K, y, C: [
    cvxopt.sparse(cvxopt.matrix(part)) if np.ndim(part) == 2 else part for part in to_qp(K, y, C)])
right("quadratic_program")(lambda K, y, C: (part for part in to_qp(K, y, C)))
wrong("aufgabe_4", "order")([0.0217, 0.1072, 0.1422])
wrong("aufgabe_4", "C-of-the-soft")({"hard": 0.1399, "hard, with it": 0.1422, "soft": 0.1422})
wrong("quadratic_program", "scipy")(lambda K, y, C: (sparse.csr_matrix(np.outer(y, y) * K), *to_qp(K, y, C)[1:]))
wrong("quadratic_program", "no-upper")(lambda K, y, C: (*to_qp(K, y, C)[:2], -np.eye(len(y)), 0 * y, y[None], [0.0]))
wrong("quadratic_program", "parts")(lambda K, y, C: to_qp(K, y, C)[:4])


# ---- b
def interval(alpha, y, K, C):
    b = y - K @ (alpha * y)
    free = (alpha > 1e-5 * C) & (alpha < 0.99999 * C)
    if free.any():
        return np.mean(b[free])
    least = max(b[k] for k in range(len(y)) if (alpha[k] > C / 2) == (y[k] < 0))
    most = min(b[k] for k in range(len(y)) if (alpha[k] > C / 2) == (y[k] > 0))
    return (least + most) / 2


right("bias")(interval)
right("bias")(lambda alpha, y, K, C: np.array([interval(alpha, y, K, C)]))


wrong("bias", "all-support")(lambda alpha, y, K, C: np.mean((y - K @ (alpha * y))[alpha > 1e-5 * C]))


@wrong("bias", "b-nan")
def mean_of_none(alpha, y, K, C):
    return (y - K @ (alpha * y))[(alpha > 1e-6 * C) & (alpha < 0.999999 * C)].mean()


# ---- task 4
def half(X, y, C):
    machine = SVC(Linear(), C=C, tol=1e-6).fit(X, y)
    return 1 / np.linalg.norm(machine.coef_)


CLEAN, DIRTY = xs_linear(), xs_linear(outlier=True)
PLUS = DIRTY[0], np.append(CLEAN[1], 1)
H = np.array([half(*CLEAN, np.inf), half(*DIRTY, np.inf), half(*DIRTY, 10)])
right("aufgabe_4")(H.tolist())
right("aufgabe_4")({"hard": H[0], "with outlier": H[1], "soft": H[2]})
right("aufgabe_4")(np.round(H, 4))
wrong("aufgabe_4", "width")(2 * H)
wrong("aufgabe_4", "norms")(1 / H)
wrong("aufgabe_4", "outlier-forgotten")([H[0], H[0], half(*CLEAN, 10)])
wrong("aufgabe_4", "label-of-outlier")([H[0], half(*PLUS, np.inf), half(*PLUS, 10)])
wrong("aufgabe_4", "soft-is-hard")([H[0], H[1], H[1]])
wrong("aufgabe_4", "soft-repeats-the-first")([H[0], H[1], H[0]])
wrong("aufgabe_4", "soft-without-outlier")([H[0], H[1], half(*CLEAN, 10)])
wrong("aufgabe_4", "hard-is-soft")([half(*CLEAN, 1), half(*DIRTY, 1), H[2]])
wrong("aufgabe_4", "unknown")([H[0], H[1], 1.0])
wrong("aufgabe_4", "shape")([H[0], H[1]])


# ---- the hinge loss
@right("subgradient")
def in_one(w, b, X, y, C):
    pull = C * y * np.heaviside(1 - y * (X @ w + b), 0)
    return w - X.T @ pull, -np.sum(pull)


@right("subgradient")
def with_loop(w, b, X, y, C):
    g_w, g_b = w.copy(), 0.0
    for x, s in zip(X, y, strict=True):
        if s * (w @ x + b) <= 1:
            g_w -= C * s * x
            g_b -= C * s
    return [g_w, g_b]



@wrong("subgradient", "errors-only")
def of_the_perceptron(w, b, X, y, C):
    misplaced = np.sign(X @ w + b) != y
    return w - C * y[misplaced] @ X[misplaced], -C * sum(y[misplaced])


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"aufgabe_4": None})


def test_what_is_still_none_is_named():
    told = check.aufgabe_4.judge({"hard": H[0], "hard, with it": None, "soft": H[2]})
    assert "Still None: hard, with it." in told.message
    assert "Still None: the third." in check.aufgabe_4.judge([H[0], H[1], None]).message


@pytest.mark.parametrize(("answer", "taken"), [(a, True) for t, a in ANSWERS._right if t == "quadratic_program"] + [
    (check.PROGRAM.function(row), False) for row in check.PROGRAM.rows if row.key in check.FORMS])
def test_cvxopt_takes_and_refuses_the_forms_that_the_check_says(answer, taken):
    X, y = np.random.default_rng(0).normal(size=(6, 2)), np.array([-1.0, 1, 1, -1, 1, -1])
    try:
        cvxopt.solvers.qp(*map(cvxopt.matrix, answer(X @ X.T, y, 2.0)), options={"show_progress": False})
    except (TypeError, ValueError):
        assert not taken
    else:
        assert taken


def test_the_outlier_is_given_up():
    machine = SVC(Linear(), C=10, tol=1e-6).fit(*DIRTY)
    assert DIRTY[1][-1] * machine.decision_function(DIRTY[0])[-1] < 0


def test_the_stored_half_margins_are_those_of_the_machines():
    data = {"clean": CLEAN, "outlier": DIRTY, "plus": PLUS}
    for (name, C), value in check.HALF_MARGINS.items():
        assert half(*data[name], C) == pytest.approx(value, abs=2e-5)
