"""Checks of chapter 11: what refutes a kernel, the space of its functions, means and ridge regression in it."""
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, blank, compare, task

CHAPTER = "11_hilbert_spaces_and_mercer"


def gaussian(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """exp(-|x - z|^2 / 2) for the rows of X and of Z."""
    return np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / 2)


def sections(count: int = 3) -> list[tuple]:
    """Cases (a, X, c, Z, k): two functions sum a_i k(., x_i) and sum c_j k(., z_j) on the plane."""
    cases = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        a, c = rng.normal(size=(2, 4))
        X, Z = rng.normal(size=(2, 4, 2))
        cases.append((a, X, c, Z, gaussian))
    return cases


# ---- one matrix ------------------------------------------------------------------------------------------------------
def refuting(K: np.ndarray, how: str = "") -> tuple[float]:
    """Whether K is no Gram matrix, or what a known mistake says."""
    low, high = np.linalg.eigvalsh(K)[[0, -1]]
    size = np.abs(K).max()
    answer = low < -1e-9 * size or bool(np.abs(K - K.T).max() > 1e-9 * size)
    return (float({
        "strict": low < 0 or not np.array_equal(K, K.T), "absolute": low < -1e-9 or np.abs(K - K.T).max() > 1e-9,
        "strict-asymmetric": low < 0, "absolute-asymmetric": low < -1e-9,
        "asymmetric": low < -1e-9 * size, "singular": low < 1e-9 * size or np.abs(K - K.T).max() > 1e-9 * size,
        "singular-asymmetric": low < 1e-9 * size, "determinant": np.linalg.det(K) < 0,
        "determinant-rounded": np.linalg.det(K) < -1e-9 * size,
        "determinant-symmetric": np.abs(K - K.T).max() > 1e-9 * size or np.linalg.det(K) < 0,
        "determinant-both": np.abs(K - K.T).max() > 1e-9 * size or np.linalg.det(K) < -1e-9 * size,
        "entries": K.min() < 0, "largest": high < 0, "inverted": not answer, "diagonal": np.diag(K).min() < 0,
    }.get(how, answer)),)


ROUNDING = ("A matrix whose one negative eigenvalue is 10⁻¹² times its largest entry is called no Gram matrix: "
            "that is rounding.", "Compare the smallest eigenvalue with -1e-9 times the largest entry.")
SCALE = ("The tolerance does not go with the size of the entries: with larger entries rounding is larger, and a matrix "
         "of small entries has small eigenvalues, too.", "Multiply 1e-9 by np.abs(K).max().")
SINGULAR = ("A matrix with the eigenvalue 0 is called no Gram matrix. Semidefinite allows 0: two equal points give it.",
            "Only a negative eigenvalue refutes.")
DETERMINANT = ("The sign of the determinant does not tell: two negative eigenvalues make it positive.",
               "Look at the eigenvalues themselves.")

REFUTES = [Mistake(key, message, hint, partial(refuting, how=key))
           for key, message, hint in [
    ("asymmetric", "A matrix that is not symmetric passes. eigvalsh does not notice: it reads one triangle only.",
     "Compare K with K.T."),
    ("strict", *ROUNDING), ("strict-asymmetric", *ROUNDING), ("absolute", *SCALE), ("absolute-asymmetric", *SCALE),
    ("singular", *SINGULAR), ("singular-asymmetric", *SINGULAR),
    *((key, *DETERMINANT) for key in ("determinant", "determinant-rounded", "determinant-symmetric",
                                      "determinant-both")),
    ("entries", "You look at the entries. Inner products may be negative, and a matrix of positive entries need not be "
     "one of inner products.", "np.linalg.eigvalsh(K) gives the eigenvalues in ascending order."),
    ("diagonal", "You look at the diagonal only. |φ(x)|² ≥ 0 is necessary, but not enough.",
     "np.linalg.eigvalsh(K) gives the eigenvalues in ascending order."),
    ("largest", "You look at the largest eigenvalue; one negative eigenvalue is enough to refute.",
     "eigvalsh sorts them in ascending order."),
    ("inverted", "True and False are exchanged: True says that the matrix refutes k.", ""),
]]


