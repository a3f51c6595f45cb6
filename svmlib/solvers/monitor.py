"""What every iterative solver does around its mathematics: report, record, and survive an interrupt."""
from collections.abc import Callable
from threading import Event
from types import TracebackType
from typing import Any

import numpy as np

#: What is told of each state, and stops the solver by returning True; or an Event, which stops it once it is set.
Callback = Callable[[dict[str, Any]], Any] | Event


class Monitor:
    """Progress of a solver: calls the callback, keeps the history, draws the bar, turns Ctrl-C into a status.

    Used as a context around the loop.  A KeyboardInterrupt inside ends the loop, not the program, and leaves
    status = "interrupted"; so does a callback that returns True, and nothing else that it returns.  history=True
    keeps one dict per report without alpha, history="alpha" with a copy of it.  `active` says whether there is anything
    to tell or to stop.  total: how many problems the bar counts, in place of steps.

    >>> with Monitor("smo", lambda state: state["n_iter"] >= 3, history=True) as monitor:
    ...     for k in range(1, 10):
    ...         if monitor(n_iter=k, violation=1 / k):
    ...             break
    >>> monitor.status, [state["n_iter"] for state in monitor.history]
    ('interrupted', [1, 2, 3])
    """

    def __init__(self, solver: str, callback: Callback | None = None, verbose: bool = False,
                 history: bool | str = False, total: int | None = None, max_iter: int = 0) -> None:
        if history not in (True, False, "alpha"):
            raise ValueError(f'history must be True, False or "alpha", got {history!r}')
        self.solver, self.keep, self.status = solver, history, ""
        self.stop = callback if isinstance(callback, Event) else None
        self.callback = None if isinstance(callback, Event) else callback
        self.history: list[dict[str, Any]] = []
        self.n_iter, self.max_iter = 0, max_iter
        self.bar, self.depth, self.telling = None, 0, False
        if verbose:
            from tqdm.auto import tqdm

            self.bar = tqdm(desc=solver, total=total, unit=" problems" if total else " steps", mininterval=0.1)

    @property
    def left(self) -> int:
        """How many steps are left of max_iter."""
        return self.max_iter - self.n_iter

    @property
    def active(self) -> bool:
        """Whether there is a callback, a history, a bar, or a demand to stop."""
        return bool(self.callback or self.keep or self.bar is not None or (self.stop and self.stop.is_set()))

    def __enter__(self) -> "Monitor":
        self.depth += 1
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> bool:
        """Close the bar, at the end of the outermost context; swallow a KeyboardInterrupt, nothing else."""
        self.depth -= 1
        if self.bar is not None and not self.depth:
            self.bar.close()
        caught = is_interrupt(error)
        self.status = "interrupted" if caught else self.status
        return caught

    def __call__(self, alpha: Any = None, **state: Any) -> bool:
        """Report one state; alpha goes to the callback, and into the history where it is asked for.  True: stop."""
        state.setdefault("n_iter", self.n_iter)
        if self.keep:
            keep = self.keep == "alpha" and alpha is not None
            self.history.append({**state, "alpha": np.array(alpha)} if keep else state)
        if self.bar is not None:
            self.bar.update(state["n_iter"] - self.bar.n)
            size = f", {state['working_set']} points in the working set" if "working_set" in state else ""
            for key, name in (("gap", "gap"), ("violation", "KKT violation")):
                if key in state:
                    self.bar.set_postfix_str(f"{name} {state[key]:.1e}{size}", refresh=False)
        if self.callback is not None:
            self.telling = True                                      # and so it stays where the callback raises
            answer = self.callback(state if alpha is None else {**state, "alpha": alpha})
            self.telling = False
            if isinstance(answer, (bool, np.bool_)) and answer:      # True, not just any object that a callback returns
                self.status = "interrupted"
        if self.stop and self.stop.is_set():
            self.status = "interrupted"
        return bool(self.status)


def is_interrupt(error: BaseException | None) -> bool:
    """Whether an error is a Ctrl-C; one while a compiled function packs its result arrives as a SystemError's cause."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return isinstance(error, KeyboardInterrupt)
