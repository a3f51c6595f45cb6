"""The table of scikit-learn's parameters is true of the installed scikit-learn, and errors lead to it."""
import inspect
import re

import numpy as np
import pytest
from sklearn import svm
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.preprocessing import StandardScaler

from svmlib import SVC, SVR, OneClassSVM
from svmlib.kernels import Gaussian, Linear
from svmlib.svc.scikit_learn import ATTRIBUTES, CALIBRATE, NU, PARAMETERS, calibration, parameters_of

OURS = {"SVC": SVC, "SVR": SVR, "OneClassSVM": OneClassSVM}
X, Y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)


def theirs(name):
    """Parameters of a class of scikit-learn's and their defaults."""
    return {k: p.default for k, p in inspect.signature(getattr(svm, name)).parameters.items()}


# ---- the table -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", OURS)
def test_each_parameter_stands_in_the_table_once(name):
    rows = [row.name for row in PARAMETERS if name in row.of]
    assert sorted(rows) == sorted(theirs(name))


def test_nu_machines_have_no_parameter_that_the_table_does_not_name():
    assert {row.name for row in NU} == {"NuSVC", "NuSVR"}
    for row in NU:
        assert set(theirs(row.name)) <= {row.name for row in PARAMETERS}


@pytest.mark.parametrize("row", PARAMETERS, ids=lambda row: f"{row.name} {row.of}")
def test_what_the_table_says_is_here_is_here(row):
    for name in row.of:
        known = parameters_of(OURS[name])
        if row.here:
            assert row.here in known or hasattr(OURS[name], row.here)
        else:
            assert row.name not in known
        if row.here == row.name and row.name not in ("kernel", "max_iter"):               # whose notes say None
            assert inspect.signature(OURS[name]).parameters[row.name].default == theirs(name)[row.name]


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_what_the_table_says_of_attributes():
    fitted = {name: (machine(kernel="linear").fit(X, Y), getattr(svm, name)(kernel="linear").fit(X, Y))
              for name, machine in OURS.items()}
    for row in ATTRIBUTES:
        for name in row.of:
            for attribute in row.name.split(", "):
                if not attribute.startswith(("prob", "predict")):
                    assert hasattr(fitted[name][1], attribute)
                assert hasattr(fitted[name][0], attribute) == (row.here == row.name)
    named = {name for row in ATTRIBUTES for name in row.name.split(", ")} | {"solutions_"}
    for mine, peer in fitted.values():
        public = {name for name in dir(peer) if not name.startswith("_") and hasattr(peer, name)}
        parameters = {row.name for row in PARAMETERS} | {"unused_param"}  # each libsvm machine has all of them
        assert {name for name in public - named - parameters if not hasattr(mine, name)} == set()


def test_what_the_notes_say_is_so():
    peer = svm.SVC(break_ties=True, tol=1e-8).fit(X, Y)
    mine = SVC(tol=1e-8).fit(X, Y)
    np.testing.assert_allclose(mine.decision_function(X), peer.decision_function(X), atol=1e-4)
    np.testing.assert_array_equal(mine.classes_[mine.decision_function(X).argmax(axis=1)], peer.predict(X))
    two = svm.SVC(decision_function_shape="ovo", tol=1e-8).fit(X, Y)
    np.testing.assert_allclose(mine.pairwise_decision(X), two.decision_function(X), atol=1e-4)


@pytest.mark.parametrize("k", [2, 3])
def test_balanced_counts_weights_here_and_points_there(k):
    A, a = X[k > Y], Y[k > Y]
    weight = np.where(a == 0, 3.0, 1.0)
    rows = np.repeat(np.arange(len(a)), weight.astype(int))
    options = {"class_weight": "balanced", "gamma": 0.1, "C": 0.1, "tol": 1e-8}
    mine = SVC(**options).fit(A, a, weight).decision_function(A)
    np.testing.assert_allclose(mine, SVC(**options).fit(A[rows], a[rows]).decision_function(A), atol=1e-4)
    peer = svm.SVC(**options).fit(A, a, weight)
    assert np.abs(mine - peer.decision_function(A)).max() > 0.1
    counts = np.bincount(a)
    options["class_weight"] = dict(enumerate(len(a) / (k * counts)))               # what scikit-learn takes
    mine = SVC(**options).fit(A, a, weight).decision_function(A)
    np.testing.assert_allclose(mine, peer.decision_function(A), atol=1e-4)


