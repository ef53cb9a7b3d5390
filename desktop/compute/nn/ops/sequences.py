"""Sequences of tensors and optional tensors; what they hold is known when the session is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Node, SequenceValue, Value
from desktop.compute.nn.lowering.expansion import Builder, expands, items_of, known, same_sequence
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expand,
    Expansion,
    Operator,
    axis_of,
    require,
    same_as_first,
)
from desktop.compute.nn.ops.reshape import lower_reshape


def _place(node: Node, index: int, count: int, constants: Constants, default: int) -> int:
    """A position among `count`, counted from the end where it is negative."""
    if not node.input(index):
        return default
    at = known(node, node.inputs[index], constants, "a position")
    require(-count <= at < count, node, f"the position {at} of a sequence of {count}")
    return at % count


def _construct(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    return Builder(node).done(SequenceValue.of(node.outputs[0], node.inputs))


def _empty(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    return Builder(node).done(SequenceValue.of(node.outputs[0], ()))


def _insert(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    items = items_of(node, 0, values)
    at = len(items)
    if node.input(2):
        at = known(node, node.inputs[2], constants, "a position")
        require(-len(items) <= at <= len(items), node, f"the position {at} of a sequence of {len(items)}")
    return Builder(node).done(SequenceValue.of(node.outputs[0], (*items[:at], node.inputs[1], *items[at:])))


def _erase(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    items = items_of(node, 0, values)
    require(bool(items), node, "an empty sequence")
    at = _place(node, 1, len(items), constants, len(items) - 1)
    return Builder(node).done(SequenceValue.of(node.outputs[0], (*items[:at], *items[at + 1 :])))


def _at(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    items = items_of(node, 0, values)
    build = Builder(node)
    build.add("Identity", items[_place(node, 1, len(items), constants, 0)], output=node.outputs[0])
    return build.done()


def _count(node: Node, inputs: Sequence[Value]) -> Sequence[np.ndarray]:
    return [np.asarray(len(items_of(node, 0, {node.inputs[0]: inputs[0]})), np.int64)]


def _length(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    return Expansion((), {node.outputs[0]: _count(node, [values[node.inputs[0]]])[0]})


def _split(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """Parts of the given sizes, of one size, or single slices."""
    shape = values[node.inputs[0]].shape
    axis = axis_of(node, int(node.attributes.get("axis", 0)), len(shape))
    sizes = _sizes(node, shape[axis], constants)
    build = Builder(node)
    names = tuple(build.name(f"part{at}:") for at in range(len(sizes)))
    if sizes:
        split = build.constant(list(sizes))
        build.nodes.append(
            Node(
                "Split",
                node.name,
                (node.inputs[0], split),
                names,
                {"axis": axis},
                version=build.version,
                origin=str(node),
            )
        )
    if not node.input(1) and not node.attributes.get("keepdims", 1):
        axes = build.constant([axis])
        names = tuple(build.add("Squeeze", name, axes) for name in names)
    return build.done(SequenceValue.of(node.outputs[0], names))


def _sizes(node: Node, size: int, constants: Constants) -> tuple[int, ...]:
    if not node.input(1):
        return (1,) * size
    name = node.inputs[1]
    if name in constants and constants[name].ndim:
        sizes = tuple(int(n) for n in constants[name].reshape(-1))
        require(min(sizes, default=0) >= 0 and sum(sizes) == size, node, "sizes that do not add up")
        return sizes
    each = known(node, name, constants, "a size")
    require(each > 0, node, f"the size {each}")
    return tuple(min(each, size - at) for at in range(0, size, each))


def _concat(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    items = items_of(node, 0, values)
    require(bool(items), node, "an empty sequence")
    build, axis = Builder(node), int(node.attributes["axis"])
    if node.attributes.get("new_axis", 0):
        build.stack(items, axis, node.outputs[0])
    else:
        build.add("Concat", *items, output=node.outputs[0], axis=axis)
    return build.done()


_HOW: Final[Mapping[str, tuple[Expand, tuple[int, ...]]]] = {
    "SequenceConstruct": (_construct, ()),
    "SequenceEmpty": (_empty, ()),
    "SequenceInsert": (_insert, (2,)),
    "SequenceErase": (_erase, (1,)),
    "SequenceAt": (_at, (1,)),
    "SplitToSequence": (_split, (1,)),
    "ConcatFromSequence": (_concat, ()),
}


# OptionalHasElement: whether there is an input, which is known when the session is built.
def _infer_optional_has_element(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """A scalar bool."""
    return [Value(node.outputs[0], (), "bool")]


def _has_element(node: Node, inputs: Sequence[Value | np.ndarray]) -> Sequence[np.ndarray]:
    """True for a tensor or a constant, False for no input at all."""
    return [np.array(bool(node.input(0)))]


OPERATORS: Final = (
    *(Operator(name, expands, expand=how, host=host) for name, (how, host) in _HOW.items()),
    # `known`: no shape hangs on what its input holds.
    Operator("SequenceLength", expands, expand=_length, known=_count),
    # OptionalGetElement and Optional: the tensor or the sequence itself, which is always there.
    *(
        Operator(name, same_as_first, lower_reshape, expand=same_sequence)
        for name in ("OptionalGetElement", "Optional")
    ),
    Operator("OptionalHasElement", _infer_optional_has_element, fold=_has_element, known=_has_element),
)
