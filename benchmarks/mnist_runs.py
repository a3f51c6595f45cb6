"""The long runs of chapter 15 on the digits that svmlib ships, no time counts: searches, draws, virtual vectors."""
from __future__ import annotations

import csv
from pathlib import Path

from svmcourse.mnist.runs import COLUMNS, PREPARED, held_out, random, search, training_set, virtual


def run(path: Path) -> None:
    """Write one row a machine, and those of other training sets into a table of their own beside it."""
    rows = [row for seed in range(10) for row in search(seed)]
    rows += [row for kind in ("width", "price") for seed in range(3) for row in held_out(kind, seed)]
    rows += [row for seed in range(5) for row in random(seed)]
    rows += [virtual(images) for images in PREPARED] + [virtual("deskewed", n=125)]
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((*row[:-1], f"{row[-1]:.10g}") for row in rows)
    with path.with_name("training_sets.csv").open("w", newline="") as file:
        sets = [training_set(seed, n) for seed in range(1, 6) for n in (500, 2000)]
        table = csv.DictWriter(file, list(sets[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(sets)
