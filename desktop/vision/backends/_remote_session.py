"""`Session` for a network that a server computes (Open Inference Protocol)."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import av
import numpy as np

from desktop.base.errors import ModelAwayError, ModelError, ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.session import Calls, SessionCapabilities, TensorInfo, usual_sizes
from desktop.media.encoded_still import encoded_still
from desktop.net.inference.breaker import Breaker, retried
from desktop.net.inference.connecting import connect
from desktop.net.inference.hosts import AllowedHosts
from desktop.net.inference.shared import EXTENSION, SharedTensors
from desktop.net.inference.wire import (
    DTYPES,
    FREE,
    INFERENCE_S,
    METADATA_S,
    CallFailed,
    Feed,
    InferenceResponse,
    TensorMeta,
    Wish,
    checked,
)
from desktop.vision.backends._remote_times import CallTimes
from desktop.vision.models.remote import BINARY, RemoteNetwork, numbers

log = logging.getLogger(__name__)

# Maximum bytes of an answer besides tensors, and of one of unknown size; characters of a number.
_SLACK, _UNKNOWN, _TEXT_FACTOR = 1 << 16, 64 << 20, 8
_JPEG: Final = {"flags": "+bitexact+qscale", "qmin": "2", "qmax": "2"}


class RemoteSession:
    """Session on an inference server. `run` is for one thread, other methods for any.

    It survives failed calls: `run` raises `ModelAwayError`, immediately while the circuit breaker is open.
    `timeout_s` limits a request including repetitions; for `patience_s` see `RemoteCalls`.
    """

    backend = "remote"
    patience_s = 0.0
    timeout_s = INFERENCE_S

    def __init__(
        self,
        network: RemoteNetwork,
        input_shapes: Mapping[str, Sequence[int]],
        input_values: Mapping[str, np.ndarray],
        without_batch: str = "",
        breaker: Breaker | None = None,
    ) -> None:
        """Connect; run the network once on zeros if the server's metadata leaves sizes open.

        `without_batch` names an input to which a batch axis of 1 is added; see `opened_with_batch`. Raises
        ModelUnsupportedError for an unfit shape, ModelAwayError if the server fails or contradicts its metadata.
        """
        self._network = network
        self._fixed = dict(input_values)
        self._without_batch = without_batch
        shapes = {name: shape[1:] if name == without_batch else shape for name, shape in input_shapes.items()}
        self._metas = tuple(_sized(meta, network, shapes) for meta in network.model.inputs)
        self._promised = numbers(network.model)
        self._client = connect(network.address)
        self._breaker = breaker or Breaker()
        self._stop = threading.Event()
        self._away = ""
        self._shared: SharedTensors | None = None
        self._shares = False
        self._binary = BINARY in network.server.extensions
        self._expected = {meta.name: meta.shape for meta in self._promised}
        self._outputs: tuple[TensorInfo, ...] = ()
        try:
            self._measure()
            self._share()
        except CallFailed as error:
            self._client.close()
            raise ModelAwayError(self._sentence(error)) from error
        self._times = CallTimes(self._client, network.server)

    # -- properties ------------------------------------------------------------------------------------------

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`."""
        return tuple(
            TensorInfo(meta.name, self._outer_shape(meta), DTYPES[meta.datatype])
            for meta in self._metas
            if meta.name not in self._fixed
        )

    def _outer_shape(self, meta: TensorMeta) -> tuple[int, ...]:
        return (1, *meta.shape) if meta.name == self._without_batch else meta.shape

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """See `Session`; a size that the metadata leave open is that of a trial's."""
        return self._outputs

    @property
    def device(self) -> str:
        """The server, its software, and how tensors are transferred."""
        address, server = self._network.address, self._network.server
        program = " ".join(part for part in (server.name, server.version) if part)
        ways = {
            (True, True): sentence("gRPC"),
            (True, False): sentence("gRPC"),
            (False, True): sentence("HTTP, binary"),
            (False, False): sentence("HTTP, as JSON"),
        }
        way = ways[address.uses_grpc, self._binary]
        if self._shared is not None:
            way = sentence("shared memory")
        elif self._network.takes_jpeg:
            way = sentence("JPEG by {way}", way=way)
        where = f"{address.server} ({program})" if program else address.server
        return sentence("{where} by {way}", where=where, way=way)

    @property
    def precision(self) -> str:
        """The type of the tensors; the server does not report the precision of its computation."""
        return sentence("{types} tensors", types="/".join(dict.fromkeys(m.datatype for m in self._promised)))

    @property
    def capabilities(self) -> SessionCapabilities:
        """The calls to the server."""
        return SessionCapabilities(remote=self)

    @property
    def calls(self) -> Calls:
        """See `RemoteCalls`."""
        return self._times.calls(self._away)

    @property
    def pause_s(self) -> float:
        """See `RemoteCalls`."""
        return self._breaker.pause_s

    # -- calls -----------------------------------------------------------------------------------------------

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """See `Session.run`; raise ModelAwayError if a later call may succeed, ModelError for bad inputs."""
        self._check(feeds)
        until = time.monotonic() + self.patience_s
        failures = 0
        while True:
            pause = self._breaker.pause_s
            if pause > 0 and (time.monotonic() + pause > until or self._stop.wait(pause)):
                raise ModelAwayError(self._away)
            try:
                return self._infer_once(feeds)
            except CallFailed as error:
                # A reachable server that failed twice will fail again; an unreachable one may come back.
                failures += not error.untouched
                if time.monotonic() >= until or failures > 1 or self._stop.is_set():
                    raise ModelAwayError(self._away) from error

    def _infer_once(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Make one request; raise CallFailed without a valid answer, which `_away` describes."""
        try:
            # The list may have changed since the connection was made; reading it takes 0.05 ms.
            if not AllowedHosts().allows(self._network.address):
                raise CallFailed(sentence("you do not allow its host any more"))
            if self._away:
                self._check_server()
            if self._shares and self._shared is None:
                self._share()
            with self._times.measured() as note:
                answer = retried(lambda left: self._infer(feeds, left), self.timeout_s, self._stop)
                found = self._outputs_of(answer)
                note(answer)
        except CallFailed as error:
            self._breaker.failed(error)
            self._unshare()
            # The sentence stays the same while the fault does, so that it is shown only once.
            self._away = self._sentence(error)
            raise
        self._breaker.succeeded()
        self._away = ""
        return found

    def _check_server(self) -> None:
        """Check that a server that was away still has this network; raise CallFailed if not."""
        found = self._client.model(METADATA_S)
        if (found.inputs, found.outputs) != (self._network.model.inputs, self._network.model.outputs):
            raise CallFailed(sentence("it has another network under this name now; load it anew"))

    def _infer(self, feeds: Mapping[str, np.ndarray], timeout_s: float) -> InferenceResponse:
        arrays = {**self._fixed, **feeds}
        sent = [self._feed(meta, arrays[meta.name].reshape(meta.shape)) for meta in self._metas]
        shared = self._shared
        wishes = [Wish(meta, shared.part(meta) if shared is not None else None) for meta in self._promised]
        return self._client.infer(sent, wishes, limit=self._limit, binary=self._binary, timeout_s=timeout_s)

    def _feed(self, meta: TensorMeta, array: np.ndarray) -> Feed:
        if self._network.takes_jpeg:
            try:
                data = encoded_still(array[0], "mjpeg", "yuvj444p", _JPEG, given="rgb24")
            except (av.FFmpegError, ValueError) as error:
                raise CallFailed(sentence("the image cannot be sent as JPEG")) from error
            return Feed(self._network.model.inputs[0], elements=(data,))
        if self._shared is None:
            return Feed(meta, array)
        self._shared.write(meta, array)
        return Feed(meta, array, shared=self._shared.part(meta))

    def _outputs_of(self, answer: InferenceResponse) -> dict[str, np.ndarray]:
        if self._shared is not None:
            for meta in self._promised:
                if answer.shared.get(meta.name) != (meta.datatype, meta.shape):
                    raise CallFailed(
                        sentence("its answer promises another '{name}' than its metadata", name=meta.name)
                    )
            return {meta.name: self._shared.read(meta) for meta in self._promised}
        return {
            meta.name: checked(answer.arrays.get(meta.name), meta, self._expected[meta.name])
            for meta in self._promised
        }

    @property
    def _limit(self) -> int:
        """Return the most bytes that an answer may have."""
        sizes = [
            math.prod(shape) * np.dtype(DTYPES[meta.datatype]).itemsize if FREE not in shape else _UNKNOWN
            for meta, shape in ((meta, self._expected[meta.name]) for meta in self._promised)
        ]
        by_text = not (self._binary or self._network.address.uses_grpc)
        return _SLACK + sum(sizes) * (_TEXT_FACTOR if by_text else 1)

    # -- connecting ------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        """Complete sizes missing in the metadata, from the first input or by a trial run on zeros."""
        items = self._metas[0].shape[0] if self._metas[0].shape else FREE
        if self._network.model.inputs[0].shape[:1] == (FREE,):
            for meta in self._promised:
                if meta.shape[:1] == (FREE,):
                    self._expected[meta.name] = (items, *meta.shape[1:])
        shapes = self._expected
        if any(FREE in shape for shape in shapes.values()):
            zeros = {m.name: np.zeros(m.shape, DTYPES[m.datatype]) for m in self._metas}
            answer = retried(lambda left: self._infer(zeros, left), self.timeout_s, self._stop)
            shapes = {name: array.shape for name, array in self._outputs_of(answer).items()}
        self._outputs = tuple(
            TensorInfo(meta.name, shapes[meta.name], DTYPES[meta.datatype]) for meta in self._promised
        )

    def _share(self) -> None:
        """Use shared memory if server and system support it and all sizes are known."""
        wanted = self._network.address.is_loopback and EXTENSION in self._network.server.extensions
        outputs = [replace(meta, shape=self._expected[meta.name]) for meta in self._promised]
        names = [meta.name for meta in (*self._metas, *outputs)]
        fits = all(meta.is_fixed for meta in outputs) and len(set(names)) == len(names)
        if not wanted or not fits or self._network.takes_jpeg:
            return
        try:
            self._shared = SharedTensors(self._client, (*self._metas, *outputs))
        except (CallFailed, OSError, ImportError) as error:
            log.info("no shared memory with %s: %s", self._network.address.server, error)
            self._shares = False
            return
        self._promised, self._shares = tuple(outputs), True

    def _unshare(self) -> None:
        # An abandoned call may still write there: the next one gets another region.
        if self._shared is not None:
            self._shared.close()
            self._shared = None

    def _sentence(self, error: CallFailed) -> str:
        address = self._network.address
        if self.patience_s > 0:
            return sentence(
                "No results of {model} from {server}: {what}; see that the server runs, and begin again.",
                model=address.model,
                server=address.server,
                what=error.what,
            )
        return sentence(
            "No results of {model} from {server}: {what}. The request is repeated automatically.",
            model=address.model,
            server=address.server,
            what=error.what,
        )

    def _check(self, feeds: Mapping[str, np.ndarray]) -> None:
        known = {info.name: info for info in self.inputs}
        if feeds.keys() != known.keys():
            raise ModelError(
                sentence(
                    "{name} takes the inputs {known}, not {given}.",
                    name=self._network.address.model,
                    known=", ".join(known),
                    given=", ".join(feeds),
                )
            )
        for name, info in known.items():
            array = feeds[name]
            if tuple(array.shape) != info.shape or str(array.dtype) != info.dtype:
                raise ModelError(
                    sentence(
                        "Input '{name}' of {name2} takes {dtype}{shape}, not {dtype2}{shape2}.",
                        name=name,
                        name2=self._network.address.model,
                        dtype=info.dtype,
                        shape=list(info.shape),
                        dtype2=array.dtype,
                        shape2=list(array.shape),
                    )
                )

    # -- closing ---------------------------------------------------------------------------------------------

    def abort(self) -> None:
        """See `RemoteCalls`."""
        self._stop.set()
        self._client.abort()

    def close(self) -> None:
        """Close the connections."""
        self._stop.set()
        self._times.close()
        self._unshare()
        self._client.close()


def _sized(meta: TensorMeta, network: RemoteNetwork, input_shapes: Mapping[str, Sequence[int]]) -> TensorMeta:
    """Return an input with default sizes for free dimensions; raise ModelUnsupportedError if unfit."""
    datatype, free = meta.datatype, meta.shape
    if network.takes_jpeg:
        datatype, free = "UINT8", (1, FREE, FREE, 3)
    given = input_shapes.get(meta.name)
    if given is None:
        return TensorMeta(meta.name, datatype, usual_sizes(free))
    fits = len(given) == len(free) and all(
        want in (FREE, size) for want, size in zip(free, given, strict=True)
    )
    if not fits:
        raise ModelUnsupportedError(
            sentence(
                "Input '{node_name}' of {name} has the shape {shape}, not {given}; give it a shape that "
                "fits.",
                node_name=meta.name,
                name=network.address.model,
                shape=[size if size != FREE else "any" for size in free],
                given=list(given),
            )
        )
    return TensorMeta(meta.name, datatype, tuple(given))
