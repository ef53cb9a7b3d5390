"""BatchNormalization: (x - mean) / sqrt(var + epsilon) * scale + B; a pass folds it into the Conv before it.

In training mode mean and variance are those of the batch; the running ones are outputs.

https://onnx.ai/onnx/operators/onnx__BatchNormalization.html
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.kernels.indexing import emit
from desktop.compute.nn.lowering.expansion import Builder
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Expansion,
    Operator,
    constant_input,
    left_to_the_gpu,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """Like the input."""
    return [Value(node.outputs[0], inputs[0].shape, inputs[0].dtype)]


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion | None:
    """In training mode: with the batch's own mean and variance, of all values of a channel."""
    if not node.attributes.get("training_mode", 0):
        return None
    source, scale, bias, *running = node.inputs
    build = Builder(node)
    value = values[source]
    axes = build.constant([axis for axis in range(len(value.shape)) if axis != 1])
    wide = build.constant([-1, *[1] * (len(value.shape) - 2)])
    near = build.add("ReduceMean", source, axes, keepdims=0)
    beyond = build.add("Sub", source, build.add("Reshape", near, wide))
    # What a sum of large numbers rounds away is the mean of what they have beyond its mean, of which little is rounded.
    rest = build.add("ReduceMean", beyond, axes, keepdims=0)
    apart = build.add("Sub", beyond, build.add("Reshape", rest, wide))
    # Of an infinite mean there is no rest.
    mean = build.add("Where", build.add("IsInf", near), near, build.add("Add", near, rest))
    variance = build.add("ReduceMean", build.add("Mul", apart, apart), axes, keepdims=0)
    attributes = {"epsilon": float(node.attributes.get("epsilon", 1e-5))}
    build.add("BatchNormalization", beyond, scale, bias, rest, variance, output=node.outputs[0], **attributes)
    momentum = float(node.attributes.get("momentum", 0.9))
    kept = build.constant(momentum, value.dtype)
    new = build.constant(1.0 - momentum, value.dtype)
    for before, now, output in zip(running, (mean, variance), node.outputs[1:], strict=False):
        if output:
            build.add("Add", build.add("Mul", before, kept), build.add("Mul", now, new), output=output)
    return build.done()


def is_constant(node: Node, constants: Constants) -> bool:
    """True for parameters that are known, which a pass folds away."""
    return all(name in constants for name in node.inputs[1:5])


def lower(lowering: Lowering, node: Node) -> None:
    """Parameters that the network computes."""
    shape = lowering.graph.shape(node.inputs[0])
    channel = f"at / {math.prod(shape[2:])}u % {shape[1]}u" if len(shape) > 1 else "0u"
    names = ("scale", "bias", "mean", "variance")
    reads = {name: lowering.nchw(value) for name, value in zip(names, node.inputs[1:5], strict=True)}
    reads["x"] = lowering.nchw(node.inputs[0])
    epsilon = literal(float(node.attributes.get("epsilon", 1e-5)))
    body = [
        f"let channel = {channel};",
        f"let factor = f32(scale[channel]) / sqrt(f32(variance[channel]) + {epsilon});",
        "return Element((f32(x[at]) - f32(mean[channel])) * factor + f32(bias[channel]));",
    ]
    emit(lowering, node, reads, lowering.values.result(node.outputs[0], NCHW), body)


def scale_and_shift(node: Node, constants: Constants, channels: int) -> tuple[np.ndarray, np.ndarray]:
    """The node as x * scale + shift a channel, computed in float64."""
    arrays = [constant_input(node, index, constants) for index in range(1, 5)]
    require(
        all(a is not None and a.shape == (channels,) for a in arrays),
        node,
        "parameters that do not fit its channels",
    )
    scale, bias, mean, variance = (np.asarray(a, np.float64) for a in arrays)
    factor = scale / np.sqrt(variance + float(node.attributes.get("epsilon", 1e-5)))
    return factor, bias - mean * factor


OPERATOR = Operator("BatchNormalization", infer, lower, layout=NHWC, fold=left_to_the_gpu, expand=expand)
