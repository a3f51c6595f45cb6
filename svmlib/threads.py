"""How many threads BLAS uses."""
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    """The BLAS libraries of this process; looking for them takes a few milliseconds."""
    return ThreadpoolController().select(user_api="blas")


def blas_threads() -> int:
    """Threads that BLAS would use by itself: the processors, or what OPENBLAS_NUM_THREADS and the like say."""
    return max([library["num_threads"] for library in _controller().info()], default=1)


def blas_limit() -> Any:
    """Context in which BLAS runs on the thread that calls it."""
    return _controller().limit(limits=1)
