"""A word before the first fit: numba compiles the inner loops once, then finds them on disk."""
from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["announce"]


@cache
def announce(*functions: Any) -> None:
    """Say that compiled functions have to be compiled first, unless they are in memory or in numba's cache on disk.

    functions: numba dispatchers with cache=True.  Speaks at most once a process.
    """
    if any(is_cold(function) for function in functions):
        print("svmlib: compiling its inner loops for this machine; this happens once and takes some seconds.",
              file=sys.stderr, flush=True)


def is_cold(function: Any) -> bool:
    """Whether a compiled function is neither in memory nor in numba's cache on disk."""
    if not hasattr(function, "stats") or function.signatures:          # plain Python under NUMBA_DISABLE_JIT
        return False
    folder = function.stats.cache_path
    module = function.__module__.rsplit(".", 1)[-1]
    return folder is not None and not any(Path(folder).glob(f"{module}.{function.__name__}-*.nbi"))
