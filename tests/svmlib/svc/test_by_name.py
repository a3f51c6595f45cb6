"""Kernels by scikit-learn's names: the same machines as scikit-learn's, beside kernel objects."""
import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import svm
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from svmlib import SVC, SVR, NotPSDWarning, OneClassSVM
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid

X, Y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X) + 1e-3 * np.random.default_rng(0).normal(size=X.shape)    # no point twice
MACHINES = [(SVC, svm.SVC), (SVR, svm.SVR), (OneClassSVM, svm.OneClassSVM)]
BY_NAME = [{"kernel": "linear"}, {"kernel": "rbf"}, {"kernel": "rbf", "gamma": "auto"}, {"kernel": "rbf", "gamma": 0.3},
           {"kernel": "poly"}, {"kernel": "poly", "degree": 2, "gamma": 0.2, "coef0": 1.5}, {"gamma": 0.7}, {}]


@pytest.mark.parametrize("options", BY_NAME, ids=str)
@pytest.mark.parametrize(("ours", "theirs"), MACHINES, ids=["SVC", "SVR", "OneClassSVM"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_gives_the_machine_of_scikit_learn(ours, theirs, options, form):
    y = None if ours is OneClassSVM else Y
    shape = {"decision_function_shape": "ovo"} if ours is SVC else {}
    A = form(X + 4 if ours is OneClassSVM else X)                      # else the linear machine is w = 0
    mine = ours(**options, tol=1e-7).fit(A, y)
    peer = theirs(**options, **shape, tol=1e-7, max_iter=10 ** 6).fit(A, y)
    f = {SVC: "pairwise_decision", SVR: "predict"}.get(ours, "decision_function")
    g = "predict" if ours is SVR else "decision_function"
    value = getattr(peer, g)(A)
    np.testing.assert_allclose(getattr(mine, f)(A), value, atol=1e-5 * np.abs(value).max())


@pytest.mark.parametrize(("name", "used", "kernel"), [
    ("linear", {}, Linear()), ("rbf", {"gamma": 0.3}, Gaussian(gamma=0.3)),
    ("poly", {"gamma": 0.3, "degree": 2, "coef0": 1.0}, Polynomial(Q=2, a=0.3, b=1.0)),
    ("sigmoid", {"gamma": 0.01, "coef0": -0.5}, Sigmoid(kappa=0.01, delta=0.5))])
@pytest.mark.parametrize("machine", [SVC, SVR, OneClassSVM])
@pytest.mark.filterwarnings("ignore::svmlib.NotPSDWarning")
def test_a_name_is_the_kernel_of_the_book(machine, name, used, kernel):
    f = "decision_function" if machine is OneClassSVM else "predict"
    named, own = (m.fit(X, Y) for m in (machine(kernel=name, **used), machine(kernel)))
    assert repr(named.kernel_) == repr(kernel)
    np.testing.assert_array_equal(getattr(named, f)(X), getattr(own, f)(X))
    assert hasattr(named, "coef_") == (name == "linear")


def test_sigmoid_agrees_with_scikit_learn_where_the_matrix_is_a_kernels():
    options = {"kernel": "sigmoid", "gamma": 0.01, "coef0": 0.0, "tol": 1e-8}
    y = Y > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotPSDWarning)
        mine = SVC(**options).fit(X, y)
    np.testing.assert_allclose(mine.decision_function(X), svm.SVC(**options).fit(X, y).decision_function(X), atol=1e-4)


@pytest.mark.parametrize("machine", [SVC, SVR, OneClassSVM])
def test_precomputed_by_name(machine):
    K = Gaussian(sigma=1.0)(X)
    by_name, by_kernel = (m.fit(K, Y) for m in (machine(kernel="precomputed"), machine(Precomputed())))
    np.testing.assert_array_equal(by_name.predict(K), by_kernel.predict(K))
    if machine is SVC:                                       # rows and columns are cut
        np.testing.assert_array_equal(cross_val_score(SVC(kernel="precomputed"), K, Y, cv=4),
                                      cross_val_score(SVC(Gaussian(sigma=1.0)), X, Y, cv=4))


def product(A, B):
    """A kernel as a function."""
    return A @ B.T


# ---- without effect --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("options", "message"), [
    ({"kernel": "linear", "gamma": 0.5}, r'^gamma=0\.5 has no effect with kernel="linear", which uses none of gamma'),
    ({"kernel": "rbf", "degree": 2}, r'^degree=2 has no effect with kernel="rbf", which uses gamma$'),
    ({"degree": 2}, r'^degree=2 has no effect with kernel="rbf"'),
    ({"kernel": "sigmoid", "degree": 2, "gamma": 1e-3},
     r'^degree=2 has no effect with kernel="sigmoid", which uses gamma and coef0$'),
    ({"kernel": "precomputed", "coef0": 1.0}, r'^coef0=1\.0 has no effect with kernel="precomputed"'),
    ({"kernel": Gaussian(sigma=1.0), "gamma": 0.5},
     r"^gamma=0\.5 has no effect with kernel=Gaussian\(sigma=1\.0\), which has its parameters in itself$"),
    ({"kernel": product, "gamma": 0.5}, r"^gamma=0\.5 has no effect with kernel=<function product")],
    ids=["linear", "rbf", "default", "sigmoid", "precomputed", "object", "function"])
