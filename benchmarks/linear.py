"""svmlib beside LIBLINEAR, the usual tool for many points and a linear kernel: the four tall tasks of the benchmark.

LIBLINEAR minimises the same sum of hinges, but shrinks the bias as one more weight; with squared slack, where it needs
no dual, it is another machine, and fast.  What all are worth is compared in svmlib's terms, at the weights and the bias
that each has found: ½ |w|² + C Σ max(0, 1 - y (w'x + b)).
"""
from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks import machine, tasks
from benchmarks.timing import Task, clock
from svmlib import SVC

#: Turns of the machines; the fastest counts.
TURNS = 15


def primal(w: np.ndarray, b: float, task: Task) -> float:
    """½ |w|² + C Σ max(0, 1 - y (w'x + b))."""
    return float(w @ w / 2 + task.C * np.maximum(0, 1 - task.y * (task.X @ w + b)).sum())


def rivals(task: Task) -> dict[str, Any]:
    """The machines, not yet trained; LIBLINEAR with its default tolerance and as many passes as it needs."""
    return {"svmlib": SVC(task.kernel, C=task.C),
            "LIBLINEAR": LinearSVC(loss="hinge", C=task.C, max_iter=1_000_000, random_state=0),
            "LIBLINEAR, squared": LinearSVC(dual=False, C=task.C)}


def compare(title: str, task: Task, turns: int = TURNS) -> Iterator[dict[str, Any]]:
    """One row a machine: its fastest fit and prediction, which take turns, and what its answer is worth."""
    times: dict[str, list[tuple[float, ...]]] = {}
    labels, values = {}, {}
    for _ in range(turns):
        for name, rival in rivals(task).items():
            _, *fit = clock(lambda rival=rival: rival.fit(task.X, task.y))
            labels[name], *predict = clock(lambda rival=rival: rival.predict(task.X_test))
            times.setdefault(name, []).append((*fit, *predict))
            values[name] = primal(rival.coef_[0], float(rival.intercept_[0]), task)
    for name, runs in times.items():
        fit_s, fit_cpu_s, predict_s, predict_cpu_s = np.min(runs, axis=0)
        yield {"task": title, "machine": name, "n": len(task.X), "d": task.X.shape[1], "C": task.C, "fit_s": fit_s,
               "fit_cpu_s": fit_cpu_s, "predict_s": predict_s, "predict_cpu_s": predict_cpu_s, "turns": turns,
               "primal": values[name], "above_lowest": values[name] / min(values.values()) - 1,
               "predictions_that_differ": int(np.sum(labels[name] != labels["svmlib"])),
               "test_points": len(task.X_test)}


def run(results: Path) -> None:
    """Write linear.csv, and date and machine into linear.json."""
    warnings.filterwarnings("ignore")
    about = machine.describe()
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):
        for title, task in ((title, make()) for title, make in tasks.groups(short=False)["tall"].items()):
            list(compare(title, task, turns=1))      # what is compiled or loaded at the first call is not measured
            rows += compare(title, task)
    with (results / "linear.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (results / "linear.json").write_text(json.dumps(about, indent=1) + "\n")
