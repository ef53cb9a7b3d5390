"""A network on a server by gRPC, with Triton's client; grpc and tritonclient are imported on connection."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, TypeVar

import numpy as np

from desktop.base.errors import ModelError
from desktop.base.printable import printable
from desktop.base.version import extra_command
from desktop.base.wording import sentence
from desktop.net.inference.address import RemoteAddress
from desktop.net.inference.codec import CONTENTS, from_bytes, from_numbers
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
    Spent,
    Wish,
    malformed,
    read_model,
    read_output,
    read_server,
    read_shape,
    read_statistics,
    refused,
    too_late,
)

Result = TypeVar("Result")

_SEND: Final = (1 << 31) - 1
# Field of newer metadata that tritonclient's messages lack: `map<string, ...> parameters = 6`.
_PARAMETERS_FIELD: Final = 6


class GrpcInferenceClient(InferenceClient):
    """Implements `InferenceClient`."""

    def __init__(self, address: RemoteAddress, token: str) -> None:
        """Connect on the first request; raise ModelError if tritonclient is not installed."""
        try:
            import tritonclient.grpc as triton
        except ImportError as error:
            raise ModelError(
                sentence(
                    "Networks by gRPC need the package tritonclient, which is not installed: {command}; or "
                    "use http://.",
                    command=extra_command("remote"),
                )
            ) from error
        self._triton = triton
        self._address = address
        self._headers = {"authorization": f"Bearer {token}"} if token else None
        self._clients: dict[int, Any] = {}
        self._aborted = False

    def server(self, timeout_s: float) -> ServerMeta:
        client = self._client(METADATA_BYTES)
        said = self._call(lambda: client.get_server_metadata(headers=self._headers, client_timeout=timeout_s))
        return read_server({"name": said.name, "version": said.version, "extensions": list(said.extensions)})

    def model(self, timeout_s: float) -> ModelMeta:
        client, address = self._client(METADATA_BYTES), self._address
        said = self._call(
            lambda: client.get_model_metadata(
                address.model, address.version, headers=self._headers, client_timeout=timeout_s
            ),
        )
        described = {
            side: [{"name": t.name, "datatype": t.datatype, "shape": list(t.shape)} for t in listed]
            for side, listed in (("inputs", said.inputs), ("outputs", said.outputs))
        }
        return read_model(described | {"platform": said.platform, "parameters": _parameters(said)})

    def statistics(self, timeout_s: float) -> Spent | None:
        client, address = self._client(METADATA_BYTES), self._address
        said = self._call(
            lambda: client.get_inference_statistics(
                address.model, address.version, headers=self._headers, client_timeout=timeout_s
            ),
        )
        if not said.model_stats:
            return None
        stats = said.model_stats[0].inference_stats
        parts = ("success", "queue", "compute_input", "compute_infer", "compute_output")
        tables = {
            part: {"count": getattr(stats, part).count, "ns": getattr(stats, part).ns} for part in parts
        }
        return read_statistics({"model_stats": [{"inference_stats": tables}]})

    def register(self, region: Region, timeout_s: float) -> None:
        client = self._client(METADATA_BYTES)
        self._call(
            lambda: client.register_system_shared_memory(
                *(region.name, region.key, region.size), headers=self._headers, client_timeout=timeout_s
            ),
        )

    def unregister(self, region: Region, timeout_s: float) -> None:
        client = self._client(METADATA_BYTES)
        self._call(
            lambda: client.unregister_system_shared_memory(
                region.name, headers=self._headers, client_timeout=timeout_s
            ),
        )

    def infer(
        self, feeds: Sequence[Feed], wishes: Sequence[Wish], *, limit: int, binary: bool, timeout_s: float
    ) -> InferenceResponse:
        client, address = self._client(limit), self._address
        inputs, outputs = [self._input(feed) for feed in feeds], [self._output(wish) for wish in wishes]
        result = self._call(
            lambda: client.infer(
                address.model,
                inputs,
                address.version,
                outputs,
                headers=self._headers,
                client_timeout=timeout_s,
            ),
        )
        try:
            said = result.get_response()
            shared = {wish.meta.name for wish in wishes if wish.shared is not None}
            return InferenceResponse(
                _arrays(said, {wish.meta.name for wish in wishes} - shared),
                {o.name: (o.datatype, read_shape(list(o.shape))) for o in said.outputs if o.name in shared},
            )
        except ValueError as error:
            raise malformed() from error

    def _input(self, feed: Feed) -> Any:
        tensor = self._triton.InferInput(feed.meta.name, list(feed.shape), feed.meta.datatype)
        if feed.shared is not None:
            tensor.set_shared_memory(feed.shared.region, feed.shared.size, feed.shared.offset)
        elif feed.meta.datatype == BYTES:
            tensor.set_data_from_numpy(np.array(feed.elements, dtype=np.object_).reshape(feed.shape))
        else:
            tensor.set_data_from_numpy(feed.array)
        return tensor

    def _output(self, wish: Wish) -> Any:
        tensor = self._triton.InferRequestedOutput(wish.meta.name)
        if wish.shared is not None:
            tensor.set_shared_memory(wish.shared.region, wish.shared.size, wish.shared.offset)
        return tensor

    def _client(self, limit: int) -> Any:
        """A client whose channel takes no answer that is longer than a limit."""
        if self._aborted:
            raise _ended()
        if limit not in self._clients:
            options: dict[str, Any] = {"channel_args": _channel_arguments(limit)}
            if self._address.is_secure:
                import grpc

                options["creds"] = grpc.ssl_channel_credentials(_trusted_roots())
            self._clients[limit] = self._triton.InferenceServerClient(_target(self._address), **options)
        return self._clients[limit]

    def _call(self, call: Callable[[], Result]) -> Result:
        from tritonclient.utils import InferenceServerException

        try:
            return call()
        except InferenceServerException as error:
            if self._aborted:
                raise _ended() from error
            raise _meaning(error) from error
        except ValueError as error:  # a channel that was closed meanwhile
            raise _ended() from error

    def abort(self) -> None:
        self._aborted = True
        self.close()

    def close(self) -> None:
        for client in list(self._clients.values()):
            client.close()


def _target(address: RemoteAddress) -> str:
    """Return gRPC's target, with a scheme: without it, dns:8001 would not be the host 'dns'."""
    return f"dns:///{address.server}"


