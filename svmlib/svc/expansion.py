"""What every machine of this package is: an expansion f(x) = sum_i beta_i k(x_i, x) + b over its support vectors."""
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from svmlib.dual import BoxProblem, KernelPoints, Solution
from svmlib.kernels import Kernel, Linear, Precomputed, as_kernel
from svmlib.solvers import solve
from svmlib.svc.by_name import warn_of_unused, with_data, without_data
from svmlib.svc.scikit_learn import refuse_unknown
from svmlib.svc.training_set import checked, frozen_copy, weighted

LARGE = 2_000_000          # kernel values from which on prediction runs in blocks, in float32 where it will do


class Expansion(BaseEstimator):
    """Base of the estimators: kernel_, support vectors, coefficients beta of one machine or several, and f of each."""

    kernel: Any
    kernel_: Kernel
    intercept_: np.ndarray
    solutions_: list[Solution]
    _coef: np.ndarray | None

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        """Refuse parameters that the constructor does not have, with a word on what is here in their place."""
        if parameters:
            refuse_unknown(cls, parameters)
        return super().__new__(cls)

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
                else frozen_copy(as_kernel(self.kernel)))

    def _fit_one(self, kernel: Kernel | None, X: Any, weight: Any, *, y: np.ndarray, C: float, p: np.ndarray,
                 share: float = 0.0) -> None:
        """Solve one problem on checked points X, whose C is multiplied by sample weights, (n,) or None.

        y, C, p: arguments of BoxProblem, y and p (r, n), r variables for each point, whose sum is its beta.
        share: of the sum of all C, what the variables add up to.
        """
        from svmlib.svc.scales import warn_of_scales  # brings numba, which `import svmlib` need not wait for

        X, weight, kept = weighted(kernel, X, weight)
        self.kernel_ = with_data(self, X, weight) if kernel is None else kernel
        warn_of_scales(self.kernel_, X)
        rows = np.tile(np.arange(len(X)), len(y))
        bounds = np.full(len(rows), C) if weight is None else C * weight[rows]
        problem = BoxProblem.cut(KernelPoints(self.kernel_, X, check=False), rows, y[:, kept].ravel(), bounds,
                                 p[:, kept].ravel(), share * bounds.sum())
        self.solution_ = solve(problem, self.solver, tol=self.tol, max_iter=self.max_iter, verbose=self.verbose)
        beta = (problem.y * self.solution_.alpha).reshape(-1, len(X)).sum(axis=0)
        support = np.flatnonzero(beta)
        self.support_ = kept[support].astype(np.int32)
        self.n_support_ = np.array([len(support)], dtype=np.int32)
        self._keep_expansion(X, support, beta[None, support], [self.solution_])
        self.dual_coef_ = self._W

    def _keep_expansion(self, X: Any, support: np.ndarray, W: np.ndarray, solutions: list[Solution]) -> None:
        """Fitted attributes of machines with coefficients W (n_problems, n_SV) at the points X[support]."""
        self.support_vectors_ = (np.empty((0, 0)) if isinstance(self.kernel_, Precomputed)
                                 else X.take(support, axis=0) if type(X) is np.ndarray       # a quarter of the time
                                 else X[support])
        self._W, self.solutions_ = W, solutions
        self._coef = None
        if type(self.kernel_) is Linear:
            w = W @ self.support_vectors_
            self._coef = w if self.kernel_.A is None else w @ np.asarray(self.kernel_.A, dtype=np.float64)
        self.intercept_ = np.array([s.b for s in solutions])
        self.n_iter_ = np.array([s.n_iter for s in solutions], dtype=np.int32)
        self.solver_ = ", ".join(sorted({s.solver for s in solutions}))

    def _values(self, X: Any) -> np.ndarray:
        """Decision values (m, n_problems) of all binary problems."""
        check_is_fitted(self, "solutions_")
        X, _ = checked(self, self.kernel_, X, reset=False)
        if self._coef is not None:
            return X @ self._coef.T + self.intercept_
        if isinstance(self.kernel_, Precomputed):
            return X[:, self.support_] @ self._W.T + self.intercept_
        if len(X) * len(self.support_) > LARGE:
            from svmlib.engine.precision import decision_values

            return decision_values(self.kernel_, self.support_vectors_, self._W, X) + self.intercept_
        return self.kernel_.block(X, self.support_vectors_) @ self._W.T + self.intercept_

    @property
    def coef_(self) -> np.ndarray:
        """Weights w (n_problems, d) of a linear kernel: A sum_i beta_i x_i."""
        if self._coef is None:
            raise AttributeError(f"coef_ exists for the linear kernel only, this is {self.kernel_!r}")
        return self._coef

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn to cut rows and columns out of a Gram matrix, and which kernels take sparse points."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, Precomputed) or self.kernel == "precomputed"
        tags.input_tags.sparse = (self.kernel.takes_sparse if isinstance(self.kernel, Kernel)
                                  else self.kernel in (None, "linear", "poly", "rbf", "sigmoid"))
        return tags
