"""A network on a server, outlined in ONNX from its metadata, to infer tasks and preprocessing as for a file.

`HOST_PORT/MODEL.lightloom.toml` and `MODEL.labels.txt` in a user's folder are its sidecar (docs/remote.md).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.base.errors import ModelAwayError, ModelUnsupportedError
from desktop.base.paths import user_remote_folder
from desktop.base.wording import sentence
from desktop.compute.nn.session import usual_sizes
from desktop.net.inference.address import RemoteAddress
from desktop.net.inference.wire import (
    BYTES,
    DTYPES,
    FREE,
    INFERENCE_S,
    METADATA_BYTES,
    METADATA_S,
    CallFailed,
    Feed,
    InferenceClient,
    ModelMeta,
    ServerMeta,
    TensorMeta,
    Wish,
    malformed,
)
from desktop.vision.models.served import PARAMETER, Served, read_served

if TYPE_CHECKING:
    import onnx

log = logging.getLogger(__name__)

REMOTE: Final = "remote"
"""Replacement of a file's suffix, by which a backend is chosen."""
BINARY: Final = "binary_tensor_data"
_OPSET: Final = 17
_MOST_BYTES: Final = 1 << 29
_MOST_PROBED: Final = 16 << 20
_FLOATS: Final = ("FP16", "FP32", "FP64")
_GRAY: Final = {**dict.fromkeys(_FLOATS, 0.5), "INT8": 0}
_SUM_TOLERANCE: Final = 1e-3
_PROBABILITIES: Final = sentence(
    "The server does not state whether the scores are probabilities; those of a gray image sum to 1, so "
    "they are taken for such."
)


@dataclass(frozen=True)
class RemoteNetwork:
    """A network on a server, as of the query.

    `served` is the description by `lightloom serve`; `assumption` on unstated scores is a sentence or ''.
    """

    address: RemoteAddress
    server: ServerMeta
    model: ModelMeta
    served: Served | None = None
    assumption: str = ""

    @property
    def path(self) -> Path:
        """The path that locates its settings; there is no such file."""
        folder = user_remote_folder() / self.address.folder
        return folder / self.address.model.replace("/", "_")

    @property
    def takes_jpeg(self) -> bool:
        """True if its only input is of bytes: images are sent as JPEG."""
        return len(self.model.inputs) == 1 and self.model.inputs[0].datatype == BYTES


def query_network(address: RemoteAddress) -> tuple[RemoteNetwork, bytes]:
    """Query a server for a network's metadata; return them, and the outline made from them.

    Raises HostNotAllowedError, ModelUnsupportedError (its inputs or outputs), or ModelAwayError (the server).
    """
    # imported here, because it imports HTTP and TLS, for which the window's start should not wait
    from desktop.net.inference.connecting import connect

    client = connect(address)
    try:
        said = _server_meta(client)
        found = RemoteNetwork(address, said, client.model(METADATA_S))
        _check(found)
        served = _served(found.model)
        if served is not None:
            return replace(found, served=served), _outline(found, sums_to_one=served.facts.softmax)
        sums_to_one = _is_classifier(found.model) and _sums_to_one(client, found)
        if sums_to_one:
            found = replace(found, assumption=_PROBABILITIES)
        return found, _outline(found, sums_to_one=sums_to_one)
    except CallFailed as error:
        raise ModelAwayError(
            sentence(
                "The network {model} cannot be had from {server}: {what}; check its address, and that the "
                "server runs.",
                model=address.model,
                server=address.server,
                what=error.what,
            )
        ) from error
    finally:
        client.close()


def _server_meta(client: InferenceClient) -> ServerMeta:
    try:
        return client.server(METADATA_S)
    except CallFailed as error:
        if error.untouched:
            raise
        log.info("a server says nothing of itself: %s", error.what)  # some leave the question out
        return ServerMeta()


def _check(found: RemoteNetwork) -> None:
    model, name = found.model, found.address.model
    if any(meta.datatype == BYTES for meta in model.inputs) and not found.takes_jpeg:
        raise ModelUnsupportedError(
            sentence(
                "{name} takes bytes beside other inputs; a network that takes bytes must have no other "
                "input.",
                name=name,
            )
        )
    if all(meta.datatype == BYTES for meta in model.outputs):
        raise ModelUnsupportedError(
            sentence("{name} gives texts and no numbers; choose another network.", name=name)
        )
    for side in (model.inputs, model.outputs):
        if sum(meta.nbytes for meta in side if meta.is_fixed) > _MOST_BYTES:
            raise ModelUnsupportedError(
                sentence(
                    "{name} takes or gives more than {limit} MiB at a time; choose another network.",
                    name=name,
                    limit=_MOST_BYTES >> 20,
                )
            )


