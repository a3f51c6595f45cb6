"""Chapter 06: answers as students write them, right in several ways and wrong in the known ones."""
import cvxopt
import numpy as np
import pytest
from classroom.checks.both_ways import Answers

from svmlib import SVC
from svmlib.classroom.checks import soft_margin as check
from svmlib.data import xs_linear
from svmlib.kernels import Linear

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- slack
right("slack")(lambda w, b, X, y: np.maximum(0, 1 - y * (X @ w + b)))
right("slack")(lambda w, b, X, y: np.array([[max(0, 1 - s * (sum(w * x) + b))] for x, s in zip(X, y, strict=True)]))
right("slack")(lambda w, b, X, y: np.where(y * (X @ w + b) < 1, 1 - y * (X @ w + b), 0).tolist())
wrong("slack", "no-max")(lambda w, b, X, y: 1 - y * (X @ w + b))
wrong("slack", "without-y")(lambda w, b, X, y: np.maximum(0, 1 - X @ w - b))
wrong("slack", "distance")(lambda w, b, X, y: np.maximum(0, 1 - y * (X @ w + b)) / np.sqrt(w @ w))
wrong("slack", "from-the-boundary")(lambda w, b, X, y: np.maximum(0, -y * (X @ w + b)))
wrong("slack", "sign-of-b")(lambda w, b, X, y: np.maximum(0, 1 - y * (X @ w - b)))
wrong("slack", "beyond")(lambda w, b, X, y: np.maximum(0, y * (X @ w + b) - 1))
wrong("slack", "zero-one")(lambda w, b, X, y: np.sign(X @ w + b) != y)
wrong("slack", "type")(lambda w, b, X, y: "max(0, 1 - y f)")
wrong("slack", "shape")(lambda w, b, X, y: np.maximum(0, 1 - y[:, None] * (X * w + b)))


# ---- the quadratic program
def to_qp(K, y, C, *, P=lambda K, y: np.outer(y, y) * K, sign=-1, G=None, h=None, A=None):
    n = len(y)
    G = np.vstack([-np.eye(n), np.eye(n)]) if G is None else G(n)
    h = np.r_[np.zeros(n), C * np.ones(n)] if h is None else h(n, C)
    return P(K, y), sign * np.ones(n), G, h, y.reshape(1, -1) if A is None else A(n), np.zeros(1)


def program(**parts):
    return lambda K, y, C: to_qp(K, y, C, **parts)


right("quadratic_program")(to_qp)


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


wrong("quadratic_program", "matrix-product")(program(P=lambda K, y: np.outer(y, y) @ K))
wrong("quadratic_program", "without-y")(program(P=lambda K, y: K))
wrong("quadratic_program", "q-sign")(program(sign=1))
wrong("quadratic_program", "maximum")(program(P=lambda K, y: -np.outer(y, y) * K, sign=1))
wrong("quadratic_program", "no-upper")(program(G=lambda n: -np.eye(n), h=lambda n, C: np.zeros(n)))
wrong("quadratic_program", "lower-sign")(program(G=lambda n: np.vstack([np.eye(n), np.eye(n)])))
wrong("quadratic_program", "h-order")(program(h=lambda n, C: np.r_[np.full(n, C), np.zeros(n)]))
wrong("quadratic_program", "A-ones")(program(A=lambda n: np.ones((1, n))))
wrong("quadratic_program", "A-flat")(program(A=lambda n: np.array([-1.0, 1, 1, -1, 1, -1])))
wrong("quadratic_program", "A-flat")(program(A=lambda n: np.array([[-1.0], [1], [1], [-1], [1], [-1]])))
right("quadratic_program")(lambda K, y, C: (*to_qp(K, y, C)[:5], 0.0))
wrong("quadratic_program", "list")(lambda K, y, C: (*to_qp(K, y, C)[:4], [y.tolist()], np.zeros(1)))
wrong("quadratic_program", "list")(program(G=lambda n: np.vstack([-np.eye(n), np.eye(n)]).tolist()))
wrong("quadratic_program", "b-flat")(lambda K, y, C: (*to_qp(K, y, C)[:5], 0))
wrong("quadratic_program", "b-flat")(lambda K, y, C: (*to_qp(K, y, C)[:5], np.array(0.0)))
wrong("quadratic_program", "integers")(lambda K, y, C: (*to_qp(K, y, C)[:5], np.array([0])))
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


