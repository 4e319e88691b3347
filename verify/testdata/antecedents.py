#!/usr/bin/env python3
"""Makes the antecedents of a table as docs/proof-format.md describes them.

usage: antecedents.py PROOF TABLE

Reads from the header of PROOF, a proof about a rule list, how TABLE was read, and
prints the digest of the header, the digest of the antecedents that it makes, and
then each antecedent as a hexadecimal number with sample i in bit i. The exit status
is 1 if the two digests differ. It shares nothing with the Go programs.
"""
import datetime, gzip, hashlib, json, re, sys, unicodedata
from collections import Counter
from fractions import Fraction
from math import floor, gcd, inf, lcm

SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(?P<inf>inf|infinity)", re.A | re.I)
TRUTHS = [("0", "1"), ("no", "yes"), ("false", "true"), ("f", "t"), ("n", "y")]


# The header of the proof.

def header(path):
    data = open(path, "rb").read()
    if data[:8] != b"PARCPROF" or data[12:13] != b"H":
        sys.exit("not a proof about a rule list")
    block, at = data[17:17 + int.from_bytes(data[13:17], "little")], 32

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = block[at]
            value, at, shift = value | (byte & 127) << shift, at + 1, shift + 7
            if byte < 128:
                return value
    num, den, antecedents, weight, limit, least, masks = (varint() for _ in range(7))
    for _ in range(masks):
        varint()
    length = varint()
    return block[:32], antecedents, weight, json.loads(block[at:at + length])


# From bytes to cells.

def records(text, comma, trim, lazy):
    """Yields the records of RFC 4180; lazy takes stray quotes as text."""
    text = text[:-1] if text.endswith("\r") else text
    lines = [line + "\n" for line in text.replace("\r\n", "\n").split("\n")]
    lines[-1] = lines[-1][:-1]
    i = 0
    while i < len(lines):
        line, i = lines[i], i + 1
        if line in ("", "\n"):
            continue
        cells = []
        while True:
            if trim:
                line = line.lstrip(SPACE.replace("\n", ""))
            if line[:1] != '"':
                cell, found, line = line.partition(comma)
                if '"' in cell and not lazy:
                    sys.exit("a quote inside a field")
                cells.append(cell if found else cell.removesuffix("\n"))
                if not found:
                    break
                continue
            cell, line = "", line[1:]
            while True:
                part, found, line = line.partition('"')
                cell += part
                if found and line[:1] == '"':
                    cell, line = cell + '"', line[1:]
                elif found and (line in ("", "\n") or line.startswith(comma)):
                    break
                elif found and lazy:
                    cell += '"'
                elif found:
                    sys.exit("text behind a quoted field")
                elif i < len(lines):
                    line, i = lines[i], i + 1
                elif lazy:
                    break
                else:
                    sys.exit("a quote is not closed")
            cells.append(cell)
            if not line.startswith(comma):
                break
            line = line[len(comma):]
        yield cells


def detect(data, decimal):
    sample = data[:1 << 16]
    if len(data) > 1 << 16 and b"\n" in sample:
        sample = sample[:sample.rindex(b"\n") + 1]
    best, most, width = ",", 0, 1
    for comma in ";\t|" if decimal else ",;\t|":
        first = [len(r) for r, _ in zip(records(sample.decode(errors="surrogateescape"), comma, False, True), range(50))]
        fields, alike = first[0] if first else 0, first.count(first[0]) if first else 0
        if fields > 1 and (alike, fields) > (most, width if alike == most else 0):
            best, most, width = comma, alike, fields
    return best


def names(cells):
    graphic = lambda c: unicodedata.category(c)[0] in "LMNPS" or unicodedata.category(c) == "Zs"
    cells = ["".join(c if graphic(c) and c not in SPACE else " " for c in cell).split(" ") for cell in cells]
    cells = [" ".join(filter(None, words)) for words in cells]
    taken, seen = set(cells), set()
    for i, name in enumerate(cells):
        k = 1
        other = name or "c%d" % (i + 1)
        first = other
        while (name in seen if name else True) and other in taken:
            other, k = "%s.%d" % (first, k), k + 1
        seen.add(name)
        taken.add(other)
        cells[i] = other
    return cells


