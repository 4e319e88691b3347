"""Tables of any kind as typed columns."""

from dataclasses import dataclass, field, replace

import numpy as np

from ._text import cell_text, number_text

_EXACT = 1 << 53  # beyond, floats skip integers


@dataclass
class Column:
    """A column of a table.

    values holds the cells: an array of bool, of int64, of float64 with
    NaN for missing cells, or of int32 that index texts, -1 being missing. texts is
    None but in the last case. category says that texts which look like numbers are none.
    """

    values: np.ndarray
    texts: list = field(default=None)
    category: bool = False
    ordered: bool = False  # a category whose texts are in ascending order

    @property
    def type(self):
        """The type in the protocol (docs/column-protocol.md)."""
        return "text" if self.texts is not None else self.values.dtype.name

    @property
    def missing(self):
        """Which rows have no text: an array of bool, or None if all have a value or a number says it by NaN."""
        absent = self.values < 0 if self.texts is not None else None
        return absent if absent is not None and absent.any() else None

    def take(self, rows):
        return replace(self, values=np.ascontiguousarray(self.values[rows]))

    def cell(self, row):
        """Return the canonical text of a cell."""
        value = self.values[row]
        if self.texts is not None:
            return self.texts[value] if value >= 0 else ""
        return number_text(value) if self.values.dtype.kind == "f" else str(value)


def read_table(X, wanted=None, empty=False):
    """Return the columns of X, their names or None if it has none, and its number of rows.

    wanted says which columns, by their index, are needed; others are None. empty says that there may be no row. X is a DataFrame, a table of polars, pyarrow or what else
    has __dataframe__ or __arrow_c_stream__, or whatever numpy makes a 2-D array of. Raises ValueError or
    TypeError where it is no table.
    """
    given = X
    if not hasattr(X, "iloc"):
        X = _of_other_library(X)
    if isinstance(X, dict) and X is not given:
        lists = list(X.values())
        _check_shape((len(lists[0]) if lists else 0, len(lists)), empty)
        columns = [_coded(objects) if wanted is None or i in wanted else None for i, objects in enumerate(map(_objects, lists))]
        return columns, [str(name) for name in X], len(lists[0])
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        _check_shape(X.shape, empty)
        return [read_series(X.iloc[:, i]) if wanted is None or i in wanted else None for i in range(X.shape[1])], _names(X.columns), X.shape[0]
    array = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.ndim < 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data either using array.reshape(-1, 1) "
            "if it has a single feature or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, expected a table of 2.")
    _check_shape(array.shape, empty)
    return [read_array(array[:, i]) if wanted is None or i in wanted else None for i in range(array.shape[1])], None, array.shape[0]


def _of_other_library(X):
    """Return a table of polars, pyarrow or another library that has __dataframe__ or
    __arrow_c_stream__ as a DataFrame or, without pandas, as lists of cells by name. Anything
    else is returned as it is."""
    if hasattr(X, "__dataframe__"):
        try:
            from pandas.api.interchange import from_dataframe

            return from_dataframe(X)
        except (ImportError, NotImplementedError, RuntimeError, TypeError, ValueError):
            pass  # pandas is not there, or does not know a type of a column
    if hasattr(X, "to_pydict"):  # pyarrow
        return X.to_pydict()
    if hasattr(X, "get_columns") and hasattr(X, "to_dict"):  # polars
        return X.to_dict(as_series=False)
    if hasattr(X, "__arrow_c_stream__"):
        try:
            import pyarrow
        except ImportError:
            raise TypeError(f"a table of type {type(X).__name__} needs the package pyarrow: install it, or pass a DataFrame") from None
        return pyarrow.table(X).to_pydict()
    if hasattr(X, "to_pandas"):
        return X.to_pandas()
    return X


def _objects(cells):
    """Return cells as an array of objects, also where they are arrays themselves."""
    array = np.empty(len(cells), dtype=object)
    array[:] = [str(c) if hasattr(c, "isoformat") else c for c in cells]
    return array


def _check_shape(shape, empty):
    for axis, what in ((0, "sample"), (1, "feature")):
        if shape[axis] == 0 and not (empty and axis == 0):
            raise ValueError(f"Found array with 0 {what}(s) (shape={tuple(shape)}) while a minimum of 1 is required.")


