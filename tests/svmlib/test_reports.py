"""Kinds of mistakes that public reports told of other packages, tried on this one.

Each test is one kind, at all doors through which it may come in; the report is named where its words help.
"""
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning

from svmlib import SVC, SVR, DualProblem, OneClassSVM
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed
from svmlib.model_selection import cross_validate, grid_search, k_folds

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = np.where(X[:, 0] + 0.3 * RNG.normal(size=40) > 0, 1, -1)
THREE = np.arange(40) % 3
MASKED_X, MASKED_Y = np.ma.masked_greater(X, 1.0), np.ma.masked_array(Y, X[:, 0] > 1.0)
MASKED_ONES = np.ma.masked_array(np.ones(40), Y > 0)


# ---- what is not said ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "call"), [
    ("X", lambda: SVC().fit(MASKED_X, Y)),
    ("X", lambda: SVR().fit(MASKED_X, X[:, 0])),
    ("X", lambda: OneClassSVM().fit(MASKED_X)),
    ("X", lambda: SVC().fit(X, Y).predict(MASKED_X)),
    ("X", lambda: Gaussian(sigma=1.0)(MASKED_X)),
    ("X", lambda: SVC(Precomputed()).fit(np.ma.masked_greater(X @ X.T, 1.0), Y)),
    ("X", lambda: DualProblem(Linear(), MASKED_X, Y)),
    ("y", lambda: SVC().fit(X, MASKED_Y)),
    ("y", lambda: SVR().fit(X, np.ma.masked_greater(X[:, 0], 1.0))),
    ("y", lambda: DualProblem(Linear(), X, MASKED_Y)),
    ("y", lambda: k_folds(MASKED_Y)),
    ("C", lambda: DualProblem(Linear(), X, Y, C=MASKED_ONES)),
    ("sample_weight", lambda: SVC().fit(X, Y, MASKED_ONES)),
    ("sample_weight", lambda: OneClassSVM().fit(X, sample_weight=MASKED_ONES)),
])
def test_masked_entries_are_no_data(name, call):
    """sherpa#695: numbers behind a mask took part in the fit."""
    with pytest.raises(ValueError, match=rf"^{name} has \d+ masked entr"):
        call()


def test_an_array_that_could_have_a_mask_and_has_none_is_an_array():
    ours = SVC().fit(np.ma.masked_array(X), np.ma.masked_array(Y)).decision_function(np.ma.masked_array(X))
    np.testing.assert_array_equal(ours, SVC().fit(X, Y).decision_function(X))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("call", [
    lambda kernel: SVC(kernel).fit(X, Y).predict,
    lambda kernel: SVC(kernel).fit(X, Y).decision_function,
    lambda kernel: SVC(kernel).fit(X, THREE).predict,
    lambda kernel: SVC(kernel, multiclass="ovr").fit(X, THREE).predict,
    lambda kernel: SVR(kernel).fit(X, X[:, 0]).predict,
    lambda kernel: OneClassSVM(kernel).fit(X).predict,
])
def test_a_value_that_overflows_is_no_vote_for_a_class(call):
    """cuml#1352: NaN went on as if it were a value; here each such point was of the first class, or an outlier."""
    for kernel, far in ((Polynomial(Q=5), 1e100), (900.0 * Linear(), 1e306), (Polynomial(Q=3) + Linear(), 1e200)):
        predict = call(kernel)
        with pytest.raises(ValueError, match="decision values of X overflow"):
            predict(X * far)
        predict(X)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("call", [
    lambda: SVC(lambda A, B: (A @ B.T) + 1j).fit(X, Y),
    lambda: SVR(lambda A, B: (A @ B.T) * (1.0 + 0j)).fit(X, X[:, 0]),
    lambda: (Linear() + (lambda A, B: 1j * (A @ B.T)))(X),
    lambda: SVC().fit(X, Y, np.ones(40) * 1j),
    lambda: SVR().fit(X, X[:, 0], np.ones(40) * 1j),
    lambda: OneClassSVM().fit(X, sample_weight=list(np.ones(40) * 1j)),
])
def test_imaginary_parts_are_not_dropped(call):
    with pytest.raises(ValueError, match=r"the kernel function must return real|sample_weight must hold numbers"):
        call()