def ordered(text):
    """Returns the column and the levels of COLUMN=LEVEL<LEVEL, each of which may be in quotes."""
    found = re.findall(r'\s*(?:"((?:[^"]|"")*)"|([^=<]*?))\s*(?:[=<]|$)' if '"' in text else r'()([^=<]*)(?:[=<]|$)', text)
    words = [(a.replace('""', '"') or b).strip(SPACE) for a, b in found]
    return words[0], [w for w in words[1:] if w]


# What a cell means.

def number(text):
    found = NUMBER.fullmatch(text) if len(text) <= 400 else None
    if not found:
        return None
    value = float(text)
    return None if abs(value) == inf and not found["inf"] else value + 0.0


def days(text, how):
    iso = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?", text, re.A)
    mark = "[.]" if how == "d.m.y" else "/"
    other = None if how == "iso" else re.fullmatch(r"(\d{1,2})%s(\d{1,2})%s(\d{4})" % (mark, mark), text, re.A)
    if not iso and not other:
        return None
    d, m, y = (iso[3], iso[2], iso[1]) if iso else (other[2], other[1], other[3]) if how == "m/d/y" else other.groups()
    hour, minute, second = (int(x or 0) for x in (iso.groups()[3:] if iso else (0, 0, 0)))
    try:
        date = datetime.date(int(y), int(m), int(d)).toordinal() - 719163
        datetime.time(hour, minute, second)
    except ValueError:
        return None
    return (date * 86400 + 3600 * hour + 60 * minute + second) / 86400


def scale(cells, missing, levels):
    """Returns what reads the texts of a column as numbers, and whether these are no decimals."""
    if levels:
        return lambda text: float(levels.index(text)), True
    present = [t for t in dict.fromkeys(cells) if not missing(t)]
    if not present or all(number(t) is not None for t in present):
        return number, False
    fits = [how for how in ("iso", "d.m.y", "d/m/y", "m/d/y") if all(days(t, how) is not None for t in present)]
    if fits[:1] == ["iso"] or len(fits) == 1:
        return lambda text: days(text, fits[0]), True
    return number, False


def pointed(text):
    other = text.replace(",", ".", 1)
    return other if re.fullmatch(r"[^,._]*,\d[^,._]*", text, re.A) and number(other) is not None else text


def truth(text):
    for kind, values in enumerate(TRUTHS):
        if text.lower() in values:
            return kind, text.lower() == values[1]
    return (0, number(text) == 1) if number(text) in (0, 1) else None


def truths(texts):
    found = [truth(t) for t in texts]
    return None not in found and len({k for k, _ in found}) == 1 and len(set(found)) == 2


# From a column to features: lists of what each row satisfies, and whether the feature
# is a threshold of a column without missing cells, which needs no negation.

def kind(cells, rows, missing, drop, cut, category, read, scaled):
    texts = list(dict.fromkeys(cells))
    present = [t for t in texts if not missing(t)]
    numbers = [number(t) for t in present]
    first = texts[:4097]
    many = not category and len(first) == 4097 and all(len(t.encode()) <= 256 and (missing(t) or number(t) is not None) for t in first)
    if many:
        return "number" if None not in numbers else "free"
    if len(texts) > 65536 or any(len(t.encode()) > 256 for t in texts):
        return "free"
    ordered = scaled or None not in numbers and not category
    different = len(set(map(read, present))) if ordered else len(present)
    complete = drop or len(present) == len(texts)
    if different == 0 or different == 1 and complete:
        return "constant"
    if complete and not cut and truths(present):
        return "truth"
    if ordered:
        return "number"
    counts = counted(cells, rows)
    return "text" if any(frequent(counts[t], sum(rows), len(present)) for t in present) else "free"


def counted(cells, rows):
    counts = Counter()
    for cell, times in zip(cells, rows):
        counts[cell] += times
    return counts


def frequent(count, rows, texts):
    return texts <= 32 or count > 1 and 100 * count >= rows


