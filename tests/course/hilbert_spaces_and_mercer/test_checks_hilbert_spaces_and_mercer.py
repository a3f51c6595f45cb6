"""Chapter 08: answers as students write them, right in several ways and wrong in the known ones."""
from pathlib import Path

import nbformat
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.hilbert_spaces_and_mercer import checks as check
from svmlib.kernels import Gaussian

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong
NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "exercises" / f"{check.CHAPTER}.ipynb"


# ---- what refutes
@right("refutes")
def by_cases(K):
    top = np.abs(K).max()
    return np.abs(K - K.T).max() > 1e-9 * top or np.linalg.eigvalsh(K)[0] < -1e-9 * top


@right("refutes")
def by_all_eigenvalues(K):
    size = max(abs(v) for row in K for v in row)
    if any(abs(K[i, j] - K[j, i]) > 1e-9 * size for i in range(len(K)) for j in range(i)):
        return 1
    return int(any(np.linalg.eigvals(K / size).real < -1e-9))


wrong("refutes", "asymmetric")(lambda K: min(np.linalg.eigvals(K)) < -1e-9 * np.abs(K).max())
wrong("refutes", "allclose")(lambda K: not np.allclose(K, K.T) or np.linalg.eigvalsh(K)[0] < -1e-9 * np.abs(K).max())
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
right("inner_product")(lambda a, X, c, Z, k: sum(
    ai * cj * k(x[None], z[None])[0, 0] for ai, x in zip(a, X, strict=True) for cj, z in zip(c, Z, strict=True)))
right("inner_product")(lambda a, X, c, Z, k: (np.outer(a, c) * Gaussian(sigma=1.0)(X, Z)).sum())
wrong("inner_product", "values")(lambda a, X, c, Z, k: sum((k(X, X) @ a) * (k(X, Z) @ c)))
wrong("inner_product", "type")(lambda a, X, c, Z, k: k(X, Z) @ c)

right("norm_of")(lambda a, K: sum(a[i] * a[j] * K[i, j] for i in range(len(a)) for j in range(len(a))) ** 0.5)
right("norm_of")(lambda a, K: np.linalg.norm(np.linalg.cholesky(K).T @ a))
wrong("norm_of", "values")(lambda a, K: np.linalg.norm(K @ a))
wrong("norm_of", "type")(lambda a, K: np.sqrt(np.abs(a * K)))

# ---- the mean
right("distance_to_mean")(lambda K, k, kk: np.mean(K - k - k[:, None] + kk))
right("distance_to_mean")(lambda K, k, kk: kk - sum(2 * v for v in k) / len(k) + sum(map(sum, K)) / len(k) ** 2)
wrong("distance_to_mean", "n-not-squared")(lambda K, k, kk: kk - 2 * k.mean() + K.sum() / len(k))
wrong("distance_to_mean", "type")(lambda K, k, kk: kk - 2 * k + K.mean(axis=1))


# ---- ridge regression
@right("ridge")
def by_the_whole_gradient(K, y, lam):
    n = len(y)
    return np.linalg.lstsq(K @ K / n + lam * K, K @ y / n, rcond=None)[0].tolist()


@right("ridge")
def by_eigenvalues(K, y, lam):
    values, V = np.linalg.eigh(K)
    return V @ ((V.T @ y) / (values + len(y) * lam))


wrong("ridge", "length-of-a")(lambda K, y, lam: np.linalg.solve(K.T @ K + len(y) * lam * np.eye(len(y)), K.T @ y))
wrong("ridge", "shape")(lambda K, y, lam: np.linalg.inv(K + len(y) * lam * np.eye(len(y))))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"evidence": (dict.fromkeys("ABCDEF"),)})
