"""The long runs of chapter 15, which plays a part of them again; `python -m benchmarks --only mnist` stores them."""
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC as ScikitSVC

from svmlib import SVC
from svmlib.data import load_mnist
from svmlib.data.digits import deskew, fit_virtual
from svmlib.kernels import Gaussian
from svmlib.model_selection import k_folds

Cs, GAMMAS = [1, 10, 100], [0.1, 0.01, 0.001]
SIZES, WIDTHS, PRICES = (125, 500, 2000), (0.005, 0.01, 0.02, 0.03, 0.05), (2.5, 10, 100)
#: The columns of a row of the table; seed is that of the training set.
COLUMNS = ("run", "seed", "n", "C", "gamma", "accuracy")
#: How images are prepared for the runs with virtual support vectors.
PREPARED: dict[str, Callable[[Any], Any]] = {"as they are": np.asarray, "deskewed": deskew}

Row = tuple[str, int, int, float, float, float]


def search(seed: int, n: int = 500) -> Iterator[Row]:
    """Search (a) on one draw: nine candidates, their mean accuracies in cross-validation."""
    X, y, _, _ = load_mnist()
    rows = np.random.default_rng(seed).choice(len(X), n, replace=False)
    for gamma in GAMMAS:
        K = Gaussian(gamma=gamma)(X[rows])                                 # one for the three values of C
        for C in Cs:
            machine = ScikitSVC(kernel="precomputed", C=C, tol=1e-5)
            yield "search", seed, n, C, gamma, cross_val_score(machine, K, y[rows]).mean()


def random(seed: int, n: int = 500, candidates: int = 9) -> Iterator[Row]:
    """A random search on the images of search (a), with its folds: 1 <= C <= 100 and 0.001 <= gamma <= 0.1."""
    X, y, _, _ = load_mnist()
    rows = np.random.default_rng(0).choice(len(X), n, replace=False)
    splits = [(np.setdiff1d(np.arange(n), fold), fold) for fold in k_folds(y[rows], k=5, rng=0)]
    for C, gamma in 10.0 ** np.random.default_rng(seed).uniform([0, -3], [2, -1], size=(candidates, 2)):
        machine, K = ScikitSVC(kernel="precomputed", C=C, tol=1e-5), Gaussian(gamma=gamma)(X[rows])
        yield "random", seed, n, float(C), float(gamma), cross_val_score(machine, K, y[rows], cv=splits).mean()


def held_out(run: str, seed: int, sizes: Sequence[int] = SIZES) -> Iterator[Row]:
    """Accuracy on 2,000 training images that were held out: over gamma at C = 10 ("width"), or over C ("price")."""
    X, y, _, _ = load_mnist()
    order = np.random.default_rng(seed).permutation(len(X))
    out = order[-2000:]
    for n in sizes if run == "width" else (2000,):
        rows = order[:n]
        K, K_out = (Gaussian(gamma=WIDTHS[0])(X[r], X[rows]) for r in (rows, out))
        pairs = [(10.0, gamma) for gamma in WIDTHS] if run == "width" else [(C, 0.01) for C in PRICES]
        for C, gamma in pairs:
            power = gamma / WIDTHS[0]                                      # k to the power p is k for p times gamma
            machine = ScikitSVC(kernel="precomputed", C=C, tol=1e-5).fit(K**power, y[rows])
            yield run, seed, n, C, gamma, machine.score(K_out**power, y[out])


def virtual(images: str, seed: int = 0, n: int = 2000) -> Row:
    """Test accuracy after a fit with virtual support vectors, on the first n images of training set (b)."""
    X, y, X_test, y_test = load_mnist()
    rng = np.random.default_rng(seed)
    rng.choice(len(X), 500, replace=False)                                 # the images of (a) are drawn first
    rows = rng.choice(len(X), 2000, replace=False)[:n]
    prepare, machine = PREPARED[images], SVC(Gaussian(gamma=0.02), C=10, tol=1e-4)
    machine = fit_virtual(machine, prepare(X[rows]), y[rows])
    return f"virtual, {images}", seed, n, 10.0, 0.02, machine.score(prepare(X_test), y_test)


def training_set(seed: int, n: int) -> dict[str, Any]:
    """What the machine of (b) reads on the test set if it is trained on other images, 500 or 2,000 of them."""
    X, y, X_test, y_test = load_mnist()
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(X), 500, replace=False)
    if n != 500:
        rows = rng.choice(len(X), n, replace=False)
    machine = SVC(Gaussian(gamma=0.01), C=10, tol=1e-5).fit(X[rows], y[rows])
    M = confusion_matrix(y_test, machine.predict(X_test))
    right = np.trace(M)
    np.fill_diagonal(M, 0)
    p, q = divmod(int(M.argmax()), 10)
    return {"seed": seed, "n": n, "accuracy": right / len(y_test), "7 read as 2": int(M[7, 2]),
            "2 read as 7": int(M[2, 7]), "most frequent error": f"{p} read as {q}"}
