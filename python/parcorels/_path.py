"""All models of a table that are optimal for some λ."""

import json
import os
import tempfile
from collections import namedtuple
from collections.abc import Sequence
from fractions import Fraction

from . import _engine

_Fields = namedtuple("PathModel", "size errors accuracy lambda_from lambda_to cv_accuracy cv_error text missed false_alarms miss_weight")


class Predicts:
    """A model that was found beside others."""

    def classifier(self):
        """Return the model as a fitted classifier, which predicts."""
        return self._table.classifier(self._file, self.text)


class PathModel(Predicts, _Fields):
    """A model that is optimal for every λ from lambda_from to lambda_to.

    size        its rules, or leaves
    errors      training samples that it gets wrong
    accuracy    share of the training weight that it gets right
    lambda_from, lambda_to : Fraction
                An estimator with lambda_=lambda_from learns this model.
    cv_accuracy, cv_error
                Mean accuracy of models of its λ on ten folds left out, and its standard error; None
                if nobody asked.
    text        the model as people read it
    missed, false_alarms
                rows of the second class predicted wrongly, and of the first; None of more than two classes
    miss_weight what a missed row weighs beside a false alarm, on a front; else None
    """


def predicting(model, file, table):
    """Keep what a model needs to become a classifier: its file, and what is known of its table."""
    model._file, model._table = file, table
    return model


class LambdaPath(Sequence):
    """All models that are optimal for some λ, from the smallest model to the largest, or those of a front,
    from the most missed rows to the fewest: a sequence of PathModel. RuleListClassifier.path and TreeClassifier.path make one.

    Attributes
    ----------
    picked_ : PathModel or None
        The model that `pick` chose.
    down_ : Fraction
        The path is proved for λ from here to 1.
    open_ : list of (Fraction, Fraction)
        Between these λ a limit of time left open whether another model is better.
    """

    def __init__(self, table, arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "table.csv")
            _engine.write_columns(file, *table.all())
            found = json.loads(_engine.command(["path", file, *arguments, "--json", "-"]))
        described = table.described()
        self._models = [
            predicting(PathModel(v["size"], v["errors"], v["right"], Fraction(v["from"]), Fraction(v["to"]), v.get("cv_accuracy"), v.get("cv_standard_error"), v["text"], v.get("missed"), v.get("false_alarms"), Fraction(v["miss_weight"]) if "miss_weight" in v else None), v["model_file"], described)
            for v in found["vertices"]
        ]
        self.picked_ = self._models[found["picked"]] if "picked" in found else None
        self.down_ = Fraction(found["certified_down_to"])
        self.open_ = [(Fraction(low), Fraction(high)) for low, high in found["open"]]

    def __len__(self):
        return len(self._models)

    def __getitem__(self, i):
        return self._models[i]

    def __repr__(self):
        return f"<LambdaPath of {len(self)} models of {min(m.size for m in self)} to {max(m.size for m in self)} rules or leaves, λ ≥ {self.down_}>" if self else "<LambdaPath of no model>"

    def to_frame(self):
        """Return the path as a DataFrame, a row for each model. The λ are floats there."""
        import pandas as pd

        return pd.DataFrame(self._models, columns=_Fields._fields).astype({"lambda_from": float, "lambda_to": float, "cv_accuracy": float, "cv_error": float})

    def plot(self, ax=None):
        """Draw accuracy against size by matplotlib: in training, and on the folds left out where that is
        known, with standard errors. A front: what is missed against false alarms. Returns the Axes."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        if self and self[0].miss_weight is not None:
            ax.scatter([m.false_alarms for m in self], [m.missed for m in self])
            ax.set_xlabel("false alarms")
            ax.set_ylabel("missed")
            return ax
        sizes = [m.size for m in self]
        ax.plot(sizes, [m.accuracy for m in self], marker="o", label="training")
        if self and self[0].cv_accuracy is not None:
            ax.errorbar(sizes, [m.cv_accuracy for m in self], [m.cv_error for m in self], marker="o", capsize=3, label="folds left out")
            ax.legend()
        ax.set_xlabel("rules or leaves")
        ax.set_ylabel("accuracy")
        return ax
