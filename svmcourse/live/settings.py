"""Kernels as the JavaScript of a figure names them, and back."""
from collections.abc import Mapping
from typing import Any

from svmcourse.shared import plotting
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial, Sigmoid
from svmlib.validation import as_points, as_signs

NAMES: dict[str, tuple[type, tuple[str, ...]]] = {
    "linear": (Linear, ()), "polynomial": (Polynomial, ("Q", "a", "b")),
    "gaussian": (Gaussian, ("sigma",)), "sigmoid": (Sigmoid, ("kappa", "delta")),
}


def settings_of(kernel: Kernel) -> dict[str, Any]:
    """A kernel as JSON.

    >>> settings_of(Gaussian(sigma=0.5)), settings_of(Polynomial(Q=3))
    ({'name': 'gaussian', 'sigma': 0.5}, {'name': 'polynomial', 'Q': 3, 'a': 1.0, 'b': 1.0})
    """
    for name, (kind, parameters) in NAMES.items():
        if type(kernel) is kind and getattr(kernel, "A", None) is None and not getattr(kernel, "normalized", False):
            return {"name": name, **{parameter: getattr(kernel, parameter) for parameter in parameters}}
    raise ValueError("kernel must be one of Linear(), Polynomial, Gaussian and Sigmoid for a live figure, "
                     f"got {kernel!r}")


def kernel_of(settings: dict[str, Any]) -> Kernel:
    """The kernel that such JSON names; parameters of other kernels are passed over.

    >>> kernel_of({"name": "gaussian", "sigma": 0.5, "Q": 3}).sigma
    0.5
    """
    if settings.get("name") not in NAMES:
        raise ValueError(f"kernel must have a name among {', '.join(NAMES)}, got {settings!r}")
    kind, parameters = NAMES[settings["name"]]
    return kind(**{name: settings[name] for name in parameters if name in settings})


def summary(state: Mapping[str, Any]) -> str:
    """The text/plain of a live figure, the same in a kernel and in the book.

    >>> summary({"kind": "machine"})
    '<live machine>'
    """
    return f"<live {state['kind']}>"


def points_state(X: Any, y: Any, pad: float = 0.1, **rest: Any) -> dict[str, Any]:
    """What a figure of points in the plane starts from: `points`, `labels`, `limits` with some room, and the rest.

    >>> points_state([[0, 0], [2, 1]], [-1, 1], pad=0.5, held=1)["labels"]
    [-1, 1]
    """
    X = as_points(X, "X")
    if X.shape[1] != 2:
        raise ValueError(f"X must have shape (n, 2), got {X.shape}")
    y = as_signs(y, len(X))
    return {"points": X.tolist(), "labels": y.astype(int).tolist(), "limits": list(map(float, plotting.window(X, pad))),
            **rest}
