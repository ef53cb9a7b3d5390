"""The sessions of one network, per batch size and input size, created on demand within a memory budget.

Whether rows influence each other is tested (`joining.py`) before requests are batched: a dynamic first
dimension is often a sequence or a count, and clients would receive each other's results.
"""

from __future__ import annotations

import logging
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

import numpy as np

from desktop.base.errors import GpuError, LightloomError, ModelError, ServingError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.lowering.plan import Plan
from desktop.compute.nn.session import Precision, Session, TensorInfo
from desktop.net.inference.wire import DTYPES
from desktop.pipeline.running.one.examining import served_without_effect
from desktop.serving.images import image_preprocess
from desktop.serving.joining import batching_obstacle
from desktop.serving.tensors import Arrays, TensorSpec
from desktop.vision.backends import AUTO
from desktop.vision.backends.loader import load_session
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.models.served import served_text
from desktop.vision.tasks.common.description import described

log = logging.getLogger(__name__)

Shapes = tuple[tuple[str, tuple[int, ...]], ...]

_MOST_SESSIONS: Final = 32


@runtime_checkable
class _Planned(Protocol):
    """A session that knows its memory requirement."""

    @property
    def plan(self) -> Plan: ...


@dataclass(frozen=True)
class Loading:
    """Options for loading a network.

    Attributes:
        open_gpu: opens the network's own device on its thread; None restricts it to backends without one.
        max_batch: rows that may be computed together; 1 disables batching.
        memory_bytes: limit for all sessions together.
    """

    open_gpu: Callable[[], Gpu | None]
    backend: str = AUTO
    precision: Precision = "auto"
    max_batch: int = 8
    memory_bytes: int = 2 << 30


@dataclass(frozen=True)
class ModelDescription:
    """Facts about a loaded network.

    Attributes:
        inputs, outputs: -1 stands for a dynamic size.
        max_batch: rows that are computed together; 0 without batching.
        reason: why it has this backend.
        apart: why requests are not batched, as part of a sentence; '' if they are.
        failed: why a first run, of noise, failed; '' if it did not.
        served: its description for clients (see `desktop.vision.models.served`); '' if it is too long.
        image_input: the input that takes encoded images; '' for none.
        image: how images are prepared for it, or a sentence that says why they are not.
        notes: sentences for the log.
    """

    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    backend: str
    device: str
    precision: str
    max_batch: int
    reason: str
    apart: str = ""
    failed: str = ""
    served: str = ""
    image_input: str = ""
    image: Preprocess | str = ""
    notes: tuple[str, ...] = ()


class Pool(Protocol):
    """What computes a network. For one thread; a model with several pools has a thread for each."""

    def open(self) -> ModelDescription:
        """Load the network. Raises LightloomError."""

    def warm(self) -> None:
        """Load every batch that there may be."""

    def run_again(self, feeds: Arrays) -> Arrays:
        """Compute the outputs for any number of rows, again if the device was lost. Raises LightloomError."""

    def close(self) -> None:
        """Release everything."""


MakePools = Callable[[str, Loading], Sequence[Pool]]
"""Makes the pools of a network, which is a bundled one or a path."""


