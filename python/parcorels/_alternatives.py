"""All good rule lists or trees of a table: the Rashomon set."""

import json
import os
import tempfile
from collections import namedtuple

import numpy as np

from . import _engine
from ._cells import read_table
from ._path import Predicts, predicting

_Fields = namedtuple("GoodModel", "objective size errors text")


class GoodModel(Predicts, _Fields):
    """A rule list or tree that is nearly optimal.

    objective of it, (weight of errors)/(total weight) + λ·(number of rules or leaves)
    size      how many it has
    errors    training samples that it gets wrong
    text      the model as people read it
    """


class RashomonSet:
    """All rule lists, or trees, whose objective is nearly optimal, with any labels.

    RuleListClassifier.alternatives and TreeClassifier.alternatives make one. `len` counts the models,
    n_models has their number if it exceeds what len can return. Every answer is exact and about all
    models, not a sample.

    Attributes
    ----------
    n_models, n_classifiers : int
        Models, and lists that differ in a prediction for some training sample; the latter is None if
        there are too many to tell apart, and of trees.
    optimum_, threshold_ : float
        The least objective, and the largest that counts as good.
    complete_ : bool
        False if a limit made threshold_ smaller than what was asked for.
    models_by_size_ : dict
        Number of models by their number of rules or leaves.
    best_ : GoodModel
        The optimum.
    """

    def __init__(self, table, arguments, good):
        self._folder = tempfile.TemporaryDirectory()
        self._names, self._target = table.shown(), table.target
        self._described = table.described()
        self._table = os.path.join(self._folder.name, "table.csv")
        _engine.write_columns(self._table, *table.all())
        self._file = os.path.join(self._folder.name, "good")
        self._column = None
        found = self._run(*arguments, *good, "-o", self._file, "--show", "1")
        self._adopt(found)

    def _adopt(self, found):
        self._part = "leaves" if found["model"] == "tree" else "rules"
        self.n_models = int(found["models"])
        self.n_classifiers = found.get("classifiers")
        self.optimum_, self.threshold_, self.complete_ = found["optimum"], found["threshold"], found["complete"]
        self.models_by_size_ = {x["size"]: int(x["models"]) for x in found["by_size"]}
        self.best_ = self._models(found)[0] if found["shown"] else None

    def _run(self, *arguments):
        command = ["alternatives", self._table, *arguments, "--progress", "never", "--json", "-"]
        return json.loads(_engine.command(command))

    def _ask(self, *arguments):
        mine = [] if self._column is None else ["--without-column", self._column]
        command = ["alternatives", self._table, "--from", self._file, *mine, *arguments, "--json", "-"]
        return json.loads(_engine.command(command))

    def __len__(self):
        return self.n_models

    def __repr__(self):
        more = "" if self._column is None else f" without {self._column!r}"
        return f"<RashomonSet of {self.n_models:,} {self._kind()}{more}, objectives {self.optimum_:.6g} to {self.threshold_:.6g}>"

    def _kind(self):
        return "trees" if self._part == "leaves" else "rule lists"

    def _models(self, found):
        return [predicting(GoodModel(x["objective"], x["size"], x["errors"], x["text"]), x["model_file"], self._described) for x in found["shown"]]

    def sample(self, n=1, random_state=0):
        """Return n models at random, each as likely as any other."""
        return self._models(self._ask("--sample", str(n), "--seed", str(random_state)))

    def classifiers(self, n=10):
        """Return the smallest list of each of the first n classifiers, the best first."""
        if self._part == "leaves":
            raise ValueError("trees that predict alike are not put together: take a sample of them")
        return self._models(self._ask("--show", str(n)))

    def to_frame(self, n=1000):
        """Return classifiers(n) as a DataFrame; of trees, a sample of n."""
        import pandas as pd

        return pd.DataFrame(self._some(n), columns=_Fields._fields)

    def _some(self, n):
        return self.sample(n) if self._part == "leaves" else self.classifiers(n)

    def without(self, column):
        """Return the set of the good models that do not look at a column; it may be empty."""
        if self._column is not None:
            raise ValueError(f"this set is already without {self._column!r}")
        other = object.__new__(RashomonSet)
        other.__dict__.update(self.__dict__)
        other._column = column
        other._adopt(other._ask("--show", "1"))
        return other

    def columns(self):
        """Return a DataFrame: of each column the share of the models that look at it, the objective of
        the best model that does not (NaN if every good model does), and the least and largest share of the
        samples that rules, or paths, with it decide."""
        import pandas as pd

        names = {"share_of_models": "share", "best_without": "best_without", "decides_least": "decides_least", "decides_most": "decides_most"}
        found = self._ask("--columns", "--show", "0")["columns"]
        index = pd.Index([c["column"] for c in found], name="column")
        return pd.DataFrame({to: [c.get(key, np.nan) for c in found] for key, to in names.items()}, index=index)

    def fewest_columns(self):
        """Return the sets of columns that are enough for a good model, and no part of them is, as a
        list of (columns, objective); those of the fewest columns first."""
        return [(c["columns"], c["objective"]) for c in self._ask("--columns", "--show", "0")["column_choices"]]

    def fairest(self, group, measure="selection-rate"):
        """Return a DataFrame of the best models for ever smaller differences between two groups.

        group: a column of two values, or "column=value" for one against all others. measure:
        "selection-rate", "tpr" or "fpr", the rate of predictions of class 1 of all, of those of
        class 1, or of those of class 0. There must be two classes. No good model has both a smaller objective and a
        smaller difference than one of these; the last is the fairest."""
        import pandas as pd

        found = self._ask("--group", group, "--measure", measure, "--show", "0")["front"]
        return pd.DataFrame([(t["objective"], t["difference"], t["text"]) for t in found], columns=["objective", "difference", "text"])

    def flips(self, X):
        """Return for each row of X by how much the best model that decides otherwise than the optimum is
        worse; NaN where every good model decides alike."""
        columns, _, n = read_table(X)
        if len(columns) != len(self._names):
            raise ValueError(f"X has {len(columns)} features, but the set was made of {len(self._names)}")
        path = os.path.join(self._folder.name, "rows.csv")
        _engine.write_columns(path, self._names, columns)
        rows = self._ask("--rows", path, "--show", "0")["rows"]
        return np.array([r.get("worse_by", np.nan) for r in rows])

    def plot(self, ax=None, n=1000):
        """Draw the objective of the smallest list of each classifier against its rules, or that of a sample
        of trees against their leaves, by matplotlib. Returns the axes."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        found = self._some(n)
        ax.scatter([x.size for x in found], [x.objective for x in found], s=12)
        ax.axhline(self.threshold_, linewidth=0.8, linestyle="--")
        ax.set_xlabel(self._part)
        ax.set_ylabel("objective")
        ax.set_title(f"{self.n_models:,} good {self._kind()}")
        return ax
