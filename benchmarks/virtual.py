"""What is known beforehand about digits, on all of MNIST: errors, and the seconds that they cost."""
from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.preprocessing import normalize

from benchmarks.tasks import DIGITS, mnist
from benchmarks.timing import clock
from svmlib import SVC
from svmlib.data import MNIST
from svmlib.data.digits import NEIGHBOURS, WITHIN_TWO, deskew, fit_virtual
from svmlib.kernels import Kernel, Polynomial


class Recipe(NamedTuple):
    """One way to a machine: how images are prepared, which kernel, which C, which shifts of support vectors."""

    name: str
    prepare: Callable[[Any], Any]
    kernel: Kernel
    C: float
    shifts: list[tuple[int, int]]


def unit(images: np.ndarray) -> np.ndarray:
    """Upright images of length 1."""
    return normalize(deskew(images))


NINE = Polynomial(Q=9, a=0.5, b=0.5)
RECIPES = [Recipe("as they are", np.asarray, DIGITS, 10.0, []),
           Recipe("upright", deskew, DIGITS, 10.0, []),
           Recipe("upright, of length 1", unit, NINE, 2.0, []),
           Recipe("as they are, 8 shifts", np.asarray, DIGITS, 10.0, NEIGHBOURS),
           Recipe("upright, 8 shifts", deskew, DIGITS, 10.0, NEIGHBOURS),
           Recipe("upright, of length 1, 8 shifts", unit, NINE, 2.0, NEIGHBOURS),
           Recipe("upright, of length 1, 12 shifts", unit, NINE, 2.0, WITHIN_TWO)]


def measure(data: MNIST | None = None) -> Iterator[dict[str, Any]]:
    """One row a recipe: seconds to prepare all images, to fit (both times) and to predict, and the share of errors."""
    data = mnist() if data is None else data
    for recipe in RECIPES:
        (X, X_test), prepare, _ = clock(lambda r=recipe: (r.prepare(data.X_train), r.prepare(data.X_test)))
        machine = SVC(recipe.kernel, C=recipe.C)
        fit = machine.fit if not recipe.shifts else lambda X, y, r=recipe, m=machine: fit_virtual(m, X, y, r.shifts)
        machine, seconds, _ = clock(lambda fit=fit, X=X: fit(X, data.y_train))
        labels, predict, _ = clock(lambda machine=machine, X_test=X_test: machine.predict(X_test))
        yield {"recipe": recipe.name, "kernel": repr(recipe.kernel), "C": recipe.C, "shifts": len(recipe.shifts),
               "n": len(X), "support_vectors": len(machine.support_), "prepare_s": round(prepare, 2),
               "fit_s": round(seconds, 2), "predict_s": round(predict, 2), "test_points": len(labels),
               "error": float(np.mean(labels != data.y_test))}


def run(path: Path) -> None:
    """Measure all recipes, say each, keep them all."""
    rows = []
    for row in measure():
        rows.append(row)
        print(f"{row['recipe']:32} fit {row['fit_s']:7.1f} s  predict {row['predict_s']:5.1f} s  "
              f"error {100 * row['error']:.2f} %  SVs {row['support_vectors']}", flush=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