@pytest.mark.parametrize("machine", [SVC, SVR, OneClassSVM])
@pytest.mark.filterwarnings("ignore::svmlib.NotPSDWarning")
def test_a_parameter_that_the_kernel_does_not_use_is_said_to_be_without_effect(machine, options, message):
    points = Linear()(X) if options.get("kernel") == "precomputed" else X
    with pytest.warns(UserWarning, match=message) as caught:
        machine(**options).fit(points, Y)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("options", [*BY_NAME, {"kernel": Gaussian(sigma=1.0)}], ids=str)
def test_what_is_used_is_not_said_to_be_without_effect(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVC(**options).fit(X, Y)


@pytest.mark.parametrize(("options", "message"), [
    ({"kernel": "gauss"}, r"^kernel must be .* one of 'linear', 'poly', 'rbf', 'sigmoid', 'precomputed', got 'gauss'$"),
    ({"gamma": 0.0}, r'^gamma must be "scale", "auto" or a number > 0, got 0\.0$'),
    ({"gamma": "scales"}, r'^gamma must be "scale", "auto" or a number > 0, got \'scales\'$'),
    ({"gamma": None}, r"^gamma must be"), ({"gamma": True}, r"^gamma must be"), ({"gamma": np.nan}, r"^gamma must be"),
    ({"kernel": "poly", "degree": 0}, r"^degree must be a positive integer, got 0$"),
    ({"kernel": "poly", "degree": 2.5}, r"^degree must be a positive integer, got 2\.5$"),
    ({"kernel": "poly", "coef0": "1"}, r"^coef0 must be a finite number, got '1'$"),
    ({"kernel": "sigmoid", "coef0": np.inf}, r"^coef0 must be a finite number, got inf$")], ids=str)
@pytest.mark.parametrize("machine", [SVC, SVR, OneClassSVM])
def test_bad_values_are_named(machine, options, message):
    with pytest.raises(ValueError, match=message):
        machine(**options).fit(X, Y)


def test_strings_are_not_points_of_a_named_kernel():
    with pytest.raises(ValueError, match=r"for strings use a kernel of svmlib\.kernels"):
        SVC(kernel="rbf").fit(["one", "two"], [0, 1])


# ---- scikit-learn's protocol -----------------------------------------------------------------------------------
@pytest.mark.parametrize("machine", [SVC(kernel="rbf", gamma=0.5), SVC(kernel="poly", coef0=1.0, tol=1e-10),
                                     SVR(kernel="linear"), OneClassSVM(kernel="rbf"), SVC(kernel="precomputed")],
                         ids=repr)
def test_passes_scikit_learns_checks(machine):
    stops = dict.fromkeys(["check_sample_weight_equivalence_on_dense_data",
                           "check_sample_weight_equivalence_on_sparse_data"], "solutions agree to tol")
    check_estimator(machine, expected_failed_checks=stops if machine.tol == 1e-3 else {}, on_skip=None)


def test_clones_pickles_and_features():
    machine = SVC(kernel="poly", gamma=0.2, coef0=1.0, degree=2, C=3.0)
    twin = clone(machine)
    assert twin.get_params() == machine.get_params()
    assert {"gamma", "degree", "coef0", "kernel"} <= set(machine.get_params())
    f = machine.fit(X, Y).decision_function(X)
    again = pickle.loads(pickle.dumps(machine))
    np.testing.assert_array_equal(again.decision_function(X), f)
    assert again.n_features_in_ == 4
    np.testing.assert_array_equal(twin.fit(X, Y).decision_function(X), f)
    machine.set_params(gamma=9.0)                                        # what is fitted stays
    np.testing.assert_array_equal(machine.decision_function(X), f)


def test_grid_search_over_gamma_and_over_sigma_are_the_same():
    A, a = load_breast_cancer(return_X_y=True)
    sigmas = [0.5, 3.0, 20.0]
    named = GridSearchCV(make_pipeline(StandardScaler(), SVC(kernel="rbf")),
                         {"svc__gamma": [1 / (2 * s ** 2) for s in sigmas], "svc__C": [1, 10]}, cv=3).fit(A, a)
    own = GridSearchCV(make_pipeline(StandardScaler(), SVC(Gaussian(sigma=1.0))),
                       {"svc__kernel__sigma": sigmas, "svc__C": [1, 10]}, cv=3).fit(A, a)
    for split in ("split0_test_score", "split1_test_score", "split2_test_score"):
        assert sorted(named.cv_results_[split]) == sorted(own.cv_results_[split])
    assert named.best_params_["svc__gamma"] == pytest.approx(1 / (2 * own.best_params_["svc__kernel__sigma"] ** 2))


def test_grid_search_over_names_and_kernels_alike():
    grid = [{"kernel": ["linear", "rbf", Gaussian(sigma=1.0), Polynomial(Q=2)]}, {"kernel": ["rbf"], "gamma": [0.1]}]
    search = GridSearchCV(SVC(), grid, cv=3, error_score="raise").fit(X, Y)
    assert len(search.cv_results_["params"]) == 5


def test_the_parameters_of_a_name_are_the_machines():
    with pytest.raises(ValueError, match=r"kernel__sigma needs a kernel of svmlib\.kernels, but kernel is 'rbf'"):
        SVC(kernel="rbf").set_params(kernel__sigma=1.0)
    assert SVC().set_params(kernel=Gaussian(sigma=1.0), kernel__sigma=2.0).kernel.sigma == 2.0
