"""SVC: the support vector classifier, a scikit-learn estimator on top of `DualProblem` and `solve`."""
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from svmlib.kernels import Kernel
from svmlib.restoring import all_or_nothing
from svmlib.svc.by_name import with_data
from svmlib.svc.expansion import Expansion
from svmlib.svc.multiclass import coefficients, vote_confidence, votes, weighted_votes
from svmlib.svc.pair_machines import PairMachines
from svmlib.svc.scikit_learn import no_probabilities
from svmlib.svc.training import train
from svmlib.svc.training_set import TrainingSet, checked, points
from svmlib.validation import as_texts

SCHEMES = ("ovo", "ovo_weighted", "ovr")


class SVC(ClassifierMixin, Expansion):
    r"""Support vector classifier: sign of f(x) = sum_i y_i alpha_i k(x_i, x) + b, alpha from the dual problem.

    Parameters
    ----------
    kernel : Kernel, function, str or None
        A kernel of `svmlib.kernels`; a function of two sets of points, (n, d) and (m, d) -> (n, m); or a name as in
        scikit-learn: "rbf", which None means, "linear", "poly", "sigmoid", "precomputed" (X is then the Gram matrix).
    C : float
        Upper bound of alpha, the price of one unit of slack; np.inf is the hard margin.
    solver : str
        A name of `svmlib.solve`; "auto" chooses by size.
    multiclass : {"ovo", "ovo_weighted", "ovr"}
        One-vs-one by majority, where the lowest of tied classes wins (lab sheet 2.4.1); one-vs-one with each vote
        weighted by |f|; one-vs-rest, the largest signed f wins (slides 44).
    tol : float
        Bound of the KKT violation of each point, in units of f.
    max_iter : int or None
        Iterations per binary problem; None is the finite default of the solver, -1 sets no limit, as in scikit-learn.
    class_weight : dict, "balanced" or None
        Factor of C for each class; "balanced" is n / (k n_class).
    n_jobs : int or None
        Binary problems trained at a time, as in joblib; with two classes, threads for kernel rows.
    verbose : bool
        Show progress.
    cache_mb : float or None
        Memory for kernel rows of the "working_set" solver; None is its default.
    gamma : {"scale", "auto"} or float
        Of the kernels "rbf", "poly" and "sigmoid"; "scale" is 1 / (d var X), "auto" 1 / d.
    degree : int
        Of the kernel "poly", (gamma x'z + coef0)^degree.
    coef0 : float
        Of the kernels "poly" and "sigmoid", tanh(gamma x'z + coef0).

    Attributes
    ----------
    classes_ : (k,)
        The labels, sorted; for two classes classes_[1] is y = +1.
    support_, support_vectors_, n_support_ : (n_SV,), (n_SV, d), (k,)
        Indices of the support vectors, grouped by class; the vectors; how many each class has.
    dual_coef_ : (1, n_SV)
        y alpha for two classes; (k - 1, n_SV) for one-vs-one in libsvm's layout, (k, n_SV) for one-vs-rest.
    intercept_, coef_ : (n_problems,), (n_problems, d)
        b; and w, for a linear kernel only.
    solutions_ : list of Solution
        One `Solution` per binary problem, ordered as `svmlib.svc.multiclass.class_pairs`.
    n_iter_ : (n_problems,)
        Iterations of each binary problem.
    margin_ : float
        1 / |w|, two classes only.
    kernel_, solver_ : Kernel, str
        The kernel and the solver used.
    n_features_in_, feature_names_in_ : int, (d,)
        As in scikit-learn.

    Raises
    ------
    ValueError for bad input, NotSeparableError where a hard margin does not exist.  Warns with ConvergenceWarning when
    max_iter did not suffice, and where gamma, degree or coef0 was set and the kernel does not use it: kernel objects
    have their parameters in themselves.

    >>> from svmlib.kernels import Linear
    >>> machine = SVC(Linear(), C=10.0).fit([[0.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> machine.predict([[0.9], [1.1]]), machine.coef_.round(3), machine.support_.tolist()
    (array(['a', 'b'], dtype='<U1'), array([[1.]]), [0, 1])
    >>> SVC(kernel="rbf", gamma="auto").fit([[0.0], [2.0], [3.0]], ["a", "b", "b"]).kernel_
    Gaussian(gamma=1.0)
    """

    def __init__(self, kernel: Kernel | Callable | str | None = None, C: float = 1.0,
                 solver: str = "auto", multiclass: str = "ovo", tol: float = 1e-3, max_iter: int | None = None,
                 class_weight: dict | str | None = None, n_jobs: int | None = None, verbose: bool = False,
                 cache_mb: float | None = None, gamma: str | float = "scale", degree: int = 3,
                 coef0: float = 0.0) -> None:
        self.kernel, self.C, self.solver, self.multiclass, self.tol = kernel, C, solver, multiclass, tol
        self.max_iter, self.class_weight, self.n_jobs, self.verbose = max_iter, class_weight, n_jobs, verbose
        self.cache_mb, self.gamma, self.degree, self.coef0 = cache_mb, gamma, degree, coef0

    # ---- training ------------------------------------------------------------------------------------------
    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SVC":
        """Train on points X (n, d), or n strings, and labels y (n,); sample_weight (n,) multiplies C point by point.

        A point of weight 0, or below 1e-13 of the largest of its class, is left out; one of weight 2 counts as two.
        Returns self.
        """
        if self.multiclass not in SCHEMES:
            raise ValueError(f"multiclass must be one of {', '.join(map(repr, SCHEMES))}, got {self.multiclass!r}")
        kernel = self._kernel()
        return self._fit(kernel, *checked(self, kernel, X, y), sample_weight)

    def _fit(self, kernel: Kernel | None, X: Any, y: np.ndarray, sample_weight: Any = None) -> "SVC":
        """The work of `fit`, on checked points and labels."""
        data = TrainingSet.of(kernel, X, y, sample_weight)
        kernel = with_data(self, data.X, data.weight) if kernel is None else kernel
        machines = train(self, kernel, data, data.bounds(self.C, self.class_weight))
        self.kernel_, self.classes_, k = kernel, data.classes, len(data.classes)
        if isinstance(machines, PairMachines):
            support, W = machines.pack(), machines.layout
            self._keep_expansion(data.X, support, machines, machines)
        else:
            support, W = coefficients(machines, data.codes)
            self._keep_expansion(data.X, support, W, [machine.solution for machine in machines])
        self.dual_coef_ = W
        self.support_ = data.kept[support].astype(np.int32)
        self.n_support_ = np.bincount(data.codes[support], minlength=k).astype(np.int32)
        return self

    # ---- prediction ----------------------------------------------------------------------------------------
    def pairwise_decision(self, X: Any) -> np.ndarray:
        """Decision values f (m, n_problems), one column per binary problem.

        One-vs-one: columns as `svmlib.svc.multiclass.class_pairs(k)`, positive where the first class of the pair wins;
        one-vs-rest: one column per class.  Two classes: one column, positive for classes_[1].
        """
        return self._values(self._points(X))

    def decision_function(self, X: Any) -> np.ndarray:
        """Decision values: f (m,) for two classes, positive for classes_[1]; else scores (m, k), one column per class.

        "ovo": votes plus a fraction below 1/3 that orders tied classes, as in scikit-learn (predict takes the lowest
        of them); "ovo_weighted": sums of |f| won; "ovr": f of each class.
        """
        return self._scores(self._points(X))

    def _scores(self, X: Any) -> np.ndarray:
        """The work of `decision_function`, on checked points."""
        k = len(self.classes_)
        if k == 2:
            return self._values(X)[:, 0]
        if self.multiclass == "ovr":
            return self._values(X)
        return self._read(X, lambda values: (weighted_votes if self.multiclass == "ovo_weighted"
                                             else vote_confidence)(values, k))

    def predict(self, X: Any) -> np.ndarray:
        """Labels (m,): classes_[1] where f > 0 for two classes, else the class that wins (see `multiclass`)."""
        return self._labels(self._points(X))

    def _labels(self, X: Any) -> np.ndarray:
        """The work of `predict`, on checked points."""
        k = len(self.classes_)
        if k == 2:
            return self.classes_[(self._scores(X) > 0).astype(np.intp)]
        if self.multiclass == "ovo":
            return self.classes_[self._read(X, lambda values: votes(values, k).argmax(axis=1))]
        return self.classes_[self._scores(X).argmax(axis=1)]

    def _held_out(self, X: np.ndarray, y: np.ndarray, new: np.ndarray) -> np.ndarray:
        """Labels of new points from a machine that is fitted to X, y: both points as scikit-learn's checks leave them.

        For a search, which lets scikit-learn check all its points once, and not each fold for each candidate.
        """
        kernel, self.n_features_in_ = self._kernel(), X.shape[1]
        return self._fit(kernel, points(kernel, X), y)._labels(points(kernel, new))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy: the share of the labels y (m,) that `predict` gives.

        For labels as those of `fit` it is counted here: `ClassifierMixin.score` looks six times what kind they are of,
        which takes longer than to train a small machine.  It has all other cases.
        """
        classes: Any = getattr(self, "classes_", None)
        y = as_texts(y)
        alike = classes is not None and isinstance(y, np.ndarray) and y.dtype.kind == classes.dtype.kind in "biufU"
        if alike and y.ndim == 1 and sample_weight is None and np.isin(y, classes).all():
            said = self.predict(X)
            if said.shape == y.shape:
                return float(np.mean(said == y))
        return float(super().score(X, y, sample_weight))

    @property
    def predict_proba(self) -> Any:
        """Not here: raises an AttributeError that shows the two lines with `CalibratedClassifierCV` that do it."""
        raise no_probabilities(self)

    predict_log_proba = predict_proba

    @property
    def margin_(self) -> float:
        """Half width 1 / |w| of the margin, with |w|^2 = alpha' Q alpha = 2 (sum alpha - dual value)."""
        if len(self.solutions_) != 1:
            raise AttributeError("margin_ exists for two classes only; each of solutions_ has its own")
        solution = self.solutions_[0]
        length2 = 2.0 * (float(solution.alpha.sum()) - solution.objective)
        return float(length2 ** -0.5) if length2 > 0 else float("inf")
