"""All optimal models for all λ, as the command line finds them."""

from fractions import Fraction

import pytest

from parcorels import LambdaPath, RuleListClassifier, RuleSetClassifier, TreeClassifier


@pytest.fixture(scope="module")
def path(tables):
    return RuleListClassifier().path(*tables["monk1"], to="1/100")


def test_path(path):
    assert isinstance(path, LambdaPath) and not path.open_ and path.down_ == Fraction(1, 100)
    assert [(m.size, m.errors) for m in path] == [(0, 216), (1, 108), (4, 0)]
    assert [m.lambda_from for m in path] == [Fraction(1, 4), Fraction(1, 12), Fraction(1, 100)]
    assert path[-1].accuracy == 1 and path[0].cv_accuracy is None and path.picked_ is None


def test_models_of_the_path_are_fitted(path, tables):
    for m in path:
        fitted = RuleListClassifier(lambda_=m.lambda_from).fit(*tables["monk1"])
        assert fitted.text_.split() == m.text.split()


def test_front(tables):
    X, y = tables["monk1"]
    front = RuleListClassifier(max_card=1).path(X, y, to=0.05, front=[0.5, 1, Fraction(7, 2)])
    rows = [(m.missed, m.false_alarms, m.size) for m in front]
    assert len(set(rows)) == len(rows) > 2 and {m.miss_weight for m in front} <= {Fraction(1, 2), 1, Fraction(7, 2)}
    assert not any(a != b and all(x <= y for x, y in zip(a, b)) for a in rows for b in rows)
    assert (front[0].classifier().predict(X)[y == "yes"] == "no").sum() == front[0].missed
    assert RuleListClassifier(max_card=1).path(X, y, to=0.2, front="auto")
    assert f"of 0 to {max(m.size for m in front)} rules" in repr(front) and front.plot().get_ylabel() == "missed"


def test_trees(tables):
    X, y = tables["monk1"]
    path = TreeClassifier(max_depth=3).path(X, y, to=0.02)
    assert [m.size for m in path] == sorted(m.size for m in path) and len(path) > 1
    assert TreeClassifier(path[-1].lambda_from, max_depth=3).fit(X, y).objective_ == pytest.approx(1 - path[-1].accuracy + 0.02 * path[-1].size)


def test_cv(tables):
    X, y = tables["monk1"]
    fitted = RuleListClassifier(lambda_="cv").fit(X, y)
    picked = fitted.path_.picked_
    assert fitted.text_.split() == picked.text.split() and picked.cv_accuracy > 0.9
    assert fitted.verify(X, y).objective == pytest.approx(fitted.objective_)
    fitted.set_params(lambda_=0.1).fit(X, y)
    assert not hasattr(fitted, "path_")


def test_views(path):
    frame = path.to_frame()
    assert list(frame["size"]) == [0, 1, 4] and frame.lambda_from.is_monotonic_decreasing
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert path.plot().get_ylabel() == "accuracy"


def test_no_path_of_rule_sets(tables):
    assert not hasattr(RuleSetClassifier(), "path")
    with pytest.raises(ValueError, match="lambda_"):
        RuleSetClassifier(lambda_="cv").fit(*tables["monk1"])
