"""An inference server for tests: the Open Inference Protocol by HTTP and gRPC, with the faults that they ask
for.

The HTTP side is `http.server`, the gRPC side the protocol's own stubs; neither shares code with the client.
What it computes is a function of arrays.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import ssl
import struct
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import shared_memory
from pathlib import Path

import grpc
import numpy as np
import onnxruntime
import pytest
from tritonclient.grpc import service_pb2 as pb
from tritonclient.grpc import service_pb2_grpc

TYPES = {
    "FP32": "<f4",
    "FP64": "<f8",
    "FP16": "<f2",
    "UINT8": "u1",
    "INT64": "<i8",
    "INT32": "<i4",
    "BOOL": "?",
}
BINARY, STATISTICS, SHARED = "binary_tensor_data", "statistics", "system_shared_memory"
ALL = (BINARY, STATISTICS)


@dataclass
class Network:
    """What is served: inputs and outputs as (name, datatype, shape), what computes, parameters of the
    metadata.
    """

    inputs: list[tuple[str, str, list[int]]]
    outputs: list[tuple[str, str, list[int]]]
    compute: Callable[[dict[str, np.ndarray]], dict[str, np.ndarray]]
    parameters: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_onnx(cls, path: Path, parameters: dict[str, str] | None = None) -> Network:
        """A file on ONNX Runtime, set as Lightloom sets it."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

        def described(nodes: object) -> list[tuple[str, str, list[int]]]:
            kinds = {"tensor(float)": "FP32", "tensor(uint8)": "UINT8", "tensor(int64)": "INT64"}
            return [
                (n.name, kinds[n.type], [d if isinstance(d, int) else -1 for d in n.shape]) for n in nodes
            ]

        names = [node.name for node in session.get_outputs()]
        return cls(
            described(session.get_inputs()),
            described(session.get_outputs()),
            lambda feeds: dict(zip(names, session.run(names, feeds), strict=True)),
            parameters or {},
        )


