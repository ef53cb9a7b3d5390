"""DFT: the discrete Fourier transform along an axis; the last dimension is 1 (real) or 2 (real and imaginary part).

https://onnx.ai/onnx/operators/onnx__DFT.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.fourier import transform, wave_table
from desktop.compute.nn.kernels.indexing import address, coordinates, emit
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, axis_of, constant_input, require
from desktop.compute.nn.lowering.plan import NCHW


def _plan(node: Node, shape: Sequence[int], constants: Constants) -> tuple[int, int]:
    """(axis, length of the transform)."""
    require(len(shape) >= 2 and shape[-1] in (1, 2), node, f"an input of shape {tuple(shape)}")
    given = constant_input(node, 2, constants)
    axis = int(node.attributes.get("axis", 1)) if node.version < 20 else -2
    axis = axis_of(node, axis if given is None else int(given.reshape(())), len(shape))
    require(axis != len(shape) - 1, node, "an axis that holds real and imaginary parts")
    length = constant_input(node, 1, constants)
    if length is not None:
        return axis, int(length.reshape(()))
    return axis, 2 * (shape[axis] - 1) if _halves(node) and _inverts(node) else shape[axis]


def _halves(node: Node) -> bool:
    return bool(node.attributes.get("onesided", 0))


def _inverts(node: Node) -> bool:
    return bool(node.attributes.get("inverse", 0))


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The axis as long as the transform, or half of it; complex, but for the inverse of a half one."""
    shape = inputs[0].shape
    axis, length = _plan(node, shape, constants)
    if _halves(node):
        require(
            shape[-1] == (2 if _inverts(node) else 1), node, "a one-sided transform of that kind of number"
        )
    result = [*shape[:-1], 1 if _halves(node) and _inverts(node) else 2]
    result[axis] = length // 2 + 1 if _halves(node) and not _inverts(node) else length
    return [Value(node.outputs[0], tuple(result), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A thread a number."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    axis, length = _plan(node, x.shape, lowering.graph.constants)
    count, weight = min(x.shape[axis], length), "1.0"
    if _halves(node) and _inverts(node):
        # The half that is left out is the mirror image of the other: all of it counts twice but the ends.
        count = min(count, length // 2 + 1)
        weight = f"select(2.0, 1.0, m == 0u || m * 2u == {length}u)"
    places = [f"c{i}" for i in range(len(x.shape))]
    places[axis] = "m"
    parts = [f"f32(x[{address(x, [*places[:-1], f'{part}u'])}])" for part in range(x.shape[-1])]
    body = [
        *coordinates(y.shape),
        *transform(
            count,
            length,
            parts[0],
            parts[-1] if len(parts) > 1 else "0.0",
            f"c{axis}",
            inverse=_inverts(node),
            weight=weight,
        ),
        f"return Element(sum[c{len(y.shape) - 1}]{f' / {length}.0' if _inverts(node) else ''});",
    ]
    emit(lowering, node, {"x": x}, y, body, constants={"waves": wave_table(lowering, node, length)})


OPERATOR = Operator("DFT", infer, lower, host=(1, 2))