def _channel_arguments(limit: int) -> list[tuple[str, int]]:
    return [
        ("grpc.max_send_message_length", _SEND),
        ("grpc.max_receive_message_length", limit),
        # No compressed responses: they would need one limit before decompression and another after.
        ("grpc.compression_enabled_algorithms_bitset", 1),
        # gRPC's own backoff grows to two minutes; here the breaker decides when to retry.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 500),
        ("grpc.dns_min_time_between_resolutions_ms", 1000),
        # Images go to the host of the address and to no other.
        ("grpc.enable_http_proxy", 0),
        # A channel of each limit with connections of its own: shared ones would have the first one's.
        ("grpc.use_local_subchannel_pool", 1),
    ]


def _trusted_roots() -> bytes | None:
    """The system's certificates, with SSL_CERT_FILE as everywhere else; None for those that gRPC brings."""
    found = ssl.create_default_context().get_ca_certs(binary_form=True)
    return "".join(map(ssl.DER_cert_to_PEM_cert, found)).encode() or None


def _ended() -> CallFailed:
    return CallFailed(sentence("the call was ended"))


def _meaning(error: Any) -> CallFailed:
    """Return a status's meaning (grpc.github.io/grpc/core/md_doc_statuscodes.html), with its own text."""
    match str(error.status()).rpartition(".")[2]:
        case "UNAVAILABLE":
            return CallFailed(sentence("it cannot be reached, or is not ready"), untouched=True)
        case "DEADLINE_EXCEEDED":
            return too_late()
        case "UNAUTHENTICATED" | "PERMISSION_DENIED":
            return CallFailed(sentence("it wants a token, or another one than it was given"))
        case "UNIMPLEMENTED":
            return CallFailed(sentence("it does not speak the Open Inference Protocol"))
        case "RESOURCE_EXHAUSTED":
            words = printable(error.message() or "")[:120]
            return CallFailed(sentence("its answer is too large, or it is overloaded ({words})", words=words))
        case _:
            return refused(error.message() or "")


def _arrays(said: Any, wanted: Collection[str]) -> dict[str, np.ndarray]:
    """Return outputs sent as bytes or numbers (tritonclient reads only bytes); CallFailed or ValueError."""
    arrays: dict[str, np.ndarray] = {}
    raw = list(said.raw_output_contents)
    for place, output in enumerate(said.outputs):
        if output.name not in wanted:
            continue
        datatype, shape = read_output(output.datatype, list(output.shape))
        if raw:
            arrays[output.name] = from_bytes(datatype, shape, raw[place] if place < len(raw) else b"")
        else:
            numbers = getattr(output.contents, CONTENTS[datatype]) if datatype in CONTENTS else ()
            arrays[output.name] = from_numbers(datatype, shape, numbers)
    return arrays


def _parameters(said: Any) -> dict[str, str]:
    """Return a field unknown to the message's type: a map to texts, or to the protocol's parameters."""
    from google.protobuf.message import DecodeError
    from google.protobuf.unknown_fields import UnknownFieldSet
    from tritonclient.grpc import service_pb2

    found: dict[str, str] = {}
    for each in UnknownFieldSet(said):
        if each.field_number != _PARAMETERS_FIELD or not isinstance(each.data, bytes):
            continue
        entry = service_pb2.ModelInferRequest.ParametersEntry()
        try:
            entry.ParseFromString(each.data)
        except DecodeError:
            continue
        kind = entry.value.WhichOneof("parameter_choice")
        if kind is not None:
            found[entry.key] = str(getattr(entry.value, kind))
    return found
