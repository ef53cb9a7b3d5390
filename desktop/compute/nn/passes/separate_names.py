"""Rename inner names with a colon (TensorFlow's `conv:0`), as the engine's own have one (`y:weights`)."""

from __future__ import annotations

from dataclasses import replace

from desktop.compute.nn.ir.graph import Graph
from desktop.compute.nn.lowering.expansion import renamed

_MARK = ":"
_INSTEAD = "\u2236"  # RATIO, which looks the same


def separated(graph: Graph) -> dict[str, str]:
    """Return the new names of the values that `separate_names` renames."""
    theirs = {*graph.inputs, *graph.constants, *(name for node in graph.nodes for name in node.outputs)}
    stays = {*graph.inputs, *graph.pinned}
    names: dict[str, str] = {}
    for name in sorted(name for name in theirs - stays if _MARK in name):
        new = name.replace(_MARK, _INSTEAD)
        while new in theirs:
            new += _INSTEAD
        theirs.add(new)
        names[name] = new
    return names


def separate_names(graph: Graph) -> Graph:
    """Rename each value with a colon that is neither an input nor requested: those names are the caller's.

    Files may use any letter, so the engine's names cannot have a letter of their own instead.
    """
    names = separated(graph)
    if not names:
        return graph
    return replace(
        graph,
        nodes=tuple(renamed(node, names) for node in graph.nodes),
        constants={names.get(name, name): array for name, array in graph.constants.items()},
        values={
            names.get(name, name): replace(value, name=names.get(name, name))
            for name, value in graph.values.items()
        },
    )
