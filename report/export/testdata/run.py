"""Predicts rows by Python: reads [[module, header, types, rows], ...] and prints the case, the label and its probability."""
import importlib
import json
import sys

sys.path.insert(0, ".")
for name, header, _, rows in json.load(sys.stdin):
    model = importlib.import_module(name)
    for row in rows:
        row = dict(zip(header, row))
        label, probabilities = model.predict(row)
        print(model.decide(row), json.dumps(label), repr(probabilities[label]), sep="\t")
