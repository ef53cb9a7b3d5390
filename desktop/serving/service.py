"""The service behind both front ends: readiness, memory limits, and inference."""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from desktop.base.errors import LightloomError, ServingError
from desktop.net.inference.codec import from_bytes, to_bytes
from desktop.net.inference.shared import EXTENSION
from desktop.net.inference.wire import SharedPart
from desktop.serving.access_log import AccessLog
from desktop.serving.faults import loading_fault
from desktop.serving.images import image_count, memory_for, prepared_rows, tensor_bytes
from desktop.serving.limits import Limits
from desktop.serving.models import Models
from desktop.serving.repository import Repository
from desktop.serving.served_model import ServedModel
from desktop.serving.shared_memory import SIZE, SharedRegions
from desktop.serving.tensors import Arrays, TensorSpec, of_input, shown

MOST_TENSORS = 256
"""Maximum number of inputs, and of outputs, of a request."""
_UNSUPPORTED = (
    "classification",
    "sequence_id",
    "sequence_start",
    "sequence_end",
)
EXTENSIONS = ("binary_tensor_data", "model_configuration", "model_repository", "statistics")


@dataclass(frozen=True)
class SharedInput:
    """A tensor in shared memory, of the protocol's `datatype`; its part has the size of its shape."""

    datatype: str
    shape: tuple[int, ...]
    part: SharedPart


@dataclass(frozen=True)
class InferenceRequest:
    """A parsed inference request.

    `feeds` are arrays by input, of the model's types and valid shapes; `id` is repeated in the response;
    `answer_s` is the client's timeout in seconds, None for the server's. `images` are encoded ones by input.
    `shared` are inputs in shared memory, and `shared_outputs` the outputs that go there.
    """

    feeds: Arrays
    outputs: tuple[str, ...]
    id: str = ""
    answer_s: float | None = None
    images: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict)
    shared: Mapping[str, SharedInput] = field(default_factory=dict)
    shared_outputs: Mapping[str, SharedPart] = field(default_factory=dict)


def check_parameters(names: Collection[str]) -> None:
    """Raise a ServingError for unsupported request parameters that would change the result."""
    for name in _UNSUPPORTED:
        if name in names:
            raise ServingError("invalid", f"The parameter '{name}' is not supported here; leave it out.")


def seconds_of(timeout: object) -> float | None:
    """Convert Triton's `timeout` from microseconds to seconds; None for None and 0, as there. Raises ServingError."""
    if timeout is None or (type(timeout) is int and timeout == 0):
        return None
    if type(timeout) is not int or not 0 < timeout < 1 << 63:
        raise ServingError("invalid", "The parameter 'timeout' is no number of microseconds.")
    return timeout / 1e6


