"""The package reads and predicts as the command line does."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import EXAMPLES

from parcorels import RuleListClassifier, RuleSetClassifier, TreeClassifier

NAMES = ["monk1", "monk2", "monk3", "tictactoe", "integers", "floats", "missing", "mixed", "words", "few"]


def without_options(text):
    """Return a model's file without the options, which say the same in other words."""
    model = json.loads(text)
    assert model.pop("options")
    return json.dumps(model, indent=2)


def learn(X, y, **parameters):
    return RuleListClassifier(**{"max_card": 1, **parameters}).fit(X, y)


def learn_some(name, X, y):
    """Return a list of some rules. That of MONK's second problem need not be proved."""
    if name == "monk2":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return learn(X, y, max_card=2, time_limit=1)
    return learn(X, y, lambda_=0.005, negations=name in ("mixed", "missing"))


def learn_tree(name, X, y):
    return TreeClassifier(lambda_=0.002, max_depth=4).fit(X, y)


@pytest.mark.parametrize("name", ["monk1", "integers", "missing", "mixed", "few"])
def test_same_model(name, tables, command, tmp_path):
    """The command line learns the same from the table as a file."""
    X, y = tables[name]
    clf = RuleListClassifier(lambda_="1/50").fit(X, y)
    clf.write_table(tmp_path / "table.csv", X, y)
    command("fit", tmp_path / "table.csv", "--sep", "comma", "--lambda", "1/50", "-o", tmp_path / "m.json")
    assert without_options(clf.model_json_) == without_options((tmp_path / "m.json").read_text(encoding="utf-8"))


def test_same_model_as_the_file_it_was_read_from(command, tmp_path):
    """Of a plain file the canonical text is the file itself."""
    for name in ("monk1", "tictactoe"):
        (tmp_path / "table.csv").write_bytes((EXAMPLES / f"{name}.csv").read_bytes())
        table = pd.read_csv(tmp_path / "table.csv")
        clf = learn(table.iloc[:, :-1], table.iloc[:, -1])
        command("fit", tmp_path / "table.csv", "--max-card", "1", "-o", tmp_path / "m.json")
        assert without_options(clf.model_json_) == without_options((tmp_path / "m.json").read_text(encoding="utf-8"))


def test_same_model_with_weights(tables, command, tmp_path):
    X, y = tables["mixed"]
    w = np.random.default_rng(1).integers(1, 9, len(y)) / 4
    clf = RuleListClassifier(max_card=1, class_weight={"no": 0.5, "yes": 3}).fit(X, y, sample_weight=w)
    clf.write_table(tmp_path / "table.csv", X, y, w)
    command("fit", tmp_path / "table.csv", "--sep", "comma", "--max-card", "1", "--weight", "weight", "--positive", "yes",
            "--class-weights", "0.5,3", "-o", tmp_path / "m.json")
    assert without_options(clf.model_json_) == without_options((tmp_path / "m.json").read_text(encoding="utf-8"))


def learn_set(name, X, y):
    return RuleSetClassifier(lambda_=0.1).fit(X, y)


@pytest.mark.parametrize("learn", [learn_some, learn_tree, learn_set])
@pytest.mark.parametrize("name", NAMES)
def test_same_predictions(name, learn, tables, predicted):
    X, y = tables[name]
    compare(learn(name, X, y), X, y, predicted)


@pytest.mark.parametrize("learn", [learn_some, learn_tree, learn_set])
@pytest.mark.parametrize("name", NAMES)
def test_same_predictions_on_other_cells(name, learn, tables, predicted):
    """Tables that were never seen: cells missing, of new values, of other kinds."""
    X, y = tables[name]
    clf = learn(name, X, y)
    rng = np.random.default_rng(5)
    other = X.astype(object).copy()
    odd = [None, "NA", "7", "yes", "no", "true", " red ", "1e400", "0x1", "inf", "-0.0", "never seen", "1_0", ".5", "T", "1.0"]
    for column in other.columns:
        at = rng.random(len(other)) < 0.3
        other.loc[at, column] = rng.choice(np.array(odd, dtype=object), at.sum())
    compare(clf, other, y, predicted)


def compare(clf, X, y, predicted):
    rows = predicted(clf, X, y)
    assert [r["prediction"] for r in rows] == [str(c) for c in clf.predict(X)]
    cases = clf.apply(X)
    rules = clf.rules_
    for r, case in zip(rows, cases):
        text = rules[case].condition
        assert r["prediction_rule"] == (f"{case + 1}: {text}" if text else "else")
    at = np.searchsorted(clf.classes_, clf.predict(X))
    wanted = clf.predict_proba(X)[np.arange(len(X)), at]
    got = np.array([float(r["prediction_probability"]) for r in rows])
    assert np.allclose(wanted, got, atol=1e-6)
    assert len(set(cases)) == len(rules) or len(set(cases)) > 1, "the table tells too little"


def test_types_do_not_matter(tables):
    """A column means its texts, whatever dtype holds them."""
    X, y = tables["integers"]
    X = X - X.min()
    want = learn(X, y)
    for dtype in (np.int16, np.uint8, np.uint64, np.float32, np.float64, "Int64", "Float64", str, object, "string"):
        other = X.astype(dtype)
        assert learn(other, y).model_json_ == want.model_json_, dtype
        assert (want.predict(other) == want.predict(X)).all(), dtype
    assert (learn(X.to_numpy(), y).predict(np.asfortranarray(X)) == want.predict(X)).all()
