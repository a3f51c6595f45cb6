"""What the process imports from which the workers of chapter 17 branch off.

It trains one machine, so that the compiled functions are loaded there once and not again in every worker.
"""
import distributed.nanny  # noqa: F401  (a worker starts in it)
import numpy as np
from sklearn.model_selection import cross_val_score

from svmlib import SVC
from svmlib.kernels import Gaussian

X, y = np.random.default_rng(0).normal(size=(40, 2)), np.tile([-1, 1], 20)
cross_val_score(SVC(Gaussian(sigma=1.0)), X, y, cv=2)