def matrices() -> list[tuple[np.ndarray]]:
    """Gram matrices and others: rounded, tiny, singular, asymmetric, with two negative eigenvalues."""
    pair = np.array([[1.0, 2.0], [2.0, 1.0]])
    fruit = [np.array([[s, 10, c], [10, s, -5], [c, -5, s]]) for s, c in ((11.0, -5.0), (11.0, 5.0))]
    return [(K,) for K in (
        np.eye(3), 1e-15 * pair, 1e10 * np.array([[1, 1 + 1e-12], [1 + 1e-12, 1]]), np.kron(np.eye(2), pair), *fruit,
        np.array([[1.0, -0.5], [-0.5, 1.0]]), np.diag([1.0, 0.0]), np.array([[1.0, 0.3], [0.1, 1.0]]), -np.eye(2),
        -pair)]


@task(CHAPTER, "What refutes a kernel", REFUTES)
def refutes(says: Answer) -> str:
    """`refutes(K)` returns True where K proves that its function is no kernel."""
    compare(says, matrices(), refuting, ("the answer",), REFUTES)
    return "by a negative eigenvalue that is no rounding."


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

EVIDENCE = [Mistake(key, message, hint) for key, message, hint in [
    ("no-proof", "A function that is none is called a kernel. That no eigenvalue was negative at some points says "
     "nothing about others.", "Try one point, three points in a row, and many points over a long interval."),
    ("passes", "At one of your sets of points no eigenvalue is negative: they prove nothing.",
     "Compute the Gram matrix at your points and its smallest eigenvalue."),
    ("rounding", "At one of your sets of points the smallest eigenvalue is below 0 by no more than rounding can "
     "do: that proves nothing.", "Compare with the largest entry."),
    ("is-kernel", "Against one of the kernels you give points. No points refute it, since a theorem says that it is a "
     "kernel.", "Which sums, products or features make it?"),
    ("claim", "That a function is no kernel has to be shown: give points at which its Gram matrix has a negative "
     "eigenvalue.", "A list of numbers in the place of the words."),
    ("matrix", "One answer is a square matrix; expected are the points themselves, a list of numbers.",
     "The check computes the Gram matrix."),
]]


@task(CHAPTER, "Kernel or not, with evidence", EVIDENCE)
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
        key, number = judged(name, answers[name])
        if key:
            mistake = next(m for m in EVIDENCE if m.key == key)
            seen = f" The smallest eigenvalue there is {number:.2g}." if np.isfinite(number) else ""
            raise Wrong(key, mistake.message, f"It is {name}. {mistake.hint}{seen}")
    return "three are kernels, by theorems; three are not, by numbers."


def judged(name: str, answer: Any) -> tuple[str, float]:
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
def product(a: np.ndarray, X: np.ndarray, c: np.ndarray, Z: np.ndarray, k: Callable[..., np.ndarray],
            how: str = "") -> tuple[float]:
    """<f, g> of f = sum a_i k(., x_i) and g = sum c_j k(., z_j), or a known mistake."""
    K = k(X, Z)
    return (float({
        "coefficients": a @ c, "diagonal": (a * c) @ np.diag(K), "c-forgotten": a @ K.sum(axis=1),
        "same-points": a @ k(X, X) @ c, "exchanged": c @ K @ a, "values": (k(X, X) @ a) @ (K @ c),
        "mean": a @ K @ c / K.size,
    }.get(how, a @ K @ c)),)


INNER = [Mistake(key, message, hint, partial(product, how=key)) for key, message, hint in [
    ("coefficients", "This is a'c. The functions k(., x) are no orthonormal basis: their inner products are k(x, z).",
     "A double sum, with k(x_i, z_j) for each pair."),
    ("diagonal", "Only pairs with i = j are counted.", "Each x_i meets each z_j."),
    ("c-forgotten", "The coefficients of g are missing.", "a_i c_j k(x_i, z_j)"),
    ("same-points", "g is made of sections at the z_j; you use the x_i for both.", "k(X, Z)"),
    ("exchanged", "a goes with the z and c with the x: they are exchanged.", "k(X, Z) has a row for each x."),
    ("values", "This adds f(x_i) g(x_i) over the points; the inner product of this space is no sum of values.",
     "Use <k(., x), k(., z)> = k(x, z) and that it is linear in both."),
    ("mean", "This is a mean over the pairs; expected is their sum.", "Do not divide."),
]]


