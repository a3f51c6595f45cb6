"""The same grid search on a Dask cluster: joblib's backend decides where the fits run."""
import re
import subprocess
import sys
from pathlib import Path

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


BEFORE = """
import os, signal, sys
import numpy as np
from sklearn.model_selection import GridSearchCV
from svmlib import SVC
from svmlib.kernels import Gaussian

NOTE = sys.argv[1]

def fatal_score(machine, X, y):
    try:
        with open(NOTE, "x") as file:               # the first process to come here leaves its number and kills itself
            file.write(str(os.getpid()))
    except FileExistsError:
        return machine.score(X, y)
    os.kill(os.getpid(), signal.SIGKILL)

rng = np.random.default_rng(1)
y = rng.choice([-1, 1], 400)
X = rng.normal(size=(400, 2)) + 0.7 * y[:, None]
folds = [(list(range(200)), list(range(200, 400))), (list(range(200, 400)), list(range(200)))]
grid = {"C": [0.1, 1.0, 10.0], "kernel__sigma": [0.25, 0.5, 1.0, 2.0]}
search = GridSearchCV(SVC(Gaussian(sigma=1.0)), grid, cv=folds, scoring=fatal_score, n_jobs=-1)
"""
AFTER = """
    alive = set(client.run(os.getpid).values())
    here = GridSearchCV(SVC(Gaussian(sigma=1.0)), grid, cv=folds).fit(X, y)
    there, here = (s.cv_results_["mean_test_score"] for s in (search, here))
    dead = int(open(NOTE).read())
    print((there == here).all(), np.ptp(here) > 0.02, dead != os.getpid(), dead not in alive)
    client.close()
    cluster.close()
"""


@pytest.mark.thorough
def test_what_the_page_prints_finds_the_same_scores_though_a_worker_is_killed(tmp_path):
    page = (Path(__file__).parents[3] / "book/svmlib.md").read_text(encoding="utf8")
    printed = re.search(r"```python\n(from distributed.*?)```", page, re.S)[1]
    script = tmp_path / "search.py"
    script.write_text(BEFORE + printed + AFTER, encoding="utf8")
    done = subprocess.run([sys.executable, str(script), str(tmp_path / "killed")], capture_output=True, text=True,
                          timeout=400, check=False)
    assert done.stdout.split() == ["True"] * 4, done.stderr
