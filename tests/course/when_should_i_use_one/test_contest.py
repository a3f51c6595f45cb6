"""The contest of chapter 16: one treatment for all methods, the scaler inside the folds, sizes, standard errors."""
from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from svmcourse.when_should_i_use_one import contest
from svmlib import SVC
from svmlib.kernels import Gaussian, Linear


def test_six_real_sets_of_two_classes_or_more() -> None:
    shapes = {name: (*contest.real_set(name)[0].shape, len(np.unique(contest.real_set(name)[1])))
              for name in contest.SETS}
    assert shapes == {"iris": (150, 4, 3), "wine": (178, 13, 3), "breast cancer": (569, 30, 2),
                      "diabetes": (442, 10, 2), "digits, 8 × 8": (600, 64, 10), "3 or 8, 28 × 28": (600, 784, 2)}
    assert np.bincount(contest.real_set("diabetes")[1]).tolist() == [221, 221]
    assert contest.real_set("iris")[0] is contest.real_set("iris")[0]


@pytest.mark.parametrize("method", contest.METHODS)
def test_each_method_gets_as_many_candidates_and_the_same_folds(method: str) -> None:
    X, y = contest.real_set("iris")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        tuned = contest.search(method, X, seed=3).fit(X[::3], y[::3])
    assert len(tuned.cv_results_["params"]) == contest.TRIES == 12
    other = contest.search("SVM, linear", X, seed=3)
    for (a, b), (c, d) in zip(tuned.cv.split(X, y), other.cv.split(X, y), strict=True):
        assert np.array_equal(a, c)
        assert np.array_equal(b, d)
    assert tuned.best_estimator_.steps[0][0] == "standardscaler"
    assert contest.size(tuned.best_estimator_, 50) > 0


def test_the_scaler_sees_the_training_part_only() -> None:
    seen = []

    class Spy(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            seen.append(len(X))
            return self

        def transform(self, X):
            return X

    X, y = contest.real_set("iris")
    search = contest.search("nearest neighbours", X, seed=0)
    search.estimator.steps[0] = ("standardscaler", Spy())
    search.fit(X, y)
    assert seen == [100] * 36 + [150]                    # two of three folds for each candidate, then the winner


def test_one_split_can_be_played_in_each_form() -> None:
    for form in contest.FORMS:
        row = contest.play("iris", "nearest neighbours", 7, form)
        assert (row["form"], row["n"], row["test_points"]) == (form, 120, 30)
        assert 0 <= row["error"] <= 1


@pytest.mark.thorough
@pytest.mark.parametrize("data", ["iris", "wine"])
def test_the_stored_results_come_out_again(data: str) -> None:   # the chapter plays split 0 again
    stored = pd.read_csv(Path(__file__).parents[3] / "benchmarks/results/contest.csv")
    methods = ("SVM, linear", "SVM, Gaussian", "logistic regression", "nearest neighbours")
    again = pd.DataFrame([contest.play(data, method, 5) for method in methods])
    both = again.merge(stored, on=["data", "method", "form", "split"])
    wrong = np.rint(both["test_points_x"] * (both["error_x"] - both["error_y"])).abs()
    assert len(both) == 4
    assert wrong.max() <= 1
    assert (wrong == 0).sum() >= 3
    assert (both["winner_x"] == both["winner_y"]).sum() >= 3


@pytest.mark.thorough
@pytest.mark.parametrize("data", ["wine", "breast cancer"])
def test_logistic_regression_pays_for_raw_features_even_where_it_converges(
        data: str, monkeypatch: pytest.MonkeyPatch) -> None:      # stored: lbfgs, 500 steps
    make = contest.METHODS["logistic regression"]
    monkeypatch.setitem(contest.METHODS, "logistic regression",
                        lambda d, v: (LogisticRegression(solver="newton-cholesky"), make(d, v)[1]))
    stored = pd.read_csv(Path(__file__).parents[3] / "benchmarks/results/contest.csv")
    same = (stored["data"] == data) & (stored["method"] == "logistic regression") & (stored["form"] == "scaled")
    raw = [contest.play(data, "logistic regression", split, "raw")["error"] for split in range(10)]
    costs, deviation = contest.compare(raw, stored[same].sort_values("split")["error"])
    assert costs > 2 * deviation


def test_sizes_count_the_numbers_that_a_machine_keeps() -> None:
    X, y = contest.real_set("breast cancer")
    X = X / X.std(axis=0)
    line = make_pipeline(SVC(Linear())).fit(X, y)
    assert contest.size(line, len(X)) == 30 + 1
    curve = make_pipeline(SVC(Gaussian(gamma=1 / 30))).fit(X, y)
    assert contest.size(curve, len(X)) == len(curve[-1].support_) * 31 + 1


def test_the_standard_error_of_overlapping_splits_is_larger() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 10))
    mean, error = contest.compare(a, b)
    plain = np.std(a - b, ddof=1) / np.sqrt(10)
    assert mean == pytest.approx(np.mean(a - b))
    assert error == pytest.approx(plain * np.sqrt(0.35 / 0.1))
    assert contest.compare(b, a) == pytest.approx((-mean, error))
