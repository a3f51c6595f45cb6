"""From a training set to its binary machines: which solver, one after the other, on threads, or on shared rows."""
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from numbers import Integral
from threading import Event
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from svmlib.dual import DualProblem, KernelPoints, Solution
from svmlib.kernels import Kernel
from svmlib.solvers import choose_solver, solve, worth_sharing
from svmlib.solvers.monitor import Monitor
from svmlib.svc.multiclass import BinaryMachine, binary_tasks
from svmlib.svc.training_set import TrainingSet
from svmlib.threads import blas_limit
from svmlib.validation import check_limits, check_number

SHARED_GRAM_POINTS = 2000  # up to this many points, the Gram matrix is formed once and all binary problems look it up
Task = tuple[np.ndarray, np.ndarray]                                     # rows and labels of a binary problem


def train(svc: Any, kernel: Kernel, data: TrainingSet, C: np.ndarray) -> list[BinaryMachine]:
    """The binary machines of an SVC, by its parameters, on checked data with upper bounds C (n,) of alpha."""
    from svmlib.svc.scales import warn_of_scales  # brings numba, which `import svmlib` need not wait for

    if svc.n_jobs is not None:
        check_number(svc.n_jobs, "n_jobs", kind=Integral, expected="an integer or None")
    warn_of_scales(kernel, data.X)
    if len(data.classes) == 2:
        problem = DualProblem(kernel, data.X, data.signs, C, check=False)
        solution = _solve(svc, problem, n_jobs=svc.n_jobs, verbose=svc.verbose)
        return [BinaryMachine(np.arange(len(C)), problem.y, solution)]
    tasks = binary_tasks(data.codes, len(data.classes), svc.multiclass)
    if svc.solver == "working_set" or (svc.solver == "auto" and worth_sharing(kernel, data.X, len(data.classes), C)):
        return _on_shared_rows(svc, kernel, data, C, len(tasks))
    return _one_by_one(svc, KernelPoints(kernel, data.X, check=False), C, tasks)


def _one_by_one(svc: Any, points: KernelPoints, C: np.ndarray, tasks: list[Task]) -> list[BinaryMachine]:
    """Each problem alone, n_jobs at a time; after an interrupt the others get the rule of the nearest mean."""
    stop, workers = Event(), effective_n_jobs(svc.n_jobs)
    with Monitor("SVC") as monitor:
        if points.n <= SHARED_GRAM_POINTS:
            points.form()
    if monitor.status:                                                   # Ctrl-C
        stop.set()

    def job(task: Task) -> BinaryMachine:
        """Cut one problem out of the points and solve it."""
        rows, y = task
        problem = DualProblem.cut(points, rows, y, C[rows])
        if stop.is_set():
            return BinaryMachine(rows, y, unfinished(problem, svc.tol))
        solution = _solve(svc, problem, callback=stop, verbose=svc.verbose and workers == 1)
        if solution.status == "interrupted":
            stop.set()
        return BinaryMachine(rows, y, solution)

    return [job(task) for task in tasks] if workers == 1 else solve_all(job, tasks, workers, stop, svc.verbose)


def _on_shared_rows(svc: Any, kernel: Kernel, data: TrainingSet, C: np.ndarray, count: int) -> list[BinaryMachine]:
    """All problems on one set of Gram rows; after an interrupt each gets one more round, and no more."""
    from svmlib.svc.shared_rows import SharedRows  # compiles what small fits need not wait for

    check_limits(svc.tol, svc.max_iter)
    stop = Event()
    shared = SharedRows(kernel, data.X, data.codes, C, tol=svc.tol, max_iter=svc.max_iter, n_jobs=svc.n_jobs,
                        cache_mb=svc.cache_mb)
    return solve_all(lambda number: shared.machine(svc.multiclass, number, stop), range(count), shared.workers, stop,
                     svc.verbose)


def _solve(svc: Any, problem: DualProblem, n_jobs: int | None = None, **options: Any) -> Solution:
    """One call of the solver that the SVC names, or that fits the problem; n_jobs: threads, where it can use them."""
    name = choose_solver(problem) if svc.solver == "auto" else svc.solver
    if name == "working_set":
        options.update(cache_mb=svc.cache_mb, n_jobs=n_jobs)
    return solve(problem, name, tol=svc.tol, max_iter=svc.max_iter, **options)


def unfinished(problem: DualProblem, tol: float) -> Solution:
    """A usable answer without training, for the problems that an interrupt leaves over: the rule of the nearest mean.

    alpha = c / n_+ on class +1 and c / n_- on class -1 makes w = c (mean_+ - mean_-), here of 50 points per class.
    """
    some = np.concatenate([np.flatnonzero(problem.y == s)[:50] for s in (1.0, -1.0)])
    y = problem.y[some]
    share = np.where(y > 0, 1.0 / np.sum(y > 0), 1.0 / np.sum(y < 0))
    length = max(float(y * share @ problem.block(some) @ (y * share)), 1e-300)
    alpha = np.zeros(problem.n)                  # length = |mean_+ - mean_-|^2; c = 2 / it puts f = ±1 on the means
    alpha[some] = share * min(2.0 / length, float(np.min(problem.C[some] / share)))
    return problem.solution(alpha, solver="nearest mean", status="interrupted", n_iter=0, tol=tol)


def solve_all(job: Callable[[Any], BinaryMachine], tasks: Sequence, workers: int, stop: Event,
              verbose: bool = False) -> list[BinaryMachine]:
    """job(task) for each task, `workers` at a time on threads of one BLAS thread each; machines as the tasks stand.

    Only the main thread hears a Ctrl-C: it sets stop, which the jobs look at, and waits for those that run.
    """
    futures, progress = [], Monitor("SVC", verbose=verbose, total=len(tasks))
    with progress, blas_limit(), ThreadPoolExecutor(workers) as pool:
        with progress:
            try:
                for task in tasks:
                    futures.append(pool.submit(job, task))
                for done, future in enumerate(as_completed(futures), 1):
                    progress(n_iter=done, violation=future.result().solution.violation)
            except Exception:                                    # of one problem: those that wait are not begun
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if progress.status:
            stop.set()
    return [future.result() for future in futures] + [job(task) for task in tasks[len(futures):]]
