"""The server's gRPC side: an input that begins with HTTP/2's preface goes to the port as it is, any other one
is a message to a call.

The first byte of a message says to which call it goes.
"""

from __future__ import annotations

import contextlib
import functools
import socket
import time
from pathlib import Path

import grpc
import numpy as np
from tritonclient.grpc import service_pb2 as messages

from fuzz.harness import Finding, Harness
from fuzz.serving import check_growth, rig

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_WAIT_S = 10.0
_HEAD_S = 30.0
_CALLS = (
    "ModelInfer",
    "ModelMetadata",
    "ModelReady",
    "ModelConfig",
    "ModelStatistics",
    "RepositoryIndex",
    "RepositoryModelUnload",
    "ServerMetadata",
    "ModelStreamInfer",
)
_REFUSED = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,  # the server's own: a request may say how long it waits
}


@functools.cache
def _channel() -> grpc.Channel:
    return grpc.insecure_channel(rig(_HEAD_S).grpc, [("grpc.max_receive_message_length", -1)])


def _call(name: str, data: bytes) -> grpc.RpcError | None:
    begun = time.monotonic()
    try:
        _channel().unary_unary(f"/inference.GRPCInferenceService/{name}")(data, timeout=_WAIT_S)
    except grpc.RpcError as error:
        if time.monotonic() - begun > _WAIT_S - 1:
            raise Finding("a client waits for ever") from error
        return error
    return None


def _read(data: bytes, folder: Path) -> None:
    if data.startswith(_PREFACE):
        _talk(data)
    elif data:
        name = _CALLS[data[0] % len(_CALLS)]
        error = _call(name, data[1:])
        if error is not None and error.code() not in _REFUSED:
            raise Finding(f"{name} ends in {error.code().name}: {error.details()}")
    if (error := _call("ServerLive", b"")) is not None:
        raise Finding(f"the server does not answer the next client: {error.details()}")
    check_growth()


def _talk(data: bytes) -> None:
    host, port = rig(_HEAD_S).grpc.split(":")
    with contextlib.suppress(ConnectionError), socket.create_connection((host, int(port)), _WAIT_S) as client:
        client.sendall(data)
        with contextlib.suppress(OSError):  # it hangs up on most inputs before this
            client.shutdown(socket.SHUT_WR)
        try:
            while client.recv(1 << 16):
                pass
        except TimeoutError:
            raise Finding("a client waits for ever") from None


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def _headers(path: bytes) -> bytes:
    """HPACK (RFC 7541), each field as a literal that is not indexed."""
    fields = [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", path),
        (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
    ]
    return b"".join(b"\0" + bytes([len(n)]) + n + bytes([len(v)]) + v for n, v in fields)


def _seeds(folder: Path) -> list[bytes]:
    raw = messages.ModelInferRequest(model_name="affine", id="7")
    raw.inputs.add(name="x", datatype="FP32", shape=[1, 4])
    raw.raw_input_contents.append(np.arange(4, dtype=np.float32).tobytes())
    typed = messages.ModelInferRequest(model_name="affine", model_version="1")
    typed.inputs.add(name="x", datatype="FP32", shape=[1, 4]).contents.fp32_contents.extend([1, 2, 3, 4])
    typed.outputs.add(name="y").parameters["binary_data"].bool_param = True
    two = messages.ModelInferRequest(model_name="two")
    for name in "ab":
        two.inputs.add(name=name, datatype="FP32", shape=[1, 2, 1]).contents.fp32_contents.extend([1, 2])
    two.inputs.add(name="c", datatype="BOOL", shape=[1, 3]).contents.bool_contents.extend([True, False, True])
    two.parameters["timeout"].int64_param = 1000
    infer = [bytes([0]) + each.SerializeToString() for each in (raw, typed, two)]
    named = messages.ModelMetadataRequest(name="affine", version="1").SerializeToString()
    message = raw.SerializeToString()
    body = b"\0" + len(message).to_bytes(4, "big") + message
    wire = (
        _PREFACE
        + _frame(4, 0, 0, b"")
        + _frame(1, 4, 1, _headers(b"/inference.GRPCInferenceService/ModelInfer"))
        + _frame(0, 1, 1, body)
    )
    return [
        *infer,
        *(bytes([n]) + named for n in range(1, 5)),
        b"\5\x12\x05ready",
        b"\6\x12\x06affine",
        b"\7",
        wire,
    ]


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"affine",
        b"two",
        b"FP32",
        b"BYTES",
        b"BOOL",
        b"\x18\x04",
        b"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x18\x80\x80\x80\x80\x10",
        b"\x0a\xff\xff\xff\xff\x07",
        b"\x3a\x10",
        b"classification",
        b"shared_memory_region",
        _PREFACE,
        _frame(6, 0, 0, bytes(8)),
        _frame(3, 0, 1, bytes(4)),
        _frame(8, 0, 0, b"\x7f\xff\xff\xff"),
        _frame(9, 4, 1, b""),
        b"\x82\x86\x84",
    ),
    memory_mb=300,
    largest=1 << 16,
)
