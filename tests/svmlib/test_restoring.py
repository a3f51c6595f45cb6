"""What an error leaves behind: the parameters and the machine of before."""
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from svmlib import SVC, SVR, OneClassSVM
from svmlib.kernels import Gaussian, Linear, Polynomial, Sigmoid

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = np.where(X[:, 0] + 0.3 * RNG.normal(size=40) > 0, 1, -1)
THREE = np.arange(40) % 3


@pytest.mark.parametrize(("make", "bad"), [
    (lambda: Gaussian(sigma=1.0) + Gaussian(sigma=2.0), {"k1__sigma": 3.0, "k2__sigma": -1.0}),
    (lambda: 2.0 * Gaussian(sigma=1.0), {"kernel__sigma": 3.0, "c": "x"}),
    (lambda: Polynomial(Q=2), {"Q": 3, "no_such_name": 1}),
    (lambda: Linear() * Gaussian(sigma=1.0), {"k1": Sigmoid(), "k2": 5}),
    (lambda: Linear().map(np.abs), {"kernel": Gaussian(sigma=1.0), "phi": 3}),
    (lambda: SVC(Gaussian(sigma=1.0)), {"C": 5.0, "kernel__sigma": -1.0}),
    (lambda: SVR(3.0 * Gaussian(sigma=1.0)), {"kernel__kernel__sigma": 4.0, "kernel__c": None}),
])
def test_parameters_are_set_all_or_none(make, bad):
    """sktime#10695: of two parameters the good one stayed where the bad one was refused."""
    thing = make()
    with pytest.raises(ValueError, match=r"must be|Invalid parameter"):
        thing.set_params(**bad)
    assert repr(thing) == repr(make())
    assert repr(clone(thing)) == repr(make())


@pytest.mark.parametrize("part", [5, None, "rbf", Linear])
@pytest.mark.parametrize("compose", [lambda part: (Linear() + Linear()).set_params(k2=part),
                                     lambda part: (2.0 * Linear()).set_params(kernel=part),
                                     lambda part: Linear().map(np.abs).set_params(kernel=part)])
def test_a_part_that_is_no_kernel_is_named_when_it_is_set(compose, part):
    with pytest.raises(ValueError, match="must be a svmlib kernel, got"):
        compose(part)


@pytest.mark.parametrize(("machine", "y", "bad"), [
    (SVC(), Y, lambda m: m.fit(X[:, :2], np.ones(40))),
    (SVC(Linear()), THREE, lambda m: m.fit(pd.DataFrame(X, columns=list("abc")), Y, np.zeros(40))),
    (SVR(), X[:, 0], lambda m: m.fit(X[:, :2], ["a"] * 40)),
    (OneClassSVM(), None, lambda m: m.fit(X[:, :1], sample_weight=np.ones(3))),
])
def test_a_fit_that_fails_leaves_the_machine_of_the_last_one(machine, y, bad):
    """cuml#8652: half of the old state and half of the new one."""
    machine = clone(machine).fit(X, y)
    before, state = machine.predict(X), sorted(vars(machine))
    with pytest.raises(ValueError, match=r"y must hold|sample_weight must"):
        bad(machine)
    np.testing.assert_array_equal(machine.predict(X), before)
    assert sorted(vars(machine)) == state
    fresh = clone(machine)
    with pytest.raises(ValueError, match=r"y must hold|sample_weight must"):
        bad(fresh)
    assert sorted(vars(fresh)) == sorted(fresh.get_params(deep=False))
