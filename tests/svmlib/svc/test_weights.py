"""Sample weights over many orders of magnitude: old points fade, and the machine is that of those which count."""
import warnings

import numpy as np
import pytest

from svmlib import SVC, SVR, ConvergenceWarning, OneClassSVM
from svmlib.kernels import Gaussian

SOLVERS = ("auto", "smo", "working_set", "active_set", "qp")


def fading(seed, n, age):
    """Points, labels of two and of three classes, targets, and weights exp(-age) that fade from 1."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    two, three = np.sign(X[:, 0] + 0.7 * rng.standard_normal(n)), np.digitize(X[:, 0], [-0.5, 0.5])
    return X, {"two": two, "three": three, "real": np.sin(X[:, 0]), "none": None}, np.exp(-np.linspace(0, age, n))


def machine(kind, solver):
    """One of four kinds, held to a tight tolerance."""
    if kind == "none":
        return OneClassSVM(Gaussian(1.0), nu=0.3, solver=solver, tol=1e-8)
    return (SVR if kind == "real" else SVC)(Gaussian(1.0), C=10, solver=solver, tol=1e-7)


def values(fitted, X):
    """What it says of points."""
    return fitted.predict(X) if isinstance(fitted, SVR) else fitted.decision_function(X)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["two", "three", "real", "none"])
@pytest.mark.parametrize(("seed", "n", "age"), [(3, 120, 36), (4, 200, 60), (5, 150, 740)])
def test_a_fit_with_weights_that_fade_is_the_fit_without_what_has_faded(seed, n, age, kind, solver):
    X, targets, weight = fading(seed, n, age)
    y, counts = targets[kind], weight > 1e-12
    if kind in ("two", "three") and len(set(y[counts])) < len(set(y)):
        counts |= np.isin(np.arange(n), [np.flatnonzero(y == c)[0] for c in set(y)])
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        fitted = machine(kind, solver).fit(X, y, sample_weight=weight)
        without = machine(kind, solver).fit(X[counts], None if y is None else y[counts], sample_weight=weight[counts])
    assert {s.status for s in fitted.solutions_} == {"optimal"}
    np.testing.assert_allclose(values(fitted, X), values(without, X), rtol=0, atol=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_class_that_is_light_as_a_whole_is_not_left_out(solver):
    X, targets, _ = fading(6, 80, 1)
    y = targets["two"]
    fitted = SVC(Gaussian(1.0), solver=solver).fit(X, y, sample_weight=np.where(y > 0, 1.0, 1e-15))
    assert fitted.n_support_.min() > 0
    np.testing.assert_array_equal(fitted.classes_, [-1, 1])


def test_weights_in_other_units_change_nothing_but_the_unit_of_C():
    X, targets, weight = fading(7, 100, 50)
    one = SVC(Gaussian(1.0), C=2.0, tol=1e-9, solver="active_set").fit(X, targets["two"], sample_weight=weight)
    other = SVC(Gaussian(1.0), C=2e6, tol=1e-9, solver="active_set").fit(X, targets["two"], sample_weight=1e-6 * weight)
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), rtol=0, atol=1e-9)
