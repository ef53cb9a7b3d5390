"""Encode and decode gRPC messages, without any I/O.

The messages are those that Triton's client ships (service_pb2); `Any` stands for them, whose classes are made at run time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from tritonclient.grpc import service_pb2

from desktop.base.errors import ServingError
from desktop.serving.limits import Limits
from desktop.serving.served_model import VERSION, ServedModel
from desktop.serving.service import Asked, input_specs, wanted_outputs
from desktop.serving.tensors import Arrays, TensorSpec, from_bytes, from_numbers, shown, to_bytes

_CONTENTS: Final = {
    "bool": "bool_contents",
    "int8": "int_contents",
    "int16": "int_contents",
    "int32": "int_contents",
    "int64": "int64_contents",
    "uint8": "uint_contents",
    "uint16": "uint_contents",
    "uint32": "uint_contents",
    "uint64": "uint64_contents",
    "float32": "fp32_contents",
    "float64": "fp64_contents",
}
"""The field of InferTensorContents for each type; FP16 has none and comes as bytes."""

_UNSUPPORTED: Final = frozenset(
    {"shared_memory_region", "classification", "sequence_id", "sequence_start", "sequence_end"}
)
_MOST_TENSORS: Final = 256


def read_request(model: ServedModel, message: Any, limits: Limits) -> Asked:
    """Read a ModelInferRequest.

    Raises:
        ServingError: it is not as the protocol or the model wants it.
    """
    if len(message.inputs) > _MOST_TENSORS or len(message.outputs) > _MOST_TENSORS:
        raise ServingError("invalid", f"A request has {_MOST_TENSORS} tensors at most.")
    for owner in (message, *message.inputs, *message.outputs):
        _check_parameters(owner)
    return Asked(
        _inputs(model, message, limits),
        wanted_outputs(model, [each.name for each in message.outputs]),
        message.id,
        _seconds(message),
    )


def _check_parameters(owner: Any) -> None:
    for name in owner.parameters:
        if name in _UNSUPPORTED:
            raise ServingError("invalid", f"The parameter '{name}' is not supported here; leave it out.")


def _seconds(message: Any) -> float | None:
    """Triton's `timeout`, which is in microseconds."""
    if "timeout" not in message.parameters:
        return None
    found = message.parameters["timeout"].int64_param
    if found <= 0:
        raise ServingError("invalid", "The parameter 'timeout' is no number of microseconds.")
    return float(found) / 1e6


def _inputs(model: ServedModel, message: Any, limits: Limits) -> Arrays:
    specs = input_specs(model, [each.name for each in message.inputs])
    raw: Sequence[bytes] = message.raw_input_contents
    if raw and len(raw) != len(message.inputs):
        raise ServingError("invalid", "'raw_input_contents' has not one entry for each input.")
    feeds: Arrays = {}
    for number, each in enumerate(message.inputs):
        spec = specs[each.name]
        sizes = spec.check(each.datatype, each.shape, limits.request_bytes)
        if raw:
            if each.HasField("contents"):
                raise ServingError(
                    "invalid", f"The input '{shown(each.name)}' has both 'contents' and raw bytes."
                )
            feeds[spec.name] = from_bytes(spec, sizes, raw[number])
        else:
            feeds[spec.name] = _typed(spec, sizes, each.contents)
    return feeds


def _typed(spec: TensorSpec, sizes: tuple[int, ...], contents: Any) -> np.ndarray:
    field = _CONTENTS.get(spec.dtype)
    if field is None:
        raise ServingError(
            "invalid", f"The input '{spec.name}' is {spec.datatype}; send it in 'raw_input_contents'."
        )
    filled = [each.name for each, _ in contents.ListFields()]
    if filled not in ([field], []):
        raise ServingError("invalid", f"The input '{spec.name}' is {spec.datatype}; send it in '{field}'.")
    numbers = getattr(contents, field)
    if len(numbers) != math.prod(sizes):
        raise ServingError(
            "invalid", f"The input '{spec.name}' has {math.prod(sizes)} elements, not {len(numbers)}."
        )
    return from_numbers(spec, sizes, numbers)


def write_answer(model: ServedModel, asked: Asked, outputs: Arrays) -> Any:
    """Return a ModelInferResponse, its tensors as bytes."""
    specs = {spec.name: spec for spec in model.description.outputs}
    answer = service_pb2.ModelInferResponse(model_name=model.name, model_version=VERSION, id=asked.id)
    for name, array in outputs.items():
        answer.outputs.add(name=name, datatype=specs[name].datatype, shape=array.shape)
        answer.raw_output_contents.append(to_bytes(array))
    return answer
