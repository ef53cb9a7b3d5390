"""Outline of a TensorFlow Lite file as an `onnx.ModelProto`: ONNX's operator names, shapes, small constants.

For code that examines a network's two ends. It is never run; constants over 4 KiB have no values.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import onnx

from desktop.compute.nn.frontends.tflite_metadata import metadata_properties
from desktop.compute.nn.frontends.tflite_reader import Network, OperatorOf, TfliteTensor
from desktop.compute.nn.ir.onnx_types import code_of

_SMALL: Final = 4096
_NAMES: Final = {
    "CONV_2D": "Conv", "DEPTHWISE_CONV_2D": "Conv", "CONV_3D": "Conv", "TRANSPOSE_CONV": "ConvTranspose",
    "FULLY_CONNECTED": "Gemm", "BATCH_MATMUL": "MatMul", "MAX_POOL_2D": "MaxPool", "AVERAGE_POOL_2D": "AveragePool",
    "LOGISTIC": "Sigmoid", "TANH": "Tanh", "SOFTMAX": "Softmax", "LOG_SOFTMAX": "LogSoftmax", "RELU": "Relu",
    "HARD_SWISH": "HardSwish", "PRELU": "PRelu", "LEAKY_RELU": "LeakyRelu", "ELU": "Elu", "GELU": "Gelu",
    "ADD": "Add", "SUB": "Sub", "MUL": "Mul", "DIV": "Div", "MINIMUM": "Min", "MAXIMUM": "Max", "EXP": "Exp",
    "CONCATENATION": "Concat", "RESHAPE": "Reshape", "SQUEEZE": "Squeeze", "EXPAND_DIMS": "Unsqueeze",
    "TRANSPOSE": "Transpose", "SPLIT": "Split", "SPLIT_V": "Split", "SLICE": "Slice", "STRIDED_SLICE": "Slice",
    "RESIZE_BILINEAR": "Resize", "RESIZE_NEAREST_NEIGHBOR": "Resize", "DEPTH_TO_SPACE": "DepthToSpace",
    "CAST": "Cast", "QUANTIZE": "QuantizeLinear", "DEQUANTIZE": "DequantizeLinear", "PAD": "Pad", "PADV2": "Pad",
    "MIRROR_PAD": "Pad", "MEAN": "ReduceMean", "SUM": "ReduceSum", "ARG_MAX": "ArgMax", "TOPK_V2": "TopK",
    "GATHER": "Gather", "PACK": "Concat",
}  # fmt: skip
"""Corresponding ONNX operators; others keep their names, in the domain 'tflite'."""
_ACTIVATIONS: Final = {1: "Relu", 3: "Clip", 4: "Tanh"}


def outline(network: Network, data: bytes) -> Any:
    """Return the outline of what a file holds; `data` are its bytes, for what is appended to them."""
    made = onnx.ModelProto()
    made.ir_version = 10
    made.producer_name = f"TensorFlow Lite {network.version}" if network.version else "TensorFlow Lite"
    made.opset_import.add(domain="tflite", version=max(network.version, 1))
    graph = made.graph
    graph.name = network.description or "tflite"
    known = {at for at, tensor in enumerate(network.tensors) if tensor.array is not None}
    for at in sorted(known):
        _add_constant(graph, network.tensors[at])
    for at in dict.fromkeys(network.inputs):
        if at >= 0 and at not in known:
            graph.input.append(_info(network.tensors[at], free=True))
    for operator in network.operators:
        _add_node(graph, network, operator)
    for at in dict.fromkeys(network.outputs):
        if at >= 0:
            graph.output.append(_info(network.tensors[at], free=False))
    for key, value in metadata_properties(network, data).items():
        made.metadata_props.add(key=key, value=value)
    return made


def _add_constant(graph: Any, tensor: TfliteTensor) -> None:
    assert tensor.array is not None
    entry = graph.initializer.add()
    entry.name, entry.data_type = tensor.name, code_of(tensor.dtype)
    entry.dims.extend(tensor.shape)
    if tensor.array.nbytes <= _SMALL:
        array = tensor.array
        if (
            tensor.quantized is not None
            and tensor.quantized.scales.size == 1
            and tensor.dtype not in ("int32", "int64")
        ):
            given = tensor.quantized
            real = (array.astype(np.float64) - given.zeros[0]) * float(given.scales[0])
            array, entry.data_type = real.astype(np.float32), onnx.TensorProto.FLOAT
        entry.raw_data = np.ascontiguousarray(array).tobytes()
    else:
        entry.data_location = onnx.TensorProto.EXTERNAL  # it is not read


def _info(tensor: TfliteTensor, *, free: bool) -> Any:
    shape: list[int | str] = [
        f"d{at}" if free and at in tensor.free else int(n) for at, n in enumerate(tensor.shape)
    ]
    return onnx.helper.make_tensor_value_info(tensor.name, code_of(tensor.dtype or "float32"), shape)


def _add_node(graph: Any, network: Network, operator: OperatorOf) -> None:
    def names(numbers: tuple[int, ...]) -> list[str]:
        return ["" if at < 0 else network.tensors[at].name for at in numbers]

    inputs, outputs = names(operator.inputs), names(operator.outputs)
    op = _NAMES.get(operator.name, "")
    if op in ("Reshape", "Resize", "Slice", "Transpose"):
        inputs = inputs[:1]
    if operator.name == "SPLIT":
        inputs = inputs[1:]
    activation = _ACTIVATIONS.get(int(operator.options.get("FusedActivationFunction", 0) or 0), "")
    inner = outputs[0] if outputs else ""
    node = graph.node.add()
    node.op_type, node.domain = (op, "") if op else (operator.name.removeprefix("CUSTOM "), "tflite")
    node.input.extend(inputs)
    node.output.extend([f"{inner}#linear", *outputs[1:]] if activation else outputs)
    if operator.name == "DEPTHWISE_CONV_2D" and len(operator.inputs) > 1 and operator.inputs[1] >= 0:
        outputs_made = network.tensors[operator.inputs[1]].shape[-1:]
        groups = math.prod(outputs_made) // max(int(operator.options.get("DepthMultiplier", 1) or 1), 1)
        node.attribute.append(onnx.helper.make_attribute("group", groups))
    if op == "QuantizeLinear" and operator.outputs:
        _add_scales(graph, node, network.tensors[operator.outputs[0]])
    if (
        op == "DequantizeLinear"
    ):  # of half precision, or a constant that is given as the real numbers it stands for
        source = network.tensors[operator.inputs[0]] if operator.inputs else None
        if source is not None and source.is_integer:
            _add_scales(graph, node, source)
        else:
            node.op_type = "Cast"
    if activation:
        after = graph.node.add(op_type=activation)
        after.input.append(f"{inner}#linear")
        after.output.append(inner)
        if activation == "Clip":
            for key, value in (("min", 0.0), ("max", 6.0)):
                after.attribute.add(name=key, f=value, type=onnx.AttributeProto.FLOAT)


def _add_scales(graph: Any, node: Any, tensor: TfliteTensor) -> None:
    """The scale and zero point of what a QUANTIZE makes, as ONNX has them: inputs."""
    if tensor.quantized is None or not tensor.is_integer:
        return
    for name, array in (
        ("scale", tensor.quantized.scales[:1].astype(np.float32)),
        ("zero", tensor.quantized.zeros[:1].astype(tensor.dtype)),
    ):
        entry = graph.initializer.add()
        entry.CopyFrom(onnx.numpy_helper.from_array(array.reshape(()), f"{node.output[0]}#{name}"))
        node.input.append(entry.name)
