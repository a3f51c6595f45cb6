"""The neighbours that chapter 16 compares the SVM with: least squares, pseudo-inverse, alpha-LMS, a small network.

All are scikit-learn classifiers for two classes: y = +1 stands for classes_[1], f(x) is the decision value.
None of them maximises the margin; `geometric_margin` says what they leave of it.
"""
import warnings
from typing import Any, Self

import numpy as np
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from svmlib.compilation import njit
from svmlib.validation import check_integer, check_number


def geometric_margin(w: Any, b: float, X: Any, y: Any) -> float:
    """Smallest signed distance min_i y_i (w'x_i + b) / |w| of points X (n, d) with y (n,) in {-1, +1}.

    Negative: some point is on the wrong side.  The hard-margin SVM makes it as large as any line can.

    >>> geometric_margin([2.0], -2.0, [[0.0], [3.0]], [-1, 1])
    1.0
    """
    w, X, y = np.asarray(w, float).ravel(), np.asarray(X, float), np.asarray(y, float)
    length = float(np.linalg.norm(w))
    if length == 0:
        raise ValueError("w must not be zero: there is no line whose distance could be measured")
    return float(np.min(y * (X @ w + b)) / length)


class _TwoClasses(ClassifierMixin, BaseEstimator):
    """What all baselines share: checks, labels, prediction by the sign of f, which `_f` gives."""

    _f: Any

    def _check(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        """Points and labels in {-1, +1}."""
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) == 1:
            raise ValueError(f"y must hold two classes, got one class only: {self.classes_.tolist()}")
        if len(self.classes_) > 2:
            raise ValueError("Only binary classification is supported. The type of the target is "
                             f"{type_of_target(y)}: y has {len(self.classes_)} classes.")
        return X, np.where(y == self.classes_[1], 1.0, -1.0)

    def decision_function(self, X: Any) -> np.ndarray:
        """Decision values f (m,) of points X (m, d)."""
        check_is_fitted(self)
        return self._f(validate_data(self, X, reset=False, dtype=np.float64))

    def predict(self, X: Any) -> np.ndarray:
        """Labels (m,): classes_[1] where f > 0."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(np.intp)]

    def __sklearn_tags__(self) -> Any:
        """Two classes only."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class _LinearRule(_TwoClasses):
    """A line f(x) = w'x + b, kept as coef_ (1, d) and intercept_ (1,), with margin_, its smallest signed distance.

    `_line(X, s)` gives (b, w) from points and labels in {-1, +1}.
    """

    _line: Any

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to points X (n, d) and labels y (n,) of two classes; returns self."""
        X, s = self._check(X, y)
        v = self._line(X, s)
        b, w = v[0], v[1:]
        self.coef_, self.intercept_ = w[None, :], v[:1]
        self.margin_ = geometric_margin(w, b, X, s) if w.any() else float("-inf")
        return self

    def _f(self, X: np.ndarray) -> np.ndarray:
        return X @ self.coef_[0] + self.intercept_[0]


class LeastSquares(_LinearRule):
    """Linear least squares on the labels (LLS of the lab sheet): min over w, b of sum_i (w'x_i + b - y_i)^2.

    b drops out by centring, b = mean y - w' mean x; w solves (Xc'Xc) w = Xc'yc, by QR rather than by that product.
    Correct points far from the line cost as much as errors, so they pull the line towards themselves.

    >>> LeastSquares().fit([[0.0], [1.0], [5.0]], [-1, 1, 1]).coef_.round(3)
    array([[0.286]])
    """

    def _line(self, X: np.ndarray, s: np.ndarray) -> np.ndarray:
        centre = X.mean(axis=0)
        w = np.linalg.lstsq(X - centre, s - s.mean(), rcond=None)[0]
        return np.array([s.mean() - w @ centre, *w])


class PseudoInverse(_LinearRule):
    """Line by the pseudo-inverse (report 6.2): (b, w) = Z^+ y with rows (1, x_i)' in Z (n, d + 1).

    Z^+ = (Z'Z)^-1 Z' where Z has full column rank: then it is `LeastSquares` by another route.  Otherwise it is
    the shortest of all least-squares solutions, counting b.

    >>> PseudoInverse().fit([[0.0], [1.0], [5.0]], [-1, 1, 1]).coef_.round(3)
    array([[0.286]])
    """

    def _line(self, X: np.ndarray, s: np.ndarray) -> np.ndarray:
        return np.linalg.pinv(np.column_stack([np.ones(len(X)), X])) @ s


class AlphaLMS(_LinearRule):
    """Widrow and Hoff's alpha-LMS (report 6.2): v += alpha e z / |z|^2 point by point, z = (1, x), e = y - v'z.

    One step takes the share alpha of the point's error away, so 0 < alpha < 2 is stable.  It heads for small squared
    errors, not for a wide margin, and never quite stops: the line depends on the order of the points, and after a few
    passes still on the start; `margin_` differs from run to run where an SVM always gives the same.

    alpha : step, in (0, 2).  n_epochs : passes over the data, each in a new random order.
    random_state : seed of the start v ~ N(0, 1) and of the orders.

    >>> machine = AlphaLMS(random_state=0).fit([[0.0], [1.0], [5.0]], [-1, 1, 1])
    >>> machine.predict([[-1.0], [6.0]])
    array([-1,  1])
    """

    def __init__(self, alpha: float = 0.1, n_epochs: int = 100, random_state: Any = None) -> None:
        self.alpha, self.n_epochs, self.random_state = alpha, n_epochs, random_state

    def _line(self, X: np.ndarray, s: np.ndarray) -> np.ndarray:
        check_number(self.alpha, "alpha", 0.0, strict=True)
        if self.alpha >= 2:
            raise ValueError(f"alpha must be below 2, or errors grow with each step, got {self.alpha!r}")
        check_integer(self.n_epochs, "n_epochs")
        rng = check_random_state(self.random_state)
        Z = np.column_stack([np.ones(len(X)), X])
        step = self.alpha / np.vecdot(Z, Z)
        v = rng.standard_normal(Z.shape[1])
        for _ in range(self.n_epochs):
            _correct(v, Z, s, step, rng.permutation(len(Z)))
        return v


class NeuralNetwork(_TwoClasses):
    """A d-10-1 network of tanh units with squared loss (report 6.8), trained by SGD, conjugate gradients or BFGS.

    f(x) = tanh(v' tanh(W x + c) + d),  loss = 1/(2n) sum_i (f(x_i) - y_i)^2: not convex, so the start decides where
    training ends; `loss_` tells how good that place is.

    solver : "sgd" (one point a step, `rate`), "cg" or "bfgs" (scipy.optimize.minimize).
    max_iter : epochs or iterations; None is 3000 epochs for SGD, 1000 iterations else.  rate : step of SGD.
    hidden : units.  random_state : seed of the start, weights N(0, 1 / inputs), and of the orders of SGD, unless
    order_state has a seed for these.

    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, 1, 1, -1])
    >>> NeuralNetwork(random_state=0).fit(X, y).predict(X)
    array([-1,  1,  1, -1])
    """

    def __init__(self, hidden: int = 10, solver: str = "bfgs", max_iter: int | None = None, rate: float = 0.05,
                 random_state: Any = None, order_state: Any = None) -> None:
        self.hidden, self.solver, self.max_iter = hidden, solver, max_iter
        self.rate, self.random_state, self.order_state = rate, random_state, order_state

    def fit(self, X: Any, y: Any) -> "NeuralNetwork":
        """Fit to points X (n, d) and labels y (n,) of two classes; returns self."""
        if self.solver not in ("sgd", "cg", "bfgs"):
            raise ValueError(f"solver must be 'sgd', 'cg' or 'bfgs', got {self.solver!r}")
        check_integer(self.hidden, "hidden")
        check_number(self.rate, "rate", 0.0, strict=True)
        default = 3000 if self.solver == "sgd" else 1000
        max_iter = default if self.max_iter is None else check_integer(self.max_iter, "max_iter")
        X, s = self._check(X, y)
        rng = check_random_state(self.random_state)
        d, h = X.shape[1], self.hidden
        start = np.concatenate([rng.standard_normal(h * d) / np.sqrt(d), rng.standard_normal(h),
                                rng.standard_normal(h) / np.sqrt(h), rng.standard_normal(1)])
        train = self._descend if self.solver == "sgd" else self._minimize
        orders = rng if self.order_state is None else check_random_state(self.order_state)
        self.weights_ = train(start, X, s, max_iter, orders)
        self.loss_ = _loss(self.weights_, X, s, h)[0]
        return self

    def _descend(self, p: np.ndarray, X: np.ndarray, s: np.ndarray, max_iter: int,
                 rng: np.random.RandomState) -> np.ndarray:
        """Stochastic gradient descent: a step against the gradient of one point's loss after the other."""
        X = np.ascontiguousarray(X)
        for _ in range(max_iter):
            _step(p, X, s, self.hidden, self.rate, rng.permutation(len(X)))
        self.n_iter_ = max_iter
        return p

    def _minimize(self, p: np.ndarray, X: np.ndarray, s: np.ndarray, max_iter: int,
                  rng: np.random.RandomState) -> np.ndarray:
        """Conjugate gradients or BFGS on the whole loss."""
        answer = minimize(_loss, p, args=(X, s, self.hidden), jac=True, method=self.solver.upper(),
                          options={"maxiter": max_iter})
        self.n_iter_ = int(answer.nit)
        if answer.status == 1:
            warnings.warn(f"{self.solver} stopped after {max_iter} iterations at a loss of {answer.fun:.3g}; "
                          "raise max_iter or scale the features", ConvergenceWarning, stacklevel=3)
        return answer.x

    def _f(self, X: np.ndarray) -> np.ndarray:
        return _forward(self.weights_, X, self.hidden)[1]


