"""The picture of an audit: each point on the KKT conditions, or beside them.  It draws on what it is given."""
from typing import Any

import numpy as np


def staircase(ax: Any, alpha: np.ndarray, C: np.ndarray, margin: np.ndarray, violation: np.ndarray,
              tol: float | None, name: str) -> Any:
    """Draw points at (alpha / C, y f - 1) on matplotlib's axes, or on new ones where ax is None; returns the axes.

    All arrays (n,).  At an optimum they lie on a staircase: at 0 where 0 < alpha < C, above it where alpha = 0, below
    it where alpha = C.  The vertical scale is linear up to the larger of the largest violation and tol, and logarithmic
    beyond; the point of the largest violation is ringed.
    """
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("draw() needs matplotlib, which svmlib does without; pip install matplotlib") from None
        ax = pyplot.subplots(figsize=(6.0, 4.0), layout="constrained")[1]
    share = alpha / np.where(np.isinf(C), max(float(alpha.max(initial=0.0)), 1e-300), C)
    worst = int(violation.argmax())
    unit = max(float(violation[worst]), tol or 0.0, 1e-12)
    far = 2.0 * max(float(np.abs(margin - 1.0).max()), unit)
    ax.axhspan(-unit, unit, color="#E6E6E6", lw=0, zorder=0)
    ax.plot([0, 0, 1, 1], [far, 0, 0, -far], color="#666666", lw=1.2, zorder=1, label="KKT conditions")
    ax.plot(share, margin - 1.0, "o", ms=4, color="#0072B2", mew=0, alpha=0.6, zorder=2, label="points")
    ax.plot(share[worst], margin[worst] - 1.0, "o", ms=11, mfc="none", mec="#D55E00", mew=1.8, zorder=3,
            label=f"largest violation, {violation[worst]:.2g}")
    ax.set_yscale("symlog", linthresh=unit)
    ax.set(xlabel="α / C", ylabel="y f − 1", title=name, xlim=(-0.05, 1.05), ylim=(-far, far))
    ax.legend(loc="best", frameon=False, fontsize="small")
    return ax
