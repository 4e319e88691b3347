"""Writes tables of scikit-learn, and raw tables of a folder, as CSV files with the label last, for the suite raw of parcorels-bench:

    python3 bench/raw/tables.py FOLDER [DATA]

DATA is the folder of the papers' data, with the published files in DATA/tables.
"""

import csv
import gzip
import pathlib
import sys

import sklearn.datasets

COMPAS = "sex age race juv_fel_count juv_misd_count juv_other_count priors_count c_charge_degree two_year_recid".split()
# name of a table, file, columns kept (None: all), place of the label
FILES = [
    ("adult", "adult.data.gz", None, -1),
    ("balance", "balance-scale.data.gz", None, 0),
    ("car", "car.data.gz", None, -1),
    ("compas", "compas-scores-two-years.csv.gz", COMPAS, -1),
    ("haberman", "haberman.data.gz", None, -1),
    ("heloc", "heloc.csv.gz", None, 0),
    ("mushroom", "agaricus-lepiota.data.gz", None, 0),
    ("nursery", "nursery.data.gz", None, -1),
    ("telco", "telco-customer-churn.csv.gz", None, -1),
    ("tictactoe", "tic-tac-toe.data.gz", None, -1),
]


def write(path, rows, label):
    with open(path, "w", newline="") as out:
        to = csv.writer(out)
        for row in rows:
            row.append(row.pop(label))
            to.writerow(row)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("iris", "wine", "breast_cancer", "digits"):
        data = getattr(sklearn.datasets, "load_" + name)()
        rows = [[*data.feature_names, "class"]]
        rows += [[*map(float, x), str(data.target_names[y])] for x, y in zip(data.data, data.target)]
        write(folder / ("sk-" + name + ".csv"), rows, -1)
    for name, file, kept, label in FILES if len(sys.argv) > 2 else ():
        path = pathlib.Path(sys.argv[2]) / "tables" / file
        if not path.exists():
            print(path, "is not there", file=sys.stderr)
            continue
        with gzip.open(path, "rt") as text:
            rows = [[cell.strip() for cell in row] for row in csv.reader(text) if row]
        if ".data" in file:
            rows.insert(0, [f"c{i + 1}" for i in range(len(rows[0]))])
        if kept:
            places = [rows[0].index(c) for c in kept]
            rows = [[row[i] for i in places] for row in rows]
        write(folder / (name + ".csv"), rows, label)


main()
