"""Predictions of a learned model, by numpy alone.

The semantics are those of the Go package model: cases are tried in order, the
first whose literals all hold decides, and a literal on a cell that cannot be
judged does not hold, negated or not.
"""

import numpy as np

from ._text import clean, is_missing, number_text, parse_number, parse_scaled, parse_truth


class Decision:
    """The cases of a model, as the program describes them."""

    def __init__(self, described):
        self.described = described
        self.family = described["family"]
        self.classes = described["classes"]
        self.names = [c["name"] for c in described["columns"]]
        self.columns = set(self.names)  # of a table
        self.missing_words = described["missing_words"]
        self.cases = described["cases"]
        self.case_class = np.array([c["class"] for c in self.cases])
        self.probabilities = np.array([c["probabilities"] for c in self.cases])
        place = {}  # of each literal among the different ones
        self.when = [[place.setdefault(_key(x), (len(place), x))[0] for x in c["when"]] for c in self.cases]
        self.literals = [(key, literal) for key, (_, literal) in place.items()]

    def decide(self, columns, n):
        """Return for each of n rows the index of the case that decides it.

        columns maps the names in self.columns to Column objects.
        """
        holds = self._literals(columns)
        return self._first(lambda i: holds(*self.literals[i]), n)

    def _literals(self, columns):
        """Return a function that tells the rows in which a literal holds."""
        prepared, known = {}, {}
        for name in self.names:
            prepared[name] = _prepare(columns[name], self.missing_words)

        def holds(key, literal):
            if key not in known:
                known[key] = prepared[literal["column"]].holds(literal["test"], literal["negated"])
            return known[key]

        return holds

    def _first(self, holds, n):
        """Return for each of n rows the first case whose literals all hold; holds(i) tells where literal i does."""
        decided = np.full(n, len(self.cases) - 1)
        left = None  # rows that no case has decided; None: all
        for i, when in enumerate(self.when[:-1]):
            here = left
            for literal in when:
                here = holds(literal) if here is None else here & holds(literal)
            if here is None:  # no condition: it decides all that is left
                here = np.ones(n, dtype=bool)
            decided[here] = i
            left = ~here if left is None else left & ~here
        return decided

    def importances(self, columns, saved, number):
        """Return for each column of a table how much the share of wrong weight rises, on average, if its cells are
        those of a row at random, by weight.

        saved: for each class, what predicting it saves in each of the n rows: the weight of a row of that class.
        number: of the class that each case predicts. The average over all rows is exact: rows in which the same literals hold are one, and are few.
        """
        if not self.literals:
            return {}
        holds = self._literals(columns)
        masks = [holds(*literal) for literal in self.literals]
        code = np.zeros(saved.shape[1], dtype=np.int64)  # equal for rows in which the same literals hold
        for i, mask in enumerate(masks):
            code = 2 * code + mask
            if i % 31 == 30:  # before it has more than 62 bits
                code = np.unique(code, return_inverse=True)[1].reshape(-1)
        _, first, group = np.unique(code, return_index=True, return_inverse=True)
        group = group.reshape(-1)
        truth = np.stack([mask[first] for mask in masks], axis=1)
        weight = np.bincount(group, saved.sum(axis=0))
        right = {k: np.bincount(group, saved[k]) for k in set(number.tolist())}
        cost = np.stack([weight - right[k] for k in number.tolist()], axis=1) / weight.sum()

        def loss(truth):
            return cost[np.arange(len(first)), self._first(lambda i: truth[:, i], len(first))].sum()

        base, found = loss(truth), {}
        for name in sorted(self.columns):
            mine = [i for i, (_, x) in enumerate(self.literals) if x["column"] == name]
            values, place = np.unique(truth[:, mine], axis=0, return_inverse=True)
            share = np.bincount(place.reshape(-1), weight) / weight.sum()
            for value, part in zip(values, share):
                other = truth.copy()
                other[:, mine] = value
                found[name] = found.get(name, -base) + part * loss(other)
        return found


