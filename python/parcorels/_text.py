"""Cells as the command line reads them: numbers, truth values and missing values
in texts. Each function here does what its namesake in the Go package dataset does."""

import datetime
import math
import re

import numpy as np

# What Unicode calls white space; str.strip() takes some control characters more.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?Z?)?")
_SLASHED_DATE = re.compile("([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_DOTTED_DATE = re.compile("([0-9]{1,2})[.]([0-9]{1,2})[.]([0-9]{4})")
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_TRUTHS = {"0": False, "1": True, "no": False, "yes": True, "false": False, "true": True,
           "f": False, "t": True, "n": False, "y": True}


def clean(text):
    return text.strip(_SPACE)


def parse_number(text):
    """Return the number in a text, None if it is not one."""
    if len(text) > 400:
        return None
    if _DECIMAL.fullmatch(text):
        value = float(text)
        return None if math.isinf(value) else value
    return float(text) if _INFINITE.fullmatch(text) else None


def parse_scaled(test, text):
    """Return the number that a text stands for in the column of a test, None if for none."""
    if test.get("levels") is not None:
        return test["levels"].index(text) if text in test["levels"] else None
    if test.get("time"):
        return _days(text, test["time"])
    return parse_number(text)


def _days(text, written):
    """Return the days since 1970 of a date, written as "iso", "d/m/y", "m/d/y" or "d.m.y" says."""
    parts = _ISO_DATE.fullmatch(text)
    clock = 0
    if parts:
        year, month, day, hour, minute, second = (int(p or 0) for p in parts.groups())
        if hour > 23 or minute > 59 or second > 59:
            return None
        clock = hour * 3600 + minute * 60 + second
    elif written == "iso" or not (parts := (_DOTTED_DATE if written == "d.m.y" else _SLASHED_DATE).fullmatch(text)):
        return None
    else:
        day, month, year = map(int, parts.groups())
        if written == "m/d/y":
            day, month = month, day
    try:
        return ((datetime.date(year, month, day).toordinal() - 719163) * 86400 + clock) / 86400
    except ValueError:
        return None


def parse_truth(text):
    """Return the truth value in a text, None if it is not one."""
    truth = _TRUTHS.get(text.lower())
    if truth is None:
        number = parse_number(text)
        if number == 0 or number == 1:
            return number == 1
    return truth


def is_missing(text, words):
    if text == "":
        return True
    folded = text.casefold()
    return any(len(w) == len(text) and w.casefold() == folded for w in words)


def number_text(value):
    """Return the fewest digits that read back as a float, "" for NaN."""
    value = float(value)
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    size = abs(value)
    if size < 1e15 and value == int(value):
        return str(int(value))
    if size < 1e-5 or size >= 1e15:
        return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2)
    return np.format_float_positional(value, unique=True, trim="-")


def cell_text(value):
    """Return the text of one cell of a column of Python objects, None if it is missing."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "True" if value else "False"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return None if value != value else number_text(value)
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if type(value).__name__ in ("Decimal", "Timestamp", "date", "datetime", "Timedelta", "Interval", "Period"):
        return str(value)
    raise TypeError(f"a cell is {value!r}, argument must be a string or a number")
