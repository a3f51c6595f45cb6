"""From a training set to its binary machines: which solver, one after the other, on threads, or on shared rows."""
import warnings
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
from svmlib.svc.multiclass import BinaryMachine, class_pairs, pair_tasks, rest_tasks
from svmlib.svc.pair_machines import PairMachines
from svmlib.svc.training_set import TrainingSet, warn_of_scales
from svmlib.threads import blas_limit, blas_threads
from svmlib.validation import check_number, stacklevel

SHARED_GRAM_POINTS = 2000  # up to this many points, the Gram matrix is formed once and all binary problems look it up
Task = tuple[np.ndarray, np.ndarray]                                     # rows and labels of a binary problem
Said = tuple[str, type[Warning]]                                         # a warning, and of what kind


def train(svc: Any, kernel: Kernel, data: TrainingSet, C: np.ndarray) -> list[BinaryMachine] | PairMachines:
    """The binary machines of an SVC, by its parameters, on checked data with upper bounds C (n,) of alpha."""
    if svc.n_jobs is not None:
        check_number(svc.n_jobs, "n_jobs", kind=Integral, expected="an integer or None")
        if svc.n_jobs == 0:
            raise ValueError("n_jobs must be an integer other than 0, or None, got 0")
    warn_of_scales(kernel, data.X)
    k = len(data.classes)
    if k == 2:
        problem = DualProblem(kernel, data.X, data.signs, C, check=False)
        solution = _solve(svc, problem, n_jobs=svc.n_jobs, verbose=svc.verbose)
        return [BinaryMachine(np.arange(len(C)), problem.y, solution)]
    points, stop = KernelPoints(kernel, data.X, check=False), Event()
    if svc.multiclass == "ovr":
        return _each(svc, points, data.codes, C, rest_tasks(data.codes, k), stop)
    pairs, machines = class_pairs(k), PairMachines(data.codes, C, svc.tol)
    left = list(range(len(pairs)))
    if svc.solver in ("auto", "smo"):
        from svmlib.svc.small_pairs import are_small, solve_small  # brings numba, which is not needed for a QP

        if are_small(svc, points, machines, SHARED_GRAM_POINTS):
            left = solve_small(svc, points, machines, stop)
    tasks = pair_tasks(data.codes, [pairs[i] for i in left])
    for i, machine in zip(left, _each(svc, points, data.codes, C, tasks, stop), strict=True):
        machines.put(i, *pairs[i], machine)
    return machines


def _each(svc: Any, points: KernelPoints, codes: np.ndarray, C: np.ndarray, tasks: list[Task],
          stop: Event) -> list[BinaryMachine]:
    """Solve the problems, by the solver that the SVC names or the one that suits all of them."""
    if not tasks:
        return []
    unsaid: list[Said] = []
    if svc.solver == "working_set" or (svc.solver == "auto" and np.isfinite(C).all()
                                       and worth_sharing(points, codes.max() + 1)):
        machines = _on_shared_rows(svc, points, codes, C, tasks, stop, unsaid)
    else:
        machines = _one_by_one(svc, points, C, tasks, stop, unsaid)
    for category in dict.fromkeys(category for _, category in unsaid):
        said = [message for message, of in unsaid if of is category]
        more = f" (the first of {len(said)} such warnings, of {len(tasks)} binary problems)" if len(said) > 1 else ""
        warnings.warn(said[0] + more, category, stacklevel=stacklevel())
    return machines


def _one_by_one(svc: Any, points: KernelPoints, C: np.ndarray, tasks: list[Task], stop: Event,
                unsaid: list[Said]) -> list[BinaryMachine]:
    """Each problem alone, n_jobs at a time, all on one Gram matrix where that is small."""
    workers = effective_n_jobs(svc.n_jobs)
    with Monitor("SVC") as monitor:
        if points.n <= SHARED_GRAM_POINTS:
            points.form()
    if monitor.status:                                                   # Ctrl-C
        stop.set()
    job = _job(svc, points, C, stop, unsaid, verbose=svc.verbose and workers == 1)
    return [job(task) for task in tasks] if workers == 1 else solve_all(job, tasks, workers, stop, svc.verbose)


def _on_shared_rows(svc: Any, points: KernelPoints, codes: np.ndarray, C: np.ndarray,
                    tasks: list[Task], stop: Event, unsaid: list[Said]) -> list[BinaryMachine]:
    """All problems on one set of Gram rows, for which the points stand class by class."""
    from svmlib.engine.shared_rows import SharedRows  # compiles what small fits need not wait for

    largest, members = np.max(C), [np.flatnonzero(codes == p) for p in range(codes.max() + 1)]
    workers = blas_threads() if svc.n_jobs is None else effective_n_jobs(svc.n_jobs)
    shared = SharedRows(points, members, largest, tol=svc.tol, workers=workers, cache_mb=svc.cache_mb)
    orders = [np.argsort(codes[rows], kind="stable") for rows, _ in tasks]
    grouped = [(rows[order], y[order]) for (rows, y), order in zip(tasks, orders, strict=True)]
    job = _job(svc, points, C, stop, unsaid, shared=shared)
    return [machine.ascending() for machine in solve_all(job, grouped, workers, stop, svc.verbose)]


def _job(svc: Any, points: KernelPoints, C: np.ndarray, stop: Event, unsaid: list[Said],
         **options: Any) -> Callable[[Task], BinaryMachine]:
    """What solves a task; after an interrupt the tasks that wait get the rule of the nearest mean."""
    def job(task: Task) -> BinaryMachine:
        """Cut one problem out of the points and solve it."""
        rows, y = task
        problem = DualProblem.cut(points, rows, y, C[rows])
        problem.unsaid = unsaid
        if stop.is_set():
            return BinaryMachine(rows, y, unfinished(problem, svc.tol))
        solution = _solve(svc, problem, callback=stop, **options)
        if solution.status == "interrupted":
            stop.set()
        return BinaryMachine(rows, y, solution)

    return job


def _solve(svc: Any, problem: DualProblem, n_jobs: int | None = None, **options: Any) -> Solution:
    """One call of the solver that the SVC names, or that fits the problem; n_jobs: threads, where it can use them."""
    name = "working_set" if "shared" in options else choose_solver(problem) if svc.solver == "auto" else svc.solver
    if name == "working_set" and "shared" not in options:
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
