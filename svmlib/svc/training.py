"""From a training set to its binary machines: which solver, started where, one after the other or on shared rows."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed

from svmlib.dual import DualProblem, KernelPoints, Solution
from svmlib.kernels import Kernel
from svmlib.solvers import WARM_STARTS, check_limits, choose_solver, solve, worth_sharing
from svmlib.svc.multiclass import BinaryMachine, binary_tasks, starting_point, unfinished
from svmlib.svc.training_set import TrainingSet

if TYPE_CHECKING:
    from svmlib.svc.shared_rows import SharedRows

__all__ = ["Training"]

#: Up to this many points the Gram matrix of all classes is formed once and shared by the binary problems.
SHARED_GRAM_POINTS = 2000


class Training:
    """Trains the machines of one training set, for one C or for a grid of them; owns what these have in common.

    scheme: "ovr", else one-vs-one; growth: of C to the largest one of a grid; everything else as for SVC.
    """

    def __init__(self, kernel: Kernel, data: TrainingSet, *, scheme: str, solver: str, growth: float, tol: float,
                 max_iter: int | None, n_jobs: int | None, cache_mb: float | None, verbose: bool) -> None:
        from svmlib.svc.scales import warn_of_scales  # brings numba, which `import svmlib` need not wait for

        self.kernel, self.X, self.codes, self.k, self.signs = kernel, data.X, data.codes, len(data.classes), data.signs
        self.scheme, self.solver, self.growth, self.n_jobs = scheme, solver, growth, n_jobs
        self.limits: dict[str, Any] = {"tol": tol, "max_iter": max_iter, "verbose": verbose}
        self.cache: dict[str, Any] = {} if cache_mb is None else {"cache_mb": cache_mb}
        self.shared: SharedRows | None = None
        warn_of_scales(kernel, self.X, lambda: kernel._diag(self.X))

    def machines(self, C: np.ndarray, previous: list[Solution] | None = None) -> list[BinaryMachine]:
        """Solve the binary problems for upper bounds C (n,); previous: solutions to start from, where they fit."""
        if self.k == 2:
            problem = DualProblem(self.kernel, self.X, self.signs, C, check=False)
            return [BinaryMachine(np.arange(problem.n), problem.y, self._solve(problem, 0, previous))]
        if self.solver == "working_set" or (self.solver == "auto" and worth_sharing(self.kernel, self.X, self.k, C)):
            return self._rows(C).machines(self.scheme, C, previous)
        whole = KernelPoints(self.kernel, self.X, check=False)
        if whole.n <= SHARED_GRAM_POINTS:
            _ = whole.K                                        # formed once, cut for each problem
        interrupted = False

        def train(place: int, rows: np.ndarray, y: np.ndarray) -> BinaryMachine:
            """Cut one problem out of the whole and solve it; after an interrupt the rest is filled in untrained."""
            nonlocal interrupted
            problem = DualProblem.cut(whole, rows, y, C[rows])
            solution = unfinished(problem, self.limits["tol"]) if interrupted else self._solve(problem, place, previous)
            interrupted |= solution.status == "interrupted"
            return BinaryMachine(rows, y, solution)

        tasks = enumerate(binary_tasks(self.codes, self.k, self.scheme))
        if self.n_jobs in (None, 1):
            return [train(place, *task) for place, task in tasks]
        # Threads will do, because the inner loops release the GIL.
        return Parallel(n_jobs=self.n_jobs, prefer="threads")(delayed(train)(place, *task) for place, task in tasks)

    def _solve(self, problem: DualProblem, place: int, previous: list[Solution] | None) -> Solution:
        """One call of the solver, from the previous alpha where there is one that fits."""
        name = choose_solver(problem) if self.solver == "auto" else self.solver
        options = self.cache if name == "working_set" else {}
        if previous is not None and place < len(previous) and name in WARM_STARTS:
            options = {**options, "alpha0": starting_point(previous[place].alpha, problem.y, problem.C)}
        return solve(problem, name, **self.limits, **options)

    def _rows(self, C: np.ndarray) -> SharedRows:
        """The Gram rows that all problems share: many points."""
        from svmlib.svc.shared_rows import SharedRows  # compiles what small fits need not wait for

        if self.shared is None:
            check_limits(self.limits["tol"], self.limits["max_iter"])
            self.shared = SharedRows(self.kernel, self.X, self.codes, C_max=self.growth * float(C.max()),
                                     n_jobs=self.n_jobs, **self.limits, **self.cache)
        return self.shared
