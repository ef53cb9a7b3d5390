"""Encode and decode gRPC messages (`Any`, since service_pb2 makes classes at run time), without I/O."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from tritonclient.grpc import service_pb2

from desktop.base.errors import ServingError
from desktop.net.inference.codec import CONTENTS, from_bytes, from_numbers, to_bytes
from desktop.serving.images import DECODE, divided_elements, is_image
from desktop.serving.limits import Limits
from desktop.serving.served_model import ServedModel
from desktop.serving.service import (
    MOST_TENSORS,
    InferenceRequest,
    SharedInput,
    check_parameters,
    images_of,
    input_specs,
    requested_outputs,
    seconds_of,
    shared_input,
)
from desktop.serving.shared_memory import OFFSET, REGION, SIZE, shared_part
from desktop.serving.tensors import Arrays, TensorSpec, of_input

# `map<string, InferParameter> parameters = 6` of newer ModelMetadataResponses, unknown to Triton's client.
_PARAMETERS_TAG: Final = 6 << 3 | 2


def parameter_entry(key: str, text: str) -> bytes:
    """Return an entry of the parameters of a ModelMetadataResponse, to be merged into the message."""
    value = service_pb2.InferParameter(string_param=text)
    data = service_pb2.ModelInferRequest.ParametersEntry(key=key, value=value).SerializeToString()
    return bytes([_PARAMETERS_TAG]) + _varint(len(data)) + data


def _varint(number: int) -> bytes:
    parts = []
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def read_request(model: ServedModel, message: Any, limits: Limits) -> InferenceRequest:
    """Read a ModelInferRequest. Raises ServingError if it is invalid or does not match the model."""
    if len(message.inputs) > MOST_TENSORS or len(message.outputs) > MOST_TENSORS:
        raise ServingError("invalid", f"A request has {MOST_TENSORS} tensors at most.")
    for owner in (message, *message.inputs, *message.outputs):
        check_parameters(owner.parameters)
    timeout = _plain(message.parameters).get("timeout")
    feeds, images, shared = _inputs(model, message, limits)
    outputs = {each.name: shared_part(_plain(each.parameters)) for each in message.outputs}
    return InferenceRequest(
        feeds,
        requested_outputs(model, [each.name for each in message.outputs]),
        message.id,
        seconds_of(timeout),
        images,
        shared,
        {name: part for name, part in outputs.items() if part is not None},
    )


def _inputs(
    model: ServedModel, message: Any, limits: Limits
) -> tuple[Arrays, dict[str, tuple[bytes, ...]], dict[str, SharedInput]]:
    specs = input_specs(model, [each.name for each in message.inputs])
    raw: Sequence[bytes] = message.raw_input_contents
    # Inputs in shared memory may have an entry, which is empty, or none.
    sent = [each for each in message.inputs if REGION not in each.parameters]
    if raw and len(raw) not in (len(sent), len(message.inputs)):
        raise ServingError("invalid", "'raw_input_contents' has not one entry for each input.")
    feeds: Arrays = {}
    entries = iter(raw)
    images: dict[str, tuple[bytes, ...]] = {}
    shared: dict[str, SharedInput] = {}
    for each in message.inputs:
        spec = specs[each.name]
        parameters = _plain(each.parameters)
        is_encoded = is_image(each.datatype, parameters.get(DECODE), spec.name)
        sizes = () if is_encoded else spec.check(each.datatype, each.shape, limits.request_bytes)
        part = shared_part(parameters)
        data = next(entries, b"") if part is None or len(raw) == len(message.inputs) else b""
        if part is not None:
            if is_encoded or data or each.HasField("contents"):
                raise ServingError(
                    "invalid", f"The input '{spec.name}' in shared memory is a tensor without data."
                )
            shared[spec.name] = shared_input(spec, sizes, part)
            continue
        with of_input(spec.name):
            if raw and each.HasField("contents"):
                raise ValueError("has both 'contents' and raw bytes")
            if is_encoded:
                read = partial(divided_elements, data) if raw else partial(_elements, each.contents)
                images[spec.name] = images_of(model, spec.name, list(each.shape), read)
            elif raw:
                feeds[spec.name] = from_bytes(spec.datatype, sizes, data)
            else:
                feeds[spec.name] = _typed(spec, sizes, each.contents)
    return feeds, images, shared


def _plain(parameters: Any) -> dict[str, object]:
    """Return a message's parameters as plain values."""
    kinds = {key: value.WhichOneof("parameter_choice") for key, value in parameters.items()}
    return {key: getattr(parameters[key], kind) for key, kind in kinds.items() if kind}


def _elements(contents: Any, count: int) -> tuple[bytes, ...]:
    found = tuple(contents.bytes_contents)
    if len(found) != count:
        raise ValueError(f"has not {count} elements in 'bytes_contents'")
    return found


def _typed(spec: TensorSpec, sizes: tuple[int, ...], contents: Any) -> np.ndarray:
    field = CONTENTS.get(spec.datatype, "")
    filled = [each.name for each, _ in contents.ListFields()]
    if not field or filled not in ([field], []):
        raise ValueError(f"is {spec.datatype}; send it in '{field or 'raw_input_contents'}'")
    return from_numbers(spec.datatype, sizes, getattr(contents, field))


def write_response(model: ServedModel, infer_request: InferenceRequest, outputs: Arrays) -> Any:
    """Return a ModelInferResponse, its tensors as bytes."""
    specs = {spec.name: spec for spec in model.description.outputs}
    answer = service_pb2.ModelInferResponse(
        model_name=model.name, model_version=model.version, id=infer_request.id
    )
    for name, array in outputs.items():
        output = answer.outputs.add(name=name, datatype=specs[name].datatype, shape=array.shape)
        part = infer_request.shared_outputs.get(name)
        if part is not None:
            output.parameters[REGION].string_param = part.region
            output.parameters[SIZE].int64_param = array.nbytes
            output.parameters[OFFSET].int64_param = part.offset
        # An empty one for an output in shared memory: clients count them.
        answer.raw_output_contents.append(to_bytes(array) if part is None else b"")
    return answer
