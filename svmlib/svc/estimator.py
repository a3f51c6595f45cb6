"""SVC: the support vector classifier, a scikit-learn estimator on top of `DualProblem` and `solve`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from svmlib.dual import DualProblem, Solution
from svmlib.kernels import Kernel, Linear, Precomputed, as_kernel
from svmlib.solvers import check_limits, choose, solve, worth_sharing
from svmlib.svc.multiclass import (
    Part,
    coefficients,
    libsvm_layout,
    one_vs_one,
    one_vs_rest,
    unfinished,
    vote_confidence,
    votes,
    weighted_votes,
)
from svmlib.svc.training_set import TrainingSet, default_gaussian, frozen_copy, points

__all__ = ["SVC"]

SCHEMES = ("ovo", "ovo_weighted", "ovr")
#: Solvers that can start from a given alpha.
WARM_STARTS = ("smo", "working_set")
#: From so many kernel values on, prediction runs in float32 where that will do, and in blocks of one matrix product.
LARGE = 2_000_000


class SVC(ClassifierMixin, BaseEstimator):
    r"""Support vector classifier: sign of f(x) = sum_i y_i alpha_i k(x_i, x) + b, alpha from the dual problem.

    Parameters
    ----------
    kernel : Kernel, function or None
        A kernel of `svmlib.kernels` or `svmlib.kernels`; a function of two sets of points, (n, d) and (m, d) -> (n, m);
        `Precomputed()`: X is then the Gram matrix; None: Gaussian with gamma = 1 / (d var X).
    C : float
        Upper bound of alpha, the price of one unit of slack; np.inf asks for the hard margin.
    solver : str
        A name of `svmlib.solve`; "auto" chooses by size.
    multiclass : {"ovo", "ovo_weighted", "ovr"}
        One-vs-one by majority, even counts go to the lowest class (lab sheet 2.4.1); one-vs-one with each vote weighted
        by |f|; one-vs-rest, the largest signed f wins (slides 44).
    tol : float
        Bound of the KKT violation of each point, in units of f.
    max_iter : int or None
        Iterations a binary problem; None is the finite default of the solver.
    class_weight : dict, "balanced" or None
        Factor of C for each class; "balanced" is n / (k n_class).
    n_jobs : int or None
        Binary problems trained at a time, as in joblib.
    verbose : bool
        Show progress.
    cache_mb : float or None
        Memory for kernel rows of the "working_set" solver; None is its default.
    warm_start : bool
        Start from the last solution when fit is called again with as many points of the same classes.

    Attributes
    ----------
    classes_ (k,): the labels, sorted; for two classes classes_[1] is y = +1.
    support_ (n_SV,): indices of the support vectors, grouped by class; support_vectors_ (n_SV, d); n_support_ (k,).
    dual_coef_: y alpha, (1, n_SV) for two classes, (k - 1, n_SV) for one-vs-one in libsvm's layout,
    (k, n_SV) for one-vs-rest.  intercept_ (n_problems,): b.  coef_ (n_problems, d): w, linear kernel only.
    solutions_: one `Solution` a binary problem, ordered as `svmlib.svc.multiclass.pairs`.  n_iter_ (n_problems,).
    margin_: 1 / |w|, two classes only.  kernel_: the kernel used.  solver_: the solver used.
    n_features_in_, feature_names_in_: as in scikit-learn.

    Raises ValueError for bad input, NotSeparableError where a hard margin does not exist; warns with
    ConvergenceWarning when max_iter did not suffice.

    >>> from svmlib.kernels import Linear
    >>> machine = SVC(Linear(), C=10.0).fit([[0.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> machine.predict([[0.9], [1.1]]), machine.coef_.round(3), machine.support_.tolist()
    (array(['a', 'b'], dtype='<U1'), array([[1.]]), [0, 1])
    """

    def __init__(self, kernel: Kernel | Callable | None = None, C: float = 1.0,
                 solver: str = "auto",
                 multiclass: str = "ovo", tol: float = 1e-3, max_iter: int | None = None,
                 class_weight: dict | str | None = None, n_jobs: int | None = None, verbose: bool = False,
                 cache_mb: float | None = None, warm_start: bool = False) -> None:
        self.kernel = kernel
        self.C = C
        self.solver = solver
        self.multiclass = multiclass
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.cache_mb = cache_mb
        self.warm_start = warm_start

    # ---- training ------------------------------------------------------------------------------------------
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVC:
        """Train on points X (n, d), or n strings, and labels y (n,); sample_weight (n,) multiplies C point by point.

        A point of weight 0 is left out, a point of weight 2 counts as two.  Returns self.
        """
        if self.multiclass not in SCHEMES:
            raise ValueError(f"multiclass must be one of {', '.join(map(repr, SCHEMES))}, got {self.multiclass!r}")
        kernel = None if self.kernel is None else frozen_copy(as_kernel(self.kernel))
        data = TrainingSet.of(self, kernel, X, y, sample_weight)
        kernel = default_gaussian(data.X, data.weight) if kernel is None else kernel
        C = data.bounds(self.C, self.class_weight)
        previous = getattr(self, "solutions_", None) if self.warm_start else None
        self.kernel_, self.classes_ = kernel, data.classes
        parts = self._solve(kernel, data, C, previous)
        self._keep(data, parts)
        return self

    def fit_path(self, X: Any, y: Any, Cs: Any, sample_weight: Any = None) -> list[SVC]:
        """Fitted copies of this machine, one for each C of the grid, in its order; this one stays as it is.

        Each starts from the solution before it, where the solver can; more than two classes that are solved by
        "working_set" also share their Gram rows along the grid.  An ascending grid saves most.  Arguments as in `fit`.

        >>> from svmlib.kernels import Linear
        >>> path = SVC(Linear()).fit_path([[0.0], [2.0]], [0, 1], [0.1, 1.0])
        >>> [machine.C for machine in path], path[1].solutions_[0].alpha.round(3)
        ([0.1, 1.0], array([0.5, 0.5]))
        """
        Cs = list(Cs)
        machines: list[SVC] = []
        for C in Cs:
            machine = clone(self).set_params(C=C, warm_start=True)
            path = machines[-1].__dict__.pop("_path") if machines else {"growth": max(Cs) / C}
            if machines:
                machine.solutions_ = machines[-1].solutions_
            machine._path = path
            machines.append(machine.fit(X, y, sample_weight))
        if machines:
            del machines[-1]._path
        return [machine.set_params(warm_start=self.warm_start) for machine in machines]

    def _solve(self, kernel: Kernel, data: TrainingSet, C: np.ndarray, previous: list[Solution] | None) -> list[Part]:
        """Solve the binary problems that the labels ask for."""
        from svmlib.svc.scales import warn_of_scales  # brings numba, which `import svmlib` need not wait for

        k = len(data.classes)
        if k == 2:
            problem = DualProblem(kernel, data.X, data.signs, C, check=False)
            warn_of_scales(kernel, data.X, lambda: problem.diag)
            return [Part(np.arange(problem.n), problem.y, self._binary(problem, 0, previous))]
        warn_of_scales(kernel, data.X, lambda: kernel._diag(data.X))
        if self.solver == "working_set" or (self.solver == "auto" and worth_sharing(kernel, data.X, k, C)):
            return self._solve_shared(kernel, data, C, previous)
        scheme = one_vs_rest if self.multiclass == "ovr" else one_vs_one
        interrupted = False

        def train(problem: DualProblem, place: int) -> Solution:
            """One binary problem; after an interrupt the rest is filled in without training."""
            nonlocal interrupted
            solution = unfinished(problem, self.tol) if interrupted else self._binary(problem, place, previous)
            interrupted |= solution.status == "interrupted"
            return solution

        return scheme(kernel, data.X, data.codes, k, C, solve=train, n_jobs=self.n_jobs)

    def _solve_shared(self, kernel: Kernel, data: TrainingSet, C: np.ndarray,
                      previous: list[Solution] | None) -> list[Part]:
        """Solve all binary problems on one set of Gram rows: many points."""
        from svmlib.svc.shared_rows import SharedRows  # compiles what small fits need not wait for

        check_limits(self.tol, self.max_iter)
        path: dict[str, Any] = self.__dict__.get("_path", {})
        shared = path.get("rows") or SharedRows(
            kernel, data.X, data.codes, C_max=float(C.max()) * path.get("growth", 1.0), tol=self.tol,
            max_iter=self.max_iter, n_jobs=self.n_jobs, cache_mb=self.cache_mb, verbose=self.verbose)
        if path:
            path["rows"] = shared

        def start(problem: DualProblem, place: int) -> np.ndarray | None:
            """The previous alpha where there is one that fits."""
            usable = previous is not None and place < len(previous)
            return starting_point(problem, previous[place].alpha) if previous is not None and usable else None

        solve_all = shared.one_vs_rest if self.multiclass == "ovr" else shared.one_vs_one
        return [Part(*part) for part in solve_all(C, start)]

    def _binary(self, problem: DualProblem, place: int, previous: list[Solution] | None) -> Solution:
        """One call of the solver, from the previous alpha where there is one that fits."""
        name = choose(problem) if self.solver == "auto" else self.solver
        options: dict[str, Any] = {}
        if name == "working_set" and self.cache_mb is not None:
            options["cache_mb"] = self.cache_mb
        if previous is not None and place < len(previous) and name in WARM_STARTS:
            options["alpha0"] = starting_point(problem, previous[place].alpha)
        return solve(problem, name, tol=self.tol, max_iter=self.max_iter, verbose=self.verbose, **options)

    def _keep(self, data: TrainingSet, parts: list[Part]) -> None:
        """Turn the solutions into the fitted attributes."""
        k = len(self.classes_)
        support, W = coefficients(parts, data.codes)
        codes = data.codes[support]
        self.support_ = data.original(support).astype(np.int32)
        self.n_support_ = np.bincount(codes, minlength=k).astype(np.int32)
        precomputed = isinstance(self.kernel_, Precomputed)
        self.support_vectors_ = np.empty((0, 0)) if precomputed else data.X.take(support, axis=0)
        self._W = W
        self._coef = self._weights()
        self.dual_coef_ = libsvm_layout(W, codes, k) if k > 2 and self.multiclass != "ovr" else W
        self.solutions_ = [part.solution for part in parts]
        self.intercept_ = np.array([s.b for s in self.solutions_])
        self.n_iter_ = np.array([s.n_iter for s in self.solutions_], dtype=np.int32)
        self.solver_ = ", ".join(sorted({s.solver for s in self.solutions_}))

    # ---- prediction ----------------------------------------------------------------------------------------
    def _values(self, X: Any) -> np.ndarray:
        """Decision values (m, n_problems) of all binary problems."""
        check_is_fitted(self, "solutions_")
        X = points(self, self.kernel_, X)
        if self._coef is not None:
            return X @ self._coef.T + self.intercept_
        if isinstance(self.kernel_, Precomputed):
            return X[:, self.support_] @ self._W.T + self.intercept_
        if len(X) * len(self.support_) > LARGE:
            from svmlib.svc.shared_rows import decision_values

            return decision_values(self.kernel_, self.support_vectors_, self._W, X) + self.intercept_
        out = np.empty((len(X), len(self._W)))
        step = max(1, 2_000_000 // max(1, len(self.support_)))
        for i in range(0, len(X), step):
            out[i:i + step] = self.kernel_._block(X[i:i + step], self.support_vectors_) @ self._W.T
        out += self.intercept_
        return out

    def pairwise_decision(self, X: Any) -> np.ndarray:
        """Decision values f (m, n_problems), one column a binary problem.

        One-vs-one: columns as `svmlib.svc.multiclass.pairs(k)`, positive where the first class of the pair wins;
        one-vs-rest: one column a class.  Two classes: one column, positive for classes_[1].
        """
        return self._values(X)

    def decision_function(self, X: Any) -> np.ndarray:
        """Decision values: f (m,) for two classes, positive for classes_[1]; else scores (m, k), one column a class.

        "ovo": votes plus a fraction below 1/3 that orders even counts, as in scikit-learn (predict gives even counts
        to the lowest class); "ovo_weighted": sums of |f| won; "ovr": f of each class.
        """
        values = self._values(X)
        k = len(self.classes_)
        if k == 2:
            return values[:, 0]
        if self.multiclass == "ovr":
            return values
        return weighted_votes(values, k) if self.multiclass == "ovo_weighted" else vote_confidence(values, k)

    def predict(self, X: Any) -> np.ndarray:
        """Labels (m,): classes_[1] where f > 0 for two classes, else the class that wins (see `multiclass`)."""
        values = self._values(X)
        k = len(self.classes_)
        if k == 2:
            return self.classes_[(values[:, 0] > 0).astype(np.intp)]
        if self.multiclass != "ovr":
            values = votes(values, k) if self.multiclass == "ovo" else weighted_votes(values, k)
        return self.classes_[values.argmax(axis=1)]

    # ---- what follows from the solution ----------------------------------------------------------------------
    @property
    def coef_(self) -> np.ndarray:
        """Weights w (n_problems, d) of a linear kernel: A sum_i y_i alpha_i x_i."""
        if self._coef is None:
            raise AttributeError(f"coef_ exists for the linear kernel only, this is {self.kernel_!r}")
        return self._coef

    def _weights(self) -> np.ndarray | None:
        """Weights w of a linear kernel, else None."""
        if not isinstance(self.kernel_, Linear):
            return None
        w = self._W @ self.support_vectors_
        return w if self.kernel_.A is None else w @ np.asarray(self.kernel_.A, dtype=np.float64)

    @property
    def margin_(self) -> float:
        """Half width 1 / |w| of the margin, with |w|^2 = alpha' Q alpha = 2 (sum alpha - dual value)."""
        if len(self.solutions_) != 1:
            raise AttributeError("margin_ exists for two classes only; each of solutions_ has its own")
        solution = self.solutions_[0]
        length2 = 2.0 * (float(solution.alpha.sum()) - solution.objective)
        return float(length2 ** -0.5) if length2 > 0 else float("inf")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn to cut rows and columns out of a Gram matrix."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, Precomputed)
        return tags


def starting_point(problem: DualProblem, alpha: np.ndarray) -> np.ndarray | None:
    """An alpha of another C, shortened until it is feasible here; None where points or labels are others.

    Shortening the whole vector keeps y' alpha = 0, which cutting single entries would not.
    """
    if alpha.shape != (problem.n,) or abs(problem.y @ alpha) > 1e-9 * max(float(alpha.sum()), 1e-300):
        return None
    used = alpha > 0
    return alpha * min(1.0, float((problem.C[used] / alpha[used]).min(initial=1.0)))