class SessionPool:
    """A network's sessions, for one thread. While `is_lost`, call `reopen` before the next `run`."""

    def __init__(self, model: str, loading: Loading) -> None:
        """`model`: the name of a bundled network, or a path."""
        self._model = model
        self._loading = loading
        self._gpu: Gpu | None = None
        self._sessions: OrderedDict[Shapes, Session] = OrderedDict()
        self._base: Shapes = ()
        self._too_much: set[Shapes] = set()
        self.is_lost = False
        self._sha256 = ""
        self._file_bytes = 0
        self._max_batch = 0

    def open(self) -> ModelDescription:
        """Load the network, run it once, and test whether requests may be batched. Raises LightloomError."""
        self._gpu = self._loading.open_gpu()
        file = ModelFile.find(self._model)
        facts, self._sha256, self._file_bytes = file.facts, file.sha256, file.size
        served = served_text(described(file))
        session, reason = self._load(file, None)
        self._base = _shapes_of({info.name: info.shape for info in session.inputs})
        self._sessions[self._base] = session
        inputs = tuple(_spec(info, _declared(facts, info.name)) for info in session.inputs)
        declared = {info.name: info.shape for info in facts.outputs}
        outputs = tuple(_spec(info, declared.get(info.name, ())) for info in session.outputs)
        failed = self._try_once(inputs)
        apart = self._batching_obstacle(inputs)
        self._max_batch = 0 if apart else self._loading.max_batch
        image = image_preprocess(file)
        return ModelDescription(
            inputs,
            outputs,
            session.backend,
            session.device,
            session.precision,
            self._max_batch,
            reason,
            apart,
            failed,
            served,
            _image_input(inputs, facts.input_name, image),
            image,
            _notes(file, served),
        )

    def _try_once(self, inputs: tuple[TensorSpec, ...]) -> str:
        """Warm the network up with one run; return why that failed, or ''."""
        random = np.random.default_rng(0)
        shapes = dict(self._base)
        try:
            self._session(self._base).run(
                {spec.name: _noise(spec, shapes[spec.name], 0, random) for spec in inputs}
            )
        except GpuError:
            raise
        except LightloomError as error:
            return str(error)
        return ""

    def run(self, feeds: Arrays) -> Arrays:
        """Compute the outputs for any number of rows and any sizes.

        Raises ServingError above the memory limit, LightloomError if the network or its loading failed.
        """
        if not self._max_batch:
            return self._session(_shapes_of({name: array.shape for name, array in feeds.items()})).run(feeds)
        rows = len(next(iter(feeds.values())))
        parts, start = [], 0
        while start < rows:
            rest = _shapes_of({name: array.shape[1:] for name, array in feeds.items()})
            session, size = self._session_for(rest, rows - start)
            stop = min(rows, start + size)
            parts.append(_run_padded(session, {n: a[start:stop] for n, a in feeds.items()}, size))
            start = stop
        return parts[0] if len(parts) == 1 else {n: np.concatenate([p[n] for p in parts]) for n in parts[0]}

    def run_again(self, feeds: Arrays) -> Arrays:
        """Compute the outputs, again on a new device if the first was lost; errors as `run`."""
        try:
            if not self.is_lost:
                return self.run(feeds)
        except GpuError as error:
            log.warning("the device is made anew: %s", error)
        self.reopen()
        return self.run(feeds)

    def warm(self) -> None:
        """Load every batch that there may be, at the sizes that the network was loaded with."""
        rest = tuple((name, shape[1:]) for name, shape in self._base)
        for size in batch_sizes(self._max_batch):
            self._session_for(rest, size)

    def reopen(self) -> None:
        """Recreate the device and the first session after a loss; may be retried after a LightloomError."""
        had_one = self.is_lost or self._gpu is not None
        self.close()
        self.is_lost = had_one
        self._gpu = self._loading.open_gpu()
        if had_one and self._gpu is None:
            # Otherwise the slower CPU would take over unnoticed, with other results.
            raise GpuError("The GPU was lost and is not back; check its driver, or start the server again.")
        self._session(self._base)
        self.is_lost = False

    def close(self) -> None:
        """Release all sessions and the device."""
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
        if self._gpu is not None:
            self._gpu.close()
            self._gpu = None

    # -- sessions --------------------------------------------------------------------------------------------

    def _load(self, file: ModelFile, shapes: Shapes | None) -> tuple[Session, str]:
        loaded = load_session(
            file,
            gpu=self._gpu,
            backend=self._loading.backend,
            precision=self._loading.precision,
            input_shapes=None if shapes is None else dict(shapes),
        )
        return loaded.session, loaded.reason

    def _session(self, shapes: Shapes) -> Session:
        """The session for exactly these sizes."""
        session = self._sessions.get(shapes)
        if session is None:
            self._free_memory(shapes)
            file = self._read_again()
            if file is None or file.sha256 != self._sha256:
                raise ServingError(
                    "conflict",
                    f"{Path(self._model).name} was changed since it was loaded; unload it, and load it again.",
                )
            session, _ = self._load(file, shapes)
            self._sessions[shapes] = session
        self._sessions.move_to_end(shapes)
        return session

    def _read_again(self) -> ModelFile | None:
        """Return the file that was loaded; None if it cannot be read any more."""
        try:
            return ModelFile.find(self._model)
        except LightloomError as error:
            log.warning("%s is not there any more: %s", self._model, error)
            return None

    def _session_for(self, rest: Shapes, rows: int) -> tuple[Session, int]:
        """Return a session for these shapes and its rows: as many as given, or as memory allows."""
        sizes = batch_sizes(self._max_batch)
        enough = next(at for at, size in enumerate(sizes) if size >= min(rows, self._max_batch))
        for size in reversed(sizes[1 : enough + 1]):
            shapes = tuple((name, (size, *shape)) for name, shape in rest)
            if shapes in self._too_much:
                continue
            try:
                return self._session(shapes), size
            except GpuError:
                raise
            except LightloomError as error:
                log.warning("%s is not computed %d at a time: %s", self._model, size, error)
                self._too_much.add(shapes)
        return self._session(tuple((name, (1, *shape)) for name, shape in rest)), 1

    def _free_memory(self, shapes: Shapes) -> None:
        """Close the least recently used sessions until another fits into memory; the first one stays."""
        limit = self._loading.memory_bytes
        while self._sessions:
            taken = sum(map(self._weight, self._sessions.values()))
            if taken + self._foreseen(shapes) <= limit and len(self._sessions) < _MOST_SESSIONS:
                return
            oldest = next((each for each in self._sessions if each != self._base), None)
            if oldest is None:
                raise ServingError(
                    "large",
                    f"{self._model} would take more than {limit >> 20} MiB at this size; raise --memory, "
                    "or send less at a time.",
                )
            self._sessions.pop(oldest).close()

    def _weight(self, session: Session) -> int:
        """Bytes that a session takes, or the part of them that can be known: weights, inputs and outputs."""
        if isinstance(session, _Planned):
            return session.plan.memory
        return self._file_bytes + sum(map(_bytes_of, (*session.inputs, *session.outputs)))

    def _foreseen(self, shapes: Shapes) -> int:
        """Estimate a session's bytes: the weights, and what grows with the inputs."""
        base = self._sessions.get(self._base)
        if base is None:
            return self._file_bytes
        before = sum(math.prod(shape) for _, shape in self._base) or 1
        growing = max(0, self._weight(base) - self._file_bytes)
        return self._file_bytes + growing * sum(math.prod(shape) for _, shape in shapes) // before

    # -- joining ---------------------------------------------------------------------------------------------

    def _batching_obstacle(self, inputs: tuple[TensorSpec, ...]) -> str:
        """Return why requests cannot be batched; '' if they can."""
        if self._loading.max_batch < 2:
            return "--max-batch is 1"
        if not all(spec.shape[:1] == (-1,) for spec in inputs) or any(s[0] != 1 for _, s in self._base):
            return "its batch is fixed"
        random = np.random.default_rng(0)
        shapes = dict(self._base)
        first, second, third = (
            {spec.name: _noise(spec, shapes[spec.name], number, random) for spec in inputs}
            for number in range(3)
        )
        two = tuple((name, (2, *shape[1:])) for name, shape in self._base)
        try:
            return batching_obstacle(
                self._session(two).run,
                self._session(self._base).run,
                (first, second, third),
                is_half=self._session(self._base).precision == "fp16",
            )
        except ServingError:  # the file was changed meanwhile, which says nothing about the network
            raise
        except LightloomError as error:
            log.warning("%s does not run two at a time: %s", self._model, error)
            return f"it does not run two at a time: {error}"


