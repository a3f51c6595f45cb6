"""Algorithm 2.2 of the lab sheet: folds, cross-validation, grid and random search."""
import threading

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy.stats import loguniform
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from svmlib import SVC, SVR, NotSeparableError, OneClassSVM
from svmlib.data import planar as datasets
from svmlib.kernels import Gaussian, Linear, Precomputed, Subsequence
from svmlib.model_selection import SearchResult, cross_validate, grid_search, k_folds, random_search
from svmlib.svc import training_set

GRID = {"C": [0.01, 0.1, 1.0, 10.0, 100.0], "kernel__sigma": [1.0, 10.0, 100.0]}


@pytest.fixture(scope="module")
def rings():
    """Task 2.6 of the lab sheet."""
    return datasets.disc_and_annulus(seed=0)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize(("n", "k"), [(10, 2), (23, 5), (7, 7), (100, 3)])
def test_folds_are_disjoint_cover_all_and_have_almost_equal_size(n, k, stratified):
    y = np.random.default_rng(n).integers(0, 3, n)
    folds = k_folds(y, k, rng=1, stratified=stratified)
    np.testing.assert_array_equal(np.sort(np.concatenate(folds)), np.arange(n))
    sizes = [len(fold) for fold in folds]
    assert max(sizes) - min(sizes) <= 1
    if stratified:
        for label in range(3):
            counts = [np.sum(y[fold] == label) for fold in folds]
            assert max(counts) - min(counts) <= 1


def test_folds_are_random_and_repeatable():
    y = np.arange(40) % 2
    a, b, c = (np.concatenate(k_folds(y, 4, rng)) for rng in (0, 0, 1))
    assert a.tolist() == b.tolist() != c.tolist()
    assert np.concatenate(k_folds(y, 4, np.random.default_rng(0))).tolist() == a.tolist()


def test_accuracies_are_those_of_machines_trained_by_hand(rings):
    X, y = rings
    folds = k_folds(y, 5, rng=3)
    by_hand = []
    for i, fold in enumerate(folds):
        rest = np.concatenate([f for j, f in enumerate(folds) if j != i])
        by_hand.append(SVC(Gaussian(sigma=1.0), C=10.0, tol=1e-6).fit(X[rest], y[rest]).score(X[fold], y[fold]))
    np.testing.assert_allclose(cross_validate(SVC(Gaussian(sigma=1.0), C=10.0, tol=1e-6), X, y, folds), by_hand)


def test_every_candidate_sees_the_same_folds_as_in_scikit_learn(rings):
    X, y = rings
    search = grid_search(SVC(Gaussian(sigma=1.0)), GRID, X, y, k=4, rng=5, progress=False)
    which = np.empty(len(y), int)
    for i, fold in enumerate(search.folds):
        which[fold] = i
    peer = GridSearchCV(SVC(Gaussian(sigma=1.0)), GRID, cv=PredefinedSplit(which)).fit(X, y)
    assert search.params == peer.cv_results_["params"]
    np.testing.assert_allclose(search.mean, peer.cv_results_["mean_test_score"])
    np.testing.assert_allclose(search.std, peer.cv_results_["std_test_score"])
    assert search.best_params == peer.best_params_
    assert search.best_score == pytest.approx(peer.best_score_)


def test_the_winner_is_trained_on_all_data(rings):
    X, y = rings
    search = grid_search(SVC(Gaussian(sigma=9.0)), GRID, X, y, progress=False)
    best = search.best_params
    own = SVC(Gaussian(sigma=best["kernel__sigma"]), C=best["C"]).fit(X, y)
    np.testing.assert_array_equal(search.machine.decision_function(X), own.decision_function(X))


