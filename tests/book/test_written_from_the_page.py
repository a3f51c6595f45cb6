"""The kernel machine that chapter 09 prints, run as printed on other data, kernels and prices, agrees with `solve`."""
from pathlib import Path

import nbformat
import numpy as np
import pytest

from svmlib import DualProblem, solve
from svmlib.data import disc_and_annulus, draw_km40m2, draw_xs_kernel, exponential_classes, noisy_unit_disc
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial

CHAPTER = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks/09_gallery_of_kernels.ipynb", as_version=4)
PRINTED = "\n".join(cell.source for cell in CHAPTER.cells if cell.id in ("pseudo-code", "pseudo-code-b"))
DATA = {"W": draw_km40m2, "exponential": exponential_classes, "annulus": disc_and_annulus, "disc": draw_xs_kernel,
        "noisy": lambda seed: noisy_unit_disc(seed, 60)}


def as_printed(kernel: Kernel, X: np.ndarray, y: np.ndarray, C: float) -> tuple[np.ndarray, float]:
    """alpha and b of the cells, with another kernel, other points and another price put in."""
    assert PRINTED.count("C, n = 10.0, len(y)") == 1
    cells = {"np": np, "X": X, "y": y, "Gaussian": lambda gamma: kernel}
    exec(PRINTED.replace("C, n = 10.0, len(y)", f"C, n = {C}, len(y)"), cells)
    return cells["alpha"], float(cells["b"])


@pytest.mark.parametrize("C", [0.01, 1.0, 10.0, 1000.0])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(gamma=1.0), Polynomial(Q=2)], ids=str)
@pytest.mark.parametrize("name", DATA)
def test_the_printed_machine_is_the_machine(name: str, kernel: Kernel, C: float) -> None:
    X, y = DATA[name](1)
    alpha, b = as_printed(kernel, X, y, C)
    s = solve(DualProblem(kernel, X, y, C=C), "smo", tol=1e-7)
    assert np.allclose(kernel(X) @ (alpha * y) + b, kernel(X) @ (s.alpha * y) + s.b, atol=1e-3)
