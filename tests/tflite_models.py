"""Small TensorFlow Lite files, written with the schema's object API, and what LiteRT's reference kernels
compute of them.

Needs ai-edge-litert, which has wheels for few systems: tests that import this skip without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import flatbuffers
import numpy as np
import pytest

litert = pytest.importorskip("ai_edge_litert.interpreter", reason="ai-edge-litert is not installed")
schema = pytest.importorskip("ai_edge_litert.schema_py_generated", reason="ai-edge-litert is not installed")

_TYPES = {
    "float32": schema.TensorType.FLOAT32,
    "float16": schema.TensorType.FLOAT16,
    "int8": schema.TensorType.INT8,
    "uint8": schema.TensorType.UINT8,
    "int16": schema.TensorType.INT16,
    "int32": schema.TensorType.INT32,
    "int64": schema.TensorType.INT64,
    "bool": schema.TensorType.BOOL,
}

_VERSIONS = {"BROADCAST_TO": 2}
"""The first of an operator that LiteRT has, where it is not 1."""


@dataclass
class Network:
    """A file in the making: tensors by name, operators in order."""

    model: Any = field(default_factory=schema.ModelT)
    graph: Any = field(default_factory=schema.SubGraphT)
    numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.model.version = 3
        self.model.buffers = [schema.BufferT()]
        self.model.operatorCodes = []
        self.model.subgraphs = [self.graph]
        self.graph.tensors, self.graph.operators, self.graph.inputs, self.graph.outputs = [], [], [], []

    def tensor(
        self,
        name: str,
        shape: Sequence[int] = (),
        dtype: str = "float32",
        *,
        data: np.ndarray | None = None,
        scale: float | Sequence[float] | None = None,
        zero: int | Sequence[int] = 0,
        axis: int = 0,
        signature: Sequence[int] | None = None,
    ) -> str:
        """Add a tensor; one with `data` is a constant of that shape and type."""
        made = schema.TensorT()
        if data is not None:
            shape, dtype = data.shape, data.dtype.name
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            made.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        made.name, made.shape, made.type = name, list(shape), _TYPES[dtype]
        if signature is not None:
            made.shapeSignature = list(signature)
        if scale is not None:
            scales = np.atleast_1d(scale)
            made.quantization = schema.QuantizationParametersT()
            made.quantization.scale = [float(s) for s in scales]
            made.quantization.zeroPoint = [int(z) for z in np.broadcast_to(zero, scales.shape)]
            made.quantization.quantizedDimension = axis
        self.numbers[name] = len(self.graph.tensors)
        self.graph.tensors.append(made)
        return name

    def constant(self, name: str, data: Any, dtype: str = "int32") -> str:
        """Add a constant."""
        return self.tensor(name, data=np.asarray(data, dtype))

    def operator(
        self,
        name: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        options: str = "",
        custom: bytes = b"",
        **fields: Any,
    ) -> None:
        """Add an operator; `options`: the class of its options without 'Options', whose fields follow."""
        code = schema.OperatorCodeT()
        number = getattr(schema.BuiltinOperator, name, schema.BuiltinOperator.CUSTOM)
        code.builtinCode, code.deprecatedBuiltinCode, code.version = (
            number,
            min(number, 127),
            _VERSIONS.get(name, 1),
        )
        if number == schema.BuiltinOperator.CUSTOM:
            code.customCode = name
        self.model.operatorCodes.append(code)
        made = schema.OperatorT()
        made.opcodeIndex = len(self.model.operatorCodes) - 1
        made.inputs = [self.numbers[each] if each else -1 for each in inputs]
        made.outputs = [self.numbers[each] for each in outputs]
        if custom:
            made.customOptions = np.frombuffer(custom, np.uint8)
        if options:
            made.builtinOptionsType = getattr(schema.BuiltinOptions, f"{options}Options")
            made.builtinOptions = getattr(schema, f"{options}OptionsT")()
            for key, value in fields.items():
                assert hasattr(made.builtinOptions, key), key
                setattr(made.builtinOptions, key, value)
        self.graph.operators.append(made)

    def packed(self, inputs: Sequence[str], outputs: Sequence[str]) -> bytes:
        """The file."""
        self.graph.inputs = [self.numbers[name] for name in inputs]
        self.graph.outputs = [self.numbers[name] for name in outputs]
        builder = flatbuffers.Builder(4096)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def interpreter(data: bytes) -> Any:
    """LiteRT with its reference kernels, or with its others where it has no such of an operator."""
    kinds = litert.OpResolverType
    try:
        return litert.Interpreter(model_content=data, experimental_op_resolver_type=kinds.BUILTIN_REF)
    except ValueError:
        kind = kinds.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        return litert.Interpreter(model_content=data, experimental_op_resolver_type=kind)


def reference(data: bytes, feeds: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What LiteRT computes."""
    made = interpreter(data)
    for entry in made.get_input_details():
        if tuple(entry["shape"]) != feeds[entry["name"]].shape:
            made.resize_tensor_input(entry["index"], feeds[entry["name"]].shape)
    made.allocate_tensors()
    for entry in made.get_input_details():
        made.set_tensor(entry["index"], feeds[entry["name"]])
    made.invoke()
    return {entry["name"]: np.array(made.get_tensor(entry["index"])) for entry in made.get_output_details()}
