"""Classifiers in the conventions of scikit-learn."""

import json
import math
import numbers
import os
import sys
import tempfile
import warnings
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np

from . import _display, _engine, _tree
from ._alternatives import RashomonSet
from ._base import BaseEstimator, ClassifierMixin, ConvergenceWarning, DataConversionWarning, NotFittedError
from ._cells import Column, read_table, write_csv
from ._decision import DEFAULT_MISSING, Decision
from ._path import LambdaPath
from ._text import cell_text, clean, is_missing, parse_number

_OF_FIT = ("proof", "chance", "nodes", "holdout", "compare", "checkpoint", "resume", "fair", "parity", "equal_opportunity", "equal_odds", "recall", "precision", "select", "maximise")  # no parameters of other questions
_TERM = 1 << 40  # the largest numerator or denominator of an exact number

Rule = namedtuple("Rule", "condition prediction samples correct probabilities")
Rule.__doc__ = """A rule, a leaf or the default of a learned model.

condition     text, "" of the default
prediction    the class predicted, one of classes_
samples       training samples that it decided
correct       how many of them have the class predicted
probabilities of the classes, in the order of classes_
"""

Verification = namedtuple("Verification", "objective lower_bound rules records prefixes extensions proof_bytes seconds")
Verification.__doc__ = "What the independent checker found: the optimum, and how much it checked."


