"""What a notebook shows, and the independent checker."""

from html.parser import HTMLParser

import matplotlib
import numpy as np
import pandas as pd
import pytest

from parcorels import BayesianRuleListClassifier, RuleListClassifier, RuleSetClassifier, TreeClassifier, _display

matplotlib.use("Agg")


class Strict(HTMLParser):
    """Checks that what is opened is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.rows, self.text = [], 0, ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.rows += tag == "tr"

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_html():
    X = pd.DataFrame({"<b>&": ["<script>alert(1)</script>", "b"] * 20, "c": [1, 2, 3, 4] * 10})
    clf = RuleListClassifier(max_card=1).fit(X, np.where(X["<b>&"] == "b", "<i>", "&"))
    page = Strict()
    html = clf._repr_html_()
    page.feed(html)
    assert page.open == [] and page.rows == 1 + len(clf.rules_)
    assert "<script>" not in html and "<i>" not in html
    assert "<i>" in page.text and "Optimal" in page.text
    assert "20 right, 0 wrong, 20 left" in html
    assert "RuleListClassifier" in RuleListClassifier()._repr_html_()


@pytest.mark.parametrize("family, word", [(RuleListClassifier, "else if "), (TreeClassifier, "if "), (RuleSetClassifier, "or ")])
def test_words(family, word):
    X = pd.DataFrame({"c": list("abcd") * 10, "d": list("xxxxy") * 8})
    clf = family().fit(X, (X["c"] == "a") | (X["d"] == "y"))
    words = _display.conditions(clf)
    assert len(words) == len(clf.rules_) > 2 and words[0].startswith("if ")
    assert all(w.startswith(word) for w in words[1:-1]) and words[-1] == ("else" if family is not TreeClassifier else words[-1])


def test_plot(tables):
    X, y = tables["integers"]
    clf = RuleListClassifier(max_card=1).fit(X, y)
    ax = clf.plot()
    assert [p.get_width() for p in ax.containers[0]] == [r.correct for r in clf.rules_]
    assert [p.get_width() for p in ax.containers[1]] == [r.samples - r.correct for r in clf.rules_]
    ax.figure.canvas.draw()
    matplotlib.pyplot.close(ax.figure)


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_progress(monkeypatch, capsys, with_tqdm):
    if not with_tqdm:
        import sys

        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with _display.progress(True) as show:
        show({"event": "progress", "elapsed": 3.0, "gap": 0.25, "objective": 0.4, "lower_bound": 0.3, "expanded": 12345})
        show({"event": "note", "text": "ignored"})
    printed = "".join(capsys.readouterr())
    assert "best 0.400000, bound 0.300000" in printed and "12,345 nodes" in printed
    with _display.progress(False) as show:
        assert show is None


def test_export(tables, tmp_path):
    X, y = tables["mixed"]
    clf = RuleListClassifier(max_card=1).fit(X, y)
    assert clf.export(tmp_path / "m.py", to="python") is None
    code = {}
    exec((tmp_path / "m.py").read_text(encoding="utf-8"), code)
    rows = X.astype(object).to_dict("records")
    for row in rows:
        for name, cell in row.items():
            row[name] = None if pd.isna(cell) else cell
    assert [code["predict"](row)[0] for row in rows] == list(clf.predict(X))
    assert "CASE" in clf.export(to="sql")
    with pytest.raises(ValueError, match="cobol"):
        clf.export(to="cobol")


def test_verify(tables, tmp_path):
    X, y = tables["monk1"]
    clf = RuleListClassifier(proof=str(tmp_path / "monk1.proof")).fit(X, y)
    first = clf.verify(X, y)
    assert first.objective == clf.objective_ and first.rules == 4 and first.records > 0
    assert first.proof_bytes == (tmp_path / "monk1.proof").stat().st_size
    (tmp_path / "monk1.proof").unlink()
    assert clf.verify(X, y).prefixes > 0  # by searching again
    with pytest.raises(ValueError):
        clf.set_params(proof=None).verify(X, np.where(np.arange(len(y)) == 0, "yes", y))


def test_verify_refuses_a_proof_of_other_data(tables, tmp_path):
    X, y = tables["monk1"]
    clf = RuleListClassifier(proof=str(tmp_path / "p")).fit(X, y)
    other = X.copy()
    other.iloc[0, 0], other.iloc[-1, 0] = other.iloc[-1, 0], other.iloc[0, 0]
    with pytest.raises(ValueError, match="not the file"):
        clf.verify(other, y)


def test_verify_a_bayesian_list(tmp_path):
    X = pd.DataFrame({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20})
    y = X.a & X.b
    clf = BayesianRuleListClassifier(max_rules=2, proof=str(tmp_path / "p")).fit(X, y)
    checked = clf.verify(X, y)
    assert checked.records > 0 and abs(checked.objective - clf.objective_) < 1e-9
    with pytest.raises(ValueError):
        clf.verify(X, 1 - y)


def test_a_rule_set_says_that_it_has_no_proof(tables):
    X, y = tables["monk1"]
    clf = RuleSetClassifier().fit(X, y)
    with pytest.raises(ValueError, match=f"upper_bound_, here {clf.upper_bound_:g}"):
        clf.verify(X, y)
