"""Kernels: the algebra they form, kernels of vectors and of strings, and explicit feature maps."""
from typing import TYPE_CHECKING, Any

from svmlib.kernels.algebra import Constant, Function, Kernel, Mapped, Product, Scaled, Sum, as_kernel
from svmlib.kernels.psd import NotPSDWarning, PSDReport
from svmlib.kernels.vectors import *  # a new kernel there needs no line here
from svmlib.kernels.vectors import __all__ as _vectors

if TYPE_CHECKING:
    from svmlib.kernels.strings import GapWeighted as GapWeighted
    from svmlib.kernels.strings import Subsequence as Subsequence
    from svmlib.kernels.strings import Substring as Substring

_STRINGS = ["GapWeighted", "Subsequence", "Substring"]

__all__ = [*_vectors, *_STRINGS, "Constant", "Function", "Kernel", "Mapped", "NotPSDWarning", "PSDReport", "Product",
           "Scaled", "Sum", "as_kernel"]


def __getattr__(name: str) -> Any:
    """Import the kernels of strings at first use: they bring numba, for which `import svmlib` need not wait."""
    if name in _STRINGS:
        from svmlib.kernels import strings

        return getattr(strings, name)
    raise AttributeError(f"module 'svmlib.kernels' has no attribute {name!r}")
