"""The machine that chapter 09 prints, run as printed on other data, kernels and prices, agrees with `solve`."""
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from cvxopt import matrix, solvers

from svmlib import DualProblem, solve
from svmlib.data import (
    disc_and_annulus,
    draw_km40m2,
    draw_xs_kernel,
    exponential_classes,
    noisy_unit_disc,
    separable_blobs,
)
from svmlib.data.planar import draw_xs_linear
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial

CHAPTER = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks/09_quadratic_programming.ipynb", as_version=4)
PRINTED = {cell.id: cell.source for cell in CHAPTER.cells}
DATA = {"W": draw_km40m2, "exponential": exponential_classes, "annulus": disc_and_annulus, "disc": draw_xs_kernel,
        "noisy": lambda seed: noisy_unit_disc(seed, 60)}
SEPARABLE = {"clouds": separable_blobs, "forty": draw_xs_linear}
KERNELS = [Linear(), Gaussian(gamma=1.0), Polynomial(Q=2)]


@pytest.fixture(scope="module")
def train() -> Callable:
    """The function `train` of the page, from nothing but its cells."""
    names = {"np": np, "matrix": matrix, "solvers": solvers}
    for cell in ("pseudo-code", "pseudo-code-b", "train"):
        exec(PRINTED[cell], names)
    return names["train"]


def agree(train: Callable, kernel: Kernel, X: np.ndarray, y: np.ndarray, C: float) -> bool:
    """Whether the printed machine and `solve` decide alike at the training points."""
    alpha, b = train(kernel, X, y, C)
    s = solve(DualProblem(kernel, X, y, C=C), "smo", tol=1e-7)
    return np.allclose(kernel(X) @ (alpha * y) + b, kernel(X) @ (s.alpha * y) + s.b, atol=1e-3)


@pytest.mark.parametrize("C", [0.01, 1.0, 10.0, 1000.0])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("name", DATA)
def test_the_printed_machine_is_the_machine(train: Callable, name: str, kernel: Kernel, C: float) -> None:
    assert agree(train, kernel, *DATA[name](1), C)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("name", SEPARABLE)
def test_the_printed_hard_margin_is_the_hard_margin(train: Callable, name: str, kernel: Kernel) -> None:
    for seed in range(3):
        assert agree(train, kernel, *SEPARABLE[name](seed), np.inf)
