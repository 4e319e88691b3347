"""Models are fitted in the processes of a dask cluster, through joblib."""

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from parcorels import RuleListClassifier

distributed = pytest.importorskip("distributed")


def test_grid_in_two_processes():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (200, 8))
    y = (X[:, 0] & X[:, 1]) ^ (rng.random(200) < 0.1)
    grid = {"lambda_": [0.005, 0.02, 0.05]}
    here = GridSearchCV(RuleListClassifier(n_jobs=1), grid, cv=3).fit(X, y)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client, joblib.parallel_backend("dask"):
            there = GridSearchCV(RuleListClassifier(n_jobs=1), grid, cv=3).fit(X, y)
            hosts = client.run(lambda: __import__("os").getpid())
    assert len(set(hosts.values())) == 2
    assert np.array_equal(here.cv_results_["mean_test_score"], there.cv_results_["mean_test_score"])
    assert str(here.best_estimator_) == str(there.best_estimator_)
    assert here.best_params_ == there.best_params_
