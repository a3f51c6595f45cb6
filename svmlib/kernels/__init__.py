"""Kernels: the algebra they form, kernels of vectors and of strings, and explicit feature maps."""
from typing import Any

from svmlib.kernels.algebra import (
    Constant,
    Function,
    Kernel,
    Mapped,
    NotPSDWarning,
    Precomputed,
    Product,
    PSDReport,
    Scaled,
    Sum,
    as_kernel,
)
from svmlib.kernels.vectors import FEW, Gaussian, Linear, Polynomial, Sigmoid

__all__ = [
    "FEW",
    "Constant",
    "Function",
    "GapWeighted",
    "Gaussian",
    "Kernel",
    "Linear",
    "Mapped",
    "NotPSDWarning",
    "PSDReport",
    "Polynomial",
    "Precomputed",
    "Product",
    "Scaled",
    "Sigmoid",
    "StringTable",
    "Subsequence",
    "Substring",
    "Sum",
    "as_kernel",
]


def __getattr__(name: str) -> Any:
    """Import the kernels of strings at first use: they bring numba, for which `import svmlib` need not wait."""
    if name in ("GapWeighted", "StringTable", "Subsequence", "Substring"):
        from svmlib.kernels import strings

        return getattr(strings, name)
    raise AttributeError(f"module 'svmlib.kernels' has no attribute {name!r}")
