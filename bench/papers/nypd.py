"""Makes the NYCLU problem of the CORELS paper from the NYPD's stops of a year from 2008 to 2016:

    unzip -p sqf-2014-csv.zip | python3 bench/papers/nypd.py > stops.csv

It keeps the stops with a frisk or search whose city, sex, race, age and build are known, at ages from 12 to 89. The columns
are those of "parcorels-bench stopfrisk". Counts of stops are printed on stderr.
"""

import csv
import io
import sys

FLAGS = (
    "cs_objcs cs_descr cs_casng cs_lkout cs_cloth cs_drgtr cs_furtv cs_vcrim cs_bulge "
    "ac_rept ac_inves ac_proxm ac_evasv ac_assoc ac_cgdir ac_incid ac_time ac_stsnd"
).split()
WEAPONS = "pistol riflshot asltweap knifcuti machgun othrweap".split()
YES = {"Y": 1, "1": 1, "N": 0, "0": 0, "": 0}
CITIES = {"BRONX": "Bronx", "BROOKLYN": "Brooklyn", "MANHATTAN": "Manhattan", "QUEENS": "Queens", "STATEN ISLAND": "Staten-Island"}
CITIES |= {"STATEN IS": "Staten-Island", "": ""}
LOCATIONS = {"H": "housing-authority", "T": "transit-authority", "P": "neither", "": "neither"}
PLACES = {"I": "inside", "O": "outside", "": ""}
UNKNOWN = {"sex": ["Z"], "race": ["Z", "U", "X"], "build": ["Z"], "age": ["99", "999"]}


def main():
    # The files have several encodings in columns that do not matter, and quotes in the middle of cells.
    rows = csv.reader(io.TextIOWrapper(sys.stdin.buffer, "latin-1", newline=""))
    header = [name.strip().lower().removeprefix("ï»¿") for name in next(rows)]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow([*FLAGS, "city", "location", "inout", "weapon"])
    counts = dict.fromkeys(("in the file", "frisked or searched", "without unknown values", "aged 12 to 89", "in the table"), 0)
    for row in rows:
        stop = {name: cell.strip().upper() for name, cell in zip(header, row, strict=True)}
        # A code that is not known is an error.
        flags = [YES[stop[name]] for name in FLAGS]
        weapon = max(YES[stop[name]] for name in WEAPONS)
        frisked = max(YES[stop["frisked"]], YES[stop["searched"]])
        city, location, place = CITIES[stop["city"]], LOCATIONS[stop["trhsloc"]], PLACES[stop["inout"]]
        complete = city and place and all(stop[name].strip("*") and stop[name] not in codes for name, codes in UNKNOWN.items())
        aged = complete and 12 <= int(stop["age"]) <= 89
        for name, left in zip(counts, (True, frisked, complete, aged, aged and frisked)):
            counts[name] += bool(left)
        if aged and frisked:
            out.writerow([*flags, city, location, place, weapon])
    for name, count in counts.items():
        print(f"{count:9,} {name}", file=sys.stderr)


main()
