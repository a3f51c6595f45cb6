"""Chapter 16: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
import pytest
from classroom.checks.both_ways import Answers

from svmlib import SVC, NotSeparableError
from svmlib.baselines import PseudoInverse
from svmlib.classroom.checks import neighbours as check
from svmlib.data import exponential_classes, separable_blobs
from svmlib.kernels import Linear

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the pseudo-inverse
def ones(X):
    return np.column_stack([np.ones(len(X)), X])


def line(X, y, extend=ones, labels=lambda y: y, split=lambda v: (v[1:], v[0])):
    return split(np.linalg.pinv(extend(X)) @ labels(y))


def lined(**parts):
    return lambda *arguments: line(*arguments, **parts)


right("pseudo_inverse")(line)


@right("pseudo_inverse")
def ones_last(X, y):
    v = np.linalg.lstsq(np.c_[X, np.ones(len(X))], y, rcond=None)[0]
    return list(v[:-1]), v[-1]


@right("pseudo_inverse")
def by_class(X, y):
    m = PseudoInverse().fit(X, y)
    return m.coef_[0], m.intercept_[0]


wrong("pseudo_inverse", "no-ones")(lambda X, y: (np.linalg.pinv(X) @ y, 0))
wrong("pseudo_inverse", "mean-of-y")(lambda X, y: (np.linalg.pinv(X) @ y, y.mean()))
wrong("pseudo_inverse", "centred")(lambda X, y: (np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean()), y.mean()))
wrong("pseudo_inverse", "exchanged")(lined(split=lambda v: (v[:-1], v[-1])))
wrong("pseudo_inverse", "zero-one")(lined(labels=lambda y: y > 0))
wrong("pseudo_inverse", "unit")(lined(split=lambda v: (v[1:] / np.linalg.norm(v[1:]), v[0] / np.linalg.norm(v[1:]))))
wrong("pseudo_inverse", "sign-of-b")(lined(split=lambda v: (v[1:], -v[0])))
wrong("pseudo_inverse", "parts")(lined(split=lambda v: v))
wrong("pseudo_inverse", "exception")(lambda X, y: np.linalg.pinv(X) @ y.reshape(1, -1))


# ---- alpha-LMS
def swept(v, X, y, alpha, order, length=lambda z: z @ z, error=lambda y, f: y - f, sign=1):
    v = v.copy()
    for i in order:
        z = np.array([1, *X[i]])
        v = v + sign * alpha * error(y[i], v @ z) / length(z) * z
    return v


def sweep(**parts):
    return lambda *arguments: swept(*arguments, **parts)


right("alpha_lms")(swept)


@right("alpha_lms")
def with_lists(v, X, y, alpha, order):
    v = list(v)
    for i in order:
        z = [1.0, *X[i]]
        f, size = sum(a * b for a, b in zip(v, z, strict=True)), sum(a * a for a in z)
        v = [a + alpha * (y[i] - f) / size * b for a, b in zip(v, z, strict=True)]
    return v


@wrong("alpha_lms", "in-place")
def in_place(v, X, y, alpha, order):
    for i in order:
        z = ones(X)[i]
        v += alpha * (y[i] - v @ z) / (z @ z) * z
    return v


@wrong("alpha_lms", "all-at-once")
def all_at_once(v, X, y, alpha, order):
    Z = ones(X)
    return v + alpha * ((y - Z @ v) / (Z**2).sum(axis=1)) @ Z


wrong("alpha_lms", "not-divided")(sweep(length=lambda z: 1))
wrong("alpha_lms", "length")(sweep(length=np.linalg.norm))
wrong("alpha_lms", "without-one")(sweep(length=lambda z: z[1:] @ z[1:]))
wrong("alpha_lms", "order-ignored")(lambda v, X, y, alpha, order: swept(v, X, y, alpha, np.arange(len(y))))
wrong("alpha_lms", "one-step")(lambda v, X, y, alpha, order: swept(v, X, y, alpha, order[:1]))
wrong("alpha_lms", "perceptron")(sweep(error=lambda y, f: y - f if y * f <= 0 else 0))
wrong("alpha_lms", "sign-of-f")(sweep(error=lambda y, f: y - np.sign(f)))
wrong("alpha_lms", "uphill")(sweep(sign=-1))
wrong("alpha_lms", "no-alpha")(lambda v, X, y, alpha, order: swept(v, X, y, 1.0, order))
wrong("alpha_lms", "exception")(lambda v, X, y, alpha, order: v + alpha * (y - X @ v))

# ---- the half margins
SETS = {"clouds": separable_blobs(4), "Task 2.2": exponential_classes(5)}


def smallest(X, y, w, b, f=lambda y, f: y * f, size=np.linalg.norm):
    return min(f(y, X @ w + b)) / size(w)


def table(C=np.inf, **how):
    lines = {name: (by_class_of(SVC(Linear(), C=C).fit(X, y)), line(X, y)) for name, (X, y) in SETS.items()}
    return {name: [smallest(*SETS[name], w, b, **how) for w, b in both] for name, both in lines.items()}


def by_class_of(machine):
    return machine.coef_[0], machine.intercept_[0]


MARGINS = table()
INVERSE = {name: [1 / np.linalg.norm(w) for w in (SVC(Linear(), C=np.inf).fit(X, y).coef_, line(X, y)[0])]
           for name, (X, y) in SETS.items()}
right("report_6_2")((MARGINS,))
right("report_6_2")(({name: np.round(v, 3) for name, v in MARGINS.items()} | {"note": "mine"},))
wrong("report_6_2", "whole-band")(({name: [2 * a for a in v] for name, v in MARGINS.items()},))
wrong("report_6_2", "exchanged")(({name: v[::-1] for name, v in MARGINS.items()},))
wrong("report_6_2", "not-divided")((table(size=lambda w: 1),))
wrong("report_6_2", "unsigned")((table(f=lambda y, f: abs(f)),))
wrong("report_6_2", "one-over-w")((INVERSE,))
wrong("report_6_2", "soft")((table(C=1.0),))
wrong("report_6_2", "unknown")((MARGINS | {"clouds": [0.4, 0.3]},))
wrong("report_6_2", "parts")(([0.4, 0.3],))
wrong("report_6_2", "shape")((MARGINS | {"clouds": 0.4},))


def test_stored_half_margins_are_those_of_the_machines():
    assert all(np.allclose(MARGINS[name], v, atol=2e-4) for name, v in check.MARGINS.items())
    for key, values in {"not-divided": table(size=lambda w: 1), "unsigned": table(f=lambda y, f: abs(f)),
                        "one-over-w": INVERSE, "soft": table(C=1.0)}.items():
        assert np.allclose(list(values.values()), check.OTHERS[key], atol=1e-3)


def test_seed_5_is_the_first_of_task_2_2_that_a_line_separates():
    for seed in range(5):
        with pytest.raises(NotSeparableError):
            SVC(Linear(), C=np.inf).fit(*exponential_classes(seed))


# ---- scales
def by(A, m, s):
    return (A - m) / s


right("standardise")(lambda X, T: (by(X, X.mean(axis=0), X.std(axis=0)), by(T, X.mean(axis=0), X.std(axis=0))))


@right("standardise")
def column_by_column(X, T):
    X, T = X.copy(), T.copy()
    for j in range(X.shape[1]):
        m, s = sum(X[:, j]) / len(X), np.sqrt(np.mean((X[:, j] - np.mean(X[:, j])) ** 2))
        X[:, j], T[:, j] = (X[:, j] - m) / s, (T[:, j] - m) / s
    return [X, T.tolist()]


def scale(m=lambda X: X.mean(axis=0), s=lambda X: X.std(axis=0)):
    return lambda X, T: (by(X, m(X), s(X)), by(T, m(X), s(X)))


wrong("standardise", "own")(lambda X, T: tuple(by(A, A.mean(axis=0), A.std(axis=0)) for A in (X, T)))
wrong("standardise", "test-untouched")(lambda X, T: (by(X, X.mean(axis=0), X.std(axis=0)), T))
wrong("standardise", "all-columns")(scale(m=np.mean, s=np.std))
wrong("standardise", "one-deviation")(scale(s=np.std))
wrong("standardise", "variance")(scale(s=lambda X: X.var(axis=0)))
wrong("standardise", "range")(scale(s=lambda X: X.max(axis=0) - X.min(axis=0)))
wrong("standardise", "ddof")(scale(s=lambda X: X.std(axis=0, ddof=1)))
wrong("standardise", "no-mean")(scale(m=lambda X: 0))
wrong("standardise", "no-deviation")(scale(s=lambda X: 1))
wrong("standardise", "rows")(
    lambda X, T: tuple(((A.T - A.mean(axis=1)) / A.std(axis=1)).T for A in (X, T)))
wrong("standardise", "parts")(lambda X, T: by(T, X.mean(axis=0), X.std(axis=0)))


@wrong("standardise", "together")
def together(X, T):
    both = np.concatenate([X, T])
    both = by(both, both.mean(axis=0), both.std(axis=0))
    return both[:len(X)], both[len(X):]


@wrong("standardise", "in-place")
def overwritten(X, T):
    m, s = X.mean(axis=0), X.std(axis=0)
    X -= m
    X /= s
    return X, by(T, m, s)


# ---- several starts
def ran(make, X, y, T, t, starts, first=np.mean, spread=np.std, total=np.mean,
        pairs=lambda k: [(i, j) for i in range(k) for j in range(i)],
        apart=lambda a, b: np.mean(a != b), start=lambda r, starts: r, on=lambda X, y, T, t: (T, t)):
    A, a = on(X, y, T, t)
    said = [make(start(r, starts)).fit(X, y).predict(A) for r in starts]
    errors = [np.mean(p != a) for p in said]
    return first(errors), spread(errors), total([apart(said[i], said[j]) for i, j in pairs(len(said))])


def run(**parts):
    return lambda *arguments: ran(*arguments, **parts)


right("several_starts")(ran)


@right("several_starts")
def by_votes(make, X, y, T, t, starts):
    said, k = np.array([make(r).fit(X, y).predict(T) for r in starts]), len(starts)
    plus = (said > 0).sum(axis=0)
    errors = (said != t).mean(axis=1)
    apart = plus * (k - plus) / (k * (k - 1) / 2)
    return [errors.mean(), (np.mean(errors**2) - errors.mean() ** 2) ** 0.5, apart.mean()]


wrong("several_starts", "best")(run(first=min))
wrong("several_starts", "training")(run(on=lambda X, y, T, t: (X, y)))
wrong("several_starts", "one-start")(run(start=lambda r, starts: starts[0]))
wrong("several_starts", "accuracy")(run(first=lambda e: 1 - np.mean(e)))
wrong("several_starts", "with-itself")(run(pairs=lambda k: [(i, j) for i in range(k) for j in range(k)]))
wrong("several_starts", "sum-of-pairs")(run(total=sum))
wrong("several_starts", "largest")(run(total=max))
wrong("several_starts", "from-first")(run(pairs=lambda k: [(0, j) for j in range(1, k)]))
wrong("several_starts", "agreement")(run(apart=lambda a, b: np.mean(a == b)))
wrong("several_starts", "ddof")(run(spread=lambda e: np.std(e, ddof=1)))
wrong("several_starts", "parts")(lambda *arguments: ran(*arguments)[:2])


@wrong("several_starts", "errors-apart")
def errors_apart(make, X, y, T, t, starts):
    errors = [np.mean(make(r).fit(X, y).predict(T) != t) for r in starts]
    k = len(starts)
    return np.mean(errors), np.std(errors), np.mean([abs(errors[i] - errors[j]) for i in range(k) for j in range(i)])


@wrong("several_starts", "errors-signed")
def errors_subtracted(make, X, y, T, t, starts):
    errors = [np.mean(make(r).fit(X, y).predict(T) != t) for r in starts]
    k = len(starts)
    return np.mean(errors), np.std(errors), np.mean([errors[i] - errors[j] for i in range(k) for j in range(i)])


@wrong("several_starts", "errors-range")
def errors_range(make, X, y, T, t, starts):
    errors = [np.mean(make(r).fit(X, y).predict(T) != t) for r in starts]
    return np.mean(errors), np.std(errors), max(errors) - min(errors)


def test_the_hint_for_v_changed_in_place_names_v():
    result = ANSWERS.tasks["alpha_lms"].judge(in_place)
    assert "v = v.copy()" in result.hint
    assert "alpha" not in result.hint


# ---- which start
right("choose_start")(lambda v, t: (np.argmin(v), t[np.argmin(v)]))
right("choose_start")(lambda v, t: min(enumerate(t), key=lambda p: v[p[0]]))
wrong("choose_start", "by-test")(lambda v, t: (np.argmin(t), min(t)))
wrong("choose_start", "both")(lambda v, t: (np.argmin(v + t), t[np.argmin(v + t)]))
wrong("choose_start", "lowest")(lambda v, t: (np.argmin(v), min(t)))
wrong("choose_start", "validation-error")(lambda v, t: (np.argmin(v), min(v)))
wrong("choose_start", "mean")(lambda v, t: (np.argmin(v), t.mean()))
wrong("choose_start", "worst")(lambda v, t: (np.argmax(v), t[np.argmax(v)]))
wrong("choose_start", "parts")(lambda v, t: t[np.argmin(v)])

# ---- cost
right("cost")(lambda d, n, m, h: (d, m * (d + 1), m * (d + 2), h * (d + 1)))
right("cost")(lambda d, n, m, h: [d, m * d + m, m * d + m + m, h * d + h])
wrong("cost", "all-points")(lambda d, n, m, h: (d, n * (d + 1), n * (d + 2), h * (d + 1)))
wrong("cost", "with-b")(lambda d, n, m, h: (d + 1, m * (d + 1), m * (d + 2), h * (d + 1) + h + 1))
wrong("cost", "alpha-forgotten")(lambda d, n, m, h: (d, m * d, m * (d + 1), h * (d + 1)))
wrong("cost", "alpha-once")(lambda d, n, m, h: (d, m * d + 1, m * (d + 1) + 1, h * (d + 1)))
wrong("cost", "gamma-forgotten")(lambda d, n, m, h: (d, m * (d + 1), m * (d + 1), h * (d + 1)))
wrong("cost", "second-layer")(lambda d, n, m, h: (d, m * (d + 1), m * (d + 2), h * d))
wrong("cost", "training")(lambda d, n, m, h: (d, n**2 * (d + 1), n**2 * (d + 2), h * (d + 1)))
wrong("cost", "additions")(lambda d, n, m, h: (2 * d, 2 * m * (d + 1), 2 * m * (d + 2), 2 * h * (d + 1)))
wrong("cost", "parts")(lambda d, n, m, h: (d, m * (d + 1)))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests(
    {"report_6_2": ({"clouds": [None, None], "Task 2.2": [None, None]},)})