def _key(literal):
    return literal["column"], literal["negated"], tuple((k, str(v)) for k, v in literal["test"].items())


def _prepare(column, missing_words):
    if column.texts is not None:
        return _Texts(column.values, [clean(t) for t in column.texts])
    if column.values.dtype.kind == "b":
        return _Texts(column.values.astype(np.int8), ["False", "True"])
    return _Numbers(column.values.astype(np.float64, copy=False), missing_words)


class _Texts:
    """A column of few different texts: each is judged once."""

    def __init__(self, codes, texts):
        self.codes, self.texts = codes, texts + [""]  # code -1 is the last

    def holds(self, test, negated):
        table = np.empty(len(self.texts), dtype=bool)
        for i, text in enumerate(self.texts):
            holds = judge(test, text)
            table[i] = holds is not None and holds != negated
        return table[self.codes]


class _Numbers:
    """A column of numbers."""

    def __init__(self, values, missing_words):
        self.values = values
        missing = np.isnan(values)
        for word in missing_words:
            number = parse_number(word)
            if number is not None and number_text(number) == word:
                missing |= values == number
        self.missing = missing if missing.any() else None

    def holds(self, test, negated):
        if test.get("levels") or test.get("time"):  # numbers that are names of levels
            numbers, codes = np.unique(self.values, return_inverse=True)
            return _Texts(codes, [number_text(v) for v in numbers]).holds(test, negated)
        values = self.values
        holds, judged = np.zeros(len(values), dtype=bool), None
        kind = test["kind"]
        if kind == "is":
            holds = _written(values, [test["value"]])
        elif kind == "among":
            holds = _written(values, test["values"])
        elif kind == "number":
            holds = values == parse_number(test["value"])
        elif kind in ("interval", "threshold"):
            holds = _between(values, test.get("low"), test.get("high"), closed_above=kind == "threshold")
        elif kind in ("true", "given"):
            holds = values == 1
            judged = holds | (values == 0)
        mask = ~holds if negated else holds
        if judged is not None:
            mask &= judged
        if self.missing is not None:
            as_missing = kind != "given" and not test.get("complete", False) and (kind == "missing") != negated
            mask = np.where(self.missing, as_missing, mask)
        return mask


def _written(values, texts):
    """Return which values are written as one of the texts."""
    holds = np.zeros(len(values), dtype=bool)
    for text in texts:
        number = parse_number(text)
        if number is not None and number_text(number) == text:
            holds |= values == number
    return holds


def _between(values, low, high, closed_above):
    """Return which values are in (low, high], or in [low, high)."""
    holds = None
    if low is not None:
        holds = values > low if closed_above else values >= low
    if high is not None:
        below = values <= high if closed_above else values < high
        holds = below if holds is None else holds & below
    return np.ones(len(values), dtype=bool) if holds is None else holds


def judge(test, text):
    """Return whether a test holds of a text, None if that cannot be judged."""
    kind = test["kind"]
    if kind == "given":
        return {"0": False, "1": True}.get(text)
    words = test.get("missing_words")
    if is_missing(text, DEFAULT_MISSING if words is None else words):
        return None if test.get("complete", False) else kind == "missing"
    if kind == "is":
        return text == test["value"]
    if kind == "among":
        return text in test["values"]
    if kind == "missing":
        return False
    if kind == "true":
        return parse_truth(text)
    number = parse_scaled(test, text)
    if number is None:
        return None
    if kind == "number":
        return number == parse_scaled(test, test["value"])
    if kind in ("interval", "threshold"):
        return bool(_between(np.array([number]), test.get("low"), test.get("high"), kind == "threshold")[0])
    raise ValueError(f"unknown kind of test {kind!r}: the model is of a newer version of parcorels")


DEFAULT_MISSING = ["?", "NA", "N/A", "NaN", "null"]
