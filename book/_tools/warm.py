"""Compile svmlib's inner loops before notebooks run, so that no stored output or page holds the word about it."""

from __future__ import annotations

import contextlib
import io
import time
import warnings

import numpy as np
from joblib import Parallel, delayed

from svmlib import SVC, DualProblem, compilation, solve
from svmlib.baselines import AlphaLMS, NeuralNetwork
from svmlib.data import xs_linear
from svmlib.engine.pairs import mixed_steps
from svmlib.kernels import Gaussian, Linear, Precomputed, Subsequence, Substring
from svmlib.solvers import SOLVERS


def methods() -> None:
    """Run every solver but SMO and what is built on it on a small problem, hard and soft; strings; two baselines."""
    X, y = xs_linear()
    for kernel in (Linear(), Gaussian(sigma=0.5)):
        for C in (1.0, float("inf")):
            problem = DualProblem(kernel, X, y, C=C)
            for name in SOLVERS.keys() - {"smo", "working_set"}:
                # Not every solver takes every problem; those that do are compiled now.
                with contextlib.suppress(ValueError):
                    solve(problem, name, max_iter=2000)
    for strings in (Subsequence(), Substring()):
        strings(["BERT", "BEERE"])
    for baseline in (AlphaLMS(n_epochs=1), NeuralNetwork(solver="sgd", max_iter=1)):
        baseline.fit(X, y)


def machines() -> None:
    """Fit machines of more points than plain Python takes first: rows on demand and whole, pairs, a working set."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1200, 2)), rng.choice([-1, 1], 1200)
    for kernel in (Linear(), Gaussian(sigma=0.5)):
        problem = DualProblem(kernel, X, y)
        solve(problem, "smo", max_iter=500)
        solve(DualProblem(Precomputed(), kernel(X), y), "smo", max_iter=500)
        solve(problem, "working_set", max_iter=500)
    SVC(kernel="rbf").fit(X[:130], np.arange(130) % 65)                   # thousands of pairs, in their own loop


def quietly(part: int) -> None:
    """One half of the work, without a word about compiling or short runs."""
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        (machines, methods)[part]()


if __name__ == "__main__":
    start = time.perf_counter()
    # Where numba's cache has most, another process takes longer to start than what is left to do.
    Parallel(n_jobs=2 if compilation.is_cold(mixed_steps) else 1)(delayed(quietly)(part) for part in range(2))
    print(f"== inner loops compiled, {time.perf_counter() - start:.1f} s")
