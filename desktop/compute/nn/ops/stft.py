"""STFT: Fourier transforms of windowed, overlapping frames of a signal.

https://onnx.ai/onnx/operators/onnx__STFT.html
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.fourier import transform, wave_table
from desktop.compute.nn.kernels.indexing import coordinates, emit
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, constant_input, require
from desktop.compute.nn.lowering.plan import NCHW


def _frames(
    node: Node, signal: Sequence[int], window: Sequence[int], constants: Constants
) -> tuple[int, int]:
    """(step, length) of the frames."""
    step, length = (constant_input(node, index, constants) for index in (1, 3))
    require(step is not None and int(step.reshape(())) > 0, node, "no step between the frames")
    assert step is not None
    size = window[0] if node.input(2) else signal[1]
    if length is not None:
        size = int(length.reshape(()))
    require(
        0 < size <= signal[1] and (not node.input(2) or tuple(window) == (size,)),
        node,
        "a window that does not fit",
    )
    return int(step.reshape(())), size


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, frames, frequencies, 2) of a signal (batch, samples) or (batch, samples, 1 or 2)."""
    signal = inputs[0].shape
    require(len(signal) in (2, 3) and (*signal, 1)[2] in (1, 2), node, f"a signal of shape {signal}")
    window = inputs[2].shape if node.input(2) else ()
    step, size = _frames(node, signal, window, constants)
    halves = bool(node.attributes.get("onesided", 1))
    require(not halves or (*signal, 1)[2] == 1, node, "a one-sided transform of complex numbers")
    count = (signal[1] - size) // step + 1
    return [Value(node.outputs[0], (signal[0], count, size // 2 + 1 if halves else size, 2), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A thread a number."""
    x, y = lowering.nchw(node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    reads = {"x": x}
    if node.input(2):
        reads["window"] = lowering.nchw(node.inputs[2])
    window = reads["window"].shape if node.input(2) else ()
    step, size = _frames(node, x.shape, window, lowering.graph.constants)
    parts = (*x.shape, 1)[2]
    sample = f"x[(c0 * {x.shape[1]}u + c1 * {step}u + m) * {parts}u"
    real, imaginary = f"f32({sample}])", f"f32({sample} + 1u])" if parts == 2 else "0.0"
    weight = "f32(window[m])" if node.input(2) else "1.0"
    body = [
        *coordinates(y.shape),
        *transform(size, size, real, imaginary, "c2", weight=weight),
        "return Element(sum[c3]);",
    ]
    emit(lowering, node, reads, y, body, constants={"waves": wave_table(lowering, node, size)})


OPERATOR = Operator("STFT", infer, lower, host=(1, 3))
