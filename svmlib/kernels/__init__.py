"""Kernels: the algebra they form, kernels of vectors and of strings, and explicit feature maps."""
from typing import Any

from svmlib.kernels.algebra import (
    Constant,
    Function,
    Kernel,
    Mapped,
    Product,
    Scaled,
    Sum,
    as_kernel,
)
from svmlib.kernels.psd import NotPSDWarning, PSDReport
from svmlib.kernels.vectors import *  # a new kernel there needs no line here
from svmlib.kernels.vectors import __all__ as _vectors

__all__ = [
    *_vectors,
    "Constant",
    "Function",
    "GapWeighted",
    "Kernel",
    "Mapped",
    "NotPSDWarning",
    "PSDReport",
    "Product",
    "Scaled",
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
