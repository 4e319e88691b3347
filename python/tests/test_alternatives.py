"""All good rule lists and trees, as the command line finds them."""

import json

import numpy as np
import pytest

from parcorels import RashomonSet, RuleListClassifier, TreeClassifier


@pytest.fixture(scope="module")
def good(tables):
    X, y = tables["monk1"]
    return RuleListClassifier(lambda_=0.05).alternatives(X, y, within_rules=2)


def test_counts(good):
    assert isinstance(good, RashomonSet)
    assert len(good) == good.n_models == sum(good.models_by_size_.values()) == 8916
    assert good.n_classifiers == 374 and good.complete_
    assert good.optimum_ == pytest.approx(0.2) and good.best_.objective == pytest.approx(0.2)


def test_same_as_fit(good, tables):
    X, y = tables["monk1"]
    fitted = RuleListClassifier(lambda_=0.05).fit(X, y)
    assert good.best_.objective == pytest.approx(fitted.objective_)
    assert good.best_.text.split() == fitted.text_.split()


def test_sample(good):
    lists = good.sample(5, random_state=3)
    assert len(lists) == 5 and lists == good.sample(5, random_state=3)
    assert all(good.optimum_ <= x.objective <= good.threshold_ for x in lists)


def test_without(good):
    assert len(good.without("jacket_color")) == 0
    some = good.without("holding")
    assert 0 < len(some) < len(good) and "holding" not in " ".join(x.text for x in some.sample(20))


def test_columns(good):
    frame = good.columns()
    assert frame.loc["jacket_color", "share"] == 1 and np.isnan(frame.loc["jacket_color", "best_without"])
    assert good.fewest_columns()[0][0] == ["head_shape", "body_shape", "jacket_color"]


def test_fairest(good):
    front = good.fairest("jacket_color=red")
    assert (front.difference.abs().diff().dropna() < 0).all() and (front.objective.diff().dropna() > 0).all()


def test_flips(good, tables):
    X, y = tables["monk1"]
    flips = good.flips(X)
    assert flips.shape == (len(X),)
    assert np.nanmin(flips) > 0 and np.nanmax(flips) <= good.threshold_ - good.optimum_ + 1e-9


def test_frame(good):
    frame = good.to_frame(20)
    assert list(frame.columns) == ["objective", "size", "errors", "text"] and len(frame) == 20
    assert frame.objective.is_monotonic_increasing


def test_plot(good):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert good.plot().get_xlabel() == "rules"


def test_limit(tables):
    X, y = tables["monk1"]
    few = RuleListClassifier(lambda_=0.05).alternatives(X, y, within_rules=3, limit=100)
    assert not few.complete_ and len(few) > 0


def test_same_as_command_line(good, command, tables, tmp_path):
    X, y = tables["monk1"]
    path = tmp_path / "m.csv"
    X.assign(**{y.name: y}).to_csv(path, index=False)
    found = json.loads(command("alternatives", path, "--lambda", "0.05", "--within-rules", "2", "--json", "-"))
    assert int(found["models"]) == len(good)


def test_trees(tables):
    X, y = tables["monk1"]
    good = TreeClassifier(lambda_=0.02).alternatives(X, y, within_rules=2)
    assert len(good) == 468 and good.models_by_size_ == {7: 12, 8: 456} and "trees" in repr(good)
    assert good.best_.objective == pytest.approx(0.14) and good.best_.size == 7
    assert set(good.to_frame(20)["size"]) <= {7, 8}
    assert len(good.without("jacket_color")) == 0 and len(good.without("holding")) == 468
    assert good.fewest_columns()[0][0] == ["head_shape", "body_shape", "jacket_color"]
    assert good.flips(X).shape == (len(X),)
    with pytest.raises(ValueError, match="sample"):
        good.classifiers()


@pytest.mark.parametrize("classifier", [RuleListClassifier, TreeClassifier])
def test_more_classes(classifier):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (200, 4))
    y = np.array(["low", "middle", "high"])[X[:, 0] + X[:, 0] * X[:, 1] * (rng.random(200) < 0.9)]
    good = classifier(lambda_=0.1).alternatives(X, y, within_rules=2)
    assert len(good) > 1 and good.best_.objective == pytest.approx(good.optimum_)
    assert good.flips(X).shape == (200,)
    assert 0 < len(good.without(good.columns().index[-1])) < len(good)
    with pytest.raises(Exception, match="rate of one"):
        good.fairest(good.columns().index[0])
