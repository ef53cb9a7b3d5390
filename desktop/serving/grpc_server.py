"""The protocol over gRPC, on grpcio's threaded server, with the messages of Triton's client.

Not its asyncio server: up to 1.85 at least, a call whose path is not UTF-8 ends it (tests/fuzz). Messages
above the size limit are rejected by their length, compressed ones once they unpack to more.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, Final
from urllib.parse import unquote

import grpc
from google.protobuf import json_format
from google.protobuf.message import DecodeError
from tritonclient.grpc import model_config_pb2, service_pb2

from desktop.base.errors import RefusalKind, ServingError
from desktop.serving import documents
from desktop.serving.access import Access, Certificate
from desktop.serving.access_log import AccessEntry, AccessLog
from desktop.serving.faults import HTTP_STATUS, fault_of
from desktop.serving.grpc_codec import parameter_entry, read_request, write_response
from desktop.serving.limits import Limits
from desktop.serving.service import Service

log = logging.getLogger(__name__)
logging.getLogger("grpc").addHandler(logging.NullHandler())

STATUS: Final[Mapping[RefusalKind, grpc.StatusCode]] = {
    "invalid": grpc.StatusCode.INVALID_ARGUMENT,
    "missing": grpc.StatusCode.NOT_FOUND,
    "conflict": grpc.StatusCode.FAILED_PRECONDITION,
    "full": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "large": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "unavailable": grpc.StatusCode.UNAVAILABLE,
    "late": grpc.StatusCode.DEADLINE_EXCEEDED,
    "denied": grpc.StatusCode.UNAUTHENTICATED,
    "forbidden": grpc.StatusCode.PERMISSION_DENIED,
    "failed": grpc.StatusCode.INTERNAL,
}
_LEAST_S: Final = 1e-3
# grpcio cancels calls after the time given to it, which would look like a regular end.
_LONGER_S: Final = 5.0
_METADATA_BYTES: Final = 16 << 10
_SERVICE: Final = "inference.GRPCInferenceService"
_OPEN: Final = (f"/{_SERVICE}/ServerLive", f"/{_SERVICE}/ServerReady")


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", limits.request_bytes),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_concurrent_streams", 256),
        ("grpc.max_metadata_size", _METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", 2 * _METADATA_BYTES),
        ("grpc.server_handshake_timeout_ms", round(limits.head_s * 1000)),
        ("grpc.max_connection_age_ms", round(limits.connection_age_s * 1000)),
        ("grpc.max_connection_age_grace_ms", round((limits.body_s + limits.answer_s) * 1000)),
        ("grpc.keepalive_time_ms", round(limits.head_s * 1000)),
        ("grpc.keepalive_timeout_ms", round(limits.head_s * 1000)),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        # Otherwise a second server would share the port and receive some of the requests.
        ("grpc.so_reuseport", 0),
    ]


class GrpcServer:
    """Answers on one address until it is closed."""

    def __init__(self, service: Service, access: Access) -> None:
        self._service = service
        self._access = access
        self._server: Any = None

    async def start(self, host: str, port: int, certificate: Certificate | None) -> int:
        """Listen; return the port (chosen for 0). Raises OSError if the address is in use or not local."""
        limits = self._service.limits
        self._server = server = grpc.server(
            ThreadPoolExecutor(limits.rpcs, "grpc"),
            interceptors=(_Door(self._access, self._service.access_log),),
            options=_options(limits),
            maximum_concurrent_rpcs=limits.rpcs,
        )
        server.add_generic_rpc_handlers((_Calls(self._service).handler(),))
        where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            if certificate is None:
                port = server.add_insecure_port(where)
            else:
                credentials = grpc.ssl_server_credentials([(certificate.key, certificate.chain)])
                port = server.add_secure_port(where, credentials)
        except RuntimeError as error:
            raise OSError(f"{where} is taken, or none of this machine's addresses") from error
        server.start()
        return int(port)

    async def drain(self, seconds: float) -> bool:
        """See `FrontEnd`. grpcio rejects new calls (UNAVAILABLE) and finishes those still arriving."""
        ended = self._server.stop(seconds + _LONGER_S)
        return bool(await asyncio.to_thread(ended.wait, seconds))

    async def close(self) -> None:
        """Stop immediately."""
        if self._server is not None:
            await asyncio.to_thread(self._server.stop(0).wait)


class _Door(grpc.ServerInterceptor):
    """Checks the token before a message is read."""

    def __init__(self, access: Access, access_log: AccessLog | None) -> None:
        self._access = access
        self._access_log = access_log

    def intercept_service(self, continuation: Callable[[Any], Any], handler_call_details: Any) -> Any:
        method = handler_call_details.method
        if method not in _OPEN:
            given = dict(handler_call_details.invocation_metadata or ()).get("authorization", "")
            try:
                self._access.check(given if isinstance(given, str) else "")
            except ServingError:
                return grpc.unary_unary_rpc_method_handler(partial(self._turn_away, method))
        return continuation(handler_call_details)

    def _turn_away(self, method: str, message: bytes, context: Any) -> None:
        _log(self._access_log, method, context, "denied", 0, 0.0)
        context.abort(STATUS["denied"], "This server wants a token: authorization: Bearer TOKEN.")


def _log(
    access_log: AccessLog | None,
    method: str,
    context: Any,
    kind: RefusalKind | None,
    size: int,
    seconds: float,
) -> None:
    """Note a call in the access log; `kind` is None for one that succeeded."""
    if access_log is None:
        return
    metadata = dict(context.invocation_metadata() or ())
    access_log.note(
        AccessEntry(
            client=_host_of(context.peer()),
            method="POST",
            path=method,
            protocol="HTTP/2.0",
            status=200 if kind is None else HTTP_STATUS[kind],
            size=size,
            seconds=seconds,
            agent=str(metadata.get("user-agent", "")),
            grpc="OK" if kind is None else STATUS[kind].name,
            at=time.time(),
        )
    )


def _host_of(peer: str) -> str:
    """Return the address in a peer such as 'ipv4:127.0.0.1:5000' or 'ipv6:%5B::1%5D:5000'."""
    address = unquote(peer.partition(":")[2])
    return address.rpartition(":")[0].strip("[]")


def _refusal_of(error: Exception) -> tuple[RefusalKind, str]:
    """Return the kind and the text of an error.

    Do not bind the error to a name before aborting: the traceback keeps the call and its stream alive until
    garbage collection, and a connection has at most 256 streams.
    """
    fault = fault_of(error)
    return fault.kind, str(fault)


class _Calls:
    """The calls by name. Others (CUDA shared memory, streams, tracing) are UNIMPLEMENTED."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def handler(self) -> Any:
        """Return the generic handler of all calls, which takes bytes.

        grpcio (1.85) leaks the stream of a message that cannot be parsed; a connection has at most 256.
        """
        calls = {kind.DESCRIPTOR.name.removesuffix("Request"): kind for kind in _REQUESTS}
        handlers = {
            name: grpc.unary_unary_rpc_method_handler(partial(self._respond, name, kind))
            for name, kind in calls.items()
        }
        return grpc.method_handlers_generic_handler(_SERVICE, handlers)

    def _respond(self, name: str, kind: Any, data: bytes, context: Any) -> bytes:
        begun = time.monotonic()
        log_call = partial(_log, self._service.access_log, f"/{_SERVICE}/{name}", context)
        try:
            with self._service.holding(len(data)):
                answer = bytes(getattr(self, name)(_message(kind, data), context).SerializeToString())
        except Exception as error:
            refused, text = _refusal_of(error)
            log_call(refused, 0, time.monotonic() - begun)
            context.abort(STATUS[refused], text)
            raise
        log_call(None, len(answer), time.monotonic() - begun)
        return answer

    def ServerLive(self, message: Any, context: Any) -> Any:
        return service_pb2.ServerLiveResponse(live=True)

    def ServerReady(self, message: Any, context: Any) -> Any:
        return service_pb2.ServerReadyResponse(ready=self._service.is_ready)

    def ModelReady(self, message: Any, context: Any) -> Any:
        # As in Triton, a model that is not there is not ready: a client that waits for it asks again.
        try:
            is_ready = self._service.is_model_ready(self._service.models.find(message.name, message.version))
        except ServingError:
            is_ready = False
        return service_pb2.ModelReadyResponse(ready=is_ready)

    def ServerMetadata(self, message: Any, context: Any) -> Any:
        return _filled(service_pb2.ServerMetadataResponse(), documents.of_server(self._service.extensions))

    def ModelMetadata(self, message: Any, context: Any) -> Any:
        model = self._service.models.find(message.name, message.version)
        versions = self._service.models.versions(model.name)
        response = _filled(service_pb2.ModelMetadataResponse(), documents.of_model(model, versions))
        for key, text in documents.parameters(model).items():
            response.MergeFromString(parameter_entry(key, text))
        return response

    def ModelConfig(self, message: Any, context: Any) -> Any:
        model = self._service.models.find(message.name, message.version)
        config = _filled(model_config_pb2.ModelConfig(), documents.configuration(model))
        return service_pb2.ModelConfigResponse(config=config)

    def ModelStatistics(self, message: Any, context: Any) -> Any:
        models = self._service.models
        chosen = models.select(message.name, message.version) if message.name else models.all
        return _filled(service_pb2.ModelStatisticsResponse(), documents.statistics(chosen))

    def RepositoryIndex(self, message: Any, context: Any) -> Any:
        found = documents.index(self._service.models, ready_only=message.ready)
        return _filled(service_pb2.RepositoryIndexResponse(), {"models": found})

    def RepositoryModelLoad(self, message: Any, context: Any) -> Any:
        if message.parameters:
            raise ServingError(
                "invalid", "A model is loaded as the server was started with it; send no parameters."
            )
        self._service.load(message.model_name)
        return service_pb2.RepositoryModelLoadResponse()

    def RepositoryModelUnload(self, message: Any, context: Any) -> Any:
        self._service.unload(message.model_name)
        return service_pb2.RepositoryModelUnloadResponse()

    def SystemSharedMemoryStatus(self, message: Any, context: Any) -> Any:
        regions = {each.name: each.document() for each in self._service.regions.status(message.name)}
        return _filled(service_pb2.SystemSharedMemoryStatusResponse(), {"regions": regions})

    def SystemSharedMemoryRegister(self, message: Any, context: Any) -> Any:
        self._service.regions.register(message.name, message.key, message.offset, message.byte_size)
        return service_pb2.SystemSharedMemoryRegisterResponse()

    def SystemSharedMemoryUnregister(self, message: Any, context: Any) -> Any:
        self._service.regions.unregister(message.name)
        return service_pb2.SystemSharedMemoryUnregisterResponse()

    def ModelInfer(self, message: Any, context: Any) -> Any:
        with self._service.models.using(message.model_name, message.model_version) as model:
            infer_request = read_request(model, message, self._service.limits)
            left = context.time_remaining()
            if left is not None:
                infer_request = replace(
                    infer_request, answer_s=max(_LEAST_S, min(left, infer_request.answer_s or left))
                )
            outputs = self._service.infer_here(
                model, infer_request, lambda begun: context.add_callback(begun.cancel)
            )
            return write_response(model, infer_request, outputs)


_REQUESTS: Final = (
    service_pb2.ServerLiveRequest,
    service_pb2.ServerReadyRequest,
    service_pb2.ServerMetadataRequest,
    service_pb2.ModelReadyRequest,
    service_pb2.ModelMetadataRequest,
    service_pb2.ModelConfigRequest,
    service_pb2.ModelStatisticsRequest,
    service_pb2.ModelInferRequest,
    service_pb2.RepositoryIndexRequest,
    service_pb2.RepositoryModelLoadRequest,
    service_pb2.RepositoryModelUnloadRequest,
    service_pb2.SystemSharedMemoryStatusRequest,
    service_pb2.SystemSharedMemoryRegisterRequest,
    service_pb2.SystemSharedMemoryUnregisterRequest,
)
"""The message type of each call, which has the same name."""


def _message(kind: Any, data: bytes) -> Any:
    try:
        return kind.FromString(data)
    except DecodeError:
        raise ServingError("invalid", f"The request is no {kind.DESCRIPTOR.name}.") from None


def _filled(message: Any, document: Mapping[str, Any]) -> Any:
    """A message of a document's fields."""
    return json_format.ParseDict(document, message)
