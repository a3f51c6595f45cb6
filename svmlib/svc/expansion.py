"""What every machine of this package is: an expansion f(x) = sum_i beta_i k(x_i, x) + b over its support vectors."""
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from svmlib.dual import BoxProblem, KernelPoints, Solution
from svmlib.kernels import Kernel, Linear, Precomputed, as_kernel
from svmlib.restoring import all_or_nothing
from svmlib.solvers import solve
from svmlib.svc.by_name import warn_of_unused, with_data, without_data
from svmlib.svc.pair_machines import PairMachines
from svmlib.svc.scikit_learn import refuse_unknown
from svmlib.svc.training_set import checked, warn_of_scales, weighted
from svmlib.validation import all_finite

LARGE = STRIP = 2_000_000  # kernel values from which on prediction runs in blocks, in float32 where it will do
FEW_PROBLEMS = 100         # whose w are always kept


class Expansion(BaseEstimator):
    """Base of the estimators: kernel_, support vectors, coefficients beta of one machine or several, and f of each."""

    kernel: Any
    kernel_: Kernel
    intercept_: np.ndarray
    solutions_: Sequence[Solution]
    _coef: np.ndarray | None

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        """Refuse parameters that the constructor does not have, with a word on what is here in their place."""
        if parameters:
            refuse_unknown(cls, parameters)
        return super().__new__(cls)

    @all_or_nothing
    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name, those of a kernel object as kernel__sigma; return self."""
        refuse_unknown(type(self), dict.fromkeys(name.partition("__")[0] for name in parameters), ValueError)
        kernel = parameters.get("kernel", self.kernel)
        inner = [name for name in parameters if name.startswith("kernel__")]
        if inner and not hasattr(kernel, "get_params"):
            raise ValueError(f"{inner[0]} needs a kernel of svmlib.kernels, but kernel is {kernel!r}; the parameters "
                             "of a name are gamma, degree and coef0")
        super().set_params(**parameters)
        return self

    def _kernel(self) -> Kernel | None:
        """The kernel as it is now, whatever becomes of the parameter; None where the data have to give gamma first."""
        warn_of_unused(self)
        return (without_data(self.kernel) if self.kernel is None or isinstance(self.kernel, str)
                else deepcopy(as_kernel(self.kernel)))

    def _fit_one(self, kernel: Kernel | None, X: Any, weight: Any, *, y: np.ndarray, C: float, p: np.ndarray,
                 share: float = 0.0) -> BoxProblem:
        """Solve one problem, returned, on checked points X, whose C is multiplied by sample weights, (n,) or None.

        y, C, p: arguments of BoxProblem, y and p (r, n), r variables for each point, whose sum is its beta.
        share: of the sum of all C, what the variables add up to.
        """
        X, weight, kept = weighted(kernel, X, weight)
        self.kernel_ = with_data(self, X, weight) if kernel is None else kernel
        warn_of_scales(self.kernel_, X)
        rows = np.tile(np.arange(len(X)), len(y))
        bounds = np.full(len(rows), C) if weight is None else C * weight[rows]
        problem = BoxProblem.cut(KernelPoints(self.kernel_, X, check=False), rows, y[:, kept].ravel(), bounds,
                                 p[:, kept].ravel(), share * bounds.sum())
        self.solution_ = self._solution(problem)
        beta = (problem.y * self.solution_.alpha).reshape(-1, len(X)).sum(axis=0)
        support = np.flatnonzero(beta)
        self.support_ = kept[support].astype(np.int32)
        self.n_support_ = np.array([len(support)], dtype=np.int32)
        self._keep_expansion(X, support, beta[None, support], [self.solution_])
        self.dual_coef_ = self._W
        return problem

    def _solution(self, problem: BoxProblem) -> Solution:
        """What the solver makes of the problem."""
        return solve(problem, self.solver, tol=self.tol, max_iter=self.max_iter, verbose=self.verbose)

    @property
    def _spare(self) -> float:
        """By how much a decision value may be off for the sake of speed."""
        return float(self.tol)

    def _keep_expansion(self, X: Any, support: np.ndarray, W: Any, solutions: Sequence[Solution]) -> None:
        """Fitted attributes of machines with coefficients W at the points X[support].

        W: (n_problems, n_SV), or what has times(K) in its place.
        """
        self.support_vectors_ = (np.empty((0, 0)) if isinstance(self.kernel_, Precomputed)
                                 else X[support])
        self._W, self.solutions_ = W, solutions
        # Of more pairs than support vectors, w would be the longer way to a value.
        few = len(solutions) <= max(len(support), FEW_PROBLEMS)
        self._coef = self._weights() if few and type(self.kernel_) is Linear else None
        if isinstance(solutions, PairMachines):
            self.intercept_, self.n_iter_, solvers = solutions.b, solutions.n_iter, solutions.solvers
        else:
            self.intercept_ = np.array([s.b for s in solutions])
            self.n_iter_ = np.array([s.n_iter for s in solutions], dtype=np.int32)
            solvers = {s.solver for s in solutions}
        self.solver_ = ", ".join(sorted(solvers))

    def _sums(self, K: Any, of: Callable[[np.ndarray], np.ndarray] | None = None) -> np.ndarray:
        """sum_j beta_j K_ij of all problems (m, n_problems), from values K (m, n_SV); or of(beta_j) in place of it."""
        if isinstance(self._W, PairMachines):
            return self._W.times(K, of)
        W = self._W if of is None else of(self._W)
        if K.dtype != np.float32:
            return K @ W.T
        from svmlib.engine.precision import sums_of_single

        return sums_of_single(K, W)

    def _weights(self) -> np.ndarray:
        """w (n_problems, d) of a linear kernel: A sum_i beta_i x_i."""
        w, A = self._sums(self.support_vectors_.T).T, getattr(self.kernel_, "A", None)
        return w if A is None else w @ np.asarray(A, dtype=np.float64)

    def _points(self, X: Any) -> Any:
        """Points of a prediction, checked."""
        check_is_fitted(self, "solutions_")
        return checked(self, self.kernel_, X, reset=False)[0]

    def _values(self, X: Any) -> np.ndarray:
        """Decision values (m, n_problems) of all binary problems, of checked points."""
        return self._read(X, lambda values: values)

    def _read(self, X: Any, read: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """read(the decision values (m, n_problems)) of checked points X (m, d), a strip of points after the other.

        The values of many machines, and the kernel values behind them, take more memory than what is read from them.
        """
        sums, n_SV = self._function(X), len(self.support_)
        size = max(1, STRIP // max(len(self.intercept_), 1 if self._coef is not None else n_SV))

        def strip(some: Any) -> np.ndarray:
            """What is read from some of the points."""
            with np.errstate(over="ignore", invalid="ignore"):
                values = sums(some)
                values += self.intercept_
            if not all_finite(values):
                raise ValueError("decision values of X overflow: its points lie too far from those of fit for this "
                                 "kernel; scale the features, of both alike")
            return read(values)

        return (strip(X) if len(X) <= size
                else np.concatenate([strip(X[i:i + size]) for i in range(0, len(X), size)]))

    def _function(self, X: Any) -> Callable[[Any], np.ndarray]:
        """What makes the decision values, but for b, of points X and of parts of them: the rule is the same for all."""
        if (coef := self._coef) is not None:
            return lambda some: some @ coef.T
        if isinstance(self.kernel_, Precomputed):
            return lambda some: self._sums(some[:, self.support_])
        if len(X) * len(self.support_) <= LARGE:
            return lambda some: self._sums(self.kernel_.block(some, self.support_vectors_))
        from svmlib.engine.precision import block_with

        one = np.ones((1, len(self.support_)))
        sizes = np.sqrt(self._sums(one, np.square).max()), self._sums(one, np.abs).max()
        block = block_with(self.kernel_, self.support_vectors_, X, sizes, self._spare)
        return lambda some: self._sums(block(some))

    @property
    def coef_(self) -> np.ndarray:
        """Weights w (n_problems, d) of a linear kernel: A sum_i beta_i x_i."""
        if type(self.kernel_) is not Linear:
            raise AttributeError(f"coef_ exists for the linear kernel only, this is {self.kernel_!r}")
        return self._weights() if self._coef is None else self._coef

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn to cut rows and columns out of a Gram matrix, and which kernels take sparse points."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, Precomputed) or self.kernel == "precomputed"
        tags.input_tags.sparse = (self.kernel.takes_sparse if isinstance(self.kernel, Kernel)
                                  else self.kernel in (None, "linear", "poly", "rbf", "sigmoid"))
        return tags
