"""One-vs-one on small classes: all pairs in one compiled loop, and who is left over."""
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from svmlib.compilation import is_cold
from svmlib.dual import KernelPoints
from svmlib.dual.gram import nearly_psd
from svmlib.engine.class_pairs import solve_pairs
from svmlib.engine.gram_blocks import FEW_COORDINATES
from svmlib.engine.row_kernels import NO_ROW_KERNEL, row_kernel_of
from svmlib.solvers import SMO_POINTS
from svmlib.solvers.monitor import Monitor
from svmlib.svc.multiclass import pair_indices
from svmlib.svc.pair_machines import COLUMNS, PairMachines
from svmlib.threads import blas_limit
from svmlib.validation import all_finite

MORE_POINTS = 8000         # up to which a matrix is formed whole, where its values are cheap or pairs are many
MANY_PAIRS = 2000          # which, one by one, take as long as the loop takes to be compiled
BURST = 30_000_000         # entries of the blocks of K that pass between two looks at the keyboard: 50 ms or so


def are_small(svc: Any, points: KernelPoints, machines: PairMachines, small: int) -> bool:
    """Whether the loop may take these pairs: few points each, a PSD kernel, finite C, and nothing special is asked.

    Rows of K must be cheap, or the matrix small: that of so many points, or of MORE_POINTS.
    """
    largest = np.sort(np.diff(machines.starts))[-2:].sum()
    if (svc.solver not in ("auto", "smo") or svc.max_iter is not None or largest > SMO_POINTS
            or not np.isfinite(machines.C).all() or (len(machines) < MANY_PAIRS and is_cold(solve_pairs))):
        return False
    if not points.formed and row_kernel_of(points.kernel, points.X) is not None:
        return True
    few = np.ndim(points.X) == 2 and np.shape(points.X)[1] < FEW_COORDINATES
    whole = points.n <= (MORE_POINTS if few or len(machines) > MANY_PAIRS // 2 else small)
    return whole and bool(points.kernel.psd or (points.n <= small and nearly_psd(points.K)))


def solve_small(svc: Any, points: KernelPoints, machines: PairMachines, stop: Event) -> list[int]:
    """Solve all pairs, into machines; return the numbers of those that the solver has to look at.

    A Ctrl-C sets stop and leaves the rest over.
    """
    order = machines.order
    row_kernel, K = None, np.empty((0, 0))
    if points.formed:
        K = points.block(order)
    else:
        X = points.X[order]
        row_kernel = row_kernel_of(points.kernel, X)
        K = points.kernel.block(X, X) if row_kernel is None else K
    K = np.ascontiguousarray(K, dtype=np.float64)
    diag, C = np.asarray(points.diag[order], dtype=np.float64), machines.bounds[order]
    if not all_finite(diag):
        raise ValueError("the kernel gives values that overflow; scale the features")
    sizes = np.diff(machines.starts)
    pairs = np.ascontiguousarray(np.transpose(pair_indices(machines.k)))     # its parts are, too: one form to compile
    work = np.cumsum(sizes[pairs].sum(axis=1) ** 2) // BURST
    ends = [*(np.flatnonzero(np.diff(work)) + 1), len(pairs)]
    numbers = np.zeros((len(pairs), 7))

    def burst(start: int, end: int) -> int:
        """Some pairs; nothing in Python is touched."""
        solve_pairs(row_kernel or NO_ROW_KERNEL, K, diag, points.kernel_error, machines.starts, C, pairs[start:end],
                    svc.tol, machines.layout, numbers[start:end])
        return end

    workers = effective_n_jobs(svc.n_jobs)
    pool = ThreadPoolExecutor(workers)
    try:
        with Monitor("SVC", verbose=svc.verbose, total=len(pairs)) as progress, blas_limit():
            for end in (map if workers == 1 else pool.map)(burst, [0, *ends[:-1]], ends):
                progress(n_iter=end, violation=float(numbers[:end, 3].max()))
    finally:
        pool.shutdown(cancel_futures=True)
    if progress.status:
        stop.set()
    for name, column in zip(COLUMNS, numbers.T, strict=False):
        getattr(machines, name)[:] = column
    machines.n_iter[:] = numbers[:, 5]
    machines.outcome[:] = machines.code("optimal", "smo")
    return [int(i) for i in np.flatnonzero(numbers[:, 6] == 0)]
