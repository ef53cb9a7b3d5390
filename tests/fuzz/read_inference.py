"""Answers of an inference server: whatever it sends, and however slowly, a call ends with a result or one
sentence.

An input is what the server sends on each request, in turn, divided by `%%`; the last part is sent again and
again. A part that begins with `~` goes on without end. Behind `metadata:` an input is the JSON of a network's
metadata; behind `answer:` that of an inference with its binary data, the length of the JSON before the first
blank; behind `grpc:` a message of an inference.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np

from desktop.base.errors import ModelAwayError, ModelError
from desktop.net.inference.address import parse_address
from desktop.net.inference.grpc_client import _arrays, _parameters
from desktop.net.inference.http_client import read_response
from desktop.net.inference.wire import (
    CallFailed,
    ServerMeta,
    TensorMeta,
    Wish,
    checked,
    malformed,
    read_model,
    read_server,
    read_statistics,
)
from desktop.vision.backends import _remote_session
from desktop.vision.backends.loader import load_session
from desktop.vision.models import remote
from desktop.vision.models.facts import facts_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.remote import RemoteNetwork, _outline
from fuzz.harness import Harness
from fuzz.read_http import _Server

_META = TensorMeta("y", "FP32", (1, 4))
_MODEL = {
    "name": "net",
    "platform": "p",
    "inputs": [{"name": "x", "datatype": "FP32", "shape": [1, 3, 4, 4]}],
    "outputs": [{"name": "y", "datatype": "FP32", "shape": [-1, 4]}],
    "parameters": {"task": "classification", "labels": "a,b,c,d"},
}
_SERVER = {
    "name": "s",
    "version": "1",
    "extensions": ["binary_tensor_data", "statistics", "system_shared_memory"],
}
_ADDRESS = "grpc://localhost:1/net"


def _read(data: bytes, folder: Path) -> None:
    try:
        for mark, read in ((b"metadata:", _metadata), (b"answer:", _answer), (b"grpc:", _message)):
            if data.startswith(mark):
                read(data[len(mark) :])
                return
    except CallFailed as error:
        raise ModelError(str(error)) from error
    _by_http(data)


def _metadata(data: bytes) -> None:
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise malformed() from error
    read_server(said)
    read_statistics(said)
    model = read_model(said)
    network = RemoteNetwork(parse_address(_ADDRESS), ServerMeta(), model)
    if all(meta.is_fixed or meta.datatype != "BYTES" for meta in (*model.inputs, *model.outputs)):
        import onnx

        facts_of(onnx.load_model_from_string(_outline(network, sums_to_one=False)), "net")


def _answer(data: bytes) -> None:
    length, _, body = data.partition(b" ")
    arrays, _ = read_response(body, length.decode("latin-1") if length != b"-" else None, [Wish(_META)])
    _is_right(arrays)


def _message(data: bytes) -> None:
    from google.protobuf.message import DecodeError
    from tritonclient.grpc import service_pb2

    try:
        _parameters(service_pb2.ModelMetadataResponse.FromString(data))
        answer = service_pb2.ModelInferResponse.FromString(data)
    except DecodeError as error:  # what gRPC itself would meet
        raise malformed() from error
    try:
        _is_right(_arrays(answer, {"y"}))
    except ValueError as error:  # as the client itself does
        raise malformed() from error


def _is_right(arrays: dict[str, np.ndarray]) -> None:
    array = checked(arrays.get("y"), _META, (1, 4))
    assert array.shape == (1, 4) and array.dtype == np.float32


def _by_http(data: bytes) -> None:
    # Deadlines as short as for a server beside this one.
    remote.METADATA_S = remote.INFERENCE_S = 0.1
    _remote_session.RemoteSession.timeout_s = _remote_session.METADATA_S = 0.1
    server = _Server(data.split(b"%%") or [b""])
    try:
        address = f"{server.address}/v2/models/net"
        file = ModelFile.open(address)
        session = load_session(file, gpu=None).session
        with contextlib.closing(session):
            feeds = {i.name: np.zeros(i.shape, i.dtype) for i in session.inputs}
            for _ in range(2):
                with contextlib.suppress(ModelAwayError):
                    session.run(feeds)
    finally:
        server.close()


def _http(document: object, extra: bytes = b"", head: str = "") -> bytes:
    text = json.dumps(document).encode()
    return (
        f"HTTP/1.1 200 OK\r\nContent-Length: {len(text) + len(extra)}\r\n{head}\r\n".encode() + text + extra
    )


def _seeds(folder: Path) -> list[bytes]:
    from tritonclient.grpc import service_pb2 as pb

    plain = {"outputs": [{"name": "y", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4.5]}]}
    raw = {
        "outputs": [
            {"name": "y", "datatype": "FP32", "shape": [1, 4], "parameters": {"binary_data_size": 16}}
        ]
    }
    text = json.dumps(raw).encode()
    output = pb.ModelInferResponse.InferOutputTensor(name="y", datatype="FP32", shape=[1, 4])
    message = pb.ModelInferResponse(outputs=[output], raw_output_contents=[bytes(16)])
    typed = pb.ModelInferResponse(outputs=[output])
    typed.outputs[0].contents.fp32_contents.extend([1, 2, 3, 4])
    beginning = _http(_SERVER) + b"%%" + _http(_MODEL)
    binary = _http(raw, bytes(16), f"Inference-Header-Content-Length: {len(text)}\r\n")
    stats = {"model_stats": [{"inference_stats": {"success": {"count": 3, "ns": "9"}, "queue": {"ns": 1}}}]}
    return [
        b"metadata:" + json.dumps(_MODEL).encode(),
        b"metadata:" + json.dumps({**_MODEL, **_SERVER, **stats}).encode(),
        b"answer:- " + json.dumps(plain).encode(),
        b"answer:%d " % len(text) + text + bytes(16),
        b"grpc:" + message.SerializeToString(),
        b"grpc:" + typed.SerializeToString(),
        beginning + b"%%" + binary,
        beginning + b"%%" + _http(plain),
        beginning + b"%%~" + binary[:-8],
        b'HTTP/1.1 404 No\r\nContent-Length: 13\r\n\r\n{"error":"no"}%%' + _http(_MODEL),
    ]


HARNESS = Harness(
    _read,
    _seeds,
    (
        *(
            b"metadata:",
            b"answer:",
            b"grpc:",
            b"%%",
            b"~",
            b"- ",
            b"-1",
            b"\r\n\r\n",
            b"null",
            b"{}",
            b"[]",
            b"1e999",
            b"NaN",
        ),
        *(
            b'"shape": [',
            b'"BYTES"',
            b'"FP16"',
            b'"BF16"',
            b"99999999999999999999",
            b'"binary_data_size": ',
            b"9223372036854775807",
        ),
        *(
            b"Transfer-Encoding: chunked\r\n\r\n",
            b"Content-Encoding: gzip\r\n",
            b"ffffffffffffffff\r\n",
            b"Content-Length: ",
        ),
        *(
            b"Inference-Header-Content-Length: ",
            b"HTTP/1.1 503 No\r\n\r\n",
            b"[" * 400,
            b"\xff\xfe",
            b'{"string_param": "x"}',
        ),
    ),
    memory_mb=1000,
    largest=1 << 16,
)
