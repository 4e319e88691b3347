"""Measures programs on the raw tables that tables.R and tables.py write: the suite raw.

    python3 bench/raw/measure.py fit RECORDS FOLDER PROGRAM… [-- OPTIONS]      a record a line is added to RECORDS
    python3 bench/raw/measure.py unseen RECORDS FOLDER PROGRAM… [-- OPTIONS]   the same on two thirds of the rows, judged on the rest
    python3 bench/raw/measure.py table RECORDS                                 tables in Markdown

Each fit is a process of its own, with the program's defaults, one worker, and OPTIONS. Tables that RECORDS has are left out. The
program's name in the records is that of its folder.
"""

import csv
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def fit(program, table, options, folder=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.time()
    done = subprocess.run(
        [program, "fit", str(table), "--workers", "1", "--json", "-", "--progress", "never", *options],
        capture_output=True, text=True, cwd=folder,
    )
    took, after = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    record = {"seconds": round(took, 2), "cpu": round(cpu, 2), "load": round(os.getloadavg()[0], 1)}
    try:
        r = json.loads(done.stdout)
    except ValueError:
        return {**record, "status": "failed", "error": done.stderr[-300:]}
    names = "status", "objective", "lower_bound", "gap", "errors", "samples", "length", "lambda", "proved_rules"
    return {**record, **{k: r[k] for k in names if k in r}, "conditions": r["stats"]["antecedents"]}


def unseen(program, table, options):
    """Return accuracy and AUC on a third of the rows of programs that learned from the others: program, CART of as many leaves, logistic
    regression."""
    with table.open(newline="") as text:
        header, *rows = csv.reader(text)
    random.Random(1).shuffle(rows)
    rows = rows[:MOST]
    cut = len(rows) // 3
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("train.csv", "test.csv", "model.json")]
        for name, part in zip(names, (rows[cut:], rows[:cut])):
            with open(name, "w", newline="") as out:
                csv.writer(out).writerows([header, *part])
        record = fit(program, names[0], ["-o", names[2], "--chance", "none", *options], folder)
        done = subprocess.run([program, "evaluate", names[2], names[1], "--json", "-"], capture_output=True, text=True)
    try:
        r = json.loads(done.stdout)
    except ValueError:
        return {**record, "status": "failed", "error": done.stderr[-300:]}
    return {**record, "accuracy": r["accuracy"], "auc": r.get("auc"), **peers(rows[cut:], rows[:cut], record["length"] + 1)}


def peers(train, test, leaves):
    import numpy as np
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    def number(cell):
        try:
            return float(cell)
        except ValueError:
            return np.nan if cell in MISSING else None

    columns = list(zip(*[[number(c) for c in row[:-1]] for row in train]))
    is_number = [None not in column and len(set(column)) > 1 for column in columns]
    numbers, texts = [i for i, n in enumerate(is_number) if n], [i for i, n in enumerate(is_number) if not n]
    texts = [i for i in texts if len({row[i] for row in train}) <= 200]

    def cells(rows):
        return np.array([[number(c) if is_number[i] else c for i, c in enumerate(row[:-1])] for row in rows], dtype=object)

    x, y = (cells(train), [r[-1] for r in train]), (cells(test), [r[-1] for r in test])
    result = {}
    models = {"cart": DecisionTreeClassifier(max_leaf_nodes=max(2, leaves), random_state=1), "lr": LogisticRegression(max_iter=300)}
    for name, model in models.items():
        table = ColumnTransformer([
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), numbers),
            ("texts", OneHotEncoder(handle_unknown="ignore"), texts),
        ])
        model = make_pipeline(table, model).fit(*x)
        result[name + "_accuracy"] = float(model.score(*y))
        if len(model.classes_) == 2:
            result[name + "_auc"] = float(roc_auc_score([c == model.classes_[1] for c in y[1]], model.predict_proba(y[0])[:, 1]))
    return result


MOST, MISSING = 4000, ("", "NA", "?", "NaN")  # rows of a table


def run(path, folder, programs, options, measure):
    out = pathlib.Path(path)
    seen = {(r["table"], r["program"]) for r in records(path)} if out.exists() else set()
    for table in sorted(pathlib.Path(folder).glob("*.csv"), key=lambda t: t.stat().st_size):
        for program in programs:
            name = pathlib.Path(program).resolve().parent.name
            if (table.stem, name) not in seen:
                with out.open("a") as to:
                    to.write(json.dumps({"table": table.stem, "program": name, **measure(program, table, options)}) + "\n")


def records(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def number(x, digits=2):
    return f"{x:,.{digits}f}".rstrip("0").rstrip(".") if "." in f"{x:.{digits}f}" else f"{x:,}"


def rows_of(r):
    return r["objective"] * r["samples"]


def table(path):
    by = {}
    for r in records(path):
        by.setdefault(r["table"], {})[r["program"]] = r
    programs = list(dict.fromkeys(r["program"] for r in records(path)))
    if any("accuracy" in r for t in by.values() for r in t.values()):
        return judged(by, programs)
    print("| table | rows | conditions | " + " | ".join(f"{p}: rows | gap | s" for p in programs) + " | no better list of at most |")
    print("|---" * (4 + 3 * len(programs)) + "|")
    for name, t in sorted(by.items(), key=lambda item: item[0].lower()):
        last, cells = t[programs[-1]], []
        for p in programs:
            r = t[p]
            gap = "0" if r["status"] == "optimal" else f"{100 * r['gap']:.1f}%"
            cells += [number(rows_of(r)), gap, number(r["seconds"], 1)]
        proved = "any" if last["status"] == "optimal" else number(last.get("proved_rules", 0), 0)
        print(f"| {name} | {last['samples']:,} | {last['conditions']:,} | " + " | ".join(cells) + f" | {proved} |")


def judged(by, programs):
    """Print the mean of each program over all tables, and the difference of the last with its standard error."""
    both = [t for t in by.values() if all("accuracy" in t.get(p, {}) for p in programs)]
    now = programs[-1]
    print("| beside | tables | accuracy, points | tables | AUC |")
    print("|---|---|---|---|---|")
    for name in [*programs[:-1], "cart", "lr"]:
        cells = []
        for figure, scale in (("accuracy", 100), ("auc", 1)):
            def of(t):
                return t[name].get(figure) if name in programs else t[now].get(f"{name}_{figure}")
            d = [scale * (t[now][figure] - of(t)) for t in both if t[now].get(figure) is not None and of(t) is not None]
            cells += [str(len(d)), f"{statistics.mean(d):+.3f} ± {statistics.stdev(d) / len(d) ** 0.5:.3f}"]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    what, path, *rest = sys.argv[1:]
    cut = rest.index("--") if "--" in rest else len(rest)
    if what == "table":
        table(path)
    else:
        run(path, rest[0], rest[1:cut], rest[cut + 1 :], {"fit": fit, "unseen": unseen}[what])
