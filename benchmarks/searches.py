"""The searches of chapter 13 on 24 draws of three tasks, 66,000 trainings: promises, nested or not; grid or random."""
from __future__ import annotations

import csv
from pathlib import Path

from joblib import Parallel, delayed

from svmlib.classroom.choosing_hyperparameters.searches import DRAWS, TASKS, compare, nested, promise


def scores(data: str, seed: int) -> tuple[float, ...]:
    """Of one draw: best score, accuracy on fresh points, nested score; accuracies after a grid and a random search."""
    task = TASKS[data]
    return *promise(task, seed), nested(*task(seed), seed), *compare(task, seed)


def run(path: Path, jobs: int = 2) -> None:
    """Write the scores of each draw."""
    rows = [(data, seed) for data in TASKS for seed in range(DRAWS)]
    found = Parallel(n_jobs=jobs)(delayed(scores)(*row) for row in rows)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("data", "seed", "best", "fresh", "nested", "grid", "random"))
        writer.writerows((*row, *(f"{value:.10g}" for value in new)) for row, new in zip(rows, found, strict=True))
