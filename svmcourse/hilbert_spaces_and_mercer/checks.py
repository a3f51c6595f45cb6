"""Checks of chapter 08: what refutes a kernel, the space of its functions, means and ridge regression in it."""
from collections.abc import Callable
from typing import Any

import numpy as np

from svmcourse.checking.core import Wrong, as_array, blank
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, generators, judged

CHAPTER = "08_hilbert_spaces_and_mercer"


def gaussian(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """exp(-|x - z|^2 / 2) for the rows of X and of Z."""
    return np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / 2)


def sections(count: int = 3) -> list[tuple]:
    """Cases (a, X, c, Z, k): two functions sum a_i k(., x_i) and sum c_j k(., z_j) on the plane."""
    cases = []
    for rng in generators(count):
        a, c = rng.normal(size=(2, 4))
        X, Z = rng.normal(size=(2, 4, 2))
        cases.append((a, X, c, Z, gaussian))
    return cases


# ---- one matrix ------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "What refutes a kernel", ("the answer",),
          "by a lack of symmetry, or a negative eigenvalue that is no rounding.")
def refutes() -> Cases:
    """`refutes(K)` returns True where K proves that its function is no kernel.

    Gram matrices and others: rounded, tiny, singular, asymmetric, with two negative eigenvalues.
    """
    pair = np.array([[1.0, 2.0], [2.0, 1.0]])
    fruit = [np.array([[s, 10, c], [10, s, -5], [c, -5, s]]) for s, c in ((11.0, -5.0), (11.0, 5.0))]
    return [(K,) for K in (
        np.eye(3), 1e-15 * pair, 1e10 * np.array([[1, 1 + 1e-12], [1 + 1e-12, 1]]), np.kron(np.eye(2), pair), *fruit,
        np.array([[1.0, -0.5], [-0.5, 1.0]]), np.diag([1.0, 0.0]), np.array([[1.0, 0.3], [0.1, 1.0]]),
        np.array([[1.0, 0.3], [0.3 + 1e-6, 1.0]]), -np.eye(2), -pair)]


# ---- proofs ----------------------------------------------------------------------------------------------------------
#: The functions of the exercise, for numbers; a test compares them with those of the notebook.
FUNCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "A": lambda x, z: np.exp(-(x - z) ** 2 / 2) * (1 + x * z) ** 2,
    "B": lambda x, z: np.tanh(x * z - 1),
    "C": lambda x, z: np.cos(x - z),
    "D": lambda x, z: 1.0 * (abs(x - z) <= 1),
    "E": lambda x, z: np.exp(-(x - z) ** 2 / 2) - 0.6 * np.exp(-(x - z) ** 2 / 8),
    "F": lambda x, z: (1 + x * z) ** 2 - 1,
}
KERNELS = ("A", "C", "F")


@judged(CHAPTER, "Kernel or not, with evidence")
def evidence(answers: Any) -> str:
    """A dictionary: for each function the word "kernel", or points whose Gram matrix refutes it."""
    if answers is None or answers is Ellipsis:
        raise blank("evidence")
    if not isinstance(answers, dict) or not set(FUNCTIONS) <= set(answers):
        raise Wrong("parts", f"evidence should be a dictionary with the keys {', '.join(FUNCTIONS)}.")
    if any(answers[name] is None for name in FUNCTIONS):
        name = next(name for name in FUNCTIONS if answers[name] is None)
        raise Wrong("blank", f"evidence[{name!r}] is not written yet: it still is None.",
                    "The word \"kernel\", or a list of numbers, in the place of None.")
    for name in FUNCTIONS:
        key, number = verdict(name, answers[name])
        if key:
            mistake = next(m for m in Solved(CHAPTER, "evidence").mistakes if m.key == key)
            seen = f" The smallest eigenvalue there is {number:.2g}." if np.isfinite(number) else ""
            raise Wrong(key, mistake.message, f"It is {name}. {mistake.hint}{seen}")
    return "three are kernels, by theorems; three are not, by numbers."


def verdict(name: str, answer: Any) -> tuple[str, float]:
    """The key of the mistake in one answer, or nothing; and the smallest eigenvalue at its points."""
    if isinstance(answer, str):
        if answer.strip().lower() != "kernel":
            return "claim", np.nan
        return ("" if name in KERNELS else "no-proof"), np.nan
    if np.ndim(answer) == 2 and np.shape(answer)[0] == np.shape(answer)[1] > 1:
        return "matrix", np.nan
    x = as_array(np.ravel(answer), f"evidence[{name!r}]", (None,))
    if not 0 < len(x) <= 500:
        raise Wrong("shape", f"evidence[{name!r}] holds {len(x)} points; give from 1 to 500.")
    K = FUNCTIONS[name](x[:, None], x[None])
    low = float(np.linalg.eigvalsh(K)[0])
    if low < -1e-9 * np.abs(K).max():
        return "", low
    return ("rounding" if low < 0 else "is-kernel" if name in KERNELS else "passes"), low


# ---- inner products of functions -------------------------------------------------------------------------------------
@compared(CHAPTER, "The inner product of two functions", ("the inner product",), "for g = k(., x) it is f(x).")
def inner_product() -> Cases:
    """`inner(a, X, c, Z, k)` returns the inner product of f and g, a number."""
    return sections()


@compared(CHAPTER, "The norm of a function", ("the norm",), "from kernel values alone.")
def norm_of() -> Cases:
    """`norm(a, K)` returns the norm of f in the space of the kernel."""
    return [(a, k(X, X) + np.diag(np.abs(c))) for a, X, c, _, k in sections()]


# ---- a mean in the space ---------------------------------------------------------------------------------------------
@compared(CHAPTER, "The distance from a mean", ("the squared distance",),
          "a distance in a space that nobody has to see.")
def distance_to_mean() -> Cases:
    """`distance2(K, k_x, k_xx)` returns the squared distance of phi(x) from the mean of the phi(x_i)."""
    for seed, n in enumerate((4, 5, 7)):
        P = generator(seed).normal(size=(n + 1, 2))
        K = gaussian(P, P) * np.outer(s := 1 + np.arange(n + 1) / n, s)      # k(x, x) differs from point to point
        yield K[:-1, :-1], K[-1, :-1], float(K[-1, -1])


# ---- the representer theorem at work ---------------------------------------------------------------------------------
@compared(CHAPTER, "Ridge regression in the coefficients", ("a",), "n numbers, however many features there are.")
def ridge() -> Cases:
    """`ridge(K, y, lam)` returns the coefficients a (n,)."""
    for seed, (n, lam) in enumerate(((5, 0.1), (6, 0.02), (8, 0.3))):
        rng = generator(seed)
        X = rng.uniform(-4, 4, size=(n, 2))
        yield gaussian(X, X), rng.normal(size=n), lam
