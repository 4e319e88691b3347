"""The conventions of scikit-learn."""

import json
import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

import parcorels
from parcorels import BayesianRuleListClassifier, RuleListClassifier, RuleSetClassifier, TreeClassifier, _engine


@parametrize_with_checks(
    [RuleListClassifier(), TreeClassifier(), RuleSetClassifier(), BayesianRuleListClassifier(max_card=1, chains=2, iterations=200, time_limit=2)]
)
def test_check_estimator(estimator, check):
    check(estimator)


def test_attributes(tables):
    X, y = tables["monk1"]
    clf = RuleListClassifier(lambda_=0.01).fit(X, y)
    assert clf.status_ == "optimal" and clf.gap_ == 0
    assert clf.objective_ == clf.lower_bound_ == pytest.approx(0.04)
    assert list(clf.classes_) == ["no", "yes"] and clf.n_features_in_ == 6
    assert list(clf.feature_names_in_) == list(X.columns)
    assert len(clf.rules_) == 5 and clf.rules_[0].condition == "jacket_color = red" and clf.rules_[-1].condition == ""
    assert clf.rules_[0].samples == clf.rules_[0].correct == 108
    assert clf.score(X, y) == 1
    assert clf.predict_proba(X).shape == (432, 2)
    assert (clf.predict_proba(X).argmax(axis=1) == (y == "yes")).all()
    assert "else if head_shape = octagon" in clf.text_


def test_workflow(tables):
    X, y = tables["integers"]
    search = GridSearchCV(RuleListClassifier(max_card=1), {"lambda_": [0.05, 0.01], "class_weight": [None, "balanced"]}, cv=3)
    search.fit(X, y)
    assert search.best_params_["lambda_"] == 0.01 and search.best_score_ > 0.8
    piped = make_pipeline(FunctionTransformer(lambda X: X * 2), RuleListClassifier(max_card=1))
    assert cross_val_score(piped, X, y, cv=3).mean() > 0.75
    copy = clone(search.best_estimator_)
    assert not hasattr(copy, "status_") and copy.get_params() == search.best_estimator_.get_params()
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert (again.predict(X) == search.predict(X)).all() and again.model_json_ == search.best_estimator_.model_json_


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_joblib(tables, backend):
    X, y = tables["integers"]
    with joblib.parallel_backend(backend, n_jobs=2):
        scores = cross_val_score(RuleListClassifier(max_card=1), X, y, cv=4, n_jobs=2)
    assert (scores == cross_val_score(RuleListClassifier(max_card=1), X, y, cv=4)).all()


def test_labels_of_any_kind(tables):
    X, y = tables["monk1"]
    want = RuleListClassifier().fit(X, y).predict(X) == "yes"
    for negative, positive in ((0, 1), (-1, 1), (2, 5), (1.0, 2.0), (False, True), ("f", "t"), ("+", "-"), ("b", "a")):
        labels = np.where(y == "yes", positive, negative)
        clf = RuleListClassifier().fit(X, labels)
        assert clf.predict(X).dtype == labels.dtype
        assert ((clf.predict(X) == positive) == want).all()
        assert list(clf.classes_) == sorted([negative, positive])
        assert (clf.classes_[clf.predict_proba(X).argmax(axis=1)] == clf.predict(X)).all()


def test_notes_of_the_engine_are_warnings(tables, monkeypatch):
    run = _engine.run

    def noting(*args, on_event, **kw):
        on_event({"event": "note", "text": "parcorels: note: no proof after 10.0 s: faster with --max-card 1; --time 300 ends"})
        return run(*args, on_event=on_event, **kw)

    monkeypatch.setattr(_engine, "run", noting)
    with pytest.warns(ConvergenceWarning, match="^no proof after 10.0 s: faster with max_card 1; time_limit 300 ends$"):
        RuleListClassifier().fit(*tables["monk1"])


def test_weights_are_as_many_rows():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 5, (120, 3))
    y = (X[:, 0] + rng.integers(0, 3, 120) > 4).astype(int)
    w = rng.integers(0, 4, 120)
    weighted = RuleListClassifier(lambda_=0.01, min_support=0).fit(X, y, sample_weight=w)
    repeated = RuleListClassifier(lambda_=0.01, min_support=0).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert weighted.objective_ == pytest.approx(repeated.objective_, abs=1e-9)
    fractions = RuleListClassifier(lambda_=0.01, min_support=0).fit(X, y, sample_weight=w / 3)
    assert fractions.objective_ == pytest.approx(repeated.objective_, abs=1e-6)


