"""Upsample: Resize with asymmetric coordinates, until opset 9.

https://onnx.ai/onnx/operators/onnx__Upsample.html
"""

from __future__ import annotations

from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu
from desktop.compute.nn.lowering.plan import NHWC
from desktop.compute.nn.ops.resize import infer, lower

OPERATOR = Operator("Upsample", infer, lower, fuses=True, host=(1,), layout=NHWC, fold=left_to_the_gpu)
