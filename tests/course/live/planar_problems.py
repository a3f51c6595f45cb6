"""Random planar problems for the solver that runs in the page, and what svmlib makes of the same."""
import warnings
from functools import cache
from typing import Any

import numpy as np
import pytest

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


@cache
def known(seed: int) -> Any:
    """svmlib's solution of a drawn problem, found once for all who compare with it."""
    return reference(dual_of(draw(seed)))


def agree(seed: int, found: dict[str, Any]) -> None:
    """What the page found for a drawn problem is what svmlib finds, and its proof is the one that svmlib computes."""
    problem, best = draw(seed), known(seed)
    alpha, dual = np.array(found["alpha"]), dual_of(problem)
    assert np.isfinite([*alpha, found["b"], found["objective"], found["gap"]]).all()
    certified(dual, found, 1e-12)
    assert found["status"] == best.status
    if found["status"] == "stationary" and abs(found["objective"] - best.objective) > 1e-6 * abs(best.objective):
        best = reference(dual, alpha)   # another stationary point: svmlib agrees that it is one
    assert found["objective"] == pytest.approx(best.objective, rel=1e-6)
    assert np.abs(decision(problem, alpha, found["b"]) - decision(problem, best.alpha, best.b)).max() < 1e-4


def certified(dual: DualProblem, found: dict[str, Any], rounding: float) -> None:
    """The alpha are feasible, and the gap, which svmlib computes alike, is a millionth of the dual value, or what a
    violation of 1e-10 makes of it where C is large and the value small."""
    alpha = np.array(found["alpha"])
    assert alpha.min() >= 0
    assert np.all(alpha <= dual.C)
    assert abs(dual.y @ alpha) <= rounding * alpha.sum()
    value = abs(dual.objective(alpha))
    assert found["objective"] == pytest.approx(dual.objective(alpha), rel=1e-9)
    assert found["gap"] == pytest.approx(dual.gap(alpha), abs=1e-6 * value)
    assert found["gap"] <= 1e-6 * value + 1e-10 * dual.C.sum()
