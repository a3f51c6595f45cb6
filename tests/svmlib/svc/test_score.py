"""Accuracy as scikit-learn's, for labels of every kind and with its errors, in a fraction of its time."""
import numpy as np
import pytest
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError

from svmlib import SVC
from svmlib.kernels import Linear

X = np.random.default_rng(0).normal(size=(60, 2))
SIGNS = np.where(X[:, 0] + 0.4 * np.random.default_rng(1).normal(size=60) > 0, 1, -1)
NAMES = np.array(["left", "right"])[(SIGNS + 1) // 2]


@pytest.mark.parametrize("y", [SIGNS, SIGNS.astype(float), SIGNS > 0, NAMES, NAMES.astype(object), np.arange(60) % 3],
                         ids=["signs", "floats", "truth", "names", "objects", "three"])
def test_it_is_the_accuracy_of_scikit_learn(y, monkeypatch):
    machine = SVC(Linear()).fit(X[:40], y[:40])
    strange = np.roll(y[40:], 1)
    strange[:3] = {"U": "up", "O": "up", "b": True}.get(y.dtype.kind, 7)             # labels that `fit` has not seen
    weights = np.arange(20.0)
    for labels in (y[40:], list(y[40:]), strange, y[40:].astype("U9") if y.dtype.kind == "U" else y[40:, None]):
        for extra in ({}, {"sample_weight": weights}):
            assert machine.score(X[40:], labels, **extra) == ClassifierMixin.score(machine, X[40:], labels, **extra)
    if y.dtype.kind != "O":
        monkeypatch.delattr(ClassifierMixin, "score")                               # labels as those of fit need it not
        assert machine.score(X[:40], y[:40]) == np.mean(machine.predict(X[:40]) == y[:40])


@pytest.mark.parametrize("y", [SIGNS[:59], np.where(SIGNS > 0, np.nan, -1.0), NAMES, SIGNS * 0.5, None],
                         ids=["too few", "nan", "names for numbers", "no labels", "none"])
def test_errors_are_those_of_scikit_learn(y):
    machine = SVC(Linear()).fit(X, SIGNS.astype(float) if isinstance(y, np.ndarray) and y.dtype.kind == "f" else SIGNS)
    with pytest.raises(Exception) as theirs:  # noqa: PT011 - whichever it is
        ClassifierMixin.score(machine, X, y)
    with pytest.raises(type(theirs.value)) as ours:
        machine.score(X, y)
    assert str(ours.value) == str(theirs.value)


def test_a_machine_that_is_not_trained_says_so():
    with pytest.raises(NotFittedError):
        SVC(Linear()).score(X, SIGNS)
