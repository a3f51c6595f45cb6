"""The same grid search on a Dask cluster: joblib's backend decides where the fits run."""
import numpy as np
import pytest
from joblib import parallel_config
from sklearn.model_selection import GridSearchCV

from svmlib import SVC
from svmlib.kernels import Gaussian

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster():
    """One worker in this process: what matters is that joblib sends the fits through the scheduler."""
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None,
                                  scheduler_port=0) as cluster, distributed.Client(cluster) as client:
        yield client


def test_grid_search_on_a_dask_cluster(cluster):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=2400)
    X = rng.normal(size=(3, 4))[y] * 2 + rng.normal(size=(2400, 4))
    grid = {"C": [0.1, 10.0], "kernel__sigma": [0.5, 2.0]}
    search = GridSearchCV(SVC(Gaussian(sigma=1.0), solver="working_set"), grid, cv=2)
    here = search.fit(X, y).cv_results_["mean_test_score"]
    with parallel_config("dask"):
        there = search.set_params(n_jobs=2).fit(X, y).cv_results_["mean_test_score"]
    np.testing.assert_array_equal(here, there)
    assert here.std() > 0
    story = cluster.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.transition_log))
    assert story > 8                                          # the eight fits went through the scheduler
