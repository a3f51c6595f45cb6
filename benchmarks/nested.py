"""Nested cross-validation in chapter 13: 24 draws of three tasks, 45,000 trainings."""
from __future__ import annotations

import csv
from pathlib import Path

from joblib import Parallel, delayed

from svmlib.classroom.choosing_hyperparameters.nested import DRAWS, TASKS, nested


def score(data: str, seed: int) -> float:
    """The nested score of one draw."""
    return float(nested(*TASKS[data](seed), seed))


def run(path: Path, jobs: int = 2) -> None:
    """Write the score of each draw."""
    rows = [(data, seed) for data in TASKS for seed in range(DRAWS)]
    scores = Parallel(n_jobs=jobs)(delayed(score)(*row) for row in rows)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("data", "seed", "score"))
        writer.writerows((*row, f"{value:.10g}") for row, value in zip(rows, scores, strict=True))