class Service:
    """The models behind the front ends. HTTP calls it on the event loop's thread, gRPC on many threads."""

    def __init__(
        self,
        models: Models,
        limits: Limits,
        *,
        may_load: bool = False,
        repository: Repository | None = None,
        access_log: AccessLog | None = None,
        regions: SharedRegions | None = None,
    ) -> None:
        """Make the service. `may_load`: whether clients may load and unload models.

        `repository`: where models may come from while the server runs. `regions`: None without shared memory.
        """
        self.access_log = access_log
        self.models = models
        self.limits = limits
        self.is_draining = False
        self._repository = repository
        self._regions = regions
        self._may_load = may_load
        self._lock = threading.Lock()
        self._held = 0
        self._waiting = 0
        self._loading = threading.Lock()
        # As many as there are processors: reading and decoding inputs is their work.
        self._readers = ThreadPoolExecutor(os.cpu_count() or 1, "inputs")
        self._reading = 0

    @property
    def is_ready(self) -> bool:
        """Whether all models accept requests, except those that a client unloaded, as in Triton's strict readiness."""
        return not self.is_draining and all(model.is_ready or model.was_unloaded for model in self.models.all)

    def is_model_ready(self, model: ServedModel) -> bool:
        """Return whether a model accepts requests."""
        return not self.is_draining and model.is_ready

    @property
    def waiting(self) -> int:
        """The number of requests in flight."""
        return self._waiting

    @property
    def held(self) -> int:
        """The bytes of the requests in flight."""
        return self._held

    @contextmanager
    def holding(self, size: int) -> Iterator[None]:
        """Reserve bytes for a request until it is answered. Raises ServingError above the total limit."""
        with self._lock:
            if self._held + size > self.limits.in_flight_bytes:
                raise ServingError(
                    "full",
                    "The requests that are under way take all the memory that they may; try again later.",
                )
            self._held += size
        try:
            yield
        finally:
            with self._lock:
                self._held -= size

    async def infer(self, model: ServedModel, infer_request: InferenceRequest) -> Arrays:
        """Return the requested outputs. Raises ServingError: refused, timed out, or the network failed."""
        with self._under_way(model), self.holding(_input_bytes(model, infer_request)):
            seconds = self._seconds(model, infer_request)
            until = time.monotonic() + seconds
            try:
                async with asyncio.timeout(seconds):
                    feeds = infer_request.feeds
                    if infer_request.images or infer_request.shared:
                        feeds = await asyncio.wrap_future(self._begin_reading(model, infer_request, until))
                    result = model.submit(feeds, until - time.monotonic())
                    outputs = await asyncio.wrap_future(result)
            except TimeoutError:
                raise _late(model, seconds) from None
            outputs = {name: outputs[name] for name in infer_request.outputs}
            if infer_request.shared_outputs:
                await asyncio.to_thread(self._share, infer_request, outputs)
            return outputs

    def infer_here(
        self,
        model: ServedModel,
        infer_request: InferenceRequest,
        on_begin: Callable[[Future[Arrays]], object],
    ) -> Arrays:
        """Return the requested outputs, blocking; `on_begin` gets futures to cancel. Raises as `infer`."""
        with self._under_way(model), self.holding(_input_bytes(model, infer_request)):
            seconds = self._seconds(model, infer_request)
            until = time.monotonic() + seconds

            def awaited(result: Future[Arrays]) -> Arrays:
                on_begin(result)
                try:
                    return result.result(max(0.0, until - time.monotonic()))
                finally:
                    result.cancel()

            try:
                feeds = infer_request.feeds
                if infer_request.images or infer_request.shared:
                    feeds = awaited(self._begin_reading(model, infer_request, until))
                outputs = awaited(model.submit(feeds, until - time.monotonic()))
            except TimeoutError:
                raise _late(model, seconds) from None
            except CancelledError:
                raise ServingError("late", "The client went away.") from None
            outputs = {name: outputs[name] for name in infer_request.outputs}
            self._share(infer_request, outputs)
            return outputs

    @property
    def regions(self) -> SharedRegions:
        """The clients' shared memory. Raises ServingError if it is switched off."""
        if self._regions is None:
            raise ServingError(
                "forbidden", "Shared memory is switched off here; --shared-memory allows it on Linux."
            )
        return self._regions

    @property
    def extensions(self) -> tuple[str, ...]:
        """The protocol's extensions that are supported."""
        return (*EXTENSIONS, EXTENSION) if self._regions is not None else EXTENSIONS

    def _share(self, infer_request: InferenceRequest, outputs: Arrays) -> None:
        """Write the outputs that go into shared memory."""
        for name, part in infer_request.shared_outputs.items():
            self.regions.write(part, to_bytes(outputs[name]))

    def _seconds(self, model: ServedModel, infer_request: InferenceRequest) -> float:
        """Return how long a request may take, from the reading of its inputs on."""
        most = min(self.limits.answer_s, model.limits.answer_s or self.limits.answer_s)
        return min(most, infer_request.answer_s or most)

    def _begin_reading(
        self, model: ServedModel, infer_request: InferenceRequest, until: float
    ) -> Future[Arrays]:
        """Read a request's inputs on another thread. Raises ServingError if too many wait for that."""
        with self._lock:
            if self._reading >= self.limits.queue:
                raise ServingError(
                    "full",
                    f"The inputs of {self.limits.queue} requests are waiting to be read; try again later.",
                )
            self._reading += 1
        reading = self._readers.submit(self._all_feeds, model, infer_request, until)
        reading.add_done_callback(self._end_reading)
        return reading

    def _end_reading(self, _: Future[Arrays]) -> None:
        with self._lock:
            self._reading -= 1

    def _all_feeds(self, model: ServedModel, infer_request: InferenceRequest, until: float) -> Arrays:
        """Return the arrays of a request, with those of its shared memory, and of its images, for which memory
        is reserved. Raises TimeoutError after `until`.
        """
        feeds = dict(infer_request.feeds)
        for name, shared in infer_request.shared.items():
            _check_time(until)
            with of_input(name):
                feeds[name] = from_bytes(shared.datatype, shared.shape, self.regions.read(shared.part))
        plan = model.description.image
        for name, images in infer_request.images.items():
            assert not isinstance(plan, str), "such a request is refused when it is read"
            most = self.limits.image_pixels
            # Their tensor is there twice while its rows are joined.
            with self.holding(memory_for(images, name, most) + tensor_bytes(plan, len(images))):
                rows: list[np.ndarray] = []
                for row in prepared_rows(images, name, plan, most):
                    _check_time(until)
                    rows.append(row)
                feeds[name] = np.concatenate(rows)
        return feeds

    @contextmanager
    def _under_way(self, model: ServedModel) -> Iterator[None]:
        """Register a request, which shutdown awaits; count its failure and convert it to a ServingError."""
        with self._lock:
            self._waiting += 1
        begun = time.monotonic()
        try:
            yield
        except ServingError as error:
            model.statistics.note_refusal(error.kind, time.monotonic() - begun)
            raise
        except LightloomError as error:
            model.statistics.note_refusal("failed", time.monotonic() - begun)
            raise ServingError("failed", str(error)) from error
        finally:
            with self._lock:
                self._waiting -= 1

    def load(self, name: str) -> None:
        """Load a model that was unloaded, or the versions of one in the repository as they are now.

        Raises ServingError if it is unknown or cannot be loaded.
        """
        self._check_control()
        if self._repository is not None and self._repository.has(name):
            self._repository.load(name)
            return
        model = self.models.find(name)
        try:
            with self._loading:
                model.was_unloaded = False
                model.load()
        except Exception as error:
            # Whatever it is, the client and the index get it as this network's fault, and the server goes on.
            fault = loading_fault(error)
            self.models.note_problem(name, model.version, str(fault))
            if fault is error:
                raise
            raise fault from error
        self.models.note_problem(name, model.version, "")

    def unload(self, name: str) -> None:
        """Unload a model, once its pending requests are answered. Raises ServingError if it is unknown."""
        self._check_control()
        if self._repository is not None and self._repository.has(name):
            self._repository.unload(name)
            return
        model = self.models.find(name)
        with self._loading:
            model.was_unloaded = True
            model.unload()
        self.models.note_problem(name, model.version, "")

    def _check_control(self) -> None:
        if not self._may_load:
            raise ServingError(
                "forbidden", "Clients may not load and unload models here; --model-control allows it."
            )


