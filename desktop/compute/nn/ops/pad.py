"""Pad: constant, reflect, edge or wrap; negative pads crop. Pads are an attribute before opset 11."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.places import Chosen, Filled, Place, Read, Source, Test
from desktop.compute.nn.ir.scalar import is_float, stored_dtype
from desktop.compute.nn.kernels.indexing import FILL, LARGEST_TABLE, finish, pick, unfused
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    axis_of,
    constant_input,
    integers,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Operand
from desktop.compute.nn.lowering.workgroups import spread

_LARGEST = 1 << 20
_MODES = ("constant", "reflect", "edge", "wrap")


def _mode(node: Node) -> str:
    return str(node.attributes.get("mode", "constant"))


def _pads(node: Node, shape: Sequence[int], constants: Constants) -> list[tuple[int, int]]:
    """(before, after) of each dimension."""
    given = integers(node, "pads", 1, constants) or ()
    axes = constant_input(node, 3, constants)
    at = [axis_of(node, int(a), len(shape)) for a in axes] if axes is not None else list(range(len(shape)))
    require(
        len(given) == 2 * len(at) and all(abs(n) <= _LARGEST for n in given),
        node,
        "pads that do not fit its input",
    )
    pads = [(0, 0)] * len(shape)
    for index, axis in enumerate(at):
        pads[axis] = (given[index], given[len(at) + index])
    mode = _mode(node)
    require(mode in _MODES, node, f"mode {mode}")
    # The specification leaves open whether wrapping sees what cropping removes.
    refuse_unless(mode != "wrap" or all(min(p) >= 0 for p in pads), node, "wrapping and cropping at once")
    for (before, after), n in zip(pads, shape, strict=True):
        reach = {"reflect": n - 1, "wrap": n}.get(mode, _LARGEST)
        require(max(before, after) <= max(reach, 0), node, "padding larger than its input")
        require(mode == "constant" or n > 0 or max(before, after) <= 0, node, "padding of nothing")
    return pads


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Each dimension grows by its pads."""
    shape = inputs[0].shape
    grown = tuple(
        n + before + after for n, (before, after) in zip(shape, _pads(node, shape, constants), strict=True)
    )
    return [Value(node.outputs[0], grown, inputs[0].dtype)]


def _sources(size: int, before: int, after: int, mode: str) -> np.ndarray:
    """Return the input index, or `FILL`, of each output index along an axis; cropping precedes padding."""
    kept = np.arange(size)[max(-before, 0) : size + min(after, 0)]
    width = (max(before, 0), max(after, 0))
    if mode == "constant":
        return np.pad(kept, width, constant_values=FILL)
    return np.pad(kept, width, mode=mode)  # type: ignore[call-overload]


def _constant_fill(node: Node, constants: Constants) -> float | None:
    """The value that fills, where it is known now; None where the network computes it."""
    name = node.input(2)
    if not name:
        return float(node.attributes.get("value", 0.0))
    value = constants.get(name)
    if value is None:
        return None
    return float(value.reshape(-1)[0]) if value.size else 0.0


def spatial_padding(
    node: Node, shape: Sequence[int], constants: Constants
) -> tuple[str, tuple[tuple[int, int], tuple[int, int]]] | None:
    """Return the mode and (before, after) of height and width if a Pad only chooses pixels, else None."""
    if len(shape) != 4 or _mode(node) not in ("reflect", "edge", "constant"):
        return None
    batch, channels, rows, columns = _pads(node, shape, constants)
    plain = batch == channels == (0, 0) and min(*rows, *columns) >= 0
    if not plain or (_mode(node) == "constant" and _constant_fill(node, constants) != 0.0):
        return None
    return _mode(node), (rows, columns)


def lower(lowering: Lowering, node: Node) -> None:
    """Floats with padded spatial dimensions keep their layout; all else goes by a table an axis."""
    graph = lowering.graph
    value = graph.values[node.inputs[0]]
    pads = _pads(node, value.shape, graph.constants)
    mode, fill = _mode(node), _constant_fill(node, graph.constants)
    is_picture = is_float(value.dtype) and len(value.shape) == 4 and pads[0] == pads[1] == (0, 0)
    # The pads of that kernel read the whole input, cropped or not.
    if (
        is_picture
        and fill is not None
        and math.isfinite(fill)
        and (mode == "constant" or min(map(min, pads)) >= 0)
    ):
        _pad_picture(lowering, node, pads, mode, fill)
        return
    grown = [n + sum(pair) for n, pair in zip(value.shape, pads, strict=True) if pair != (0, 0)]
    refuse_unless(max(grown, default=0) <= LARGEST_TABLE, node, f"padding an axis to {max(grown, default=0)}")
    sources = {
        axis: _sources(value.shape[axis], *pair, mode) for axis, pair in enumerate(pads) if pair != (0, 0)
    }
    rows = unfused(lowering, node)
    pick(lowering, node, source(lowering, node.inputs[0]), rows, sources, _fill_operand(lowering, node, fill))
    finish(lowering, node, rows)


def _fill_operand(lowering: Lowering, node: Node, fill: float | None) -> Operand | None:
    if fill is None or (fill and node.input(2)):
        return lowering.nchw(node.input(2))
    if not fill:
        return None
    dtype = stored_dtype(lowering.graph.values[node.outputs[0]].dtype, lowering.target.dtype)
    return Operand(lowering.memory.constant(np.array([fill]), dtype=dtype), (1,), dtype, NCHW)


def _pad_picture(
    lowering: Lowering, node: Node, pads: Sequence[tuple[int, int]], mode: str, fill: float
) -> None:
    """Each thread fetches four channels from the place that the mode names."""
    shape = lowering.graph.shape(node.inputs[0])
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    width, rows = spread(result.pixels * result.blocks)
    numbers = {
        "PIXELS": result.pixels, "BLOCKS": result.blocks, "WIDTH": width * 64, "OUT_H": result.shape[2], "OUT_W": result.shape[3],
        "BEFORE_H": pads[2][0] % 2**32, "BEFORE_W": pads[3][0] % 2**32, "IN_H": shape[2], "IN_W": shape[3],
        "CONSTANT": int(mode == "constant"), "REFLECT": int(mode == "reflect"), "WRAP": int(mode == "wrap"),
    }  # fmt: skip
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("pad", numbers, floats={"FILL": fill}, own_indices=True),
            {"x": x},
            result,
            (width, rows, 1),
            epilogue=node.epilogue,
        )
    )


def _fetch(node: Node, name: str, place: Place, graph: Graph) -> Source | None:
    """The input's element, or the number that fills; None for other modes."""
    shape, fill = graph.shape(node.inputs[0]), _constant_fill(node, graph.constants)
    if _mode(node) != "constant" or fill is None or not math.isfinite(fill):
        return None
    pads = _pads(node, shape, graph.constants)
    inside = tuple(index.plus(-before) for index, (before, _) in zip(place, pads, strict=True))
    tests = tuple(Test(i, n) for i, n, pad in zip(inside, shape, pads, strict=True) if max(pad) > 0)
    return Chosen(tests, Read(0, inside), Filled(fill))


def _is_idle(node: Node, graph: Graph) -> bool:
    """By nothing."""
    return not any(map(any, _pads(node, graph.shape(node.inputs[0]), graph.constants)))


OPERATORS: Final = (
    Operator(
        "Pad",
        infer,
        lower,
        fuses=True,
        host=(1, 3),
        layout=NHWC,
        carries=True,
        fetch=_fetch,
        idle=_is_idle,
    ),
)
