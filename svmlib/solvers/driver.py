"""The one driver of all methods: it counts their steps, reports them, stops them, and certifies what they leave.

A method of this folder is a generator.  It gets the problem, a feasible beta (n,), which it changes in place, and tol.
After each step it yields a dict of what there is to tell, and it ends where its own test says so:

    @solver(max_iter=100_000)
    def method(problem, beta, tol):
        ...                                                          # start
        while violation > tol:                                       # stop
            ...                                                      # step
            yield {"objective": ..., "violation": violation}

With the decorator it is what `svmlib.solve` calls: method(problem, tol=..., callback=..., alpha0=...) -> Solution.
"""
from collections.abc import Callable, Generator
from functools import update_wrapper
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem, Solution
from svmlib.solvers.monitor import Callback, Monitor
from svmlib.validation import steps_allowed

#: What a method tells of a step; "steps" says how many it took since the last one, where that is not 1.
State = dict[str, Any]
#: The steps of a method; it may return a dict with K_beta, if it knows that, and status "max_iter", if it gave up.
Steps = Generator[State, None, Any]
#: A last touch: (problem, beta) -> alpha, also after an interrupt.
Finish = Callable[[BoxProblem, np.ndarray], np.ndarray]


def solver(max_iter: int | Callable[[int], int], *, watched: bool = False, finish: Finish | None = None) -> Callable:
    """Make a solver of a method.

    max_iter: steps where the user does not say, a number or a function of n.  watched: the method takes the Monitor as
    a fourth argument, which tells whether anybody listens, and how many steps may be taken before the next report.
    """
    def decorate(method: Callable[..., Steps]) -> Callable[..., Solution]:
        """The solver of a method, with the options of both."""
        def solve(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None,
                  callback: Callback | None = None, verbose: bool = False, history: bool | str = False,
                  alpha0: np.ndarray | None = None, **options: Any) -> Solution:
            limit = steps_allowed(max_iter, default(problem.n) if callable(default) else default)
            monitor = Monitor(method.__name__, callback, verbose, history, max_iter=limit)
            beta = problem.start(alpha0)
            steps = method(problem, beta, tol, monitor, **options) if watched else method(problem, beta, tol, **options)
            return certified(steps, problem, beta, tol, monitor, finish)

        common = [p for p in signature(solve).parameters.values() if p.name != "options"]
        own = [p for p in signature(method).parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
        solve.__signature__ = Signature([*common, *own], return_annotation=Solution)       # type: ignore[attr-defined]
        return update_wrapper(solve, method, assigned=("__module__", "__name__", "__qualname__", "__doc__"))

    default = max_iter
    return decorate


def certified(steps: Steps, problem: BoxProblem, beta: np.ndarray, tol: float, monitor: Monitor,
              finish: Finish | None = None) -> Solution:
    """Take the steps of a method that changes beta (n,) in place, and certify where they end."""
    status, end = drive(steps, monitor, problem, beta)
    alpha = problem.y * beta if finish is None else finish(problem, beta)
    return problem.solution(alpha, solver=monitor.solver, status=end.get("status", status), n_iter=monitor.n_iter,
                            tol=tol, history=monitor.history, K_beta=end.get("K_beta"))


def drive(steps: Steps, monitor: Monitor, problem: BoxProblem | None = None,
          beta: np.ndarray | None = None) -> tuple[str, dict[str, Any]]:
    """Take steps until the method ends, reaches the limit, or somebody stops it; its status, and what it returned.

    "optimal" is only what the method says.  problem and beta: for the alpha that is told of each step.
    """
    with monitor:
        try:
            while monitor.left > 0:
                try:
                    state = next(steps)
                except StopIteration as end:
                    return "optimal", end.value or {}
                monitor.n_iter += state.pop("steps", 1)
                if monitor.active and monitor(**state if problem is None else {"alpha": problem.y * beta, **state}):
                    break
        finally:
            steps.close()
    return monitor.status or "max_iter", {}
