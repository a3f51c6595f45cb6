"""Chapter 11: answers as students write them, right in several ways and wrong in the known ones."""
from pathlib import Path

import nbformat
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib.classroom.checks import hilbert as check
from svmlib.kernels import Gaussian

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong
NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "exercises" / f"{check.CHAPTER}.ipynb"


# ---- what refutes
def unlike(K):
    return np.abs(K - K.T).max() > 1e-9 * np.abs(K).max()


right("refutes")(lambda K: unlike(K) or np.linalg.eigvalsh(K)[0] < -1e-9 * np.abs(K).max())


@right("refutes")
def by_all_eigenvalues(K):
    size = max(abs(v) for row in K for v in row)
    if any(abs(K[i, j] - K[j, i]) > 1e-9 * size for i in range(len(K)) for j in range(i)):
        return 1
    return int(any(np.linalg.eigvals(K / size).real < -1e-9))


wrong("refutes", "asymmetric")(lambda K: np.linalg.eigvalsh(K)[0] < -1e-9 * np.abs(K).max())
wrong("refutes", "asymmetric")(lambda K: min(np.linalg.eigvals(K)) < -1e-9 * np.abs(K).max())
wrong("refutes", "strict")(lambda K: unlike(K) or np.linalg.eigvalsh(K)[0] < 0)
wrong("refutes", "strict-asymmetric")(lambda K: (np.linalg.eigvalsh(K) < 0).any())
wrong("refutes", "absolute")(lambda K: unlike(K) or np.linalg.eigvalsh(K)[0] < -1e-9)
wrong("refutes", "absolute-asymmetric")(lambda K: np.linalg.eigvalsh(K)[0] < -1e-6)
wrong("refutes", "singular")(lambda K: unlike(K) or not (np.linalg.eigvalsh(K) > 0).all())
wrong("refutes", "singular-asymmetric")(lambda K: np.linalg.eigvalsh(K)[0] <= 0)
wrong("refutes", "determinant")(lambda K: np.linalg.det(K) < 0)
wrong("refutes", "determinant-symmetric")(lambda K: unlike(K) or np.linalg.det(K) < 0)
wrong("refutes", "determinant-rounded")(lambda K: np.linalg.det(K) < -1e-9 * np.abs(K).max())
wrong("refutes", "determinant-both")(lambda K: unlike(K) or np.linalg.det(K) < -1e-9 * np.abs(K).max())
wrong("refutes", "entries")(lambda K: (K < 0).any())
wrong("refutes", "diagonal")(lambda K: (np.diag(K) < 0).any())
wrong("refutes", "largest")(lambda K: np.linalg.eigvalsh(K)[-1] < 0)
wrong("refutes", "inverted")(lambda K: not (unlike(K) or np.linalg.eigvalsh(K)[0] < -1e-9 * np.abs(K).max()))
wrong("refutes", "type")(lambda K: np.linalg.eigvalsh(K) < 0)


# ---- evidence
PROOFS = {"A": "kernel", "B": [0.0], "C": "kernel", "D": [0, 0.8, 1.6], "E": list(range(8)), "F": "kernel"}
right("evidence")((PROOFS,))
OTHERS = {"A": "Kernel ", "B": 0.5, "D": np.array([[0.0], [0.9], [1.8]]), "E": np.linspace(-9, 9, 40)}
right("evidence")((PROOFS | OTHERS,))
wrong("evidence", "blank")((PROOFS | {"E": None},))
wrong("evidence", "no-proof")((PROOFS | {"E": "kernel"},))
wrong("evidence", "passes")((PROOFS | {"E": [-2.0, -1.0, 0.0, 1.0, 2.0]},))
wrong("evidence", "passes")((PROOFS | {"D": [0.0, 3.0]},))
wrong("evidence", "rounding")((PROOFS | {"A": np.linspace(-1, 1, 100)},))
wrong("evidence", "is-kernel")((PROOFS | {"F": [1.0]},))
wrong("evidence", "claim")((PROOFS | {"B": "no kernel"},))
wrong("evidence", "matrix")((PROOFS | {"D": np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]])},))
wrong("evidence", "parts")((list(PROOFS.values()),))
wrong("evidence", "parts")(({"A": "kernel"},))
wrong("evidence", "shape")((PROOFS | {"E": []},))
wrong("evidence", "type")((PROOFS | {"B": ["zero"]},))


def test_the_notebook_has_the_same_functions():
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    space = {"np": np}
    exec(next(c.source for c in cells if c.id == "functions"), space)
    x = np.linspace(-3, 3, 13)
    for name, f in check.FUNCTIONS.items():
        assert np.allclose(space["functions"][name](x[:, None], x), f(x[:, None], x), rtol=0, atol=1e-14)


# ---- inner products
right("inner_product")(lambda a, X, c, Z, k: a @ k(X, Z) @ c)
right("inner_product")(lambda a, X, c, Z, k: sum(
    ai * cj * k(x[None], z[None])[0, 0] for ai, x in zip(a, X, strict=True) for cj, z in zip(c, Z, strict=True)))
