"""The parameters of the estimators agree with the engine's table of options."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import parcorels
from parcorels import RuleListClassifier
from parcorels._engine import ParameterError

ESTIMATORS = (
    parcorels.RuleListClassifier,
    parcorels.TreeClassifier,
    parcorels.RuleSetClassifier,
    parcorels.BayesianRuleListClassifier,
)

# Parameters that are no options of the same meaning: what they become is tested elsewhere.
OWN = {"chance", "holdout", "compare", "checkpoint", "resume", "fair", "parity", "equal_opportunity", "equal_odds", "recall", "precision", "select", "maximise", "class_weight", "cuts", "ordered", "n_jobs", "proof", "random_state", "time_limit", "verbose"}


@pytest.fixture(scope="module")
def table(command):
    """The rows of the table by name."""
    return {row["name"]: row for row in json.loads(command("options"))}


def options(estimator):
    """Return the parameters that are options, as {parameter: (option, default)}."""
    found = {}
    for name, value in estimator().get_params().items():
        if name not in OWN:
            found[name] = (estimator._renamed.get(name, name.rstrip("_").replace("_", "-")), value)
    return found


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_defaults(estimator, table):
    family = estimator._family or "list"
    for name, (option, default) in options(estimator).items():
        row = table[option]
        assert family in row.get("families", [family]), name
        if default is None:
            continue  # the engine's default
        wanted = row.get("defaults", {}).get(family, row.get("default"))
        if row["type"] in ("integer", "number"):
            assert Fraction(str(default)) == Fraction(wanted), name
        elif row["type"] == "switch":
            assert default is False, name
        else:
            assert default == wanted, name


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_ranges(estimator, table):
    X, y = [["a"], ["b"], ["a"], ["b"]], [0, 1, 0, 1]
    for name, (option, _) in options(estimator).items():
        row = table[option]
        if row["type"] == "integer":
            bad = [row["least"] - 1] + [row["most"] + 1] * (row["most"] < 2**62)
        elif row["type"] in ("number", "choice"):
            bad = [-1]
        else:
            continue
        for value in bad:
            with pytest.raises(ParameterError, match=name.rstrip("_")):
                estimator(**{name: value}).fit(X, y)


def test_cost_matrix_of_an_array(tables):
    """Costs are an array as scikit-learn has a confusion matrix, or the text of the command line."""
    X, y = tables["mixed"]
    models = [RuleListClassifier(0.02, cost_matrix=c).fit(X, y).text_ for c in (np.array([[0, 1], [2.5, 0]]), [[0, 1], [2.5, 0]], "0,1,2.5,0")]
    assert len(set(models)) == 1
    with pytest.raises(ValueError, match="cost_matrix"):
        RuleListClassifier(0.02, cost_matrix=[0, 1, 5]).fit(X, y)


def test_messages_name_no_file():
    X, y = pd.DataFrame({"a": [0, 1] * 20}), [0, 1] * 20
    with pytest.raises(ValueError, match="^no column") as e:
        RuleListClassifier(0.02, fair="group", parity=0.2).fit(X, y)
    assert "table" not in str(e.value)
