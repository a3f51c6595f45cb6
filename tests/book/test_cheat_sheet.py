"""What the cheat sheet says that C and sigma do, on draws."""
from pathlib import Path

import numpy as np
import pytest

from svmlib import SVC
from svmlib.data import blobs_with_intruders, separable_blobs
from svmlib.kernels import Gaussian, Linear

SHEET = (Path(__file__).parents[2] / "book/cheat_sheet.md").read_text(encoding="utf8")


@pytest.mark.parametrize("seed", range(5))
def test_a_wide_gaussian_is_a_line_or_a_constant(seed: int) -> None:
    assert "nearly a straight line if $C$ grows like $\\sigma^2$" in SHEET
    assert "at a fixed $C$ in the end the larger class everywhere" in SHEET
    X, y = separable_blobs(seed)
    few = np.r_[np.flatnonzero(y > 0), np.flatnonzero(y < 0)[:10]]
    X, y, fresh = X[few], y[few], separable_blobs(100 + seed, n=500)[0]
    line = SVC(Linear(), C=1.0, tol=1e-6).fit(X, y)
    wide = SVC(Gaussian(sigma=100.0), C=100.0**2, tol=1e-6).fit(X, y)             # <x, z> / sigma^2, but for a constant
    assert np.mean(wide.predict(fresh) != line.predict(fresh)) < 0.005
    assert set(SVC(Gaussian(sigma=100.0), C=10.0).fit(X, y).predict(fresh)) == {1.0}


@pytest.mark.parametrize("C", [1e2, 1e4, 1e6])
def test_a_large_price_leaves_exceptions_to_a_line_and_none_to_a_narrow_gaussian(C: float) -> None:
    assert "exceptions only where the kernel leaves no choice" in SHEET
    X, y = blobs_with_intruders(0)
    assert SVC(Linear(), C=C).fit(X, y).score(X, y) < 1
    assert SVC(Gaussian(sigma=0.2), C=C).fit(X, y).score(X, y) == 1