right("inner_product")(lambda a, X, c, Z, k: (np.outer(a, c) * Gaussian(sigma=1.0)(X, Z)).sum())
wrong("inner_product", "coefficients")(lambda a, X, c, Z, k: a @ c)
wrong("inner_product", "diagonal")(lambda a, X, c, Z, k: sum(a * c * np.diag(k(X, Z))))
wrong("inner_product", "c-forgotten")(lambda a, X, c, Z, k: (k(X, Z).T @ a).sum())
wrong("inner_product", "same-points")(lambda a, X, c, Z, k: a @ k(X, X) @ c)
wrong("inner_product", "exchanged")(lambda a, X, c, Z, k: a @ k(Z, X) @ c)
wrong("inner_product", "values")(lambda a, X, c, Z, k: sum((k(X, X) @ a) * (k(X, Z) @ c)))
wrong("inner_product", "mean")(lambda a, X, c, Z, k: (np.outer(a, c) * k(X, Z)).mean())
wrong("inner_product", "type")(lambda a, X, c, Z, k: k(X, Z) @ c)

right("norm_of")(lambda a, K: np.sqrt(a @ K @ a))
right("norm_of")(lambda a, K: sum(a[i] * a[j] * K[i, j] for i in range(len(a)) for j in range(len(a))) ** 0.5)
right("norm_of")(lambda a, K: np.linalg.norm(np.linalg.cholesky(K).T @ a))
wrong("norm_of", "no-root")(lambda a, K: a @ K @ a)
wrong("norm_of", "coefficients")(lambda a, K: np.sqrt(a @ a))
wrong("norm_of", "values")(lambda a, K: np.linalg.norm(K @ a))
wrong("norm_of", "diagonal")(lambda a, K: np.sqrt(sum(a**2 * np.diag(K))))
wrong("norm_of", "half")(lambda a, K: 0.5 * a @ K @ a)
wrong("norm_of", "absolute")(lambda a, K: np.sqrt(abs(a) @ K @ abs(a)))
wrong("norm_of", "largest")(lambda a, K: max(abs(K @ a)))
wrong("norm_of", "type")(lambda a, K: np.sqrt(np.abs(a * K)))

# ---- the mean
right("distance_to_mean")(lambda K, k, kk: kk - 2 * k.mean() + K.mean())
right("distance_to_mean")(lambda K, k, kk: kk - sum(2 * v for v in k) / len(k) + sum(map(sum, K)) / len(k) ** 2)
wrong("distance_to_mean", "root")(lambda K, k, kk: np.sqrt(kk - 2 * k.mean() + K.mean()))
wrong("distance_to_mean", "no-two")(lambda K, k, kk: kk - k.mean() + K.mean())
wrong("distance_to_mean", "plus")(lambda K, k, kk: kk + 2 * k.mean() + K.mean())
wrong("distance_to_mean", "without-K")(lambda K, k, kk: kk - 2 * k.mean())
wrong("distance_to_mean", "without-k_xx")(lambda K, k, kk: K.mean() - 2 * k.mean())
wrong("distance_to_mean", "sums")(lambda K, k, kk: kk - 2 * k.sum() + K.sum())
wrong("distance_to_mean", "n-not-squared")(lambda K, k, kk: kk - 2 * k.mean() + K.sum() / len(k))
wrong("distance_to_mean", "diagonal")(lambda K, k, kk: kk - 2 * k.mean() + np.trace(K) / len(k))
wrong("distance_to_mean", "type")(lambda K, k, kk: kk - 2 * k + K.mean(axis=1))


# ---- ridge regression
def solved(K, y, lam, *, weight=lambda n: n, matrix=None):
    return np.linalg.solve(K + weight(len(y)) * lam * (np.eye(len(y)) if matrix is None else matrix(K)), y)


def solve(**parts):
    return lambda *arguments: solved(*arguments, **parts)


right("ridge")(solved)


@right("ridge")
def by_the_whole_gradient(K, y, lam):
    n = len(y)
    return np.linalg.lstsq(K @ K / n + lam * K, K @ y / n, rcond=None)[0].tolist()


@right("ridge")
def by_eigenvalues(K, y, lam):
    values, V = np.linalg.eigh(K)
    return V @ ((V.T @ y) / (values + len(y) * lam))


wrong("ridge", "sum")(solve(weight=lambda n: 1))
wrong("ridge", "divided")(solve(weight=lambda n: 1 / n))
wrong("ridge", "twice")(solve(weight=lambda n: 2 * n))
wrong("ridge", "half")(solve(weight=lambda n: n / 2))
wrong("ridge", "minus")(solve(weight=lambda n: -n))
wrong("ridge", "interpolates")(lambda K, y, lam: np.linalg.solve(K, y))
wrong("ridge", "lam-K")(solve(matrix=lambda K: K))
wrong("ridge", "length-of-a")(lambda K, y, lam: np.linalg.solve(K.T @ K + len(y) * lam * np.eye(len(y)), K.T @ y))
wrong("ridge", "values")(lambda K, y, lam: K @ solved(K, y, lam))
wrong("ridge", "with-y")(lambda K, y, lam: y * solved(K, y, lam))
wrong("ridge", "shape")(lambda K, y, lam: np.linalg.inv(K + len(y) * lam * np.eye(len(y))))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"evidence": (dict.fromkeys("ABCDEF"),)})