def test_sigma_one_wins_on_task_2_6_and_strata_matter():
    """The lab sheet's grid on its Task 2.6, ten seeds: measured accuracies, rows sigma = 1, 10, 100."""
    plain, strata, tests = [], [], []
    for seed in range(10):
        X, y = datasets.disc_and_annulus(seed=seed)
        for stratified, surfaces in ((False, plain), (True, strata)):
            search = grid_search(SVC(Gaussian(sigma=1.0)), GRID, X, y, rng=seed, stratified=stratified, progress=False)
            assert search.best_params["kernel__sigma"] == 1.0
            surfaces.append(search.surface("kernel__sigma", "C")[2])
        tests.append(search.machine.score(*datasets.disc_and_annulus(seed=1000 + seed, n=2000)))
    np.testing.assert_allclose(np.mean(plain, axis=0), [[0.481, 0.904, 0.949, 0.961, 0.964],
                                                        [0.427, 0.427, 0.427, 0.522, 0.713],
                                                        [0.425, 0.425, 0.425, 0.425, 0.425]], atol=0.05)
    # A machine that knows only the majority of its folds is wrong on the fold that holds the others: below one half.
    # Equal shares of both classes in each fold take that artefact away.
    assert np.mean(plain, axis=0)[2].max() < 0.45
    assert np.mean(strata, axis=0)[2].min() >= 0.5
    assert np.mean(tests) == pytest.approx(0.968, abs=0.02)


def test_ties_are_reported_and_the_first_wins():
    X, y = datasets.separable_blobs(seed=0)
    grid = [{"C": [1.0], "kernel__sigma": [1e-4]}, {"C": [1e4, 1e5, 1e6], "kernel__sigma": [1.0]}]
    search = grid_search(SVC(Gaussian(sigma=1.0)), grid, X, y, progress=False)
    assert [p["C"] for p in search.ties] == [1e4, 1e5, 1e6]
    assert search.best_params["C"] == 1e4
    rows = str(search).splitlines()
    assert [("*" in row) for row in rows] == [False, False, True, True, True]
    assert "C=10000.0" in rows[2]


def test_surface_takes_the_best_over_the_other_parameters():
    params = [{"a": a, "b": b, "c": c} for a in (2, 1) for b in ("x", "y") for c in (0, 1)]
    result = SearchResult(params[:-2], np.arange(6.0)[:, None] / 10, [], None)
    rows, columns, table = result.surface("a", "b")
    assert (rows, columns) == ([1, 2], ["x", "y"])
    np.testing.assert_allclose(table, [[0.5, np.nan], [0.1, 0.3]])
    with pytest.raises(ValueError, match=r"'d' is not a parameter of this search; it has \['a', 'b', 'c'\]"):
        result.surface("d", "a")


def test_random_search_draws_from_lists_distributions_and_functions(rings):
    X, y = rings
    draw = {"C": loguniform(0.1, 100), "kernel__sigma": lambda rng: float(rng.uniform(0.5, 2)), "multiclass": ["ovo"]}
    a, b = (random_search(SVC(Gaussian(sigma=1.0)), draw, X, y, n=6, k=3, rng=7, progress=False) for _ in range(2))
    assert len(a.params) == 6
    assert len({p["C"] for p in a.params}) == 6
    assert a.params == b.params
    assert all(0.1 <= p["C"] <= 100 and 0.5 <= p["kernel__sigma"] <= 2 for p in a.params)
    assert a.best_score > 0.9
    np.testing.assert_array_equal(a.accuracy, b.accuracy)


def test_any_estimator_any_points(rings):
    X, y = rings
    search = grid_search(make_pipeline(StandardScaler(), KNeighborsClassifier()),
                         {"kneighborsclassifier__n_neighbors": [1, 3, 50]}, X.tolist(), y.astype(int).astype(str),
                         progress=False)
    assert search.best_score > 0.9
    K = Gaussian(sigma=1.0)(X)
    gram = grid_search(SVC(Precomputed()), {"C": [1.0, 10.0]}, K, y, rng=2, progress=False)
    points = grid_search(SVC(Gaussian(sigma=1.0)), {"C": [1.0, 10.0]}, X, y, rng=2, progress=False)
    np.testing.assert_array_equal(gram.accuracy, points.accuracy)
    words = ["BERT", "BEER", "BEERE", "XYZ", "XZY", "ZYX"]
    strings = grid_search(SVC(Subsequence(normalized=True)), {"C": [10.0]}, words, [0, 0, 0, 1, 1, 1], k=3,
                          progress=False)
    assert strings.best_score == 1.0


def test_kernels_themselves_can_be_candidates(rings):
    X, y = rings
    grid = {"kernel": [Gaussian(sigma=1.0), Gaussian(sigma=100.0)]}
    search = grid_search(SVC(), grid, X, y, progress=False)
    assert search.best_params["kernel"].sigma == 1.0
    assert search.machine.kernel is not search.best_params["kernel"]