def test_class_weight_names_the_labels(tables):
    X, y = tables["integers"]
    low = RuleListClassifier(max_card=1, class_weight={0: 50, 1: 1}).fit(X, y).predict(X).mean()
    high = RuleListClassifier(max_card=1, class_weight={0: 1, 1: 50}).fit(X, y).predict(X).mean()
    assert low < y.mean() < high


def test_tree_of_many_classes():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.integers(0, 9, 300), "b": rng.choice(["u", "v"], 300)})
    y = np.where(X.b == "u", "low", np.where(X.a > 4, "high", "middle"))
    clf = TreeClassifier(lambda_=0.01).fit(X, y)
    assert clf.score(X, y) == 1 and len(clf.rules_) == 3 and clf.objective_ == pytest.approx(0.03)
    assert list(clf.classes_) == ["high", "low", "middle"] and (clf.predict_proba(X).sum(axis=1) == 1).all()
    assert (clf.classes_[clf.predict_proba(X).argmax(axis=1)] == y).all()
    stump = TreeClassifier(lambda_=0.01, max_depth=1).fit(X, y)
    assert len(TreeClassifier(0, max_depth=2).fit(X, y).rules_) <= 4
    assert len(stump.rules_) == 2
    for class_weight in ("balanced", {"middle": 1000, "low": 0.001}):
        weighed = TreeClassifier(lambda_=0.01, max_depth=1, class_weight=class_weight).fit(X, y)
        assert "middle" in weighed.predict(X)


def test_rule_set(tables):
    X, y = tables["monk1"]
    clf = RuleSetClassifier().fit(X, y)
    assert clf.score(X, y) == 1 and clf.rules_[-1].condition == "" and clf.rules_[-1].prediction == "no"
    assert clf.objective_ <= clf.upper_bound_
    assert all(r.prediction == "yes" for r in clf.rules_[:-1])
    assert len(RuleSetClassifier(max_rules=1).fit(X, y).rules_) == 2
    assert "has one above" in clf._repr_html_()


def test_bayesian_rule_list(tables):
    X, y = tables["monk1"]
    clf = BayesianRuleListClassifier(chains=2, iterations=2000, time_limit=2, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(X, y)
        assert clf.score(X, y) == 1 and clf.objective_ <= clf.upper_bound_
        probabilities = clf.predict_proba(X)
        assert (probabilities > 0).all() and np.allclose(probabilities.sum(axis=1), 1)
        assert "nats" in clf._repr_html_()
        again = clone(clf).set_params(random_state=np.random.RandomState(5)).fit(X, y)
    assert again.classes_.tolist() == ["no", "yes"]

    # A sample of weight ½ is half a sample: two halves are one.
    exact = BayesianRuleListClassifier(chains=2, iterations=2000, random_state=1, max_card=1, min_support=0)
    once = exact.fit(X, y, sample_weight=np.linspace(0.5, 2, len(y)).round(1)).objective_
    halves = np.concatenate([np.linspace(0.5, 2, len(y)).round(1) / 2] * 2)
    twice = exact.fit(np.concatenate([X, X]), np.concatenate([y, y]), sample_weight=halves).objective_
    assert once == twice
    exact.fit(X, y, sample_weight=np.random.default_rng(0).random(len(y)))


def test_without_scikit_learn(tmp_path):
    """numpy is enough."""
    import subprocess
    import sys

    import parcorels

    for module in ("sklearn", "pandas", "joblib"):
        (tmp_path / f"{module}.py").write_text("raise ImportError('not here')")
    folder = str(parcorels.__path__[0]).rsplit("parcorels", 1)[0]
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {folder!r}]\n"
        "import numpy as np\nfrom parcorels import RuleListClassifier\n"
        "X = np.array([['a', 1], ['b', 2], ['a', 3], ['b', 4]] * 9, dtype=object); y = X[:, 0] == 'a'\n"
        "clf = RuleListClassifier(lambda_=0.02).set_params(max_card=1).fit(X, y)\n"
        "assert clf.score(X, y) == 1 and 'max_card=1' in repr(clf), clf\n"
        "assert clf.get_params()['lambda_'] == 0.02\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "parameters, name",
    [
        ({"lambda_": 7}, "lambda_"),
        ({"lambda_": "x"}, "lambda_"),
        ({"max_card": 99}, "max_card"),
        ({"min_support": 0.9}, "min_support"),
        ({"bins": 1}, "bins"),
        ({"proof": True}, "proof is True, expected the name of a file"),
        ({"time_limit": -1}, "time_limit"),
        ({"memory": "much"}, "memory"),
        ({"class_weight": {3: 1}}, "class_weight"),
        ({"class_weight": {0: -1}}, "class_weight"),
        ({"cuts": {"zzz": [1]}}, "zzz"),
    ],
)
def test_errors_name_the_parameter(parameters, name):
    X = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 1, 2, 2]})
    with pytest.raises(ValueError, match=name) as caught:
        RuleListClassifier(**parameters).fit(X, [0, 0, 1, 1])
    assert "--" not in str(caught.value)


