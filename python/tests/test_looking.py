"""What users of scikit-learn look for: paths, importances, pictures, tables of rules, models that are read back."""

import json

import matplotlib
import numpy as np
import pandas as pd
import pytest

from parcorels import BayesianRuleListClassifier, RuleListClassifier, RuleSetClassifier, TreeClassifier, cv, load

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(3)
    n = 300
    X = pd.DataFrame({"size": rng.integers(0, 50, n), "colour": rng.choice(["red", "green", "blue"], n), "noise": rng.normal(size=n).round(2)})
    X.loc[rng.random(n) < 0.05, "size"] = None
    y = np.where((X["size"] > 30) ^ (rng.random(n) < 0.05), 7, np.where(X.colour == "red", 3, 5))
    return X, y


def one_by_one(clf, X, y, weights=None):
    """Return importances as they are defined: each row takes the cell of each other row."""
    weights = np.ones(len(X)) if weights is None else weights
    wrong = lambda table: (weights * (clf.predict(table) != y)).sum() / weights.sum()
    base, found = wrong(X), []
    for name in X.columns:
        losses = [wrong(X.assign(**{name: [X[name].iloc[i]] * len(X)})) for i in range(len(X))]
        found.append(np.average(losses, weights=weights) - base)
    return np.array(found)


@pytest.mark.parametrize("clf", [RuleListClassifier(0.02), TreeClassifier(0.02), RuleListClassifier(0.9)])
def test_importances(clf, made):
    X, y = made[0].iloc[:80], made[1][:80]
    clf.fit(X, y)
    assert np.allclose(clf.feature_importances_, one_by_one(clf, X, y)) and clf.feature_importances_.shape == (3,)
    weights = np.arange(len(y)) % 3 + 1.0
    clf.fit(X, y, sample_weight=weights)
    assert np.allclose(clf.feature_importances_, one_by_one(clf, X, y, weights))


def test_columns_are_selected(made):
    from sklearn.feature_selection import RFE

    X, y = made
    assert RFE(TreeClassifier(0.02), n_features_to_select=2).fit(X.drop(columns="colour").assign(red=X.colour == "red").fillna(0), y).support_.tolist() == [True, False, True]


def test_decision_path(made):
    X, y = made
    listed = RuleListClassifier(0.02).fit(X, y)
    tried = listed.decision_path(X).toarray()
    assert tried.shape == (len(X), len(listed.rules_)) and (tried == (np.arange(tried.shape[1]) <= listed.apply(X)[:, None])).all()
    tree = TreeClassifier(0.02).fit(X, y)
    visited = tree.decision_path(X).toarray()
    nodes = tree.nodes_
    assert visited.shape == (len(X), len(nodes)) and (visited.sum(axis=0) == [sum(n.samples) for n in nodes]).all()
    leaves = [i for i, n in enumerate(nodes) if n.yes is None]
    assert (visited[:, leaves].argmax(axis=1) == tree.apply(X)).all()
    assert tree.decision_path(X.iloc[:0]).shape == (0, len(nodes))


def holds(row, cell):
    """Return whether a row of to_frame holds of a cell."""
    operator, value = row.operator, row.value
    missing = cell is None or cell != cell
    if operator in ("is missing", "is not missing"):
        return missing == (operator == "is missing")
    if missing:
        return False
    return {"==": cell == value, "!=": cell != value}[operator] if isinstance(value, str) else {"<=": cell <= value, ">": cell > value, "<": cell < value, ">=": cell >= value}[operator]


@pytest.mark.parametrize("clf", [RuleListClassifier(0.01), TreeClassifier(0.01)])
def test_frame(clf, made):
    X, y = made
    rules = clf.fit(X, y).to_frame()
    for (_, cells), predicted in zip(X.iloc[:60].iterrows(), clf.predict(X)):
        for _, rule in rules.groupby("rule"):
            parts = [r for r in rule.itertuples() if r.column is not None]
            if all(holds(r, cells[r.column]) for r in parts):
                assert rule.prediction.iloc[0] == predicted
                break


