"""RMSNormalization: mean of squares 1 over the axes from one on, then scale and bias.

https://onnx.ai/onnx/operators/onnx__RMSNormalization.html
"""

from __future__ import annotations

from desktop.compute.nn.kernels.normalization import infer_rows, normalize_rows
from desktop.compute.nn.lowering.operator import Operator, left_to_the_gpu

OPERATOR = Operator("RMSNormalization", infer_rows, normalize_rows, fold=left_to_the_gpu)
