"""What both front ends do: what is ready, what may be held, and a request from its arrays to its outputs."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass

from desktop.errors import LightloomError, ServingError
from desktop.serving.limits import Limits
from desktop.serving.served_model import Models, ServedModel
from desktop.serving.tensors import Arrays, TensorSpec, shown

log = logging.getLogger(__name__)

EXTENSIONS = ("binary_tensor_data", "model_configuration", "model_repository", "statistics")


@dataclass(frozen=True)
class Asked:
    """A request for inference, read.

    Attributes:
        feeds: arrays by input, of the model's types and of shapes that fit.
        outputs: the names of those wanted, in their order.
        id: the client's own name for it, which the answer repeats.
        answer_s: seconds that the client waits; None for as long as the server does.
    """

    feeds: Arrays
    outputs: tuple[str, ...]
    id: str = ""
    answer_s: float | None = None


class Service:
    """The models behind the front ends. HTTP asks on the event loop's thread, gRPC on many.

    Attributes:
        is_draining: the server ends: it is no longer ready, and front ends take no more requests but those that have begun to come.
    """

    def __init__(self, models: Models, limits: Limits, *, may_load: bool = False) -> None:
        """`may_load`: whether clients may unload and load the models."""
        self.models = models
        self.limits = limits
        self.is_draining = False
        self._may_load = may_load
        self._lock = threading.Lock()
        self._held = 0
        self._waiting = 0
        self._loading = threading.Lock()

    @property
    def is_ready(self) -> bool:
        """Whether all models take requests."""
        return not self.is_draining and all(model.is_ready for model in self.models.all)

    def is_model_ready(self, model: ServedModel) -> bool:
        """Whether a model takes requests."""
        return not self.is_draining and model.is_ready

    @property
    def waiting(self) -> int:
        """Requests that are under way."""
        return self._waiting

    @property
    def held(self) -> int:
        """Bytes of the requests that are under way."""
        return self._held

    @contextmanager
    def holding(self, size: int) -> Iterator[None]:
        """Count bytes of a request, before they are read and until it is answered.

        Raises:
            ServingError: all requests together have as many as they may.
        """
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

    async def infer(self, model: ServedModel, asked: Asked) -> Arrays:
        """Return the outputs that were asked for.

        Raises:
            ServingError: refused, too late, or the network failed.
        """
        with self._under_way(model):
            seconds, result = self._submitted(model, asked)
            try:
                outputs = await asyncio.wait_for(asyncio.wrap_future(result), seconds)
            except TimeoutError:
                raise _late(model, seconds) from None
            return {name: outputs[name] for name in asked.outputs}

    def infer_here(
        self, model: ServedModel, asked: Asked, on_begin: Callable[[Future[Arrays]], object]
    ) -> Arrays:
        """Return the outputs that were asked for, on a thread that waits for them; `on_begin` gets what can be canceled.

        Raises:
            ServingError: refused, too late, or the network failed.
        """
        with self._under_way(model):
            seconds, result = self._submitted(model, asked)
            on_begin(result)
            try:
                outputs = result.result(seconds)
            except TimeoutError:
                result.cancel()
                raise _late(model, seconds) from None
            except CancelledError:
                raise ServingError("late", "The client went away.") from None
            return {name: outputs[name] for name in asked.outputs}

    def _submitted(self, model: ServedModel, asked: Asked) -> tuple[float, Future[Arrays]]:
        seconds = min(self.limits.answer_s, asked.answer_s or self.limits.answer_s)
        return seconds, model.submit(asked.feeds, seconds)

    @contextmanager
    def _under_way(self, model: ServedModel) -> Iterator[None]:
        """A request that the end of the server waits for, and whose failure is counted and becomes a ServingError."""
        with self._lock:
            self._waiting += 1
        try:
            yield
        except ServingError as error:
            model.statistics.note_refusal(error.kind)
            raise
        except LightloomError as error:
            model.statistics.note_refusal("failed")
            raise ServingError("failed", str(error)) from error
        finally:
            with self._lock:
                self._waiting -= 1

    def load(self, name: str) -> None:
        """Load a model that was unloaded.

        Raises:
            LightloomError: it is none of this server, or cannot be loaded.
        """
        model = self._loadable(name)
        with self._loading:
            model.load()

    def unload(self, name: str) -> None:
        """Unload a model, once what waits for it is answered.

        Raises:
            ServingError: it is none of this server.
        """
        model = self._loadable(name)
        with self._loading:
            model.unload()

    def _loadable(self, name: str) -> ServedModel:
        if not self._may_load:
            raise ServingError(
                "forbidden", "Clients may not load and unload models here; --model-control allows it."
            )
        return self.models.find(name)


def _late(model: ServedModel, seconds: float) -> ServingError:
    return ServingError(
        "late", f"The model '{model.name}' did not answer within {seconds:g} seconds; try again later."
    )


def wanted_outputs(model: ServedModel, names: Sequence[object]) -> tuple[str, ...]:
    """Return the outputs that a request names, all where it names none.

    Raises:
        ServingError: there is none of a name, or one is named twice.
    """
    known = [spec.name for spec in model.description.outputs]
    if not names:
        return tuple(known)
    for name in names:
        if name not in known:
            raise ServingError("invalid", f"The model '{model.name}' has no output '{shown(name)}'.")
    if len(set(names)) != len(names):
        raise ServingError("invalid", "An output is asked for twice.")
    return tuple(str(name) for name in names)


def input_specs(model: ServedModel, names: Sequence[object]) -> Mapping[str, TensorSpec]:
    """Return the inputs that a request names, which must be all of the model's.

    Raises:
        ServingError: one is missing, not known or named twice.
    """
    known = {spec.name: spec for spec in model.description.inputs}
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise ServingError("invalid", f"The model '{model.name}' has no input '{shown(name)}'.")
    if len(names) != len(known) or len(set(names)) != len(names):
        raise ServingError(
            "invalid", f"The model '{model.name}' takes each of its inputs once: {', '.join(known)}."
        )
    return known


def fault_of(error: BaseException) -> ServingError:
    """Return what a client is told of an error; a bug is in the log, with its traceback."""
    if isinstance(error, ServingError):
        return error
    if isinstance(error, LightloomError):
        return ServingError("failed", str(error))
    log.error("a fault of the server's own", exc_info=error)
    return ServingError("failed", f"A fault of the server's own ({type(error).__name__}); its log has more.")
