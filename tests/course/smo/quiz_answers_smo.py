"""The quiz of this chapter, computed."""
import numpy as np

from svmlib.solvers.smo_lab_sheet import one_step


def answers() -> list[list[bool]]:
    """For each question whether each choice holds."""
    return [ends(), clipped(), falls(), interval(), second_order()]


def ends() -> list[bool]:
    """The values of alpha_i on a grid for which the partner stays in its box."""
    grid = np.linspace(0, 1, 101)
    allowed = grid[(1.2 - grid >= -1e-9) & (1.2 - grid <= 1 + 1e-9)]
    return [np.allclose((allowed.min(), allowed.max()), pair) for pair in ((0, 1), (0.2, 1), (0.6, 1))]


def clipped() -> list[bool]:
    """One step on the pair."""
    y, K = np.array([-1.0, 1.0]), np.array([[0.0, 0.0], [0.0, 4.0]])
    alpha = one_step(0, 1, np.zeros(2), y, K, np.zeros(2), 0.2, 0.0)[0]
    return [np.allclose(alpha, pair) for pair in ((0.5, 0.5), (0.2, 0.2), (0.2, 0.0))]


def falls() -> list[bool]:
    """Whether the dual value falls somewhere in 3,000 steps with each slip, on points of which two are equal."""
    rng = np.random.default_rng(0)
    y = np.repeat([-1.0, 1.0], 10)
    X = rng.normal(size=(20, 2)) + y[:, None]
    X[10:13] = X[:3]                                                             # three equal pairs, both labels
    return [_falls(X @ X.T, y, slip) for slip in ("none", "half", "stale", "exchanged")]


def _falls(K: np.ndarray, y: np.ndarray, slip: str) -> bool:
    rng, alpha, f, b, value, fell = np.random.default_rng(1), np.zeros(20), np.zeros(20), 0.0, 0.0, False
    for _ in range(3000):
        i, j = rng.choice(20, 2, replace=False)
        new, f_new, b_new = one_step(i, j, alpha, y, K, f, 1.0, b)
        if slip == "exchanged" and K[i, i] + K[j, j] - 2 * K[i, j] <= 0:
            delta = y[i] * (f[j] - y[j] - f[i] + y[i])                           # different labels: both move alike
            new = alpha.copy()
            new[[i, j]] += -min(alpha[i], alpha[j]) if delta > 0 else 1 - max(alpha[i], alpha[j])
            f_new = K @ (new * y) + b
        if slip == "half":
            f_new = f + y[i] * (new[i] - alpha[i]) * K[i]
        if slip == "stale":
            f_new = f + K @ ((new - alpha) * y)
        alpha, f, b = new, f_new, b_new
        now = alpha.sum() - 0.5 * (alpha * y) @ K @ (alpha * y)
        fell |= bool(now < value - 1e-9)
        value = now
    return fell


def interval() -> list[bool]:
    """b on a grid: the largest value of I_up and the least of I_low."""
    points = [(1, "C", 0.4), (1, "0", -0.1), (-1, "C", 0.1), (-1, "0", 0.3)]
    up = [v for y, at, v in points if (y, at) in ((1, "0"), (-1, "C"))]
    low = [v for y, at, v in points if (y, at) in ((1, "C"), (-1, "0"))]
    found = (max(up), min(low))
    return [np.allclose(found, pair) for pair in ((-0.1, 0.4), (0.1, 0.3), (0.175, 0.175))]


def second_order() -> list[bool]:
    """The gains of the three partners."""
    g, eta = np.array([1.0, 0.0, 2.0]), np.array([4.0, 0.5, 16.0])
    best = int(np.argmax((g + 1) ** 2 / eta))
    return [best == k for k in range(3)]
