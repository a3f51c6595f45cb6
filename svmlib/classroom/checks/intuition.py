"""Checks of chapter 01: the sign rule, the band of a direction, the widest band, least squares."""
from functools import cache, partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_number, close, compare, task

CHAPTER = "01_intuition"


def clouds(count: int = 4) -> list[tuple[np.ndarray, np.ndarray]]:
    """Separable points (X, y) in the plane, in directions all around, of unequal numbers and mixed order."""
    cases = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        angle = (0.4, 2.2, 3.9, 5.4)[seed % 4]
        y = rng.permutation(np.repeat([-1.0, 1.0], [7, 9]))
        X = rng.normal(size=(16, 2)) * [0.9, 0.6] + 2.6 * np.outer(y, [np.cos(angle), np.sin(angle)]) + [0.7, -0.4]
        cases.append((X, y))
    return cases


# ---- the sign rule ---------------------------------------------------------------------------------------------------
def labels(w: np.ndarray, b: float, X: np.ndarray, how: str = "") -> tuple[np.ndarray]:
    """-1 or +1 by the sign of f, -1 on the line; or a known mistake."""
    f = X @ w + {"without-b": 0.0, "sign-of-b": -b}.get(how, b)
    return ({"three-values": np.sign(f), "tie": np.where(f >= 0, 1.0, -1.0), "zero-one": (f > 0) * 1.0, "f": f,
             "exchanged": np.where(f > 0, -1.0, 1.0)}.get(how, np.where(f > 0, 1.0, -1.0)),)


LABELS = [Mistake(key, message, hint, partial(labels, how=key)) for key, message, hint in [
    ("three-values", "Points on the line get the label 0; the sign has three values, and there are two classes.",
     "np.where(f > 0, 1, -1)"),
    ("tie", "Points on the line get +1; agreed is -1.", "f > 0, not f >= 0"),
    ("zero-one", "The labels are 0 and 1 (or False and True); they should be -1 and +1.", "np.where(f > 0, 1, -1)"),
    ("f", "These are the values of f; the label is their sign.", "np.where(f > 0, 1, -1)"),
    ("exchanged", "The classes are exchanged.", "f > 0 is the class +1."),
    ("without-b", "b is missing in f.", "f(x) = w'x + b"),
    ("sign-of-b", "b enters with the wrong sign.", "f(x) = w'x + b; the programming sheet writes w'x - w0."),
]]


@task(CHAPTER, "The rule", LABELS)
def rule(predict: Answer) -> str:
    """`predict(w, b, X)` returns -1 or +1 for each row of X, -1 on the line."""
    cases = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        cases.append((rng.integers(1, 4, 2).astype(float), float(seed - 2), rng.integers(-3, 4, (30, 2)).astype(float)))
    compare(predict, cases, labels, ("the labels",), LABELS)
    return "right, on the line too."


# ---- the band of a direction -----------------------------------------------------------------------------------------
def band(degrees: float, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float]:
    """Width of the band with this normal, negative where no such line separates; or a known mistake."""
    angle = degrees if how == "radians" else np.radians(degrees)
    u = np.array([np.cos(angle), np.sin(angle)])
    if how == "sine-first":
        u = u[::-1]
    p, m = (X @ u)[y > 0], (X @ u)[y < 0]
    width = {"far-ends": p.max() - m.min(), "means": p.mean() - m.mean(),
             "inner-outer": p.min() - m.min()}.get(how, p.min() - m.max())
    return (float({"half": width / 2, "absolute": abs(width), "clipped": max(0.0, width), "sign": -width}.get(how,
                                                                                                            width)),)


BAND = [Mistake(key, message, hint, partial(band, how=key)) for key, message, hint in [
    ("radians", "The angle is taken for radians; it is given in degrees.", "np.radians(degrees)"),
    ("sine-first", "Sine and cosine are exchanged: at 0 degrees the normal points along the first axis.",
     "u = (cos, sin)"),
    ("half", "This is half of the width, the distance from the middle to the nearest point.", "The whole band."),
    ("absolute", "Where no line of this direction separates, the width is negative; the absolute value hides that.",
     "Leave out the absolute value."),
    ("clipped", "Where no line of this direction separates, the width is negative, not 0.", "Leave out the maximum."),
    ("sign", "The width has the wrong sign: it is positive where the class +1 lies ahead, in the direction of u.",
     "Nearest of the class +1 minus furthest of the class -1."),
    ("far-ends", "This is the distance between the outer ends of the classes; the band lies between the inner ones.",
     "The smallest u'x of the class +1, the largest of the class -1."),
    ("inner-outer", "For the class -1 the wrong end is taken.", "Its largest u'x is the nearest to the other class."),
    ("means", "This is the distance of the class means; the band ends at the nearest points.", "min and max, no mean"),
]]


@task(CHAPTER, "The band of a direction", BAND)
def width(of_band: Answer) -> str:
    """`width(degrees, X, y)` returns the width of the band."""
    compare(of_band, [(d, X, y) for X, y in clouds() for d in (0.0, 35.0, 125.0, 230.0, 310.0)], band, ("the width",),
            BAND)
    return "right, where no line separates, too."


