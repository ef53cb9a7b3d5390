"""Rewrite a quantized network into the equivalent form that onnxruntime computes entirely in integers."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper


def uint8_form(model: onnx.ModelProto) -> onnx.ModelProto:
    """Change int8 activations of a QDQ `ModelProto` to uint8, 128 higher; return the model.

    onnxruntime on x86 then runs all of it on integer kernels: the reference for exact arithmetic.
    """
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    made = {}
    for each in model.graph.node:
        if each.op_type in ("QuantizeLinear", "DequantizeLinear") and each.input[0] not in constants:
            zero = numpy_helper.to_array(constants[each.input[2]])
            if zero.dtype == np.int8:
                name = f"{each.input[2]}:uint8"
                made[name] = numpy_helper.from_array((zero.astype(np.int32) + 128).astype(np.uint8), name)
                each.input[2] = name
    model.graph.initializer.extend(made.values())
    del model.graph.value_info[:]
    return model
