"""Gaussian machines made linear: all draws of the contest of features of chapter 17."""
from __future__ import annotations

from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks import machine
from benchmarks.contest import keep
from svmcourse.svms_at_scale.features import DRAWS, one_draw


def run(folder: Path) -> None:
    """Train all machines, on one thread, and keep what there is after each draw: features.csv and features.json."""
    about, rows = machine.describe(), []
    for seed in range(DRAWS):
        with threadpool_limits(1):
            new = one_draw(seed)
        rows += new
        print(f"draw {seed}: " + ", ".join(f"{row['features']} {row['D'] or '∞'} {row['error']:.1%}" for row in new),
              flush=True)
        keep(folder, about, rows, "features")