def mean_over(low=1e-6, high=0.999999, labels=True, sign=1, none=None):
    def bias(alpha, y, K, C):
        chosen = (alpha > low * C) & (alpha < high * C)
        b = y - K @ (alpha * y if labels else alpha)
        return sign * (b[chosen].mean() if chosen.any() or none is None else none(alpha, y, K, C))
    return bias


wrong("bias", "any-support")(lambda alpha, y, K, C: (y - K @ (alpha * y))[np.argmax(alpha > 1e-6 * C)])
wrong("bias", "all-support")(mean_over(high=2.0))
wrong("bias", "tiny-threshold")(lambda alpha, y, K, C: (y - K @ (alpha * y))[(alpha > 1e-10) & (alpha < C)].mean())
wrong("bias", "without-y")(mean_over(labels=False))
wrong("bias", "sign")(mean_over(sign=-1, none=interval))
wrong("bias", "zero")(mean_over(none=lambda *arguments: 0.0))
wrong("bias", "interval")(mean_over(none=lambda alpha, y, K, C: max(y - K @ (alpha * y))))
wrong("bias", "interval")(mean_over(none=lambda alpha, y, K, C: np.mean(y - K @ (alpha * y))))
wrong("bias", "b-nan")(mean_over())


# ---- Aufgabe 4
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
wrong("aufgabe_4", "soft-without-outlier")([H[0], H[1], half(*CLEAN, 10)])
wrong("aufgabe_4", "hard-is-soft")([half(*CLEAN, 1), half(*DIRTY, 1), H[2]])
wrong("aufgabe_4", "unknown")([H[0], H[1], 1.0])
wrong("aufgabe_4", "shape")([H[0], H[1]])


# ---- the hinge loss
def subgradient(w, b, X, y, C, *, pulls=lambda m: m < 1, labels=True, sign=-1, own=1, price=True, mean=False, b_own=0):
    pull = np.where(pulls(y * (X @ w + b)), y if labels else 1, 0) * (C if price else 1) / (len(y) if mean else 1)
    return own * w + sign * (pull @ X), b_own * b + sign * pull.sum()


def descent(**parts):
    return lambda *arguments: subgradient(*arguments, **parts)


right("subgradient")(subgradient)


@right("subgradient")
def with_loop(w, b, X, y, C):
    g_w, g_b = w.copy(), 0.0
    for x, s in zip(X, y, strict=True):
        if s * (w @ x + b) <= 1:
            g_w -= C * s * x
            g_b -= C * s
    return [g_w, g_b]


wrong("subgradient", "sign")(descent(sign=1))
wrong("subgradient", "wrong-side")(descent(pulls=lambda m: m > 1))
wrong("subgradient", "errors-only")(descent(pulls=lambda m: m < 0))
wrong("subgradient", "all-points")(descent(pulls=lambda m: m < np.inf))
wrong("subgradient", "without-y")(descent(labels=False))
wrong("subgradient", "twice-w")(descent(own=2))
wrong("subgradient", "without-w")(descent(own=0))
wrong("subgradient", "without-C")(descent(price=False))
wrong("subgradient", "mean")(descent(mean=True))
wrong("subgradient", "b-penalised")(descent(b_own=1))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"aufgabe_4": None})


def test_what_is_still_none_is_named():
    told = check.aufgabe_4.judge({"hard": H[0], "hard, with it": None, "soft": H[2]})
    assert "Still None: hard, with it." in told.message
    assert "Still None: the third." in check.aufgabe_4.judge([H[0], H[1], None]).message


@pytest.mark.parametrize(("answer", "taken"), [(a, True) for t, a in ANSWERS._right if t == "quadratic_program"] + [
    (a, False) for t, k, a in ANSWERS._wrong if t == "quadratic_program" and k in check.FORMS])
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
