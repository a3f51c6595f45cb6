"""Checks of chapter 01: the sign rule, the band of a direction, the widest band, least squares."""
from functools import cache

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_number, as_parts, close, refuse
from svmcourse.checking.mistakes import Cases, compared, generators, judged

CHAPTER = "01_intuition"


def clouds(count: int = 4) -> list[tuple[np.ndarray, np.ndarray]]:
    """Separable points (X, y) in the plane, in directions all around, of unequal numbers and mixed order."""
    cases = []
    for seed, rng in enumerate(generators(count)):
        angle = (0.4, 2.2, 3.9, 5.4)[seed % 4]
        y = rng.permutation(np.repeat([-1.0, 1.0], [7, 9]))
        X = rng.normal(size=(16, 2)) * [0.9, 0.6] + 2.6 * np.outer(y, [np.cos(angle), np.sin(angle)]) + [0.7, -0.4]
        cases.append((X, y))
    return cases


# ---- the sign rule ---------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The rule", ("the labels",), "right, on the line too.")
def rule() -> Cases:
    """`predict(w, b, X)` returns -1 or +1 for each row of X, -1 on the line."""
    for seed, rng in enumerate(generators(4)):
        yield rng.integers(1, 4, 2).astype(float), float(seed - 2), rng.integers(-3, 4, (30, 2)).astype(float)


# ---- the band of a direction -----------------------------------------------------------------------------------------
@compared(CHAPTER, "The band of a direction", ("the width",), "right, where the width is negative, too.")
def width() -> Cases:
    """`width(degrees, X, y)` returns the width of the band."""
    return [(d, X, y) for X, y in clouds() for d in (0.0, 35.0, 125.0, 230.0, 310.0)]


# ---- the widest band -------------------------------------------------------------------------------------------------
@cache
def best() -> list[tuple[float, float, float]]:
    """(angle, width, middle of the separating angles) of each cloud, on a fine grid around a coarse one."""
    found = []
    for X, y in clouds():
        grid = np.arange(0, 360, 0.02)
        u = np.stack([np.cos(np.radians(grid)), np.sin(np.radians(grid))])
        widths = (X @ u)[y > 0].min(axis=0) - (X @ u)[y < 0].max(axis=0)
        k = int(widths.argmax())
        turned = (grid - grid[k] + 180) % 360 - 180
        middle = (grid[k] + (turned[widths > 0].min() + turned[widths > 0].max()) / 2) % 360
        found.append((float(grid[k]), float(widths[k]), float(middle)))
    return found


def widest_either_way() -> list[float]:
    """The angle of the largest |width| of each cloud, where that is another one."""
    grid = np.arange(0, 360, 0.02)
    u, found = np.stack([np.cos(np.radians(grid)), np.sin(np.radians(grid))]), []
    for X, y in clouds():
        widths = (X @ u)[y > 0].min(axis=0) - (X @ u)[y < 0].max(axis=0)
        found.append(float(grid[np.abs(widths).argmax()]))
    return found


def _apart(a: float, b: float) -> float:
    """Degrees between two angles."""
    return abs((a - b + 180) % 360 - 180)


@judged(CHAPTER, "The widest band", seconds=5.0, prepare=best)
def widest(find: Answer) -> str:
    """`widest(X, y)` returns the angle of the normal in degrees, to half a degree, and the width."""
    got = []
    for X, y in clouds():
        angle, size = as_parts(find(X, y), ("angle", "width"), find.name)
        got.append((as_number(angle, "the angle"), as_number(size, "the width")))
    angle_right = [_apart(a, t) < 0.5 for (a, _), (t, _, _) in zip(got, best(), strict=True)]
    width_right = [abs(v - r) < 2e-3 * r for (_, v), (_, r, _) in zip(got, best(), strict=True)]
    if all(angle_right) and all(width_right):
        return "in each of four data sets, wherever the class +1 lies."

    places = [a / t for (a, _), (t, _, _) in zip(got, best(), strict=True)]
    refuse({
        "order": all(_apart(v, t) < 0.5 and abs(a - r) < 2e-3 * r
                     for (a, v), (t, r, _) in zip(got, best(), strict=True)),
        "half-width": all(angle_right) and all(close(v, r / 2, 2e-3)
                                               for (_, v), (_, r, _) in zip(got, best(), strict=True)),
        "radians": all(width_right) and all(_apart(np.degrees(a), t) < 0.5
                                            for (a, _), (t, _, _) in zip(got, best(), strict=True)),
        "opposite": all(_apart(a, t + 180) < 0.5 for (a, _), (t, _, _) in zip(got, best(), strict=True)),
        "absolute": not any(angle_right) and all(
            _apart(a, other) < 0.5 for (a, _), other in zip(got, widest_either_way(), strict=True)),
        "middle": all(_apart(a, m) < 0.5 for (a, _), (_, _, m) in zip(got, best(), strict=True)),
        "index": all(width_right) and np.ptp(places) < 0.02 * max(places) and min(places) > 1.5,
        "width": all(angle_right),
        "coarse": all(_apart(a, t) < 15 for (a, _), (t, _, _) in zip(got, best(), strict=True)),
        "range": any(angle_right),
    })
    raise Wrong("unknown", f"The first data set has its widest band at another angle than {got[0][0]:.1f} degrees.",
                "Call your function width for many angles and take the largest.")


# ---- least squares ---------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Least squares", ("w", "b"), "the best fit to the labels; whether it separates is another question.")
def least_squares() -> Cases:
    """`least_squares(X, y)` returns w and b."""
    return clouds()
