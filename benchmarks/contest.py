"""Eight methods on six real data sets: every split of the contest of chapter 16, with and without a scaler."""
from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from benchmarks import machine
from svmcourse.when_should_i_use_one.contest import FOLDS, FORMS, METHODS, REPEATS, SETS, play

TREES = ("random forest", "gradient boosting")                # to which the unit of a feature is nothing
MIXED = ("wine", "breast cancer")                             # whose units differ most


def tasks() -> Iterator[tuple[str, str, str]]:
    """Data set, method and form of each contest.

    All are played on scaled features; on raw ones trees only where units are mixed, and with one thousandfold feature
    only these sets.
    """
    yield from ((data, method, FORMS[0]) for data in SETS for method in METHODS)
    yield from ((data, method, FORMS[1]) for data in SETS for method in METHODS if data in MIXED or method not in TREES)
    yield from ((data, method, FORMS[2]) for data in MIXED for method in METHODS)


def alone(data: str, method: str, split: int, form: str) -> dict[str, Any]:
    """`play` on one thread, so that methods with and without threads of their own are timed alike."""
    warnings.filterwarnings("ignore")
    with threadpool_limits(1):
        return play(data, method, split, form)


def run(folder: Path, jobs: int = 2) -> None:
    """Play all contests, and keep what there is after each: contest.csv, and contest.json with the machine."""
    about = machine.describe()
    rows: list[dict[str, Any]] = []
    for data, method, form in tasks():
        new = Parallel(n_jobs=jobs)(delayed(alone)(data, method, split, form) for split in range(FOLDS * REPEATS))
        rows += new
        print(f"{data:16} {method:20} {form:16} error {100 * sum(row['error'] for row in new) / len(new):5.1f} %",
              flush=True)
        keep(folder, about, rows)


def keep(folder: Path, about: dict[str, Any], rows: list[dict[str, Any]], name: str = "contest") -> None:
    """Write the table, rounded to what can be measured, and what it was measured on."""
    folder.mkdir(exist_ok=True)
    with (folder / f"{name}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()})
    (folder / f"{name}.json").write_text(json.dumps(about, indent=1) + "\n")
