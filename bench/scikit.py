# Methods of scikit-learn on the folds that stdin has (scikit.go): a list of measures as JSON.
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
found = {}
while line := sys.stdin.buffer.readline():
    fold = json.loads(line)
    n, count = fold["samples"], fold["columns"] + 2
    raw = sys.stdin.buffer.read(count * fold["words"] * 8)
    bits = np.frombuffer(raw, np.uint8).reshape(count, -1)
    columns = np.unpackbits(bits, axis=1, count=n, bitorder="little")
    X, y, test = columns[:-2].T.astype(np.float32), columns[-2], columns[-1].astype(bool)
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
out = []
for name, of in found.items():
    for measure, values in of.items():
        if values:
            unit = measure if measure in ("seconds", "leaves") else "share"
            out.append({"name": f"{name} {measure}", "value": float(np.mean(values)), "unit": unit})
            out.append({"name": f"{name} {measure} deviation", "value": float(np.std(values, ddof=1)), "unit": unit})
json.dump(out, sys.stdout)
