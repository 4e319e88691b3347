"""All good rule lists of a table: the Rashomon set."""

import json
import os
import tempfile
from collections import namedtuple

import numpy as np

from . import _engine
from ._cells import Column, read_table, write_csv
from ._text import cell_text

GoodList = namedtuple("GoodList", "objective rules errors text")
GoodList.__doc__ = """A rule list that is nearly optimal.

objective of it, (weight of errors)/(total weight) + λ·(number of rules)
rules     how many it has
errors    training samples that it gets wrong
text      the list as people read it
"""


class RashomonSet:
    """All rule lists whose objective is nearly optimal, with any labels.

    RuleListClassifier.alternatives makes one. `len` counts the lists, n_lists has their number
    if it exceeds what len can return. Every answer is exact and about all lists, not a sample.

    Attributes
    ----------
    n_lists, n_classifiers : int
        Lists, and lists that differ in a prediction for some training sample; the latter is None if
        there are too many to tell apart.
    optimum_, threshold_ : float
        The least objective, and the largest that counts as good.
    complete_ : bool
        False if a limit made threshold_ smaller than what was asked for.
    lists_by_rules_ : dict
        Number of lists by their number of rules.
    best_ : GoodList
        The optimum.
    """

    def __init__(self, table, arguments, good):
        self._folder = tempfile.TemporaryDirectory()
        self._names, self._target = table.shown(), table.target
        self._table = os.path.join(self._folder.name, "table.csv")
        write_csv(self._table, *table.all())
        self._file = os.path.join(self._folder.name, "good")
        self._column = None
        found = self._run(*arguments, *good, "-o", self._file, "--show", "1")
        self._adopt(found)

    def _adopt(self, found):
        self.n_lists = int(found["lists"])
        self.n_classifiers = found.get("classifiers")
        self.optimum_, self.threshold_, self.complete_ = found["optimum"], found["threshold"], found["complete"]
        self.lists_by_rules_ = {x["rules"]: int(x["lists"]) for x in found["lists_by_rules"]}
        self.best_ = _lists(found)[0] if found["shown"] else None

    def _run(self, *arguments):
        command = ["alternatives", self._table, "--sep", "comma", *arguments, "--progress", "never", "--json", "-"]
        return json.loads(_engine.command(command))

    def _ask(self, *arguments):
        mine = [] if self._column is None else ["--without-column", self._column]
        command = ["alternatives", self._table, "--from", self._file, *mine, *arguments, "--json", "-"]
        return json.loads(_engine.command(command))

    def __len__(self):
        return self.n_lists

    def __repr__(self):
        more = "" if self._column is None else f" without {self._column!r}"
        return f"<RashomonSet of {self.n_lists:,} rule lists{more}, objectives {self.optimum_:.6g} to {self.threshold_:.6g}>"

    def sample(self, n=1, random_state=0):
        """Return n lists at random, each as likely as any other."""
        return _lists(self._ask("--sample", str(n), "--seed", str(random_state)))

    def classifiers(self, n=10):
        """Return the smallest list of each of the first n classifiers, the best first."""
        return _lists(self._ask("--show", str(n)))

    def to_frame(self, n=1000):
        """Return classifiers(n) as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.classifiers(n), columns=GoodList._fields)

    def without(self, column):
        """Return the set of the good lists that do not look at a column; it may be empty."""
        if self._column is not None:
            raise ValueError(f"this set is already without {self._column!r}")
        other = object.__new__(RashomonSet)
        other.__dict__.update(self.__dict__)
        other._column = column
        other._adopt(other._ask("--show", "1"))
        return other

    def columns(self, reliance=False):
        """Return a DataFrame: of each column the share of the lists that look at it, the objective of
        the best list that does not (NaN if every good list does), and the least and largest share of the
        samples that rules with it decide. With reliance also the least and largest accuracy that a
        good list loses if the values of the column are dealt out at random."""
        import pandas as pd

        names = {"share_of_lists": "in_lists", "best_without": "best_without", "decides_least": "decides_least", "decides_most": "decides_most"}
        if reliance:
            names.update(reliance_least="loses_least", reliance_most="loses_most")
        found = self._ask("--columns", *(["--reliance"] if reliance else []), "--show", "0")["columns"]
        index = pd.Index([c["column"] for c in found], name="column")
        return pd.DataFrame({to: [c.get(key, np.nan) for c in found] for key, to in names.items()}, index=index)

    def fewest_columns(self):
        """Return the sets of columns that are enough for a good list, and no part of them is, as a
        list of (columns, objective); those of the fewest columns first."""
        return [(c["columns"], c["objective"]) for c in self._ask("--columns", "--show", "0")["column_choices"]]

    def fairest(self, group, measure="selection-rate"):
        """Return a DataFrame of the best lists for ever smaller differences between two groups.

        group: a column of two values, or "column=value" for one against all others. measure:
        "selection-rate", "tpr" or "fpr", the rate of predictions of class 1 of all, of those of
        class 1, or of those of class 0. No good list has both a smaller objective and a
        smaller difference than one of these; the last is the fairest."""
        import pandas as pd

        found = self._ask("--group", group, "--measure", measure, "--show", "0")["front"]
        return pd.DataFrame([(t["objective"], t["difference"], t["text"]) for t in found], columns=["objective", "difference", "text"])

    def disagreement(self):
        """Return (ambiguity, discrepancy): the share of the training samples that some good list decides
        otherwise than the optimum, and the largest share that one does."""
        d = self._ask("--disagreement", "--show", "0")["disagreement"]
        return d["ambiguity"], d["discrepancy"]

    def flips(self, X):
        """Return for each row of X by how much the best list that decides otherwise than the optimum is
        worse; NaN where every good list decides alike."""
        columns, _, n = read_table(X)
        if len(columns) != len(self._names):
            raise ValueError(f"X has {len(columns)} features, but the set was made of {len(self._names)}")
        path = os.path.join(self._folder.name, "rows.csv")
        write_csv(path, self._names, columns)
        rows = self._ask("--rows", path, "--show", "0")["rows"]
        return np.array([r.get("worse_by", np.nan) for r in rows])

    def errors(self, X, y):
        """Return the fewest and the most rows of another table that a good list gets wrong."""
        columns, _, n = read_table(X)
        labels = list(np.asarray(y))
        path = os.path.join(self._folder.name, "test.csv")
        texts = sorted({cell_text(v) for v in labels})
        place = {t: i for i, t in enumerate(texts)}
        column = Column(np.array([place[cell_text(v)] for v in labels], dtype=np.int32), texts)
        write_csv(path, [*self._names, self._target], [*columns, column])
        t = self._ask("--test", path, "--show", "0")["test"]
        return t["errors_least"], t["errors_most"]

    def plot(self, ax=None, n=1000):
        """Draw the objective of the smallest list of each classifier against its rules, by matplotlib.
        Returns the axes."""
        import matplotlib.pyplot as plt

        ax = ax or plt.gca()
        found = self.classifiers(n)
        ax.scatter([x.rules for x in found], [x.objective for x in found], s=12)
        ax.axhline(self.threshold_, linewidth=0.8, linestyle="--")
        ax.set_xlabel("rules")
        ax.set_ylabel("objective")
        ax.set_title(f"{self.n_lists:,} good rule lists")
        return ax


def _lists(found):
    return [GoodList(x["objective"], x["rules"], x["errors"], x["text"]) for x in found["shown"]]