def _input_bytes(model: ServedModel, infer_request: InferenceRequest) -> int:
    """Return the bytes of the inputs that are not in the request itself: those in shared memory, and of images."""
    plan = model.description.image
    sizes = [each.part.size for each in infer_request.shared.values()]
    if not isinstance(plan, str):
        sizes += [tensor_bytes(plan, len(images)) for images in infer_request.images.values()]
    return sum(sizes)


def _check_time(until: float) -> None:
    if time.monotonic() >= until:
        raise TimeoutError


def _in_words(seconds: float) -> str:
    return f"{seconds:g} seconds" if seconds >= 1e-3 else f"{seconds * 1e6:g} microseconds"


def _late(model: ServedModel, seconds: float) -> ServingError:
    return ServingError(
        "late", f"The model '{model.name}' did not answer within {_in_words(seconds)}; try again later."
    )


def requested_outputs(model: ServedModel, names: Sequence[object]) -> tuple[str, ...]:
    """Return the outputs that a request names, by default all. Raises ServingError for wrong names."""
    known = [spec.name for spec in model.description.outputs]
    if not names:
        return tuple(known)
    for name in names:
        if name not in known:
            raise ServingError("invalid", f"The model '{model.name}' has no output '{shown(name)}'.")
    if len(set(names)) != len(names):
        raise ServingError("invalid", "An output is requested twice.")
    return tuple(str(name) for name in names)


def shared_input(spec: TensorSpec, sizes: tuple[int, ...], part: SharedPart) -> SharedInput:
    """Return an input in shared memory. Raises ServingError if its part has not the size of its shape."""
    needed = math.prod(sizes) * spec.itemsize
    if part.size != needed:
        raise ServingError(
            "invalid", f"The input '{spec.name}' has {needed} bytes, not {part.size}; correct '{SIZE}'."
        )
    return SharedInput(spec.datatype, sizes, part)


def images_of(
    model: ServedModel, name: str, shape: Sequence[object], read: Callable[[int], tuple[bytes, ...]]
) -> tuple[bytes, ...]:
    """Return the encoded images of an input; `read` reads a number of elements.

    Raises ServingError if it takes none, ValueError for another shape, or as `read`.
    """
    known = model.description
    if name != known.image_input:
        why = known.image if isinstance(known.image, str) else "They are for another input."
        raise ServingError("invalid", f"The input '{name}' takes no encoded images. {why} Send its tensor.")
    return read(image_count(shape, max(1, known.max_batch)))


def input_specs(model: ServedModel, names: Sequence[object]) -> Mapping[str, TensorSpec]:
    """Return the inputs that a request names. Raises ServingError for missing, unknown or repeated ones."""
    known = {spec.name: spec for spec in model.description.inputs}
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise ServingError("invalid", f"The model '{model.name}' has no input '{shown(name)}'.")
    if len(names) != len(known) or len(set(names)) != len(names):
        raise ServingError(
            "invalid", f"The model '{model.name}' takes each of its inputs once: {', '.join(known)}."
        )
    return known
