"""HTTP requests and responses: JSON, with Triton's binary tensors after it. No I/O.

https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_binary_data.md
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from desktop.base.errors import ServingError
from desktop.net.inference.codec import HEAD_LENGTH, binary_part, divided, from_bytes, to_bytes
from desktop.net.inference.wire import SharedPart
from desktop.serving.images import DECODE, decoded_texts, divided_elements, is_image
from desktop.serving.json_objects import parsed_object
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
from desktop.serving.tensors import Arrays, from_json, of_input, shown, to_json

_LONGEST_ID: Final = 1024


@dataclass(frozen=True)
class Request:
    """Attributes: infer_request: the inference request. binary: names of the outputs to send as bytes."""

    infer_request: InferenceRequest
    binary: frozenset[str]


def unpacked(body: bytes | bytearray, encoding: str, limit: int) -> bytes | bytearray:
    """Decode gzip or deflate, up to `limit` bytes; ServingError for other, damaged or larger bodies."""
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "deflate"):
        raise ServingError(
            "invalid", f"The encoding {shown(encoding)} is not known here; send gzip, deflate or none."
        )
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)  # detects gzip and zlib by their headers
    try:
        data = unpack.decompress(body, limit + 1)
    except zlib.error:
        raise ServingError("invalid", f"The body is not {encoding}.") from None
    if len(data) > limit:
        raise ServingError("large", f"The body is larger than {limit} bytes once it is unpacked.")
    if not unpack.eof or unpack.unused_data:
        raise ServingError("invalid", f"The body is not one whole stream of {encoding}.")
    return data


def read_request(
    model: ServedModel, body: bytes | bytearray, head_length: str | None, limits: Limits
) -> Request:
    """Read the body of a request for inference: JSON of `head_length` bytes (None: all), then binary tensors.

    Raises:
        ServingError: it violates the protocol or does not match the model.
    """
    head, binary = _divided(body, head_length, limits)
    document = parsed_object(head)
    parameters = _parameters(document)
    seconds = seconds_of(parameters.get("timeout"))
    names, forms, shared_outputs = _outputs(model, document, parameters)
    feeds, images, shared = _inputs(model, document, binary, limits)
    infer_request = InferenceRequest(feeds, names, _id(document), seconds, images, shared, shared_outputs)
    return Request(infer_request, forms)


def _divided(
    body: bytes | bytearray, head_length: str | None, limits: Limits
) -> tuple[memoryview, memoryview]:
    try:
        head, binary = divided(body, head_length)
    except ValueError as error:
        raise ServingError("invalid", f"{HEAD_LENGTH} {error}.") from None
    if len(head) > limits.json_bytes:
        raise ServingError(
            "large",
            f"The JSON of the request is larger than {limits.json_bytes} bytes; send the tensors as binary "
            "data.",
        )
    return head, binary


def _parameters(owner: Mapping[str, Any]) -> Mapping[str, Any]:
    found = owner.get("parameters", {})
    if not isinstance(found, dict):
        raise ServingError("invalid", "'parameters' is no JSON object.")
    check_parameters(found)
    return found


def _entries(document: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = document.get(key, [])
    if (
        not isinstance(found, list)
        or len(found) > MOST_TENSORS
        or not all(isinstance(each, dict) for each in found)
    ):
        raise ServingError("invalid", f"'{key}' is no list of tensors.")
    return found


def _id(document: Mapping[str, Any]) -> str:
    found = document.get("id", "")
    if not isinstance(found, str) or len(found) > _LONGEST_ID:
        raise ServingError("invalid", f"'id' is no text of at most {_LONGEST_ID} letters.")
    return found


def _inputs(
    model: ServedModel, document: Mapping[str, Any], binary: memoryview, limits: Limits
) -> tuple[Arrays, dict[str, tuple[bytes, ...]], dict[str, SharedInput]]:
    entries = _entries(document, "inputs")
    specs = input_specs(model, [each.get("name") for each in entries])
    feeds: Arrays = {}
    images: dict[str, tuple[bytes, ...]] = {}
    shared: dict[str, SharedInput] = {}
    for entry in entries:
        spec = specs[entry["name"]]
        shape = entry.get("shape")
        if not isinstance(shape, list):
            raise ServingError("invalid", f"The input '{spec.name}' has no list of sizes as its shape.")
        parameters = _parameters(entry)
        is_encoded = is_image(entry.get("datatype"), parameters.get(DECODE), spec.name)
        sizes = () if is_encoded else spec.check(entry.get("datatype"), shape, limits.request_bytes)
        part = shared_part(parameters)
        if part is not None:
            if is_encoded or "data" in entry or "binary_data_size" in parameters:
                raise ServingError(
                    "invalid", f"The input '{spec.name}' in shared memory is a tensor without data."
                )
            shared[spec.name] = shared_input(spec, sizes, part)
            continue
        with of_input(spec.name):
            raw, binary = binary_part(parameters, binary)
            if raw is not None and "data" in entry:
                raise ValueError("has both 'data' and 'binary_data_size'")
            if is_encoded:
                read = (
                    partial(decoded_texts, entry.get("data"))
                    if raw is None
                    else partial(divided_elements, raw)
                )
                images[spec.name] = images_of(model, spec.name, shape, read)
            elif raw is None:
                feeds[spec.name] = from_json(spec, sizes, entry.get("data"))
            else:
                feeds[spec.name] = from_bytes(spec.datatype, sizes, raw)
    if binary:
        raise ServingError("invalid", f"{len(binary)} bytes of the request belong to no input.")
    return feeds, images, shared


def _outputs(
    model: ServedModel, document: Mapping[str, Any], parameters: Mapping[str, Any]
) -> tuple[tuple[str, ...], frozenset[str], dict[str, SharedPart]]:
    """Return the requested outputs, those to send as bytes, and those for shared memory."""
    entries = _entries(document, "outputs")
    names = requested_outputs(model, [each.get("name") for each in entries])
    usual = _truth(parameters, "binary_data_output", False)
    if not entries:
        return names, frozenset(names if usual else ()), {}
    given = [_parameters(each) for each in entries]
    forms = [_truth(each, "binary_data", usual) for each in given]
    parts = {name: shared_part(each) for name, each in zip(names, given, strict=True)}
    return (
        names,
        frozenset(name for name, is_binary in zip(names, forms, strict=True) if is_binary),
        {name: part for name, part in parts.items() if part is not None},
    )


def _truth(parameters: Mapping[str, Any], name: str, usual: bool) -> bool:
    found = parameters.get(name, usual)
    if not isinstance(found, bool):
        raise ServingError("invalid", f"The parameter '{name}' is neither true nor false.")
    return found


def write_response(model: ServedModel, request: Request, outputs: Arrays) -> tuple[bytes, int | None]:
    """Return the body of a response and the length of its JSON; None if it is all JSON.

    Raises ServingError if an output cannot be written as JSON.
    """
    specs = {spec.name: spec for spec in model.description.outputs}
    entries: list[dict[str, Any]] = []
    parts: list[bytes] = []
    for name, array in outputs.items():
        entry: dict[str, Any] = {"name": name, "datatype": specs[name].datatype, "shape": list(array.shape)}
        part = request.infer_request.shared_outputs.get(name)
        if part is not None:
            entry["parameters"] = {REGION: part.region, SIZE: array.nbytes, OFFSET: part.offset}
        elif name in request.binary:
            parts.append(to_bytes(array))
            entry["parameters"] = {"binary_data_size": len(parts[-1])}
        else:
            entry["data"] = to_json(name, array)
        entries.append(entry)
    document = {"model_name": model.name, "model_version": model.version, "outputs": entries}
    if request.infer_request.id:
        document["id"] = request.infer_request.id
    head = json.dumps(document, separators=(",", ":")).encode()
    return (head, None) if not parts else (b"".join((head, *parts)), len(head))