def test_tree_over_all_thresholds():
    X = np.arange(40.0).reshape(20, 2) / 7
    y = [0] * 3 + [1] * 11 + [2] * 6
    tree = TreeClassifier("0.01", max_depth=2, cuts="all", n_jobs=1).fit(X, y)
    assert tree.score(X, y) == 1 and len(tree.rules_) == 3
    with pytest.raises(ValueError, match="cuts"):
        RuleListClassifier(cuts="all").fit(X[:14], y[:14])


def test_bad_tables():
    X = np.zeros((4, 2))
    for bad_X, bad_y, error in (
        (X[0], [0], ValueError),
        (X, [0, 1], ValueError),
        (X, ["a", None, "a", "a"], ValueError),
        (X + 1j, [0, 1, 0, 1], ValueError),
        (np.array([["a\0", 1]] * 4, dtype=object), [0, 1, 0, 1], ValueError),
        (np.array([["\ud800", 1]] * 4, dtype=object), [0, 1, 0, 1], ValueError),
        (np.array([[{}, 1]] * 4, dtype=object), [0, 1, 0, 1], TypeError),
    ):
        with pytest.raises(error):
            RuleListClassifier().fit(bad_X, bad_y)


def test_weights_that_cannot_be():
    X, y = np.array([[0], [1], [2]]), [0, 1, 1]
    for w in ([1, 2], [1, -1, 1], [0, 0, 0], [1, np.nan, 1], [1, np.inf, 1]):
        with pytest.raises(ValueError):
            RuleListClassifier().fit(X, y, sample_weight=w)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RuleListClassifier().fit(X, y, sample_weight=[1 / 3, 2 / 7, 1e-30])


def test_positive_categories_and_use():
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"row id": np.arange(200), "code": rng.integers(1, 6, 200)})
    y = np.where(np.isin(X.code, [2, 4]), "b", "a")
    clf = RuleListClassifier(0.01, max_card=1, positive="a", categories=["code"], use=["row id"]).fit(X, y)
    assert clf.rules_[0].condition == "code = 2" and clf.score(X, y) == 1
    assert clf._decision.classes == ["b", "a"]
    assert {c["name"] for c in json.loads(clf.model_json_)["columns"]} == {"code"}
    as_category = RuleListClassifier(0.01, max_card=1).fit(X.assign(code=X.code.astype("category")), y)
    assert as_category.rules_[0].condition == "code = 2" and (as_category.predict(X) == y).all()
    weighted = RuleListClassifier(0.01, max_card=1, positive="a", class_weight={"a": 1, "b": 3}, categories=["code"]).fit(X, y)
    assert weighted.score(X, y) == 1
    for parameters in ({"positive": "c"}, {"categories": ["none"]}, {"categories": "code"}, {"use": ["none"]}):
        with pytest.raises(_engine.ParameterError) as wrong:
            RuleListClassifier(**parameters).fit(X, y)
        assert wrong.value.parameter == next(iter(parameters)) and ".csv" not in str(wrong.value)


@pytest.mark.parametrize("y", [[0, 1, None, 1], [0.0, 1.0, np.nan, 1.0], pd.array([0, 1, pd.NA, 1], dtype="Int64"), ["a", "b", None, "a"]])
def test_missing_labels(y):
    with pytest.raises(ValueError, match="y contains NaN: 1 of 4 labels are missing, the first in row 2"):
        RuleListClassifier().fit(np.eye(4), y)


