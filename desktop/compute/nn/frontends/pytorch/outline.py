"""Outline of a PyTorch file as an `onnx.ModelProto`, for code that examines a network's two ends; never run.

Operators with attributes (convolutions, resampling) keep PyTorch's names, so nothing is concluded from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import onnx

from desktop.compute.nn.frontends.pytorch.archive import EXPORTED, Archive
from desktop.compute.nn.frontends.pytorch.exported import ExportedGraph, read_exported
from desktop.compute.nn.frontends.pytorch.trial import tried
from desktop.compute.nn.ir.onnx_types import code_of
from desktop.compute.nn.session import TensorInfo

_NAMES: Final = {
    "relu": "Relu", "relu_": "Relu", "sigmoid": "Sigmoid", "softmax": "Softmax", "_softmax": "Softmax", "tanh": "Tanh",
    "gelu": "Gelu", "dropout": "Dropout", "flatten": "Flatten",
}  # fmt: skip


def outline(inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo], producer: str) -> Any:
    """Return the outline of a network of which only the ends are known; 0 in a shape is a free size."""
    made = onnx.ModelProto()
    made.ir_version, made.producer_name = 10, producer
    made.opset_import.add(domain="", version=17)
    made.graph.name = "pytorch"
    made.graph.input.extend(_info(info) for info in inputs)
    made.graph.output.extend(_info(info) for info in outputs)
    return made


def file_outline(data: bytes, kind: str, name: str) -> Any:
    """Return the outline of a PyTorch file's bytes; `name` is for messages.

    Raises:
        ModelInvalidError: it is damaged.
        ModelUnsupportedError: it must not run, or is TorchScript and PyTorch is missing.
    """
    if kind == EXPORTED:
        return graph_outline(read_exported(Archive.open(data, name)))
    found = tried(data, kind, name)
    return outline(found.inputs, found.outputs, "PyTorch")


def graph_outline(graph: ExportedGraph) -> Any:
    """Return the outline of an exported program."""
    made = outline(graph.inputs, graph.outputs, f"PyTorch {graph.version}".strip())
    for call in graph.calls:
        short = call.target.split(".")[-2]
        name = _NAMES.get(short, "")
        node = made.graph.node.add(op_type=name or short, domain="" if name else "aten")
        if call.arguments and call.arguments[0][1] == "as_tensor":
            node.input.append(str(call.arguments[0][2]["name"]))
        node.output.extend(name for name in call.outputs if isinstance(name, str))
    return made


def _info(info: TensorInfo) -> Any:
    shape: list[int | str] = [n or f"d{at}" for at, n in enumerate(info.shape)]
    return onnx.helper.make_tensor_value_info(info.name, code_of(info.dtype), shape)
