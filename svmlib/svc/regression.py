"""SVR: support vector regression, the same dual problem with each point twice."""
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from svmlib.kernels import Kernel
from svmlib.restoring import all_or_nothing
from svmlib.svc.expansion import Expansion
from svmlib.svc.training_set import as_targets, checked
from svmlib.validation import check_number


class SVR(RegressorMixin, Expansion):
    """Support vector regression: f(x) = sum_i beta_i k(x_i, x) + b, flat, and within epsilon of the targets.

        minimise  1/2 |w|^2 + C sum_i max(0, |f(x_i) - y_i| - epsilon)

    Parameters
    ----------
    kernel, solver, tol, max_iter, verbose, gamma, degree, coef0 : various
        As for SVC.
    C : float > 0
        The price of one unit outside the tube; finite.
    epsilon : float >= 0
        Half the width of the tube, in units of y.

    Attributes
    ----------
    support_, support_vectors_, n_support_ : (n_SV,), (n_SV, d), (1,)
        The points on the edge of the tube or outside.
    dual_coef_ : (1, n_SV)
        beta in [-C, C], C times the weight of the point.
    intercept_, coef_ : (1,), (1, d)
        b; and w, for a linear kernel only.
    solution_, solutions_ : Solution, list of it
        Its alpha (2n,) holds the pulls up and then the pulls down, beta = up - down; its gap is primal minus dual
        value.
    n_iter_, solver_, kernel_, n_features_in_ : various
        As for SVC.

    Raises ValueError for bad input; warns with ConvergenceWarning when max_iter did not suffice.

    >>> from svmlib.kernels import Linear
    >>> line = SVR(Linear(), C=10.0, epsilon=0.1, tol=1e-9).fit([[0.0], [2.0]], [1.0, 5.0])
    >>> line.coef_.round(6), line.intercept_.round(6), line.solution_.gap < 1e-6
    (array([[1.9]]), array([1.1]), True)
    """

    def __init__(self, kernel: Kernel | Callable | str | None = None, C: float = 1.0, epsilon: float = 0.1,
                 solver: str = "auto", tol: float = 1e-3, max_iter: int | None = None, verbose: bool = False,
                 gamma: str | float = "scale", degree: int = 3, coef0: float = 0.0) -> None:
        self.kernel, self.C, self.epsilon, self.solver = kernel, C, epsilon, solver
        self.tol, self.max_iter, self.verbose = tol, max_iter, verbose
        self.gamma, self.degree, self.coef0 = gamma, degree, coef0

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SVR":
        """Train on points X (n, d), or n strings, and targets y (n,); sample_weight (n,) multiplies C point by point.

        A point of weight 0, or below 1e-13 of the largest, is left out; one of weight 2 counts as two.  Returns self.
        """
        check_number(self.C, "C", 0.0, strict=True)
        check_number(self.epsilon, "epsilon", 0.0)
        kernel = self._kernel()
        X, y = checked(self, kernel, X, y)
        y = as_targets(y)
        signs = np.repeat([[1.0], [-1.0]], len(y), axis=1)         # pulled up to y - epsilon, down to y + epsilon
        self._fit_one(kernel, X, sample_weight, y=signs, C=float(self.C), p=y - signs * self.epsilon)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Values f(x) (m,)."""
        return self._values(self._points(X))[:, 0]
