"""A network on a server by HTTP: the protocol's REST form, with Triton's binary tensor data if supported."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import numpy as np

from desktop.base.wording import sentence
from desktop.net.inference.address import RemoteAddress
from desktop.net.inference.codec import HEAD_LENGTH, binary_part, divided, from_bytes, from_numbers, to_bytes
from desktop.net.inference.http_connection import HttpConnection, Reply
from desktop.net.inference.wire import (
    BYTES,
    METADATA_BYTES,
    CallFailed,
    Feed,
    InferenceClient,
    InferenceResponse,
    ModelMeta,
    Region,
    ServerMeta,
    SharedPart,
    Spent,
    Wish,
    malformed,
    read_model,
    read_output,
    read_server,
    read_shape,
    read_statistics,
    refused,
)

_JSON: Final = {"Content-Type": "application/json"}
# Answers of a server that has not taken the request up (RFC 9110 §15.5.9, §15.6.4; RFC 6585 §4).
_BUSY: Final = frozenset({429, 503})


class HttpInferenceClient(InferenceClient):
    """Implements `InferenceClient`."""

    def __init__(self, address: RemoteAddress, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._connection = HttpConnection(address, headers)
        # Asked on another thread, and it must not wait for an inference.
        self._side = HttpConnection(address, headers)
        version = f"/versions/{quote(address.version)}" if address.version else ""
        self._model = f"/v2/models/{quote(address.model)}{version}"

    def server(self, timeout_s: float) -> ServerMeta:
        return read_server(self._get_json(self._connection, "/v2", timeout_s))

    def model(self, timeout_s: float) -> ModelMeta:
        return read_model(self._get_json(self._connection, self._model, timeout_s))

    def statistics(self, timeout_s: float) -> Spent | None:
        return read_statistics(self._get_json(self._side, f"{self._model}/stats", timeout_s))

    def register(self, region: Region, timeout_s: float) -> None:
        told = {"key": region.key, "offset": 0, "byte_size": region.size}
        self._post(f"/v2/systemsharedmemory/region/{region.name}/register", told, timeout_s)

    def unregister(self, region: Region, timeout_s: float) -> None:
        self._post(f"/v2/systemsharedmemory/region/{region.name}/unregister", {}, timeout_s)

    def _post(self, path: str, told: Mapping[str, Any], timeout_s: float) -> None:
        body = json.dumps(told).encode()
        _check_status(
            self._connection.request(path, [body], _JSON, limit=METADATA_BYTES, timeout_s=timeout_s)
        )

    @staticmethod
    def _get_json(connection: HttpConnection, path: str, timeout_s: float) -> Any:
        reply = connection.request(path, limit=METADATA_BYTES, timeout_s=timeout_s)
        _check_status(reply)
        return _parsed(reply.body)

    def infer(
        self, feeds: Sequence[Feed], wishes: Sequence[Wish], *, limit: int, binary: bool, timeout_s: float
    ) -> InferenceResponse:
        inputs, parts = [], []
        for feed in feeds:
            described, data = _described(feed, binary=binary)
            inputs.append(described)
            parts += data
        outputs = [{"name": wish.meta.name, **_wish_parameters(wish, binary=binary)} for wish in wishes]
        head = json.dumps({"inputs": inputs, "outputs": outputs}).encode()
        headers = (
            {"Content-Type": "application/octet-stream", HEAD_LENGTH: str(len(head))} if binary else _JSON
        )
        reply = self._connection.request(
            f"{self._model}/infer", [head, *parts], headers, limit=limit, timeout_s=timeout_s
        )
        _check_status(reply)
        arrays, shared = read_response(reply.body, reply.headers.get(HEAD_LENGTH), wishes)
        return InferenceResponse(arrays, shared, reply.send_ms, reply.wait_ms, reply.receive_ms)

    def abort(self) -> None:
        self._connection.abort()
        self._side.abort()

    def close(self) -> None:
        self._connection.close()
        self._side.close()


def _described(feed: Feed, *, binary: bool) -> tuple[dict[str, Any], list[bytes]]:
    """Return the JSON of an input, and its bytes where they follow behind it."""
    shape = list(feed.shape)
    described: dict[str, Any] = {"name": feed.meta.name, "shape": shape, "datatype": feed.meta.datatype}
    if feed.shared is not None:
        return described | {"parameters": _shared_parameters(feed.shared)}, []
    if feed.meta.datatype == BYTES:
        if not binary:
            raise CallFailed(
                sentence("it takes images as bytes and has no binary tensors by HTTP; use its gRPC address")
            )
        # Each element behind its length, 4 bytes in little endian (Triton, "Binary Tensor Data Extension").
        data = b"".join(len(each).to_bytes(4, "little") + each for each in feed.elements)
        return described | {"parameters": {"binary_data_size": len(data)}}, [data]
    assert feed.array is not None
    if binary:
        return described | {"parameters": {"binary_data_size": feed.array.nbytes}}, [to_bytes(feed.array)]
    if feed.meta.datatype == "FP16":
        raise CallFailed(sentence("it takes FP16 and has no binary tensors by HTTP; use its gRPC address"))
    return described | {"data": feed.array.reshape(-1).tolist()}, []


def _shared_parameters(shared: SharedPart) -> dict[str, Any]:
    return {
        "shared_memory_region": shared.region,
        "shared_memory_offset": shared.offset,
        "shared_memory_byte_size": shared.size,
    }


def _wish_parameters(wish: Wish, *, binary: bool) -> dict[str, Any]:
    if wish.shared is not None:
        return {"parameters": _shared_parameters(wish.shared)}
    return {"parameters": {"binary_data": True}} if binary else {}


def _check_status(reply: Reply) -> None:
    """Raise CallFailed for an unsuccessful response, with the server's message or the status's meaning."""
    status = reply.status
    if 200 <= status < 300:
        return
    if status in (401, 403):
        raise CallFailed(sentence("it wants a token, or another one than it was given"))
    if 300 <= status < 400:
        raise CallFailed(sentence("it redirects the request to a host to which images are not sent"))
    if status in _BUSY:
        raise CallFailed(sentence("it is busy or not ready ({status})", status=status), untouched=True)
    try:
        said = json.loads(reply.body[:METADATA_BYTES]).get("error")
    except (ValueError, RecursionError, AttributeError):
        said = None
    if isinstance(said, str) and said:
        raise refused(said)
    raise CallFailed(sentence("it answers {status}", status=status))


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise malformed() from error


# -- an answer with tensors ----------------------------------------------------------------------------------


def read_response(
    body: bytes, head_length: str | None, wishes: Sequence[Wish]
) -> tuple[dict[str, np.ndarray], dict[str, tuple[str, tuple[int, ...]]]]:
    """Return the tensors of a response by name, and data type and shape of those in shared memory.

    `body` is JSON of `head_length` bytes (None: all) and binary data; only `wishes` are returned. Raise
    CallFailed if it violates the protocol.
    """
    try:
        head, rest = divided(body, head_length)
    except ValueError as error:
        raise malformed() from error
    document = _parsed(bytes(head))
    outputs = document.get("outputs") if isinstance(document, dict) else None
    if not isinstance(outputs, list):
        raise malformed()
    arrays: dict[str, np.ndarray] = {}
    shared: dict[str, tuple[str, tuple[int, ...]]] = {}
    wanted = {wish.meta.name: wish for wish in wishes}
    for output in outputs:
        if not isinstance(output, dict) or not isinstance(output.get("name"), str):
            raise malformed()
        parameters = output.get("parameters")
        wish = wanted.get(output["name"])
        try:
            raw, rest = binary_part(parameters if isinstance(parameters, dict) else {}, rest)
            if wish is not None and wish.shared is not None:
                shared[wish.meta.name] = (str(output.get("datatype")), read_shape(output.get("shape")))
            elif wish is not None:
                arrays[wish.meta.name] = _array(output, raw)
        except ValueError as error:
            raise malformed() from error
    return arrays, shared


def _array(output: Mapping[str, Any], raw: memoryview | None) -> np.ndarray:
    datatype, shape = read_output(output.get("datatype"), output.get("shape"))
    if raw is not None:
        return from_bytes(datatype, shape, raw)
    data = output.get("data")
    if not isinstance(data, list):
        raise malformed()
    return from_numbers(datatype, shape, data)
