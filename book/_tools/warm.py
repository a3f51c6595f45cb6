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
from svmlib.data import blobs_with_intruders, xs_linear
from svmlib.kernels import Gaussian, Linear, Precomputed, Subsequence, Substring
from svmlib.solvers import SOLVERS
from svmlib.solvers.working_set import pair_steps


def each_solver() -> None:
    """Run every solver once on a small problem, hard and soft."""
    X, y = xs_linear()
    for kernel in (Linear(), Gaussian(sigma=0.5)):
        for C in (1.0, float("inf")):
            problem = DualProblem(kernel, X, y, C=C)
            for name in SOLVERS:
                # Not every solver takes every problem; those that do are compiled now.
                with contextlib.suppress(ValueError):
                    solve(problem, name, max_iter=2000)


def newton_strings_and_baselines() -> None:
    """Fit with many pair steps, so that Newton steps are compiled, too; string kernels on two words; two baselines."""
    X, y = blobs_with_intruders(seed=0)
    for kernel in (Linear(), Gaussian(sigma=0.5)):
        machine = SVC(kernel, C=1e4, tol=1e-8).fit(X, y)
        machine.predict(X)
        solve(DualProblem(Precomputed(), kernel(X), y, C=1e4), "smo", tol=1e-8)
    SVC(kernel="rbf").fit(X, np.arange(len(X)) % 3)                       # more than two classes: pairs in a loop
    for strings in (Subsequence(), Substring()):
        strings(["BERT", "BEERE"])
    for baseline in (AlphaLMS(n_epochs=1), NeuralNetwork(solver="sgd", max_iter=1)):
        baseline.fit(X, y)


def quietly(part: int) -> None:
    """One half of the work, without a word about compiling or short runs."""
    compilation.PATIENT = True
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        (each_solver, newton_strings_and_baselines)[part]()


if __name__ == "__main__":
    start = time.perf_counter()
    # Where numba's cache has most, another process takes longer to start than what is left to do.
    Parallel(n_jobs=2 if compilation.is_cold(pair_steps) else 1)(delayed(quietly)(part) for part in range(2))
    print(f"== inner loops compiled, {time.perf_counter() - start:.1f} s")
