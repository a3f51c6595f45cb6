"""From a training set to its binary machines: which solver, started where, one after the other or on shared rows."""
from numbers import Integral
from threading import Event
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from svmlib.checks import check_limits, check_number
from svmlib.dual import DualProblem, KernelPoints, Solution
from svmlib.kernels import Kernel
from svmlib.solvers import WARM_STARTS, choose_solver, solve, worth_sharing
from svmlib.solvers.monitor import Monitor
from svmlib.svc.multiclass import BinaryMachine, binary_tasks, solve_all, starting_point, unfinished
from svmlib.svc.training_set import TrainingSet

SHARED_GRAM_POINTS = 2000  # up to so many, the Gram matrix of all classes is formed once, for all binary problems


class Training:
    """Trains the machines of one training set, for one C or for a grid of them; owns what these have in common.

    svc: the SVC whose parameters count, C and class_weight apart; growth: of C to the largest one of a grid.
    """

    def __init__(self, svc: Any, kernel: Kernel, data: TrainingSet, growth: float) -> None:
        from svmlib.svc.scales import warn_of_scales  # brings numba, which `import svmlib` need not wait for

        self.svc, self.kernel, self.data, self.k, self.growth = svc, kernel, data, len(data.classes), growth
        self.shared: Any = None                              # Gram rows of several classes, where there are many points
        self.whole: Any = (KernelPoints(kernel, data.X, check=False) if self.k > 2 else    # keeps K once it is formed
                           DualProblem(kernel, data.X, data.signs, np.empty(0), check=False))
        if svc.n_jobs is not None:
            check_number(svc.n_jobs, "n_jobs", kind=Integral, expected="an integer or None")
        warn_of_scales(kernel, data.X)

    def machines(self, C: np.ndarray, previous: list[Solution] | None = None) -> list[BinaryMachine]:
        """Solve the binary problems for upper bounds C (n,); previous: solutions to start from, where they fit."""
        svc, X = self.svc, self.data.X
        if self.k == 2:
            self.whole.C, y = C, self.whole.y
            return [BinaryMachine(np.arange(len(C)), y, self._solve(self.whole, 0, previous, verbose=svc.verbose))]
        if svc.solver == "working_set" or (svc.solver == "auto" and worth_sharing(self.kernel, X, self.k, C)):
            from svmlib.svc.shared_rows import SharedRows  # compiles what small fits need not wait for

            check_limits(svc.tol, svc.max_iter)
            if self.shared is None:
                self.shared = SharedRows(self.kernel, X, self.data.codes, C_max=self.growth * float(C.max()),
                                         tol=svc.tol, max_iter=svc.max_iter, n_jobs=svc.n_jobs, cache_mb=svc.cache_mb,
                                         verbose=svc.verbose)
            return self.shared.machines(svc.multiclass, C, previous)
        whole, stop, workers = self.whole, Event(), effective_n_jobs(svc.n_jobs)
        with Monitor("SVC") as monitor:
            _ = whole.n <= SHARED_GRAM_POINTS and whole.K      # formed once, cut for each problem
        if monitor.status:                                     # Ctrl-C
            stop.set()

        def train(task: tuple[int, tuple[np.ndarray, np.ndarray]]) -> BinaryMachine:
            """Cut one problem out of the whole and solve it; after an interrupt the rest is filled in untrained."""
            place, (rows, y) = task
            problem = DualProblem.cut(whole, rows, y, C[rows])
            solution = (unfinished(problem, svc.tol) if stop.is_set() else self._solve(
                problem, place, previous, callback=stop, verbose=svc.verbose and workers == 1))
            if solution.status == "interrupted":
                stop.set()
            return BinaryMachine(rows, y, solution)

        tasks = list(enumerate(binary_tasks(self.data.codes, self.k, svc.multiclass)))
        return [train(task) for task in tasks] if workers == 1 else solve_all(train, tasks, workers, stop, svc.verbose)

    def _solve(self, problem: DualProblem, place: int, previous: list[Solution] | None, **options: Any) -> Solution:
        """One call of the solver, from the previous alpha where there is one that fits."""
        name = choose_solver(problem) if self.svc.solver == "auto" else self.svc.solver
        if name == "working_set":
            options["cache_mb"] = self.svc.cache_mb
        if previous is not None and place < len(previous) and name in WARM_STARTS:
            options["alpha0"] = starting_point(previous[place].alpha, problem.y, problem.C)
        return solve(problem, name, tol=self.svc.tol, max_iter=self.svc.max_iter, **options)
