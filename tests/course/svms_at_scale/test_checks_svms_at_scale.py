"""Chapter 17: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.svms_at_scale import checks as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong

# ---- bytes
right("matrix_gigabytes")(lambda n, each: (n * n * each / 1e9, n * (n + 1) // 2 * each / 1e9))
right("matrix_gigabytes")(lambda n, each: [each * n**2 * 1e-9, sum(range(n + 1)) * each / 10**9])
right("matrix_gigabytes")(lambda n, each: np.array([n**2, (n**2 - n) / 2 + n]) * each / 1000**3)
wrong("matrix_gigabytes", "not-halved")(lambda n, each: (n * n * each / 1e9,) * 2)
wrong("matrix_gigabytes", "parts")(lambda n, each: n * n * each / 1e9)

# ---- the cache
right("rows_in_cache")(lambda n, mib, each: min(n, mib * 2**20 // (n * each)))
right("rows_in_cache")(lambda n, mib, each: int(np.floor(min(n, mib * 1024 * 1024 / each / n))))
wrong("rows_in_cache", "numbers")(lambda n, mib, each: min(n, mib * 2**20 // each))


# ---- the exponent
@right("exponent")
def normal_equations(n, cost):
    A = np.c_[np.log2(n), np.ones(len(n))]
    p, c = np.linalg.solve(A.T @ A, A.T @ np.log2(cost))
    return [p, 2**c]


@right("exponent")
def base_10(n, cost):
    p, c = np.polyfit(np.log10(n), np.log10(cost), 1)
    return np.array([p, 10**c])


wrong("exponent", "through-zero")(lambda n, cost: (np.log(n) @ np.log(cost) / np.sum(np.log(n) ** 2), 1.0))
wrong("exponent", "order")(lambda n, cost: base_10(n, cost)[::-1])
wrong("exponent", "parts")(lambda n, cost: base_10(n, cost)[0])


# ---- who may move
right("movable")(lambda alpha, y, C: (np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)))
right("movable")(lambda alpha, y, C: [y * alpha < np.maximum(0, C * y), y * alpha > np.minimum(0, C * y)])
wrong("movable", "C-forgotten")(lambda alpha, y, C: ((y > 0) | (alpha > 0), (y < 0) | (alpha > 0)))
wrong("movable", "shape")(lambda alpha, y, C: (np.flatnonzero(alpha < C), np.flatnonzero(alpha > 0)))


# ---- the worst pair
@right("worst_pair")
def pair(F, alpha, y, C):
    up, low = ((y > 0) & (alpha < C)) | ((y < 0) & (alpha > 0)), ((y > 0) & (alpha > 0)) | ((y < 0) & (alpha < C))
    i, j = np.argmin(np.where(up, F, np.inf)), np.argmax(np.where(low, F, -np.inf))
    return i, j, F[j] - F[i]


@right("worst_pair")
def by_beta(F, alpha, y, C):
    beta, lo, hi = y * alpha, np.minimum(0, C * y), np.maximum(0, C * y)
    i = min((k for k in range(len(F)) if beta[k] < hi[k]), key=lambda k: F[k])
    j = max((k for k in range(len(F)) if beta[k] > lo[k]), key=lambda k: F[k])
    return [i, j, float(F[j] - F[i])]


@wrong("worst_pair", "places")
def in_the_subset(F, alpha, y, C):
    up, low = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
    return np.argmin(F[up]), np.argmax(F[low]), F[low].max() - F[up].min()


# ---- the next set
@right("learn")
def following(v, S, worst, more):
    rank = [k for k in np.argsort(-v) if v[k] > 0 and k not in S]
    return np.r_[S[v[S] > -max(0.1, 0.2 * worst)], rank[:more]].astype(int)


@right("learn")
def with_lists(v, S, worst, more):
    stay = [int(k) for k in S if v[k] > -0.1 or v[k] > -worst / 5]
    rest = [k for k in range(len(v)) if k not in S and v[k] > 0]
    return sorted(rest, key=lambda k: v[k], reverse=True)[:more] + stay


wrong("learn", "keeps-none")(lambda v, S, worst, more: [k for k in np.argsort(-v) if v[k] > 0 and k not in S][:more])
wrong("learn", "twice")(lambda v, S, worst, more: np.r_[S, np.argsort(-v)[:more]])
wrong("learn", "indices")(lambda v, S, worst, more: v[following(v, S, worst, more)])

# ---- without K
right("through_w")(lambda X, y, alpha: (X.T @ (alpha * y), X @ (X.T @ (alpha * y)) - y))


@right("through_w")
def in_steps(X, y, alpha):
    w = (X * (alpha * y)[:, None]).sum(axis=0)
    return [w.tolist(), (X * w).sum(axis=1) - y]


wrong("through_w", "margin")(lambda X, y, alpha: ((w := (alpha * y) @ X), y * (X @ w) - 1))
wrong("through_w", "matrix")(lambda X, y, alpha: ((alpha * y) @ X, (X @ X.T) @ (alpha * y) - y))
wrong("through_w", "matrix")(lambda X, y, alpha: ((alpha * y) @ X, (np.outer(y, y) * (X @ X.T)) @ alpha * y - y))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