def _unpack(p: np.ndarray, d: int, h: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """W (h, d), c (h,), v (h,), d from the vector of all weights."""
    return p[:h * d].reshape(h, d), p[h * d:h * d + h], p[h * d + h:-1], p[-1]


def _forward(p: np.ndarray, X: np.ndarray, h: int) -> tuple[np.ndarray, np.ndarray]:
    """Hidden activities (n, h) and outputs f (n,)."""
    W, c, v, d = _unpack(p, X.shape[1], h)
    H = np.tanh(X @ W.T + c)
    return H, np.tanh(H @ v + d)


def _loss(p: np.ndarray, X: np.ndarray, s: np.ndarray, h: int) -> tuple[float, np.ndarray]:
    """Loss and its gradient by backpropagation; tanh' = 1 - tanh^2."""
    H, f = _forward(p, X, h)
    v = _unpack(p, X.shape[1], h)[2]
    error = f - s
    out = error * (1.0 - f ** 2) / len(s)                   # dloss / d(input of the output unit)
    hidden = np.outer(out, v) * (1.0 - H ** 2)              # dloss / d(inputs of the hidden units)
    gradient = np.concatenate([(hidden.T @ X).ravel(), hidden.sum(axis=0), out @ H, [out.sum()]])
    return float(0.5 * np.mean(error ** 2)), gradient


# ---- what goes point by point, compiled: thousands of steps too small for numpy -------------------------------------
@njit()
def _correct(v: np.ndarray, Z: np.ndarray, s: np.ndarray, step: np.ndarray, order: np.ndarray) -> None:
    """v += step_i (s_i - v'z_i) z_i in place, for one point after the other."""
    for i in order:
        error = s[i]
        for j in range(len(v)):
            error -= v[j] * Z[i, j]
        for j in range(len(v)):
            v[j] += step[i] * error * Z[i, j]


@njit()
def _step(p: np.ndarray, X: np.ndarray, s: np.ndarray, h: int, rate: float, order: np.ndarray) -> None:
    """p -= rate times the gradient that `_loss` has at one point, in place, for one point after the other."""
    d = X.shape[1]
    W, c, v = p[:h * d].reshape(h, d), p[h * d:h * d + h], p[h * d + h:-1]
    H = np.empty(h)
    for i in order:
        f = p[-1]
        for k in range(h):
            a = c[k]
            for j in range(d):
                a += W[k, j] * X[i, j]
            H[k] = np.tanh(a)
            f += v[k] * H[k]
        f = np.tanh(f)
        out = rate * (f - s[i]) * (1.0 - f * f)
        p[-1] -= out
        for k in range(h):
            hidden = out * v[k] * (1.0 - H[k] * H[k])
            v[k] -= out * H[k]
            c[k] -= hidden
            for j in range(d):
                W[k, j] -= hidden * X[i, j]
