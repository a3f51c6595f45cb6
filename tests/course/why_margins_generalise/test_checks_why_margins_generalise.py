"""Chapter 12: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.why_margins_generalise import checks as check
from svmlib import bounds

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the bound
right("margin_bound")(lambda g, r, m, d: 2 * r / g * m**-0.5 + (2 * (np.log(2) - np.log(d)) / m) ** 0.5)
right("margin_bound")(bounds.margin_bound)
wrong("margin_bound", "first-only")(lambda g, r, m, d: 2 * r / g / np.sqrt(m) + np.sqrt(2 * np.log(2 / d)))

right("points_needed")(bounds.points_needed)


@right("points_needed")
def by_search(g, r, d, error):
    low, high = 0, 1
    while bounds.margin_bound(g, r, high, d) >= error:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if bounds.margin_bound(g, r, middle, d) >= error else (low, middle)
    return high


wrong("points_needed", "floor")(lambda g, r, d, e: int((bounds.margin_bound(g, r, 1, d) / e) ** 2))


# ---- gamma and rho
def found(w, b, X, y, radius=max):
    return min(y * (X @ w + b)) / np.linalg.norm(w), radius(np.linalg.norm(X, axis=1))


right("margin_and_radius")(found)
right("margin_and_radius")(lambda w, b, X, y: [
    min(s * (x @ w + b) for x, s in zip(X, y, strict=True)) / sum(w**2) ** 0.5, max(sum(x**2) for x in X) ** 0.5])
wrong("margin_and_radius", "norm-with-b")(lambda w, b, X, y: (
    min(y * (X @ w + b)) / np.linalg.norm([*w, b]), max(np.linalg.norm(X, axis=1))))
wrong("margin_and_radius", "parts")(lambda w, b, X, y: min(y * (X @ w + b)) / np.linalg.norm(w))
wrong("margin_and_radius", "type")(lambda *arguments: found(*arguments, radius=list))


# ---- measuring
@right("fresh_errors")
def run(train, draw, m, seeds):
    errors = []
    for s in seeds:
        rule = train(*draw(s, m))
        Z, z = draw(10_000 + s, 2000)
        errors.append(1 - np.mean(rule(Z) == z))
    return np.array(errors)


@right("fresh_errors")
def in_one_line(train, draw, m, seeds):
    fresh = {s: draw(s + 10_000, 2000) for s in seeds}
    return [sum(train(*draw(s, m))(Z) != z) / len(z) for s, (Z, z) in fresh.items()]


wrong("fresh_errors", "training")(lambda train, draw, m, seeds: [
    np.mean(train(X, y)(X) != y) for X, y in (draw(s, m) for s in seeds)])
wrong("fresh_errors", "shape")(lambda *arguments: run(*arguments).mean())
wrong("fresh_errors", "shape")(lambda *arguments: run(*arguments)[:1])


# ---- the interval
@right("mean_and_interval")
def around(e):
    return np.mean(e), 1.96 * np.std(e, ddof=1) / len(e) ** 0.5


right("mean_and_interval")(lambda e: (
    sum(e) / len(e), 1.96 * (sum((v - sum(e) / len(e)) ** 2 for v in e) / (len(e) - 1) / len(e)) ** 0.5))
wrong("mean_and_interval", "range")(lambda e: (e.mean(), (max(e) - min(e)) / 2))
wrong("mean_and_interval", "parts")(lambda e: (e.mean() - around(e)[1], e.mean(), e.mean() + around(e)[1]))


# ---- which B
def chosen(Bs, losses, rho, m):
    i = np.argmin(np.array(losses) + 2 * rho * np.sqrt(2 / m) * np.array(Bs))
    return i, rho / Bs[i] * np.sqrt(2 / m)


right("best_B")(lambda Bs, *rest: (Bs[chosen(Bs, *rest)[0]], chosen(Bs, *rest)[1]))


@right("best_B")
def in_a_loop(Bs, losses, rho, m):
    best = min(zip(Bs, losses, strict=True), key=lambda p: p[1] + bounds.hinge_bound(p[0], rho, m))[0]
    return best, bounds.lambda_star(best, rho, m)


wrong("best_B", "index")(chosen)

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
