"""Models in a notebook: HTML, drawings, progress."""

from contextlib import contextmanager
from html import escape
from textwrap import fill

_STYLE = """
.parcorels{font:14px/1.5 system-ui,sans-serif;max-width:60em;color:inherit}
.parcorels table{border-collapse:collapse;width:100%}
.parcorels th,.parcorels td{text-align:left;padding:.2em .6em;border-bottom:1px solid #8884;vertical-align:top}
.parcorels td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.parcorels svg{vertical-align:middle}
.parcorels .right{fill:#2b7bba}.parcorels .wrong{fill:#d9772b}.parcorels .rest{fill:#8883}
"""


def certificate(model):
    """Return the line that says what is proved."""
    if hasattr(model, "upper_bound_"):
        unit = model.result_.get("gap_unit")
        what, gap = (f"Log posterior in {unit}", f"{model.gap_:.4g} {unit}") if unit else ("Value", f"{100 * model.gap_:.1f}%")
        return (f"{what} {model.objective_:.6g}; no {model._decision.family} has one above {model.upper_bound_:.6g} "
                f"(gap {gap}, {model.status_}).")
    if model.status_ == "optimal":
        return f"Optimal: no {model._decision.family} on these conditions has a smaller objective than {model.objective_:.6g}."
    few, depth = model.proved_rules_, model.result_.get("proved_depth")
    short = f" Proved: no list of at most {few} rule{'s' if few > 1 else ''} is better." if few else ""
    if depth:
        short = f" Proved: no tree of depth at most {depth} is better."
    return (f"Not proved optimal ({model.status_}): objective {model.objective_:.6g}, no {model._decision.family} is below "
            f"{model.lower_bound_:.6g} (gap {100 * model.gap_:.1f}%).{short}")


_NEXT = {"tree": "if ", "rule set": "or "}  # before what follows the first case; of lists "else if"


def conditions(model):
    """Return the words of each rule or leaf before its prediction."""
    words = ["if "] + [_NEXT.get(model._decision.family, "else if ")] * len(model.rules_)
    return [word + r.condition if r.condition else "else" if i else "always" for i, (word, r) in enumerate(zip(words, model.rules_))]


def html(model):
    """Return the rules as a table with bars of the samples that are predicted right
    and wrong by each, of those that are left to it."""
    rules = model.rules_
    total = max(sum(r.samples for r in rules), 1)
    left = total
    rows = []
    for words, r in zip(conditions(model), rules):
        share = 100 * r.correct / r.samples if r.samples else 0
        right, wrong, rest = (200 * v / total for v in (r.correct, r.samples - r.correct, left - r.samples))
        bar = (f'<svg width="200" height="12" role="img" aria-label="{r.correct} right, {r.samples - r.correct} wrong, {left - r.samples} left">'
               f'<rect class="right" width="{right:.1f}" height="12"/><rect class="wrong" x="{right:.1f}" width="{wrong:.1f}" height="12"/>'
               f'<rect class="rest" x="{right + wrong:.1f}" width="{rest:.1f}" height="12"/></svg>')
        left -= r.samples
        rows.append(f"<tr><td>{escape(words)}</td><td><b>{escape(str(r.prediction))}</b></td>"
                    f'<td class="n">{r.samples:,}</td><td class="n">{share:.1f}%</td><td>{bar}</td></tr>')
    head = "<tr><th>Condition</th><th>Prediction</th><th>Samples</th><th>Right</th><th>Right, wrong, left</th></tr>"
    return (f'<div class="parcorels"><style>{_STYLE}</style><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>'
            f"<p>{escape(certificate(model))}</p></div>")


def plot(model, ax=None):
    """Draw the rules as horizontal bars and return the Axes."""
    rules = model.rules_
    labels = [fill(f"{words}: {r.prediction}", 48).replace("$", r"\$") for words, r in zip(conditions(model), rules)]
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(constrained_layout=True, figsize=(8, max(0.5, 0.1 + 0.2 * max(t.count("\n") + 1 for t in labels)) * len(rules) + 1.2))[1]
    at = range(len(rules))
    right = [r.correct for r in rules]
    wrong = [r.samples - r.correct for r in rules]
    ax.barh(at, right, color="#2b7bba", label="right")
    ax.barh(at, wrong, left=right, color="#d9772b", label="wrong")
    ax.set_yticks(list(at), labels)
    ax.invert_yaxis()
    ax.set_xlabel("training samples")
    ax.set_title(certificate(model), fontsize="medium")
    ax.legend()
    return ax


@contextmanager
def progress(verbose):
    """Yield what shows the events of a search; None if nothing is to be shown."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        tqdm = None
    if tqdm is None:
        yield _print_progress
        return
    with tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed} {postfix}", desc="gap closed") as bar:

        def show(event):
            if event["event"] == "progress":
                bar.n = max(1.0 - event["gap"], 0.0)
                bar.set_postfix_str(f"best {event['objective']:.6f}, bound {event['lower_bound']:.6f}, {event['expanded']:,} nodes")

        yield show


def _print_progress(event):
    if event["event"] == "progress":
        print(f"{event['elapsed']:.0f} s: best {event['objective']:.6f}, bound {event['lower_bound']:.6f}, "
              f"gap {100 * event['gap']:.1f}%, {event['expanded']:,} nodes")
