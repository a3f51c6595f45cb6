"""Random planar problems for the solver that runs in the page, and what svmlib makes of the same."""
import warnings
from typing import Any

import numpy as np

from svmlib.dual import DualProblem
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial, Sigmoid
from svmlib.solvers import solve

KERNELS = {"linear": Linear, "polynomial": Polynomial, "gaussian": Gaussian, "sigmoid": Sigmoid}


def kernel_of(settings: dict[str, Any]) -> Kernel:
    """svmlib's kernel for the settings that the page has."""
    return KERNELS[settings["name"]](**{name: value for name, value in settings.items() if name != "name"})


def draw(seed: int) -> dict[str, Any]:
    """One problem as the page would state it, and 50 fresh points.

    Kernels take turns; n from 4 to 300 and C from 0.01 to 10,000, evenly on a logarithmic scale; every fifth problem
    has doubled points, some with both labels, and every seventh a class of one or two.
    """
    rng = np.random.default_rng(seed)
    n, C = round(4 * 75 ** rng.random()), float(10 ** rng.uniform(-2, 4))
    X = rng.uniform(-2, 2, (n, 2))
    curved, noise = rng.random() < 0.6, rng.choice([0.0, 0.05, 0.2])
    y = np.where((X**2).sum(axis=1) > 2 if curved else X @ [1, 2] > 0.3, 1, -1)
    y[rng.random(n) < noise] *= -1
    if seed % 5 == 0:
        X[: n // 2] = X[rng.integers(n, size=n // 2)]
    if seed % 7 == 0:
        y[:] = -1
        y[rng.integers(n, size=2)] = 1
    if abs(y.sum()) == n:
        y[0] *= -1
    name = ("linear", "polynomial", "gaussian", "sigmoid")[seed % 4]
    settings = {
        "linear": {},
        "polynomial": {"Q": int(rng.integers(1, 5)), "a": float(rng.uniform(0.5, 1.5)), "b": float(rng.uniform(0, 1))},
        "gaussian": {"sigma": float(10 ** rng.uniform(-1.3, 0.7))},
        "sigmoid": {"kappa": float(rng.uniform(0.1, 1.0)), "delta": float(rng.uniform(-1, 1))},
    }[name]
    return {"points": X.tolist(), "labels": y.tolist(), "kernel": {"name": name, **settings}, "C": C,
            "fresh": rng.uniform(-2, 2, (50, 2)).tolist()}


def dual_of(problem: dict[str, Any]) -> DualProblem:
    """The dual problem of svmlib."""
    return DualProblem(kernel_of(problem["kernel"]), problem["points"], np.array(problem["labels"]), problem["C"])


def decision(problem: dict[str, Any], alpha: np.ndarray, b: float) -> np.ndarray:
    """f at the fresh points."""
    block = kernel_of(problem["kernel"])(problem["fresh"], problem["points"])
    return block @ (np.array(problem["labels"]) * alpha) + b


def reference(dual: DualProblem, alpha0: np.ndarray | None = None) -> Any:
    """svmlib's own solution, as exact as it gets."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return solve(dual, "smo", tol=1e-9, alpha0=alpha0)
