"""One comparison: same data, same process, alternating, repeated; wall and processor seconds of the best run."""
from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks.peers import largest_gap, objectives, peers
from svmlib.kernels import Kernel


class Task(NamedTuple):
    """A problem: training and test points, labels, kernel and C; gap says whether the gaps are worth their time.

    repeat: how often the peers take turns; number: calls a turn, whose mean counts (as in timeit), for small problems.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    kernel: Kernel
    C: float
    repeat: int = 3
    number: int = 1
    gap: bool = True


def clock(work: Callable[[], Any], number: int = 1) -> tuple[Any, float, float]:
    """Result, wall seconds and processor seconds of a call, as the mean of number calls."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(number):
        result = work()
    return result, (time.perf_counter() - wall) / number, (time.process_time() - cpu) / number


def compare(title: str, task: Task) -> list[dict[str, Any]]:
    """One row a peer: the best of its times, and what its solution is worth.  Peers take turns."""
    times: dict[str, list[tuple]] = {}
    machines, predictions = {}, {}
    gc.collect()
    for _ in range(task.repeat):
        for name, factory in peers().items():
            machine, *fit = clock(lambda factory=factory: factory(task.kernel, task.C).fit(task.X, task.y), task.number)
            labels, *predict = clock(lambda machine=machine: machine.predict(task.X_test), task.number)
            times.setdefault(name, []).append((*fit, *predict))
            machines[name], predictions[name] = machine, labels
    values = {name: objectives(machine, task.kernel) for name, machine in machines.items()}
    rows = []
    for name, machine in machines.items():
        best = np.min(times[name], axis=0)
        rows.append({
            "task": title, "peer": name, "n": len(task.X), "d": task.X.shape[1], "C": task.C,
            "kernel": repr(task.kernel), "fit_s": best[0], "fit_cpu_s": best[1], "predict_s": best[2],
            "predict_cpu_s": best[3], "fit_median_s": float(np.median([t[0] for t in times[name]])),
            "accuracy": float(np.mean(predictions[name] == task.y_test)),
            "support_vectors": len(machine.support_), "objective": float(values[name].sum()),
            "objective_difference": float(np.max(np.abs(values[name] - values["svmlib"]) / np.abs(values["svmlib"]))),
            "largest_gap": largest_gap(machine, task.kernel, task.X, task.y, task.C) if task.gap else None,
            "predictions_that_differ": int(np.sum(predictions[name] != predictions["svmlib"])),
            "test_points": len(task.X_test), "repeat": task.repeat})
    return [{**row, **ratios(row, rows[0])} for row in rows]


def ratios(row: dict[str, Any], ours: dict[str, Any]) -> dict[str, float]:
    """How many times longer a peer takes than svmlib."""
    return {f"{what}_ratio": row[f"{what}_s"] / max(ours[f"{what}_s"], 1e-9)
            for what in ("fit", "fit_cpu", "predict", "predict_cpu")}