def numbers(model: ModelMeta) -> tuple[TensorMeta, ...]:
    """Return the outputs that are numbers; texts are not requested."""
    return tuple(meta for meta in model.outputs if meta.datatype in DTYPES)


def _outline(found: RemoteNetwork, *, sums_to_one: bool) -> bytes:
    """Return an ONNX model of the network's inputs, outputs, parameters and at most its last operator."""
    from onnx import TensorProto, helper

    if found.takes_jpeg:
        inputs = [
            helper.make_tensor_value_info(
                found.model.inputs[0].name, TensorProto.UINT8, [1, "height", "width", 3]
            )
        ]
    else:
        inputs = [_value(meta) for meta in found.model.inputs]
    outputs = [_value(meta) for meta in numbers(found.model)]
    nodes = [helper.make_node("Softmax", ["scores"], [outputs[0].name])] if sums_to_one else []
    graph = helper.make_graph(nodes, found.address.model, inputs, outputs)
    model = helper.make_model(
        graph, producer_name=found.model.platform, opset_imports=[helper.make_opsetid("", _OPSET)]
    )
    helper.set_model_props(model, dict(found.model.parameters))
    return bytes(model.SerializeToString())


def _value(meta: TensorMeta) -> onnx.ValueInfoProto:
    from onnx import helper

    shape: list[Any] = [
        size if size != FREE else f"{meta.name}_{axis}" for axis, size in enumerate(meta.shape)
    ]
    return helper.make_tensor_value_info(
        meta.name, helper.np_dtype_to_tensor_dtype(np.dtype(DTYPES[meta.datatype])), shape
    )


def _served(model: ModelMeta) -> Served | None:
    """Return the description in metadata, if any; raise CallFailed if malformed or contradictory."""
    text = model.parameters.get(PARAMETER)
    if text is None:
        return None
    try:
        served = read_served(text)
    except ValueError as error:
        log.info("the description of a network is malformed: %s", error)
        raise malformed() from error
    if served is None:
        return None
    facts = served.facts
    states = [pair.input for pair in facts.states], [pair.output for pair in facts.states]
    described = (
        {facts.input_name, *(info.name for info in (*facts.others, *states[0]))},
        {info.name for info in (*facts.outputs, *states[1])},
    )
    if described != tuple({meta.name for meta in side} for side in (model.inputs, model.outputs)):
        raise malformed()
    return served


def _is_classifier(model: ModelMeta) -> bool:
    """Return True if a trial is possible: a row of scores as first output, one numeric input."""
    first = numbers(model)[0]
    classes = [size for size in first.shape[1:] if size != 1]
    return (
        len(classes) == 1
        and (classes[0] > 1 or classes[0] == FREE)
        and first.datatype in _FLOATS
        and len(model.inputs) == 1
        and model.inputs[0].datatype in (*_FLOATS, "UINT8", "INT8", "INT32")
        and (FREE not in model.inputs[0].shape[1:] or not {1, 3}.isdisjoint(model.inputs[0].shape[1:]))
    )


def _sums_to_one(client: InferenceClient, found: RemoteNetwork) -> bool:
    """Return True if a classifier's outputs on gray are probabilities: not negative, with a sum of 1."""
    first, meta = numbers(found.model)[0], found.model.inputs[0]
    meta = TensorMeta(meta.name, meta.datatype, usual_sizes(meta.shape))
    if not 0 < meta.nbytes <= _MOST_PROBED:
        return False
    gray = np.full(meta.shape, _GRAY.get(meta.datatype, 128), DTYPES[meta.datatype])
    try:
        answer = client.infer(
            *([Feed(meta, gray)], [Wish(first)]),
            limit=METADATA_BYTES,
            binary=BINARY in found.server.extensions,
            timeout_s=INFERENCE_S,
        )
    except CallFailed as error:
        log.info("no trial of %s: %s", found.address.model, error.what)
        return False
    scores = answer.arrays.get(first.name, np.zeros(0)).astype(np.float64)
    return scores.size > 1 and bool(scores.min() >= 0) and abs(float(scores.sum()) - 1) < _SUM_TOLERANCE