# ---- what the message says -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("machine", "y"), [(SVC(Precomputed()), Y), (SVC(kernel="precomputed"), THREE),
                                            (SVR(Precomputed()), X[:, 0]), (OneClassSVM("precomputed"), None)])
def test_rows_of_a_gram_matrix_are_explained(machine, y):
    """scikit-learn#21682: points, or k(X_train, X_new), in place of k(X_new, X_train)."""
    machine = clone(machine).fit(X @ X.T, y)
    for wrong in (X[:5], (X @ X.T)[:, :5], pd.DataFrame(X)):
        with pytest.raises(ValueError, match=r"is expecting 40 features as input: .* k\(X_new, X_train\)"):
            machine.predict(wrong)


@pytest.mark.parametrize("y", [Y.astype(object), pd.Series(Y, dtype=object), np.array([1, "a"] * 20, dtype=object),
                               np.array(["a", 1] * 20, dtype=object), np.array([True, "a"] * 20, dtype=object)])
def test_labels_that_are_objects_are_told_what_to_become(y):
    """scikit-learn#24355: "Unknown label type: unknown. Maybe you are trying to fit a regression target"."""
    with pytest.raises(ValueError, match=r"y must hold labels of one kind, .* of type (int|bool); give y\.astype"):
        SVC().fit(X, y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [1e-160, 1e-157, 1e155, 1e200])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_a_variance_beyond_the_floats_is_named(scale, form):
    for machine, y in ((SVC(), Y), (SVR(kernel="poly"), Y), (OneClassSVM(), None)):
        with pytest.raises(ValueError, match=r'gamma="scale" is 1 / \(d var X\), which is .*; scale the features'):
            machine.fit(form(X * scale), y)


# ---- searching -----------------------------------------------------------------------------------------------
def test_a_surface_over_what_cannot_be_looked_up():
    """sklearn-evaluation#344: "unhashable type: 'dict'", for class weights."""
    weights = [None, "balanced", {-1: 1, 1: 2}]
    search = grid_search(SVC(), {"class_weight": weights, "C": [10.0, 0.1]}, X, Y, progress=False)
    rows, columns, table = search.surface("class_weight", "C")
    assert rows == weights
    assert columns == [0.1, 10.0]
    means = {(str(p["class_weight"]), p["C"]): mean for p, mean in zip(search.params, search.mean, strict=True)}
    np.testing.assert_array_equal(table, [[means[str(w), C] for C in columns] for w in weights])

    search = grid_search(SVC(Linear()), {"kernel__A": [np.eye(3), 2 * np.eye(3)], "C": [1.0]}, X, Y, progress=False)
    rows, _, table = search.surface("kernel__A", "C")
    np.testing.assert_array_equal(rows, [np.eye(3), 2 * np.eye(3)])
    np.testing.assert_array_equal(table[:, 0], search.mean)

    with pytest.warns(FitFailedWarning):
        search = grid_search(SVC(), [{"C": [1.0], "tol": [1e-3]}, {"C": [float("nan")], "tol": [1e-3]}], X, Y,
                             progress=False)
    assert np.isfinite(search.surface("C", "tol")[2]).tolist() == [[True], [False]]


@pytest.mark.parametrize("folds", [5, [np.arange(40), np.array([], dtype=int)], [np.arange(40)], None,
                                   [np.arange(20), np.arange(20, 40), []], [np.arange(40) < 20, np.arange(40) >= 20],
                                   [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))],
                                   "folds"])
def test_folds_that_are_none_are_named(folds):
    with pytest.raises(ValueError, match="folds must be at least two disjoint sets of indices, none of them empty"):
        cross_validate(SVC(), X, Y, folds)


@pytest.mark.parametrize("nothing", [X[:0], X[:0].astype(np.float32), csr_array(X[:0]), pd.DataFrame(X[:0])])
def test_of_no_points_there_are_no_predictions(nothing):
    """dask-ml#911: a part of the data may be empty."""
    for machine, y in ((SVC(), Y), (SVC(), THREE), (SVR(), X[:, 0]), (OneClassSVM(), None)):
        assert machine.fit(X, y).predict(nothing).shape == (0,)
    assert SVC().fit(X, THREE).decision_function(nothing).shape == (0, 3)
