"""The package under test is the one that is installed, or else that of this checkout
with the program that PARCORELS_PROGRAM names."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = Path(os.environ.get("PARCORELS_EXAMPLES", ROOT / "examples"))

try:
    import parcorels  # noqa: F401
except ImportError:
    sys.path.insert(0, str(ROOT / "python"))

from parcorels import _engine  # noqa: E402


@pytest.fixture(scope="session")
def command():
    """Run the program's command line; returns what it printed."""

    def run(*arguments, status=0):
        done = subprocess.run([_engine.program(), *map(str, arguments)], capture_output=True, encoding="utf-8")
        assert done.returncode == status, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def tables():
    """Ten tables of all kinds of columns, as {name: (X, y)}."""
    made = {}
    for name in ("monk1", "monk2", "monk3", "tictactoe"):
        table = pd.read_csv(EXAMPLES / f"{name}.csv")
        made[name] = (table.iloc[:, :-1], table.iloc[:, -1])
    rng = np.random.default_rng(17)
    n = 400
    ints = pd.DataFrame(rng.integers(-3, 40, (n, 4)), columns=["a", "b", "c", "d"])
    made["integers"] = (ints, pd.Series((ints.a + ints.b > 30).astype(int), name="y"))
    floats = pd.DataFrame(rng.normal(size=(n, 3)).round(3), columns=["u", "v", "w, in \"m\""])
    made["floats"] = (floats, pd.Series(np.where(floats.u > floats.v, "up", "down"), name="way"))
    holes = floats.mask(rng.random(floats.shape) < 0.1)
    made["missing"] = (holes, pd.Series(holes.u.fillna(1) > 0.2, name="truth"))
    mixed = pd.DataFrame(
        {
            "flag": rng.random(n) < 0.4,
            "colour": pd.Categorical(rng.choice(["red", "green, dark", 'say "blue"'], n)),
            "text": rng.choice(["x", " y", "z ", "NA", "", "two\nlines", "ü"], n),
            "maybe": pd.array(rng.choice([0, 1, 7], n), dtype="Int64"),
            "yes or no": rng.choice(["yes", "no"], n),
        }
    )
    mixed.loc[::9, "maybe"] = pd.NA
    mixed.loc[::7, "text"] = None
    made["mixed"] = (mixed, pd.Series(np.where(mixed.flag ^ (mixed.colour == "red"), "yes", "no"), name="label"))
    words = pd.DataFrame({"word": rng.choice([f"w{i}" for i in range(60)], n, p=np.r_[[0.2, 0.1], np.full(58, 0.7 / 58)]), "n": rng.integers(0, 3, n)})
    made["words"] = (words, pd.Series(np.where((words.word == "w0") | (words.n == 2), 5, -5), name="five"))
    few = pd.DataFrame({"size": rng.choice([1.5, 2.25, 1e-7, 3e20, np.inf], n), "bit": rng.integers(0, 2, n), "same": "s"})
    made["few"] = (few, pd.Series(np.where((few["size"] > 2) & (few.bit == 1), "b", "a"), name="target"))
    assert len(made) == 10
    return made


@pytest.fixture
def predicted(command, tmp_path):
    """Predict by the command line: rows of a table, as lists of prediction and rule."""

    def predict(classifier, X, y):
        model, table, out = (tmp_path / n for n in ("m.json", "t.csv", "out.csv"))
        classifier.save(model)
        classifier.write_table(table, X, y)
        command("predict", model, table, "--sep", "comma", "-o", out)
        with open(out, newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        assert len(rows) == len(X)
        return rows

    return predict
