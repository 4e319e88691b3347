"""Predicts rows by SQL: reads [[query, header, types, rows], ...] and prints the label and its probability."""
import json
import sqlite3
import sys


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


for name, header, types, rows in json.load(sys.stdin):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE t (%s)" % ", ".join(quoted(h) + " " + k for h, k in zip(header, types)))
    db.executemany("INSERT INTO t VALUES (%s)" % ", ".join("?" * len(header)), rows)
    with open(name + ".sql", encoding="utf-8") as f:
        query = f.read()
    for row in db.execute("SELECT %s FROM t ORDER BY rowid" % query):
        print(-1, json.dumps(row[0]), repr(row[1]), sep="\t")
