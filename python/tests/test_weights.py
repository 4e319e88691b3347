"""Sample weights are as many rows, and floats are the nearest numbers that are kept exactly."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.utils.class_weight import compute_class_weight

from parcorels import BayesianRuleListClassifier, RuleListClassifier, RuleSetClassifier, TreeClassifier, _engine, cv

ESTIMATORS = [
    RuleListClassifier(), TreeClassifier(), TreeClassifier(max_depth=2, cuts="all"), RuleSetClassifier(),
    BayesianRuleListClassifier(max_card=1, chains=2, iterations=500, time_limit=20),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("seed", range(6))
def test_sample_weight_equivalence_on_dense_data(estimator, seed):
    """check_sample_weight_equivalence_on_dense_data of scikit-learn 1.6: rows of weight 0 are absent, of weight 3 there three times."""
    rng = np.random.RandomState(seed)
    n = 15
    X = rng.rand(n, n * 2)
    y = rng.randint(0, 3 if type(estimator)._multiclass else 2, size=n)
    weight = rng.randint(0, 5, size=n)
    X_weighted, y_weighted, weight = np.vstack([X, X[:5] + 1]), np.hstack([y, y[:5]]), np.hstack([weight, np.zeros(5, dtype=int)])
    X_repeated, y_repeated = X_weighted.repeat(weight, axis=0), y_weighted.repeat(weight)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weighted = estimator.fit(X_weighted, y_weighted, sample_weight=weight)
        want = weighted.predict_proba(X), weighted.predict(X), weighted.objective_, [r.condition for r in weighted.rules_]
        repeated = estimator.fit(X_repeated, y_repeated)
    assert np.allclose(want[0], repeated.predict_proba(X)) and (want[1] == repeated.predict(X)).all()
    assert want[2] == pytest.approx(repeated.objective_) and want[3] == [r.condition for r in repeated.rules_]


def test_counts_of_the_titanic():
    """A table of counts gives the model of its 2,201 rows: λ, cuts and support are by weight."""
    freq = np.array([118, 154, 387, 670, 4, 13, 89, 3, 5, 11, 13, 1, 13, 14, 57, 75, 192, 140, 80, 76, 20, 14, 17])
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"cls": rng.choice(list("123C"), 23), "sex": rng.choice(["m", "f"], 23), "age": rng.integers(1, 60, 23)})
    y = np.where(X.sex == "f", "yes", "no")
    y[:3] = "no"
    counts, rows = TreeClassifier().fit(X, y, sample_weight=freq), TreeClassifier().fit(X.loc[X.index.repeat(freq)], y.repeat(freq))
    assert counts.result_["lambda_text"] == rows.result_["lambda_text"]
    assert len(counts.rules_) > 1 and [r.condition for r in counts.rules_] == [r.condition for r in rows.rules_]


def noisy(n=400, seed=5):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.choice(list("uvw"), n), "c": rng.integers(0, 4, n)})
    return X, ((X.a > 0.3) & (X.b != "u") ^ (rng.random(n) < 0.1)).astype(int).to_numpy(), rng


@pytest.mark.parametrize("estimator", [RuleListClassifier("cv"), TreeClassifier("cv")], ids=lambda e: type(e).__name__)
def test_lambda_by_cv_with_computed_weights(estimator):
    """The prices of a path have the total weight in their denominators, and still fit."""
    X, y, rng = noisy()
    estimator.fit(X, y, sample_weight=rng.random(len(y)))
    assert estimator.path_.picked_ is not None and estimator.score(X, y) > 0.8


@pytest.mark.parametrize("value", [1 / 569, 3 / 569, 1 / 3, 0.1 + 0.2, np.float32(0.01), np.float64(0.0123456789012345), "1/569", Fraction(3, 569), Decimal("1E-2")])
def test_floats_are_nearest_fractions(value):
    X, y, _ = noisy()
    clf = RuleListClassifier(value, max_card=1).fit(X, y)
    used = Fraction(clf.result_["lambda_text"])
    assert float(used) == pytest.approx(float(Fraction(str(value))), rel=1e-6)
    digits = isinstance(value, float) and len(repr(float(value))) > 12 and not isinstance(value, np.float32)
    assert clf.rounded_ == ({"lambda_": used} if digits else {})
    assert any("is taken as" in n for n in clf.notes_) == digits
    if value == 1 / 569:
        assert used == Fraction(1, 569)


def test_grids_of_floats():
    X, y, _ = noisy()
    search = GridSearchCV(RuleListClassifier(max_card=1), {"lambda_": np.logspace(-3, -1, 5), "min_support": [1 / 30, 0.01]}, cv=3).fit(X, y)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    path = RuleListClassifier(max_card=1).path(X, y, to=1 / 130)
    assert path.down_ == Fraction(1, 130)
    assert len(RuleListClassifier(1 / 33, max_card=1).alternatives(X, y, within=1 / 70)) > 0


def test_float_weights():
    X, y, rng = noisy()
    weights = rng.random(len(y))
    balanced = dict(zip([0, 1], compute_class_weight("balanced", classes=[0, 1], y=y)))
    for estimator in (RuleListClassifier(max_card=1), TreeClassifier(max_depth=2), RuleSetClassifier()):
        for given in (None, "balanced", balanced):
            estimator.set_params(class_weight=given).fit(X, y, sample_weight=weights)
            assert estimator.status_ in ("optimal", "finished") and estimator.score(X, y, weights) > 0.8
        assert any("rounded" in n for n in estimator.notes_)
    by_name = RuleListClassifier(0.02, max_card=1, class_weight="balanced").fit(X, y)
    assert RuleListClassifier(0.02, max_card=1, class_weight=balanced).fit(X, y).objective_ == pytest.approx(by_name.objective_, rel=1e-5)
    RuleListClassifier(lambda_="cv", max_card=1, time_limit=20).fit(X, y, sample_weight=weights)
    boosted = AdaBoostClassifier(TreeClassifier(0, max_depth=1), n_estimators=8, algorithm="SAMME").fit(X.drop(columns="b"), y)
    assert len(boosted.estimators_) > 1
    many = np.where(X.c == 3, "z", np.where(y == 1, "10", "9"))
    three = TreeClassifier(class_weight={"10": 1 / 3, "9": 2 / 3, "z": 100.0}, max_depth=1).fit(X, many)
    assert "z" in three.predict(X)


def test_columns_that_count_rows():
    y = np.arange(300) > 150
    assert RuleListClassifier(0.02).fit(np.arange(300).reshape(-1, 1), y).score(np.arange(300).reshape(-1, 1), y) > 0.99
    X = pd.DataFrame({"row_id": np.arange(300), "x": np.random.default_rng(1).random(300)})
    with pytest.warns(UserWarning, match='are not used, as they number rows or are ids.*"row_id"'):
        RuleListClassifier(0.02).fit(X, y)


def test_xor():
    rng = np.random.default_rng(1)
    X = rng.random((2000, 2))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    tree = TreeClassifier().fit(X, y)
    assert tree.score(X, y) > 0.8 and any("cut at quantiles" in n for n in tree.notes_)
    with pytest.warns(UserWarning, match="no threshold on one alone"):
        RuleListClassifier().fit(X, y)


def test_levels_and_labels_of_any_text():
    rng = np.random.default_rng(3)
    age = pd.cut(rng.integers(0, 90, 300), [-1, 17, 30, 65, 100], labels=["<18", "18-30", '31="65"', ">65"])
    X = pd.DataFrame({"a=b": age, "z": rng.integers(0, 3, 300)})
    y = np.where(np.asarray(age.codes) > 1, "NA", "")
    clf = RuleListClassifier(0.01).fit(X, y)
    assert clf.score(X, y) == 1 and list(clf.classes_) == ["", "NA"] and "'NA'" in clf.text_
    assert (RuleListClassifier(0.01, ordered={"a=b": list(age.categories)}).fit(X.astype({"a=b": str}), y).predict(X) == y).all()
    assert RuleListClassifier(0.01, positive="").fit(X, y).score(X, y) == 1
    none = X.iloc[:0]
    assert clf.predict(none).shape == (0,) and clf.predict_proba(none).shape == (0, 2)


@pytest.mark.parametrize("limit, good", [(np.inf, True), (1e-6, True), (True, False), ("x", False), (0, False)])
def test_limits_of_time(limit, good):
    X, y, _ = noisy(60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if good:
            RuleListClassifier(time_limit=limit).fit(X, y)
            return
    with pytest.raises(_engine.ParameterError) as wrong:
        RuleListClassifier(time_limit=limit).fit(X, y)
    assert wrong.value.parameter == "time_limit" and "--" not in str(wrong.value)


def test_messages_are_of_this_language():
    X, y, _ = noisy(60)
    with pytest.raises(ValueError, match="^row 3: ") as wrong:
        RuleListClassifier(ordered={"b": ["u", "v"]}).fit(X.assign(b=["u"] * 3 + ["w"] * 57), y)
    assert "table.csv" not in str(wrong.value)
    with pytest.raises(_engine.ParameterError, match="^forbid"):
        RuleListClassifier(forbid=["zz = 1"]).fit(X, y)


def test_cv_of_columns():
    X, y, _ = noisy()
    assert cv(RuleListClassifier(0.02, max_card=1), X, y, folds=3)["folds"] == 3


def test_fair_ignore_missing_and_nodes():
    X, y, rng = noisy()
    X = X.assign(group=rng.choice(["g", "h"], len(y)), odd=rng.choice(["x", "-", "z"], len(y)))
    clf = RuleListClassifier(0.01, max_card=1, fair="group", parity=0.05, ignore=["group"]).fit(X, y)
    assert clf.status_ == "optimal" and clf.fair_["proved"] and abs(clf.fair_["limits"][0]["rate"]) <= 0.05
    rates = [clf.predict(X)[X.group == g].mean() for g in "gh"]
    assert abs(rates[0] - rates[1]) <= 0.05 and "group" not in clf.text_
    with pytest.raises(ValueError, match="parity"):
        RuleListClassifier(fair="group").fit(X, y)
    found = RuleListClassifier(0.01, max_card=1, recall=0.95).fit(X, y)
    marked = found.predict(X) == found.classes_[1]
    assert found.fair_["proved"] and marked[y == found.classes_[1]].mean() >= 0.95
    for clf in (RuleListClassifier(0.01, max_card=1, maximise="f1"), TreeClassifier(0.01, max_depth=2, maximise="f1")):
        f1 = clf.fit(X, y).f1_
        assert clf.status_ == "optimal" and f1["bound"] == f1["score"] <= f1["f1"]
    assert (RuleListClassifier(0.01, max_card=1, select=0.2).fit(X, y).predict(X) == found.classes_[1]).mean() <= 0.2
    assert any("missing" in line for line in RuleListClassifier(0.001, max_card=1, missing=["-"], ignore=["a", "b", "c", "group"], min_support=0).fit(X, X.odd == "-").text_.split("\n"))
    few = [RuleListClassifier(0.001, nodes=20).fit(X, y) for _ in range(2)]
    assert few[0].status_ == "node-limit" and few[0].model_json_ == few[1].model_json_


def test_idioms():
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    X, y, _ = noisy()
    clf = RuleListClassifier(0.02, max_card=1).fit(X, y)
    assert str(clf) == clf.text_ and "lambda_" in str(RuleListClassifier(0.02)) and (clf.decision_path(X).sum(axis=1).A1 == clf.apply(X) + 1).all()
    assert np.allclose(np.exp(clf.predict_log_proba(X)), clf.predict_proba(X))
    encoded = make_pipeline(make_column_transformer((OneHotEncoder(), ["b"]), sparse_threshold=1), RuleListClassifier(0.02, max_card=1))
    assert encoded.fit(X, y).score(X, y) > 0.5


def test_costs():
    """Decisions cost what brute force says is least, and are predicted by name."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (200, 3))
    costs = {"call": np.where(X[:, 1] > 0, 1.25, 4) + rng.integers(0, 3, 200), "leave": np.full(200, 3.5)}
    model = TreeClassifier(lambda_="0", max_depth=1).fit_costs(X, costs)
    by_column = [sum(min(costs[d][X[:, j] == v].sum() for d in costs) for v in (0, 1)) for j in range(3)]
    assert model.result_["cost"] == pytest.approx(min(by_column))
    decided = model.predict(X)
    assert set(decided) == {"call", "leave"}
    assert sum(costs[d][i] for i, d in enumerate(decided)) == pytest.approx(model.result_["cost"])
    with pytest.raises(ValueError, match="decisions"):
        RuleListClassifier().fit_costs(X, {"call": costs["call"]})
    costs["visit"] = np.where(X[:, 0] > 0, 1.5, 5)
    model = TreeClassifier(lambda_="0", max_depth=1, ask_cost=2.25).fit_costs(X, costs)
    each = {**costs, "ask": np.full(200, 2.25)}
    decided = model.predict(X)
    assert model.result_["cost"] == pytest.approx(min(sum(min(each[d][X[:, j] == v].sum() for d in each) for v in (0, 1)) for j in range(3)))
    assert sum(each[d][i] for i, d in enumerate(decided)) == pytest.approx(model.result_["cost"])
    asking = RuleListClassifier(0.05, max_card=1, ask_cost=0.2).fit(X, rng.integers(0, 2, 200))
    assert set(asking.predict(X)) == {"ask"} and asking.predict_proba(X).shape == (200, 3)
