"""Rows that are computed when they are first read: their exponential."""
import numpy as np

from svmlib.engine.row_kernels import exp_in_place


def test_exp_is_exact_to_two_units_in_the_last_place():
    v = -np.r_[0.0, np.geomspace(1e-12, 700.0, 20_000), np.random.default_rng(0).uniform(0.0, 40.0, 20_000)]
    e = v.copy()
    exp_in_place(e)
    exact = np.exp(v.astype(np.longdouble)).astype(float)
    assert e[0] == 1.0
    assert (np.abs(e - exact) / np.spacing(exact)).max() <= 2.0
    far = np.array([-708.0, -1e4, -1e300])
    exp_in_place(far)
    assert np.all((far >= 0) & (far < 1e-307))