class _Classifier(ClassifierMixin, BaseEstimator):
    """What all families share: tables in, engine, predictions."""

    _family = None  # --model
    _own = ()  # parameters of the family that are options under the same name
    _renamed = {}  # others, and the options that they are
    _multiclass = False
    _ratio = float("inf")  # of class weights, at most

    # -- learning -----------------------------------------------------------

    def fit(self, X, y, sample_weight=None):
        """Learn from a table X and labels y.

        X: array of shape (n_samples, n_features) or DataFrame with columns of numbers,
        truth values, categories or texts; None and NaN are missing values. y: labels of
        any kind, shape (n_samples,). sample_weight: shape (n_samples,), not negative;
        rows of weight 0 are left out.

        Returns self. Raises ValueError for what cannot be learned from. KeyboardInterrupt
        and time_limit end the search: the best model so far is kept, and status_ and
        lower_bound_ say what is proved of it.
        """
        return self._learn(self._table(X, y, sample_weight))

    def fit_costs(self, X, costs):
        """Learn which decision costs least.

        X: as for fit. costs: what each decision costs in each row, as {decision: array of shape (n_samples,)} or a
        DataFrame; rewards are negative. The first of two decisions is class 1. predict returns decisions, and
        result_["cost"] has what those of the training rows cost in all.

        Returns self, as fit does.
        """
        columns, names, n = read_table(X)
        decisions = [str(d) for d in costs]
        if len(decisions) < 2 or getattr(self, "class_weight", None) is not None or getattr(self, "positive", None) is not None:
            raise ValueError(f"costs are of {len(decisions)} decisions, expected 2 or more, without class_weight and positive")
        each = [np.asarray(costs[d], dtype=float) for d in costs]
        if any(c.shape != (n,) or not np.isfinite(c).all() for c in each):
            raise ValueError(f"costs are to be finite numbers, {n} of each decision")
        table = _Table(columns, names, np.array(decisions), Column(np.argmin(each, axis=0).astype(np.int32), decisions), None, None, np.arange(n))
        table.costs = {d: _free(f"cost{i}", set(table.shown())) for i, d in enumerate(decisions)}
        table.spent = [Column(c) for c in each]
        return self._learn(table)

    def _learn(self, table):
        if isinstance(self, _Path):
            self._pick(table)
        self._adopt(table, self._run(["fit", "-", *self._arguments(table)], table))
        weights = np.ones(len(table.labels.values)) if table.weights is None else table.weights
        saved = weights * (table.labels.values == np.arange(len(self.classes_))[:, None])  # "ask" is never right
        if table.costs:
            costs = [c.values for c in table.spent]
            if len(costs) < len(self.classes_):
                costs.append(np.full(len(weights), float(self.ask_cost)))
            saved = np.max(costs, axis=0) - costs
        found = self._decision.importances(dict(zip(self._names_read, table.columns)), saved, self._class_of[self._decision.case_class])
        self.feature_importances_ = np.array([found.get(name, 0.0) for name in self._names_read])
        if self.status_ not in ("optimal", "finished"):
            more = ""
            if self.status_ == "time-limit":
                more = f" time_limit={self.time_limit} ended the search: a larger one goes on, None is no limit."
            elif self.status_ == "interrupted":
                more = " A second Ctrl-C within two seconds stops all."
            warnings.warn(_display.certificate(self) + more, ConvergenceWarning, stacklevel=3)
        return self

    def _table(self, X, y, sample_weight):
        if y is None:
            raise ValueError("This classifier requires y to be passed, but the target y is None.")
        columns, names, n = read_table(X)
        labels, classes = _labels(y, n, self)
        weights, rows = _weights(sample_weight, n), np.arange(n)
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            if len(rows) == 0:
                raise ValueError("sample_weight is 0 for every sample")
            columns, labels, weights = [c.take(rows) for c in columns], labels[rows], weights[rows]
        present = np.unique(labels)
        classes, labels = classes[present], np.searchsorted(present, labels).astype(np.int32)
        if len(classes) > 2 and not self._multiclass:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"it has {len(classes)} classes. RuleListClassifier and TreeClassifier take any number of them, and sklearn.multiclass.OneVsRestClassifier "
                f"learns a {type(self).__name__} for each."
            )
        if len(classes) > 2 and getattr(self, "positive", None) is not None:
            raise _engine.ParameterError(f"positive takes two classes, y has {len(classes)}: pass y == positive as the labels", "positive")
        texts = [_label_text(c) for c in classes.tolist()]
        if len({clean(t) for t in texts}) < len(texts):
            raise ValueError(f"two classes read the same: {texts}")
        class_weight = getattr(self, "class_weight", None)
        _check_class_weight(class_weight, classes.tolist())
        return _Table(columns, names, classes, Column(labels, texts), weights, getattr(y, "name", None), rows)

    def _arguments(self, table, but=()):
        """Return the options of the command line."""
        self._nearest = {}
        given = ["--target", table.target, "--workers", str(_workers(self.n_jobs))]
        if table.costs:
            given[:2] = ["--costs", _list("costs", [f"{_quoted(d)}={column}" for d, column in table.costs.items()])]
        if self._family is not None:
            given += ["--model", self._family]
        for name, option in self._renamed.items():
            if getattr(self, name) is not None:
                given += ["--" + option, self._parameter(name, getattr(self, name))]
        if table.weight is not None:
            given += ["--weight", table.weight]
        for name in ("lambda_", *self._own):
            value = getattr(self, name, None)
            if value is None or value is False or name in but:
                continue
            if name == "lambda_" and hasattr(self, "path_"):
                value = _short(self.path_.picked_)
            option = "--" + name.rstrip("_").replace("_", "-")
            if value is True and name not in ("negations", "compare", "falling"):
                raise _engine.ParameterError(f"{name} is True, expected {'the name of a file' if name in ('proof', 'checkpoint', 'resume') else 'a number or text'}", name)
            given += [option] if value is True else [option, self._parameter(name, value)]
        given += ["--time", _seconds(self.time_limit)]
        for wish in ("first", "forbid"):
            for text in getattr(self, wish, None) or ():
                given += [f"--{wish}", str(text)]
        cuts = getattr(self, "cuts", None) or {}
        if isinstance(cuts, str):
            given, cuts = [*given, "--cuts", cuts], {}
        for column, cuts in cuts.items():
            given += ["--cuts", f"{column}=" + ",".join(cell_text(c) if isinstance(c, numbers.Real) else str(c) for c in cuts)]
        categories = [*(getattr(self, "categories", None) or []), *table.codes()]
        for option, listed in (("categories", categories or None), ("use", self.use or None), ("ignore", self.ignore or None), ("missing", self.missing), ("increasing", getattr(self, "increasing", None)), ("decreasing", getattr(self, "decreasing", None))):
            if listed is not None:
                given += ["--" + option, _list(option, listed)]
        for column, levels in {**table.levels(), **(getattr(self, "ordered", None) or {})}.items():
            given += ["--ordered", _quoted(column) + "=" + "<".join(_quoted(cell_text(t)) for t in levels)]
        positive = getattr(self, "positive", None)
        if positive is not None:
            given += ["--positive", _label_text(positive)]
        return given + self._class_weights(table, positive)

    def _parameter(self, name, value):
        """Return a parameter as an option is typed. A float with too many digits to be kept exactly is the nearest fraction that fits."""
        if isinstance(value, str):
            return value
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, (numbers.Integral, np.integer)) or isinstance(value, numbers.Rational):
            return str(value)
        if name == "cost_matrix" and np.ndim(value) == 2:
            return ",".join(self._parameter("a cost", c) for c in np.ravel(value).tolist())
        if not isinstance(value, (numbers.Real, np.floating, Decimal)) or not math.isfinite(value):
            raise ValueError(f"{name} is {value!r}, expected a number or text")
        exact = Fraction(str(value))
        if max(abs(exact.numerator), exact.denominator) <= _TERM:
            return str(exact) if "e" in str(value).lower() else str(value)
        nearest = exact.limit_denominator(max(10**6, min(_TERM, int(1000 / abs(exact)))))
        self._nearest[name] = nearest
        return str(nearest)

    def _class_weights(self, table, positive):
        weight = getattr(self, "class_weight", None)
        known = table.classes.tolist()
        if table.costs:
            return []
        if positive is not None and positive in known:  # it is class 1, the last
            known.sort(key=lambda c: c == positive)
        if weight is None or len(known) < 2:
            return []
        if isinstance(weight, str):
            return ["--class-weights", weight]
        if len(known) > 2:
            known.sort(key=_class_order)
        each = [weight.get(c, 1) for c in known]
        if max(each) > self._ratio * min(each):
            each = [self._ratio if w == max(each) else 1 for w in each]
        each = ["--class-weights", ",".join(cell_text(w) for w in each)]
        return each if positive is not None or len(known) > 2 else ["--positive", _label_text(known[-1]), *each]

    def _run(self, arguments, table):
        names, columns = table.all()
        with _display.progress(self.verbose) as show:

            def tell(event):
                if event["event"] == "note":
                    note = _engine.python_names(event["text"].removeprefix("parcorels: note: "))
                    warnings.warn(note, ConvergenceWarning, stacklevel=7)  # where fit was called
                elif show is not None:
                    show(event)

            return _engine.run(arguments, names, columns, on_event=tell, twice=any(o in arguments for o in ("--fair", "--recall", "--precision", "--select", "--compare")))

    def _adopt(self, table, event):
        """Take over what the engine found."""
        result = event["result"]
        self._know(event["model"], event["decision"], table.classes, table.labels.texts)
        self._name(table.names, event["columns"][: len(table.columns)])
        self.text_ = event["text"]
        self.result_ = result
        self.status_ = result["status"]
        self.objective_ = float(result["objective"])
        self.lower_bound_ = float(result["lower_bound"])
        if result.get("upper_bound") is not None:
            self.upper_bound_ = float(result["upper_bound"])
        self.gap_ = float(result["gap"])
        self.proved_rules_ = result.get("proved_rules", 0)
        self.chance_ = result.get("chance")
        self.fair_ = result.get("fair")
        self.f1_ = result.get("f1")
        self.holdout_ = result.get("holdout")
        self.compared_ = result.get("without_wishes")
        self.rounded_ = dict(self._nearest)
        self.notes_ = [_engine.python_names(n) for n in result["data"]["notes"]]
        self.notes_ += [f"{name} has too many digits to be kept exactly, and is taken as {nearest}" for name, nearest in self.rounded_.items()]
        for note in self.notes_:
            if "are not used" in note and "all values are the same" not in note and (len(self.rules_) == 1 or "no threshold" not in note):
                warnings.warn(note, UserWarning, stacklevel=4)

    def _name(self, names, read):
        """Take over the names of the columns of X, None without any, and how the model calls them."""
        self.n_features_in_ = len(read)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self._names_read = read

    def _know(self, model, decision, classes, texts):
        """Take over how a model predicts. classes: labels of y, ascending. texts: how the model calls them."""
        if "ask" in decision["classes"] and "ask" not in texts:  # the decision of ask_cost
            classes, texts = np.append(np.asarray(classes, dtype=object), "ask"), [*texts, "ask"]
        self.classes_ = classes
        self.model_json_ = model
        self._decision = Decision(decision)
        place = {clean(t): i for i, t in enumerate(texts)}
        self._class_of = np.array([place.get(c, 0) for c in self._decision.classes])
        known = [i for i, c in enumerate(self._decision.classes) if c in place]
        columns = np.zeros((len(self._decision.cases), len(classes)))
        columns[:, self._class_of[known]] = self._decision.probabilities[:, known]
        self._probabilities = columns

    # -- predicting ---------------------------------------------------------

    def _decide(self, X):
        self._check_fitted()
        if not hasattr(self, "_names_read"):  # it was loaded
            columns, names, n = read_table(X, empty=True)
            found = dict(zip((" ".join(c.split()) for c in names) if names is not None else (f"x{i}" for i in range(len(columns))), columns))
            lacks = sorted(self._decision.columns - set(found))
            if lacks:
                raise ValueError(f"X has no column {lacks[0]!r}, which the model uses")
            return self._decision.decide(found, n)
        wanted = {i for i, name in enumerate(self._names_read) if name in self._decision.columns}
        columns, names, n = read_table(X, wanted, empty=True)
        self._check_features(names, len(columns))
        return self._decision.decide(dict(zip(self._names_read, columns)), n)

    def _check_fitted(self):
        if not hasattr(self, "_decision"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' before using this estimator.")

    def _check_features(self, names, n):
        fitted = getattr(self, "feature_names_in_", None)
        me = type(self).__name__
        if names is not None and fitted is None:
            warnings.warn(f"X has feature names, but {me} was fitted without feature names", stacklevel=4)
        elif names is None and fitted is not None:
            warnings.warn(f"X does not have valid feature names, but {me} was fitted with feature names", stacklevel=4)
        elif names is not None and names != list(fitted):
            raise ValueError(_other_names(names, list(fitted)))
        if n != self.n_features_in_:
            raise ValueError(f"X has {n} features, but {me} is expecting {self.n_features_in_} features as input")

    def predict(self, X):
        """Return the class of each row of X."""
        cases = self._decide(X)
        return self.classes_[self._class_of[self._decision.case_class]][cases]

    def predict_proba(self, X):
        """Return an array of shape (n_samples, n_classes): for each row the shares of
        the classes, in the order of classes_, among the training samples that its rule
        decided."""
        cases = self._decide(X)
        return self._probabilities[cases]

    def predict_log_proba(self, X):
        """Return the logarithms of predict_proba(X)."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def apply(self, X):
        """Return for each row the index in rules_ of the rule, or leaf, that decides it."""
        return self._decide(X)

    def decision_path(self, X):
        """Return which rules are tried for each row, up to the one that decides it: a sparse matrix of
        (n_samples, rules). The columns of a tree are its nodes, as `nodes_` has them. Needs scipy."""
        from scipy.sparse import csr_matrix

        paths = self._paths()
        decided = self._decide(X)
        lengths = np.array([len(p) for p in paths])[decided]
        indices = np.concatenate([paths[i] for i in decided]) if len(decided) else np.zeros(0, dtype=np.int64)
        width = max((p[-1] for p in paths), default=-1) + 1
        return csr_matrix((np.ones(len(indices), dtype=np.int64), indices, np.concatenate([[0], np.cumsum(lengths)])), shape=(len(decided), width))

    def _paths(self):
        """Return for each case the columns of decision_path that it has."""
        return [np.arange(i + 1) for i in range(len(self._decision.cases))]

    # -- looking ------------------------------------------------------------

    @property
    def rules_(self):
        """The rules, or leaves, in the order in which they are tried: a list of Rule.
        The last decides all that is left."""
        if not hasattr(self, "_decision"):
            raise AttributeError(f"{type(self).__name__} has no rules_ before it is fitted")
        rules = []
        for i, case in enumerate(self._decision.cases):
            prediction = self.classes_[self._class_of[case["class"]]]
            correct = case["samples"][case["class"]]
            rules.append(Rule(case["text"], prediction, sum(case["samples"]), correct, self._probabilities[i]))
        return rules

    def to_frame(self):
        """Return the conditions as a DataFrame, a row for each: of which rule it is (from 0), column, operator, value, and
        the prediction, samples and correct ones of the rule. The default has one row without a column. Operators are those
        of Python: "==", "!=", "<=", ">", ">=", "<", and "not in" (two thresholds), "is missing", "is not missing"."""
        import pandas as pd

        rows = []
        for i, (case, rule) in enumerate(zip(self._decision.cases, self.rules_)):
            parts = [part for literal in case["when"] for part in _operators(literal)] or [(None, None, None)]
            rows += [(i, *part, rule.prediction, rule.samples, rule.correct) for part in parts]
        return pd.DataFrame(rows, columns=["rule", "column", "operator", "value", "prediction", "samples", "correct"])

    def save(self, path):
        """Write the model file, for `parcorels show`, `predict`, `export` and `report`."""
        self._check_fitted()
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(self.model_json_)

    def export(self, path=None, to="json"):
        """Write the model as code that predicts without this package.

        to: "sql", "python", "c", "javascript", "json" or "onnx". Returns the text if path is None;
        a graph of ONNX is no text and needs a path."""
        self._check_fitted()
        if to == "onnx":
            if path is None:
                raise _engine.ParameterError("path: a graph of ONNX is no text, so name a file for it", "path")
            _engine.command(["export", "-", "--to", to, "-o", os.path.abspath(path)], self.model_json_)
            return None
        text = _engine.command(["export", "-", "--to", to], self.model_json_)
        if path is None:
            return text
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)

    def write_table(self, path, X, y, sample_weight=None):
        """Write the table as the CSV file that model and proof are about.

        `parcorels fit` learns the same model from it, byte for byte, and `parcorels verify`
        checks a proof on it."""
        write_csv(path, *self._table(X, y, sample_weight).all())

    def verify(self, X, y, sample_weight=None):
        """Check by the independent checker that no model of the family is better.

        X, y and sample_weight are those of fit. The proof is that of the parameter proof,
        if it is a file; without one the search is repeated to write one. Returns a
        Verification. Raises ValueError if the model is not the proved optimum of these data."""
        table = self._table(X, y, sample_weight)
        proof = getattr(self, "proof", None)
        if proof is not None and os.path.isfile(proof):
            return self._check(proof, table)
        with tempfile.TemporaryDirectory() as folder:
            proof = os.path.join(folder, "proof")
            again = self._run(["fit", "-", *self._arguments(table, but=["proof"]), "--proof", proof], table)
            if again["result"]["status"] != "optimal":
                raise ValueError(f"nothing to verify: the search ended by {again['result']['status']}")
            return self._check(proof, table)

    def evaluate(self, X, y, sample_weight=None, by=None):
        """Return the measures of `parcorels evaluate` on a table with labels, as a dictionary.

        by: a column of X, whose groups are evaluated too."""
        with tempfile.TemporaryDirectory() as folder:
            model, *table = self._files(folder, X, y, sample_weight)
            return json.loads(_engine.command(["evaluate", model, *table, *_group(by), "--json", "-"]))

    def explain(self, X, row=0):
        """Return why a row of X is predicted as it is, and the smallest changes that change
        that: a text. row counts from 0."""
        self._check_fitted()
        columns, names, n = read_table(X)
        self._check_features(names, len(columns))
        if not 0 <= row < n:
            raise IndexError(f"row is {row}, X has {n} rows")
        with tempfile.TemporaryDirectory() as folder:
            model, table = os.path.join(folder, "model.json"), os.path.join(folder, "table.csv")
            self.save(model)
            _engine.write_columns(table, self._names_read, [c.take([row]) for c in columns])
            text = _engine.command(["explain", model, table, "--row", "1"])
        return text.split("\n", 1)[1].strip() + "\n"  # without the name of the file

    def report(self, path, X=None, y=None, sample_weight=None, by=None):
        """Write the model as one HTML page; with a table X and labels y, also how good it is there.

        by: a column of X, whose groups are shown too."""
        with tempfile.TemporaryDirectory() as folder:
            if X is None:
                model, table = os.path.join(folder, "model.json"), []
                self.save(model)
            else:
                model, *table = self._files(folder, X, y, sample_weight)
            _engine.command(["report", model, *table, *_group(by), "-o", os.path.abspath(path)])

    def _files(self, folder, X, y, sample_weight):
        """Write the model, and the table with the model's name of the labels, into a folder.
        Return the arguments that name both."""
        self._check_fitted()
        model, path = os.path.join(folder, "model.json"), os.path.join(folder, "table.csv")
        self.save(model)
        table = self._table(X, y, sample_weight)
        table.target = json.loads(self.model_json_)["target"]
        _engine.write_columns(path, *table.all())
        return [model, path, *([] if table.weight is None else ["--weight", table.weight])]

    def _check(self, proof, table):
        names, columns = table.all()
        event = _engine.run(["verify", proof, "-", "--workers", str(_workers(self.n_jobs))], names, columns)
        if event["decision"] != self._decision.described:
            raise ValueError("the proof is of another model than this one: were X, y and the parameters those of fit?")
        stats = event["result"]["stats"]
        objective = float(event["result"]["objective"])
        return Verification(
            objective, objective, event["result"]["length"],
            stats["records"], stats["prefixes"], stats["extensions"], stats["proof_bytes"], stats["seconds_total"],
        )

    def __str__(self):
        return self.text_ if hasattr(self, "_decision") else repr(self)

    def _repr_html_(self):
        return _display.html(self) if hasattr(self, "_decision") else f"<code>{_display.escape(repr(self))}</code>"

    def plot(self, ax=None):
        """Draw the rules as bars of the training samples they decide, right and wrong.

        Needs matplotlib. Returns the Axes."""
        self._check_fitted()
        return _display.plot(self, ax)

    # -- scikit-learn -------------------------------------------------------

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_decision")  # lambda_ looks like a fitted attribute

    def _more_tags(self):
        return {"allow_nan": True, "binary_only": not self._multiclass, "X_types": ["2darray", "string"]}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.classifier_tags.multi_class = self._multiclass
        return tags


class _Path:
    """The families whose models for all λ, and whose good models, can be found."""

    def path(self, X, y, sample_weight=None, to=None, cv=False, pick=None, front=None):
        """Return all models that are optimal for some λ, a LambdaPath, proved to be all of them.

        X, y, sample_weight: as of fit, which need not have been called; lambda_ is ignored. to:
        the smallest λ, None is 0.005. cv: whether to judge each model's λ on ten folds. pick: "best"
        takes the model of the largest of these accuracies, "one-se" the smallest model within one
        standard error of it. front: weights of a missed row of the second class beside a false alarm,
        such as [1, 2, 5], or "auto": the models of all of them, none of which is beaten in misses, false
        alarms and size together. time_limit is for all searches together, those of the folds too."""
        table = self._table(X, y, sample_weight)
        return LambdaPath(table, self._path_arguments(table, to, cv, pick, front))

    def alternatives(self, X, y, sample_weight=None, within=None, within_rules=None, limit=None):
        """Return all good rule lists or trees, a RashomonSet, for the parameters of this estimator.

        X, y, sample_weight: as of fit, which need not have been called. within: the objective
        is at most so much above the optimum, 0.02 of it for example. within_rules: it is less
        than so many rules or leaves above; 1 if neither is given. limit: most sets of samples to keep,
        so that memory stays small; complete_ is False where it had to find fewer."""
        table = self._table(X, y, sample_weight)
        arguments, good = self._arguments(table, but=_OF_FIT), []
        for option, value in (("--within", within), ("--within-rules", within_rules), ("--limit", limit)):
            if value is not None:
                good += [option, self._parameter(option[2:].replace("-", "_"), value)]
        return RashomonSet(table, arguments, good)

    def _path_arguments(self, table, to=None, cv=False, pick=None, front=None):
        given = self._arguments(table, but=["lambda_", *_OF_FIT])
        for option, value in (("--to", to), ("--pick", pick)):
            if value is not None:
                given += [option, self._parameter(option[2:], value)]
        if front is not None:
            given += ["--front", front if isinstance(front, str) else ",".join(self._parameter("front", w) for w in front)]
        return given + (["--cv"] if cv else [])

    def _pick(self, table):
        """Choose λ by cross-validation where lambda_ is "cv"."""
        if hasattr(self, "path_"):
            del self.path_
        if self.lambda_ == "cv":
            path = LambdaPath(table, self._path_arguments(table, pick="one-se"))
            if path.picked_ is None:
                raise ValueError(f"time_limit={self.time_limit} ended the search before there was a model to pick: a larger one goes on, None is no limit")
            self.path_ = path


class RuleListClassifier(_Path, _Classifier):
    """The rule list with the smallest (weight of errors)/(total weight) + λ·(number of rules),
    proved to be so. Labels may be of more than two classes.

    Parameters
    ----------
    lambda_ : float, str or Fraction, default None
        Price of a rule, as a share of the samples that it must save in errors to be worth
        its place. Exact: 0.01 is 1/100. None is 3 samples of fewer than 300, 10 of more than 1,000, at least
        0.0025, else 0.01. "cv" finds all lists that are optimal for some λ, judges them on ten folds, and takes
        the shortest within one standard error of the best.
    max_rules : int, default None
        Most rules; None is no limit. With a limit lambda_ may be 0.
    first : list of str, default None
        Rules that the list begins with, as "age > 40 then yes"; without then, the better label.
    forbid : list of str, default None
        Conditions that no rule may have, as text_ prints them.
    min_rows : int, default None
        Least rows that each rule decides, whatever they weigh.
    increasing, decreasing : list of str, default None
        Columns whose larger numbers speak for the second class, or against it: rules that predict it ask only whether
        such a column is large, or small, and the others the opposite.
    max_card : int, default 2
        Most conditions in one rule.
    min_support : float, default 0.01
        Least share of the samples in which a rule's conditions hold, and in which they fail.
    negations : bool, default False
        Whether conditions may be negated.
    bins : int, default None
        Intervals of a column of many numbers, on average.
        None is what `parcorels fit` takes, as in all that follow.
    cuts : dict, default None
        Exact cuts of columns, as {"age": [18, 21, 23]}.
    positive : label, default None
        The label of class 1; None is chosen, and said in notes_ unless it is obvious.
    categories : list of str, default None
        Columns whose numbers are names, as codes are. Columns of pandas' dtype category
        always are.
    ordered : dict, default None
        Categories of columns in ascending order, as {"stage": ["low", "mid", "high"]}: such
        columns have thresholds. Ordered columns of pandas' dtype category always do.
    use : list of str, default None
        Columns to use though they seem to number the rows.
    ignore : list of str, default None
        Columns to leave out.
    missing : list of str, default None
        Texts that mean missing; None is "?", "NA", "N/A", "NaN" and "null". None and NaN always do.
    class_weight : None, "balanced" or dict, default None
        Weights of the classes.
    time_limit : float, default 60
        Seconds after which the search ends with the best list so far; None is no limit.
    nodes : int, default None
        Most prefixes to expand: a limit that does not depend on the machine. None is no limit.
    memory : str, default None
        Memory of the search, as "8GiB"; None is 80% of what is free.
    n_jobs : int, default None
        Processors; None is 1 and -1 all. The model does not depend on it.
    proof : str, default None
        File to write the proof of optimality to, for verify.
    chance : int, default None
        How often to shuffle the labels, 99 for one, to find out how often labels without
        meaning allow as good a model; None is not at all.
    fair : str, default None
        A column of two values, or "column=value", whose groups are to be treated alike. One of the next three says how.
    parity, equal_opportunity, equal_odds : float, default None
        The groups' shares that are predicted to be of class 1 differ by at most this: of all, of those of class 1, or of
        those of class 1 and of class 0 each.
    holdout : float, default None
        Learn without this share of the rows of each class, and judge the model on them: see holdout_.
    compare : bool, default False
        Whether to look for the best model without first, forbid and ignore, too: see compared_.
    checkpoint : path, default None
        Where the search is saved every five minutes, and when it is stopped.
    resume : path, default None
        Continue the search from this checkpoint, of the same X, y and parameters.
    recall, precision, select : float, default None
        The list is to find at least this share of class 1; to be right for at least this share of the rows that it
        predicts to be of class 1; to predict at most this share of all rows to be of class 1. Two go together.
    cost_matrix : array of shape (n_classes, n_classes) or str, default None
        Costs of predicting the first class, or the second, for a row of the first; and for a row of the second. As text "c00,c01,c10,c11".
    ask_cost : float, default None
        Cost of one more decision, "ask" (a person), where a wrong one costs 1, or beside cost_matrix or fit_costs.
    maximise : "f1", default None
        Maximise F1 instead, where each rule counts as lambda_ times all samples in errors: see f1_.
    verbose : bool, default False
        Whether to show progress, by tqdm if it is there.
    random_state : ignored
        There is no chance in it.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    rules_ : list of Rule
    objective_, lower_bound_ : float
        Of the list, and of every list there is; equal if status_ is "optimal".
    gap_ : float
    proved_rules_ : int
        Where a limit ended the search: no list of at most so many rules is better.
    status_ : "optimal", "time-limit", "memory-limit" or "interrupted"
    text_ : the list as people read it
    model_json_ : text of the model file
    notes_ : list of str, what a person might not expect of the data
    path_ : LambdaPath, all optimal lists; there if lambda_ is "cv"
    rounded_ : dict, parameters that are floats of too many digits, and the nearest fractions that are used instead
    fair_ : dict, what is known of the limits, and the best list without limits; None without limits
    f1_ : dict with f1, its score less prices, and the bound of that; None without maximise
    feature_importances_ : array, for each column of X how much the share of training weight that is predicted wrong
        rises, on average, if its cells are those of a row at random; exact, without shuffles
    holdout_ : dict, the measures on the rows learned from (train) and on those kept back (test); None without holdout
    compared_ : dict, the best model without wishes; None without compare
    chance_ : dict, what the shuffles said: shuffles, as_good, unproved and p; None without
    """

    _kind = "rule list"  # in a model file
    _multiclass = True
    _own = ("max_rules", "min_rows", "max_card", "min_support", "negations", "bins", "nodes", "memory", "proof", "chance", "holdout", "compare", "checkpoint", "resume", "fair", "parity", "equal_opportunity", "equal_odds", "recall", "precision", "select", "maximise", "cost_matrix", "ask_cost")

    def __init__(self, lambda_=None, *, max_rules=None, first=None, forbid=None, min_rows=None, increasing=None, decreasing=None, max_card=2, min_support=0.01, negations=False, bins=None, cuts=None, positive=None, categories=None, ordered=None, use=None, ignore=None, missing=None, class_weight=None,
                 time_limit=60, nodes=None, memory=None, n_jobs=None, proof=None, chance=None, holdout=None, compare=False, checkpoint=None, resume=None, fair=None, parity=None, equal_opportunity=None, equal_odds=None, recall=None, precision=None, select=None, maximise=None, cost_matrix=None, ask_cost=None, verbose=False, random_state=None):
        self.lambda_ = lambda_
        self.max_rules = max_rules
        self.first = first
        self.forbid = forbid
        self.min_rows = min_rows
        self.increasing = increasing
        self.decreasing = decreasing
        self.max_card = max_card
        self.min_support = min_support
        self.negations = negations
        self.bins = bins
        self.cuts = cuts
        self.positive = positive
        self.categories = categories
        self.ordered = ordered
        self.use = use
        self.ignore = ignore
        self.missing = missing
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.nodes = nodes
        self.memory = memory
        self.n_jobs = n_jobs
        self.proof = proof
        self.chance = chance
        self.holdout = holdout
        self.compare = compare
        self.checkpoint = checkpoint
        self.resume = resume
        self.fair = fair
        self.parity = parity
        self.equal_opportunity = equal_opportunity
        self.equal_odds = equal_odds
        self.recall = recall
        self.precision = precision
        self.select = select
        self.maximise = maximise
        self.cost_matrix = cost_matrix
        self.ask_cost = ask_cost
        self.verbose = verbose
        self.random_state = random_state


class TreeClassifier(_Path, _Classifier):
    """The decision tree with the smallest (weight of errors)/(total weight) + λ·(number of leaves),
    proved to be so. Labels may be of more than two classes.

    Parameters
    ----------
    lambda_ : float, str or Fraction, default None
        Price of a leaf, as a share of the samples. Exact: 0.01 is 1/100. None is 3
        samples of fewer than 300, 10 of more than 1,000, at least 0.0025, else 0.01. "cv" as of RuleListClassifier.
    max_depth : int, default None
        Most splits on a path; None is no limit. With a limit lambda_ may be 0.
    min_rows : int, default None
        Least rows that a leaf holds, whatever they weigh.
    max_card : int, default 1
        Most conditions in one split.
    cuts : dict or "all", default None
        As of RuleListClassifier; "all" splits numbers at any threshold.
    bins, positive, categories, ordered, use, ignore, missing, class_weight, time_limit, nodes, memory, n_jobs,
    proof, chance, holdout, compare, recall, precision, select, maximise, cost_matrix, ask_cost, verbose, random_state
        As of RuleListClassifier; one of recall, precision and select, with a bound.

    Attributes
    ----------
    Those of RuleListClassifier; rules_ are the leaves, nodes_ all nodes.
    """

    _kind = "tree"  # in a model file
    _family = "tree"
    _multiclass = True
    _renamed = {"max_depth": "depth"}
    _own = ("min_rows", "max_card", "bins", "nodes", "memory", "proof", "chance", "holdout", "compare", "recall", "precision", "select", "maximise", "cost_matrix", "ask_cost")

    def __init__(self, lambda_=None, *, max_depth=None, min_rows=None, max_card=1, bins=None, cuts=None,
                 positive=None, categories=None, ordered=None, use=None, ignore=None, missing=None, class_weight=None, time_limit=60, nodes=None, memory=None, n_jobs=None,
                 proof=None, chance=None, holdout=None, compare=False, recall=None, precision=None, select=None, maximise=None, cost_matrix=None, ask_cost=None, verbose=False, random_state=None):
        self.lambda_ = lambda_
        self.max_depth = max_depth
        self.min_rows = min_rows
        self.max_card = max_card
        self.bins = bins
        self.cuts = cuts
        self.positive = positive
        self.categories = categories
        self.ordered = ordered
        self.use = use
        self.ignore = ignore
        self.missing = missing
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.nodes = nodes
        self.memory = memory
        self.n_jobs = n_jobs
        self.proof = proof
        self.chance = chance
        self.holdout = holdout
        self.compare = compare
        self.recall = recall
        self.precision = precision
        self.select = select
        self.maximise = maximise
        self.cost_matrix = cost_matrix
        self.ask_cost = ask_cost
        self.verbose = verbose
        self.random_state = random_state


    @property
    def nodes_(self):
        """The nodes of the tree, each before those below it: test, yes, no, depth, samples, prediction."""
        self._check_fitted()
        return _tree.nodes(self)

    def export_text(self):
        """Return the tree as sklearn.tree.export_text draws it."""
        return _tree.text(self.nodes_)

    def export_dot(self):
        """Return the tree in the language of Graphviz."""
        return _tree.dot(self.nodes_)

    def plot(self, ax=None):
        """Draw the tree: to the left where a test holds, and in each leaf how many of its training samples are right.

        Needs matplotlib. Returns the Axes."""
        self._check_fitted()
        return _tree.draw(self, _display.certificate(self), ax)

    def _paths(self):
        return _tree.paths(self.nodes_)


class RuleSetClassifier(_Classifier):
    """A set of rules of which one must hold for class 1, and a bound on how much better
    another can be. docs/rule-sets.md says what is maximised.

    Parameters
    ----------
    lambda_ : float, str or Fraction, default None
        Price of a condition; None is what `parcorels fit --model set` takes.
    max_rules : int, default 8
        Most rules.
    max_literals : int, default 3
        Most conditions of a rule.
    min_rows : int, default None
        Least rows that each rule covers, whatever they weigh.
    bins, cuts, positive, categories, ordered, use, ignore, missing, class_weight, time_limit, n_jobs, holdout,
    verbose, random_state
        As of RuleListClassifier. A ratio of class weights beyond 100,000 is taken for 100,000.

    Attributes
    ----------
    Those of RuleListClassifier. objective_ is the value that is maximised, and no set has
    one above upper_bound_.
    """

    _kind = "rule set"  # in a model file
    _family = "set"
    _own = ("min_rows", "bins", "holdout")
    _ratio = 100_000  # more has no room beside the prices in exact integers
    _renamed = {"max_rules": "rules", "max_literals": "literals"}

    def __init__(self, lambda_=None, *, max_rules=8, max_literals=3, min_rows=None, bins=None, cuts=None, positive=None, categories=None, ordered=None, use=None, ignore=None, missing=None, class_weight=None,
                 time_limit=60, n_jobs=None, holdout=None, verbose=False, random_state=None):
        self.lambda_ = lambda_
        self.max_rules = max_rules
        self.max_literals = max_literals
        self.min_rows = min_rows
        self.bins = bins
        self.cuts = cuts
        self.positive = positive
        self.categories = categories
        self.ordered = ordered
        self.use = use
        self.ignore = ignore
        self.missing = missing
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.holdout = holdout
        self.verbose = verbose
        self.random_state = random_state

    def verify(self, X, y, sample_weight=None):
        """Raise ValueError: a rule set has no proof that the independent checker could read.

        What is proved is in upper_bound_, which no set of as many rules is above, and in
        the guarantee of the search; docs/rule-sets.md says how both follow."""
        raise ValueError(
            "a rule set has no proof that verify could check: no set of as many rules has a value above upper_bound_, "
            f"here {self.upper_bound_:g}" if hasattr(self, "upper_bound_") else "a rule set has no proof that verify could check"
        )


class BayesianRuleListClassifier(_Classifier):
    """The rule list with the largest posterior, with a bound on that of every other.

    Parameters
    ----------
    length, width : float, default 10 and 1
        Expected number of rules, and of conditions of a rule, in the prior.
    alpha : float or text "α0,α1", default 1
        Pseudo-samples of each class in every rule.
    max_rules : int, default None
        Most rules; None is no limit.
    falling : bool, default False
        Each rule, and the default, has at most the probability of the rule before it.
    min_rows : int, default None
        Least rows that each rule decides, whatever they weigh.
    chains, iterations : int, default None
        Markov chains that look for good lists, and their steps; None is what
        `parcorels fit --model bayes` takes.
    random_state : int, default None
        Where the random numbers of the chains begin; None is 0. The same number gives
        the same list with any n_jobs.
    max_card, min_support, negations, bins, cuts, positive, categories,
    ordered, use, ignore, missing, time_limit, nodes, memory, n_jobs, proof, holdout,
    verbose
        As of RuleListClassifier. Sample weights count samples: one of .5 is half a sample;
        there are no class weights.

    Attributes
    ----------
    Those of RuleListClassifier. objective_ is the logarithm of the posterior, upper_bound_
    that of no list is above it, and gap_ their difference in nats.
    """

    _kind = "Bayesian rule list"  # in a model file
    _family = "bayes"
    _own = ("length", "width", "alpha", "max_rules", "falling", "min_rows", "chains", "iterations", "max_card", "min_support", "negations",
            "bins", "nodes", "memory", "proof", "holdout")

    def __init__(self, *, length=10, width=1, alpha=1, max_rules=None, falling=False, min_rows=None, chains=None, iterations=None, max_card=2,
                 min_support=0.01, negations=False, bins=None, cuts=None,
                 positive=None, categories=None, ordered=None, use=None, ignore=None, missing=None, time_limit=60, nodes=None, memory=None, n_jobs=None, proof=None,
                 holdout=None, verbose=False, random_state=None):
        self.length = length
        self.width = width
        self.alpha = alpha
        self.max_rules = max_rules
        self.falling = falling
        self.min_rows = min_rows
        self.chains = chains
        self.iterations = iterations
        self.max_card = max_card
        self.min_support = min_support
        self.negations = negations
        self.bins = bins
        self.cuts = cuts
        self.positive = positive
        self.categories = categories
        self.ordered = ordered
        self.use = use
        self.ignore = ignore
        self.missing = missing
        self.time_limit = time_limit
        self.nodes = nodes
        self.memory = memory
        self.n_jobs = n_jobs
        self.proof = proof
        self.holdout = holdout
        self.verbose = verbose
        self.random_state = random_state

    def _arguments(self, table, but=()):
        seed = self.random_state
        if seed is None:
            return super()._arguments(table, but)
        if not isinstance(seed, numbers.Integral):  # a generator of numpy
            seed = seed.randint(1 << 31) if hasattr(seed, "randint") else seed.integers(1 << 31)
        return [*super()._arguments(table, but), "--seed", str(int(seed))]


def load(path, classes=None):
    """Return a fitted classifier from a model file: of `save`, or of `parcorels fit -o`.

    path: a file, or its text. classes: the labels that predict returns, in the order of the file; None takes
    the texts of the file, as integers where all are integers, as truth values where they are True and False. Columns of
    X are found by their names; of an array, x0 is the first. It predicts and tells rules; what needs the search, such as
    `verify`, needs parameters that a file does not have."""
    text = path if isinstance(path, str) and path.lstrip().startswith("{") else Path(path).read_text(encoding="utf-8")
    clf, decision = _of_file(text, _engine.command(["show", "-"], text).split("\n\nmodel ")[0] + "\n")
    texts = [t for t in decision["classes"] if t != ""]
    labels = _labels_of(texts) if classes is None else np.asarray(classes)
    if len(labels) != len(texts):
        raise ValueError(f"classes are {len(labels)}, the model has {len(texts)}: {texts}")
    order = np.argsort(labels, kind="stable")
    clf._know(text, decision, labels[order], [texts[i] for i in order])
    return clf


class _Learned(namedtuple("_Learned", "names read classes texts")):
    """What models of a table need to predict as fitted ones: its names, as the caller writes them and as the program
    reads them, and its classes with their texts."""

    def classifier(self, file, shown):
        """Return a model that was found beside others as a fitted classifier. file: its object. shown: the model as people
        read it."""
        text = json.dumps(file)
        clf, decision = _of_file(text, shown)
        clf._name(self.names, self.read)
        clf._know(text, decision, self.classes, self.texts)
        return clf


def _of_file(text, shown):
    """Return a classifier of the family of a model file, and how the model decides."""
    decision = json.loads(_engine.command(["export", "-", "--to", "json"], text))
    clf = _FAMILIES[decision["family"]]()
    clf.text_, clf.status_ = shown, json.loads(text)["status"]
    return clf, decision


_FAMILIES = {c._kind: c for c in (RuleListClassifier, TreeClassifier, RuleSetClassifier, BayesianRuleListClassifier)}


def _labels_of(texts):
    for read in (int, {"True": True, "False": False}.__getitem__):
        try:
            read_back = [read(t) for t in texts]
        except (ValueError, KeyError):
            continue
        if [str(v) for v in read_back] == texts:
            return np.array(read_back)
    return np.array(texts, dtype=object)


def cv(estimator, X, y, sample_weight=None, folds=10, seed=1, groups=None):
    """Cross-validate an estimator as `parcorels cv` does; return its report as a dictionary.

    estimator: one of this package, fitted or not. X, y, sample_weight: as of fit. folds:
    the parts of the table, each of which is predicted by a model of the others. groups: a value for each row, or a
    column of X; rows with the same value, such as those of one person, are in one fold. Ctrl-C returns what the folds that are done say."""
    table = estimator._table(X, y, sample_weight)
    arguments = estimator._arguments(table, but=[name for name in _OF_FIT if name not in ("nodes", "recall", "precision", "select", "maximise")])
    names, columns = table.all()
    if isinstance(groups, str):
        arguments += ["--groups", " ".join(groups.split())]
    elif groups is not None:
        values, place = np.unique(np.asarray(groups), return_inverse=True)
        if place.shape != table.rows.shape:
            raise ValueError(f"groups has the shape {place.shape}, expected {table.rows.shape}")
        name = _free("group", set(names))
        names, columns = [name, *names], [Column(place[table.rows].astype(np.int32), [str(i) for i in range(len(values))]), *columns]
        arguments = _ignoring(arguments, name) + ["--groups", name]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        _engine.write_columns(path, names, columns)
        return json.loads(_engine.command(
            ["cv", path, *arguments, "--folds", str(folds), "--seed", str(seed), "--quiet", "--progress", "never", "--json", "-"]))


def _ignoring(arguments, name):
    """Return arguments that leave out a column, too."""
    if "--ignore" not in arguments:
        return [*arguments, "--ignore", _list("ignore", [name])]
    at = arguments.index("--ignore") + 1
    return [*arguments[:at], arguments[at] + "," + _list("ignore", [name]), *arguments[at + 1 :]]


class _Table:
    """What a model is learned from: columns of X, labels and weights, and which rows of X these are."""

    def __init__(self, columns, names, classes, labels, weights, target, rows):
        self.columns, self.names, self.classes, self.labels = columns, names, classes, labels
        self.weights, self.rows, self.costs = weights, rows, None
        taken = {" ".join(n.split()) for n in self.shown()}
        self.target = _free(str(target) if isinstance(target, str) and target.split() else "target", taken)
        self.weight = None if weights is None else _free("weight", taken | {self.target})

    def described(self):
        """Return what models of this table need to predict as fitted ones."""
        return _Learned(self.names, [" ".join(n.split()) for n in self.shown()], self.classes, self.labels.texts)

    def shown(self):
        return self.names if self.names is not None else [f"x{i}" for i in range(len(self.columns))]

    def codes(self):
        """Return the names of categories whose texts look like numbers."""
        return [n for n, c in zip(self.shown(), self.columns) if c.category and not c.ordered and any(parse_number(clean(t)) is not None for t in c.texts)]

    def levels(self):
        """Return the texts of ordered categories by name, from the lowest to the highest."""
        return {n: c.texts for n, c in zip(self.shown(), self.columns) if c.ordered and len(c.texts) > 1}

    def all(self):
        """Return names and columns in the order of the table: features, weights, labels."""
        names, columns = list(self.shown()), list(self.columns)
        if self.weight is not None:
            names.append(self.weight)
            columns.append(Column(self.weights))
        if self.costs:
            return names + list(self.costs.values()), columns + self.spent
        return names + [self.target], columns + [self.labels]


def _free(name, taken):
    name = " ".join(name.split())
    while name in taken:
        name += "_"
    return name


def _labels(y, n, estimator):
    """Return y as indices of the classes, and the classes in ascending order."""
    array = np.asarray(y)
    if array.ndim == 2 and array.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples, ), "
            "for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    if len(array) != n:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[n, len(array)]}")
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.dtype.kind == "f":
        _check_labelled(np.isnan(array))
        if not np.isfinite(array).all():
            raise ValueError("Input y contains NaN or infinity.")
        if (array != np.floor(array)).any():
            raise ValueError("Unknown label type: continuous. Labels are classes, not numbers to be estimated.")
    if array.dtype.kind in "OmM":
        _check_labelled([_is_missing(v) for v in array.tolist()])
    try:
        classes, codes = np.unique(array, return_inverse=True)
    except TypeError:
        raise ValueError("the labels in y are of several types, which have no order") from None
    return codes, classes


def _is_missing(value):
    """Return whether a value is None, NaN, NaT or NA, which differ from themselves or cannot say so."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def _check_labelled(missing):
    rows = np.flatnonzero(missing)
    if len(rows) > 0:
        raise ValueError(
            f"Input y contains NaN: {len(rows)} of {len(missing)} labels are missing, the first in row {rows[0]}. "
            "Leave these rows out of X and y, as by X[y.notna()], y[y.notna()]."
        )


def _weights(sample_weight, n):
    """Return sample weights as an array; None if there are none."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Number):
        sample_weight = np.full(n, sample_weight)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    if not np.isfinite(weights).all():
        raise ValueError("Input sample_weight contains NaN or infinity.")
    if (weights < 0).any():
        raise ValueError("sample_weight has a negative weight")
    return weights


def _check_class_weight(weight, known):
    if weight is None or isinstance(weight, str) and weight == "balanced":
        return
    if not hasattr(weight, "items"):
        raise ValueError(f"class_weight is {weight!r}, expected None, 'balanced' or a dictionary from class to weight")
    plain = [c for c in known if c not in weight]
    for c, w in weight.items():
        if c not in known and plain:  # a class that no fold has may be there
            raise ValueError(f"The classes, {[c]}, are not in class_weight: the classes are {known}")
        if not isinstance(w, numbers.Number) or not w > 0:
            raise ValueError(f"class_weight gives {c!r} the weight {w!r}, expected a positive number")


def _class_order(label):
    """Return what the program sorts classes by: numbers in ascending order, then texts."""
    text = clean(cell_text(label))
    number = parse_number(text)
    return (1, 0.0, text.encode()) if number is None else (0, number, text.encode())


def _workers(n_jobs):
    if "joblib" in sys.modules:
        return max(sys.modules["joblib"].effective_n_jobs(n_jobs), 1)
    if n_jobs is None:
        return 1
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(available + 1 + n_jobs, 1) if n_jobs < 0 else n_jobs


def _short(model):
    """Return a λ for which a model of a path is optimal, with small terms where those of the least one are large."""
    low, high = model.lambda_from, model.lambda_to
    return low if low.denominator < 10**6 or low >= high else _simplest(low, (low + high) / 2)


def _simplest(low, high):
    """Return the fraction of the smallest terms from low to high, which are above 0."""
    whole = low.__floor__()
    if whole == low or whole < high.__floor__():
        return Fraction(whole if whole == low else whole + 1)
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))


_SIGNS = {"low": (">", "<="), "high": ("<=", ">")}  # of x in (low, high], and negated
_WHOLE = {"low": (">=", "<"), "high": ("<", ">=")}  # of x in [low, high)


def _operators(literal):
    """Return a literal as triples of column, operator and value, all of which hold."""
    test, column, negated = literal["test"], literal["column"], literal["negated"]
    kind, same = test["kind"], "!=" if negated else "=="
    if kind == "missing":
        return [(column, "is not missing" if negated else "is missing", None)]
    if kind in ("is", "number"):
        return [(column, same, test["value"] if kind == "is" else parse_number(test["value"]))]
    if kind not in ("interval", "threshold"):  # a truth value
        return [(column, same, True)]

    def value(number):
        if test.get("levels"):
            return test["levels"][int(number)]
        return np.datetime64(int(round(number * 86400)), "s") if test.get("time") else number

    ends = [(end, value(test[end])) for end in ("low", "high") if test.get(end) is not None]
    if negated and len(ends) == 2:
        return [(column, "not in", tuple(v for _, v in ends))]
    return [(column, (_SIGNS if kind == "threshold" else _WHOLE)[end][negated], v) for end, v in ends]


def _seconds(limit):
    """Return time_limit as the option is typed."""
    if limit is None:
        return "none"
    if isinstance(limit, str):
        return limit + "s"
    if isinstance(limit, bool) or not isinstance(limit, (numbers.Real, np.number)) or not limit > 0:
        raise _engine.ParameterError(f"time_limit is {limit!r}, expected a positive number of seconds", "time_limit")
    return "none" if np.isinf(limit) else np.format_float_positional(float(limit), trim="-") + "s"


def _quoted(text):
    """Return a name or level as --ordered reads it."""
    return text if not set(text) & set('"=<') else '"' + text.replace('"', '""') + '"'


def _label_text(label):
    """Return the text of a label. Where that would read as missing it is quoted: a label that is there is not missing."""
    text = cell_text(label)
    return f"'{text}'" if is_missing(clean(text), DEFAULT_MISSING) else text


def _list(name, values):
    """Return names as an option takes a list of them."""
    if isinstance(values, str) or not all(isinstance(v, str) for v in values):
        raise _engine.ParameterError(f"{name} is {values!r}, expected a list of {'texts' if name == 'missing' else 'column names'}", name)
    return ",".join('"' + " ".join(v.split()).replace('"', '""') + '"' for v in values)


def _group(by):
    return [] if by is None else ["--by", " ".join(str(by).split())]


def _other_names(names, fitted):
    lines = ["The feature names should match those that were passed during fit."]
    unseen, missing = [n for n in names if n not in fitted], [n for n in fitted if n not in names]
    for title, list_ in (("Feature names unseen at fit time:", sorted(unseen)), ("Feature names seen at fit time, yet now missing:", sorted(missing))):
        if list_:
            lines += [title, *(f"- {n}" for n in list_[:5]), *(["- ..."] if len(list_) > 5 else [])]
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"
