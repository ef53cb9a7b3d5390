"""GlobalAveragePool: the mean of each channel.

https://onnx.ai/onnx/operators/onnx__GlobalAveragePool.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.compute.nn.ir.graph import Detail, Node, Value
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Constants, Operator, Quantized, Sums, require
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.lowering.workgroups import ceil_div


@dataclass(frozen=True)
class Summed(Detail):
    """The sum of each channel is wanted, not its mean: one of integers is exact."""


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, 1...)."""
    shape = inputs[0].shape
    require(len(shape) >= 3, node, f"an input with {len(shape)} dimensions")
    return [Value(node.outputs[0], (*shape[:2], *(1 for _ in shape[2:])), inputs[0].dtype)]


def lower(lowering: Lowering, node: Node) -> None:
    """A workgroup sums 8 vec4s of channels with 8 to 32 threads each."""
    x, result = lowering.nhwc(node.inputs[0]), lowering.values.result(node.outputs[0])
    across, slices = 8, 32 if x.plane >= 32 else 8
    numbers = {"BLOCKS": x.blocks, "PLANE": x.plane, "ACROSS": across, "SLICES": slices}
    numbers["SUM"] = int(node.detail(Summed) is not None)
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("global_pool", numbers, own_indices=True),
            {"x": x},
            result,
            (ceil_div(x.blocks, across), x.batch, 1),
            epilogue=node.epilogue,
        )
    )


OPERATOR = Operator(
    "GlobalAveragePool", infer, lower, fuses=True, layout=NHWC, quantized=Quantized.MEAN, sums=Sums.MEAN
)