class InferenceServer:
    """Serves one network, called 'net', on 127.0.0.1.

    Attributes:
        fault: '' or what goes wrong with inferences: 'stall', 'dribble', 'lie', 'huge', 'garbage', 'error',
            'busy', 'close', 'redirect'.
        token: a token that is asked for.
        seen: the headers of the requests, in lower case.
        inferences: how many were asked for.
    """

    def __init__(
        self,
        network: Network,
        extensions: tuple[str, ...] = ALL,
        *,
        port: int = 0,
        token: str = "",
        tls: tuple[Path, Path] | None = None,
        typed: bool = False,
    ) -> None:
        self.network, self.extensions, self.token, self.typed = network, extensions, token, typed
        self.fault = ""
        self.seen: list[dict[str, str]] = []
        self.inferences = 0
        self.over = threading.Event()
        self.connections: list[socket.socket] = []
        self.regions: dict[str, str] = {}
        self._http = _Quiet(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True
        if tls is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self._grpc = grpc.server(
            ThreadPoolExecutor(4),
            options=[
                ("grpc.so_reuseport", 0),
                ("grpc.max_send_message_length", -1),
                ("grpc.max_receive_message_length", -1),
            ],
        )
        service_pb2_grpc.add_GRPCInferenceServiceServicer_to_server(_Servicer(self), self._grpc)
        if tls is None:
            self.grpc_port = self._grpc.add_insecure_port("127.0.0.1:0")
        else:
            pair = (tls[1].read_bytes(), tls[0].read_bytes())
            self.grpc_port = self._grpc.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([pair]))
        self._grpc.start()
        self.http_port = self._http.server_address[1]
        self.secure = "s" if tls is not None else ""
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def http(self) -> str:
        """The network's address by HTTP."""
        return f"http{self.secure}://localhost:{self.http_port}/v2/models/net"

    @property
    def grpc(self) -> str:
        """By gRPC."""
        return f"grpc{self.secure}://localhost:{self.grpc_port}/net"

    def compute(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        self.inferences += 1
        found = self.network.compute(feeds)
        if self.fault == "lie":
            return {name: np.zeros((2, 5, 3), np.float32) for name in found}
        return found

    def close(self) -> None:
        """End it, with all connections."""
        self.over.set()
        self._http.shutdown()
        for connection in self.connections:  # as the system does with those of a program that ends
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._http.server_close()
        self._grpc.stop(0).wait()

    def read_shared(self, parameters: dict[str, object], datatype: str, shape: list[int]) -> np.ndarray:
        memory = shared_memory.SharedMemory(self.regions[str(parameters["shared_memory_region"])])
        try:
            at, size = (
                int(parameters.get("shared_memory_offset", 0)),
                int(parameters["shared_memory_byte_size"]),
            )
            return np.frombuffer(bytes(memory.buf[at : at + size]), TYPES[datatype]).reshape(shape)
        finally:
            memory.close()

    def write_shared(self, parameters: dict[str, object], array: np.ndarray) -> None:
        memory = shared_memory.SharedMemory(self.regions[str(parameters["shared_memory_region"])])
        at = int(parameters.get("shared_memory_offset", 0))
        memory.buf[at : at + array.nbytes] = array.tobytes()
        memory.close()


def of_bytes(data: bytes) -> np.ndarray:
    """Elements of any length, each behind its own."""
    found, at = [], 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at)
        found.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return np.array(found, object)


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Clients leave in the middle of answers here."""


def _handler(server: InferenceServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            server.connections.append(self.connection)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def log_message(self, *_: object) -> None:
            """Nothing."""

        def answer(self, status: int, head: object, parts: tuple[bytes, ...] = ()) -> None:
            text = head if isinstance(head, bytes) else json.dumps(head).encode()
            self.send_response(status)
            if parts:
                self.send_header("Inference-Header-Content-Length", str(len(text)))
            self.send_header("Content-Length", str(len(text) + sum(map(len, parts))))
            if status == 302:
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
            self.wfile.write(b"".join((text, *parts)))

        def refused(self) -> bool:
            server.seen.append({k.lower(): v for k, v in self.headers.items()})
            if server.over.is_set():
                self.close_connection = True
                return True
            if server.token and self.headers.get("Authorization") != f"Bearer {server.token}":
                self.answer(401, {"error": "no token"})
                return True
            return False

        def do_GET(self) -> None:
            if self.refused():
                return
            match self.path:
                case "/v2":
                    self.answer(200, {"name": "rig", "version": "1.0", "extensions": list(server.extensions)})
                case "/v2/models/net":
                    self.answer(200, described(server.network))
                case "/v2/models/net/stats" if STATISTICS in server.extensions:
                    ns = server.inferences * 2_000_000
                    figures = {
                        "success": {"count": server.inferences, "ns": ns},
                        "queue": {"count": server.inferences, "ns": server.inferences * 500_000},
                        "compute_infer": {"count": server.inferences, "ns": ns},
                    }
                    self.answer(200, {"model_stats": [{"name": "net", "inference_stats": figures}]})
                case _:
                    self.answer(404, {"error": f"unknown {self.path}"})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.refused():
                return
            if self.path.startswith("/v2/systemsharedmemory/region/"):
                _, _, _, _, name, verb = self.path.split("/")
                if verb == "register":
                    server.regions[name] = json.loads(body)["key"].lstrip("/")
                else:
                    server.regions.pop(name, None)
                self.answer(200, {})
            elif self.path == "/v2/models/net/infer":
                self.infer(body)
            else:
                self.answer(404, {"error": "unknown"})

        def infer(self, body: bytes) -> None:
            match server.fault:
                case "stall":
                    server.over.wait(60)
                    self.close_connection = True
                    return
                case "dribble":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
                    while not server.over.wait(0.02):
                        self.wfile.write(b"y")
                    return
                case "huge":
                    self.send_response(200)
                    self.end_headers()  # no length: until the connection ends
                    self.close_connection = True
                    for _ in range(1024):
                        self.wfile.write(bytes(1 << 20))
                    return
                case "garbage":
                    self.answer(200, b"\xff{]")
                    return
                case "error":
                    self.answer(500, {"error": "the \x1b[31mnetwork\x1b broke"})
                    return
                case "busy":
                    self.answer(503, {"error": "busy"})
                    return
                case "close":
                    self.close_connection = True
                    return
                case "redirect":
                    self.answer(302, b"")
                    return
            length = int(self.headers.get("Inference-Header-Content-Length", len(body)))
            head, at, feeds = json.loads(body[:length]), length, {}
            for tensor in head["inputs"]:
                parameters = tensor.get("parameters", {})
                if "shared_memory_region" in parameters:
                    feeds[tensor["name"]] = server.read_shared(
                        parameters, tensor["datatype"], tensor["shape"]
                    )
                elif "binary_data_size" in parameters:
                    raw = body[at : at + parameters["binary_data_size"]]
                    at += parameters["binary_data_size"]
                    feeds[tensor["name"]] = (
                        of_bytes(raw)
                        if tensor["datatype"] == "BYTES"
                        else np.frombuffer(raw, TYPES[tensor["datatype"]]).reshape(tensor["shape"])
                    )
                else:
                    feeds[tensor["name"]] = np.array(tensor["data"], TYPES[tensor["datatype"]]).reshape(
                        tensor["shape"]
                    )
            found = server.compute(feeds)
            outputs, parts = [], []
            for wish in head.get("outputs") or [{"name": n} for n in found]:
                array, parameters = found[wish["name"]], wish.get("parameters", {})
                told = {"name": wish["name"], "shape": list(array.shape), "datatype": datatype_of(array)}
                if "shared_memory_region" in parameters:
                    server.write_shared(parameters, array)
                elif parameters.get("binary_data"):
                    told["parameters"] = {"binary_data_size": array.nbytes}
                    parts.append(array.tobytes())
                else:
                    told["data"] = array.reshape(-1).tolist()
                outputs.append(told)
            self.answer(200, {"model_name": "net", "outputs": outputs}, tuple(parts))

    return Handler


def datatype_of(array: np.ndarray) -> str:
    return next(name for name, kind in TYPES.items() if np.dtype(kind) == array.dtype)


def described(network: Network) -> dict[str, object]:
    """The metadata as JSON."""
    sides = {
        side: [{"name": n, "datatype": t, "shape": s} for n, t, s in listed]
        for side, listed in (("inputs", network.inputs), ("outputs", network.outputs))
    }
    return {"name": "net", "versions": ["1"], "platform": "rig", "parameters": network.parameters, **sides}


class _Servicer(service_pb2_grpc.GRPCInferenceServiceServicer):
    def __init__(self, server: InferenceServer) -> None:
        self._server = server

    def _check(self, context: grpc.ServicerContext) -> None:
        headers = {k: v for k, v in context.invocation_metadata() if isinstance(v, str)}
        self._server.seen.append(headers)
        if self._server.token and headers.get("authorization") != f"Bearer {self._server.token}":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "no token")

    def ServerMetadata(
        self, request: pb.ServerMetadataRequest, context: grpc.ServicerContext
    ) -> pb.ServerMetadataResponse:
        self._check(context)
        return pb.ServerMetadataResponse(name="rig", version="1.0", extensions=list(self._server.extensions))

    def ModelMetadata(
        self, request: pb.ModelMetadataRequest, context: grpc.ServicerContext
    ) -> pb.ModelMetadataResponse:
        self._check(context)
        if request.name != "net":
            context.abort(grpc.StatusCode.NOT_FOUND, f"no model {request.name}")
        tensor = pb.ModelMetadataResponse.TensorMetadata
        said = pb.ModelMetadataResponse(
            name="net",
            platform="rig",
            inputs=[tensor(name=n, datatype=t, shape=s) for n, t, s in self._server.network.inputs],
            outputs=[tensor(name=n, datatype=t, shape=s) for n, t, s in self._server.network.outputs],
        )
        # Field 6, which these stubs do not have: as MLServer sends its parameters.
        for key, value in self._server.network.parameters.items():
            entry = pb.ModelInferRequest.ParametersEntry(
                key=key, value=pb.InferParameter(string_param=value)
            ).SerializeToString()
            said.MergeFromString(b"\x32" + _varint(len(entry)) + entry)
        return said

    def ModelStatistics(
        self, request: pb.ModelStatisticsRequest, context: grpc.ServicerContext
    ) -> pb.ModelStatisticsResponse:
        count = self._server.inferences
        stats = pb.InferStatistics(
            success=pb.StatisticDuration(count=count, ns=count),
            queue=pb.StatisticDuration(count=count, ns=count * 500_000),
            compute_infer=pb.StatisticDuration(count=count, ns=count * 2_000_000),
        )
        return pb.ModelStatisticsResponse(model_stats=[pb.ModelStatistics(name="net", inference_stats=stats)])

    def SystemSharedMemoryRegister(
        self, request: pb.SystemSharedMemoryRegisterRequest, context: grpc.ServicerContext
    ) -> pb.SystemSharedMemoryRegisterResponse:
        self._server.regions[request.name] = request.key.lstrip("/")
        return pb.SystemSharedMemoryRegisterResponse()

    def SystemSharedMemoryUnregister(
        self, request: pb.SystemSharedMemoryUnregisterRequest, context: grpc.ServicerContext
    ) -> pb.SystemSharedMemoryUnregisterResponse:
        self._server.regions.pop(request.name, None)
        return pb.SystemSharedMemoryUnregisterResponse()

    def ModelInfer(
        self, request: pb.ModelInferRequest, context: grpc.ServicerContext
    ) -> pb.ModelInferResponse:
        self._check(context)
        server = self._server
        match server.fault:
            case "stall" | "dribble":
                server.over.wait(60)
                context.abort(grpc.StatusCode.ABORTED, "over")
            case "huge":
                return pb.ModelInferResponse(model_name="net", raw_output_contents=[bytes(1 << 26)])
            case "garbage":
                tensor = pb.ModelInferResponse.InferOutputTensor(
                    name=server.network.outputs[0][0], datatype="FP32", shape=[1 << 40, 1 << 40]
                )
                return pb.ModelInferResponse(outputs=[tensor], raw_output_contents=[b"abc"])
            case "error":
                context.abort(grpc.StatusCode.INTERNAL, "the \x1b[31mnetwork\x1b broke")
            case "busy" | "close":
                context.abort(grpc.StatusCode.UNAVAILABLE, "busy")
            case "redirect":
                context.abort(grpc.StatusCode.UNIMPLEMENTED, "no")
        feeds, raw = {}, iter(request.raw_input_contents)
        for tensor in request.inputs:
            parameters = _plain(tensor.parameters)
            if "shared_memory_region" in parameters:
                feeds[tensor.name] = server.read_shared(parameters, tensor.datatype, list(tensor.shape))
            elif tensor.datatype == "BYTES":
                feeds[tensor.name] = of_bytes(next(raw))
            else:
                feeds[tensor.name] = np.frombuffer(next(raw), TYPES[tensor.datatype]).reshape(tensor.shape)
        found = server.compute(feeds)
        wanted = {wish.name: _plain(wish.parameters) for wish in request.outputs} or {
            key: {} for key in found
        }
        response = pb.ModelInferResponse(model_name="net")
        for name, parameters in wanted.items():
            array = found[name]
            output = response.outputs.add(name=name, datatype=datatype_of(array), shape=array.shape)
            if "shared_memory_region" in parameters:
                server.write_shared(parameters, array)
            elif server.typed:
                assert array.dtype == np.float32
                output.contents.fp32_contents.extend(array.reshape(-1).tolist())
            else:
                response.raw_output_contents.append(array.tobytes())
        return response


def _plain(parameters: object) -> dict[str, object]:
    return {key: getattr(value, value.WhichOneof("parameter_choice")) for key, value in parameters.items()}


def _varint(number: int) -> bytes:
    found = b""
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of one's own for localhost, and its key; skips where there is no openssl."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command, *files], cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"