def features(kind, cells, times, missing, read, levelled, bins, given, chosen, blocks, classes):
    gaps = [missing(c) for c in cells]
    tests, thresholds = [], 0
    if kind == "truth":
        tests = [lambda c: truth(c)[1]]
    elif kind == "text":
        counts = counted([c for c, gap in zip(cells, gaps) if not gap], [n for n, gap in zip(times, gaps) if not gap])
        tests = [lambda c, t=t: c == t for t in sorted(counts) if frequent(counts[t], sum(times), len(counts))]
        parts = [part for i in range(1, len(blocks)) for part in (blocks[:i], blocks[i:])]
        groups = [[text for block in part for text in block] for part in parts]
        tests += [lambda c, g=g: c in g for g in sorted(groups, key=len) if len(g) > 1]
    else:
        cells = [None if gap else read(c) for c, gap in zip(cells, gaps)]
        levels = sorted({v for v in cells if v is not None})
        is_cut = given is not None or len(levels) > bins and not levelled
        cuts = given or chosen or []
        if given is not None:
            tests = [lambda v, c=c: v < c for c in cuts] + [lambda v, c=c: v >= c for c in cuts]
        else:
            low, high = (cuts, cuts) if is_cut else (levels[1:-1], levels[:-2])
            tests = [] if is_cut else [lambda v, c=c: v == c for c in levels]
            thresholds = len(low) + len(high)
            halves = [lambda v, c=c: v <= c for c in low] + [lambda v, c=c: v > c for c in high]
            backwards = backward(cells, times, classes, cuts if is_cut else levels[:-1])
            tests = tests[::-1] + halves[::-1] if backwards else tests + halves
    rows = [[not gap and test(c) for c, gap in zip(cells, gaps)] for test in tests]
    two_sided = [i >= len(tests) - thresholds and not any(gaps) for i in range(len(tests))]
    if any(gaps):
        rows, two_sided = rows + [gaps], two_sided + [False]
    return [(r, t) for r, t in zip(rows, two_sided) if any(r) and not all(r)]


def backward(numbers, times, classes, cuts):
    """Reports whether the classes of the parts, from the last on, are the smaller sequence."""
    parts = [[0, 0] for _ in range(len(cuts) + 1)]
    for v, n, k in zip(numbers, times, classes):
        if v is not None:
            parts[sum(v > c for c in cuts)][min(k, 1)] += n
    return parts[::-1] < parts


# Labels and weights.

def labels(texts, positive):
    """Returns the class of each row, and how many there are."""
    values = sorted(set(texts))
    match = re.fullmatch("(>=|≥|>|<=|≤|<)(.*)", (positive or "").strip(SPACE), re.S)
    if match and positive not in values and number(match[2].strip(SPACE)) is not None:
        sign, c = match[1].replace("≥", ">=").replace("≤", "<="), number(match[2].strip(SPACE))
        test = {">": lambda v: v > c, ">=": lambda v: v >= c, "<": lambda v: v < c, "<=": lambda v: v <= c}[sign]
        return [int(test(number(t))) for t in texts], 2
    if len(values) > 2 and not positive:
        order = sorted(values, key=lambda t: (number(t) is None, number(t) or 0))
        return [order.index(t) for t in texts], len(order)
    if len(values) == 1 and not positive:
        positive = None if (truth(values[0]) or (0, True))[1] is False or values[0] == "-" else values[0]
    elif not positive:
        a, b = values
        x, y, v, w = truth(a), truth(b), number(a), number(b)
        if x and y and x[0] == y[0] and x[1] != y[1]:
            first = x[1]
        else:
            first = v > w if v is not None and w is not None else (a, b) == ("+", "-")
        positive = a if first else b
    return [int(t == positive) for t in texts], 2


def numbers_of_rows(weights):
    """Returns how many rows each row stands for: its weight, if all are whole numbers."""
    of = [Fraction(w) if w else Fraction(0) for w in weights]
    return [int(w) for w in of] if all(w.denominator == 1 for w in of) and sum(of) < 1 << 40 else [1] * len(of)


