"""Positive semidefinite or not: what the eigenvalues of a Gram matrix say, and the warning where they are negative."""
from typing import NamedTuple


class NotPSDWarning(UserWarning):
    """The kernel has negative eigenvalues: there is no feature map, and the dual need not be concave."""


class PSDReport(NamedTuple):
    """What the eigenvalues of one Gram matrix say; true in a condition when none is below -tol: PSD up to rounding."""

    smallest: float
    largest: float
    tol: float

    def __bool__(self) -> bool:
        return self.smallest >= -self.tol

    def __repr__(self) -> str:
        verdict = "PSD" if self else "not PSD"
        return f"{verdict}: eigenvalues from {self.smallest:.3g} to {self.largest:.3g} (tolerance {self.tol:.0e})"