def test_more_classes_name_what_takes_them():
    with pytest.raises(ValueError, match="3 classes.*RuleListClassifier and TreeClassifier.*OneVsRestClassifier"):
        RuleSetClassifier().fit(np.eye(3), [0, 1, 2])


def test_ordered_categories_and_dates():
    rng = np.random.default_rng(6)
    stages = ["low", "mid", "high", "worst"]
    stage = rng.choice(stages, 240)
    day = pd.to_datetime("2019-01-01") + pd.to_timedelta(rng.integers(0, 300, 240), unit="D")
    X = pd.DataFrame({"stage": pd.Categorical(stage, categories=stages, ordered=True), "hired": day})
    y = np.isin(stage, ["low", "mid"]) & (day <= pd.Timestamp("2019-06-30"))
    clf = RuleListClassifier(0.01).fit(X, y)
    text = " ".join(r.condition for r in clf.rules_)
    assert "stage ≤ mid" in text or "stage > mid" in text, text
    assert "hired ≤ 2019-0" in text or "hired > 2019-0" in text, text
    assert clf.score(X, y) > 0.98
    plain = X.assign(stage=X.stage.astype(str))
    assert (RuleListClassifier(0.01, ordered={"stage": stages}).fit(plain, y).predict(plain) == clf.predict(X)).all()
    assert "CASE TRIM(\"stage\") WHEN 'low' THEN 0" in clf.export(to="sql") and "'2019-0" in clf.export(to="sql")
    with pytest.raises(_engine.ParameterError) as wrong:
        RuleListClassifier(ordered={"stage": ["low", "mid"]}).fit(plain, y)
    assert wrong.value.parameter == "ordered"


def test_predictions_of_dates_are_those_of_the_program(predicted):
    rng = np.random.default_rng(7)
    day = pd.to_datetime("2018-11-03") + pd.to_timedelta(rng.integers(0, 40_000_000, 300), unit="s")
    for column in (day.strftime("%d.%m.%Y"), day.strftime("%m/%d/%Y"), day.strftime("%Y-%m-%dT%H:%M:%S"), day.astype(str)):
        X = pd.DataFrame({"seen": column, "stage": rng.integers(1, 4, 300)})
        y = np.asarray(day > pd.Timestamp("2019-03-31")) & (X.stage < 3).to_numpy()
        clf = TreeClassifier(0.01, ordered={"stage": [1, 2, 3]}).fit(X, y)
        assert clf.score(X, y) > 0.97
        want = [row["prediction"] for row in predicted(clf, X, y)]
        assert [str(v) for v in clf.predict(X)] == want


def test_times_of_pandas():
    rng = np.random.default_rng(9)
    since = pd.to_timedelta(rng.integers(0, 100_000, 300), unit="s")
    seen = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 90_000_000_000, 300), unit="ms")
    X = pd.DataFrame({"since": since, "seen": seen, "zoned": seen.tz_localize("UTC").tz_convert("Asia/Tokyo")})
    X.loc[7, "since"] = pd.NaT
    for column, y in (("since", since > pd.Timedelta("14h")), ("seen", seen > pd.Timestamp("2021-06-30")), ("zoned", seen > pd.Timestamp("2021-06-30"))):
        clf = TreeClassifier(0.01).fit(X[[column]], y)
        assert clf.score(X[[column]], y) >= 0.99
        cut = next(r.condition for r in clf.rules_).split()[-1]
        assert float(cut) == pytest.approx(14, abs=0.3) if column == "since" else "2021-0" in clf.text_, clf.text_


@pytest.mark.parametrize("numbers", [False, True])
def test_groups_of_values(predicted, numbers):
    rng = np.random.default_rng(4)
    town = rng.integers(0, 12, 400)
    X = pd.DataFrame({"town": town if numbers else [f"T{t}" for t in town]})
    y = (np.isin(town, [2, 5, 11])) ^ (rng.random(400) < 0.1)
    clf = RuleListClassifier(0.02, categories=["town"]).fit(X, y)
    assert next(r.condition for r in clf.rules_) == "town in {" + ", ".join(t if numbers else f"T{t}" for t in ["11", "2", "5"]) + "}"
    assert [str(v) for v in clf.predict(X)] == [row["prediction"] for row in predicted(clf, X, y)]


