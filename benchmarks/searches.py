"""The searches of chapter 13: promises, nested or not, on 24 draws of three tasks; grid or random, on 400 of two."""
from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path

from joblib import Parallel, delayed

from svmcourse.choosing_hyperparameters.searches import DRAWS, PAIRS, TASKS, compare, nested, promise


def scores(data: str, seed: int) -> tuple[float, ...]:
    """Of one draw: best score, accuracy on fresh points, nested score; accuracies after a grid and a random search."""
    task = TASKS[data]
    return *promise(task, seed), nested(*task(seed), seed), *compare(task, seed)


def run(path: Path, jobs: int = 2) -> None:
    """Write the scores of each draw, and beside them, into grid_random.csv, the pairs that need many draws."""
    rows = [(data, seed) for data in TASKS for seed in range(DRAWS)]
    store(path, rows, ("best", "fresh", "nested", "grid", "random"), scores, jobs)
    rows = [(data, seed) for data in list(TASKS)[1:] for seed in range(PAIRS)]
    store(path.with_name("grid_random.csv"), rows, ("grid", "random"), pair, jobs)


def pair(data: str, seed: int) -> list[float]:
    """Of one draw: accuracies after a grid and after a random search."""
    return compare(TASKS[data], seed)


def store(path: Path, rows: list[tuple[str, int]], columns: tuple[str, ...], values: Callable[..., Iterable[float]],
          jobs: int) -> None:
    """Write values(data, seed) of each row."""
    found = Parallel(n_jobs=jobs)(delayed(values)(*row) for row in rows)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("data", "seed", *columns))
        writer.writerows((*row, *(f"{value:.10g}" for value in new)) for row, new in zip(rows, found, strict=True))
