"""Chapter 16: answers as students write them, right in several ways and wrong in the known ones."""
from itertools import combinations

import numpy as np
import pytest
from course.checking.both_ways import Answers
from sklearn.metrics import accuracy_score, balanced_accuracy_score, precision_score, recall_score
from sklearn.preprocessing import StandardScaler

from svmcourse.when_should_i_use_one import checks as check
from svmlib import SVC, NotSeparableError
from svmlib.baselines import PseudoInverse
from svmlib.data import exponential_classes, separable_blobs
from svmlib.kernels import Linear

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the pseudo-inverse
def ones(X):
    return np.column_stack([np.ones(len(X)), X])


@right("pseudo_inverse")
def line(X, y):
    v = np.linalg.pinv(ones(X)) @ y
    return v[1:], v[0]


@right("pseudo_inverse")
def ones_last(X, y):
    v = np.linalg.lstsq(np.c_[X, np.ones(len(X))], y, rcond=None)[0]
    return list(v[:-1]), v[-1]


@right("pseudo_inverse")
def by_class(X, y):
    m = PseudoInverse().fit(X, y)
    return m.coef_[0], m.intercept_[0]


wrong("pseudo_inverse", "mean-of-y")(lambda X, y: (np.linalg.pinv(X) @ y, y.mean()))
wrong("pseudo_inverse", "parts")(lambda X, y: np.linalg.pinv(ones(X)) @ y)
wrong("pseudo_inverse", "exception")(lambda X, y: np.linalg.pinv(X) @ y.reshape(1, -1))


# ---- alpha-LMS
@right("alpha_lms")
def swept(v, X, y, alpha, order):
    for i in order:
        z = np.array([1, *X[i]])
        v = v + alpha * (y[i] - v @ z) / (z @ z) * z
    return v


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


wrong("alpha_lms", "exception")(lambda v, X, y, alpha, order: v + alpha * (y - X @ v))

# ---- the half margins
SETS = {"clouds": separable_blobs(4), "exponentials": exponential_classes(5)}


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


def test_seed_5_is_the_first_draw_of_the_exponentials_that_a_line_separates():
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


wrong("standardise", "rows")(
    lambda X, T: tuple(((A.T - A.mean(axis=1)) / A.std(axis=1)).T for A in (X, T)))
wrong("standardise", "parts")(lambda X, T: by(T, X.mean(axis=0), X.std(axis=0)))


@wrong("standardise", "in-place")
def overwritten(X, T):
    m, s = X.mean(axis=0), X.std(axis=0)
    X -= m
    X /= s
    return X, by(T, m, s)


# ---- several starts
@right("several_starts")
def ran(make, X, y, T, t, starts):
    said = [make(r).fit(X, y).predict(T) for r in starts]
    errors = [np.mean(p != t) for p in said]
    return np.mean(errors), np.std(errors), np.mean([np.mean(a != b) for a, b in combinations(said, 2)])


@right("several_starts")
def by_votes(make, X, y, T, t, starts):
    said, k = np.array([make(r).fit(X, y).predict(T) for r in starts]), len(starts)
    plus = (said > 0).sum(axis=0)
    errors = (said != t).mean(axis=1)
    apart = plus * (k - plus) / (k * (k - 1) / 2)
    return [errors.mean(), (np.mean(errors**2) - errors.mean() ** 2) ** 0.5, apart.mean()]


wrong("several_starts", "parts")(lambda *arguments: ran(*arguments)[:2])


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
wrong("choose_start", "lowest")(lambda v, t: (np.argmin(v), min(t)))
wrong("choose_start", "parts")(lambda v, t: t[np.argmin(v)])

# ---- cost
right("cost")(lambda d, n, m, h: (d, m * (d + 1), m * (d + 2), h * (d + 1)))
right("cost")(lambda d, n, m, h: [d, m * d + m, m * d + m + m, h * d + h])
wrong("cost", "additions")(lambda d, n, m, h: (2 * d, 2 * m * (d + 1), 2 * m * (d + 2), 2 * h * (d + 1)))
wrong("cost", "parts")(lambda d, n, m, h: (d, m * (d + 1)))

# ---- the scaler inside the folds
@right("fold_errors")
def fold_by_fold(make, X, y, folds, scale=by):
    errors = []
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        m, s = X[rest].mean(axis=0), X[rest].std(axis=0)
        errors.append(np.mean(make().fit(scale(X[rest], m, s), y[rest]).predict(scale(X[fold], m, s)) != y[fold]))
    return np.array(errors)


@right("fold_errors")
def by_pipeline(make, X, y, folds):
    errors = []
    for fold in folds:
        rest = [i for i in range(len(y)) if i not in set(fold)]
        scaler = StandardScaler().fit(X[rest])
        machine = make().fit(scaler.transform(X[rest]), y[rest])
        errors.append(sum(machine.predict(scaler.transform(X[fold])) != y[fold]) / len(fold))
    return errors


@wrong("fold_errors", "outside")
def scaled_once(make, X, y, folds):
    Z = StandardScaler().fit_transform(X)
    return fold_by_fold(make, Z, y, folds, scale=lambda A, m, s: A)


wrong("fold_errors", "shape")(lambda *arguments: fold_by_fold(*arguments).mean())


# ---- one class is rare
@right("rare_scores")
def scored(y, p):
    recall = np.mean(p[y > 0] > 0)
    return np.mean(y == p), recall, np.mean(y[p > 0] > 0), (recall + np.mean(p[y < 0] < 0)) / 2


right("rare_scores")(lambda y, p: [accuracy_score(y, p), recall_score(y, p), precision_score(y, p),
                                   balanced_accuracy_score(y, p)])
wrong("rare_scores", "of-all")(lambda y, p: (
    np.mean(y == p), *[np.mean((y > 0) & (p > 0))] * 2, balanced_accuracy_score(y, p)))
wrong("rare_scores", "parts")(lambda y, p: scored(y, p)[:3])

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests(
    {"report_6_2": ({"clouds": [None, None], "exponentials": [None, None]},)})
