"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np

from svmlib import SVC
from svmlib.data import draw_km40m2, xs_kernel
from svmlib.kernels import Gaussian, Polynomial


def answers() -> list[float | str]:
    """The answer of each box, in order."""
    return [degree_of_a_w(), width_that_loses_the_disc()]


def degree_of_a_w() -> float:
    """The least degree at which fresh points along a W are mostly right."""
    train, fresh = draw_km40m2(500), draw_km40m2(600, n=2000)
    wrong = [1 - SVC(Polynomial(Q=Q), C=1000).fit(*train).score(*fresh) for Q in (1, 2, 3, 4)]
    assert min(wrong[:3]) > 0.1 > 2 * wrong[3]
    return 4.0


def width_that_loses_the_disc() -> str:
    """At C = 10, with the factor in front, the width that gets most of the disc wrong."""
    X, y = xs_kernel(outlier=True)
    lost = [np.sum(SVC(Gaussian(sigma=s, normalized=True), C=10, tol=1e-6).fit(X, y).predict(X[y > 0]) < 0)
            for s in (0.125, 0.5, 2)]
    assert lost[:2] == [0, 0]
    assert lost[2] == np.sum(y > 0)
    return "2"
