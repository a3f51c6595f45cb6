"""A fitted machine as arrays, whoever fitted it, and the dual problems that its coefficients claim to solve.

Glossary: coef (r, m) are the signed coefficients at the m support vectors, in LIBSVM's layout; b (r,) the biases;
bound_i = C weight_i the upper bound of |coef| at point i.  What LIBSVM makes of the five machines:

    C-SVC        coef = y alpha, 0 <= alpha <= C weight                             for each pair of classes
    nu-SVC       its alpha, of sum nu (sum of weights), is divided by r: so that it is a C-SVC with C = 1 / r, which is
                 the sum of |coef| over nu times the sum of weights
    epsilon-SVR  coef = alpha - alpha', each between 0 and C weight
    nu-SVR       the same, with sum of |coef| = nu C (sum of weights), or less where epsilon = 0; its epsilon is kept
                 nowhere, and is what the points on the edge of the tube say
    one class    coef = alpha between 0 and weight, of sum nu (sum of weights), f = K alpha - rho
"""
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem, DualProblem, KernelPoints
from svmlib.kernels import Kernel
from svmlib.svc.multiclass import class_pairs, pair_tasks, rest_tasks

SAME = 1e-9                # relative: two values of C that are one, but for rounding
CLASSIFIERS = ("c_svc", "nu_svc")


@dataclass(eq=False)
class Fitted:
    """What a machine says of itself, with the points and labels that it was trained with, see the module's words.

    kind: LIBSVM's name of the problem.  X: n points; y (n,): codes 0 … k-1, or targets.  support (m,): indices in X.
    weight (n,): what C is multiplied by; kept (n,): indices in the X that the user has.  C, nu, epsilon: None where
    the machine keeps them nowhere.  flipped: with two classes y = +1 is the second one, as in scikit-learn.  single:
    kernel rows were in float32, as LIBSVM's are.
    """

    title: str
    kind: str
    kernel: Kernel
    X: Any
    y: np.ndarray
    classes: np.ndarray | None
    weight: np.ndarray
    kept: np.ndarray
    coef: np.ndarray
    b: np.ndarray
    support: np.ndarray
    C: float | None = None
    nu: float | None = None
    epsilon: float | None = None
    tol: float | None = None
    flipped: bool = True
    rest: bool = False
    single: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Machine:
    """One problem of a fitted machine, and the alpha and b that claim to solve it.

    rows (n,): indices of its points in the user's X; groups, unit: how LIBSVM measures
    tol, see `tolerance`; short: by how much sum |coef| exceeds nu C (sum of weights).
    """

    name: str
    problem: BoxProblem
    alpha: np.ndarray
    b: float
    rows: np.ndarray
    groups: tuple[np.ndarray, ...] = ()
    unit: float = 1.0
    short: float = 0.0


def machines(fitted: Fitted) -> list[Machine]:
    """The problems of a fitted machine, one for each pair of classes where it has more than two."""
    points = KernelPoints(fitted.kernel, fitted.X, check=False)
    beta = np.zeros((len(fitted.coef), len(fitted.y)))
    beta[:, fitted.support] = fitted.coef
    if fitted.kind == "one_class":
        return [_one_class(fitted, points, beta[0])]
    if fitted.kind not in CLASSIFIERS:
        return [_regression(fitted, points, beta[0])]
    assert fitted.classes is not None
    k = len(fitted.classes)
    if k == 2:
        codes = fitted.y if fitted.flipped else 1 - fitted.y
        task = np.arange(len(codes)), np.where(codes == 1, 1.0, -1.0)
        names = [" / ".join(str(c) for c in fitted.classes)]
        return [_pair(fitted, points, names[0], *task, beta[0], 0)]
    if fitted.rest:
        return [_pair(fitted, points, f"{fitted.classes[i]} / rest", rows, y, beta[i], i)
                for i, (rows, y) in enumerate(rest_tasks(fitted.y, k))]
    pairs, out = class_pairs(k), []
    for i, ((p, q), (rows, y)) in enumerate(zip(pairs, pair_tasks(fitted.y, pairs), strict=True)):
        own = np.where(fitted.y[rows] == p, beta[q - 1, rows], beta[p, rows])
        out.append(_pair(fitted, points, f"{fitted.classes[p]} / {fitted.classes[q]}", rows, y, own, i))
    return out


