"""float32 or float64, the proof that it was good enough, and decision values in it."""
from typing import Any

import numpy as np

from svmlib.engine.gram_blocks import FEW_COORDINATES, Points, frame_of
from svmlib.engine.row_kernels import add_products, row_kernel_of
from svmlib.kernels import Kernel, Precomputed

STEEP, TIGHT = 100.0, 2e-4   # C above which, and tol below which, float32 is no good for few features
CLEAR = 0.02                 # outside the margin by this much, in units of f, F need not be exact
STRIP_ROWS, STRIP_VECTORS = 1024, 2048   # of one block of decision values: 8 MB, small enough for the cache


def working_dtype(kernel: Any, X: Any, C: np.ndarray, tol: float) -> type:
    """Which precision will do for blocks: float32 where the rounding of K moves f by less than tol, eps |K| C < tol.

    With few features only where the dual is not flat (a linear kernel, a large C), or Newton steps are wanted.
    """
    if np.ndim(X) != 2 or not np.isfinite(C).all():
        return np.float64
    if X.shape[1] < FEW_COORDINATES and (not kernel.strictly_positive or C.max() > STEEP or tol < TIGHT):
        return np.float64
    some = X[::max(1, len(X) // 200)]
    frame = frame_of(kernel, some)
    if frame is None:
        return np.float64
    x2 = float(frame.coordinates(some)[1].max())
    if not 1e-30 < x2 < 1e30:                              # beyond the range of float32, or near its ends
        return np.float64
    condition = kernel.condition(x2)
    rounding = np.finfo(np.float32).eps * condition * np.abs(kernel.diagonal(some)).max()
    return np.float32 if rounding * C.max() <= tol else np.float64


def recomputed(kernel: Kernel, X: Any, rows: np.ndarray, beta: np.ndarray, K_beta: np.ndarray, r: np.ndarray,
               tol: float) -> np.ndarray | None:
    """K beta (n,), again in float64 at all points that decide; None where that shows the given K_beta to be wrong.

    X[rows]: the points of beta (n,).  The dual value needs K beta at the support vectors, the KKT conditions and the
    gap at all points where r = y (f - p) is negative or nearly so.  A point of beta = 0 further outside contributes
    exactly 0 to both, if only K_beta is right within CLEAR; the points that are recomputed measure how right it is, and
    it has to be twenty times better than that.
    """
    clear = max(CLEAR, 2 * tol)
    support = np.flatnonzero(beta)
    near = np.concatenate([support, np.flatnonzero((beta == 0) & (r < clear))])
    exact = exact_products(kernel, X, rows[near], beta[support])
    if np.abs(exact - K_beta[near]).max(initial=0.0) > clear / 20:
        return None
    K_beta = K_beta.copy()
    K_beta[near] = exact
    return K_beta


def exact_products(kernel: Kernel, X: Any, order: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """sum_j beta_j k(x_i, x_j) in float64 for the points X[order] (n,), where beta (m,) belongs to the first m of them.

    With few coordinates by differences x_i - x_j, which have no rounding to speak of.
    """
    if isinstance(kernel, Precomputed):
        return Points.of(kernel, X, order=order).times(beta)
    some = X[order]
    row_kernel = row_kernel_of(kernel, some)
    if row_kernel is None:
        return Points.of(kernel, some).times(beta)
    out = np.zeros(len(order))
    add_products(out, row_kernel, beta)
    return out


def decision_values(kernel: Kernel, support: np.ndarray, W: np.ndarray, X: np.ndarray) -> np.ndarray:
    """sum_j W_pj k(x_i, s_j), the decision values (m, n_problems) without b.

    support (n_SV, d), W (n_problems, n_SV): beta of every machine; X (m, d).  By strips of X and chunks of support
    vectors, summed up in float64.  The threads are those of BLAS.
    """
    dtype = working_dtype(kernel, support, np.array([np.abs(W).max(initial=1e-300)]), 1e-3)
    vectors = Points.of(kernel, support, dtype)
    chunks: list[tuple[Points, np.ndarray]] = [(vectors[c:c + STRIP_VECTORS], W.T[c:c + STRIP_VECTORS].astype(dtype))
                                               for c in range(0, len(support), STRIP_VECTORS)]
    out = np.zeros((len(X), len(W)))
    for start in range(0, len(X), STRIP_ROWS):
        points = vectors.like(X[start:start + STRIP_ROWS])
        for chunk, weights in chunks:
            out[start:start + STRIP_ROWS] += points.block(chunk) @ weights
    return out
