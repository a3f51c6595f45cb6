"""Chapter 10: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
import pytest
from course.checking.both_ways import Answers

from svmcourse.checking.core import Wrong
from svmcourse.smo import checks as check
from svmcourse.smo import checks_runs as smo_runs
from svmlib import SVC
from svmlib.kernels import Gaussian
from svmlib.solvers.smo_lab_sheet import one_step

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the segment
@right("segment")
def by_cases(i, j, alpha, y, C):
    if y[i] == y[j]:
        gamma = alpha[i] + alpha[j]
        return max(0, gamma - C), min(gamma, C)
    gamma = alpha[j] - alpha[i]
    return max(0, -gamma), min(C, C - gamma)


@right("segment")
def by_brute_force(i, j, alpha, y, C):
    t = np.array([0 - alpha[i], C - alpha[i]])
    other = np.sort(-y[i] * y[j] * np.array([0 - alpha[j], C - alpha[j]]))
    return [alpha[i] + max(t[0], other[0]), alpha[i] + min(t[1], other[1])]


right("segment")(lambda *given: np.array(by_cases(*given)))
right("segment")(lambda *given: (end for end in by_cases(*given)))
right("segment")(lambda *given: dict(zip("HL", by_cases(*given)[::-1], strict=True)))


@wrong("segment", "gamma-sign")
def gamma_turned(i, j, alpha, y, C):
    if y[i] == y[j]:
        return by_cases(i, j, alpha, y, C)
    gamma = alpha[j] - alpha[i]
    return max(0, gamma), min(C, C + gamma)


# ---- one step
@right("task_2_1")
def of_the_library(i, j, alpha, y, K, f, C, b):
    return one_step(i, j, alpha, y, K, f, C, b)


@right("task_2_1")
def vectorised(i, j, alpha, y, K, f, C, b):
    E = f - y
    chi = K[i, i] - 2 * K[i, j] + K[j, j]
    L, H = by_brute_force(i, j, alpha, y, C)
    delta = y[i] * (E[j] - E[i])
    a = np.clip(alpha[i] + delta / chi, L, H) if chi > 1e-12 else (H if delta > 0 else L)
    new = np.array(alpha)
    new[i] = a
    new[j] += y[i] * y[j] * (alpha[i] - a)
    bare = K @ (new * y)
    b = b - np.mean(bare[[i, j]] + b - y[[i, j]])
    return new.tolist(), bare + b, np.float64(b)


@wrong("task_2_1", "alpha-j-kept")
def gamma_too_late(i, j, alpha, y, K, f, C, b):
    s, alpha = y[i] * y[j], alpha.copy()
    delta, eta = y[i] * ((f[j] - y[j]) - (f[i] - y[i])), K[i, i] + K[j, j] - 2 * K[i, j]
    L, H = by_cases(i, j, alpha, y, C)
    old, alpha[i] = alpha[i], min(max(alpha[i] + delta / eta, L), H) if eta > 0 else H if delta > 0 else L
    gamma = s * alpha[i] + alpha[j]
    alpha[j] = gamma - s * alpha[i]
    f = f + y[i] * (alpha[i] - old) * K[i]
    shift = (f[i] - y[i] + f[j] - y[j]) / 2
    return alpha, f - shift, b - shift


@wrong("task_2_1", "in-place")
def in_place(i, j, alpha, y, K, f, C, b):
    new, f, b = one_step(i, j, alpha, y, K, f, C, b)
    alpha[:] = new
    return alpha, f, b


wrong("task_2_1", "parts")(lambda *arguments: one_step(*arguments)[0])


def partner_stays(i, j, alpha, *rest):
    new, f, b = one_step(i, j, alpha, *rest)
    new[j] = alpha[j]
    return new, f, b


# ---- the data
@right("task_2_2")
def of_two_draws(rng):
    X = np.vstack([rng.exponential(1 / 4, size=(20, 2)), rng.exponential(1 / 0.5, size=(20, 2))])
    return X, np.array([-1] * 20 + [1] * 20)


@right("task_2_2")
def by_inversion_and_mixed(rng):
    y = rng.permutation(np.repeat([-1.0, 1.0], 20))
    return -np.log(1 - rng.random((40, 2))) / np.where(y < 0, 4, 0.5)[:, None], y.tolist()


def drawn(low, high, labels=(-1, 1), size=(20, 2)):
    return lambda rng: (np.concatenate([rng.exponential(s, size) for s in (low, high)]), np.repeat(labels, 20))


wrong("task_2_2", "rate-as-scale")(drawn(4, 0.5))
wrong("task_2_2", "labels-exchanged")(drawn(0.25, 2, (1, -1)))
wrong("task_2_2", "labels-01")(drawn(0.25, 2, (0, 1)))
wrong("task_2_2", "one-coordinate")(lambda rng: (np.repeat(np.concatenate(
    [rng.exponential(0.25, (20, 1)), rng.exponential(2, (20, 1))]), 2, axis=1), np.repeat([-1, 1], 20)))
wrong("task_2_2", "no-rng")(lambda rng: drawn(0.25, 2)(np.random.default_rng(0)))
wrong("task_2_2", "no-rng")(lambda rng: drawn(4, 0.5)(np.random.default_rng(0)))
wrong("task_2_2", "shape")(lambda rng: (drawn(0.25, 2)(rng)[0].T, np.repeat([-1, 1], 20)))
wrong("task_2_2", "means")(lambda rng: (rng.exponential(1, (40, 2)), np.repeat([-1, 1], 20)))


@wrong("task_2_2", "same-draw")
def scaled_copies(rng):
    E = rng.exponential(size=(20, 2))
    return np.vstack([E / 4, E / 0.5]), np.repeat([-1, 1], 20)


@wrong("task_2_2", "distribution")
def normal_ones(rng):
    X = np.vstack([rng.normal(0.25, 0.05, (20, 2)), rng.normal(2, 0.3, (20, 2))])
    return X, np.repeat([-1, 1], 20)


# ---- the final b
@right("final_bias")
def with_mask(alpha, y, f, b, C):
    free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)
    return b - np.mean((f - y)[free]) if np.any(free) else b


@right("final_bias")
def with_loop(alpha, y, f, b, C):
    errors = [f[k] - y[k] for k in range(len(y)) if 1e-9 < alpha[k] / C < 1 - 1e-9]
    return b - sum(errors) / max(len(errors), 1)


wrong("final_bias", "b-all-support")(lambda a, y, f, b, C: b - (f - y)[a > 0].mean())
wrong("final_bias", "b-nan")(lambda a, y, f, b, C: b - np.mean([e for e, k in zip(f - y, a, strict=True) if 0 < k < C]))
wrong("final_bias", "b-nan")(lambda a, y, f, b, C: with_mask(a, y, f, b, C) if (a % C > 1e-8).any() else None)
wrong("final_bias", "b-none")(lambda a, y, f, b, C: b - (f - y)[(a > 0) & (a < C)].mean() if (a % C).any() else 0.0)



# ---- random pairs
def smo_with(step=one_step, draw=None, finish=with_mask, gram=None, keep=True, bound=None):
    def smo(X, y, C, steps, rng):
        n = len(y)
        K = X @ X.T if gram is None else gram(X, y)
        alpha, f, b = np.zeros(n), np.zeros(n), 0.0
        for _ in range(steps):
            i, j = rng.choice(n, 2, replace=False) if draw is None else draw(rng, n)
            answer = step(i, j, alpha, y, K, f, C if bound is None else bound, b)
            if keep:
                alpha, f, b = answer
        return alpha, finish(alpha, y, f, b, C)

    return smo


right("task_2_3")(smo_with())
right("task_2_3")(smo_with(step=lambda *a: tuple(np.asarray(v) for v in vectorised(*a))))
wrong("task_2_3", "box")(smo_with(bound=5.0))
wrong("task_2_3", "sum")(smo_with(step=partner_stays))
wrong("task_2_3", "not-started")(smo_with(keep=False))
wrong("task_2_3", "far-from-optimum")(smo_with(draw=lambda rng, n: rng.choice(6, 2, replace=False) + 8))
wrong("task_2_3", "gram-with-labels")(smo_with(gram=lambda X, y: np.outer(y, y) * (X @ X.T)))
wrong("task_2_3", "b-not-corrected")(smo_with(finish=lambda a, y, f, b, C: b))
wrong("task_2_3", "same-pair")(smo_with(draw=lambda rng, n: rng.integers(0, n, 2)))
wrong("task_2_3", "same-pair")(smo_with(draw=lambda rng, n: rng.choice(n, 2)))
wrong("task_2_3", "no-step")(lambda X, y, C, steps, rng: smo_with()(X, y, C, steps - 1, rng))
wrong("task_2_3", "nan")(smo_with(finish=lambda a, y, f, b, C: b * np.nan if (a % C > 1e-8).any() else b))
wrong("task_2_3", "b-nan")(smo_with(finish=lambda a, y, f, b, C: b - np.mean((f - y)[(a > 0) & (a < C)])))


# ---- counting
def count_above(threshold):
    return lambda alpha, C: (np.sum(alpha > threshold(alpha, C)),
                             np.sum((alpha > threshold(alpha, C)) & (alpha < C - 1e-6 * C)))


right("count")(count_above(lambda alpha, C: 1e-6 * alpha.max()))
right("count")(lambda alpha, C: [sum(a / max(alpha) > 1e-6 for a in alpha),
                                 sum(a / max(alpha) > 1e-6 and a / C < 1 - 1e-5 for a in alpha)])
wrong("count", "share-of-C")(count_above(lambda alpha, C: 1e-5 * C))


# ---- accuracy
right("accuracy")(lambda f, y: np.mean(np.sign(f) == y))
right("accuracy")(lambda f, y: sum(1 for a, b in zip(f, y, strict=True) if a * b > 0) / len(y))
wrong("accuracy", "count")(lambda f, y: np.sum(f * y > 0))

right("task_2_4")((0.8445, 0.904))
right("task_2_4")((np.array([0.82]), 0.915))
wrong("task_2_4", "exchanged")((0.904, 0.8445))
wrong("task_2_4", "training-data")((0.85, 0.925))
wrong("task_2_4", "percent")((84.45, 90.4))
wrong("task_2_4", "wrong-side")((0.1555, 0.9035))
wrong("task_2_4", "range")((0.6011, 0.9035))
right("task_2_4")((0.801, 0.876))
right("task_2_4")((0.7305, 0.8535))
right("task_2_4")((0.889, 0.921))


# ---- the KKT sweep
right("kkt")(lambda alpha, y, f, C: (C - alpha) * np.maximum(0, 1 - y * f) + alpha * np.maximum(0, y * f - 1))
right("kkt")(lambda alpha, y, f, C: [(C - a) * max(0, 1 - s * v) + a * max(0, s * v - 1)
                                     for a, s, v in zip(alpha, y, f, strict=True)])
wrong("kkt", "no-max")(lambda alpha, y, f, C: (C - alpha) * (1 - y * f) + alpha * (y * f - 1))


def sweep(tol=1e-6, calls_max=10_000, passes=None, alpha_j_follows=True, count_calls=True, from_all=True, bound=None,
          stale=False, any_j=False):
    def smo_kkt(X, y, C, rng):
        n, K = len(y), X @ X.T
        alpha, f, b, calls, rounds = np.zeros(n), np.zeros(n), 0.0, 0, 0
        while calls < calls_max and (passes is None or rounds < passes):
            rounds, before, read = rounds + 1, calls, (alpha, f)
            for i in range(n):
                a, m = (read if stale else (alpha, f))[0][i], y[i] * (read if stale else (alpha, f))[1][i]
                violation = (C - a) * max(0, 1 - m) + a * max(0, m - 1)
                if violation > tol and calls < calls_max:
                    others = [j for j in range(n) if j != i and 0 < alpha[j] < C and not any_j]
                    if not others and from_all:
                        others = [j for j in range(n) if j != i]
                    if others:
                        take = one_step if alpha_j_follows else partner_stays
                        alpha, f, b = take(i, rng.choice(others), alpha, y, K, f, bound or C, b)
                        calls += 1
            if calls == before:
                break
        return alpha, b, calls if count_calls else rounds

    return smo_kkt


right("task_2_5")(sweep())
right("task_2_5")(sweep(tol=1e-5))
wrong("task_2_5", "never-stops")(sweep(tol=0.0))
wrong("task_2_5", "never-stops")(lambda X, y, C, rng: (*sweep()(X, y, C, rng)[:2], 10_000))
wrong("task_2_5", "never-stops")(lambda X, y, C, rng: (*sweep(passes=1)(X, y, C, rng)[:2], 10_000))
wrong("task_2_5", "stops-early")(sweep(passes=1))
wrong("task_2_5", "sum")(sweep(alpha_j_follows=False, calls_max=500))
wrong("task_2_5", "not-started")(sweep(from_all=False))
wrong("task_2_5", "box")(sweep(bound=9.0, calls_max=300))
wrong("task_2_5", "calls-not-counted")(sweep(count_calls=False))
wrong("task_2_5", "calls-not-counted")(lambda *given: (*(found := sweep()(*given))[:2], found[2] + 1))
wrong("task_2_5", "calls-not-counted")(lambda *given: (*(found := sweep()(*given))[:2], found[2] - 1))
wrong("task_2_5", "bound")(sweep(calls_max=1_000))
wrong("task_2_5", "bound")(sweep(calls_max=30_000))
wrong("task_2_5", "stale-kkt")(sweep(stale=True))
wrong("task_2_5", "any-j")(sweep(any_j=True))
wrong("task_2_5", "b")(lambda *given: ((found := sweep()(*given))[0], -found[1], found[2]))
wrong("task_2_5", "calls-not-counted")(lambda X, y, C, rng: (*sweep()(X, y, C, rng)[:2], 1))


# ---- Task 2.7
def gauss(A, B, sigma, scale=lambda s: 2 * s * s):
    return np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) / scale(sigma))


def kernel_smo(X, y, C, sigma, steps, rng, *, K=gauss, keep=True, correct=True, times=1, same=False, box=1.0):
    n, K = len(y), K(X, X, sigma)
    alpha, f, b = np.zeros(n), np.zeros(n), 0.0
    for _ in range(steps // times):
        i, j = (0, n - 1) if same else rng.choice(n, 2, replace=False)
        step = one_step(i, j, alpha, y, K, f, box * C, b)
        if keep:
            alpha, f, b = step
    free = (alpha > 1e-8) & (alpha < C)
    return alpha, b - np.mean((f - y)[free]) if correct and free.any() else 0.0


def with_kernel(**parts):
    return lambda *arguments: kernel_smo(*arguments, **parts)


right("task_2_7")(kernel_smo)


@right("task_2_7")
def by_svc(X, y, C, sigma, steps, rng):
    machine = SVC(Gaussian(sigma=sigma), C=C, tol=1e-6).fit(X, y)
    return machine.solutions_[0].alpha.tolist(), machine.intercept_


wrong("task_2_7", "linear")(with_kernel(K=lambda A, B, s: A @ B.T))
wrong("task_2_7", "gram-with-labels")(lambda X, y, *rest: kernel_smo(
    X, y, *rest, K=lambda A, B, s: np.outer(y, y) * gauss(A, B, s)))
wrong("task_2_7", "sigma-not-squared")(with_kernel(K=lambda A, B, s: gauss(A, B, s, scale=lambda s: 2 * s)))
wrong("task_2_7", "no-two")(with_kernel(K=lambda A, B, s: gauss(A, B, s, scale=lambda s: s * s)))
wrong("task_2_7", "times-sigma")(with_kernel(K=lambda A, B, s: gauss(A, B, s, scale=lambda s: 2 / s**2)))
wrong("task_2_7", "four")(with_kernel(K=lambda A, B, s: gauss(A, B, s, scale=lambda s: 4 * s * s)))
wrong("task_2_7", "not-at-the-optimum")(with_kernel(times=400))
wrong("task_2_7", "not-at-the-optimum")(with_kernel(same=True))
wrong("task_2_7", "nothing-learned")(with_kernel(keep=False))
wrong("task_2_7", "b")(with_kernel(correct=False))
wrong("task_2_7", "box")(with_kernel(box=5.0))
wrong("task_2_7", "parts")(lambda *arguments: kernel_smo(*arguments)[0])


def test_a_b_from_crumbs_is_named():
    X, y = np.array([[0.0], [1.0], [2.0], [2.5]]), np.array([-1.0, -1.0, 1.0, 1.0])
    alpha, C = np.array([1e-16, 0.5, 0.5, 0.0]), 1.0
    p = y - X @ ((alpha * y) @ X)
    smo_runs._check_bias(p[1:3].mean(), alpha, X, y, C)
    for b, key in ((p[:3].mean(), "b-crumbs"), (0.123, "b-not-corrected")):
        with pytest.raises(Wrong) as caught:
            smo_runs._check_bias(b, alpha, X, y, C)
        assert caught.value.key == key


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"task_2_4": (None, None)})
