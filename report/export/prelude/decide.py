import datetime as _datetime
import re as _re

_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_NUMBER = _re.compile(r"[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)")


def _text(cell):
    """The text of a cell; "" of None and NaN, which are missing."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell).strip(_SPACE)


def _missing(text):
    return text == "" or text.lower() in _MISSING


def _number(text):
    """The number in a text, None if it is not one."""
    if len(text) > 400 or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return None if value in (float("inf"), float("-inf")) and text[-1] not in "fFyY" else value


def _level(text, levels):
    """The place of an ordered category as a text; what is missing stays, another is no number."""
    return text if _missing(text) else str(levels.index(text)) if text in levels else "\0"


_ISO = _re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?Z?)?")
_OTHER = {"d/m/y": "/", "m/d/y": "/", "d.m.y": "."}


def _day(text, way):
    """The days since 1970-01-01 00:00 of a date as a text; what is missing stays, another is no number."""
    if _missing(text):
        return text
    parts, clock = _ISO.fullmatch(text), [0, 0, 0]
    if parts:
        year, month, day = map(int, parts.groups()[:3])
        clock = [int(p or 0) for p in parts.groups()[3:]]
    else:
        parts = text.split(_OTHER.get(way, "\n"))
        if len(parts) != 3 or not all(p.isascii() and p.isdigit() for p in parts) or max(len(parts[0]), len(parts[1])) > 2 or len(parts[2]) != 4:
            return "\0"
        day, month, year = map(int, parts)
        if way == "m/d/y":
            day, month = month, day
    try:
        days = _datetime.date(year, month, day).toordinal() - 719163
    except ValueError:
        return "\0"
    hour, minute, second = clock
    if hour > 23 or minute > 59 or second > 59:
        return "\0"
    return repr((days * 86400 + hour * 3600 + minute * 60 + second) / 86400)


def _part(text, way, part, levels):
    """The weekday or month of a date, as its text; another text stays."""
    day = _day(text, way)
    if _missing(text) or day == "\0":
        return text
    date = _datetime.date.fromordinal(int(float(day) // 1) + 719163)
    return levels[date.weekday() if part == "weekday" else date.month - 1]


# A test returns True, False, or None for a cell that cannot be judged. A missing
# cell cannot be judged where complete says that training had none.


def _is_missing(text, complete):
    missing = _missing(text)
    return None if missing and complete else missing


def _is(text, complete, value):
    if _missing(text):
        return None if complete else False
    return text == value


def _among(text, complete, values):
    if _missing(text):
        return None if complete else False
    return text in values


def _is_true(text, complete):
    if _missing(text):
        return None if complete else False
    text = text.lower()
    if text in ("yes", "true", "t", "y"):
        return True
    if text in ("no", "false", "f", "n"):
        return False
    return {0: False, 1: True}.get(_number(text))


def _is_given(text):
    return {"0": False, "1": True}.get(text)


def _equals(text, complete, value):
    if _missing(text):
        return None if complete else False
    number = _number(text)
    return None if number is None else number == value


def _at_least_below(text, complete, low, high):
    if _missing(text):
        return None if complete else False
    number = _number(text)
    return None if number is None else (low is None or low <= number) and (high is None or number < high)


def _above_at_most(text, complete, low, high):
    if _missing(text):
        return None if complete else False
    number = _number(text)
    return None if number is None else (low is None or low < number) and (high is None or number <= high)
