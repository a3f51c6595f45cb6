"""Sparse points give the same machines as dense ones, without ever being dense."""
import tracemalloc
import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC as Libsvm

from svmlib import SVC, SVR, DualProblem, OneClassSVM, solve
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid

KERNELS = [Linear(), Linear(A=np.diag(np.arange(1.0, 31.0))), Polynomial(Q=3, a=0.5), Gaussian(gamma=0.3),
           Gaussian(sigma=1.0, normalized=True), Linear() + Gaussian(gamma=0.3), 2 * Linear() * Gaussian(gamma=0.1)]


def counts(n, d=30, seed=0):
    """Points with a third of their coordinates not zero, and three classes of them."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, d)) * (rng.random((n, d)) < 0.3)
    return X, np.argmax(X[:, :3] + 0.1 * rng.random((n, 3)), axis=1)


@pytest.mark.parametrize("kernel", [*KERNELS, Sigmoid(kappa=0.2, delta=1.0)], ids=repr)
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array, sparse.coo_array])
def test_blocks_are_those_of_dense_points(kernel, form):
    X, Z = counts(20)[0], counts(15, seed=1)[0]
    np.testing.assert_allclose(kernel(form(X), form(Z)), kernel(X, Z), atol=1e-12)
    np.testing.assert_allclose(kernel(form(X), Z), kernel(X, Z), atol=1e-12)
    np.testing.assert_allclose(kernel(X, form(Z)), kernel(X, Z), atol=1e-12)
    np.testing.assert_allclose(kernel(form(X)), kernel(X), atol=1e-12)
    np.testing.assert_allclose(kernel.diag(form(X)), kernel.diag(X), atol=1e-12)
    assert type(kernel(form(X))) is np.ndarray


@pytest.mark.parametrize("kernel", [None, *KERNELS], ids=repr)
@pytest.mark.parametrize("machine", [SVC(), SVC(multiclass="ovr"), SVR(), OneClassSVM(nu=0.2)], ids=repr)
def test_machines_are_those_of_dense_points(machine, kernel):
    X, y = counts(150)
    Z = counts(40, seed=1)[0]
    machine.set_params(kernel=kernel, tol=1e-8)
    f = getattr(machine, "decision_function", machine.predict)
    dense = f.__func__(machine.fit(X, y), Z)
    support = machine.support_vectors_
    machine.fit(sparse.csr_array(X), y)
    for points in (sparse.csr_matrix(Z), Z):
        np.testing.assert_allclose(f.__func__(machine, points), dense, atol=1e-6)
    assert sparse.issparse(machine.support_vectors_)
    np.testing.assert_array_equal(machine.support_vectors_.toarray(), support)


@pytest.mark.parametrize("name", ["smo", "smo_kkt", "working_set", "qp", "active_set", "auto"])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(gamma=0.5)], ids=repr)
def test_every_solver_takes_them(name, kernel):
    X, y = counts(120)
    y = np.where(y > 0, 1, -1)
    dense, thin = (solve(DualProblem(kernel, points, y, 2.0), name, tol=1e-4) for points in (X, sparse.csr_array(X)))
    assert thin.status == dense.status
    assert thin.objective == pytest.approx(dense.objective, rel=1e-4)


def test_the_low_rank_solver_takes_them():
    X, y = counts(400, d=5)
    y = np.where(y > 0, 1, -1)
    s = solve(DualProblem(Linear(), sparse.csr_array(X), y, 1.0), "qp_low_rank", tol=1e-6)
    assert s.objective == pytest.approx(solve(DualProblem(Linear(), X, y, 1.0), "qp_low_rank", tol=1e-6).objective)


def test_hard_margin_and_weights():
    X, y = counts(80, d=200)
    y = np.where(y > 0, 1, -1)
    weight = np.arange(80) % 3
    for options in ({"C": np.inf}, {"C": 5.0, "class_weight": "balanced"}):
        dense, thin = (SVC(Linear(), tol=1e-8, **options).fit(points, y, weight)
                       for points in (X, sparse.csr_array(X)))
        np.testing.assert_allclose(thin.coef_, dense.coef_, atol=1e-6)
    default = (SVC().fit(points, y, weight).kernel_.gamma for points in (X, sparse.csr_array(X)))
    assert next(default) == pytest.approx(next(default))


def test_many_points_of_three_classes_share_their_rows():
    X, y = counts(2400, d=20)
    dense, thin = (SVC(Gaussian(gamma=0.5), tol=1e-5).fit(points, y) for points in (X, sparse.csr_array(X)))
    assert thin.solver_ == dense.solver_ == "working_set"
    np.testing.assert_allclose(thin.decision_function(sparse.csr_array(X)), dense.decision_function(X), atol=1e-3)


def test_is_scikit_learns_on_sparse_points():
    X, y = counts(200)
    thin = sparse.csr_array(X)
    peer = Libsvm(kernel="rbf", gamma=0.3, tol=1e-9, decision_function_shape="ovo").fit(thin, y)
    mine = SVC(Gaussian(gamma=0.3), tol=1e-8).fit(thin, y)
    np.testing.assert_allclose(mine.pairwise_decision(thin), peer.decision_function(thin), atol=1e-4)


def test_memory_is_that_of_the_entries_and_the_gram_matrix():
    rng = np.random.default_rng(0)
    X = sparse.random_array((500, 200_000), density=1e-4, rng=rng, format="csr")       # dense: 800 MB
    y = np.where(rng.random(500) < 0.5, -1, 1)
    SVC(Linear()).fit(X[:20], y[:20])                                                # compile first
    tracemalloc.start()
    SVC(Gaussian(gamma=0.1)).fit(X, y).predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 8 * 500 ** 2 + 20 * X.nnz * 12


def test_what_is_given_stays_as_it_is():
    X = sparse.csr_array(counts(30)[0])
    before = X.copy()
    SVC().fit(X, np.arange(30) % 2)
    assert (before != X).nnz == 0


def scrambled(X, form, shares=1):
    """The points X with the entries of each row in backward order, and each in as many shares that add up to it."""
    rows = sparse.csr_array(X)
    order = np.concatenate([np.tile(np.arange(a, b)[::-1], shares) for a, b in pairwise(rows.indptr)])
    return form((rows.data[order] / shares, rows.indices[order], shares * rows.indptr), rows.shape)


@pytest.mark.parametrize("machine", [SVC(Linear()), SVC(), SVC(multiclass="ovr"), SVR(), OneClassSVM()], ids=repr)
@pytest.mark.parametrize("shares", [1, 2])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csr_matrix])
def test_entries_in_any_order_are_put_in_order_on_a_copy(machine, shares, form):
    X, y = counts(60)
    Z = counts(20, seed=1)[0]
    f = getattr(machine, "pairwise_decision", machine.predict).__func__
    expected = f(machine.fit(sparse.csr_array(X), y), sparse.csr_array(Z))
    given = [scrambled(points, form, shares) for points in (X, Z)]
    before = [(A.data.copy(), A.indices.copy(), A.indptr.copy()) for A in given]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(f(machine.fit(given[0], y), given[1]), expected, atol=1e-9)
    for A, kept in zip(given, before, strict=True):
        for mine, was in zip((A.data, A.indices, A.indptr), kept, strict=True):
            np.testing.assert_array_equal(mine, was)


@pytest.mark.parametrize("form", [sparse.csc_array, sparse.csc_matrix, sparse.coo_array, sparse.coo_matrix,
                                  sparse.lil_array, sparse.dok_array, sparse.bsr_array])
def test_every_form_of_a_sparse_matrix_is_taken(form):
    X, y = counts(60)
    expected = SVC(Linear()).fit(X, y).pairwise_decision(X)
    np.testing.assert_allclose(SVC(Linear()).fit(form(X), y).pairwise_decision(form(X)), expected, atol=1e-9)


def test_integers_that_stand_twice_in_coo():
    X = sparse.coo_array((np.array([1, 2, 3, 1]), ([0, 0, 1, 2], [1, 1, 0, 1])), (3, 2))
    np.testing.assert_array_equal(Linear()(X), Linear()(np.array([[0.0, 3.0], [3.0, 0.0], [0.0, 1.0]])))


def test_a_machine_behind_counted_words():
    texts = ["the margin of the band", "a wide margin, a wide band", "the price of a slack", "slack has a price"] * 3
    labels = ["margin", "margin", "slack", "slack"] * 3
    machine = make_pipeline(CountVectorizer(ngram_range=(1, 2)), SVC(Linear())).fit(texts, labels)
    assert machine.predict(["a band and its margin", "slack, at a price"]).tolist() == ["margin", "slack"]
    scores = cross_val_score(machine, texts, labels, cv=3)
    assert scores.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(("X", "message"), [
    (sparse.csr_array([[np.nan, 1.0], [0.0, 1.0], [2.0, 0.0]]), "X contains NaN or infinity"),
    (sparse.csr_array([[np.inf, 1.0], [0.0, 1.0], [2.0, 0.0]]), "X contains NaN or infinity"),
    (sparse.csr_array(np.array([[1j, 1.0], [0.0, 1.0], [2.0, 0.0]])), "(?i)complex data"),
])
@pytest.mark.parametrize("machine", [SVC(), SVR(), OneClassSVM()], ids=repr)
def test_bad_sparse_points_are_an_error_that_names_them(machine, X, message):
    with pytest.raises(ValueError, match=message):
        machine.fit(X, [0, 1, 1])
    if machine.fit(np.eye(3)[:, :X.shape[1]], [0, 1, 1]):
        with pytest.raises(ValueError, match=message):
            machine.predict(X)


def test_kernels_of_other_things_refuse_them():
    X = sparse.csr_array(np.eye(4))
    for kernel in (Precomputed(), lambda X, Z: X @ Z.T, Linear().map(np.sqrt)):
        with pytest.raises(ValueError, match="X must be a dense array"):
            SVC(kernel).fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize("off", [0.0, 1e4, 1e8])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", ["csr_array", "csr_matrix", "csc_array", "coo_array"])
def test_far_from_the_origin_they_are_the_points_they_are(off, weighted, form):
    """Not where E x^2 - (E x)^2 stands for a variance, nor |x|^2 - 2 x'z + |z|^2 for a distance."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 5)) + off, np.arange(60) % 2
    X[:, 4] = 0.0 if off == 0.0 else off                                       # a column that says nothing
    weight = rng.uniform(0.5, 2.0, 60) if weighted else None
    S = getattr(sparse, form)(X)
    for machine in (SVC(), SVR(), OneClassSVM()):
        dense, held = clone(machine).fit(X, y, sample_weight=weight), clone(machine).fit(S, y, sample_weight=weight)
        assert held.kernel_.gamma == pytest.approx(dense.kernel_.gamma, rel=1e-6)
        f = "predict" if isinstance(machine, SVR) else "decision_function"
        np.testing.assert_allclose(getattr(held, f)(S), getattr(dense, f)(X), atol=2e-3)


def test_where_there_is_no_room_for_dense_ones_a_warning_says_so():
    X = sparse.csr_array(([1e9, 1.0, 2.0], ([0, 1, 2], [0, 1, 2])), shape=(3, 10 ** 8))
    with pytest.warns(UserWarning, match="so far from the origin"):
        Gaussian(sigma=1.0)(X)
