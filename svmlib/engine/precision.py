"""float32 or float64: for training, with the proof that it was good enough, and for decision values."""
from collections.abc import Callable
from typing import Any

import numpy as np

from svmlib.engine.gram_blocks import FEW_COORDINATES, Points, frame_of
from svmlib.engine.row_kernels import add_products, row_kernel_of
from svmlib.kernels import Kernel, Precomputed

STEEP, TIGHT = 100.0, 2e-4   # C above which, and tol below which, float32 is no good for few features
FEW_TERMS = 512             # of a sum in float32
CLEAR = 0.02                 # outside the margin by this much, in units of f, F need not be exact


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


def block_with(kernel: Kernel, support: Any, X: Any, sizes: tuple[float, float],
               tol: float) -> Callable[[Any], np.ndarray]:
    """What makes blocks (m, n_SV) of points like X with the support vectors, in the precision that will do.

    sizes: the largest root of sum beta^2, and sum |beta|, of the machines that will sum the blocks up: float32 where
    that moves no decision value by tol.
    """
    dtype = np.float32 if single_error(kernel, support, X, *sizes) <= tol else np.float64
    vectors = Points.of(kernel, support, dtype)
    return lambda some: vectors.like(some).block(vectors)


def single_error(kernel: Any, support: Any, X: Any, root: float, total: float) -> float:
    """Bound of what float32 changes in sum_j beta_j k(x, s_j), for the points x of X; inf where it would not do.

    A kernel value is wrong by eps condition |k|, of any sign, so that errors add up like root = |beta|; and each of the
    sums by a part of eps |k| sum |beta|.  Not proved but measured: three to a hundred times what occurs.
    """
    frame = frame_of(kernel, support)
    if frame is None:
        return np.inf
    x2, value = 0.0, 1.0
    for some in (support, X):
        x2 = max(x2, float(frame.coordinates(some)[1].max(initial=0.0)))
        value *= float(np.abs(kernel.diagonal(some)).max(initial=0.0)) ** 0.5
    if not 1e-30 < x2 < 1e30:                              # beyond the range of float32, or near its ends
        return np.inf
    return float(np.finfo(np.float32).eps) * value * (kernel.condition(x2) * root + 0.5 * total)


def sums_of_single(K: np.ndarray, W: np.ndarray) -> np.ndarray:
    """K W' (m, n_problems) in float64, of K (m, n_SV) in float32: the longer a sum in float32, the more it loses."""
    out, weights = np.zeros((len(K), len(W))), W.T.astype(np.float32)
    for start in range(0, K.shape[1], FEW_TERMS):
        out += K[:, start:start + FEW_TERMS] @ weights[start:start + FEW_TERMS]
    return out
