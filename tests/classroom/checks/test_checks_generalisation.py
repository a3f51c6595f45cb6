"""Chapter 12: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib import bounds
from svmlib.classroom.checks import generalisation as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the bound
def printed(g, r, m, d, root=np.sqrt, luck=lambda d: np.sqrt(2 * np.log(2 / d)), ratio=lambda g, r: 2 * r / g):
    return (ratio(g, r) + luck(d)) / root(m)


def bound(**parts):
    return lambda *arguments: printed(*arguments, **parts)


right("margin_bound")(printed)
right("margin_bound")(lambda g, r, m, d: 2 * r / g * m**-0.5 + (2 * (np.log(2) - np.log(d)) / m) ** 0.5)
right("margin_bound")(bounds.margin_bound)
wrong("margin_bound", "over-m")(bound(root=lambda m: m))
wrong("margin_bound", "first-only")(lambda g, r, m, d: 2 * r / g / np.sqrt(m) + np.sqrt(2 * np.log(2 / d)))
wrong("margin_bound", "second-only")(lambda g, r, m, d: 2 * r / g + np.sqrt(2 * np.log(2 / d)) / np.sqrt(m))
wrong("margin_bound", "log10")(bound(luck=lambda d: np.sqrt(2 * np.log10(2 / d))))
wrong("margin_bound", "log-of-delta")(bound(luck=lambda d: np.sqrt(-2 * np.log(d))))
wrong("margin_bound", "no-inner-root")(bound(luck=lambda d: 2 * np.log(2 / d)))
wrong("margin_bound", "one-of-two")(bound(luck=lambda d: np.sqrt(np.log(2 / d))))
wrong("margin_bound", "two-outside")(bound(luck=lambda d: 2 * np.sqrt(np.log(2 / d))))
wrong("margin_bound", "inverse")(bound(ratio=lambda g, r: 2 * g / r))
wrong("margin_bound", "no-two")(bound(ratio=lambda g, r: r / g))
wrong("margin_bound", "squared")(bound(ratio=lambda g, r: 2 * r**2 / g**2))
wrong("margin_bound", "bias")(bound(ratio=lambda g, r: 4 * r / g, luck=lambda d: np.sqrt(0.5 * np.log(1 / d))))

right("points_needed")(bounds.points_needed)


@right("points_needed")
def by_search(g, r, d, error):
    low, high = 0, 1
    while printed(g, r, high, d) >= error:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if printed(g, r, middle, d) >= error else (low, middle)
    return high


wrong("points_needed", "floor")(lambda g, r, d, e: int((printed(g, r, 1, d) / e) ** 2))
wrong("points_needed", "rounded")(lambda g, r, d, e: round((printed(g, r, 1, d) / e) ** 2))
wrong("points_needed", "not-whole")(lambda g, r, d, e: (printed(g, r, 1, d) / e) ** 2)
wrong("points_needed", "no-square")(lambda g, r, d, e: np.ceil(printed(g, r, 1, d) / e))
wrong("points_needed", "error-forgotten")(lambda g, r, d, e: np.ceil(printed(g, r, 1, d) ** 2))
wrong("points_needed", "error-not-squared")(lambda g, r, d, e: np.ceil(printed(g, r, 1, d) ** 2 / e))
wrong("points_needed", "times-error")(lambda g, r, d, e: np.ceil((printed(g, r, 1, d) * e) ** 2))
wrong("points_needed", "error-root")(lambda g, r, d, e: np.ceil(printed(g, r, 1, d) ** 2 / e**0.5))


# ---- gamma and rho
def lengths(X):
    return np.linalg.norm(X, axis=1)


def found(w, b, X, y, least=min, size=np.linalg.norm, radius=lambda X: max(lengths(X)),
          f=lambda w, b, X, y: y * (X @ w + b)):
    return least(f(w, b, X, y)) / size(w), radius(X)


def find(**parts):
    return lambda *arguments: found(*arguments, **parts)


right("margin_and_radius")(found)
right("margin_and_radius")(lambda w, b, X, y: [
    min(s * (x @ w + b) for x, s in zip(X, y, strict=True)) / sum(w**2) ** 0.5, max(sum(x**2) for x in X) ** 0.5])
wrong("margin_and_radius", "not-divided")(find(size=lambda w: 1))
wrong("margin_and_radius", "squared-norm")(find(size=lambda w: w @ w))
wrong("margin_and_radius", "norm-with-b")(lambda w, b, X, y: found(w, b, X, y, size=lambda w: np.linalg.norm([*w, b])))
wrong("margin_and_radius", "full-band")(find(least=lambda f: 2 * min(f)))
wrong("margin_and_radius", "mean-margin")(find(least=np.mean))
wrong("margin_and_radius", "unsigned")(find(f=lambda w, b, X, y: abs(X @ w + b)))
wrong("margin_and_radius", "without-b")(find(f=lambda w, b, X, y: y * (X @ w)))
wrong("margin_and_radius", "b-not-divided")(
    lambda w, b, X, y: found(w / np.linalg.norm(w), b, X, y))
wrong("margin_and_radius", "mean-length")(find(radius=lambda X: lengths(X).mean()))
wrong("margin_and_radius", "coordinate")(find(radius=lambda X: abs(X).max()))
wrong("margin_and_radius", "squared")(find(radius=lambda X: (X**2).sum(axis=1).max()))
wrong("margin_and_radius", "centred")(find(radius=lambda X: lengths(X - X.mean(axis=0)).max()))
wrong("margin_and_radius", "shortest")(find(radius=lambda X: lengths(X).min()))
wrong("margin_and_radius", "matrix-norm")(find(radius=np.linalg.norm))
wrong("margin_and_radius", "parts")(lambda w, b, X, y: min(y * (X @ w + b)) / np.linalg.norm(w))
wrong("margin_and_radius", "type")(find(radius=lengths))


# ---- measuring
def run(train, draw, m, seeds, learn=lambda s: s, test=lambda s, m: (10_000 + s, 2000),
        value=lambda right: 1 - np.mean(right)):
    errors = []
    for s in seeds:
        rule = train(*draw(learn(s), m))
        Z, z = draw(*test(s, m))
        errors.append(value(rule(Z) == z))
    return np.array(errors)


def ran(**parts):
    return lambda *arguments: run(*arguments, **parts)


right("fresh_errors")(run)


@right("fresh_errors")
def in_one_line(train, draw, m, seeds):
    fresh = {s: draw(s + 10_000, 2000) for s in seeds}
    return [sum(train(*draw(s, m))(Z) != z) / len(z) for s, (Z, z) in fresh.items()]


wrong("fresh_errors", "training")(ran(test=lambda s, m: (s, m)))
wrong("fresh_errors", "same-seed")(ran(test=lambda s, m: (s, 2000)))
wrong("fresh_errors", "few")(ran(test=lambda s, m: (10_000 + s, m)))
wrong("fresh_errors", "seed-forgotten")(ran(test=lambda s, m: (10_000, 2000)))
wrong("fresh_errors", "accuracy")(ran(value=np.mean))
wrong("fresh_errors", "counts")(ran(value=lambda right: sum(~right)))
wrong("fresh_errors", "percent")(ran(value=lambda right: 100 * np.mean(~right)))
wrong("fresh_errors", "one-training-set")(
    lambda train, draw, m, seeds: run(train, draw, m, seeds, learn=lambda s: seeds[0]))
wrong("fresh_errors", "one-test-set")(
    lambda train, draw, m, seeds: run(train, draw, m, seeds, test=lambda s, m: (10_000 + seeds[0], 2000)))
wrong("fresh_errors", "shape")(lambda *arguments: run(*arguments).mean())
wrong("fresh_errors", "shape")(lambda *arguments: run(*arguments)[:1])


# ---- the interval
def around(e, s=lambda e: np.std(e, ddof=1), root=np.sqrt, factor=1.96, middle=np.mean):
    return middle(e), factor * s(e) / root(len(e))


def mean(**parts):
    return lambda e: around(e, **parts)


right("mean_and_interval")(around)
right("mean_and_interval")(lambda e: (
    sum(e) / len(e), 1.96 * (sum((v - sum(e) / len(e)) ** 2 for v in e) / (len(e) - 1) / len(e)) ** 0.5))
wrong("mean_and_interval", "no-root")(mean(root=lambda n: 1))
wrong("mean_and_interval", "no-root-ddof")(mean(s=np.std, root=lambda n: 1))
wrong("mean_and_interval", "over-n")(mean(root=lambda n: n))
wrong("mean_and_interval", "ddof")(mean(s=np.std))
wrong("mean_and_interval", "one-sigma")(mean(factor=1))
wrong("mean_and_interval", "whole")(mean(factor=2 * 1.96))
wrong("mean_and_interval", "variance")(mean(s=lambda e: e.var(ddof=1)))
wrong("mean_and_interval", "range")(lambda e: (e.mean(), (max(e) - min(e)) / 2))
wrong("mean_and_interval", "median")(mean(middle=np.median))
wrong("mean_and_interval", "parts")(lambda e: (e.mean() - around(e)[1], e.mean(), e.mean() + around(e)[1]))


# ---- which B
def chosen(Bs, losses, rho, m, price=lambda r, m: 2 * r * np.sqrt(2 / m), weight=1.0, pick=np.argmin,
           lam=lambda r, B, m: r / B * np.sqrt(2 / m), give=lambda i, Bs: Bs[i]):
    i = pick(weight * np.array(losses) + price(rho, m) * np.array(Bs))
    return give(i, Bs), lam(rho, Bs[i], m)


def choose(**parts):
    return lambda *arguments: chosen(*arguments, **parts)


right("best_B")(chosen)


@right("best_B")
def in_a_loop(Bs, losses, rho, m):
    best = min(zip(Bs, losses, strict=True), key=lambda p: p[1] + bounds.hinge_bound(p[0], rho, m))[0]
    return best, bounds.lambda_star(best, rho, m)


wrong("best_B", "loss-only")(choose(price=lambda r, m: 0))
wrong("best_B", "price-only")(choose(weight=0))
wrong("best_B", "largest")(choose(pick=np.argmax))
wrong("best_B", "index")(choose(give=lambda i, Bs: i))
wrong("best_B", "half")(choose(price=lambda r, m: r * np.sqrt(2 / m)))
wrong("best_B", "no-root")(choose(price=lambda r, m: 2 * r * 2 / m))
wrong("best_B", "no-two")(choose(price=lambda r, m: 2 * r / np.sqrt(m), lam=lambda r, B, m: r / B / np.sqrt(m)))
wrong("best_B", "lam-inverse")(choose(lam=lambda r, B, m: B / r * np.sqrt(2 / m)))
wrong("best_B", "lam-no-root")(choose(lam=lambda r, B, m: r / B * 2 / m))
wrong("best_B", "lam-no-two")(choose(lam=lambda r, B, m: r / B / np.sqrt(m)))
wrong("best_B", "lam-C")(choose(lam=lambda r, B, m: 1 / (2 * m * r / B * np.sqrt(2 / m))))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
