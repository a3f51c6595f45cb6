"""Chapter 17: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib.classroom.checks import scale as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong

# ---- bytes
right("matrix_gigabytes")(lambda n, each: (n * n * each / 1e9, n * (n + 1) // 2 * each / 1e9))
right("matrix_gigabytes")(lambda n, each: [each * n**2 * 1e-9, sum(range(n + 1)) * each / 10**9])
right("matrix_gigabytes")(lambda n, each: np.array([n**2, (n**2 - n) / 2 + n]) * each / 1000**3)
wrong("matrix_gigabytes", "GiB")(lambda n, each: (n * n * each / 2**30, n * (n + 1) / 2 * each / 1024**3))
wrong("matrix_gigabytes", "MB")(lambda n, each: (n * n * each / 1e6, n * (n + 1) / 2 * each / 1e6))
wrong("matrix_gigabytes", "bytes")(lambda n, each: (n * n * each, n * (n + 1) / 2 * each))
wrong("matrix_gigabytes", "always-8")(lambda n, each: (8 * n * n / 1e9, 8 * n * (n + 1) / 2 / 1e9))
wrong("matrix_gigabytes", "bits")(lambda n, each: (n * n * each / 8 / 1e9, n * (n + 1) / 2 * each / 8 / 1e9))
wrong("matrix_gigabytes", "half")(lambda n, each: (n * n * each / 1e9, n * n * each / 2e9))
wrong("matrix_gigabytes", "no-diagonal")(lambda n, each: (n * n * each / 1e9, n * (n - 1) / 2 * each / 1e9))
wrong("matrix_gigabytes", "not-halved")(lambda n, each: (n * n * each / 1e9,) * 2)
wrong("matrix_gigabytes", "one-row")(lambda n, each: (n * each / 1e9, n * (n + 1) / 2 * each / 1e9))
wrong("matrix_gigabytes", "parts")(lambda n, each: n * n * each / 1e9)

# ---- the cache
right("rows_in_cache")(lambda n, mib, each: min(n, mib * 2**20 // (n * each)))
right("rows_in_cache")(lambda n, mib, each: int(np.floor(min(n, mib * 1024 * 1024 / each / n))))
wrong("rows_in_cache", "MB")(lambda n, mib, each: min(n, mib * 10**6 // (n * each)))
wrong("rows_in_cache", "more-than-n")(lambda n, mib, each: mib * 2**20 // (n * each))
wrong("rows_in_cache", "fraction")(lambda n, mib, each: min(n, mib * 2**20 / (n * each)))
wrong("rows_in_cache", "rounded")(lambda n, mib, each: min(n, round(mib * 2**20 / (n * each))))
wrong("rows_in_cache", "up")(lambda n, mib, each: min(n, np.ceil(mib * 2**20 / (n * each))))
wrong("rows_in_cache", "always-8")(lambda n, mib, each: min(n, mib * 2**20 // (8 * n)))
wrong("rows_in_cache", "MB-more")(lambda n, mib, each: mib * 10**6 // (n * each))
wrong("rows_in_cache", "fraction-more")(lambda n, mib, each: mib * 2**20 / (n * each))
wrong("rows_in_cache", "rounded-more")(lambda n, mib, each: round(mib * 2**20 / (n * each)))
wrong("rows_in_cache", "MB-fraction")(lambda n, mib, each: min(n, mib * 10**6 / (n * each)))
wrong("rows_in_cache", "MB-fraction-more")(lambda n, mib, each: mib * 1e6 / (n * each))
wrong("rows_in_cache", "numbers")(lambda n, mib, each: min(n, mib * 2**20 // each))

# ---- the exponent


def line(x, z, c=np.exp):
    p, intercept = np.polyfit(x, z, 1)
    return p, c(intercept)


@right("exponent")
def normal_equations(n, cost):
    A = np.c_[np.log2(n), np.ones(len(n))]
    p, c = np.linalg.solve(A.T @ A, A.T @ np.log2(cost))
    return [p, 2**c]


right("exponent")(lambda n, cost: line(np.log(n), np.log(cost)))
right("exponent")(lambda n, cost: np.array(line(np.log10(n), np.log10(cost), lambda c: 10**c)))
wrong("exponent", "linear")(lambda n, cost: np.polyfit(n, cost, 1))
wrong("exponent", "linear")(lambda n, cost: line(n, cost, abs))
wrong("exponent", "cost-only")(lambda n, cost: line(n, np.log(cost)))
wrong("exponent", "n-only")(lambda n, cost: line(np.log(n), cost, abs))
wrong("exponent", "two-bases")(lambda n, cost: line(np.log(n), np.log10(cost), lambda c: 10**c))
wrong("exponent", "exchanged")(lambda n, cost: line(np.log(cost), np.log(n)))
wrong("exponent", "through-zero")(lambda n, cost: (np.log(n) @ np.log(cost) / np.sum(np.log(n) ** 2), 1.0))
wrong("exponent", "end-points")(lambda n, cost: line(np.log(n[[0, -1]]), np.log(cost[[0, -1]])))
wrong("exponent", "c-is-log")(lambda n, cost: tuple(np.polyfit(np.log(n), np.log(cost), 1)))
wrong("exponent", "exp-of-log10")(lambda n, cost: line(np.log10(n), np.log10(cost)))
wrong("exponent", "exp-of-log2")(lambda n, cost: line(np.log2(n), np.log2(cost)))
wrong("exponent", "order")(lambda n, cost: line(np.log(n), np.log(cost))[::-1])
wrong("exponent", "parts")(lambda n, cost: line(np.log(n), np.log(cost))[0])


# ---- who may move
right("movable")(lambda alpha, y, C: (np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)))
right("movable")(lambda alpha, y, C: [y * alpha < np.maximum(0, C * y), y * alpha > np.minimum(0, C * y)])
wrong("movable", "y-forgotten")(lambda alpha, y, C: (alpha < C, alpha > 0))
wrong("movable", "support-only")(lambda alpha, y, C: (alpha > 0, alpha > 0))
wrong("movable", "no-bounds")(lambda alpha, y, C: (y == y.round(), abs(y) > 0))
wrong("movable", "inside-only")(lambda alpha, y, C: ((alpha > 0) & (alpha < C), (alpha < C) & (alpha > 0)))
wrong("movable", "C-forgotten")(lambda alpha, y, C: ((y > 0) | (alpha > 0), (y < 0) | (alpha > 0)))
wrong("movable", "zero-forgotten")(lambda alpha, y, C: ((y < 0) | (alpha < C), (y > 0) | (alpha < C)))
wrong("movable", "sets-exchanged")(lambda alpha, y, C: (np.where(y > 0, alpha > 0, alpha < C),
                                                        np.where(y > 0, alpha < C, alpha > 0)))
wrong("movable", "shape")(lambda alpha, y, C: (np.flatnonzero(alpha < C), np.flatnonzero(alpha > 0)))


# ---- the worst pair
def pair(F, alpha, y, C, up=None, low=None):
    up = ((y > 0) & (alpha < C)) | ((y < 0) & (alpha > 0)) if up is None else up(alpha, y, C)
    low = ((y > 0) & (alpha > 0)) | ((y < 0) & (alpha < C)) if low is None else low(alpha, y, C)
    i, j = np.argmin(np.where(up, F, np.inf)), np.argmax(np.where(low, F, -np.inf))
    return i, j, F[j] - F[i]


def sets(up, low):
    return lambda *given: pair(*given, up=up, low=low)


right("worst_pair")(pair)


@right("worst_pair")
def by_beta(F, alpha, y, C):
    beta, lo, hi = y * alpha, np.minimum(0, C * y), np.maximum(0, C * y)
    i = min((k for k in range(len(F)) if beta[k] < hi[k]), key=lambda k: F[k])
    j = max((k for k in range(len(F)) if beta[k] > lo[k]), key=lambda k: F[k])
    return [i, j, float(F[j] - F[i])]


wrong("worst_pair", "y-forgotten")(sets(lambda a, y, C: a < C, lambda a, y, C: a > 0))
wrong("worst_pair", "support-only")(sets(lambda a, y, C: a > 0, lambda a, y, C: a > 0))
wrong("worst_pair", "no-bounds")(lambda F, *rest: (F.argmin(), F.argmax(), F.max() - F.min()))
wrong("worst_pair", "inside-only")(sets(lambda a, y, C: (a > 0) & (a < C), lambda a, y, C: (a > 0) & (a < C)))
wrong("worst_pair", "C-forgotten")(sets(lambda a, y, C: (y > 0) | (a > 0), lambda a, y, C: (y < 0) | (a > 0)))
wrong("worst_pair", "zero-forgotten")(sets(lambda a, y, C: (y < 0) | (a < C), lambda a, y, C: (y > 0) | (a < C)))
wrong("worst_pair", "sets-exchanged")(sets(lambda a, y, C: np.where(y > 0, a > 0, a < C),
                                           lambda a, y, C: np.where(y > 0, a < C, a > 0)))
wrong("worst_pair", "order")(lambda *given: (pair(*given)[1], pair(*given)[0], pair(*given)[2]))
wrong("worst_pair", "sign")(lambda *given: (*pair(*given)[:2], -pair(*given)[2]))
wrong("worst_pair", "one-side")(lambda F, *rest: (*pair(F, *rest)[:2], abs(F[pair(F, *rest)[1]])))


@wrong("worst_pair", "zeros")
def by_products(F, alpha, y, C):
    up, low = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = (F * up).argmin(), (F * low).argmax()
    return i, j, F[j] - F[i]


@wrong("worst_pair", "best")
def least(F, alpha, y, C):
    up, low = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    i, j = np.argmax(np.where(up, F, -np.inf)), np.argmin(np.where(low, F, np.inf))
    return i, j, F[j] - F[i]


# ---- the next set
def following(v, S, worst, more, *, stay=lambda v, worst: v > -max(0.1, 0.2 * worst), joins=lambda v: v > 0,
              key=lambda v: -v, outside=True, unique=True):
    rank = [k for k in np.argsort(key(v)) if joins(v[k]) and not (outside and k in S)]
    chosen = np.r_[S[stay(v[S], worst)], rank[:more]].astype(int)
    return np.unique(chosen) if unique else chosen


def learning(**parts):
    return lambda *given: following(*given, **parts)


right("learn")(following)


@right("learn")
def with_lists(v, S, worst, more):
    stay = [int(k) for k in S if v[k] > -0.1 or v[k] > -worst / 5]
    rest = [k for k in range(len(v)) if k not in S and v[k] > 0]
    return sorted(rest, key=lambda k: v[k], reverse=True)[:more] + stay


wrong("learn", "keeps-all")(learning(stay=lambda v, worst: v < np.inf))
wrong("learn", "keeps-none")(learning(stay=lambda v, worst: v > np.inf))
wrong("learn", "keeps-satisfied")(learning(stay=lambda v, worst: v < -max(0.1, 0.2 * worst)))
wrong("learn", "absolute")(learning(stay=lambda v, worst: abs(v) < max(0.1, 0.2 * worst)))
wrong("learn", "sign")(learning(stay=lambda v, worst: v > max(0.1, 0.2 * worst)))
wrong("learn", "only-violators")(learning(stay=lambda v, worst: v > 0))
wrong("learn", "constant")(learning(stay=lambda v, worst: v > -0.1))
wrong("learn", "share")(learning(stay=lambda v, worst: v > -0.2 * worst))
wrong("learn", "fills-up")(learning(joins=lambda v: True))
wrong("learn", "smallest")(learning(joins=lambda v: True, key=lambda v: v))
wrong("learn", "first")(learning(key=lambda v: np.arange(len(v))))
wrong("learn", "counts-S")(learning(outside=False))
wrong("learn", "twice")(learning(outside=False, unique=False))
wrong("learn", "all")(lambda v, S, worst, more: following(v, S, worst, len(v)))
wrong("learn", "adds-none")(lambda v, S, worst, more: following(v, S, worst, 0))
wrong("learn", "indices")(lambda v, S, worst, more: v[following(v, S, worst, more)])

# ---- without K
right("through_w")(lambda X, y, alpha: (X.T @ (alpha * y), X @ (X.T @ (alpha * y)) - y))


@right("through_w")
def in_steps(X, y, alpha):
    w = (X * (alpha * y)[:, None]).sum(axis=0)
    return [w.tolist(), (X * w).sum(axis=1) - y]


wrong("through_w", "y-forgotten")(lambda X, y, alpha: (alpha @ X, X @ (alpha @ X) - y))
wrong("through_w", "mean")(lambda X, y, alpha: ((w := (alpha * y) @ X / len(y)), X @ w - y))
wrong("through_w", "without-y")(lambda X, y, alpha: ((w := (alpha * y) @ X), X @ w))
wrong("through_w", "plus-y")(lambda X, y, alpha: ((w := (alpha * y) @ X), X @ w + y))
wrong("through_w", "margin")(lambda X, y, alpha: ((w := (alpha * y) @ X), y * (X @ w) - 1))
wrong("through_w", "matrix")(lambda X, y, alpha: ((alpha * y) @ X, (X @ X.T) @ (alpha * y) - y))
wrong("through_w", "matrix")(lambda X, y, alpha: ((alpha * y) @ X, (np.outer(y, y) * (X @ X.T)) @ alpha * y - y))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
