"""numba as svmlib uses it: compiled once per machine, never from an outdated source, and with a word to the user."""
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba

PACKAGE = Path(__file__).parent
STAMP = "svmlib-sources"
# What numba's fast-math may do in a compiled function of svmlib.
EXACT = {"nsz", "nnan", "contract"}                       # the order of sums stays as written
FAST = {"reassoc", "contract", "arcp", "nsz"}             # sums in any order; NaN and infinity stay what they are
FAST_FINITE = FAST | {"nnan"}                             # the same where no operand is ever NaN


def njit(**options: Any) -> Callable[[Callable], Any]:
    """numba.njit without Python's lock and with numpy's 1/0, whose cache on disk is emptied where svmlib has changed.

    numba compares the file of a function, not the files of the functions that are built into it: after an update it
    would go on with the old ones, and no test would see it.  options: more of numba's.
    """
    def compiled(function: Callable) -> Any:
        """The dispatcher of a function; the function itself under NUMBA_DISABLE_JIT."""
        try:
            dispatcher = numba.njit(nogil=True, cache=True, error_model="numpy", **options)(function)
        except RuntimeError:      # neither the package's folder nor one of the user can be written: nothing is kept
            dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
        if getattr(dispatcher, "stats", None) and dispatcher.stats.cache_path:
            empty_if_outdated(Path(dispatcher.stats.cache_path), sources())
        return dispatcher

    return compiled


@cache
def sources(package: Path = PACKAGE) -> str:
    """Hash of all modules of svmlib that have compiled functions."""
    digest = sha256()
    for file in sorted(package.rglob("*.py")):
        if b"njit" in (text := file.read_bytes()):
            digest.update(text)
    return digest.hexdigest()


@cache
def empty_if_outdated(folder: Path, current: str) -> None:
    """Delete what numba has stored in a folder, unless it was made from the current sources."""
    with suppress(OSError):                                            # a folder that cannot be written, or a race
        stamp = folder / STAMP
        if stamp.exists() and stamp.read_text() == current:
            return
        for pattern in ("*.nbi", "*.nbc"):
            for file in folder.glob(pattern):
                file.unlink(missing_ok=True)
        stamp.write_text(current)


@cache
def announce(*functions: Any) -> None:
    """Say that compiled functions have to be compiled first, unless they are in memory or in numba's cache on disk.

    functions: numba dispatchers with cache=True.  Speaks at most once a process.
    """
    if any(is_cold(function) for function in functions):
        print("svmlib: compiling its inner loops for this machine; this happens once and takes some seconds.",
              file=sys.stderr, flush=True)


def is_cold(function: Any) -> bool:
    """Whether a compiled function is neither in memory nor in numba's cache on disk, so that a call would wait."""
    if getattr(function, "overloads", True):              # none at all: plain Python, under NUMBA_DISABLE_JIT
        return False
    folder = function.stats.cache_path
    module = function.__module__.rsplit(".", 1)[-1]
    return folder is None or not any(Path(folder).glob(f"{module}.{function.__name__}-*.nbi"))