@task(CHAPTER, "The inner product of two functions", INNER)
def inner_product(inner: Answer) -> str:
    """`inner(a, X, c, Z, k)` returns the inner product of f and g, a number."""
    compare(inner, sections(), product, ("the inner product",), INNER)
    return "for g = k(., x) it is f(x)."


def length(a: np.ndarray, K: np.ndarray, how: str = "") -> tuple[float]:
    """|f| of f = sum a_i k(., x_i), or a known mistake."""
    square = a @ K @ a
    return (float({"no-root": square, "coefficients": np.linalg.norm(a), "values": np.linalg.norm(K @ a),
                   "diagonal": np.sqrt(a**2 @ np.diag(K)), "half": square / 2,
                   "absolute": np.sqrt(np.abs(a) @ K @ np.abs(a)), "largest": np.abs(K @ a).max(),
                   }.get(how, np.sqrt(square))),)


NORM = [Mistake(key, message, hint, partial(length, how=key)) for key, message, hint in [
    ("no-root", "This is |f|²; the root is missing.", "|f| = sqrt(<f, f>)"),
    ("coefficients", "This is the length of the vector a. It would be |f| if K were the identity.", "<f, f> = a'K a"),
    ("values", "This is the length of the vector K a, the values of f at the points.", "<f, f> has K once."),
    ("diagonal", "The inner products of different sections are missing: they are not orthogonal.", "a'K a"),
    ("half", "1/2 |f|² is what an SVM minimises; asked for is |f|.", "A root, and no half."),
    ("absolute", "The signs of the coefficients are lost: sections of opposite signs cancel partly.", "a, not |a|."),
    ("largest", "This is the largest value of f at the points, another norm.", "sqrt(a'K a)"),
]]


@task(CHAPTER, "The norm of a function", NORM)
def norm_of(norm: Answer) -> str:
    """`norm(a, K)` returns the norm of f in the space of the kernel."""
    compare(norm, [(a, k(X, X) + np.diag(np.abs(c))) for a, X, c, _, k in sections()], length, ("the norm",), NORM)
    return "from kernel values alone."


# ---- a mean in the space ---------------------------------------------------------------------------------------------
def from_mean(K: np.ndarray, k_x: np.ndarray, k_xx: float, how: str = "") -> tuple[float]:
    """|phi(x) - mean of phi(x_i)|^2 from kernel values, or a known mistake."""
    value = k_xx - 2 * k_x.mean() + K.mean()
    return (float({"root": np.sqrt(value), "no-two": k_xx - k_x.mean() + K.mean(),
                   "plus": k_xx + 2 * k_x.mean() + K.mean(), "without-K": k_xx - 2 * k_x.mean(),
                   "without-k_xx": K.mean() - 2 * k_x.mean(),
                   "sums": k_xx - 2 * k_x.sum() + K.sum(), "n-not-squared": k_xx - 2 * k_x.mean() + K.sum() / len(K),
                   "diagonal": k_xx - 2 * k_x.mean() + np.diag(K).mean()}.get(how, value)),)


MEAN = [Mistake(key, message, hint, partial(from_mean, how=key)) for key, message, hint in [
    ("root", "This is the distance; asked for is its square.", "No root."),
    ("no-two", "The mixed term has the factor 2.", "|u - v|² = <u, u> - 2 <u, v> + <v, v>"),
    ("plus", "The mixed term has a minus sign.", "|u - v|² = <u, u> - 2 <u, v> + <v, v>"),
    ("without-K", "|mean|² is missing. With two classes it may differ from one to the other.",
     "<v, v> is a double sum."),
    ("without-k_xx", "k(x, x) is missing. Your squared distance may become negative.", "<u, u>"),
    ("sums", "These are sums; the mean divides by n.", "1/n in v appears once in <u, v> and twice in <v, v>."),
    ("n-not-squared", "The double sum is divided by n; v stands in <v, v> twice.", "Divide by n², or take K.mean()."),
    ("diagonal", "|mean|² is not the mean of the |phi(x_i)|²: pairs of different points count, too.",
     "All entries of K."),
]]


