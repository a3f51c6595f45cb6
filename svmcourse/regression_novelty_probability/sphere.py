"""A sphere with points and the cap that a one-class machine cuts off, in a view of one's choice."""
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from svmcourse.shared import plotting as pl
from svmlib import OneClassSVM
from svmlib.kernels import Linear


def rings(ax: Axes, at: np.ndarray, push: np.ndarray) -> None:
    """Around points (n, 2) rings whose area is the point's push (n,), a share of the largest that is allowed."""
    ax.scatter(at[:, 0], at[:, 1], s=130 * np.abs(push), facecolors="none", edgecolors=pl.INK, linewidths=1.2, zorder=4)


def on_a_sphere(seed: int = 3, n: int = 60, nu: float = 0.1) -> tuple[np.ndarray, OneClassSVM]:
    """Points (n, 3) of length 1 about one direction, and the linear one-class machine of them, whose region is a cap.

    >>> P, machine = on_a_sphere()
    >>> bool(np.allclose(np.linalg.norm(P, axis=1), 1)), bool(np.sum(machine.decision_function(P) < -1e-6) <= 6)
    (True, True)
    """
    rng = np.random.default_rng(seed)
    P = rng.normal(size=(n, 3)) * 0.3 + [0.35, 0.25, 1.0]
    P /= np.linalg.norm(P, axis=1, keepdims=True)
    return P, OneClassSVM(Linear(), nu=nu, tol=1e-9).fit(P)


def seen_from(w: np.ndarray, degrees: float) -> np.ndarray:
    """Axes (3, 3) of a view: to the right, up, and towards the eye, which looks down on w from this far off it."""
    up = w / np.linalg.norm(w)
    right = np.cross(up, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    front, t = np.cross(right, up), np.radians(degrees)
    return np.array([right, np.sin(t) * up - np.cos(t) * front, np.cos(t) * up + np.sin(t) * front])


def globe(ax: Axes, P: np.ndarray, machine: OneClassSVM, view: np.ndarray, ring: float = 110) -> None:
    """The unit sphere with points (n, 3), those outside of the cap as crosses, and the cap's rim, in a view."""
    w, rho = machine.coef_[0], -float(machine.intercept_[0])
    size = float(np.linalg.norm(w))
    normal, height = w / size, rho / size
    side = np.cross(normal, view[0] if abs(normal @ view[0]) < 0.9 else view[1])
    side /= np.linalg.norm(side)
    turn = np.linspace(0, 2 * np.pi, 241)[:, None]

    def level(h: float) -> np.ndarray:
        """The circle of the sphere at height h above the centre, seen, and how far it is in front."""
        circle = h * normal + np.sqrt(1 - h * h) * (np.cos(turn) * side + np.sin(turn) * np.cross(normal, side))
        return np.asarray(circle @ view.T)

    ax.add_patch(Circle((0, 0), 1, fc=pl.GREY, alpha=0.10, lw=0))
    ax.add_patch(Circle((0, 0), 1, fill=False, ec=pl.GREY, lw=1.2))
    for h in (-0.5, 0.0, 0.5):
        seen = level(h)
        ax.plot(*np.where(seen[:, 2:] > 0, seen[:, :2], np.nan).T, color=pl.GREY, lw=0.7)
    rim = level(height)
    ax.fill(*rim[:, :2].T, color=pl.REGION_COLORS[0], lw=0, zorder=1)
    ax.plot(*rim[:, :2].T, color=pl.INK, lw=1.6, zorder=2)
    at, out = P @ view.T, machine.decision_function(P) < -1e-6
    ax.plot(*at[~out, :2].T, "o", ms=4.5, color=pl.GREY, mec="white", mew=0.5, zorder=3)
    ax.plot(*at[out, :2].T, "X", ms=6.5, color=pl.COLORS[1], mec="white", mew=0.5, zorder=3)
    rings(ax, at[machine.support_, :2], ring / 130 * machine.dual_coef_[0])
    ax.set(xlim=(-1.15, 1.15), ylim=(-1.1, 1.1), aspect="equal")
