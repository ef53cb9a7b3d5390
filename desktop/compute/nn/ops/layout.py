"""Operators that move or repeat elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.places import Index, Place, Read, Source, divided
from desktop.compute.nn.ir.views import TensorView
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, require_indices
from desktop.compute.nn.kernels.strided import copy_box, source
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, folds, integers, require
from desktop.compute.nn.lowering.plan import NCHW


# Blocks of pixels laid out as channels, and back.
@dataclass(frozen=True)
class Blocks:
    """A walk through the same elements in both layouts, with steps where blocks are channels or pixels.

    `box`: batch, channels of the wide image, block rows, rows in a block, block columns, columns in a block.
    """

    box: tuple[int, ...]
    deep: tuple[int, ...]
    wide: tuple[int, ...]


def blocks(node: Node, deep: Sequence[int]) -> Blocks:
    """Plan the walk; `deep`: the (batch, channels, height, width) where blocks are channels."""
    size = int(node.attributes["blocksize"])
    n, c, h, w = deep
    channels = c // size**2
    box = (n, channels, h, size, w, size)
    # Where the place in a block comes among the channels: before them, or (mode CRD) after.
    inner = node.attributes.get("mode", "DCR") == "CRD"
    s = _steps((n, channels, size, size, h, w) if inner else (n, size, size, channels, h, w))
    steps = (s[0], s[1], s[4], s[2], s[5], s[3]) if inner else (s[0], s[3], s[4], s[1], s[5], s[2])
    return Blocks(box, steps, _steps(box))


def _steps(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))


# DepthToSpace: channels laid out as blocks of pixels.
def _infer_depth_to_space(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels / size^2, height * size, width * size)."""
    shape, size = inputs[0].shape, int(node.attributes.get("blocksize", 0))
    require(len(shape) == 4 and size > 0, node, f"blocks of {size} in {len(shape)} dimensions")
    n, c, h, w = shape
    require(c % (size * size) == 0, node, "a size that blocks do not divide")
    return [Value(node.outputs[0], (n, c // size**2, h * size, w * size), inputs[0].dtype)]


def _lower_depth_to_space(lowering: Lowering, node: Node) -> None:
    """A strided copy over batch, channels, rows and columns of blocks, rows and columns in a block."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    walk = blocks(node, x.shape)
    copy_box(lowering, node, x, y, walk.box, walk.deep, walk.wide)


# SpaceToDepth: blocks of pixels laid out as channels.
def _infer_space_to_depth(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels * size^2, height / size, width / size)."""
    shape, size = inputs[0].shape, int(node.attributes.get("blocksize", 0))
    require(len(shape) == 4 and size > 0, node, f"blocks of {size} in {len(shape)} dimensions")
    n, c, h, w = shape
    require(h % size == w % size == 0, node, "a size that blocks do not divide")
    return [Value(node.outputs[0], (n, c * size**2, h // size, w // size), inputs[0].dtype)]


def _lower_space_to_depth(lowering: Lowering, node: Node) -> None:
    """A strided copy over batch, channels, rows and columns of blocks, rows and columns in a block."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    walk = blocks(node, y.shape)
    copy_box(lowering, node, x, y, walk.box, walk.wide, walk.deep)


# Expand: repeats dimensions of size 1 as multidirectional broadcasting does.
def _infer_expand(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape and the given one, broadcast together."""
    wanted = integers(node, "shape", 1, constants)
    require(wanted is not None and all(n >= 0 for n in wanted), node, "no shape, or a negative dimension")
    assert wanted is not None
    shape = np.broadcast_shapes(inputs[0].shape, wanted)
    return [Value(node.outputs[0], tuple(int(n) for n in shape), inputs[0].dtype)]


def _lower_expand(lowering: Lowering, node: Node) -> None:
    """A strided copy that stands still along the repeated dimensions."""
    x, y = source(lowering, node.inputs[0]), lowering.values.movable(node.outputs[0])
    own = [step if size > 1 else 0 for size, step in zip(x.shape, x.strides, strict=True)]
    strides = [0] * (len(y.shape) - len(own)) + own
    copy_box(lowering, node, x, y, y.shape, strides, y.strides)


def _view_expand(node: Node, name: str, seen: TensorView, graph: Graph) -> TensorView | None:
    """No step along what is repeated."""
    return seen.stretched(graph.shape(name))


def _fetch_expand(node: Node, name: str, place: Place, graph: Graph) -> Source:
    """The only element along what is repeated."""
    own = graph.shape(node.inputs[0])
    return Read(
        0, tuple(i if n > 1 else Index() for i, n in zip(place[len(place) - len(own) :], own, strict=True))
    )


# Tile: the whole tensor repeated along each dimension.
def _infer_tile(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Each dimension times its repeats."""
    shape, repeats = inputs[0].shape, integers(node, "repeats", 1, constants)
    require(
        repeats is not None and len(repeats) == len(shape) and all(n >= 0 for n in repeats),
        node,
        "repeats that do not fit its input",
    )
    assert repeats is not None
    return [
        Value(node.outputs[0], tuple(n * r for n, r in zip(shape, repeats, strict=True)), inputs[0].dtype)
    ]


def _lower_tile(lowering: Lowering, node: Node) -> None:
    """Copy a box of two axes a dimension: the repeats, with steps of 0 in the input, and its own."""
    x, y = source(lowering, node.inputs[0]), lowering.values.movable(node.outputs[0])
    box: list[int] = []
    x_strides: list[int] = []
    y_strides: list[int] = []
    for n, whole, x_step, y_step in zip(x.shape, y.shape, x.strides, y.strides, strict=True):
        box += [whole // max(n, 1), n]
        x_strides += [0, x_step]
        y_strides += [n * y_step, y_step]
    copy_box(lowering, node, x, y, box, x_strides, y_strides)


def _is_idle_tile(node: Node, graph: Graph) -> bool:
    """Repeated once."""
    return graph.shape(node.inputs[0]) == graph.shape(node.outputs[0])


def _fold_tile(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant."""
    return [np.tile(inputs[0], [int(n) for n in inputs[1]])]


def _fetch_tile(node: Node, name: str, place: Place, graph: Graph) -> Source:
    """The remainder along each dimension."""
    own, whole = graph.shape(node.inputs[0]), graph.shape(name)
    return Read(
        0,
        tuple(
            divided(i, n, size)[1] if n > 1 else Index() for i, n, size in zip(place, own, whole, strict=True)
        ),
    )


# ReverseSequence: reverse the first elements of each sequence in a batch, as many as its length.
def _batch_and_time(node: Node) -> tuple[int, int]:
    return int(node.attributes.get("batch_axis", 1)), int(node.attributes.get("time_axis", 0))


def _infer_reverse_sequence(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The input's shape."""
    shape, lengths = inputs[0].shape, inputs[1]
    require_indices(node, lengths)
    batch, time = _batch_and_time(node)
    require(len(shape) >= 2 and {batch, time} == {0, 1}, node, f"axes {batch} and {time}")
    require(lengths.shape == (shape[batch],), node, "lengths that do not fit its batch")
    return [Value(node.outputs[0], shape, inputs[0].dtype)]


def _lower_reverse_sequence(lowering: Lowering, node: Node) -> None:
    """Each element is fetched from its mirrored place."""
    x, lengths = source(lowering, node.inputs[0]), lowering.nchw(node.inputs[1])
    result = lowering.values.result(node.outputs[0], NCHW)
    batch, time = _batch_and_time(node)
    places = [f"c{axis}" for axis in range(len(result.shape))]
    places[time] = "t"
    body = [
        *coordinates(result.shape),
        f"let count = u32(clamp(lengths[c{batch}], 0, {result.shape[time]}));",
        f"let t = select(c{time}, count - 1u - c{time}, c{time} < count);",
        f"return Element(x[{address(x, places)}]);",
    ]
    emit(lowering, node, {"x": x, "lengths": lengths}, result, body)


# Transpose: dimensions in another order.
def order_of(node: Node, rank: int) -> list[int]:
    """The permutation."""
    order = [int(n) for n in node.attributes.get("perm") or range(rank - 1, -1, -1)]
    require(sorted(order) == list(range(rank)), node, f"perm {order} of a tensor with {rank} dimensions")
    return order


def _infer_transpose(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Dimension i is the input's perm[i]."""
    shape = inputs[0].shape
    return [Value(node.outputs[0], tuple(shape[i] for i in order_of(node, len(shape))), inputs[0].dtype)]


def _lower_transpose(lowering: Lowering, node: Node) -> None:
    """Copy with strides unless the bytes stay in place (dimensions of size 1, channels moved to an end)."""
    shape = lowering.graph.shape(node.inputs[0])
    order = [axis for axis in order_of(node, len(shape)) if shape[axis] != 1]
    if order == sorted(order):
        lowering.view(node.inputs[0], node.outputs[0])
        return
    if lowering.values.turned(node.outputs[0], node.inputs[0], order_of(node, len(shape))):
        return
    x, y = source(lowering, node.inputs[0]), lowering.values.movable(node.outputs[0])
    strides = x.strides
    copy_box(lowering, node, x, y, y.shape, [strides[i] for i in order_of(node, len(x.shape))], y.strides)


def _fold_transpose(node: Node, inputs: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Of a constant; the same memory, of which a large network has no room for copies."""
    return [inputs[0].transpose(order_of(node, inputs[0].ndim))]


def _view_transpose(node: Node, name: str, seen: TensorView, graph: Graph) -> TensorView | None:
    """The same axes in another order."""
    return seen.transposed(order_of(node, len(graph.shape(name))))


def _fetch_transpose(node: Node, name: str, place: Place, graph: Graph) -> Source:
    """The same indices in another order."""
    order = order_of(node, len(place))
    return Read(0, tuple(place[order.index(axis)] for axis in range(len(place))))


OPERATORS: Final = (
    Operator("DepthToSpace", _infer_depth_to_space, _lower_depth_to_space),
    Operator("SpaceToDepth", _infer_space_to_depth, _lower_space_to_depth),
    Operator(
        "Expand",
        _infer_expand,
        _lower_expand,
        fold=folds(_infer_expand, lambda x, shape: np.array(np.broadcast_to(x, shape))),
        host=(1,),
        view=_view_expand,
        fetch=_fetch_expand,
    ),
    Operator(
        "Tile", _infer_tile, _lower_tile, fold=_fold_tile, host=(1,), fetch=_fetch_tile, idle=_is_idle_tile
    ),
    Operator("ReverseSequence", _infer_reverse_sequence, _lower_reverse_sequence),
    Operator(
        "Transpose",
        _infer_transpose,
        _lower_transpose,
        fold=_fold_transpose,
        quantized=Quantized.MOVES,
        view=_view_transpose,
        fetch=_fetch_transpose,
    ),
)
