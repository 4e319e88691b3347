# Methods of scikit-learn on the folds that stdin has (scikit.go): measures as JSON.
import json
import sys
import time

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

# CART's least number of samples in a leaf is chosen on the training part alone.
methods = {
    "CART": lambda: GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"min_samples_leaf": [1, 10, 100]},
        cv=StratifiedKFold(3, shuffle=True, random_state=0),
    ),
    "logistic regression": lambda: LogisticRegression(max_iter=1000),
}


def unpacked(columns, n):
    """Columns of bits in words of 64, as columns of 0 and 1."""
    words = np.array(columns, dtype="<u8")
    return np.unpackbits(words.view(np.uint8), axis=1, count=n, bitorder="little")


found = {}
for line in sys.stdin:
    fold = json.loads(line)
    n = fold["samples"]
    X = unpacked(fold["columns"], n).T.astype(np.float32)
    y, test = unpacked([fold["labels"], fold["test"]], n)
    test = test.astype(bool)
    for name, make in methods.items():
        start = time.perf_counter()
        m = make().fit(X[~test], y[~test])
        took = time.perf_counter() - start
        p = m.predict_proba(X[test])[:, 1]
        of = found.setdefault(name, {"accuracy": [], "AUC": [], "seconds": [], "leaves": []})
        of["accuracy"].append(accuracy_score(y[test], m.predict(X[test])))
        of["AUC"].append(roc_auc_score(y[test], p))
        of["seconds"].append(took)
        if name == "CART":
            of["leaves"].append(m.best_estimator_.get_n_leaves())
out = {}
for name, of in found.items():
    for measure, values in of.items():
        if values:
            out[f"{name} {measure}"] = float(np.mean(values))
            out[f"{name} {measure} deviation"] = float(np.std(values, ddof=1))
json.dump(out, sys.stdout)
