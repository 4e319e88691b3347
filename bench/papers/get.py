"""Downloads a public data set of the papers into the folder where it is run, or lists them all:

    python3 bench/papers/get.py [NAME]

A file is written if size and SHA-256 are those of sources.csv, and if there is no file of its name.
"""

import csv
import hashlib
import pathlib
import sys
import urllib.request

with open(pathlib.Path(__file__).with_name("sources.csv"), newline="") as text:
    SOURCES = {row["name"]: row for row in csv.DictReader(text)}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in SOURCES:
        sys.exit("\n".join(f"{name:24} {row['about']}" for name, row in SOURCES.items()))
    source = SOURCES[sys.argv[1]]
    request = urllib.request.Request(source["url"], headers={"User-Agent": "parcorels"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        body = answer.read(int(source["size"]) + 1)
    if len(body) != int(source["size"]) or hashlib.sha256(body).hexdigest() != source["sha256"]:
        sys.exit(f"{source['url']}: this is not the published file")
    with open(source["file"], "xb") as file:
        file.write(body)
    print("next:", source["use"])


main()