def test_a_registered_backend_is_used_and_changes_nothing(rings):
    X, y = rings
    where = []

    def kernel(A, B):
        """A Gaussian that notes which thread asks."""
        where.append(threading.current_thread())
        return Gaussian(sigma=1.0)(A, B)

    one = grid_search(SVC(kernel), {"C": [0.1, 10.0]}, X, y, progress=False)
    assert set(where) == {threading.main_thread()}
    with parallel_config(backend="threading", n_jobs=2):
        two = grid_search(SVC(kernel), {"C": [0.1, 10.0]}, X, y, progress=False)
    assert len(set(where)) > 1
    np.testing.assert_array_equal(one.accuracy, two.accuracy)


def test_progress_is_shown_where_asked_for(rings, capsys):
    grid_search(SVC(), {"C": [1.0]}, *rings, k=2, progress=True)
    assert "cross-validation" in capsys.readouterr().err
    grid_search(SVC(), {"C": [1.0]}, *rings, k=2, progress=False)
    assert capsys.readouterr().err == ""


CONTAINERS = {
    "list": list, "tuple": tuple, "series": pd.Series, "categories": pd.Categorical, "column": lambda y: y[:, None],
    "frame": lambda y: pd.DataFrame({"class": y}), "other index": lambda y: pd.Series(y, index=np.arange(len(y))[::-1]),
    "nullable": lambda y: pd.Series(y).astype("Int64"), "bool": lambda y: y > 0, "int8": lambda y: y.astype(np.int8),
    "named categories": lambda y: pd.Series(np.where(y > 0, "a", "b"), dtype="category"),
}


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
@pytest.mark.filterwarnings("ignore:A column-vector y")
def test_labels_may_come_in_any_container(rings, container):
    X, y = rings
    y = y.astype(int)
    plain = grid_search(SVC(Gaussian(sigma=1.0)), {"C": [0.1, 1.0]}, X, y, progress=False)
    other = grid_search(SVC(Gaussian(sigma=1.0)), {"C": [0.1, 1.0]}, X, container(y), progress=False)
    assert sorted(other.mean) == pytest.approx(sorted(plain.mean), abs=0.05)      # where a > b, folds are others
    assert other.best_score > 0.9
    folds = k_folds(container(y), 5)
    assert cross_validate(SVC(Gaussian(sigma=1.0)), X, container(y), folds).mean() > 0.9


def test_a_candidate_that_fails_costs_only_itself(rings):
    X, y = rings
    hopeless, others = {"kernel": [Linear()], "C": [np.inf]}, {"kernel": [Gaussian(sigma=1.0)], "C": [0.1, 1.0]}
    with pytest.warns(FitFailedWarning, match=r"'C': inf.* cannot win, as training failed: NotSeparableError") as said:
        search = grid_search(SVC(), [hopeless, others], X, y, progress=False)
    assert len(said) == 1
    assert np.isnan(search.mean).tolist() == [True, False, False]
    assert isinstance(search.machine.kernel, Gaussian)
    assert len(search.ties) < 3
    assert "nan" in str(search)
    alone = grid_search(SVC(), others, X, y, progress=False)
    np.testing.assert_array_equal(search.accuracy[1:], alone.accuracy)
    assert search.best_params["C"] == alone.best_params["C"]
    with pytest.raises(NotSeparableError):
        grid_search(SVC(), hopeless, X, y, progress=False)


def test_random_search_takes_a_list_of_sources(rings):
    draw = [{"kernel": [Gaussian(sigma=1.0)], "C": [1.0, 10.0]}, {"kernel": [Linear()], "C": loguniform(1, 10)}]
    search = random_search(SVC(), draw, *rings, n=12, rng=1, progress=False)
    assert {type(p["kernel"]).__name__ for p in search.params} == {"Gaussian", "Linear"}
    assert all(p["C"] in (1.0, 10.0) for p in search.params if isinstance(p["kernel"], Gaussian))
    assert isinstance(search.best_params["kernel"], Gaussian)


