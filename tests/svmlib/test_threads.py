"""BLAS on one thread where its threads would only wait for each other."""
import numpy as np
from threadpoolctl import threadpool_info

from svmlib.threads import blas_limit, blas_threads


def threads():
    """Threads of each BLAS library of this process, as threadpoolctl sees them afresh."""
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_blas_runs_on_the_calling_thread_inside_and_as_before_outside():
    np.eye(2) @ np.eye(2)
    before = threads()
    assert before
    assert blas_threads() == max(before)
    with blas_limit():
        assert set(threads()) == {1}
        assert blas_threads() == 1
    assert threads() == before
