"""CastLike: a Cast to the element type of a second tensor, of which nothing else is read; so constants fold.

https://onnx.ai/onnx/operators/onnx__CastLike.html
"""

from __future__ import annotations

from collections.abc import Mapping

from onnx import helper

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.narrow_floats import numpy_dtype
from desktop.compute.nn.lowering.expansion import Builder, expands
from desktop.compute.nn.lowering.operator import Constants, Expansion, Operator


def expand(node: Node, values: Mapping[str, Value], constants: Constants) -> Expansion:
    """As a Cast."""
    build = Builder(node)
    to = helper.np_dtype_to_tensor_dtype(numpy_dtype(values[node.inputs[1]].dtype))
    build.add("Cast", node.inputs[0], output=node.outputs[0], **{**node.attributes, "to": int(to)})
    return build.done()


OPERATOR = Operator("CastLike", expands, expand=expand)
