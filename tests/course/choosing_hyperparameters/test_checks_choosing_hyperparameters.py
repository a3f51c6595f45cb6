"""Chapter 13: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.choosing_hyperparameters import checks as check
from svmlib import SVC
from svmlib.kernels import Gaussian
from svmlib.model_selection import k_folds

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- folds
def cut(n, k, rng):
    return np.array_split(rng.permutation(n), k)


right("folds")(cut)
right("folds")(lambda n, k, rng: [part.tolist() for part in cut(n, k, rng)])


@right("folds")
def dealt_out(n, k, rng):
    order = rng.permutation(n)
    return tuple(order[start::k] for start in range(k))


wrong("folds", "not-shuffled")(lambda n, k, rng: np.array_split(np.arange(n), k))
wrong("folds", "strided")(lambda n, k, rng: [np.arange(n)[start::k] for start in range(k)])
wrong("folds", "lost")(lambda n, k, rng: np.array_split(rng.permutation(n - 1), k))
wrong("folds", "overlap")(lambda n, k, rng: [rng.choice(n, n // k, replace=False) for _ in range(k)])
wrong("folds", "remainder-lost")(lambda n, k, rng: list(rng.permutation(n)[:n // k * k].reshape(k, -1)))
wrong("folds", "uneven")(lambda n, k, rng: np.split(rng.permutation(n), [2 + j for j in range(k - 1)]))
wrong("folds", "training-parts")(lambda n, k, rng: [np.setdiff1d(np.arange(n), part) for part in cut(n, k, rng)])
wrong("folds", "same-again")(lambda n, k, rng: cut(n, k, np.random.default_rng(0)))
wrong("folds", "own-luck")(lambda n, k, rng: np.array_split(np.random.permutation(n), k))  # noqa: NPY002
wrong("folds", "own-luck")(lambda n, k, rng: cut(n, k, np.random.default_rng()))
wrong("folds", "parts")(lambda n, k, rng: cut(n, k + 1, rng))
wrong("folds", "indices")(lambda n, k, rng: [part + 1 for part in cut(n, k, rng)])


# ---- stratified folds
def by_class(y, k, rng, order=lambda rng, a: rng.permutation(a)):
    parts = [np.array_split(order(rng, np.flatnonzero(y == c)), k) for c in (-1, 1)]
    return [np.concatenate(pair) for pair in zip(*parts, strict=True)]


right("stratified_folds")(by_class)
right("stratified_folds")(lambda y, k, rng: k_folds(y, k=k, rng=rng))


@right("stratified_folds")
def from_lists(y, k, rng):
    parts = [[] for _ in range(k)]
    for c in set(y):
        for place, i in enumerate(rng.permutation([i for i in range(len(y)) if y[i] == c])):
            parts[place % k].append(int(i))
    return parts


wrong("stratified_folds", "unstratified")(lambda y, k, rng: cut(len(y), k, rng))
wrong("stratified_folds", "one-class")(lambda y, k, rng: np.array_split(np.argsort(y), k))
wrong("stratified_folds", "not-shuffled")(lambda y, k, rng: by_class(y, k, rng, order=lambda rng, a: a))
wrong("stratified_folds", "not-shuffled")(lambda y, k, rng: by_class(
    y, k, rng, order=lambda rng, a: rng.permutation(a) if y[a[0]] > 0 else a))
wrong("stratified_folds", "same-again")(lambda y, k, rng: by_class(y, k, np.random.default_rng(0)))
wrong("stratified_folds", "own-luck")(
    lambda y, k, rng: by_class(y, k, rng, order=lambda rng, a: np.random.default_rng().permutation(a)))
wrong("stratified_folds", "overlap")(
    lambda y, k, rng: [np.r_[part, part[:1]] for part in by_class(y, k, rng)])
wrong("stratified_folds", "remainder-lost")(lambda y, k, rng: [part[:-1] for part in by_class(y, k, rng)])
wrong("stratified_folds", "labels-not-indices")(lambda y, k, rng: [y[part] for part in by_class(y, k, rng)])


# ---- one score
def validated(machine, X, y, folds, read="fold", total=np.mean):
    scores = []
    for fold in folds:
        parts = {"rest": np.setdiff1d(np.arange(len(y)), fold), "fold": fold}
        machine.fit(X[parts["rest"]], y[parts["rest"]])
        scores.append(machine.score(X[parts[read]], y[parts[read]]))
    return total(scores)


right("one_score")(validated)


@right("one_score")
def with_masks(machine, X, y, folds):
    total = 0
    for fold in folds:
        inside = np.zeros(len(y), dtype=bool)
        inside[fold] = True
        total += np.mean(machine.fit(X[~inside], y[~inside]).predict(X[inside]) == y[inside])
    return total / len(folds)


@wrong("one_score", "pooled")
def of_all_points(machine, X, y, folds):
    right = 0
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        right += np.sum(machine.fit(X[rest], y[rest]).predict(X[fold]) == y[fold])
    return right / len(y)


wrong("one_score", "first")(lambda machine, X, y, folds: validated(machine, X, y, folds[:1]))
wrong("one_score", "type")(lambda *given: validated(*given, total=list))


# ---- the search
def searched(X, y, Cs, sigmas, k, rng, *, new_folds=False, kernel=lambda s: Gaussian(sigma=s), price=lambda C: C,
             give=lambda i, j, Cs, sigmas: (Cs[i], sigmas[j]), pick=np.argmax, table=lambda t: t, parts=by_class,
             **how):
    folds = parts(y, k, rng)
    scores = np.empty((len(Cs), len(sigmas)))
    for i, C in enumerate(Cs):
        for j, sigma in enumerate(sigmas):
            folds = parts(y, k, rng) if new_folds else folds
            scores[i, j] = validated(SVC(kernel(sigma), C=price(C)), X, y, folds, **how)
    i, j = np.unravel_index(pick(scores), scores.shape)
    return *give(i, j, Cs, sigmas), table(scores)


def search(**parts):
    return lambda *arguments: searched(*arguments, **parts)


right("algorithm_2_2")(searched)


@right("algorithm_2_2")
def stratified_with_a_dict(X, y, Cs, sigmas, k, rng):
    folds = k_folds(y, k=k, rng=rng)
    found = {(C, s): validated(SVC(Gaussian(sigma=s), C=C), X, y, folds) for C in Cs for s in sigmas}
    C, sigma = max(found, key=found.get)
    return C, sigma, [[found[C, s] for s in sigmas] for C in Cs]


wrong("algorithm_2_2", "unstratified")(search(parts=lambda y, k, rng: cut(len(y), k, rng)))
wrong("algorithm_2_2", "redrawn")(search(new_folds=True))
wrong("algorithm_2_2", "training")(search(read="rest"))
wrong("algorithm_2_2", "errors")(search(table=lambda t: 1 - t))
wrong("algorithm_2_2", "not-the-best")(search(pick=np.argmin))
wrong("algorithm_2_2", "indices")(search(give=lambda i, j, Cs, sigmas: (i, j)))
wrong("algorithm_2_2", "gamma")(search(kernel=lambda s: Gaussian(gamma=s)))
wrong("algorithm_2_2", "C-ignored")(search(price=lambda C: 1.0))
wrong("algorithm_2_2", "sigma-ignored")(search(kernel=lambda s: Gaussian(sigma=1.0)))
wrong("algorithm_2_2", "shape")(search(table=lambda t: t.T))
wrong("algorithm_2_2", "parts")(lambda *arguments: searched(*arguments)[2])


# ---- the test set
def tuned(X, y, T, t, Cs, sigmas, k, rng, *, by_test=False, joint=False, together=False, added=False, value=None,
          part=np.arange):
    C, sigma, scores = searched(np.r_[X, T] if together else X, np.r_[y, t] if together else y, Cs, sigmas, k, rng)
    if added:
        scores = scores + [[SVC(Gaussian(sigma=s), C=C).fit(X, y).score(T, t) for s in sigmas] for C in Cs]
        i, j = np.unravel_index(scores.argmax(), scores.shape)
        C, sigma = Cs[i], sigmas[j]
    if by_test:
        C, sigma = max(((C, s) for C in Cs for s in sigmas),
                       key=lambda p: SVC(Gaussian(sigma=p[1]), C=p[0]).fit(X, y).score(T, t))
    machine = SVC(Gaussian(sigma=sigma), C=C)
    rows = part(len(y))
    machine = machine.fit(np.vstack([X, T]), np.r_[y, t]) if joint else machine.fit(X[rows], y[rows])
    return C, sigma, machine.score(T, t) if value is None else value(machine, X, y, scores)


def tune(**parts):
    return lambda *arguments: tuned(*arguments, **parts)


right("honest_test")(tuned)
right("honest_test")(lambda X, y, T, t, Cs, sigmas, k, rng: list(tuned(X, y, T, t, Cs[::-1], sigmas[::-1], k, rng)))
wrong("honest_test", "test-in-tuning")(tune(by_test=True))
wrong("honest_test", "test-in-tuning")(tune(together=True))
wrong("honest_test", "test-in-tuning")(
    lambda X, y, T, t, Cs, sigmas, k, rng: tuned(X, y, T, t, Cs[::-1], sigmas, k, rng, together=True))
wrong("honest_test", "test-in-tuning")(tune(added=True))
wrong("honest_test", "wrong-choice")(
    lambda X, y, T, t, Cs, sigmas, k, rng: (Cs[0], sigmas[0], SVC(Gaussian(sigma=sigmas[0])).fit(X, y).score(T, t)))
wrong("honest_test", "trained-on-test")(tune(joint=True))
wrong("honest_test", "cv-score")(tune(value=lambda m, X, y, scores: scores.max()))
wrong("honest_test", "training-accuracy")(tune(value=lambda m, X, y, scores: m.score(X, y)))
wrong("honest_test", "accuracy")(tune(part=lambda n: np.arange(n)[::5]))
wrong("honest_test", "accuracy")(tune(part=lambda n: np.arange(n // 5, n)))
wrong("honest_test", "accuracy")(tune(part=lambda n: np.concatenate(cut(n, 5, np.random.default_rng(0))[1:])))
wrong("honest_test", "accuracy")(tune(value=lambda m, X, y, scores: 0.25))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()


def test_a_machine_trained_on_a_part_does_not_pass_by_luck():
    (X, y, *_), tests, known = check.trap()
    passed = {35: 0, 56: 0}                                                  # half of the points, four folds of five
    for size in passed:
        for seed in range(150):
            part = np.random.default_rng(seed).permutation(len(y))[:size]
            machine = SVC(Gaussian(sigma=0.7), C=10.0).fit(X[part], y[part])
            passed[size] += all(abs(machine.score(*test) - k[""]) < 0.005 for test, k in zip(tests, known, strict=True))
    assert passed[35] == 0
    assert passed[56] <= 2
