"""The program parcorels as a child process.

The table goes to its stdin as columns, its results come from its stdout as
lines of JSON; docs/column-protocol.md describes both. Its stdin stays open until
the result is there: it ends by itself when this process dies.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_WINDOWS = sys.platform == "win32"

# Options of the command line by the names that they have here. An option that
# is not listed has the same name, with _ for -.
_NAMES = {"lambda": "lambda_", "workers": "n_jobs", "time": "time_limit", "depth": "max_depth", "rules": "max_rules", "literals": "max_literals", "seed": "random_state", "class-weights": "class_weight", "weight": "sample_weight"}


class EngineError(RuntimeError):
    """The program ended without a result for a reason that is not in the data or parameters."""


class ParameterError(ValueError):
    """A parameter cannot be as it is; `parameter` is its name."""

    def __init__(self, message, parameter):
        super().__init__(message)
        self.parameter = parameter


class Refused(ValueError):
    """A proof does not hold."""


def program():
    """Return the path of the program: the one of this package, or else one on PATH."""
    given = os.environ.get("PARCORELS_PROGRAM")
    if given:
        return given
    carried = Path(__file__).parent / "bin" / ("parcorels.exe" if _WINDOWS else "parcorels")
    if carried.is_file():
        return str(carried)
    found = shutil.which("parcorels")
    if found is None:
        raise EngineError("the program parcorels is neither in this package nor on PATH: install a wheel of this platform")
    return found


def python_name(option):
    """Return the name that an option of the command line has here."""
    return _NAMES.get(option, option.replace("-", "_"))


def python_names(message):
    """Return a message with the options of the command line called as they are here."""
    words = []
    for word in message.split(" "):
        start = word.find("--")
        if start >= 0:
            end = start + 2
            while end < len(word) and (word[end].isalnum() or word[end] == "-"):
                end += 1
            option = word[start + 2 : end].rstrip("-")
            if option:
                word = word[:start] + python_name(option) + word[end:]
        words.append(word)
    return " ".join(words)


def _of_table(message):
    """Return a message about a table without the name of a file, which here has none: its line 2 is row 0."""
    return re.sub(r"^(?:.*[/\\])?(?:table\.csv|-):(?:([0-9]+):)? ", lambda m: f"row {int(m[1]) - 2}: " if m[1] else "", message)


def header(source, names, columns):
    """Return the first line of a table of columns."""
    described = []
    for name, c in zip(names, columns):
        entry = {"name": name, "type": c.type, "missing": c.missing is not None}
        if c.texts is not None:
            entry["texts"] = len(c.texts)
            entry["bytes"] = sum(len(t.encode("utf-8")) for t in c.texts)
        described.append(entry)
    table = {"format": "parcorels columns", "version": 1, "source": source, "rows": len(columns[0].values), "columns": described}
    return json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode("utf-8") + b"\n"


def blocks(columns):
    """Yield the bytes of the columns."""
    import numpy as np

    for c in columns:
        values, missing = c.values, c.missing
        if missing is not None:
            bits = np.packbits(missing, bitorder="little").tobytes()
            yield bits + bytes(-len(bits) % 8)
        if c.texts is not None:
            texts = [t.encode("utf-8") for t in c.texts]
            yield np.array([len(t) for t in texts], dtype="<i4").tobytes()
            yield b"".join(texts)
        if values.dtype.byteorder == ">" or (values.dtype.byteorder == "=" and sys.byteorder == "big"):
            values = values.astype(values.dtype.newbyteorder("<"))
        yield memoryview(np.ascontiguousarray(values)).cast("B")


def run(arguments, names, columns, source="table.csv", on_event=None, twice=False):
    """Run a command on a table and return its last event, a dictionary.

    Events before the last go to on_event. KeyboardInterrupt ends the search, which
    then returns the best model so far; a second one, within two seconds also of a search before, or one before there is any
    model, is raised. Bad input is a
    ValueError, a ParameterError if one parameter is to blame.
    """
    if not twice:
        return _talk(arguments, _first(names, columns, source), columns, on_event)
    with tempfile.TemporaryDirectory() as folder:  # a command that reads the table twice
        file = os.path.join(folder, "table.csv")
        write_columns(file, names, columns)
        return _talk([file if a == "-" else a for a in arguments], None, None, on_event)


def _talk(arguments, first, columns, on_event=None):
    with _scratch() as stderr:
        child = _start([program(), "client", *arguments], stderr)
        try:
            if first is not None:
                _send(child, first, columns)
            last = _receive(child, on_event)
            _close(child.stdin)
            child.wait(timeout=10)
        finally:
            _end(child)
        if last is None:
            stderr.seek(0)
            raise EngineError(f"the program ended with status {child.returncode} and no result{_reason(stderr.read(10_000).decode('utf-8', 'replace'))}")
    if last["event"] in ("result", "printed"):
        return last
    message = python_names(_of_table(last["message"]))
    if last["kind"] == "interrupted":
        raise KeyboardInterrupt
    if last["kind"] == "refused":
        raise Refused(message)
    if last["kind"] == "output":
        raise OSError(message)
    if "option" in last:
        raise ParameterError(message, python_name(last["option"]))
    raise ValueError(message)


def _reason(said):
    """Return why the program may have ended, from what it said on stderr: a trace of its runtime is told by its first line."""
    if any(said.startswith(begin) for begin in ("fatal error: ", "runtime")):
        return f": {said.splitlines()[0]} (it needs 1.5 GB of address space, and a limit such as ulimit -v may leave it less)"
    return f": {said.strip()}" if said.strip() else ""


def _scratch():
    """Return a file for what the program may say on stderr: in memory, where there is no folder for it."""
    try:
        return tempfile.TemporaryFile()
    except FileNotFoundError:
        return os.fdopen(os.memfd_create("stderr"), "w+b") if hasattr(os, "memfd_create") else open(os.devnull, "w+b")


def command(arguments, text=None):
    """Run a command that needs no table sent, and return what it prints. text stands for a file "-"."""
    if text is None:
        return _talk(arguments, None, None)["text"]
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "model.json")
        with open(file, "w", encoding="utf-8", newline="") as f:
            f.write(text)
        return _talk([file if a == "-" else a for a in arguments], None, None)["text"]


def write_columns(path, names, columns):
    """Write a table to a file that the program reads faster than CSV."""
    with open(path, "wb") as f:
        f.write(_first(names, columns, "table.csv"))
        for block in blocks(columns):
            f.write(block)


def _first(names, columns, source):
    try:
        return header(source, names, columns)
    except UnicodeEncodeError as e:
        raise ValueError(f"a text cannot be written as UTF-8: {e}") from None


def _start(command, stderr):
    """Start the program where a Ctrl-C at the terminal does not reach it."""
    apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if _WINDOWS else {"start_new_session": True}
    try:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, **apart)
    except OSError as e:
        raise EngineError(f"the program {command[0]} cannot be started: {e}") from e
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(child.stdin, 1031, 1 << 20)  # F_SETPIPE_SZ: fewer switches between the processes
        except OSError:
            pass
    return child


def _send(child, first, columns):
    try:
        child.stdin.write(first)
        for block in blocks(columns):
            child.stdin.write(block)
        child.stdin.flush()
    except OSError:
        pass  # it has found a fault, and says so, or has ended


_again = 2.0  # seconds: a second Ctrl-C within these stops what calls, too
_interrupted = -_again  # when the last one was


def _receive(child, on_event):
    global _interrupted
    interrupted = False
    while True:
        try:
            line = child.stdout.readline()
            if not line:
                return None
            event = json.loads(line)
            if event["event"] in ("result", "printed", "error"):
                return event
            if on_event is not None:
                on_event(event)
        except KeyboardInterrupt:
            before, _interrupted = _interrupted, time.monotonic()
            if interrupted or _interrupted - before < _again:
                raise
            interrupted = True
            _stop(child)


def _stop(child):
    """Ask for the best model so far."""
    if not _WINDOWS:
        child.send_signal(signal.SIGINT)
    _close(child.stdin)


def _close(pipe):
    try:
        pipe.close()
    except OSError:
        pass  # what was not sent is of no use to a process that has ended


def _end(child):
    """Leave no process behind."""
    if child.poll() is None:
        child.kill()
    _close(child.stdin)
    _close(child.stdout)
    child.wait()