def integers(weights, rows, classes, k, class_weights):
    of = [Fraction(w) for w in weights]
    totals = [sum(w for w, c in zip(of, classes) if c == i) for i in range(k)]
    if class_weights == "balanced" and 0 not in totals:
        factors = [sum(totals) / k / t for t in totals]
    else:
        factors = [Fraction(t.strip(SPACE)) for t in class_weights.split(",")] if class_weights not in ("", "balanced") else [Fraction(1)] * k
    whole = smallest(of, factors, classes, rows)
    if sum(whole) < 1 << 40:
        return whole
    scale, total = Fraction(1), sum(w * factors[c] for w, c in zip(of, classes))
    while total * scale >= 1 << 27:
        scale /= 10
    while total * scale * 10 < 1 << 27:
        scale *= 10
    nearest = lambda x: max(1, floor(x * scale + Fraction(1, 2))) / scale
    if of == rows:
        return smallest(of, [nearest(f) for f in factors], classes, rows)
    return smallest([nearest(w * factors[c]) for w, c in zip(of, classes)], [Fraction(1)] * k, classes, None)


def smallest(of, factors, classes, rows):
    if of == rows:
        each = smallest([Fraction(1)] * len(of), factors, classes, None)
        return [int(w * u) for w, u in zip(of, each)]
    of = [w * factors[c] for w, c in zip(of, classes)]
    common = lcm(*(w.denominator for w in of))
    of = [int(w * common) for w in of]
    return [w // gcd(*of) for w in of]


# From features to antecedents.

def mine(literals, sets, weights, card, budget, support):
    """literals: (feature, negated, set), in their order. Sets are integers."""
    equal = len(set(weights)) == 1
    weigh = lambda s: bin(s).count("1") * weights[0] if equal else sum(w for i, w in enumerate(weights) if s >> i & 1)
    total, whole = sum(weights), [weigh(c) for c in sets]
    least, most = max(-floor(-total * support), 1), min(floor(total * (1 - support)), total - 1)
    simplicity = lambda c: (len(c), sum(literals[l][1] for l in c), [literals[l][:2] for l in c])

    def rank(s):
        w, here = weigh(s), [weigh(s & c) for c in sets]
        gain = max(here) + max(a - b for a, b in zip(whole, here)) - max(whole)
        spread = max(abs(b * (total - a) - (w - b) * a) for a, b in zip(whole, here))
        return len(kept[s]) > 1, -gain, -spread, simplicity(kept[s])
    everything = (1 << len(weights)) - 1
    kept, pool, level, usable, wide = {}, [], [(everything, ())], list(range(len(literals))), 0
    for card_ in range(1, card + 1):
        new = []
        for parent, c in level:
            for l in usable:
                if c and l <= c[-1]:
                    continue
                s = parent & literals[l][2]
                w = weigh(s)
                if w < least or w == total or w > most and card_ == card:
                    continue
                if s in kept:
                    kept[s] = min(kept[s], c + (l,), key=simplicity)
                    continue
                if w > most and card_ > 1:
                    wide += 1
                    if wide > budget:
                        continue
                kept[s] = c + (l,)
                new.append(s)
                pool += [s] if w <= most else []
        if len(pool) > budget:
            pool.sort(key=rank)
            for s in pool[budget:]:
                del kept[s]
            pool = pool[:budget]
        level = sorted(((s, kept[s]) for s in new if s in kept), key=lambda x: simplicity(x[1]))
        if card_ == 1:
            usable = sorted(c[0] for _, c in level)
    return sorted(pool, key=lambda s: simplicity(kept[s]))


def whole_hash(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def main(proof, path):
    digest, count, weight, settings = header(proof)
    data = open(path, "rb").read()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    if settings["hash"] != whole_hash(data):
        sys.exit("another table")
    options = {}
    for o in settings["options"]:
        options.setdefault(o["name"], []).append(o["value"])
    one = lambda name, default="": options.get(name, [default])[-1]
    many = lambda name: [item for text in options.get(name, []) for r in records(text, ",", True, False) for item in r]
    data = data.removeprefix(b"\xef\xbb\xbf")
    comma = one("sep") and {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}.get(one("sep"), one("sep")) or detect(data, "decimal-comma" in options)
    rows = list(records(data.decode(errors="surrogateescape"), comma, comma not in "\t ", False))
    columns = ["c%d" % (i + 1) for i in range(len(rows[0]))] if "no-header" in options else names(rows.pop(0))
    commas = comma == ";" or "decimal-comma" in options
    point = pointed if commas else lambda text: text
    table = {name: [point(r[i].strip(SPACE)) for r in rows] for i, name in enumerate(columns)}
    words = [w.casefold() for w in (many("missing") if "missing" in options else ["?", "NA", "N/A", "NaN", "null"])]
    missing = lambda text: text == "" or text.casefold() in words
    target, weights = one("target", columns[-1]), one("weight", None)
    given = {c: sorted(map(float, v.split(","))) for c, _, v in (t.rpartition("=") for t in options.get("cuts", []))}
    attributes = [c for c in columns if c not in many("ignore") and c not in settings.get("left_out", []) and c not in (target, weights)]
    levels = dict(ordered(text) for text in options.get("ordered", []))
    scales = {c: (number, False) if c in many("categories") else scale(table[c], missing, levels.get(c)) for c in attributes}
    times = numbers_of_rows(["" if missing(w) else w for w in table[weights]] if weights else [1] * len(rows))
    kinds = {c: kind(table[c], times, missing, "drop-missing" in options, c in given, c in many("categories") or c in levels, *scales[c]) for c in attributes}
    attributes = [c for c in attributes if kinds[c] not in ("free", "constant")]
    if "drop-missing" in options:
        full = [not any(missing(table[c][i]) for c in attributes + [target] + [weights] * bool(weights)) for i in range(len(rows))]
        table = {c: [cell for cell, ok in zip(cells, full) if ok] for c, cells in table.items()}
    elif "drop-unlabelled" in options:
        labelled = [not missing(cell) for cell in table[target]]
        table = {c: [cell for cell, ok in zip(cells, labelled) if ok] for c, cells in table.items()}
    positive = one("positive", None)
    if positive and commas:
        sign, rest = re.fullmatch(r"([<>=≥≤]*)(.*)", positive.strip(SPACE), re.S).groups()
        positive = positive if pointed(rest.strip(SPACE)) == rest.strip(SPACE) else sign + pointed(rest.strip(SPACE))
    classes, k = labels(table[target], positive)
    n = len(classes)
    weights = table[weights] if weights else [1] * n
    times = numbers_of_rows(weights)
    weights = integers(weights, times, classes, k, one("class-weights"))
    bits = lambda row: sum(1 << i for i, x in enumerate(row) if x)
    literals, index = [], 0
    for c in attributes:
        for row, two_sided in features(kinds[c], table[c], times, missing, scales[c][0], c in levels, int(one("bins", "5")), given.get(c), settings.get("cuts", {}).get(c), settings.get("groups", {}).get(c, []), classes):
            literals.append((index, False, bits(row)))
            if "negations" in options and not two_sided:
                literals.append((index, True, bits(not x for x in row)))
            index += 1
    of_class = [bits(c == i for c in classes) for i in range(k)]
    sets = mine(literals, of_class, weights, int(one("max-card", "2")), int(one("max-antecedents", "65536")), Fraction(one("min-support", "0.01")))
    sizes = len(sets).to_bytes(8, "little") + n.to_bytes(8, "little")
    raw, set_bytes = b"parcorels instance 1\n" + sizes, lambda s: s.to_bytes((n + 7) // 8, "little")
    if k > 2:
        raw = b"parcorels instance of many classes 1\n" + sizes + k.to_bytes(8, "little") + b"".join(c.to_bytes(2, "little") for c in classes)
    else:
        raw += set_bytes(of_class[1])
    raw += b"".join(map(set_bytes, sets))
    if len(set(weights)) > 1 or max(times) > 1:
        raw += b"".join(w.to_bytes(8, "little") for w in weights)
    mine_digest = hashlib.sha256(raw).digest()
    print(digest.hex(), mine_digest.hex(), *("%x" % s for s in sets), sep="\n")
    return (digest, count, weight) != (mine_digest, len(sets), sum(weights))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