# ---- the widest band -------------------------------------------------------------------------------------------------
TURN = [
    Mistake("half-width", "The angle is right; the width is that of half the band."),
    Mistake("radians", "The width is right; the angle is in radians.", "np.degrees"),
    Mistake("index", "The width is right; the angle is the place in the list of angles, not the angle.",
            "angles[widths.argmax()]"),
    Mistake("opposite", "The normal points to the class -1: the angle is off by 180 degrees.", "With u turned around, "
            "the width is negative."),
    Mistake("width", "The angle is right in each data set; the width is not.", "The largest of the widths."),
    Mistake("range", "The angle of the widest band is found on some of the data sets only.",
            "The class +1 may lie in any direction: are all angles from 0 to 360 tried?"),
    Mistake("coarse", "Near the best angle, but not at it.",
            "If you try angles: at least one for each tenth of a degree. The best is the one with the largest width."),
    Mistake("middle", "This is the middle of the angles that separate; the widest band is elsewhere.",
            "Take the angle with the largest width."),
    Mistake("order", "Angle and width are exchanged.", "return angle, width"),
]


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


def _apart(a: float, b: float) -> float:
    """Degrees between two angles."""
    return abs((a - b + 180) % 360 - 180)


@task(CHAPTER, "The widest band", TURN, seconds=5.0, prepare=best)
def widest(find: Answer) -> str:
    """`widest(X, y)` returns the angle of the normal in degrees, to half a degree, and the width."""
    known = {m.key: m for m in TURN}
    got = []
    for X, y in clouds():
        answer = find(X, y)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise Wrong("parts", f"{find.name} should return the angle and the width.", "return angle, width")
        got.append((as_number(answer[0], "the angle"), as_number(answer[1], "the width")))
    angle_right = [_apart(a, t) < 0.5 for (a, _), (t, _, _) in zip(got, best(), strict=True)]
    width_right = [abs(v - r) < 2e-3 * r for (_, v), (_, r, _) in zip(got, best(), strict=True)]
    if all(angle_right) and all(width_right):
        return "in each of four data sets, wherever the class +1 lies."

    places = [a / t for (a, _), (t, _, _) in zip(got, best(), strict=True)]
    for key, holds in {
        "order": all(_apart(v, t) < 0.5 and abs(a - r) < 2e-3 * r
                     for (a, v), (t, r, _) in zip(got, best(), strict=True)),
        "half-width": all(angle_right) and all(close(v, r / 2, 2e-3)
                                               for (_, v), (_, r, _) in zip(got, best(), strict=True)),
        "radians": all(width_right) and all(_apart(np.degrees(a), t) < 0.5
                                            for (a, _), (t, _, _) in zip(got, best(), strict=True)),
        "opposite": all(_apart(a, t + 180) < 0.5 for (a, _), (t, _, _) in zip(got, best(), strict=True)),
        "middle": all(_apart(a, m) < 0.5 for (a, _), (_, _, m) in zip(got, best(), strict=True)),
        "index": all(width_right) and np.ptp(places) < 0.02 * max(places) and min(places) > 1.5,
        "width": all(angle_right),
        "coarse": all(_apart(a, t) < 15 for (a, _), (t, _, _) in zip(got, best(), strict=True)),
        "range": any(angle_right),
    }.items():
        if holds:
            raise known[key].wrong()
    raise Wrong("unknown", f"The first data set has its widest band at another angle than {got[0][0]:.1f} degrees.",
                "Call your function width for many angles and take the largest.")


# ---- least squares ---------------------------------------------------------------------------------------------------
def fitted(X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[np.ndarray, float]:
    """w, b of least squares on the labels, or a known mistake."""
    ones = np.ones(len(y))
    target = {"zero-one": (y > 0) * 1.0, "turned": -y}.get(how, y)
    if how == "without-b":
        return np.linalg.lstsq(X, target)[0], 0.0
    v = np.linalg.lstsq(np.column_stack([X, ones]), target)[0]
    if how == "b-first":
        v = np.roll(v, 1)
    elif how == "unit":
        v = v / np.linalg.norm(v[:2])
    elif how == "means":
        w = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
        v = np.append(w, -w @ (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0)) / 2)
    return v[:2], float(-v[2] if how == "b-sign" else v[2])


FITTED = [Mistake(key, message, hint, partial(fitted, how=key)) for key, message, hint in [
    ("without-b", "There is no b: the line is forced through the origin.", "A column of ones beside X."),
    ("zero-one", "The labels are taken as 0 and 1; they are -1 and +1.", "Fit f(x_i) to y_i itself."),
    ("turned", "Both w and b have the wrong sign.", "Fit f to y, not to -y."),
    ("b-first", "The entries are mixed up: with the ones in the last column, b is the last entry.",
     "The order of the columns is the order of the solution."),
    ("b-sign", "w is right, b has the wrong sign.", "f(x) = w'x + b"),
    ("unit", "w has length 1: the line is right, but f no longer fits the labels.", "Leave out the division."),
    ("means", "This is the line midway between the class means, another rule.", "np.linalg.lstsq"),
]]


@task(CHAPTER, "Least squares", FITTED)
def least_squares(fit: Answer) -> str:
    """`least_squares(X, y)` returns w and b."""
    compare(fit, clouds(), fitted, ("w", "b"), FITTED, tol=1e-5)
    return "the best fit to the labels; whether it separates is another question."
