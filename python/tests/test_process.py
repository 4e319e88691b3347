"""The program as a child: limits, interrupts, and nothing left behind."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

from parcorels import RuleListClassifier, _engine, cv
from parcorels._base import ConvergenceWarning

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")


def hard():
    """A table that no machine solves for a small λ while a test waits."""
    rng = np.random.default_rng(0)
    return rng.integers(0, 2, (300, 30)), rng.integers(0, 2, 300)


def children():
    """Return the processes of the program that this process started."""
    listed = subprocess.run(["ps", "-o", "pid=,stat=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if " client " in line]


@linux
def test_too_little_address_space():
    """Where a limit leaves the program too few addresses to start, one line says so, without a trace."""
    def limited(command, stderr, start=_engine._start):
        return start(["sh", "-c", 'ulimit -v 600000; exec "$@"', "sh", *command], stderr)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_engine, "_start", limited)
        with pytest.raises(_engine.EngineError, match="address space") as e:
            RuleListClassifier().fit(*hard())
    assert "\n" not in str(e.value)


def test_time_limit():
    X, y = hard()
    with pytest.warns(ConvergenceWarning, match="time-limit"):
        clf = RuleListClassifier(lambda_=0.001, time_limit=1).fit(X, y)
    assert clf.status_ == "time-limit" and 0 <= clf.lower_bound_ < clf.objective_ < 0.5
    assert len(clf.predict(X)) == 300 and "Not proved optimal" in clf._repr_html_()


def seconds(pid):
    """Return the processor time that a process has used."""
    with open(f"/proc/{pid}/stat") as f:
        used = f.read().rsplit(")", 1)[1].split()
    return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def interrupt_once_busy():
    """Press Ctrl-C when the program has computed for half a second."""
    while not any(seconds(line.split()[0]) > 0.5 for line in children()):
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)


QUESTIONS = {
    "fit": lambda X, y: RuleListClassifier(lambda_=0.001, time_limit=None).fit(X, y),
    "path": lambda X, y: RuleListClassifier(time_limit=None).path(X, y, to=0.001),
    "alternatives": lambda X, y: RuleListClassifier(lambda_=0.01, time_limit=None).alternatives(X, y),
    "cv": lambda X, y: cv(RuleListClassifier(lambda_=0.001, time_limit=None), X, y),
}


@linux
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("question", QUESTIONS)
def test_keyboard_interrupt(question, monkeypatch):
    """What is known so far is returned; before a fold, or all good models, there is nothing to return."""
    X, y = hard()
    monkeypatch.setattr(_engine, "_interrupted", -10.0)  # a second one soon after another stops all
    # A shell starts what runs in its background with SIGINT ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt_once_busy).start()
    try:
        if question in ("cv", "alternatives"):
            with pytest.raises(KeyboardInterrupt):
                QUESTIONS[question](X, y)
        else:
            found = QUESTIONS[question](X, y)
    finally:
        signal.signal(signal.SIGINT, before)
    assert children() == []
    if question == "fit":
        assert found.status_ == "interrupted" and found.lower_bound_ < found.objective_
    elif question == "path":
        assert found.down_ > Fraction(1, 1000)


@posix
def test_nothing_is_left_behind_by_errors(monkeypatch):
    with pytest.raises(ValueError):
        RuleListClassifier(lambda_=9).fit(np.eye(4), [0, 1, 0, 1])
    X, y = hard()

    def fail(event):
        raise RuntimeError("a callback that fails")

    with pytest.raises(RuntimeError, match="a callback"):
        _engine.run(["fit", "-", "--lambda", "0.001"], *RuleListClassifier()._table(X, y, None).all(), on_event=fail)
    assert children() == []


@linux
@pytest.mark.parametrize("question, forked", [*((q, False) for q in QUESTIONS), ("fit", True)])
def test_nothing_is_left_behind_by_a_killed_process(question, forked):
    """The program ends by itself, also where a fork holds its pipe open."""
    fork = "multiprocessing.get_context('fork').Process(target=time.sleep, args=(20,), daemon=True).start()"
    code = textwrap.dedent(f"""
        import multiprocessing, sys, threading, time
        sys.path[:0] = {sys.path!r}
        from test_process import QUESTIONS, children, hard, seconds
        asked = threading.Thread(target=QUESTIONS[{question!r}], args=hard())
        asked.start()
        while not any(seconds(line.split()[0]) > 0.2 for line in children()):
            time.sleep(0.05)
        {fork if forked else ""}
        print("ready", flush=True)
        asked.join()
    """)
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout.readline() == "ready\n"
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(parent.pid)], capture_output=True, text=True).stdout
    pids = [int(line.split()[0]) for line in listed.splitlines() if " client " in line]
    assert len(pids) == 1, listed
    parent.kill()
    parent.wait()
    while alive(pids[0]):
        time.sleep(0.1)


def alive(pid):
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return done.returncode == 0 and not done.stdout.startswith("Z")


def test_a_program_that_fails(monkeypatch, tmp_path):
    script = tmp_path / "parcorels"
    script.write_text("#!/bin/sh\necho 'out of luck' >&2\nexit 3\n")
    script.chmod(0o755)
    monkeypatch.setenv("PARCORELS_PROGRAM", str(script))
    with pytest.raises(_engine.EngineError, match="status 3.*out of luck"):
        RuleListClassifier().fit(np.zeros((100000, 20)), np.arange(100000) % 2)
    monkeypatch.setenv("PARCORELS_PROGRAM", str(tmp_path / "absent"))
    with pytest.raises(_engine.EngineError, match="cannot be started"):
        RuleListClassifier().fit(np.eye(4), [0, 1, 0, 1])


def test_the_parameter_that_is_wrong():
    X, y = np.eye(4), [0, 1, 0, 1]
    for parameter, estimator in {"lambda_": RuleListClassifier(lambda_=7), "max_card": RuleListClassifier(max_card=0)}.items():
        with pytest.raises(_engine.ParameterError, match=parameter) as wrong:
            estimator.fit(X, y)
        assert wrong.value.parameter == parameter


def test_names_in_messages():
    assert _engine.python_names("--lambda: 7, expected a number") == "lambda_: 7, expected a number"
    assert _engine.python_names("raise --min-support, or lower --max-card") == "raise min_support, or lower max_card"
    assert _engine.python_names('a -- b "--class-weights"') == 'a -- b "class_weight"'


def test_the_package_runs_as_a_program():
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    for arguments, status, printed in ((["version"], 0, "parcorels"), (["none"], 2, "")):
        done = subprocess.run([sys.executable, "-m", "parcorels", *arguments], capture_output=True, text=True, cwd=os.sep, env=environment)
        assert done.returncode == status and done.stdout.startswith(printed), done.stderr
