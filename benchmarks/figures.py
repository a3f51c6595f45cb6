"""Figures of the results: seconds against n and against d, and the ratios."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

from svmcourse.shared.plotting import style

#: Okabe and Ito's colours, which colour-blind readers can tell apart; the same peer has the same one everywhere.
STYLE = {"svmlib": ("#0072B2", "o"), "scikit-learn": ("#D55E00", "s"), "scikit-learn-intelex": ("#009E73", "^"),
         "ThunderSVM": ("#CC79A7", "D")}


def draw(rows: list[dict[str, Any]], folder: Path) -> None:
    """Write one SVG and one PNG for each figure that the rows suffice for."""
    style()
    plt.rcParams.update({"axes.grid": True, "grid.alpha": 0.3})
    digits = [row for row in rows if row["task"].startswith("one-vs-one")]
    if digits:
        save(against(digits, "n", "training digits n", "one-vs-one on MNIST"), folder / "mnist_n")
    dimensions = [row for row in rows if row["task"].startswith("3-vs-8 d=")]
    if dimensions:
        save(against(dimensions, "d", "dimensions d", "3 against 8, n = 4000"), folder / "mnist_d")
    plane = [row for row in rows if row["task"].startswith("plane")]
    if plane:
        save(small(plane), folder / "plane")


def against(rows: list[dict[str, Any]], x: str, label: str, title: str) -> Any:
    """Seconds to fit and to predict against one quantity, both axes logarithmic."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained", sharex=True)
    for axis, what, verb in zip(axes, ("fit_s", "predict_s"), ("fit", "predict"), strict=True):
        for peer in dict.fromkeys(row["peer"] for row in rows):
            own = [row for row in rows if row["peer"] == peer]
            colour, marker = STYLE[peer]
            axis.loglog([row[x] for row in own], [row[what] for row in own], color=colour, marker=marker, label=peer)
        axis.set(xlabel=label, ylabel=f"seconds to {verb}", title=f"{title}: {verb}")
        name_ticks(axis, [row[x] for row in rows])
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def small(rows: list[dict[str, Any]]) -> Any:
    """How many times longer scikit-learn takes to fit plane toy data, for each kernel and C."""
    figure, axis = plt.subplots(figsize=(6, 3.4), layout="constrained")
    own = [row for row in rows if row["peer"] == "scikit-learn"]
    for name, marker in zip(dict.fromkeys(row["task"].rsplit(" n=")[0] for row in own), "osv^", strict=False):
        chosen = [row for row in own if row["task"].startswith(name + " n=")]
        axis.loglog([row["n"] for row in chosen], [row["fit_ratio"] for row in chosen], marker=marker,
                    label=name.removeprefix("plane "))
    axis.axhline(1.0, color="0.5", linewidth=1)
    name_ticks(axis, [row["n"] for row in own])
    axis.set(xlabel="points n", ylabel="ratio of seconds to fit", title="scikit-learn / svmlib: two moons in the plane")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def name_ticks(axis: Any, values: list[int]) -> None:
    """Name what was measured on the x axis, and 1, 2, 5, 10, … on the y axis, in plain numbers."""
    axis.xaxis.set_major_locator(FixedLocator(sorted(set(values))))
    axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    for part in (axis.xaxis, axis.yaxis):
        part.set_minor_locator(NullLocator())
        part.set_major_formatter("{x:,g}")


def save(figure: Any, path: Path) -> None:
    """Write SVG and PNG, without a date, so that equal results are equal files."""
    figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(path.with_suffix(".png"), dpi=150)
    plt.close(figure)