def _names(columns):
    """Return the names of a DataFrame's columns if they are strings."""
    kinds = {isinstance(c, str) for c in columns}
    if kinds == {True, False}:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but X has names of several types."
        )
    if not columns.is_unique:
        twice = [c for c in columns if list(columns).count(c) > 1]
        raise ValueError(f"more than one column is called {twice[0]!r}: rename one")
    return [str(c) for c in columns] if kinds == {True} else None


def read_series(series):
    """Return a column of a DataFrame."""
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        texts = ["" if t is None else t for t in map(_category_text, dtype.categories)]
        return Column(np.ascontiguousarray(series.cat.codes, dtype=np.int32), texts, category=True, ordered=bool(dtype.ordered))
    if isinstance(dtype, np.dtype):
        if dtype.kind == "M":
            return _times(series)
        if dtype.kind == "m":
            return read_array(series.dt.total_seconds().to_numpy() / 3600)
        return read_array(series.to_numpy())
    # An extension type: nullable numbers and truth values, strings, sparse.
    absent = series.isna().to_numpy()
    kind = getattr(dtype, "kind", "O")
    if kind == "M":
        return _times(series.dt.tz_convert("UTC").dt.tz_localize(None))
    if kind in "iufb" and not absent.any():
        return read_array(series.to_numpy(dtype=np.dtype(kind if kind == "b" else getattr(dtype, "numpy_dtype", kind + "8"))))
    if kind == "f":
        return read_array(series.to_numpy(dtype=np.float64, na_value=np.nan))
    if kind in "iu":
        floats = series.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.nanmax(np.abs(floats), initial=0) < _EXACT:
            return read_array(floats)
    return _coded(series.to_numpy(dtype=object), missing=absent)


def _times(series):
    """Return a column of times as texts, which are cut at dates: whole seconds."""
    return _coded(series.dt.floor("s").astype(str).to_numpy(), missing=series.isna().to_numpy())


def _category_text(value):
    try:
        return cell_text(value)
    except TypeError:
        return str(value)


def read_array(array):
    """Return a one-dimensional array as a column."""
    kind = array.dtype.kind
    if kind == "b":
        return Column(np.ascontiguousarray(array))
    if kind in "iu":
        if kind == "u" and array.dtype.itemsize == 8 and len(array) and array.max() > np.iinfo(np.int64).max:
            return _coded(array.astype(object))
        return Column(np.ascontiguousarray(array, dtype=np.int64))
    if kind == "f":
        return Column(np.ascontiguousarray(array, dtype=np.float64))
    if kind == "c":
        raise ValueError("Complex data not supported")
    return _coded(array.astype(object))


def _coded(objects, missing=None):
    """Return a column of Python objects as codes of their texts."""
    objects = np.asarray(objects, dtype=object)
    if missing is not None:
        objects = objects.copy()
        objects[missing] = None
    try:
        import pandas
    except ImportError:
        pandas = None
    if pandas is not None and pandas.api.types.infer_dtype(objects, skipna=True) == "string":
        codes, texts = pandas.factorize(objects)
        return Column(codes.astype(np.int32), [str(t) for t in texts])
    values = objects.tolist()
    kinds = set(map(type, values))
    if kinds == {bool}:
        return Column(np.array(values, dtype=bool))
    if kinds <= {int, float, type(None)} and kinds != {type(None)}:
        floats = np.array(values, dtype=np.float64)  # None is NaN
        if kinds == {int} and np.abs(floats).max() < 2.0**63:
            return Column(np.array(values, dtype=np.int64))
        if int not in kinds or np.nanmax(np.abs(floats), initial=0) < _EXACT:
            return Column(floats)
    # 1, True and 1.0 are equal, but have different texts.
    try:
        keys = dict.fromkeys(zip(map(type, values), values))
    except TypeError:  # of what has no hash, which is no text or number either
        keys = [(type(v), v) for v in values]
    texts = {key: cell_text(key[1]) for key in keys}
    index = {text: i for i, text in enumerate(dict.fromkeys(t for t in texts.values() if t is not None))}
    codes = {key: -1 if text is None else index[text] for key, text in texts.items()}
    return Column(np.array([codes[key] for key in zip(map(type, values), values)], dtype=np.int32), list(index))


def write_csv(path, names, columns):
    """Write columns as their canonical CSV text (docs/column-protocol.md)."""
    def quoted(text):
        if any(c in text for c in ',"\n\r'):
            return '"' + text.replace('"', '""') + '"'
        return text

    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(",".join(map(quoted, names)) + "\n")
        for row in range(len(columns[0].values)):
            f.write(",".join(quoted(c.cell(row)) for c in columns) + "\n")