@task(CHAPTER, "The distance from a mean", MEAN)
def distance_to_mean(distance2: Answer) -> str:
    """`distance2(K, k_x, k_xx)` returns the squared distance of phi(x) from the mean of the phi(x_i)."""
    cases = []
    for seed, n in enumerate((4, 5, 7)):
        P = np.random.default_rng(seed).normal(size=(n + 1, 2))
        K = gaussian(P, P) * np.outer(s := 1 + np.arange(n + 1) / n, s)      # k(x, x) differs from point to point
        cases.append((K[:-1, :-1], K[-1, :-1], float(K[-1, -1])))
    compare(distance2, cases, from_mean, ("the squared distance",), MEAN)
    return "a distance in a space that nobody has to see."


# ---- the representer theorem at work ---------------------------------------------------------------------------------
def ridge_coefficients(K: np.ndarray, y: np.ndarray, lam: float, how: str = "") -> tuple[np.ndarray]:
    """The a that minimises lam a'K a + mean (y - K a)^2, or a known mistake."""
    n, I = len(y), np.eye(len(y))
    A = {"sum": K + lam * I, "divided": K + lam / n * I, "twice": K + 2 * n * lam * I, "half": K + n * lam / 2 * I,
         "interpolates": K, "lam-K": (1 + n * lam) * K, "length-of-a": K @ K + n * lam * I, "minus": K - n * lam * I,
         }.get(how, K + n * lam * I)
    a = np.linalg.solve(A, K @ y if how == "length-of-a" else y)
    return (K @ a if how == "values" else y * a if how == "with-y" else a,)


RIDGE = [Mistake(key, message, hint, partial(ridge_coefficients, how=key)) for key, message, hint in [
    ("length-of-a", "This penalises a'a. The length of w is a'K a, not that of its coefficients.",
     "Insert w = sum a_i phi(x_i) in |w|²."),
    ("sum", "λ lacks the factor n: the squared errors are averaged, so λ weighs against 1/n.",
     "Multiply the whole problem by n."),
    ("divided", "λ is divided by n; it should be multiplied by n.", "Multiply the whole problem by n."),
    ("twice", "λ is doubled: the 2 of the derivative stands in both terms and cancels.", "Differentiate both terms."),
    ("half", "λ is halved: the 2 of the derivative stands in both terms and cancels.", "Differentiate both terms."),
    ("interpolates", "λ has no effect: this f goes through all points.", "The gradient has a term from λ a'K a."),
    ("lam-K", "λ multiplies K. The gradient is 2 λ K a + (2/n) K (K a - y); one K can be divided out.",
     "What is left of λ K a is λ a, and that is λ times the identity."),
    ("minus", "The identity enters with the wrong sign.", "The gradient of (y - K a)² has K a - y."),
    ("values", "These are the values f(x_i) = K a; asked for are the coefficients.", "Return a."),
    ("with-y", "Each coefficient is multiplied by its y. That belongs to the SVM, a_i = y_i alpha_i.", "Return a."),
]]


@task(CHAPTER, "Ridge regression in the coefficients", RIDGE)
def ridge(solve: Answer) -> str:
    """`ridge(K, y, lam)` returns the coefficients a (n,)."""
    cases = []
    for seed, (n, lam) in enumerate(((5, 0.1), (6, 0.02), (8, 0.3))):
        rng = np.random.default_rng(seed)
        X = rng.uniform(-4, 4, size=(n, 2))
        cases.append((gaussian(X, X), rng.normal(size=n), lam))
    compare(solve, cases, ridge_coefficients, ("a",), RIDGE)
    return "n numbers, however many features there are."
