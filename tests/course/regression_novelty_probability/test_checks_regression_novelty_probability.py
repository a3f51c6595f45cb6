"""Chapter 18: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from svmcourse.regression_novelty_probability import checks as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong

# ---- the loss
right("tube_loss")(lambda y, f, epsilon: np.maximum(0, abs(y - f) - epsilon))
right("tube_loss")(lambda y, f, epsilon: [max(0, a - b - epsilon, b - a - epsilon) for a, b in zip(y, f, strict=True)])
right("tube_loss")(lambda y, f, epsilon: np.where(abs(f - y) > epsilon, abs(f - y) - epsilon, 0)[:, None])
wrong("tube_loss", "jump")(lambda y, f, epsilon: abs(y - f) * (abs(y - f) > epsilon))
wrong("tube_loss", "shape")(lambda y, f, epsilon: np.maximum(0, abs(y - f) - epsilon).sum())


# ---- the doubled problem
right("tube_problem")(lambda y, epsilon, C: (
    np.r_[y - epsilon, y + epsilon], C * np.repeat([0, -1], len(y)), C * np.repeat([1, 0], len(y))))


@right("tube_problem")
def by_sign(y, epsilon, C):
    sign = np.repeat([1, -1], len(y))
    return [np.tile(y, 2) - epsilon * sign, np.minimum(0, C * sign), np.maximum(0, C * sign)]


@wrong("tube_problem", "alpha-star")
def for_alpha_and_alpha_star(y, epsilon, C):
    return np.concatenate([y - epsilon, -y - epsilon]), np.zeros(2 * len(y)), np.full(2 * len(y), C)


wrong("tube_problem", "not-doubled")(lambda y, epsilon, C: (y - epsilon, 0 * y, C + 0 * y))

# ---- f
right("tube_predict")(lambda K, pulls, b: K @ (pulls[:len(pulls) // 2] - pulls[len(pulls) // 2:]) + b)
right("tube_predict")(lambda K, pulls, b: [
    sum(k * (u - d) for k, u, d in zip(row, *np.split(pulls, 2), strict=True)) + b for row in K])
right("tube_predict")(lambda K, pulls, b: np.hstack([K, -K]) @ pulls + b)
wrong("tube_predict", "up-only")(lambda K, pulls, b: K @ pulls[:K.shape[1]] + b)
wrong("tube_predict", "exception")(lambda K, pulls, b: K @ pulls + b)


# ---- inside, edge, outside
@right("tube_kinds")
def kinds(y, f, epsilon, tol):
    r = abs(y - f)
    return np.where(r < epsilon - tol, 0, np.where(r <= epsilon + tol, 1, 2))


@right("tube_kinds")
def one_by_one(y, f, epsilon, tol):
    out = []
    for r in y - f:
        if abs(abs(r) - epsilon) <= tol:
            out.append(1)
        else:
            out.append(2 if r > epsilon or r < -epsilon else 0)
    return out


wrong("tube_kinds", "exact")(lambda y, f, e, tol: np.where(abs(y - f) == e, 1, np.where(abs(y - f) < e, 0, 2)))

# ---- one class


@right("fewest")
def fill(n, nu):
    alpha = np.zeros(n)
    whole = int(nu * n)
    alpha[:whole] = 1
    if whole < n:
        alpha[whole] = nu * n - whole
    return alpha


right("fewest")(lambda n, nu: np.clip(nu * n - np.arange(n), 0, 1))
right("fewest")(lambda n, nu: [float(min(1, max(0, nu * n - k))) for k in range(n)][::-1])
right("fewest")(lambda n, nu: np.r_[np.zeros(n - int(np.ceil(nu * n))), np.full(int(np.ceil(nu * n)),
                                                                               nu * n / np.ceil(nu * n))])
wrong("fewest", "uniform")(np.full)
wrong("fewest", "sum-one")(lambda n, nu: np.clip(nu * n - np.arange(n), 0, 1) / (nu * n))
wrong("fewest", "sum-one")(lambda n, nu: np.full(n, 1 / n))
wrong("fewest", "nu-only")(lambda n, nu: np.r_[nu, np.zeros(n - 1)])
wrong("fewest", "remainder-lost")(lambda n, nu: np.arange(n) < int(nu * n))
wrong("fewest", "rounded-up")(lambda n, nu: np.arange(n) < np.ceil(nu * n))
wrong("fewest", "above-one")(lambda n, nu: np.r_[nu * n, np.zeros(n - 1)])
wrong("fewest", "negative")(lambda n, nu: np.minimum(nu * n - np.arange(n), 1))
wrong("fewest", "too-many")(lambda n, nu: np.minimum(1, np.arange(n, 0, -1) * 2 * nu * n / (n * (n + 1))))


# ---- scores
@right("held_out")
def held_out(machine, X, y, folds):
    f = np.empty(len(y))
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        f[fold] = machine.fit(X[rest], y[rest]).decision_function(X[fold])
    return f


@right("held_out")
def with_masks(machine, X, y, folds):
    f = [0.0] * len(y)
    for fold in folds:
        out = np.isin(np.arange(len(y)), fold)
        machine.fit(X[~out], y[~out])
        for k, value in zip(np.flatnonzero(out), machine.decision_function(X[out]), strict=True):
            f[k] = value
    return f


@wrong("held_out", "fitted-once")
def once(machine, X, y, folds):
    rest = np.setdiff1d(np.arange(len(y)), folds[0])
    return machine.fit(X[rest], y[rest]).decision_function(X)


# ---- Platt
@right("platt")
def by_scipy(f, y):
    t = y > 0
    return minimize(lambda v: np.sum(np.logaddexp(0, v[0] * f + v[1]) - (1 - t) * (v[0] * f + v[1])), [0.0, 0.0]).x


@wrong("platt", "sign")
def by_scikit_learn(f, y):
    machine = LogisticRegression(C=1e8, tol=1e-8).fit(f[:, None], y)
    return machine.coef_[0, 0], machine.intercept_[0]


right("platt")(lambda f, y: tuple(-v for v in by_scikit_learn(f, y)))


@right("platt")
def downhill(f, y):
    A = B = 0.0
    for _ in range(4000):
        p = 1 / (1 + np.exp(A * f + B))
        slope = (y > 0) - p
        A, B = A - 0.5 * np.mean(slope * f), B - 0.5 * np.mean(slope)
    return [A, B]


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