def test_for_each_nu_there_is_a_c():
    A, a = load_breast_cancer(return_X_y=True)
    A = StandardScaler().fit_transform(A)
    for nu in (0.1, 0.3):
        peer = svm.NuSVC(nu=nu, gamma=0.01, tol=1e-9).fit(A, a)
        C = float(np.abs(peer.dual_coef_).max())                 # alpha over rho: its bound is 1 / rho
        mine = SVC(gamma=0.01, C=C, tol=1e-8).fit(A, a)
        np.testing.assert_allclose(mine.decision_function(A), peer.decision_function(A), atol=1e-3)


def test_nu_svr_is_svr_with_the_width_that_it_finds():
    rng = np.random.default_rng(0)
    A = rng.uniform(-3, 3, (120, 1))
    t = np.sin(A[:, 0]) + 0.2 * rng.normal(size=120)
    peer = svm.NuSVR(nu=0.4, C=2.0, gamma=0.5, tol=1e-9).fit(A, t)
    free = np.abs(peer.dual_coef_[0]) < 2.0 * (1 - 1e-6)
    width = np.abs(t - peer.predict(A))[peer.support_[free]]
    assert np.ptp(width) < 1e-5                                          # all of them on the edge of the tube
    mine = SVR(gamma=0.5, C=2.0, epsilon=float(width.mean()), tol=1e-9).fit(A, t)
    np.testing.assert_allclose(mine.predict(A), peer.predict(A), atol=1e-4)


# ---- errors ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("machine", "name", "message"), [
    (SVC, "shrinking", "a switch of one algorithm"), (SVC, "cache_size", "here it is cache_mb. "),
    (SVR, "cache_size", "rows are kept up to 1000 megabytes"), (SVC, "decision_function_shape", "pairwise_decision"),
    (SVC, "break_ties", "lowest of tied classes"), (SVC, "random_state", "no fit draws"),
    (SVC, "epsilon", "it is one of SVR. "), (SVC, "nu", "it is one of OneClassSVM. "),
    (OneClassSVM, "C", "it is one of"), (SVR, "probability", "it is one of SVC"), (SVC, "gama", "it has kernel, C, ")])
def test_a_wrong_name_leads_to_the_table(machine, name, message):
    start, end = f"^{machine.__name__} has no parameter {name}: ", r"the page .svmlib beside scikit-learn. of the book"
    pattern = start + ".*" + re.escape(message) + ".*" + end
    with pytest.raises(TypeError, match=pattern):
        machine(**{name: 1})
    with pytest.raises(ValueError, match=pattern):
        machine().set_params(**{name: 1})


@pytest.mark.parametrize("value", [True, False])
def test_probability_shows_two_lines(value):
    with pytest.raises(TypeError) as error:
        SVC(probability=value)
    assert calibration("SVC()") in str(error.value)


def test_two_lines_that_an_error_shows_do_it():
    machine = SVC(Gaussian(sigma=1.0), C=10.0)
    assert not hasattr(machine, "predict_proba")
    assert not hasattr(machine, "predict_log_proba")
    with pytest.raises(AttributeError) as error:
        machine.fit(X, Y).predict_proba(X)
    lines = str(error.value).splitlines()[1:3]
    assert lines[0] == CALIBRATE[0]
    names = {"SVC": SVC, "Gaussian": Gaussian, "X": X, "y": Y, "X_new": X[:5]}
    exec(lines[0], names)
    P = eval(lines[1], names)
    assert P.shape == (5, 3)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    expected = CalibratedClassifierCV(clone(machine), cv=5, ensemble=False).fit(X, Y).predict_proba(X[:5])
    np.testing.assert_allclose(P, expected)


def test_a_subclass_keeps_its_own_parameters():
    class Mine(SVC):
        def __init__(self, shrinking=1):
            super().__init__(Linear())
            self.shrinking = shrinking

    assert Mine(shrinking=2).fit(X, Y).shrinking == 2
    with pytest.raises(TypeError, match=r"^Mine has no parameter C: it is one of SVC, SVR"):
        Mine(C=1.0)
