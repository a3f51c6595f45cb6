"""Decision values of many machines at many points: one matrix product for the kernel values, one for all machines."""
import numpy as np

from svmlib.engine.points import Points
from svmlib.engine.precision import working_dtype
from svmlib.kernels import Kernel

STRIP, CHUNK = 1024, 2048         # rows and columns of one block: 8 MB, small enough for the cache


def decision_values(kernel: Kernel, support: np.ndarray, W: np.ndarray, X: np.ndarray) -> np.ndarray:
    """sum_j W_pj k(x_i, s_j), the decision values (m, n_problems) without b.

    support (n_SV, d), W (n_problems, n_SV): beta of every machine; X (m, d).  By strips of X and chunks of support
    vectors, summed up in float64.  The threads are those of BLAS.
    """
    dtype = working_dtype(kernel, support, np.array([np.abs(W).max(initial=1e-300)]), 1e-3)
    vectors = Points.of(kernel, support, dtype)
    chunks: list[tuple[Points, np.ndarray]] = [(vectors[c:c + CHUNK], W.T[c:c + CHUNK].astype(dtype))
                                               for c in range(0, len(support), CHUNK)]
    out = np.zeros((len(X), len(W)))
    for start in range(0, len(X), STRIP):
        points = vectors.like(X[start:start + STRIP])
        for chunk, weights in chunks:
            out[start:start + STRIP] += points.block(chunk) @ weights
    return out
