"""LpNormalization: divided by the sum of absolute values, or by the root of the sum of squares, along an axis.

https://onnx.ai/onnx/operators/onnx__LpNormalization.html
"""

from __future__ import annotations

from desktop.compute.nn.ir.graph import Node
from desktop.compute.nn.kernels.normalization import Normalization, normalize
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import Operator, axis_of, left_to_the_gpu, require, same_as_first


def lower(lowering: Lowering, node: Node) -> None:
    """A workgroup a line; a line of zeros stays zero."""
    shape = lowering.graph.shape(node.inputs[0])
    axis = axis_of(node, int(node.attributes.get("axis", -1)), len(shape))
    p = int(node.attributes.get("p", 2))
    require(p in (1, 2), node, f"p {p}")
    term, root = ("abs(v)", "v") if p == 1 else ("v * v", "sqrt(v)")
    factor = f"select(1.0 / {root}, 0.0, v == 0.0)"
    normalize(lowering, node, Normalization(shape, frozenset({axis}), False, term, factor))


OPERATOR = Operator("LpNormalization", same_as_first, lower, fold=left_to_the_gpu)
