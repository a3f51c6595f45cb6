"""Positive semidefinite or not: what the eigenvalues of a Gram matrix say, and the warning where they are negative."""
from dataclasses import dataclass

import numpy as np


class NotPSDWarning(UserWarning):
    """The kernel has negative eigenvalues: there is no feature map, and the dual need not be concave."""


@dataclass(frozen=True)
class PSDReport:
    """What the eigenvalues of one Gram matrix say; true in a condition when it is PSD up to rounding."""

    smallest: float
    largest: float
    tol: float

    def __bool__(self) -> bool:
        return self.smallest >= -self.tol

    def __repr__(self) -> str:
        verdict = "PSD" if self else "not PSD"
        return f"{verdict}: eigenvalues from {self.smallest:.3g} to {self.largest:.3g} (tolerance {self.tol:.0e})"


def psd_report(K: np.ndarray, tol: float = 1e-10) -> PSDReport:
    """Eigenvalue test of a Gram matrix K (n, n): PSD when no eigenvalue is below -tol times the largest modulus.

    >>> psd_report(np.array([[1.0, 2.0], [2.0, 1.0]]))
    not PSD: eigenvalues from -1 to 3 (tolerance 3e-10)
    """
    eig = np.linalg.eigvalsh((K + K.T) / 2)
    return PSDReport(float(eig[0]), float(eig[-1]), tol * max(float(np.abs(eig).max()), 1e-300))