def test_tree_as_text_and_graph(made):
    tree = TreeClassifier(0.02).fit(*made)
    lines = tree.export_text().splitlines()
    assert len(lines) == len(tree.nodes_) - 1 + (len(tree.nodes_) + 1) // 2 and lines[0].startswith("|--- ")
    assert tree.export_dot().count(" -> ") == len(tree.nodes_) - 1
    ax = tree.plot()
    shown = {t.get_text().strip().replace("\n", " ") for t in ax.texts}
    assert {n.test for n in tree.nodes_ if n.test} <= shown
    matplotlib.pyplot.close(ax.figure)
    one = TreeClassifier(0.9).fit(*made)
    assert one.decision_path(made[0]).shape == (len(made[1]), 1) and "class: " in one.export_text()
    matplotlib.pyplot.close(one.plot().figure)


@pytest.mark.parametrize("clf", [RuleListClassifier(0.02), TreeClassifier(0.02), RuleSetClassifier(), BayesianRuleListClassifier(iterations=300, max_card=1, nodes=1000)])
def test_load(clf, made, tmp_path):
    X, y = made
    y = y if type(clf) in (RuleListClassifier, TreeClassifier) else y == 7
    clf.fit(X, y).save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert type(again) is type(clf) and again.classes_.tolist() == clf.classes_.tolist() and again.status_ == clf.status_
    assert (again.predict(X) == clf.predict(X)).all() and np.allclose(again.predict_proba(X), clf.predict_proba(X))
    assert again.text_.split() == clf.text_.split() and [r.condition for r in again.rules_] == [r.condition for r in clf.rules_]
    names = load(json.dumps(json.loads(clf.model_json_)), classes=["a", "b", "c"][: len(clf.classes_)])
    assert set(names.predict(X)) <= {"a", "b", "c"}
    with pytest.raises(ValueError, match="no column 'size'"):
        again.predict(X.drop(columns="size"))


def test_models_beside_others_predict(made):
    X, y = made
    for estimator in (RuleListClassifier(0.02, max_card=1), TreeClassifier(0.02)):
        for m in estimator.path(X, y, to=0.02):
            clf = m.classifier()
            assert (clf.predict(X) != y).sum() == m.errors and clf.feature_names_in_.tolist() == list(X.columns)
        for m in estimator.alternatives(X, y, within=0.05).sample(3):
            assert (m.classifier().predict(X) != y).sum() == m.errors


def test_holdout_compare_and_groups(made):
    X, y = made
    clf = RuleListClassifier(0.02, holdout=0.3).fit(X, y)
    assert clf.holdout_["test"]["rows"] == pytest.approx(0.3 * len(y), abs=3) and clf.holdout_["train"]["rows"] + clf.holdout_["test"]["rows"] == len(y)
    wished = RuleListClassifier(0.02, ignore=["size"], compare=True).fit(X, y)
    assert wished.compared_["objective"] < wished.objective_ and RuleListClassifier(0.02).fit(X, y).compared_ is None
    people = np.arange(len(y)) // 3
    found = cv(RuleListClassifier(0.05, max_card=1, ignore=["noise"]), X, y, folds=3, groups=people)
    assert found["folds"] == 3 and found != cv(RuleListClassifier(0.05, max_card=1, ignore=["noise"]), X, y, folds=3)
    same = cv(RuleListClassifier(0.05, max_card=1, ignore=["noise", "person"]), X.assign(person=people), y, folds=3, groups="person")
    assert same["lambdas"][0]["measures"] == found["lambdas"][0]["measures"]


def test_checkpoint(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (150, 8)), rng.integers(0, 2, 150)
    file = tmp_path / "search"
    with pytest.warns(match="node-limit"):
        RuleListClassifier(0.02, nodes=50, checkpoint=file).fit(X, y)
    resumed = RuleListClassifier(0.02, resume=file).fit(X, y)
    assert resumed.status_ == "optimal" and resumed.model_json_ == RuleListClassifier(0.02).fit(X, y).model_json_
