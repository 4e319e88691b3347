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


# A test returns True, False, or None for a cell that cannot be judged. A missing
# cell cannot be judged where complete says that training had none.


def _is_missing(text, complete):
    missing = _missing(text)
    return None if missing and complete else missing


def _is(text, complete, value):
    if _missing(text):
        return None if complete else False
    return text == value


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