def _notes(file: ModelFile, served: str) -> tuple[str, ...]:
    """Return what to log about a network: what its files state without effect, and what clients do not get."""
    large = f"{file.name} has labels or metadata too large for its clients, who have to be given them."
    unused = (f"{file.name}: {text}" for text in served_without_effect(file))
    return (*(() if served else (large,)), *unused)


def own_pool(model: str, loading: Loading) -> tuple[Pool, ...]:
    """Make the pool of a network that is computed in this process."""
    return (SessionPool(model, loading),)


def _shapes_of(shapes: Mapping[str, tuple[int, ...]]) -> Shapes:
    return tuple(sorted((name, tuple(shape)) for name, shape in shapes.items()))


def _bytes_of(info: TensorInfo) -> int:
    return math.prod(info.shape) * np.dtype(info.dtype).itemsize


def _declared(facts: ModelFacts, name: str) -> tuple[int, ...]:
    if name == facts.input_name:
        return facts.input_shape[1:] if facts.lacks_batch else facts.input_shape
    return next((info.shape for info in facts.others if info.name == name), ())


def _spec(info: TensorInfo, declared: tuple[int, ...]) -> TensorSpec:
    """Return the spec of a session's tensor; sizes that the file leaves open are dynamic."""
    if info.dtype not in DTYPES.values():
        raise ModelError(
            f"The tensor '{info.name}' has the type {info.dtype}, which the protocol has no name for; "
            "serve another network."
        )
    shape = info.shape
    if len(declared) == len(shape):
        shape = tuple(size if given else -1 for size, given in zip(shape, declared, strict=True))
    return TensorSpec(info.name, info.dtype, shape)