def _pair(fitted: Fitted, points: KernelPoints, name: str, rows: np.ndarray, y: np.ndarray, beta: np.ndarray,
          i: int) -> Machine:
    """The problem of two classes; of nu-SVC the one with the C that it has in effect."""
    weight, C, alpha = fitted.weight[rows], fitted.C, y * beta
    nu = fitted.kind == "nu_svc"
    if nu:
        C = largest = float((np.abs(beta) / weight).max())
        if fitted.nu is not None:
            C = float(np.abs(beta).sum()) / (fitted.nu * float(weight.sum()))
            C = largest if abs(largest - C) <= SAME * C else C
        if float(alpha.sum()) < 0.0:
            fitted.notes.append(f"All coefficients of {name} have the wrong sign: where a nu-SVC has a margin of 0, "
                                "LIBSVM divides by what rounding has left of it. A smaller nu has none.")
    bound = np.full(len(rows), np.inf) if np.inf == C else C * weight
    problem = DualProblem.cut(points, rows, y, bound)
    groups = (np.flatnonzero(y > 0), np.flatnonzero(y < 0)) if nu else ()
    return Machine(name, problem, alpha, float(fitted.b[i]), fitted.kept[rows], groups, 1.0 / C if nu and C else 1.0)


def _regression(fitted: Fitted, points: KernelPoints, beta: np.ndarray) -> Machine:
    """The problem of regression: each point is pulled up, y = +1, or down; epsilon, if need be, from the residuals."""
    n, C, nu = len(beta), fitted.C, fitted.kind == "nu_svr"
    C = float((np.abs(beta) / fitted.weight).max()) if C is None else C
    bound, b, short = C * fitted.weight, float(fitted.b[0]), 0.0
    epsilon = fitted.epsilon
    if epsilon is None:
        away = np.abs(fitted.y - points.times_K(beta) - b)
        epsilon = edge_of_the_tube(away, np.abs(beta), bound)
        if nu and fitted.nu is not None:
            short = max(float(np.abs(beta).sum()) - fitted.nu * float(bound.sum()), 0.0)
            if float(np.abs(beta).sum()) < (1.0 - SAME) * fitted.nu * float(bound.sum()):    # pulls up and down cancel
                epsilon = 0.0
        fitted.notes.append(f"epsilon = {epsilon:.6g}, which the machine keeps nowhere, is what its points on the edge "
                            "of the tube say.")
    signs = np.repeat([1.0, -1.0], n)
    problem = BoxProblem.cut(points, np.tile(np.arange(n), 2), signs, np.tile(bound, 2),
                             np.tile(fitted.y, 2) - signs * epsilon)
    alpha = np.maximum(np.concatenate([beta, -beta]), 0.0)
    groups = (np.arange(n), np.arange(n, 2 * n)) if nu else ()
    return Machine("regression", problem, alpha, b, np.tile(fitted.kept, 2), groups, short=short)


def edge_of_the_tube(away: np.ndarray, size: np.ndarray, bound: np.ndarray) -> float:
    """The epsilon whose tube fits best: mean distance of points with 0 < size < bound, or what the others leave.

    away, size, bound (n,): |y - f|, |coef|, and the upper bound of it.  The same question as that for b, of a problem
    without a kernel.

    >>> edge_of_the_tube(np.array([0.0, 0.1, 0.3]), np.array([0.0, 0.5, 1.0]), np.ones(3))
    0.1
    """
    from svmlib.dual.certificate import certificate

    ones = np.ones(len(away))
    return max(certificate(ones, bound, away, size, 0.0 * ones).b, 0.0)


def _one_class(fitted: Fitted, points: KernelPoints, alpha: np.ndarray) -> Machine:
    """The problem of one class."""
    n, total = len(alpha), float(alpha.sum())
    if fitted.nu is not None:
        total = fitted.nu * float(fitted.weight.sum())
    problem = BoxProblem.cut(points, np.arange(n), np.ones(n), fitted.weight, np.zeros(n), total)
    return Machine("one class", problem, alpha, float(fitted.b[0]), fitted.kept)