def test_evaluate_explain_report_and_cv(tables, tmp_path):
    X, y = tables["monk1"]
    clf = RuleListClassifier(0.01).fit(X, y)
    found = clf.evaluate(X, y, by="jacket_color")
    assert found["accuracy"] == 1 and found["rows"] == 432
    assert found["accuracy"] == clf.score(X, y) and "jacket_color" in json.dumps(found)
    half = clf.evaluate(X, y.to_numpy(), sample_weight=np.r_[np.ones(216), np.zeros(216)])
    assert half["rows"] == 216
    text = clf.explain(X, row=2)
    assert text.startswith("predicted yes by rule 3") and "The prediction changes if" in text
    with pytest.raises(IndexError):
        clf.explain(X, row=432)
    page = tmp_path / "page.html"
    clf.report(page, X, y, by="jacket_color")
    assert "</html>" in page.read_text(encoding="utf-8")
    clf.report(page)
    result = parcorels.cv(RuleListClassifier(0.02), X, y, folds=3)
    assert result["folds"] == 3 and result["lambdas"][0]["lambda"] == 0.02


def test_wishes():
    X = pd.DataFrame({"a": ["p", "q"] * 20, "b": ["p"] * 20 + ["q"] * 20, "c": ["p", "p", "q", "q"] * 10})
    y = ((X.a == "q") & (X.b == "q")).astype(int)
    free = RuleListClassifier("0.01", time_limit=None).fit(X, y)
    assert len(free.rules_) == 2  # with the default
    wished = RuleListClassifier("0.01", first=["c = p"], forbid=["a = q"], time_limit=None).fit(X, y)
    assert wished.status_ == "optimal" and wished.objective_ > free.objective_ and "a = q" not in wished.text_
    assert wished.text_.startswith("if   c = p")
    none = RuleListClassifier(0, max_rules=1, max_card=1, time_limit=None).fit(X, y)
    assert len(none.rules_) <= 2 and none.status_ == "optimal"


class Exchanged:
    """A table that is known by the dataframe interchange protocol alone."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.frame.__dataframe__(nan_as_null, allow_copy)


class Columns:
    """A table as pyarrow has it, of a library that is not installed."""

    def __init__(self, frame):
        self.frame = frame

    def to_pydict(self):
        return {c: [None if v != v else v for v in self.frame[c].tolist()] for c in self.frame}


FRAME = pd.DataFrame({"age": [20, 30, 40, 50, 60, 70] * 20, "height": [1.5, np.nan, 1.7, 1.8, 1.6, 1.9] * 20, "sex": ["f", "m", "m", "f", "f", "m"] * 20})
SICK = np.where(FRAME["age"] > 45, "yes", "no")


@pytest.mark.parametrize("other", [Exchanged, Columns])
def test_tables_of_other_libraries(other):
    want = RuleListClassifier(lambda_=0.01).fit(FRAME, SICK)
    got = RuleListClassifier(lambda_=0.01).fit(other(FRAME), SICK)
    assert got.text_ == want.text_ and list(got.feature_names_in_) == list(FRAME)
    assert (got.predict(other(FRAME)) == SICK).all()


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_polars_and_pyarrow(library):
    module = pytest.importorskip(library)
    table = module.table(FRAME.to_dict("list")) if library == "pyarrow" else module.DataFrame(FRAME.to_dict("list"))
    want = RuleListClassifier(lambda_=0.01).fit(FRAME, SICK)
    got = RuleListClassifier(lambda_=0.01).fit(table, SICK)
    assert got.text_ == want.text_ and (got.predict(table) == SICK).all()


def test_arrow_stream_alone():
    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            raise NotImplementedError

    try:
        import pyarrow  # noqa: F401
    except ImportError:
        with pytest.raises(TypeError, match="needs the package pyarrow"):
            RuleListClassifier().fit(Stream(), [0, 1])


def test_chance():
    clf = RuleListClassifier(lambda_=0.01, chance=19).fit(FRAME, SICK)
    assert clf.chance_ == {"shuffles": 19, "as_good": 0, "unproved": 0, "p": 0.05}
    assert TreeClassifier().fit(FRAME, SICK).chance_ is None
    with pytest.raises(_engine.ParameterError, match="chance"):
        RuleListClassifier(chance=-1).fit(FRAME, SICK)
