"""Trees: their nodes, as text, as a graph and as a picture."""

import json
from textwrap import fill

import numpy as np

_COLOURS = ["#fbb4ae", "#b3cde3", "#ccebc5", "#decbe4", "#fed9a6", "#ffffcc", "#e5d8bd", "#fddaec"]


class Node:
    """A node of a tree.

    test: what it asks, "" of a leaf. yes, no: indices of the nodes for which it holds and does not hold, None of a
    leaf. depth: tests above it. samples: training samples of each class that reach it, in the order of classes_.
    prediction: one of classes_.
    """

    def __init__(self, test, yes, no, depth, samples, prediction):
        self.test, self.yes, self.no, self.depth = test, yes, no, depth
        self.samples, self.prediction = samples, prediction

    def __repr__(self):
        return f"<Node {self.test or self.prediction!r}, {sum(self.samples)} samples>"


def nodes(model):
    """Return the nodes of a fitted TreeClassifier, each before those below it."""
    found, depth = [], {0: 0}
    for i, node in enumerate(json.loads(model.model_json_)["nodes"]):
        samples = [0] * len(model.classes_)
        for k, n in enumerate(node["samples"]):
            if n > 0:
                samples[model._class_of[k]] += n
        prediction = model.classes_[model._class_of[node["predict"]]]
        leaf = "test" not in node
        found.append(Node(node.get("test", ""), None if leaf else i + 1, None if leaf else node["else"], depth[i], samples, prediction))
        if not leaf:
            depth[i + 1] = depth[node["else"]] = depth[i] + 1
    return found


def paths(nodes):
    """Return for each leaf the indices of the nodes from the root to it."""
    above, found = {0: []}, []
    for i, node in enumerate(nodes):
        mine = [*above[i], i]
        if node.yes is None:
            found.append(np.array(mine))
        else:
            above[node.yes] = above[node.no] = mine
    return found


def text(nodes):
    """Return the tree as sklearn.tree.export_text draws it."""
    lines = []

    def walk(i):
        node, before = nodes[i], "|   " * nodes[i].depth + "|--- "
        if node.yes is None:
            lines.append(f"{before}class: {node.prediction}")
            return
        lines.append(before + node.test)
        walk(node.yes)
        lines.append(f"{before}not ({node.test})")
        walk(node.no)

    walk(0)
    return "\n".join(lines) + "\n"


def dot(nodes):
    """Return the tree in the language of Graphviz."""
    lines = ["digraph tree {", 'node [shape=box, style="rounded,filled", fontname="sans-serif"];']
    for i, node in enumerate(nodes):
        label = (node.test or _leaf(node)).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        lines.append(f'{i} [label="{label}", fillcolor="{_colour(nodes, node)}"];')
        if node.yes is not None:
            lines += [f'{i} -> {node.yes} [label="yes"];', f'{i} -> {node.no} [label="no"];']
    return "\n".join([*lines, "}"]) + "\n"


def draw(model, title, ax=None):
    """Draw the tree by matplotlib and return the Axes: to the left where a test holds."""
    all_nodes = nodes(model)
    leaves = [i for i, node in enumerate(all_nodes) if node.yes is None]
    depth = max(node.depth for node in all_nodes)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(constrained_layout=True, figsize=(max(4, 1.5 * len(leaves)), 1.1 * (depth + 1) + 0.6))[1]
    x = {leaf: float(i) for i, leaf in enumerate(leaves)}
    for i in reversed(range(len(all_nodes))):
        if i not in x:
            x[i] = (x[all_nodes[i].yes] + x[all_nodes[i].no]) / 2
    for i, node in enumerate(all_nodes):
        for word, kid in (("yes", node.yes), ("no", node.no)):
            if kid is not None:
                ax.plot([x[i], x[kid], x[kid]], [-node.depth, -node.depth, -node.depth - 1], color="#888888", linewidth=1, zorder=1)
                ax.text(x[kid], -node.depth - 0.45, f" {word}", fontsize="x-small", color="#555555")
        label = fill(node.test, 20).replace("$", r"\$") if node.test else _leaf(node).replace("$", r"\$")
        box = {"boxstyle": "round", "facecolor": _colour(all_nodes, node), "edgecolor": "#888888"}
        ax.text(x[i], -node.depth, label, ha="center", va="center", fontsize="small", bbox=box, zorder=2)
    ax.set_xlim(-0.6, len(leaves) - 0.4)
    ax.set_ylim(-depth - 0.5, 0.5)
    ax.set_axis_off()
    ax.set_title(fill(title, max(30, 18 * len(leaves))), fontsize="medium")
    return ax


def _leaf(node):
    return f"{node.prediction}\n{max(node.samples):,} of {sum(node.samples):,}"


def _colour(nodes, node):
    if node.test:
        return "#ffffff"
    known = sorted({str(n.prediction) for n in nodes})
    return _COLOURS[known.index(str(node.prediction)) % len(_COLOURS)]