def _image_input(inputs: Sequence[TensorSpec], name: str, image: Preprocess | str) -> str:
    """Return the name of the input that prepared images fit; '' if none does."""
    if isinstance(image, str):
        return ""
    spec = next((each for each in inputs if each.name == name), None)
    fits = spec is not None and spec.dtype == image.dtype and spec.accepts(image.shape)
    return name if fits else ""


def _noise(spec: TensorSpec, shape: tuple[int, ...], number: int, random: np.random.Generator) -> np.ndarray:
    """Return one row of noise about 0, or of 0 and 1 for integers; `number` makes neighbors differ."""
    if np.dtype(spec.dtype).kind == "f":
        return random.standard_normal(shape).astype(spec.dtype)
    found = random.integers(0, 2, shape).astype(spec.dtype)
    if found.size:
        found.reshape(-1)[0] = number % 2
    return found


def batch_sizes(most: int) -> tuple[int, ...]:
    """Return the batch sizes of sessions: powers of two, so that there are few, and `most` itself."""
    return (*(1 << power for power in range(max(0, most - 1).bit_length())), most) if most else (1,)


def _run_padded(session: Session, feeds: Arrays, size: int) -> Arrays:
    """Run rows on a session for more of them, padded with zeros that are removed from the outputs."""
    rows = len(next(iter(feeds.values())))
    padded = feeds if rows == size else {name: _padded(array, size) for name, array in feeds.items()}
    outputs = session.run(padded)
    # The trial had two rows of noise; other row counts or real images may behave differently.
    odd = next((name for name, array in outputs.items() if array.shape[:1] != (size,)), None)
    if odd is not None:
        raise ModelError(
            f"The output '{odd}' has the shape {list(outputs[odd].shape)} for {size} rows; serve the "
            "network with --max-batch 1."
        )
    return outputs if rows == size else {name: array[:rows] for name, array in outputs.items()}


def _padded(array: np.ndarray, size: int) -> np.ndarray:
    padded = np.zeros((size, *array.shape[1:]), array.dtype)
    padded[: len(array)] = array
    return padded
