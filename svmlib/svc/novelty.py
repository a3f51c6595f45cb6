"""OneClassSVM: where the bulk of the points is, by the same dual problem without labels."""
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import OutlierMixin

from svmlib.dual import BoxProblem, ConvergenceWarning, Solution
from svmlib.kernels import Kernel
from svmlib.restoring import all_or_nothing
from svmlib.solvers import WARM_STARTS, choose_solver, solve
from svmlib.svc.expansion import Expansion
from svmlib.svc.training_set import checked
from svmlib.validation import check_number

MORE = 4                   # times that a fit is continued at a smaller tolerance
FLAT = 1e-6                # a smaller part of the largest possible dual value is 0: the origin is amid the points


class OneClassSVM(OutlierMixin, Expansion):
    """Novelty detection: f(x) = sum_i alpha_i k(x_i, x) - rho, negative for what differs from the training points.

        minimise  1/2 |w|^2 - nu n rho + sum_i max(0, rho - <w, phi(x_i)>)

    Parameters
    ----------
    kernel, solver, max_iter, verbose, gamma, degree, coef0 : various
        As for SVC.
    nu : float in (0, 1]
        At most nu n training points have f < 0, and at least nu n are support vectors.
    tol : float
        Of each KKT condition as for SVC, and so small that the duality gap is at most this part of the dual value.

    Attributes
    ----------
    dual_coef_ : (1, n_SV)
        alpha between 0 and the weight of the point, with sum nu n (n is then the sum of the weights).
    intercept_, offset_ : (1,), float
        -rho and rho, at the end of what tol and rounding leave open at which no point off its bound has f < 0.
    solution_, solutions_ : Solution, list of it
        With alpha (n,) and the gap.
    support_, support_vectors_, n_support_, n_iter_, solver_, kernel_, n_features_in_ : various
        As for SVR, as is what is raised and warned of.

    >>> from svmlib.kernels import Gaussian
    >>> machine = OneClassSVM(Gaussian(sigma=1.0), nu=0.5, tol=1e-9).fit([[0.0], [1.0], [2.0], [9.0]])
    >>> machine.predict([[1.0], [5.0]]), round(float(machine.dual_coef_.sum()), 6)
    (array([ 1, -1]), 2.0)
    """

    def __init__(self, kernel: Kernel | Callable | str | None = None, nu: float = 0.5, solver: str = "auto",
                 tol: float = 1e-3, max_iter: int | None = None, verbose: bool = False,
                 gamma: str | float = "scale", degree: int = 3, coef0: float = 0.0) -> None:
        self.kernel, self.nu, self.solver = kernel, nu, solver
        self.tol, self.max_iter, self.verbose = tol, max_iter, verbose
        self.gamma, self.degree, self.coef0 = gamma, degree, coef0

    @all_or_nothing
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "OneClassSVM":
        """Train on points X (n, d), or n strings; y is ignored.  Returns self.

        sample_weight (n,): a point of weight 0, or below 1e-13 of the largest, is left out; one of weight 2 counts as
        two.
        """
        check_number(self.nu, "nu", 0.0, 1.0, strict=True)
        kernel = self._kernel()
        X, _ = checked(self, kernel, X)
        ones = np.ones((1, len(X)))
        problem = self._fit_one(kernel, X, sample_weight, y=ones, C=1.0, p=0 * ones, share=self.nu)
        self.intercept_ = self.intercept_ + self.solution_.violation + 4.0 * rounding(problem, self.solution_.alpha)
        self.offset_ = -self.intercept_
        return self

    def _solution(self, problem: BoxProblem) -> Solution:
        """Solve, and again more exactly while the gap is more than tol of the dual value.

        f is a sum of nu n kernel values: where that is small, tol is a large part of it.
        """
        largest, tol = problem.total * float(np.abs(problem.diag).max()), self.tol           # of the values of f + rho
        name = choose_solver(problem) if self.solver == "auto" else self.solver
        found = super()._solution(problem)
        for _ in range(MORE):
            wanted = self.tol * max(abs(found.objective), FLAT * problem.total * largest)
            if found.status != "optimal" or found.gap <= wanted:
                break
            tol = max(1e-11 * largest, tol * min(0.1, 0.5 * wanted / found.gap))
            start: dict[str, Any] = {"alpha0": found.alpha} if name in WARM_STARTS else {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)          # rounding may allow no better than found
                better = solve(problem, name, tol=tol, max_iter=self.max_iter, verbose=self.verbose, **start)
            if better.status != "optimal":
                break
            found = better
        return found

    @property
    def _spare(self) -> float:
        """Nothing: whether a point with f = 0 counts as an outlier would be up to rounding."""
        return 0.0

    def score_samples(self, X: Any) -> np.ndarray:
        """Values sum_i alpha_i k(x_i, x) (m,), before rho is subtracted."""
        return self.decision_function(X) + self.offset_

    def decision_function(self, X: Any) -> np.ndarray:
        """Values f(x) (m,): negative for novelties."""
        return self._values(self._points(X))[:, 0]

    def predict(self, X: Any) -> np.ndarray:
        """+1 where f(x) >= 0, -1 for novelties."""
        return np.where(self.decision_function(X) >= 0, 1, -1)


def rounding(problem: BoxProblem, alpha: np.ndarray) -> float:
    """What rounding leaves open of a decision value, in whatever order it is summed up."""
    from svmlib.dual.certificate import error_of  # brings numba

    size = np.sqrt(np.abs(problem.diag))
    return error_of(problem.kernel_error, problem.n) * float(np.linalg.norm(size * alpha)) * float(size.max())