@pytest.mark.parametrize("search", [
    lambda machine, X, y: cross_validate(machine, X, y, [np.arange(10), np.arange(10, 20)]),
    lambda machine, X, y: grid_search(machine, {"tol": [1e-3]}, X, y, k=2, progress=False),
    lambda machine, X, y: random_search(machine, {"tol": [1e-3]}, X, y, n=1, k=2, progress=False),
], ids=["cross_validate", "grid_search", "random_search"])
@pytest.mark.parametrize(("machine", "y", "message"), [
    (SVR(), np.linspace(0, 1, 20), r"estimator must be a classifier.*got the regressor SVR\("),
    (make_pipeline(StandardScaler(), SVR()), np.linspace(0, 1, 20), "must be a classifier.*got the regressor"),
    (OneClassSVM(), np.ones(20), "must be a classifier.*got the machine for novelties OneClassSVM"),
    (SVC(), np.r_[np.nan, np.arange(19) % 2], r"y must have a label for each point, but y\[0\] is missing"),
    (SVC(), ["a"] * 9 + [None] + ["b"] * 10, r"but y\[9\] is missing"),
    (SVC(), pd.array([0, 1] * 9 + [1, pd.NA]), r"but y\[19\] is missing"),
    (SVC(), np.arange(19) % 2, "y must have one label for each of the 20 points of X, got 19"),
    (SVC(), np.eye(2)[np.arange(20) % 2], "y should be a 1d array"),
    (SVC(), np.array([0, "a"] * 10, dtype=object), "y must hold labels of one kind"),
], ids=["SVR", "pipeline", "novelties", "nan", "None", "NA", "short", "multilabel", "mixed"])
def test_what_has_no_accuracy_is_refused_and_named(search, machine, y, message):
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ValueError, match=message):
        search(machine, X, y)


@pytest.mark.parametrize(("call", "message"), [
    (lambda X, y: random_search(SVC(), [], X, y), r"draw must be a dict of sources, or a list of such dicts, got \[\]"),
    (lambda X, y: random_search(SVC(), [1], X, y), r"draw must be a dict of sources.* got \[1\]"),
    (lambda X, y: k_folds(y, 1), r"k must be an integer from 2 to the 100 points of y, got 1"),
    (lambda X, y: k_folds(y, 101), r"k must be an integer from 2 to the 100 points of y, got 101"),
    (lambda X, y: k_folds(y, 2.0), r"k must be an integer .* got 2\.0"),
    (lambda X, y: cross_validate(SVC(), X, y, k_folds(y, 5)[:4]), r"folds must be at least two disjoint sets"),
    (lambda X, y: grid_search(SVC(), [], X, y), r"grid must hold at least one candidate"),
    (lambda X, y: grid_search(SVC(), {"D": [1]}, X, y, progress=False), r"SVC has no parameter D"),
    (lambda X, y: random_search(SVC(), {"C": [1]}, X, y, n=0), r"n must be a positive integer, got 0"),
    (lambda X, y: random_search(SVC(), {"C": 3.0}, X, y), r"draw\['C'\] must be a sequence, a distribution or a func"),
])
def test_bad_arguments_are_named(rings, call, message):
    with pytest.raises(ValueError, match=message):
        call(*rings)


def test_a_search_checks_its_points_once_and_gives_what_fit_and_predict_give(rings, monkeypatch):
    X, y = rings
    alone = [float(np.mean(SVC(C=C).fit(np.delete(X, fold, 0), np.delete(y, fold)).predict(X[fold]) == y[fold]))
             for fold in k_folds(y, 4) for C in (0.1, 10.0)]
    seen, check = [], training_set.validate_data
    monkeypatch.setattr(training_set, "validate_data", lambda *args, **how: seen.append(0) or check(*args, **how))
    search = grid_search(SVC(), {"C": [0.1, 10.0]}, X, y, k=4, progress=False)
    assert search.accuracy.T.ravel().tolist() == alone
    assert len(seen) == 1                                                       # of the winner, fitted to all points
    integers = np.round(10 * X).astype(int)
    assert (cross_validate(SVC(), integers, y, k_folds(y, 4))
            == cross_validate(SVC(), integers.astype(float).tolist(), y, k_folds(y, 4))).all()
    for spoilt in (np.where(X.max() - 1e-9 < X, np.nan, X), X[:, 0]):
        with pytest.raises(ValueError, match=r"^(X contains NaN|Expected 2D array)"):
            cross_validate(SVC(), spoilt, y, k_folds(y, 4))


def test_a_search_asks_fit_and_predict_of_a_class_that_has_its_own(rings):
    class Contrary(SVC):
        def predict(self, X):
            return -super().predict(X)

    folds = k_folds(rings[1], 3)
    assert np.allclose(cross_validate(Contrary(), *rings, folds) + cross_validate(SVC(), *rings, folds), 1.0)
